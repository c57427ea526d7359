//! What an exploration found, and the runs that are shown of it, whatever the algorithm.

use std::collections::BTreeMap;
use std::time::Duration;

use stateright::Path;

use crate::models::claim::Claim;
use crate::system::{StateWords, System, Trace};
use crate::verdict::Verdict;

/// What an exploration found, whatever the algorithm.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Distinct states; if cut off, those that were judged.
    pub unique: u64,
    /// Generated states: transitions, and the initial state.
    pub generated: u64,
    /// Depth; the initial state is at depth 1.
    pub depth: usize,
    /// Whether every reachable state was judged.
    pub complete: bool,
    /// A verdict for each claim that was asked for.
    pub verdicts: Vec<(Claim, Verdict)>,
    /// How many distinct outcomes there are.
    pub outcomes: u64,
    /// How many of them have a consistent cut.
    pub consistent_outcomes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// The most bytes that the engine held at a time by its own account; none if it keeps none.
    pub peak_bytes: Option<u64>,
    /// How many states one that was searched may stand for, in a search up to symmetry; else 1.
    pub symmetries: usize,
}

impl Explored {
    /// Distinct states a second.
    #[must_use]
    pub fn states_per_second(&self) -> f64 {
        self.unique as f64 / self.elapsed.as_secs_f64()
    }
}

/// A run to a state that decides a claim.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The run in words and data.
    pub trace: Trace,
    /// Its states, the initial one first.
    pub states: Vec<StateWords>,
    /// The run as the Explorer's deep links write it.
    pub explorer_path: String,
}

impl Shown {
    /// A run of `system`.
    pub(crate) fn of<S: System>(system: &S, path: Path<S::State, S::Action>) -> Self {
        let explorer_path = path.encode(system);
        let run = path.into_vec();
        let states = run.iter().map(|(state, _)| system.describe(state)).collect();
        Self { trace: system.trace(&run), states, explorer_path }
    }
}

/// What a search with history found.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// A verdict for each claim that was asked for.
    pub verdicts: Vec<(Claim, Verdict)>,
    /// For each claim that a state decides, a shortest run to one.
    pub shown: BTreeMap<Claim, Shown>,
    /// States judged.
    pub judged: u64,
    /// States of the application alone; none if they are too many.
    pub alone: Option<usize>,
    /// Time taken.
    pub elapsed: Duration,
}
