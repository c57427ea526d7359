//! A state taken apart, actor by actor, and put together again.
//!
//! A global state is a tuple of few distinct parts. An engine that keeps each part once needs no more
//! than this trait: it never looks inside a part.

use std::mem::{discriminant, size_of};
use std::sync::Arc;

use stateright::Model;
use stateright::actor::{ActorModelAction, Id};

use super::actor::{ActorState, StateOf};
use super::failure::Incidents;
use super::model::{Flows, SystemAction, SystemModel, SystemState, actor_of, flows};
use super::observer::Observer;
use super::{StateAction, StateData};
use crate::models::application::{Application, Data};
use crate::models::coordinator::CoordinatorState;
use crate::models::packet::{Packet, PacketOf, messages_in};
use crate::models::process_state::{CheckpointState, ProcessState};
use crate::models::topology::ProcessId;

/// What one actor holds: its local state and what is under way to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part<L, M> {
    /// The local state. It alone determines which timers are armed.
    pub local: L,
    /// Per flow to the actor that is not empty, its sender and the packets in order; ordered by sender.
    pub inputs: Vec<(usize, Vec<M>)>,
}

impl<L, M> Part<L, M> {
    /// A part to which nothing is under way.
    pub fn idle(local: L) -> Self {
        Self { local, inputs: Vec::new() }
    }
}

/// What comes of a step of an actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction<L, M> {
    /// The local state after it.
    pub local: L,
    /// What it sends, in order, and to which parts.
    pub sends: Vec<(usize, M)>,
}

/// What the snapshot shows of a local state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recording<L> {
    /// A local state that shows the same of the snapshot, and in which all else is as at the start.
    pub local: L,
    /// Whether the actor has nothing more to record: no snapshot is complete without it.
    pub complete: bool,
    /// Whether the actor declares the snapshot complete.
    pub declared: bool,
}

/// What a process keeps waiting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Held {
    /// Per input, whether it is not read.
    pub blocked: Vec<bool>,
    /// Per input, how many messages have arrived and have not been read; empty where channels are not
    /// buffered.
    pub arrived: Vec<usize>,
    /// Whether steps of the application are withheld.
    pub withholds: bool,
}

/// The parts of a composed system.
pub type PartOf<S> = Part<<S as Composed>::Local, <S as Composed>::Packet>;

/// A reaction in a composed system.
pub type ReactionOf<S> = Reaction<<S as Composed>::Local, <S as Composed>::Packet>;

/// A model whose states are tuples of parts, one for each actor.
///
/// A step is taken by one actor: by itself, or on the packet at the head of one of its inputs, which
/// the step consumes. It may send, which adds packets to the ends of flows.
pub trait Composed: Model<State: StateData, Action: StateAction> + Send + Sync + 'static {
    /// The local state of an actor.
    type Local: Data;
    /// What is sent.
    type Packet: Data;

    /// Whether a step depends on the part of its actor alone, and changes no other but by sending.
    fn steps_are_local(&self) -> bool;

    /// The parts of a state, as many in every state.
    fn split(&self, state: &Self::State) -> Vec<PartOf<Self>>
    where
        Self: Sized;

    /// The state of these parts, the inverse of [`split`](Self::split).
    fn join(&self, parts: &[PartOf<Self>]) -> Self::State
    where
        Self: Sized;

    /// The steps that a part's actor can take by itself in a local state, if steps are local.
    fn own_steps(&self, part: usize, local: &Self::Local) -> Vec<ReactionOf<Self>>
    where
        Self: Sized;

    /// The step that it takes in a local state on a packet from another part, if steps are local; none
    /// while it does not read.
    fn receipt(
        &self,
        part: usize,
        local: &Self::Local,
        source: usize,
        packet: &Self::Packet,
    ) -> Option<ReactionOf<Self>>
    where
        Self: Sized;

    /// Which part's actor takes a step; none if it is a failure.
    fn actor(&self, action: &Self::Action) -> Option<usize>;

    /// Whether two steps are of one kind: of one actor, and on the same input or both on none.
    fn are_alike(&self, one: &Self::Action, other: &Self::Action) -> bool;

    /// What the snapshot shows of a part's local state.
    fn recording(&self, part: usize, local: &Self::Local) -> Recording<Self::Local>;

    /// What the channels between a part and another show of a local state of the part, or of its
    /// recording; the same for all of which they show the same.
    fn end(&self, part: usize, other: usize, local: &Self::Local) -> Self::Local;

    /// The pairs of parts whose recordings share a channel.
    fn joined(&self) -> Vec<(usize, usize)>;

    /// What a part keeps waiting in a local state.
    fn held(&self, part: usize, local: &Self::Local) -> Held;

    /// Whether a packet is a message of the application.
    fn is_message(&self, packet: &Self::Packet) -> bool;
}

