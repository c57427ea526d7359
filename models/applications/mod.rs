//! The applications, one file each.

pub mod bank;
pub mod script;

pub use bank::Bank;
pub use script::Script;
