//! Rendering: data in, text out; nothing here explores or prints.

pub mod comparison;
mod explain;
pub mod json;
pub mod sweep;
pub mod tables;
pub mod text;

pub use explain::explain;
