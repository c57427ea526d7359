//! The graph of a system's states, for what is asked of whole runs and not of states: how many steps
//! lie between two of them, how many control messages are sent on the way.

use std::collections::VecDeque;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap};

use super::limits::{Limits, Watch};
use crate::system::System;

/// A step between two states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphStep {
    /// The number of the state that it leads to.
    pub target: u32,
    /// How many control messages are sent in it.
    pub control_messages: u32,
}

/// States by number, and the steps between them. Number 0 is the initial state.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Per state, where its steps end in the list of all; they begin where those of the state before
    /// end.
    ends: Vec<usize>,
    steps: Vec<GraphStep>,
}

impl Graph {
    /// How many states there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The steps that leave a state.
    #[must_use]
    pub fn steps(&self, state: usize) -> &[GraphStep] {
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[start..self.ends[state]]
    }

    /// Adds a state with the steps that leave it.
    pub fn push(&mut self, steps: impl IntoIterator<Item = GraphStep>) {
        self.steps.extend(steps);
        self.ends.push(self.steps.len());
    }
}

/// Explores the graph breadth first. `visit` sees every state once, in the order of their numbers, and
/// says whether the steps that leave it belong to the graph; what they lead to is seen all the same.
/// None if the limits do not allow to see every state.
///
/// States are told apart by 64 bits of a hash. The graph is exact if it has as many states as an exact
/// engine found: states taken for one would be fewer.
pub fn graph<S: System>(
    system: &S,
    limits: Limits,
    mut visit: impl FnMut(&S::State) -> bool,
) -> Option<Graph> {
    let watch = Watch::start(limits);
    let hasher = DefaultHashBuilder::default();
    let mut numbers = HashMap::new();
    let mut waiting = VecDeque::new();
    let mut number = |state: S::State, waiting: &mut VecDeque<S::State>| {
        let next = u32::try_from(numbers.len()).ok()?;
        Some(*numbers.entry(hasher.hash_one(&state)).or_insert_with(|| {
            waiting.push_back(state);
            next
        }))
    };
    for state in system.init_states() {
        number(state, &mut waiting)?;
    }
    let (mut graph, mut actions, mut steps) = (Graph::default(), Vec::new(), Vec::new());
    while let Some(state) = waiting.pop_front() {
        if !watch.admit() {
            return None;
        }
        let belong = visit(&state);
        system.actions(&state, &mut actions);
        for action in actions.drain(..) {
            let Some(next) = system.next_state(&state, action.clone()) else { continue };
            let control_messages = match belong {
                true => system.control_messages_sent(&state, &action, &next),
                false => 0,
            };
            let target = number(next, &mut waiting)?;
            if belong {
                steps.push(GraphStep { target, control_messages });
            }
        }
        graph.push(steps.drain(..));
    }
    Some(graph)
}
