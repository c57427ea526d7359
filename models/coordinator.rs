//! The coordinator's life cycle: tells processes to begin, collects their "done", declares a checkpoint
//! complete, gives it up.
//!
//! It works the same whether it is an actor of its own or the desk of one of the processes; only the
//! way of its instructions differs.

use std::collections::BTreeSet;

use crate::process::Supersedes;
use crate::renaming::{Renamed, Renaming};
use crate::setup::{Checkpoints, Setup};
use crate::topology::{ProcessId, Topology};

/// What the coordinator knows of one checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Collected {
    /// The processes that said "done".
    pub done: BTreeSet<ProcessId>,
    /// Whether it has declared the checkpoint complete.
    pub declared: bool,
    /// Whether it has given it up before: a failover ended it, itself, or a newer one that is complete.
    pub abandoned: bool,
}

impl Collected {
    /// Whether it has begun neither to be complete nor to be given up.
    fn is_pending(&self) -> bool {
        !self.declared && !self.abandoned
    }
}

/// What the coordinator knows. It survives failovers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoordinatorState {
    /// For how many checkpoints it has given the instruction to begin.
    pub begun: u16,
    /// Per checkpoint, what it knows.
    pub checkpoints: Vec<Collected>,
    /// How many checkpoints it has aborted.
    pub aborted: u16,
    /// The processes that have finished.
    pub finished: BTreeSet<ProcessId>,
}

impl CoordinatorState {
    /// The state in which it starts.
    #[must_use]
    pub fn start(checkpoints: Checkpoints) -> Self {
        Self {
            begun: 0,
            checkpoints: vec![Collected::default(); usize::from(checkpoints.count)],
            aborted: 0,
            finished: BTreeSet::new(),
        }
    }

    /// What it knows of a checkpoint.
    #[must_use]
    pub fn checkpoint(&self, checkpoint: u16) -> &Collected {
        &self.checkpoints[usize::from(checkpoint) - 1]
    }

