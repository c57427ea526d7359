//! The algorithms, one file each, in the order in which they contain one another.

pub mod chandy_lamport;
pub mod clock;
pub mod control;
pub mod flink_aligned;
pub mod flink_aligned_cyclic;
pub mod flink_aligned_timeout;
pub mod flink_at_least_once;
pub mod flink_unaligned;
pub mod general;
pub mod general_literal;
pub mod general_literal_forgetful;
pub mod lai_yang;
pub mod stop_the_world;
pub mod universal;

pub use chandy_lamport::ChandyLamport;
pub use clock::Clock;
pub use control::{Barrier, Marker, NoControl, TimedBarrier, Whites};
pub use flink_aligned::FlinkAligned;
pub use flink_aligned_cyclic::FlinkAlignedCyclic;
pub use flink_aligned_timeout::FlinkAlignedTimeout;
pub use flink_at_least_once::FlinkAtLeastOnce;
pub use flink_unaligned::FlinkUnaligned;
pub use general::General;
pub use general_literal::GeneralLiteral;
pub use general_literal_forgetful::GeneralLiteralForgetful;
pub use lai_yang::LaiYang;
pub use stop_the_world::StopTheWorld;
pub use universal::Universal;
