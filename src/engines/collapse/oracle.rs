//! What a search asks about the system. Everything behind it runs rarely; so the search need not be
//! compiled anew for every system.

use std::sync::Arc;

use super::judge::{Judge, Known};
use super::parts::{Parts, ViewStep};
use super::rows::Views;
use crate::engines::limits::Watch;
use crate::engines::{Exploration, Request};
use crate::system::System;

/// Answers about the system. A state is given by its views.
pub(super) trait Oracle {
    /// The initial states.
    fn starts(&mut self) -> Vec<Vec<u32>>;

    /// Per part, how many views are known.
    fn views(&self) -> Vec<usize>;

    /// Whether steps depend only on their actor's part.
    fn steps_are_local(&self) -> bool;

    /// Whether every step found so far adds one to the number of steps that lead to its actor's local
    /// state. Then the depth of a state is the sum over its parts, and no state is found at two depths.
    fn graded(&self) -> bool;

    /// The steps that an actor can take in a view, if steps are local.
    fn steps(&mut self, part: usize, view: u32) -> Vec<ViewStep>;

    /// The view of a part after something has arrived behind its inputs.
    fn arrive(&mut self, part: usize, view: u32, source: usize, sent: u32) -> u32;

    /// How many packets one step sends at once, given what it sends.
    fn packets(&self, sent: u32) -> usize;

    /// The states after a state, by the model's own rules.
    fn successors(&mut self, state: &[u32]) -> Vec<Vec<u32>>;

    /// Judges all that is new in a state, except the tuple of its classes, which is returned if it
    /// must be judged too.
    fn settle(&mut self, known: &mut Known, state: &[u32], terminal: bool) -> Option<Views>;

    /// Judges a tuple of classes, of a state in which the snapshot is complete or declared to be.
    fn settle_tuple(&mut self, classes: &Views);

    /// Whether every claim is decided.
    fn all_decided(&self) -> bool;

    /// Holds the search to its limits.
    fn watch(&self) -> &Watch;

    /// Bytes held.
    fn bytes(&self) -> usize;
}

/// Knows the parts of a system, and judges.
pub(super) struct Expert<S: System> {
    pub(super) parts: Parts<S>,
    judge: Judge<S>,
}

impl<S: System> Expert<S> {
    pub(super) fn new(system: &Arc<S>, request: &Request) -> Self {
        let parts = Parts::new(system);
        Self { judge: Judge::new(parts.system(), parts.count(), request), parts }
    }

    /// What is known at the start.
    pub(super) fn begin(&self) -> Known {
        Known::new(self.parts.count(), self.judge.begin(self.parts.system()))
    }

    /// The result, given what the search has counted.
    pub(super) fn close(
        &self,
        unique: u64,
        generated: u64,
        depth: usize,
    ) -> Exploration<S::Outcome> {
        self.judge.tally.close(unique, generated, depth)
    }
}

impl<S: System> Oracle for Expert<S> {
    fn starts(&mut self) -> Vec<Vec<u32>> {
        let states = self.parts.system().init_states();
        states.iter().map(|state| self.parts.split(state)).collect()
    }

    fn views(&self) -> Vec<usize> {
        let parts = 0..self.parts.count();
        parts.map(|part| self.parts.views(part)).collect()
    }

    fn steps_are_local(&self) -> bool {
        self.parts.system().steps_are_local()
    }

    fn graded(&self) -> bool {
        self.parts.graded()
    }

    fn steps(&mut self, part: usize, view: u32) -> Vec<ViewStep> {
        let mut steps = self.parts.steps(part, view);
        for step in &mut steps {
            step.shows = self.judge.tells_apart(&self.parts, part, view, step.view);
        }
        steps
    }

    fn arrive(&mut self, part: usize, view: u32, source: usize, sent: u32) -> u32 {
        self.parts.arrive(part, view, source, sent)
    }

    fn packets(&self, sent: u32) -> usize {
        self.parts.packets(sent)
    }

    fn successors(&mut self, state: &[u32]) -> Vec<Vec<u32>> {
        self.parts.successors(state)
    }

    fn settle(&mut self, known: &mut Known, state: &[u32], terminal: bool) -> Option<Views> {
        self.judge.settle(&self.parts, known, state, terminal)
    }

    fn settle_tuple(&mut self, classes: &Views) {
        self.judge.settle_tuple(&self.parts, classes);
    }

    fn all_decided(&self) -> bool {
        self.judge.tally.undecided().next().is_none()
    }

    fn watch(&self) -> &Watch {
        &self.judge.tally.watch
    }

    fn bytes(&self) -> usize {
        self.parts.bytes() + self.judge.bytes()
    }
}
