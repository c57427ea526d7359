//! What an algorithm does on an instance, over all runs: its snapshots, and what taking one costs.

mod runs;

pub use runs::Range;

use std::collections::BTreeSet;
use std::sync::Arc;

use itertools::Itertools;

use crate::claims::newest;
use crate::engines::{EngineKind, Graph, Limits, Request, graph};
use crate::system::{Snapshot, System, View};

/// What an algorithm does on an instance, over all runs.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Every snapshot that it can record.
    pub snapshots: BTreeSet<Snapshot>,
    /// Control messages sent until the snapshot is complete; none if it never is.
    pub control_messages: Option<Range>,
    /// Steps from the one in which the snapshot begins to the one after which it is complete; none if
    /// it never is.
    pub steps_to_completion: Option<Range>,
    /// The most messages that ever waited in blocked channels.
    pub held: usize,
}

/// How far a snapshot is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    NotBegun,
    Taken,
    /// With a coordinator: declared so.
    Complete,
}

impl Phase {
    fn of(view: &View, begun: bool) -> Self {
        if view.declared.unwrap_or_else(|| view.is_complete()) {
            Self::Complete
        } else if begun {
            Self::Taken
        } else {
            Self::NotBegun
        }
    }
}

/// Surveys a system. None if the limits do not allow to see every state.
pub fn survey<S: System>(system: &Arc<S>, limits: Limits) -> Option<Survey> {
    let request = Request { claims: Vec::new(), limits, threads: 1 };
    let found = EngineKind::Collapse.explore(system, &request, &|_| ());
    let mut held = 0;
    let mut phases = Vec::new();
    let graph = graph(&**system, limits, |state| {
        let views = system.views(state);
        let view = newest(&views);
        let blocked = view.channels.iter().filter(|channel| channel.blocked);
        held = held.max(blocked.map(|channel| channel.readable).sum());
        let phase = Phase::of(view, system.has_begun(state));
        phases.push(phase);
        phase != Phase::Complete
    })?;
    let exact = found.complete && graph.len() as u64 == found.unique;
    exact.then(|| Survey {
        snapshots: found.outcomes.iter().map(|outcome| system.snapshot(outcome)).collect(),
        control_messages: control_messages(&graph, &phases),
        steps_to_completion: steps_to_completion(&graph, &phases),
        held,
    })
}

fn complete(phases: &[Phase]) -> Vec<bool> {
    phases.iter().map(|&phase| phase == Phase::Complete).collect()
}

fn control_messages(graph: &Graph, phases: &[Phase]) -> Option<Range> {
    runs::range(graph, &[0], &complete(phases), |step| u64::from(step.control_messages))
}

fn steps_to_completion(graph: &Graph, phases: &[Phase]) -> Option<Range> {
    let before = (0..graph.len()).filter(|&state| phases[state] == Phase::NotBegun);
    let after = before.flat_map(|state| graph.steps(state)).map(|step| step.target as usize);
    let begun = after.filter(|&state| phases[state] != Phase::NotBegun).unique().collect_vec();
    let range = runs::range(graph, &begun, &complete(phases), |_| 1)?;
    // The step that began it counts.
    Some(Range { least: range.least + 1, most: range.most.map(|most| most + 1) })
}
