//! Rendering: data in, text out; nothing here explores or prints.

pub mod assumptions;
pub mod comparison;
pub mod diagram;
mod effort;
mod explain;
pub mod html;
pub mod import;
pub mod itf;
pub mod json;
pub mod outcomes;
mod refinements;
pub mod replay;
pub mod shiviz;
pub mod sweep;
pub mod tables;
pub mod text;

pub use explain::explain;
