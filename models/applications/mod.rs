//! The applications, one file each.

pub mod bank;
pub mod script;
pub mod stream;

pub use bank::Bank;
pub use script::Script;
pub use stream::Stream;
