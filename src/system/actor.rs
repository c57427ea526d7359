//! An algorithm over an application as a stateright actor; and the coordinator as another.
//!
//! Actor i is process i of the topology. Where there is a coordinator, it is the actor after the last
//! process: the whole of a central one, or the desk at which "done" arrives if a process coordinates.
//! So instructions and "done" have flows of their own unless the design says otherwise.

use std::borrow::Cow;

use stateright::actor::{Actor, Id, Out, model_timeout};

use crate::models::application::Application;
use crate::models::bookkeeper::{Destination, OutboxOf};
use crate::models::coordinator::CoordinatorState;
use crate::models::host::ProcessHost;
use crate::models::packet::PacketOf;
use crate::models::process_state::{ProcessState, ProcessStateOf};
use crate::models::setup::Coordinator;
use crate::models::topology::{ChannelId, ProcessId};

/// A step that an actor can take by itself, armed exactly while it is enabled.
///
/// The actor's state determines which timers are armed: stateright hashes sets of timers without
/// their lengths, so that timers alone would not tell states apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer<T> {
    /// The process begins a checkpoint, counted from 1.
    Begin(u16),
    /// The coordinator tells processes to begin.
    Instruct,
    /// The application takes a step.
    Application(T),
    /// The first of an output queue is put on the wire.
    Transmit(ChannelId),
    /// The first of an input queue is read.
    Read(ChannelId),
    /// The algorithm takes a step of its own for a checkpoint.
    Turn(u16),
    /// The process finishes.
    Finish,
    /// The coordinator ends a checkpoint before it is complete.
    Abort(u16),
}

/// The local state of an actor.
#[expect(clippy::large_enum_variant, reason = "most are processes, and states are shared")]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActorState<S, M> {
    /// A process.
    Process(ProcessState<S, M>),
    /// The coordinator.
    Coordinator(CoordinatorState),
}

impl<S, M> ActorState<S, M> {
    /// The process state of a process's actor.
    ///
    /// # Panics
    /// If this is the coordinator's state.
    #[must_use]
    pub fn process(&self) -> &ProcessState<S, M> {
        match self {
            Self::Process(state) => state,
            Self::Coordinator(_) => unreachable!("actors below the last are processes"),
        }
    }
}

/// The actor at one place of the system.
pub struct SystemActor<P> {
    host: ProcessHost<P>,
    role: Role,
}

#[derive(Clone, Copy)]
enum Role {
    Process(ProcessId),
    Coordinator,
}

/// The local state of an actor of an algorithm over an application.
pub(super) type StateOf<P> = ActorState<<P as Application>::State, <P as Application>::Message>;

/// What an actor sends in one step, and to whom.
pub(super) type SendsOf<P> = Vec<(Id, PacketOf<P>)>;

impl<P: Application> SystemActor<P> {
    /// The actors of a setup: one per process, then the coordinator if there is one.
    pub(super) fn all(host: &ProcessHost<P>) -> Vec<Self> {
        let actor = |role| Self { host: host.clone(), role };
        let processes = host.setup().topology.processes().map(Role::Process);
        let desk = (host.setup().coordinator != Coordinator::None).then_some(Role::Coordinator);
        processes.chain(desk).map(actor).collect()
    }

    fn coordinator_id(&self) -> Id {
        Id::from(self.host.setup().topology.process_count())
    }

    /// The timers that should be armed in `state`.
    pub(super) fn timers(&self, state: &StateOf<P>) -> Vec<Timer<P::Action>> {
        let mut timers = Vec::new();
        match (state, self.role) {
            (ActorState::Process(state), Role::Process(process)) => {
                let host = &self.host;
                let begins = (1..).zip(&state.checkpoints).filter(|(_, own)| own.may_begin);
                let begins = begins.filter(|_| host.can_begin(process, state));
                timers.extend(begins.map(|(checkpoint, _)| Timer::Begin(checkpoint)));
                timers.extend(state.may_instruct.then_some(Timer::Instruct));
                if !state.is_paused() && !state.finished {
                    timers.extend(host.possible(process, state).map(Timer::Application));
                }
                timers.extend(host.transmittable(process, state).map(Timer::Transmit));
                timers.extend(host.readable(process, state).map(Timer::Read));
                let turns = host.checkpoints().filter(|&k| host.may_turn(process, state, k));
                timers.extend(turns.map(Timer::Turn));
                timers.extend(host.may_finish(process, state).then_some(Timer::Finish));
            }
            (ActorState::Coordinator(state), _) => {
                timers.extend(self.host.may_instruct(state).then_some(Timer::Instruct));
                let may_abort = state.aborted < self.host.setup().checkpoints.aborts;
                timers.extend(state.pending().filter(|_| may_abort).map(Timer::Abort));
            }
            (ActorState::Process(_), Role::Coordinator) => {
                unreachable!("the coordinator's actor starts with the coordinator's state")
            }
        }
        timers
    }

