//! The job behind "refines": whether every step of a system is a few steps of the specification,
//! `universal`. A forward simulation, checked on every reachable state.
//!
//! Each state stands for one of the specification (`system/specification.rs`): the start for its
//! start, and every step from s to t for zero, one or two of its steps from what s stands for to
//! exactly what t stands for: application states, messages and markers in the channels, counts and
//! recordings. Then every state that is reached stands for one that the specification reaches, and
//! what is true of all its recordings is true of these.

use std::sync::{Arc, Mutex};

use stateright::Model;

use crate::engines::{EngineKind, Limits, Request, shortest_to};
use crate::system::{Composed, Specified, Trace};
use crate::verdict::Verdict;

/// The most steps of the specification that one step may stand for: to record and to consume a marker.
pub const MOST_STEPS: usize = 2;

/// How many steps stand for none, for one, … of the specification's.
pub type StepCounts = [u64; MOST_STEPS + 1];

/// Whether a system refines the specification.
#[derive(Clone, Debug)]
pub enum Refinement {
    /// Every step does.
    Holds {
        /// Distinct states.
        states: u64,
        /// Their steps, by the least number of steps that each stands for.
        steps: StepCounts,
    },
    /// Some step does not.
    Fails(Failure),
    /// A limit did not allow to see every state.
    Open,
    /// The system has what the specification knows nothing of: queues, or processes that finish.
    Unspecified,
}

impl Refinement {
    /// The answer in a word.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Holds { .. } => Verdict::Holds,
            Self::Fails(_) => Verdict::Violated,
            Self::Open => Verdict::Inconclusive,
            Self::Unspecified => Verdict::NotApplicable,
        }
    }
}

/// A step that the specification cannot follow.
#[derive(Clone, Debug)]
pub struct Failure {
    /// A shortest run to such a step, which is its last.
    pub trace: Trace,
    /// What the process could do in the specification instead, in words.
    pub instead: Vec<String>,
}

/// Holds every step of a system against the specification.
///
/// # Panics
/// If the start does not stand for the specification's: then one of the two is not built as it should.
#[must_use]
pub fn refine<S: Specified>(system: &Arc<S>, limits: Limits) -> Refinement {
    let follower = Arc::new(Follower::<S> { specification: system.specification() });
    for start in system.init_states() {
        let projected = system.projected(&follower.specification, &start);
        assert!(follower.specification.init_states().contains(&projected), "the starts differ");
    }
    let seen = Arc::new(Mutex::new(Seen::default()));
    let (following, counting) = (Arc::clone(&follower), Arc::clone(&seen));
    let fails = move |system: &S, state: &S::State| {
        let mut seen = counting.lock().expect("nobody panics while holding it");
        seen.states += 1;
        following.failing_step(system, state, &mut seen.steps).is_some()
    };
    if let Some(path) = shortest_to(system, fails, limits) {
        return Refinement::Fails(failure(&**system, &follower, path.into_vec()));
    }
    // Stateright takes a limit for an end.
    let request = Request { claims: Vec::new(), limits, threads: 1 };
    let explored = EngineKind::Collapse.explore(system, &request, &|_| ());
    let Seen { states, steps } = *seen.lock().expect("nobody panics while holding it");
    if explored.complete && states == explored.unique {
        Refinement::Holds { states, steps }
    } else {
        Refinement::Open
    }
}

#[derive(Clone, Copy, Default)]
struct Seen {
    states: u64,
    steps: StepCounts,
}

type StateOf<M> = <M as Model>::State;
type ActionOf<M> = <M as Model>::Action;

/// Follows the steps of a system in the specification.
struct Follower<S: Specified> {
    specification: S::Specification,
}

impl<S: Specified> Follower<S> {
    /// The first step from `state` that the specification cannot follow; counts those before it.
    fn failing_step(
        &self,
        system: &S,
        state: &S::State,
        counts: &mut StepCounts,
    ) -> Option<(S::Action, S::State)> {
        let from = system.projected(&self.specification, state);
        system.next_steps(state).into_iter().find(|(action, next)| {
            let to = system.projected(&self.specification, next);
            let steps = system.actor(action).and_then(|actor| self.distance(&from, &to, actor));
            match steps {
                Some(steps) => counts[steps] += 1,
                None => return true,
            }
            false
        })
    }

    /// How few steps of the specification lead from one state to another, if not too many.
    ///
    /// Only steps of `actor` are tried. One of anybody else changes that process or the channels to it,
    /// which a step of `actor` leaves as they are but for what it appends.
    fn distance(
        &self,
        from: &StateOf<S::Specification>,
        to: &StateOf<S::Specification>,
        actor: usize,
    ) -> Option<usize> {
        let mut reached = vec![from.clone()];
        for steps in 0..MOST_STEPS {
            if reached.contains(to) {
                return Some(steps);
            }
            let next = |state| self.steps_of(actor, state).map(|(_, next)| next);
            reached = reached.iter().flat_map(next).collect();
        }
        reached.contains(to).then_some(MOST_STEPS)
    }

    /// The steps that `actor` can take in the specification; none if it is a coordinator.
    fn steps_of(
        &self,
        actor: usize,
        state: &StateOf<S::Specification>,
    ) -> impl Iterator<Item = (ActionOf<S::Specification>, StateOf<S::Specification>)> {
        let mut actions = Vec::new();
        self.specification.actions(state, &mut actions);
        actions.retain(|action| self.specification.actor(action) == Some(actor));
        actions.into_iter().filter_map(|action| {
            let next = self.specification.next_state(state, action.clone())?;
            Some((action, next))
        })
    }
}

/// Tells of the run to a state with a step that the specification cannot follow, and of that step.
fn failure<S: Specified>(
    system: &S,
    follower: &Follower<S>,
    mut run: Vec<(S::State, Option<S::Action>)>,
) -> Failure {
    let (state, _) = run.pop().expect("a path holds at least the initial state");
    let (action, next) = follower
        .failing_step(system, &state, &mut StepCounts::default())
        .expect("the search ends where a step fails");
    let projected = system.projected(&follower.specification, &state);
    let possible = system.actor(&action).map(|actor| follower.steps_of(actor, &projected));
    let instead = possible
        .into_iter()
        .flatten()
        .filter_map(|(action, _)| follower.specification.format_step(&projected, action))
        .collect();
    run.extend([(state, Some(action)), (next, None)]);
    Failure { trace: system.trace(&run), instead }
}
