//! The job of `import`: a user's own Flink job, read from the plan that Flink prints, expanded into an
//! instance, and asked what its checkpoints do.
//!
//! `plan` has the job as Flink tells it, `read` and `graph` read it, `names` finds names
//! for its tasks; `expand` makes an instance of it; `structure` and `hold_back` say what follows
//! from plan and topology alone, and `questions` what the search says.

mod expand;
mod graph;
mod hold_back;
mod names;
mod plan;
mod questions;
mod read;
mod structure;

pub use expand::{Expansion, Size};
pub use hold_back::held_back;
pub use plan::{Edge, Node, Note, Plan, Shape, Strategy, Task};
pub use questions::{
    Aligned, Answers, AtLeastOnce, Example, FailedOver, Options, Searched, Unaligned, ask, instance,
};
pub use read::{parse, read};
pub use structure::{downstream, forbids_unaligned, inputs_per_subtask, with_several_inputs};
