//! The coordinator: tells processes to begin, collects their "done", declares a checkpoint complete.
//!
//! It works the same whether it is an actor of its own or the desk of one of the processes; only the
//! way of its instructions differs.

use std::collections::BTreeSet;

use crate::renaming::{Renamed, Renaming};
use crate::setup::Checkpoints;
use crate::topology::{ProcessId, Topology};

/// What the coordinator knows of one checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Collected {
    /// The processes that said "done".
    pub done: BTreeSet<ProcessId>,
    /// Whether it has declared the checkpoint complete.
    pub declared: bool,
    /// Whether a failover ended it before.
    pub abandoned: bool,
}

/// What the coordinator knows. It survives failovers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoordinatorState {
    /// For how many checkpoints it has given the instruction to begin.
    pub begun: u16,
    /// Per checkpoint, what it knows.
    pub checkpoints: Vec<Collected>,
}

impl CoordinatorState {
    /// The state in which it starts.
    #[must_use]
    pub fn start(checkpoints: Checkpoints) -> Self {
        Self { begun: 0, checkpoints: vec![Collected::default(); usize::from(checkpoints.count)] }
    }

    /// What it knows of a checkpoint.
    #[must_use]
    pub fn checkpoint(&self, checkpoint: u16) -> &Collected {
        &self.checkpoints[usize::from(checkpoint) - 1]
    }

    /// Whether a further checkpoint may begin: there is one, and not too many are under way.
    #[must_use]
    pub fn may_begin(&self, checkpoints: Checkpoints) -> bool {
        let begun = &self.checkpoints[..usize::from(self.begun)];
        let under_way = begun.iter().filter(|known| !known.declared && !known.abandoned).count();
        self.begun < checkpoints.count && under_way < usize::from(checkpoints.overlapping)
    }

    /// A process says "done" with a checkpoint; the last one makes the coordinator declare completion.
    /// Whether it does so now.
    pub fn on_done(&mut self, topology: &Topology, process: ProcessId, checkpoint: u16) -> bool {
        let known = &mut self.checkpoints[usize::from(checkpoint) - 1];
        known.done.insert(process);
        known.declared = known.done.len() == topology.process_count();
        known.declared
    }

    /// The newest checkpoint that is declared complete; 0 if none is.
    #[must_use]
    pub fn newest_complete(&self) -> u16 {
        (1..=self.begun).rev().find(|&k| self.checkpoint(k).declared).unwrap_or(0)
    }

    /// What is under way will never be complete.
    pub fn on_failover(&mut self) {
        for known in &mut self.checkpoints[..usize::from(self.begun)] {
            if !known.declared {
                known.done.clear();
                known.abandoned = true;
            }
        }
    }
}

impl Renamed for CoordinatorState {
    fn renamed(&self, renaming: &Renaming) -> Self {
        let checkpoints = self.checkpoints.iter().map(|known| Collected {
            done: known.done.renamed(renaming),
            declared: known.declared,
            abandoned: known.abandoned,
        });
        Self { begun: self.begun, checkpoints: checkpoints.collect() }
    }
}
