//! How it is checked: instance files become stateright actor models, every interleaving is explored,
//! every recorded snapshot is judged.
//!
//! A file uses only what stands above it in this list; `tests/architecture.rs` holds it to that.

pub mod diagnostic;

pub mod verdict;

pub mod instance;

pub mod raw_json;

pub mod application_graph;

pub mod system;

pub mod claims;

pub mod picture;

pub mod engines;

pub mod explored;

pub mod simulation;

pub mod refinement;

pub mod replay;

pub mod explorer;

pub mod survey;

pub mod history;

pub mod runner;

pub mod registry;

pub mod check;

pub mod compare;

pub mod assumptions;

pub mod order;

pub mod trace_file;

pub mod sweep;

pub mod import;

pub mod render;

pub mod cli;

pub use snapcheck_models as models;
