//! Rendering: data in, text out; nothing here explores or prints.

pub mod comparison;
pub mod diagram;
mod explain;
pub mod html;
pub mod json;
pub mod tables;
pub mod text;

pub use explain::explain;
