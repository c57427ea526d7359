//! The control messages of the algorithms.

use std::fmt;

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

/// A barrier that waits in queues as messages do, or overtakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimedBarrier {
    /// It waits.
    Aligned,
    /// It overtakes.
    Unaligned,
}

impl Renamed for TimedBarrier {}

impl fmt::Display for TimedBarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Aligned => "barrier",
            Self::Unaligned => "unaligned barrier",
        })
    }
}
