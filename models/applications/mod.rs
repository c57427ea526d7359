//! The applications, one file each.

pub mod bank;
pub mod requests;
pub mod script;

pub use bank::Bank;
pub use requests::Requests;
pub use script::Script;
