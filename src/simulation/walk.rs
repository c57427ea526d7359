//! A random walk through the states of a system.

use fastrand::Rng;

use crate::system::System;

/// A walk from the initial state, each step drawn from those enabled with equal chances.
pub(super) struct Walk<'s, S: System> {
    system: &'s S,
    rng: Rng,
    /// Where it is.
    pub(super) state: S::State,
    enabled: Vec<S::Action>,
}

impl<'s, S: System> Walk<'s, S> {
    /// The walk of this number. Those of one seed have nothing to do with those of the next.
    pub(super) fn begin(system: &'s S, seed: u64, number: u64) -> Self {
        let first = Rng::with_seed(seed).u64(..);
        Self {
            system,
            rng: Rng::with_seed(first.wrapping_add(number)),
            state: system.init_states().into_iter().next().expect("a system has a start"),
            enabled: Vec::new(),
        }
    }

    /// Takes a step, and says which; none if none is enabled.
    pub(super) fn step(&mut self) -> Option<S::Action> {
        self.enabled.clear();
        self.system.actions(&self.state, &mut self.enabled);
        while !self.enabled.is_empty() {
            // Drawn as 64 bits, so that it is the same on machines of other widths.
            let drawn = self.rng.u64(..self.enabled.len() as u64);
            let action = self.enabled.swap_remove(usize::try_from(drawn).ok()?);
            if let Some(next) = self.system.next_state(&self.state, action.clone()) {
                self.state = next;
                return Some(action);
            }
        }
        None
    }
}
