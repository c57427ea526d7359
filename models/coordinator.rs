//! The coordinator: tells processes to begin, collects their "done", declares the snapshot complete.
//!
//! It works the same whether it is an actor of its own or the desk of one of the processes; only the
//! way of its instructions differs.

use std::collections::BTreeSet;

use crate::renaming::{Renamed, Renaming};
use crate::topology::{ProcessId, Topology};

/// What the coordinator knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoordinatorState {
    /// The processes that said "done".
    pub done: BTreeSet<ProcessId>,
    /// Whether it has declared the snapshot complete.
    pub declared: bool,
}

impl CoordinatorState {
    /// A process says "done"; the last one makes the coordinator declare completion.
    pub fn on_done(&mut self, topology: &Topology, process: ProcessId) {
        self.done.insert(process);
        self.declared = self.done.len() == topology.process_count();
    }
}

impl Renamed for CoordinatorState {
    fn renamed(&self, renaming: &Renaming) -> Self {
        Self { done: self.done.renamed(renaming), declared: self.declared }
    }
}
