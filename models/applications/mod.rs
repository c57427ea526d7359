//! The applications, one file each.

pub mod bank;
pub mod requests;
pub mod script;
pub mod stream;

pub use bank::Bank;
pub use requests::Requests;
pub use script::Script;
pub use stream::Stream;
