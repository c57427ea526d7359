//! What can go wrong: the job fails over as a whole, a notice is lost, the network loses or doubles what is
//! in a channel. Trusted where an instance names failures or such a network.
//!
//! A failover is one step. Every process returns to the newest checkpoint that the coordinator has
//! declared complete, or to the start; what is in flight is gone; the channels hold again what that
//! checkpoint recorded of them, to be received before anything new; checkpoints under way are abandoned.
//! The coordinator and what sinks have written survive. So the state after it is one from which a run
//! could have started: that recovery is right is what exactly-once claims of all runs from there.

use std::sync::Arc;

use stateright::actor::{ActorModelAction, Id, Network};

use super::actor::{ActorState, StateOf};
use super::model::{
    ActorAction, ActorStates, Flows, SystemAction, SystemModel, SystemState, flows, flows_mut,
    process_of,
};
use super::network::double_next;
use super::observer::Observer;
use crate::models::application::Application;
use crate::models::coordinator::CoordinatorState;
use crate::models::packet::Packet;
use crate::models::process_state::channel_recording;
use crate::models::topology::{Channel, ChannelId, ProcessId, Topology};

/// A step of the system; `A` is one of an actor.
#[derive(Clone, Debug, PartialEq)]
pub enum Action<A> {
    /// An actor takes a step.
    Step(A),
    /// The job fails over.
    FailOver,
    /// The coordinator's next notice to a process is lost.
    LoseNotice(ProcessId),
    /// The head of a channel is lost: what this step would deliver.
    Lose(A),
    /// The head of a channel will arrive twice: what this step would deliver.
    Duplicate(A),
}

impl<A> Action<A> {
    /// The actor's step, if it is one.
    pub fn step(&self) -> Option<&A> {
        match self {
            Self::Step(step) => Some(step),
            Self::FailOver | Self::LoseNotice(_) | Self::Lose(_) | Self::Duplicate(_) => None,
        }
    }
}

/// What has failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Incidents {
    /// How often the job has failed over.
    pub failovers: u16,
    /// The checkpoint to which it went back last; 0 if none.
    pub restored: u16,
    /// How many notices were lost.
    pub lost_notices: u16,
    /// How often the network has lost something, or doubled it.
    pub faults: u16,
}

impl<P: Application, O: Observer<P>> SystemModel<P, O> {
    /// Adds the failures that are possible in a state.
    pub(super) fn possible_failures(
        &self,
        state: &SystemState<P, O>,
        actions: &mut Vec<SystemAction<P>>,
    ) {
        let possible = self.setup().failures;
        if state.incidents.failovers < possible.failovers {
            actions.push(Action::FailOver);
        }
        if state.incidents.lost_notices < possible.lost_notices {
            let desk = self.desk();
            let notices = flows(&state.actors.network).filter(|((source, _), packets)| {
                *source == desk && matches!(packets.front(), Some(Packet::Notice(_)))
            });
            let told = notices.map(|((_, told), _)| ProcessId::new(usize::from(told)));
            actions.extend(told.map(Action::LoseNotice));
        }
        self.possible_faults(state, actions);
    }

    /// The state after something has failed.
    pub(super) fn after_failure(
        &self,
        state: &SystemState<P, O>,
        failure: SystemAction<P>,
    ) -> SystemState<P, O> {
        let mut next = state.clone();
        match failure {
            Action::FailOver => {
                let known = state.coordinator();
                let mut known =
                    known.expect("failovers need a coordinator: the draft says so").clone();
                known.on_failover(self.host().conduct().presumes_done);
                next.incidents.failovers += 1;
                next.incidents.restored = known.newest_complete();
                next.actors = self.recovered(&state.actors, known);
            }
            Action::LoseNotice(process) => {
                lose_next(&mut next.actors.network, (self.desk(), Id::from(process.index())));
                next.incidents.lost_notices += 1;
            }
            Action::Lose(step) => {
                lose_next(&mut next.actors.network, flow_of::<P>(&step));
                next.incidents.faults += 1;
            }
            Action::Duplicate(step) => {
                double_next(&mut next.actors.network, flow_of::<P>(&step));
                next.incidents.faults += 1;
            }
            Action::Step(_) => unreachable!("an actor's step is no failure"),
        }
        next
    }

    /// Whether anything can happen that is no step of an actor.
    pub(super) fn has_incidents(&self) -> bool {
        self.setup().failures.are_possible() || self.setup().network.acts()
    }

    /// The actor of a coordinator.
    fn desk(&self) -> Id {
        Id::from(self.setup().topology.process_count())
    }

    /// Everything as it was at a checkpoint, except what survives.
    fn recovered(&self, before: &ActorStates<P>, coordinator: CoordinatorState) -> ActorStates<P> {
        let processes = self.setup().topology.processes().map(|process| {
            let mut state = process_of(before, process).clone();
            self.host().recover(process, &mut state, &coordinator);
            ActorState::Process(state)
        });
        let mut actors: Vec<_> = processes.map(Arc::new).collect();
        let flows = self.replayed(&actors, coordinator.newest_complete());
        let has_finished = |p: &ProcessId| actors[p.index()].process().finished;
        let coordinator = CoordinatorState {
            finished: self.setup().topology.processes().filter(has_finished).collect(),
            ..coordinator
        };
        actors.push(Arc::new(ActorState::Coordinator(coordinator)));
        self.settled(self.assemble(actors, flows))
    }

    /// The channels with what a checkpoint holds of each.
    fn replayed(&self, actors: &[Arc<StateOf<P>>], checkpoint: u16) -> Flows<P> {
        let topology = &self.setup().topology;
        if checkpoint == 0 {
            return Flows::<P>::new();
        }
        let state = |process: ProcessId| actors[process.index()].process();
        let own = |process: ProcessId| state(process).checkpoint(checkpoint);
        let mut flows = Flows::<P>::new();
        for channel in topology.channels() {
            let recording = channel_recording(topology, channel, own).cloned().map(Packet::Message);
            let recording: Vec<_> = recording.collect();
            // Equal states have equal maps: none holds an empty flow.
            for into in
                self.host().restored_to(channel).into_iter().filter(|_| !recording.is_empty())
            {
                flows.entry(ends(topology, into)).or_default().extend(recording.iter().cloned());
            }
        }
        for channel in topology.channels() {
            let Channel { source, target } = topology.channel(channel);
            // Who has finished says so again where it was not heard.
            let heard = state(target).ended.get(topology.input_position(channel)) == Some(&true);
            if state(source).finished && !heard {
                flows.entry(ends(topology, channel)).or_default().push_back(Packet::End);
            }
        }
        flows
    }
}

/// The flow of a channel.
fn ends(topology: &Topology, channel: ChannelId) -> (Id, Id) {
    let Channel { source, target } = topology.channel(channel);
    (Id::from(source.index()), Id::from(target.index()))
}

/// The flow from which a step takes.
fn flow_of<P: Application>(step: &ActorAction<P>) -> (Id, Id) {
    match step {
        ActorModelAction::Deliver { src, dst, .. } => (*src, *dst),
        _ => unreachable!("only what is in a channel is lost or doubled"),
    }
}

/// Takes away the head of a flow.
fn lose_next<M: Eq + std::hash::Hash>(network: &mut Network<M>, flow: (Id, Id)) {
    let flows = flows_mut(network);
    let packets = flows.get_mut(&flow).expect("only what is in flight is lost");
    packets.pop_front();
    if packets.is_empty() {
        flows.remove(&flow);
    }
}