    /// Arms and disarms timers after a step; `fired` is the timer that stateright disarmed for it.
    fn rearm(
        &self,
        before: &StateOf<P>,
        after: &StateOf<P>,
        fired: Option<&Timer<P::Action>>,
        out: &mut Out<Self>,
    ) {
        let mut armed = self.timers(before);
        armed.retain(|timer| Some(timer) != fired);
        let wanted = self.timers(after);
        for timer in armed.iter().filter(|timer| !wanted.contains(timer)) {
            out.cancel_timer(timer.clone());
        }
        for timer in wanted.into_iter().filter(|timer| !armed.contains(timer)) {
            out.set_timer(timer, model_timeout());
        }
    }

    /// The actors to which the packets of an outbox go.
    fn addressed(&self, outbox: OutboxOf<P>) -> SendsOf<P> {
        let actor = |destination| match destination {
            Destination::Channel(channel) => {
                Id::from(self.host.setup().topology.channel(channel).target.index())
            }
            Destination::Process(process) => Id::from(process.index()),
            Destination::Coordinator => self.coordinator_id(),
        };
        outbox.into_iter().map(|(destination, packet)| (actor(destination), packet)).collect()
    }

    /// Receives a packet; gives what is sent.
    pub(super) fn receive(
        &self,
        state: &mut StateOf<P>,
        source: Id,
        packet: PacketOf<P>,
    ) -> SendsOf<P> {
        let outbox = match (state, self.role) {
            (ActorState::Process(state), Role::Process(process)) => {
                let mut outbox = Vec::new();
                self.deliver(process, state, source, packet, &mut outbox);
                outbox
            }
            (ActorState::Coordinator(state), _) => {
                self.host.report(ProcessId::new(usize::from(source)), state, packet)
            }
            (ActorState::Process(_), Role::Coordinator) => {
                unreachable!("the coordinator's actor starts with the coordinator's state")
            }
        };
        self.addressed(outbox)
    }

    /// Takes the step of a timer that is armed; gives what is sent.
    pub(super) fn fire(&self, state: &mut StateOf<P>, timer: &Timer<P::Action>) -> SendsOf<P> {
        let mut outbox = Vec::new();
        match (state, self.role) {
            (ActorState::Process(state), Role::Process(process)) => match timer {
                Timer::Begin(checkpoint) => {
                    self.host.begin(process, state, *checkpoint, &mut outbox);
                }
                Timer::Instruct => self.host.instruct(process, state, &mut outbox),
                Timer::Application(action) => self.host.act(process, state, action, &mut outbox),
                Timer::Transmit(channel) => self.host.transmit(state, *channel, &mut outbox),
                Timer::Read(channel) => self.host.read(process, state, *channel, &mut outbox),
                Timer::Turn(checkpoint) => {
                    self.host.turn(process, state, *checkpoint, &mut outbox);
                }
                Timer::Finish => self.host.finish(process, state, &mut outbox),
                Timer::Abort(_) => unreachable!("only the coordinator aborts"),
            },
            (ActorState::Coordinator(state), _) => match timer {
                Timer::Abort(checkpoint) => outbox = self.host.abort(state, *checkpoint),
                _ => outbox = self.host.instruct_all(state),
            },
            (ActorState::Process(_), Role::Coordinator) => {
                unreachable!("the coordinator's actor starts with the coordinator's state")
            }
        }
        self.addressed(outbox)
    }

    fn deliver(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        source: Id,
        packet: PacketOf<P>,
        outbox: &mut OutboxOf<P>,
    ) {
        let topology = &self.host.setup().topology;
        let channel = (source != self.coordinator_id())
            .then(|| topology.channel_between(ProcessId::new(usize::from(source)), process))
            .flatten();
        match channel {
            Some(channel) => self.host.deliver(process, state, channel, packet, outbox),
            // A flow that is no channel carries nothing but the coordinator's words.
            None => self.host.hear(process, state, packet, outbox),
        }
    }
}

impl<P: Application> Actor for SystemActor<P> {
    type Msg = PacketOf<P>;
    type Timer = Timer<P::Action>;
    type State = StateOf<P>;
    type Random = ();
    type Storage = ();

    fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> Self::State {
        let state = match self.role {
            Role::Process(process) => ActorState::Process(self.host.start(process)),
            Role::Coordinator => {
                ActorState::Coordinator(CoordinatorState::start(self.host.setup().checkpoints))
            }
        };
        for timer in self.timers(&state) {
            out.set_timer(timer, model_timeout());
        }
        state
    }

    fn on_msg(
        &self,
        _: Id,
        state: &mut Cow<'_, Self::State>,
        source: Id,
        packet: Self::Msg,
        out: &mut Out<Self>,
    ) {
        let before = state.clone();
        let sends = self.receive(state.to_mut(), source, packet);
        sends.into_iter().for_each(|(target, packet)| out.send(target, packet));
        self.rearm(&before, state, None, out);
    }

    fn on_timeout(
        &self,
        _: Id,
        state: &mut Cow<'_, Self::State>,
        timer: &Self::Timer,
        out: &mut Out<Self>,
    ) {
        let before = state.clone();
        let sends = self.fire(state.to_mut(), timer);
        sends.into_iter().for_each(|(target, packet)| out.send(target, packet));
        self.rearm(&before, state, Some(timer), out);
    }
}
