//! The algorithms, one file each, in the order in which they contain one another.

pub mod chandy_lamport;
pub mod clock;
pub mod flink_aligned;
pub mod flink_aligned_cyclic;
pub mod flink_at_least_once;
pub mod general;
pub mod general_literal;
pub mod general_literal_forgetful;
pub mod lai_yang;
pub mod stop_the_world;
pub mod universal;

use std::fmt;

pub use chandy_lamport::ChandyLamport;
pub use clock::Clock;
pub use flink_aligned::FlinkAligned;
pub use flink_aligned_cyclic::FlinkAlignedCyclic;
pub use flink_at_least_once::FlinkAtLeastOnce;
pub use general::General;
pub use general_literal::GeneralLiteral;
pub use general_literal_forgetful::GeneralLiteralForgetful;
pub use lai_yang::LaiYang;
pub use stop_the_world::StopTheWorld;
pub use universal::Universal;

use crate::renaming::Renamed;

/// The control message that separates, on its channel, what was sent before the record from what
/// was sent after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marker;

impl Renamed for Marker {}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("marker")
    }
}

/// Flink's name for a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Barrier;

impl Renamed for Barrier {}

impl fmt::Display for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("barrier")
    }
}

/// How many white messages were sent on a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Whites(pub u16);

impl Renamed for Whites {}

impl fmt::Display for Whites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "count of {}", self.0)
    }
}

/// The control message of an algorithm that sends none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoControl {}

impl Renamed for NoControl {}

impl fmt::Display for NoControl {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}
