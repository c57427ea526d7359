//! Symmetry: of the states that differ only in the names of interchangeable processes one is searched.
//! Trusted where `--symmetry` is given.
//!
//! A renaming under which topology, initiators, coordinator and application stay as they are takes every
//! step of the system to a step of the system: the rules of the algorithms know a process only by its
//! channels, and no rule depends on the order in which these are listed; where rules know back-edges, a
//! renaming must take these to back-edges. So every image of a reachable
//! state is reachable, and what is reachable from an image is the image of what is reachable. The claims
//! speak of all processes and channels alike: they judge a state and its images alike. C. N. Ip, D. L.
//! Dill, "Better Verification Through Symmetry", Formal Methods in System Design 9, 1996.
//!
//! A script that serves the outputs of a process in turn tells them apart: on a complete graph there is
//! no symmetry but on two processes.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::models::application::Application;
use crate::models::recording::Outcome;
use crate::models::renaming::{Renamed, Renaming};
use crate::models::topology::{ProcessId, Topology};
use crate::system::Composed;
use crate::system::actor::{ActorState, StateOf};
use crate::system::model::{SystemModel, SystemState};
use crate::system::parts::{LocalState, Part, PartOf};

/// The most renamings that are used: with any set of them the search is sound, with more it visits
/// fewer states and takes longer for each.
const MOST: usize = 720;

impl<P: Application> SystemModel<P> {
    /// The renamings under which the system does the same, but for the identity; some of them if
    /// there are very many.
    #[must_use]
    pub fn symmetries(&self) -> Vec<Renaming> {
        let mut renamings = self.setup().renamings(MOST);
        let (host, application) = (self.host(), self.host().application());
        renamings.retain(|renaming| {
            !renaming.is_identity()
                && application.is_symmetric(renaming)
                && host.rules_are_symmetric(renaming)
        });
        renamings
    }

    /// The state with the processes renamed.
    #[must_use]
    pub fn image(&self, state: &SystemState<P>, renaming: &Renaming) -> SystemState<P> {
        self.join(&image(self, renaming, &self.split(state)))
    }
}

/// The least of a state and its images.
pub(super) fn representative<P: Application>(
    system: &SystemModel<P>,
    renamings: &[Renaming],
    state: SystemState<P>,
) -> SystemState<P> {
    if renamings.is_empty() {
        return state;
    }
    let parts = system.split(&state);
    let images = renamings.iter().map(|renaming| image(system, renaming, &parts));
    match images.min() {
        Some(least) if least < parts => system.join(&least),
        _ => state,
    }
}

/// Outcomes with their images, and the images of these.
pub(super) fn images<S: Renamed + Ord, M: Renamed + Ord>(
    topology: &Topology,
    renamings: &[Renaming],
    found: BTreeSet<Outcome<S, M>>,
) -> BTreeSet<Outcome<S, M>> {
    let mut all = BTreeSet::new();
    let mut next: Vec<_> = found.into_iter().collect();
    while let Some(outcome) = next.pop() {
        if !all.contains(&outcome) {
            next.extend(renamings.iter().map(|renaming| outcome.renamed(topology, renaming)));
            all.insert(outcome);
        }
    }
    all
}

/// The parts of a state after renaming, given those before.
fn image<P: Application>(
    system: &SystemModel<P>,
    renaming: &Renaming,
    parts: &[PartOf<SystemModel<P>>],
) -> Vec<PartOf<SystemModel<P>>> {
    let topology = &system.setup().topology;
    let count = topology.process_count();
    // The coordinator stands behind the processes.
    let place =
        |actor| if actor < count { renaming.process(ProcessId::new(actor)).index() } else { actor };
    let mut image = parts.to_vec();
    for (actor, part) in parts.iter().enumerate() {
        let inputs = part.inputs.iter().map(|(source, packets)| {
            let mut packets = packets.renamed(renaming);
            let of_channel = actor < count && *source < count;
            if of_channel && !system.setup().network.keeps_order() {
                packets.sort();
            }
            (place(*source), packets)
        });
        let mut inputs: Vec<_> = inputs.collect();
        inputs.sort_unstable_by_key(|(source, _)| *source);
        let local = renamed::<P>(topology, renaming, actor, &part.local);
        image[place(actor)] = Part { local, inputs };
    }
    image
}

fn renamed<P: Application>(
    topology: &Topology,
    renaming: &Renaming,
    actor: usize,
    local: &LocalState<StateOf<P>, ()>,
) -> LocalState<StateOf<P>, ()> {
    let LocalState::Actor(state) = local else { return local.clone() };
    LocalState::Actor(Arc::new(match state.as_ref() {
        ActorState::Process(state) => {
            ActorState::Process(state.renamed(topology, ProcessId::new(actor), renaming))
        }
        ActorState::Coordinator(state) => ActorState::Coordinator(state.renamed(renaming)),
    }))
}
