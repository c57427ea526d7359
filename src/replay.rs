//! Replaying a run: step by step on the model, each step found among those that are enabled.

use stateright::Model;

use crate::claims;
use crate::models::claim::Claim;
use crate::system::{System, Trace, TraceStep, View};

/// A run that was replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The run, told anew.
    pub trace: Trace,
    /// Its states as the claims see them, the initial one first.
    pub views: Vec<Vec<View>>,
}

/// Why a run cannot be replayed: a step is not enabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The place of that step among the steps.
    pub at: usize,
    /// What is enabled instead, in words.
    pub enabled: Vec<String>,
}

/// A run of a system: its states, each with the action that leaves it.
pub type Run<S> = Vec<(<S as Model>::State, Option<<S as Model>::Action>)>;

impl Replay {
    /// The number of steps after which a state first decides `claim`: a counterexample, or an example
    /// for a witness.
    #[must_use]
    pub fn first_deciding(&self, claim: Claim) -> Option<usize> {
        self.views.iter().position(|views| decides(claim, views))
    }

    /// Whether the last state decides `claim`.
    #[must_use]
    pub fn decides(&self, claim: Claim) -> bool {
        decides(claim, &self.trace.last)
    }
}

fn decides(claim: Claim, views: &[View]) -> bool {
    claims::decides(claim, claims::judge_state(claim, views))
}

/// Replays `steps` from the initial state; of each only which action it is counts.
///
/// # Errors
/// If one is not enabled.
pub fn replay<S: System>(system: &S, steps: &[TraceStep]) -> Result<Replay, Stuck> {
    let run = follow(system, steps)?;
    let views = run.iter().map(|(state, _)| system.views(state)).collect();
    Ok(Replay { trace: system.trace(&run), views })
}

/// The states that `steps` lead through, each with the action that leaves it.
///
/// # Errors
/// If one is not enabled.
pub fn follow<S: System>(system: &S, steps: &[TraceStep]) -> Result<Run<S>, Stuck> {
    let mut state = system.init_states().into_iter().next().expect("a system has a start");
    let mut run = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let mut enabled = Vec::new();
        let mut next = None;
        for (action, after) in system.next_steps(&state) {
            let told = told(system, &state, &action, &after);
            if next.is_none() && told.as_ref().is_some_and(|told| told.is_same_action(step)) {
                next = Some((action, after));
            } else {
                enabled.extend(told.map(|told| told.to_string()));
            }
        }
        let Some((action, after)) = next else { return Err(Stuck { at, enabled }) };
        run.push((state, Some(action)));
        state = after;
    }
    run.push((state, None));
    Ok(run)
}

/// One step by itself.
fn told<S: System>(
    system: &S,
    before: &S::State,
    action: &S::Action,
    after: &S::State,
) -> Option<TraceStep> {
    let run = [(before.clone(), Some(action.clone())), (after.clone(), None)];
    system.trace(&run).steps.into_iter().next()
}
