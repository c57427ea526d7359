//! Fewer interleavings: partial-order reduction by persistent sets. Trusted where `--reduce` is given.
//!
//! In each state only the steps of one actor are taken, where that is possible. P. Godefroid,
//! "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, 1996, chapter 4: a
//! set T of steps enabled in a state is *persistent* if whatever the system does without T is
//! independent of T; a search that takes a non-empty persistent set in every state reaches every
//! terminal state (theorem 4.3).
//!
//! **All enabled steps of an actor p are persistent if nothing more can arrive on an empty input of p,
//! unless it is blocked, before p moves.** Steps of different actors are independent: a step changes
//! its actor's state, takes the head of a flow into it, and appends to flows out of it; so one actor
//! appends to a flow while another takes its head, and both orders end alike. What others do can
//! therefore matter to p only by enabling a further step of p. Timers and blocks of p depend on p's
//! state alone, and a flow that holds something keeps its head until p takes it. There remains an
//! arrival on an input that is empty and read.
//!
//! **What can arrive before p moves** is a fixpoint: those who move without p are the actors with an
//! enabled step and, in turn, whomever these may send to. That an actor will never again send on a
//! flow is known from its state: [`Application::may_send`] is false and it has sent its control
//! messages (it has recorded, where the algorithm takes one round); it has given its instruction; it
//! has said "done". None of these is ever undone.
//!
//! **Terminal states tell all** of outcomes and of lasting claims (`claims::is_lasting`) if every run
//! ends. It does if the application always ends and the algorithm takes one round
//! ([`SnapshotAlgorithm::ONE_ROUND`]): then each process begins once and sends control messages once.
//! `check` refuses what is not so. An algorithm that breaks its word is caught by the reduced search
//! itself: a run to the breach remains one when a persistent step is moved to its front.
//!
//! [`SnapshotAlgorithm::ONE_ROUND`]: crate::models::process::SnapshotAlgorithm::ONE_ROUND

use std::collections::BTreeSet;

use stateright::actor::Id;

use crate::models::application::Application;
use crate::models::process_state::CheckpointState;
use crate::models::setup::{Coordinator, Setup};
use crate::models::topology::{Channel, ChannelId, ProcessId};
use crate::system::Composed;
use crate::system::actor::ActorState;
use crate::system::model::{SystemAction, SystemModel, SystemState, flows};

/// Every route of a setup.
pub(super) struct Routes(Vec<Route>);

/// A reason for which one actor may send to another.
struct Route {
    source: usize,
    target: usize,
    load: Load,
}

/// What travels on a route.
enum Load {
    /// What application and algorithm send on a channel.
    Channel(ChannelId),
    /// The coordinator's instruction to begin, on a flow of its own or on a channel.
    Instruction,
    /// "Done".
    Done,
}

fn routes(setup: &Setup) -> Vec<Route> {
    let topology = &setup.topology;
    let desk = topology.process_count();
    let channels = topology.channels().map(|channel| {
        let Channel { source, target } = topology.channel(channel);
        let load = Load::Channel(channel);
        Route { source: source.index(), target: target.index(), load }
    });
    let coordinator = match setup.coordinator {
        Coordinator::None => return channels.collect(),
        Coordinator::Central => desk,
        Coordinator::Process(process) => process.index(),
    };
    let told = setup.initiators.iter().map(|told| told.index());
    let instructions =
        told.map(|target| Route { source: coordinator, target, load: Load::Instruction });
    let done = (0..desk).map(|source| Route { source, target: desk, load: Load::Done });
    channels.chain(instructions).chain(done).collect()
}

impl Routes {
    pub(super) fn of(setup: &Setup) -> Self {
        Self(routes(setup))
    }

    /// An actor whose enabled steps are persistent: one with the fewest, the first of those.
    pub(super) fn choose<P: Application>(
        &self,
        system: &SystemModel<P>,
        state: &SystemState<P>,
        enabled: &[SystemAction<P>],
    ) -> Option<usize> {
        let mut steps = vec![0_usize; state.actors.actor_states.len()];
        for actor in enabled.iter().filter_map(|action| system.actor(action)) {
            steps[actor] += 1;
        }
        let open = self.open_routes(system, state);
        let moving = (0..steps.len()).filter(|&actor| steps[actor] > 0);
        moving.filter(|&actor| nothing_arrives(actor, &steps, &open)).min_by_key(|&p| steps[p])
    }

    /// The routes on which something may yet be sent that enables a step of its target.
    fn open_routes<P: Application>(
        &self,
        system: &SystemModel<P>,
        state: &SystemState<P>,
    ) -> Vec<&Route> {
        let filled: BTreeSet<_> = flows(&state.actors.network).map(|(ends, _)| ends).collect();
        let is_open = |route: &&Route| {
            let (source, target) = (Id::from(route.source), Id::from(route.target));
            !filled.contains(&(source, target))
                && !system.is_blocked(state, source, target)
                && may_send(system, state, route)
        };
        self.0.iter().filter(is_open).collect()
    }
}

/// Whether the source of a route may send on it in this or any later step.
fn may_send<P: Application>(
    system: &SystemModel<P>,
    state: &SystemState<P>,
    route: &Route,
) -> bool {
    let source = ProcessId::new(route.source);
    let host = system.host();
    match route.load {
        Load::Channel(channel) => {
            let process = state.process(source);
            let recorded = process.checkpoints.iter().all(CheckpointState::has_recorded);
            let sends_no_control = host.conduct().one_round && recorded;
            !sends_no_control || host.application().may_send(source, &process.application, channel)
        }
        Load::Instruction => match state.actors.actor_states[route.source].as_ref() {
            ActorState::Process(process) => process.may_instruct,
            ActorState::Coordinator(known) => host.may_instruct(known),
        },
        Load::Done => state.process(source).checkpoints.iter().any(|own| !own.told_done),
    }
}

/// Whether nothing can arrive on an open route to `actor` before it moves.
fn nothing_arrives(actor: usize, steps: &[usize], open: &[&Route]) -> bool {
    let mut moving: Vec<_> = steps.iter().map(|&count| count > 0).collect();
    moving[actor] = false;
    loop {
        let next = open.iter().find(|route| moving[route.source] && !moving[route.target]);
        match next {
            Some(route) if route.target == actor => return false,
            Some(route) => moving[route.target] = true,
            None => return true,
        }
    }
}
