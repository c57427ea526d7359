//! Rendering: data in, text out; nothing here explores or prints.

mod explain;
pub mod json;
pub mod tables;
pub mod text;

pub use explain::explain;