/// The local state of a part: of an actor, or behind them all what has failed and what the observer
/// remembers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LocalState<S, O> {
    /// An actor's.
    Actor(Arc<S>),
    /// What has failed, where something can.
    Incidents(Incidents),
    /// The observer's.
    Observer(O),
}

impl<S, M, O> LocalState<ActorState<S, M>, O> {
    /// The state of a process, if it is one.
    pub(super) fn process(&self) -> Option<&ProcessState<S, M>> {
        match self {
            Self::Actor(actor) => match actor.as_ref() {
                ActorState::Process(state) => Some(state),
                ActorState::Coordinator(_) => None,
            },
            Self::Incidents(_) | Self::Observer(_) => None,
        }
    }
}

/// Whether the observer can remember anything.
fn remembers<O>() -> bool {
    size_of::<O>() > 0
}

impl<P: Application, O: Observer<P>> Composed for SystemModel<P, O> {
    type Local = LocalState<StateOf<P>, O>;
    type Packet = PacketOf<P>;

    /// An observer sees every actor, a failure changes them all, and the network takes steps of its own or
    /// sorts what it carries.
    fn steps_are_local(&self) -> bool {
        !remembers::<O>() && !self.has_incidents() && self.setup().network.is_fifo()
    }

    fn split(&self, state: &Self::State) -> Vec<PartOf<Self>> {
        let locals = state.actors.actor_states.iter().map(Arc::clone);
        let mut parts: Vec<_> = locals.map(LocalState::Actor).map(Part::idle).collect();
        for ((source, target), packets) in flows(&state.actors.network) {
            let packets = packets.iter().cloned().collect();
            parts[usize::from(target)].inputs.push((usize::from(source), packets));
        }
        if self.has_incidents() {
            parts.push(Part::idle(LocalState::Incidents(state.incidents)));
        }
        if remembers::<O>() {
            parts.push(Part::idle(LocalState::Observer(state.observer.clone())));
        }
        parts
    }

    fn join(&self, parts: &[PartOf<Self>]) -> Self::State {
        let mut actors = Vec::with_capacity(parts.len());
        let mut flows = Flows::<P>::new();
        let mut incidents = Incidents::default();
        let mut observer = None;
        for (target, part) in parts.iter().enumerate() {
            match &part.local {
                LocalState::Actor(state) => actors.push(Arc::clone(state)),
                LocalState::Incidents(happened) => incidents = *happened,
                LocalState::Observer(memory) => observer = Some(memory.clone()),
            }
            for (source, packets) in &part.inputs {
                let packets = packets.iter().cloned().collect();
                flows.insert((Id::from(*source), Id::from(target)), packets);
            }
        }
        SystemState {
            actors: self.settled(self.assemble(actors, flows)),
            incidents,
            observer: observer.unwrap_or_else(|| O::start(self.host())),
        }
    }

    fn own_steps(&self, part: usize, local: &Self::Local) -> Vec<ReactionOf<Self>> {
        let LocalState::Actor(state) = local else { return Vec::new() };
        let actor = &self.actors.actors[part];
        let step = |timer| react(state, |state| actor.fire(state, &timer));
        actor.timers(state).into_iter().map(step).collect()
    }

    fn receipt(
        &self,
        part: usize,
        local: &Self::Local,
        source: usize,
        packet: &Self::Packet,
    ) -> Option<ReactionOf<Self>> {
        let LocalState::Actor(state) = local else { return None };
        let channel = self.channel(Id::from(source), Id::from(part));
        let is_refused = |channel| self.is_refused(state.process(), channel, || Some(packet));
        if channel.is_some_and(is_refused) {
            return None;
        }
        let actor = &self.actors.actors[part];
        Some(react(state, |state| actor.receive(state, Id::from(source), packet.clone())))
    }

    fn actor(&self, action: &SystemAction<P>) -> Option<usize> {
        action.step().map(|step| usize::from(actor_of::<P>(step)))
    }

    fn are_alike(&self, one: &SystemAction<P>, other: &SystemAction<P>) -> bool {
        let (Some(one), Some(other)) = (one.step(), other.step()) else { return one == other };
        match (one, other) {
            (
                ActorModelAction::Deliver { src, dst, msg },
                ActorModelAction::Deliver { src: from, dst: to, msg: packet },
            ) => (src, dst) == (from, to) && discriminant(msg) == discriminant(packet),
            (ActorModelAction::Timeout(one, timer), ActorModelAction::Timeout(other, armed)) => {
                one == other && discriminant(timer) == discriminant(armed)
            }
            _ => false,
        }
    }

