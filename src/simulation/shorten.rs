//! Shortening a run that decides a claim: steps are left out, and what stays enabled is replayed. A.
//! Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE Transactions on
//! Software Engineering 28, 2002.

use super::{Steps, decides};
use crate::engines::Watch;
use crate::models::claim::Claim;
use crate::system::System;

/// The run without whatever can be left out: first half of it at once, then less and less, until no
/// single step can, or the limits are hit. It need not be a shortest one.
pub(super) fn shorten<S: System>(
    system: &S,
    claim: Claim,
    mut steps: Steps<S>,
    watch: &Watch,
) -> Steps<S> {
    let mut size = steps.len().div_ceil(2).max(1);
    loop {
        let before = steps.len();
        // From the end, where little is to be replayed.
        for start in (0..before).step_by(size).rev() {
            if !watch.admit() {
                return steps;
            }
            // What was left out behind may have taken with it what stood here.
            if start < steps.len()
                && let Some(fewer) = without(system, claim, &steps, start, size)
            {
                steps = fewer;
            }
        }
        if size == 1 && steps.len() == before {
            return steps;
        }
        size = size.div_ceil(2);
    }
}

/// The run without `size` steps from `start` and without what is then not enabled, up to the first state
/// that decides the claim; none if no state does.
fn without<S: System>(
    system: &S,
    claim: Claim,
    steps: &Steps<S>,
    start: usize,
    size: usize,
) -> Option<Steps<S>> {
    let mut state = steps[start].0.clone();
    let mut replayed = Vec::new();
    for (_, wanted) in steps.iter().skip(start + size) {
        let Some((action, next)) = follow(system, &state, wanted) else { continue };
        replayed.push((state, action));
        state = next;
        if decides(system, claim, &state) {
            return Some(steps[..start].iter().cloned().chain(replayed).collect());
        }
    }
    None
}

/// The step that is wanted, or else one of its kind: without a message before it, the second message of
/// a channel is the first.
fn follow<S: System>(
    system: &S,
    state: &S::State,
    wanted: &S::Action,
) -> Option<(S::Action, S::State)> {
    let mut enabled = Vec::new();
    system.actions(state, &mut enabled);
    let same = enabled.iter().position(|action| action == wanted);
    let alike = || enabled.iter().position(|action| system.are_alike(action, wanted));
    let action = enabled.swap_remove(same.or_else(alike)?);
    let next = system.next_state(state, action.clone())?;
    Some((action, next))
}
