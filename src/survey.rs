//! The survey of a system for comparisons: every snapshot that it can record, and what taking one costs.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use crate::engines::{EngineKind, Limits, Request, shortest_to};
use crate::system::{Snapshot, System, View};

/// What an algorithm does on an instance, over all runs.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Every snapshot that it can record.
    pub snapshots: BTreeSet<Snapshot>,
    /// Channels that a marker was put on, in a complete snapshot: least and most.
    pub markers: Option<(usize, usize)>,
    /// The most messages that ever waited in blocked channels.
    pub held: usize,
}

/// What a survey adds up, state by state.
#[derive(Default)]
struct Costs {
    states: u64,
    markers: Option<(usize, usize)>,
    held: usize,
}

impl Costs {
    fn add(&mut self, view: &View) {
        let blocked = view.channels.iter().filter(|channel| channel.blocked);
        self.states += 1;
        self.held = self.held.max(blocked.map(|channel| channel.in_flight).sum());
        if view.is_complete() {
            let marked = view.channels.iter().filter(|c| c.sent_before_marker.is_some()).count();
            let (least, most) = self.markers.unwrap_or((marked, marked));
            self.markers = Some((least.min(marked), most.max(marked)));
        }
    }
}

/// Surveys a system. None if the limits do not allow to see every state.
#[must_use]
pub fn survey<S: System>(system: &Arc<S>, limits: Limits) -> Option<Survey> {
    let request = Request { claims: Vec::new(), limits, threads: 1 };
    let found = EngineKind::Collapse.explore(system, &request, &|_| ());
    let costs = Arc::new(Mutex::new(Costs::default()));
    let shared = Arc::clone(&costs);
    let look = move |system: &S, state: &S::State| {
        let mut costs = shared.lock().expect("nobody panics while holding it");
        costs.add(&system.view(state));
        false
    };
    // Nothing is sought, so that every state is seen.
    let nothing = shortest_to(system, look, limits);
    debug_assert!(nothing.is_none(), "nothing is sought");
    let costs = costs.lock().expect("nobody panics while holding it");
    let complete = found.complete && costs.states == found.unique;
    complete.then(|| Survey {
        snapshots: found.outcomes.iter().map(|outcome| system.snapshot(outcome)).collect(),
        markers: costs.markers,
        held: costs.held,
    })
}