    fn recording(&self, part: usize, local: &Self::Local) -> Recording<Self::Local> {
        let nothing = |local| Recording { local, complete: true, declared: false };
        let actor = match local {
            LocalState::Actor(state) => state,
            LocalState::Incidents(_) => {
                return nothing(LocalState::Incidents(Incidents::default()));
            }
            LocalState::Observer(_) => {
                return nothing(LocalState::Observer(O::start(self.host())));
            }
        };
        let (shown, complete, declared) = match actor.as_ref() {
            ActorState::Process(state) => {
                let complete = state.checkpoints.iter().all(CheckpointState::is_complete);
                let shown = shown(state, self.host().start(ProcessId::new(part)));
                (ActorState::Process(shown), complete, false)
            }
            ActorState::Coordinator(state) => {
                let mut shown = CoordinatorState::start(self.setup().checkpoints);
                for (shown, known) in shown.checkpoints.iter_mut().zip(&state.checkpoints) {
                    shown.declared = known.declared;
                }
                let declared = shown.checkpoints.iter().any(|known| known.declared);
                (ActorState::Coordinator(shown), true, declared)
            }
        };
        Recording { local: LocalState::Actor(Arc::new(shown)), complete, declared }
    }

    fn end(&self, part: usize, other: usize, local: &Self::Local) -> Self::Local {
        let Some(state) = local.process() else { return local.clone() };
        let topology = &self.setup().topology;
        let [process, other] = [part, other].map(ProcessId::new);
        let mut end = self.host().start(process);
        if let Some(output) = topology.channel_between(process, other) {
            let position = topology.output_position(output);
            end.sent[position] = state.sent[position];
        }
        if let Some(input) = topology.channel_between(other, process) {
            let position = topology.input_position(input);
            end.received[position] = state.received[position];
        }
        for (end, own) in end.checkpoints.iter_mut().zip(&state.checkpoints) {
            if let Some(output) = topology.channel_between(process, other) {
                let position = topology.output_position(output);
                end.outputs[position].clone_from(&own.outputs[position]);
            }
            if let Some(input) = topology.channel_between(other, process) {
                let position = topology.input_position(input);
                end.inputs[position].clone_from(&own.inputs[position]);
            }
        }
        LocalState::Actor(Arc::new(ActorState::Process(end)))
    }

    fn joined(&self) -> Vec<(usize, usize)> {
        let topology = &self.setup().topology;
        let ends = topology.channels().map(|c| topology.channel(c));
        ends.map(|ends| (ends.source.index(), ends.target.index())).collect()
    }

    fn held(&self, part: usize, local: &Self::Local) -> Held {
        let Some(state) = local.process() else { return Held::default() };
        let process = ProcessId::new(part);
        let inputs = 0..self.setup().topology.inputs(process).len();
        Held {
            blocked: inputs.map(|input| state.is_blocked(input)).collect(),
            arrived: state.queues.inputs.iter().map(|queue| messages_in(queue)).collect(),
            withholds: self.withholds(process, state),
        }
    }

    fn is_message(&self, packet: &Self::Packet) -> bool {
        matches!(packet, Packet::Message(_))
    }
}

/// What comes of a step that changes the state of an actor and sends.
fn react<S: Clone, M, O>(
    state: &ActorState<S, M>,
    step: impl FnOnce(&mut ActorState<S, M>) -> Vec<(Id, Packet<M>)>,
) -> Reaction<LocalState<ActorState<S, M>, O>, Packet<M>>
where
    M: Clone,
{
    let mut state = state.clone();
    let sends = step(&mut state).into_iter();
    let sends = sends.map(|(target, packet)| (usize::from(target), packet)).collect();
    Reaction { local: LocalState::Actor(Arc::new(state)), sends }
}

/// `start` with what the snapshot shows of `state`.
fn shown<S: Clone, M: Clone>(
    state: &ProcessState<S, M>,
    start: ProcessState<S, M>,
) -> ProcessState<S, M> {
    let mut shown = start;
    for (shown, own) in shown.checkpoints.iter_mut().zip(&state.checkpoints) {
        shown.recorded.clone_from(&own.recorded);
        shown.outputs.clone_from(&own.outputs);
        shown.inputs.clone_from(&own.inputs);
        shown.inputs.iter_mut().for_each(|input| input.blocked = false);
    }
    shown
}
