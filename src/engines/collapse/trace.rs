//! The shortest run to a state that decides a claim: the search keeps its levels and stops there, a way
//! is found backwards through the levels, and it is replayed forwards on the model.

use std::sync::Arc;

use stateright::Path;

use super::key::{Key, Layout};
use super::oracle::Expert;
use super::search::Knowledge;
use super::{Finished, explored};
use crate::engines::{Limits, Request};
use crate::models::claim::Claim;
use crate::system::System;

/// A run of least length to a state that decides `claim`: a counterexample, or for a witness an
/// example. None if there is none within the limits.
#[must_use]
pub fn shortest<S: System>(
    system: &Arc<S>,
    claim: Claim,
    limits: Limits,
) -> Option<Path<S::State, S::Action>> {
    let request = Request { claims: vec![claim], limits, threads: 1 };
    let mut expert = Expert::new(system, &request);
    let mut knowledge = Knowledge {
        known: expert.begin(),
        oracle: &mut expert,
        threads: 1,
        seeks: true,
        sought: None,
    };
    let Finished { way, .. } = explored(&mut knowledge, true, &mut |_| ());
    let states = way.iter().map(|views| expert.parts.join(views));
    replay(&**system, states.collect())
}

/// A way to the state with views `goal`, which the last of `levels` contains: a state of each level.
pub(super) fn way<const WORDS: usize>(
    knowledge: &mut Knowledge<'_>,
    layout: &Layout,
    levels: &[Vec<Key<WORDS>>],
    goal: &[u32],
) -> Vec<Vec<u32>> {
    let mut way = vec![goal.to_vec()];
    let mut goal: Key<WORDS> = layout.pack(goal);
    for level in levels.iter().rev().skip(1) {
        let leads = |key: &&Key<WORDS>| knowledge.successors(layout, **key).contains(&goal);
        let before = level.iter().find(leads);
        goal = *before.expect("a state of a level comes from one of the level before");
        way.push(layout.unpack(goal).collect());
    }
    way.reverse();
    way
}

/// Runs the model through these states.
fn replay<S: System>(system: &S, states: Vec<S::State>) -> Option<Path<S::State, S::Action>> {
    let mut actions = Vec::new();
    for pair in states.windows(2) {
        let steps = system.next_steps(&pair[0]).into_iter();
        let mut steps = steps.filter(|(_, next)| *next == pair[1]);
        let (action, _) = steps.next().expect("a step that the tables have is one of the model");
        actions.push(action);
    }
    Path::from_actions(system, states.into_iter().next()?, &actions)
}