    /// The checkpoints that have begun and are neither complete nor given up.
    pub fn pending(&self) -> impl Iterator<Item = u16> + '_ {
        (1..=self.begun).filter(|&checkpoint| self.checkpoint(checkpoint).is_pending())
    }

    /// Whether a further checkpoint may begin: there is one, and not too many are under way.
    #[must_use]
    pub fn may_begin(&self, checkpoints: Checkpoints) -> bool {
        self.begun < checkpoints.count
            && self.pending().count() < usize::from(checkpoints.overlapping)
    }

    /// It gives the instruction to begin the next checkpoint: to whom.
    ///
    /// A process that has finished has done its part; in its place those are told that receive from
    /// nobody else.
    pub fn begin(&mut self, setup: &Setup) -> BTreeSet<ProcessId> {
        self.begun += 1;
        let running = |process: &ProcessId| !self.finished.contains(process);
        let told = setup.topology.processes().filter(running).filter(|&process| {
            let inputs = setup.topology.inputs(process).iter();
            let mut senders = inputs.map(|&input| setup.topology.channel(input).source);
            let is_first = !self.finished.is_empty() && senders.all(|sender| !running(&sender));
            setup.initiators.contains(&process) || is_first
        });
        let told = told.collect();
        let begun = usize::from(self.begun) - 1;
        self.checkpoints[begun].done.extend(&self.finished);
        self.checkpoints[begun].declared =
            self.checkpoints[begun].done.len() == setup.topology.process_count();
        told
    }

    /// A process says "done" with a checkpoint; the last one makes the coordinator declare completion.
    /// Whether it does so now. Of one that is given up it is too late.
    ///
    /// With it, if a checkpoint takes the place of those before, older ones are given up.
    pub fn on_done(
        &mut self,
        topology: &Topology,
        process: ProcessId,
        checkpoint: u16,
        supersedes: Supersedes,
    ) -> bool {
        let known = &mut self.checkpoints[usize::from(checkpoint) - 1];
        if !known.is_pending() {
            return false;
        }
        known.done.insert(process);
        known.declared = known.done.len() == topology.process_count();
        let declared = known.declared;
        if declared && supersedes != Supersedes::Never {
            let older = self.checkpoints.iter_mut().take(usize::from(checkpoint) - 1);
            older.filter(|known| known.is_pending()).for_each(|known| known.abandoned = true);
        }
        declared
    }

    /// A process has finished, which is its part of every checkpoint that it has not abandoned. Which
    /// checkpoints are declared complete now.
    pub fn on_finished(
        &mut self,
        topology: &Topology,
        process: ProcessId,
        abandoned: &[u16],
        supersedes: Supersedes,
    ) -> Vec<u16> {
        self.finished.insert(process);
        let begun = (1..=self.begun).filter(|checkpoint| !abandoned.contains(checkpoint));
        begun.filter(|&k| self.on_done(topology, process, k, supersedes)).collect()
    }

    /// It gives up a checkpoint that is pending.
    pub fn abort(&mut self, checkpoint: u16) {
        self.aborted += 1;
        self.checkpoints[usize::from(checkpoint) - 1].abandoned = true;
    }

    /// The newest checkpoint that is declared complete; 0 if none is.
    #[must_use]
    pub fn newest_complete(&self) -> u16 {
        (1..=self.begun).rev().find(|&k| self.checkpoint(k).declared).unwrap_or(0)
    }

    /// What is under way will never be complete; or is taken to be, by one that presumes what it has not
    /// heard.
    pub fn on_failover(&mut self, presumes_done: bool) {
        for known in &mut self.checkpoints[..usize::from(self.begun)] {
            if presumes_done && known.is_pending() {
                known.declared = true;
            } else if !known.declared {
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
        Self {
            checkpoints: checkpoints.collect(),
            finished: self.finished.renamed(renaming),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Coordinator;

    const THREE: Checkpoints = Checkpoints { count: 3, overlapping: 3, aborts: 1 };

    fn setup() -> Setup {
        let topology = Topology::parse("p -> q, q -> r").expect("a line");
        let sources = topology.sources();
        Setup::new(topology, sources, Coordinator::Central)
    }

    fn process(index: usize) -> ProcessId {
        ProcessId::new(index)
    }

    #[test]
    fn a_checkpoint_that_is_complete_ends_older_ones() {
        let setup = setup();
        let mut state = CoordinatorState::start(THREE);
        (0..3).for_each(|_| assert_eq!(state.begin(&setup), setup.initiators));
        let mut done = |index, checkpoint| {
            let process = process(index);
            state.on_done(&setup.topology, process, checkpoint, Supersedes::WhenHeard)
        };
        assert!(!done(0, 1) && !done(1, 1));
        assert!(!done(0, 2) && !done(1, 2) && done(2, 2));
        assert!(!done(2, 1), "it is too late for the first");
        assert_eq!(state.newest_complete(), 2);
        assert!(state.checkpoint(1).abandoned);
        assert_eq!(state.pending().collect::<Vec<_>>(), [3], "the third goes on");
    }

    #[test]
    fn what_is_aborted_is_not_completed() {
        let setup = setup();
        let mut state = CoordinatorState::start(THREE);
        state.begin(&setup);
        state.abort(1);
        for index in 0..3 {
            assert!(!state.on_done(&setup.topology, process(index), 1, Supersedes::Never));
        }
        assert_eq!((state.newest_complete(), state.aborted), (0, 1));
    }

    #[test]
    fn those_are_told_that_receive_from_nobody_who_runs() {
        let setup = setup();
        let mut state = CoordinatorState::start(THREE);
        state.begin(&setup);
        let finish = |state: &mut CoordinatorState, index, abandoned: &[u16]| {
            let process = process(index);
            state.on_finished(&setup.topology, process, abandoned, Supersedes::WhenHeard)
        };
        assert!(finish(&mut state, 0, &[]).is_empty());
        assert_eq!(state.begin(&setup), BTreeSet::from([process(1)]));
        assert!(finish(&mut state, 1, &[1]).is_empty());
        assert_eq!(finish(&mut state, 2, &[]), [2], "the first was abandoned by q");
        assert!(state.begin(&setup).is_empty());
        assert!(state.checkpoint(3).declared, "all have finished");
    }
}
