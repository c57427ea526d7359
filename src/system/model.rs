//! The model that checkers and Explorer run: stateright's actor model without the deliveries from
//! blocked channels, and with steps told in words.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use stateright::Model;
use stateright::actor::{
    ActorModel, ActorModelAction, ActorModelState, Id, Network, RandomChoices, Timers,
};

use super::actor::{ActorState, StateOf, SystemActor, Timer};
use super::failure::{Action, Incidents};
use super::observer::Observer;
use super::telling;
use crate::models::application::Application;
use crate::models::coordinator::CoordinatorState;
use crate::models::host::ProcessHost;
use crate::models::packet::PacketOf;
use crate::models::process::{Rules, RulesOf, SnapshotAlgorithm};
use crate::models::process_state::ProcessStateOf;
use crate::models::setup::Setup;
use crate::models::topology::{ChannelId, ProcessId};

/// The states of all actors, the network and the timers.
pub type ActorStates<P> = ActorModelState<SystemActor<P>>;

/// A timer of an actor.
type TimerOf<P> = Timer<<P as Application>::Action>;

/// A step of an actor.
pub type ActorAction<P> = ActorModelAction<PacketOf<P>, TimerOf<P>, ()>;

/// A step of the system.
pub type SystemAction<P> = Action<ActorAction<P>>;

/// A run as stateright gives it: states, each with the action that leaves it.
pub(super) type Run<P, O> = [(SystemState<P, O>, Option<SystemAction<P>>)];

/// A state of the system, and what an observer remembers.
pub struct SystemState<P: Application, O = ()> {
    /// The system.
    pub actors: ActorStates<P>,
    /// What has failed.
    pub incidents: Incidents,
    /// The observer's history.
    pub observer: O,
}

impl<P: Application, O: Clone> Clone for SystemState<P, O> {
    fn clone(&self) -> Self {
        Self {
            actors: self.actors.clone(),
            incidents: self.incidents,
            observer: self.observer.clone(),
        }
    }
}

impl<P: Application, O: PartialEq> PartialEq for SystemState<P, O> {
    fn eq(&self, other: &Self) -> bool {
        self.actors == other.actors
            && self.incidents == other.incidents
            && self.observer == other.observer
    }
}

impl<P: Application, O: Hash> Hash for SystemState<P, O> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.actors.hash(hasher);
        self.incidents.hash(hasher);
        self.observer.hash(hasher);
    }
}

impl<P: Application, O: fmt::Debug> fmt::Debug for SystemState<P, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SystemState")
            .field("actors", &self.actors)
            .field("incidents", &self.incidents)
            .field("observer", &self.observer)
            .finish()
    }
}

impl<P: Application, O> SystemState<P, O> {
    /// The state of a process.
    #[must_use]
    pub fn process(&self, process: ProcessId) -> &ProcessStateOf<P> {
        process_of(&self.actors, process)
    }

    /// What the coordinator knows, if there is one.
    #[must_use]
    pub fn coordinator(&self) -> Option<&CoordinatorState> {
        match self.actors.actor_states.last().map(Arc::as_ref) {
            Some(ActorState::Coordinator(state)) => Some(state),
            _ => None,
        }
    }
}

/// The actor that takes a step.
pub(super) fn actor_of<P: Application>(step: &ActorAction<P>) -> Id {
    match step {
        ActorModelAction::Deliver { dst, .. } => *dst,
        ActorModelAction::Timeout(id, _) => *id,
        _ => unreachable!("actors neither drop, crash nor choose at random"),
    }
}

/// The state of a process among those of the actors.
pub(super) fn process_of<P: Application>(
    states: &ActorStates<P>,
    process: ProcessId,
) -> &ProcessStateOf<P> {
    states.actor_states[process.index()].process()
}

/// An algorithm over an application on a setup, watched by `O`.
pub struct SystemModel<P: Application, O = ()> {
    pub(super) actors: ActorModel<SystemActor<P>>,
    host: ProcessHost<P>,
    observer: std::marker::PhantomData<fn() -> O>,
}

