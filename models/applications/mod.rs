//! The applications, one file each.

pub mod script;

pub use script::Script;
