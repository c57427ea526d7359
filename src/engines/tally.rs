//! The tally of a search: which claims are decided, and which outcomes there are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::Request;
use super::limits::Watch;
use crate::claims;
use crate::models::claim::{Claim, Kind};
use crate::system::{ChannelView, System, View};
use crate::verdict::Verdict;

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Exploration<O> {
    /// Distinct states; if cut off, those that were judged.
    pub unique: u64,
    /// Generated states: transitions, and the initial state.
    pub generated: u64,
    /// Depth; the initial state is at depth 1.
    pub depth: usize,
    /// Whether every reachable state was judged.
    pub complete: bool,
    /// A verdict for each claim that was asked for.
    pub verdicts: BTreeMap<Claim, Verdict>,
    /// The distinct outcomes.
    pub outcomes: BTreeSet<O>,
    /// Time taken.
    pub elapsed: Duration,
    /// The most bytes that the engine held at a time by its own account; none if it keeps none.
    pub peak_bytes: Option<u64>,
}

/// Judges states as a search comes upon them.
pub(super) struct Tally<S: System> {
    pub(super) watch: Watch,
    /// Per claim, whether a state has decided it: a counterexample, or an example for a witness.
    decided: Vec<(Claim, AtomicBool)>,
    /// How often a state has decided a claim.
    decisions: AtomicUsize,
    outcomes: Mutex<BTreeSet<S::Outcome>>,
}

impl<S: System> Tally<S> {
    pub(super) fn new(request: &Request) -> Self {
        assert!(
            !request.claims.iter().any(|claim| claim.needs_history()),
            "claims that need history have a search of their own",
        );
        let undecided = |&claim| (claim, AtomicBool::new(false));
        Self {
            watch: Watch::start(request.limits),
            decided: request.claims.iter().map(undecided).collect(),
            decisions: AtomicUsize::new(0),
            outcomes: Mutex::new(BTreeSet::new()),
        }
    }

    /// How often a state has decided a claim, one that was undecided before or not.
    pub(super) fn decisions(&self) -> usize {
        self.decisions.load(Ordering::Relaxed)
    }

    /// The claims that no state has decided.
    pub(super) fn undecided(&self) -> impl Iterator<Item = Claim> + '_ {
        let undecided = |(_, decided): &&(Claim, AtomicBool)| !decided.load(Ordering::Relaxed);
        self.decided.iter().filter(undecided).map(|(claim, _)| *claim)
    }

    /// Takes note of what a claim says of a checkpoint in a state.
    pub(super) fn note(&self, claim: Claim, view: &View) {
        self.note_judged(claim, claims::judge(claim, view));
    }

    fn note_judged(&self, claim: Claim, judged: bool) {
        let decided = self.decided.iter().find(|(noted, _)| *noted == claim);
        if let Some((_, decided)) = decided
            && claims::decides(claim, judged)
        {
            decided.store(true, Ordering::Relaxed);
            self.decisions.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Takes note of what a claim about channels says of one.
    pub(super) fn note_channel(&self, claim: Claim, channel: &ChannelView) {
        self.note_judged(claim, claims::judge_channel(claim, channel));
    }

    /// Adds the outcome of a state.
    pub(super) fn add_outcome(&self, outcome: S::Outcome) {
        let mut outcomes = self.outcomes.lock().expect("no judge panics while it holds this");
        outcomes.insert(outcome);
    }

    /// Judges a state that was not judged before, unless the search is cut off.
    pub(super) fn judge(&self, system: &S, state: &S::State) {
        if !self.watch.admit() {
            return;
        }
        self.note_state(system, state);
    }

    /// Takes note of what the claims say of a state, and of its outcomes.
    pub(super) fn note_state(&self, system: &S, state: &S::State) {
        let views = system.views(state);
        for view in &views {
            self.undecided().for_each(|claim| self.note(claim, view));
        }
        if views.iter().any(View::is_complete) {
            system.outcomes(state).into_iter().for_each(|outcome| self.add_outcome(outcome));
        }
    }

    /// Closes the tally; `unique` and `generated` are the search's own counts.
    pub(super) fn close(
        &self,
        unique: u64,
        generated: u64,
        depth: usize,
    ) -> Exploration<S::Outcome> {
        let complete = !self.watch.is_cut_off();
        let verdict = |(claim, decided): &(Claim, AtomicBool)| {
            let verdict = match (claim.kind(), decided.load(Ordering::Relaxed)) {
                (Kind::Safety, true) => Verdict::Violated,
                (Kind::Witness, true) => Verdict::Holds,
                (_, false) if !complete => Verdict::Inconclusive,
                (Kind::Safety, false) => Verdict::Holds,
                (Kind::Witness, false) => Verdict::Violated,
            };
            (*claim, verdict)
        };
        let mut outcomes = self.outcomes.lock().expect("no judge panics while it holds this");
        Exploration {
            unique: if complete { unique } else { self.watch.judged() },
            generated,
            depth,
            complete,
            verdicts: self.decided.iter().map(verdict).collect(),
            outcomes: std::mem::take(&mut *outcomes),
            elapsed: self.watch.elapsed(),
            peak_bytes: None,
        }
    }
}