impl<P: Application, O: Observer<P>> SystemModel<P, O> {
    /// Algorithm `A` over an application on a setup, watched by `O`; by nobody if that is `()`.
    #[must_use]
    pub fn of<A: SnapshotAlgorithm>(setup: Arc<Setup>, application: Arc<P>) -> Self {
        Self::new(setup, application, Arc::new(RulesOf::<A>::default()))
    }

    /// The algorithm with these rules over an application on a setup, watched by `O`.
    #[must_use]
    pub fn new(setup: Arc<Setup>, application: Arc<P>, rules: Arc<dyn Rules>) -> Self {
        let host = ProcessHost::new(setup, application, rules);
        let actors = ActorModel::new((), ())
            .actors(SystemActor::all(&host))
            .init_network(Network::new_ordered([]));
        Self { actors, host, observer: std::marker::PhantomData }
    }

    /// Topology, initiators, coordinator.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        self.host.setup()
    }

    /// The application and the rules of its host.
    #[must_use]
    pub fn host(&self) -> &ProcessHost<P> {
        &self.host
    }

    /// The channel on which a packet from `source` to `target` travels; none for the flows of a
    /// coordinator.
    pub(super) fn channel(&self, source: Id, target: Id) -> Option<ChannelId> {
        let topology = &self.setup().topology;
        let process = |id| {
            let index = usize::from(id);
            (index < topology.process_count()).then(|| ProcessId::new(index))
        };
        topology.channel_between(process(source)?, process(target)?)
    }

    /// The states of the actors with what is under way between them. No flow is empty, or equal states
    /// would differ.
    pub(super) fn assemble(
        &self,
        actor_states: Vec<Arc<StateOf<P>>>,
        flows: Flows<P>,
    ) -> ActorStates<P> {
        let timers = actor_states.iter().enumerate().map(|(id, state)| self.timers(id, state));
        let count = actor_states.len();
        ActorModelState {
            timers_set: timers.collect(),
            network: Network::Ordered(flows),
            random_choices: vec![RandomChoices::default(); count],
            crashed: vec![false; count],
            history: (),
            actor_storages: vec![None; count],
            actor_states,
        }
    }

    /// The timers that are armed while an actor is in `state`.
    pub(super) fn timers(&self, actor: usize, state: &StateOf<P>) -> Timers<TimerOf<P>> {
        let mut armed = Timers::new();
        for timer in self.actors.actors[actor].timers(state) {
            armed.set(timer);
        }
        armed
    }

    /// Whether nothing comes off a flow: its receiver does not read from it, or has no room for a message.
    pub(super) fn is_blocked(&self, state: &SystemState<P, O>, source: Id, target: Id) -> bool {
        self.channel(source, target).is_some_and(|channel| {
            let mut flows = flows(&state.actors.network);
            let head = || flows.find(|(ends, _)| *ends == (source, target))?.1.front();
            let receiver = state.process(self.setup().topology.channel(channel).target);
            self.is_refused(receiver, channel, head)
        })
    }

    /// Whether a process does not take what is at the head of a channel to it.
    pub(super) fn is_refused<'p>(
        &self,
        receiver: &ProcessStateOf<P>,
        channel: ChannelId,
        head: impl FnOnce() -> Option<&'p PacketOf<P>>,
    ) -> bool {
        let input = self.setup().topology.input_position(channel);
        match self.setup().buffers {
            // Control messages find room.
            Some(_) => {
                let message = head().and_then(|packet| packet.message());
                message.is_some() && self.host.is_full(receiver, input)
            }
            None => receiver.is_blocked(input),
        }
    }

    /// What can be received next: the heads of the flows that can be read; out of order, all that is in them.
    pub(super) fn next_packets<'s>(
        &'s self,
        state: &'s SystemState<P, O>,
    ) -> impl Iterator<Item = &'s PacketOf<P>> {
        flows(&state.actors.network)
            .filter(|&((source, target), _)| !self.is_blocked(state, source, target))
            .flat_map(|(ends, packets)| self.deliverable(ends, packets))
    }

    /// Whether no step is enabled, failures apart: these may or may not come.
    #[must_use]
    pub fn is_terminal(&self, state: &SystemState<P, O>) -> bool {
        let armed = state.actors.timers_set.iter().any(|timers| timers.iter().next().is_some());
        !armed && self.next_packets(state).next().is_none()
    }

    /// Whether the application at a process has a step of its own that the algorithm withholds.
    pub(super) fn withholds(&self, process: ProcessId, state: &ProcessStateOf<P>) -> bool {
        let steps = || self.host.application().enabled(process, &state.application);
        state.is_paused() && !steps().is_empty()
    }

    /// Whether the application can take a step now.
    pub(super) fn application_can_step(&self, state: &SystemState<P, O>) -> bool {
        let reads_message = |channel: ChannelId| {
            let topology = &self.setup().topology;
            let queues = &state.process(topology.channel(channel).target).queues.inputs;
            let first = queues[topology.input_position(channel)].first();
            first.is_some_and(|packet| packet.message().is_some())
        };
        let mut timers = state.actors.timers_set.iter().flat_map(Timers::iter);
        timers.any(|timer| match timer {
            Timer::Application(_) => true,
            Timer::Read(channel) => reads_message(*channel),
            _ => false,
        }) || self.setup().buffers.is_none()
            && self.next_packets(state).any(|packet| packet.message().is_some())
    }
}

/// What is under way, by sender and receiver.
pub(super) type Flows<P> = BTreeMap<(Id, Id), VecDeque<PacketOf<P>>>;

type Flow<'n, M> = ((Id, Id), &'n VecDeque<M>);

/// The non-empty flows of an ordered network.
pub(super) fn flows<M: Eq + Hash>(network: &Network<M>) -> impl Iterator<Item = Flow<'_, M>> {
    match network {
        Network::Ordered(flows) => flows.iter().map(|(&ends, packets)| (ends, packets)),
        _ => unreachable!("a system is built with an ordered network"),
    }
}

/// The flows of an ordered network, to be changed.
pub(super) fn flows_mut<M: Eq + Hash>(
    network: &mut Network<M>,
) -> &mut BTreeMap<(Id, Id), VecDeque<M>> {
    match network {
        Network::Ordered(flows) => flows,
        _ => unreachable!("a system is built with an ordered network"),
    }
}

impl<P: Application, O: Observer<P>> Model for SystemModel<P, O> {
    type State = SystemState<P, O>;
    type Action = SystemAction<P>;

    fn init_states(&self) -> Vec<Self::State> {
        let observer = O::start(&self.host);
        let incidents = Incidents::default();
        let with_observer = |actors| SystemState { actors, incidents, observer: observer.clone() };
        self.actors.init_states().into_iter().map(with_observer).collect()
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        let mut steps = Vec::new();
        self.actors.actions(&state.actors, &mut steps);
        self.deliveries_out_of_order(state, &mut steps);
        steps.retain(|action| match action {
            ActorModelAction::Deliver { src, dst, .. } => !self.is_blocked(state, *src, *dst),
            _ => true,
        });
        actions.extend(steps.into_iter().map(Action::Step));
        self.possible_failures(state, actions);
    }

    fn next_state(&self, state: &Self::State, action: Self::Action) -> Option<Self::State> {
        let Action::Step(step) = action else {
            return Some(self.after_failure(state, action));
        };
        let actors = self.settled(self.actors.next_state(&state.actors, step.clone())?);
        let mut observer = state.observer.clone();
        observer.observe(&self.host, &state.actors, &step, &actors);
        Some(SystemState { actors, incidents: state.incidents, observer })
    }

    fn format_action(&self, action: &Self::Action) -> String {
        telling::describe_action(self, action)
    }

    fn format_step(&self, state: &Self::State, action: Self::Action) -> Option<String> {
        let next = self.next_state(state, action.clone())?;
        Some(telling::step(self, 1, state, &action, &next).to_string())
    }
}
