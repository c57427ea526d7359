//! What the claims need to know of a state that it does not show by itself: the application's state
//! before the first record, and what is reachable from where by steps of the application alone.
//! Trusted: the claims that need history are judged on this.

use std::sync::Arc;

use stateright::Model;
use stateright::actor::{ActorModelAction, Id};

use super::System;
use super::actor::Timer;
use super::model::{ActorAction, ActorStates, SystemModel, SystemState, flows, process_of};
use super::observer::Observer;
use crate::application_graph::{ApplicationGraph, GlobalOf, StableProperty};
use crate::models::application::Application;
use crate::models::host::ProcessHost;
use crate::models::packet::Packet;
use crate::models::process_state::CheckpointState;
use crate::models::recording::{Colour, Message, Outcome, RecordedProcess};
use crate::models::topology::{ChannelId, ProcessId, Topology};

/// A step that the application could take alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prevented {
    /// A process takes a step by itself.
    Act(ProcessId),
    /// The first message of a channel is received.
    Receive(ChannelId),
}

/// A property that should stay once it holds, at three times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyHistory {
    /// Which.
    pub property: StableProperty,
    /// Whether no step of the application ends it.
    pub is_stable: bool,
    /// Whether it held before the first record.
    pub before: bool,
    /// Whether it holds in the recorded state.
    pub recorded: bool,
    /// Whether it holds now.
    pub present: bool,
}

/// What is known of the recorded state S* of a complete snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedHistory {
    /// Whether the application can come from its state before the first record to S*.
    pub is_reached: bool,
    /// Whether it can come from S* to its present state.
    pub reaches_present: bool,
    /// Whether it is known that the run did not pass through S*.
    pub never_passed: bool,
    /// Stable properties.
    pub properties: Vec<PropertyHistory>,
}

/// What claims that need history may look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// Whether the application can come to its present state when nobody takes a snapshot.
    pub is_possible_alone: bool,
    /// A step that the application could take alone, but not here, whatever control messages are
    /// received first; not looked for where the algorithm may block.
    pub prevented: Option<Prevented>,
    /// Of a complete snapshot.
    pub recorded: Option<RecordedHistory>,
}

/// Remembers the application's state before the first record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FirstRecord<S, M> {
    before: Option<Arc<Outcome<S, M>>>,
}

/// The observer for an application.
pub type FirstRecordOf<P> = FirstRecord<<P as Application>::State, <P as Application>::Message>;

impl<S, M> FirstRecord<S, M> {
    /// The application's state before the first record, if there was one.
    #[must_use]
    pub fn before(&self) -> Option<&Outcome<S, M>> {
        self.before.as_deref()
    }
}

impl<P: Application> Observer<P> for FirstRecord<P::State, P::Message> {
    fn start(_: &ProcessHost<P>) -> Self {
        Self { before: None }
    }

    fn observe(
        &mut self,
        host: &ProcessHost<P>,
        before: &ActorStates<P>,
        _: &ActorAction<P>,
        after: &ActorStates<P>,
    ) {
        let topology = &host.setup().topology;
        let mut processes = topology.processes();
        let records = |process| {
            process_of(after, process).checkpoints.iter().any(CheckpointState::has_recorded)
        };
        if self.before.is_none() && processes.any(records) {
            self.before = Some(Arc::new(application_part(topology, before)));
        }
    }
}

/// What a state is to the application.
pub fn application_part<P: Application>(
    topology: &Topology,
    actors: &ActorStates<P>,
) -> GlobalOf<P> {
    let process = |process| {
        let state = process_of(actors, process);
        RecordedProcess {
            state: state.application.clone(),
            sent: state.sent.clone(),
            received: state.received.clone(),
            identities: Vec::new(),
        }
    };
    let mut channels = vec![Vec::new(); topology.channel_count()];
    for ((source, target), packets) in flows(&actors.network) {
        let channel = channel_between(topology, source, target);
        let messages = packets.iter().filter_map(|packet| match packet {
            // Which colour a message has is the algorithm's business.
            Packet::Message(message) => {
                Some(Message { colour: Colour::default(), ..message.clone() })
            }
            _ => None,
        });
        if let Some(channel) = channel {
            channels[channel.index()].extend(messages);
        }
    }
    Outcome { processes: topology.processes().map(process).collect(), channels }
}

/// The channel of a flow between two processes; none for those of a coordinator.
fn channel_between(topology: &Topology, source: Id, target: Id) -> Option<ChannelId> {
    let process = |id| {
        let index = usize::from(id);
        (index < topology.process_count()).then(|| ProcessId::new(index))
    };
    topology.channel_between(process(source)?, process(target)?)
}

type Watched<P> = SystemModel<P, FirstRecordOf<P>>;
type WatchedState<P> = SystemState<P, FirstRecordOf<P>>;

impl History {
    /// What is known of `state`. Steps that are prevented are looked for where `never_blocks` is
    /// promised.
    #[must_use]
    pub fn of<P: Application>(
        model: &Watched<P>,
        graph: &ApplicationGraph<P>,
        state: &WatchedState<P>,
        never_blocks: bool,
    ) -> Self {
        let present = application_part(model.topology(), &state.actors);
        Self {
            is_possible_alone: graph.contains(&present),
            prevented: never_blocks.then(|| prevented(model, state)).flatten(),
            recorded: recorded(model, graph, state, &present),
        }
    }
}

fn recorded<P: Application>(
    model: &Watched<P>,
    graph: &ApplicationGraph<P>,
    state: &WatchedState<P>,
    present: &GlobalOf<P>,
) -> Option<RecordedHistory> {
    let recorded = model.outcomes(state).pop()?;
    let before = state.observer.before()?;
    let application = model.host().application();
    let property = |property: StableProperty| PropertyHistory {
        property,
        is_stable: graph.is_stable(property),
        before: property.holds(application, before),
        recorded: property.holds(application, &recorded),
        present: property.holds(application, present),
    };
    Some(RecordedHistory {
        is_reached: graph.reaches(before, &recorded),
        reaches_present: graph.reaches(&recorded, present),
        never_passed: false,
        properties: StableProperty::ALL.into_iter().map(property).collect(),
    })
}

/// A step that the application could take alone but cannot take here, in whatever order control
/// messages are received first.
fn prevented<P: Application>(model: &Watched<P>, state: &WatchedState<P>) -> Option<Prevented> {
    let mut wanted = steps_alone(model, state);
    let mut states = vec![state.clone()];
    let mut next = 0;
    while next < states.len() && !wanted.is_empty() {
        let state = states[next].clone();
        let mut actions = Vec::new();
        model.actions(&state, &mut actions);
        for action in actions {
            let Some(taken) = action.step() else { continue };
            if let Some(step) = application_step(model, taken) {
                wanted.retain(|wanted| *wanted != step);
            } else if matches!(taken, ActorModelAction::Deliver { .. })
                && let Some(after) = model.next_state(&state, action)
                && !states.contains(&after)
            {
                states.push(after);
            }
        }
        next += 1;
    }
    wanted.first().map(|(step, _)| *step)
}

/// A step of the application, with which of those a process could take it is.
type Step<P> = (Prevented, Option<<P as Application>::Action>);

/// The steps that the application could take if it were alone.
fn steps_alone<P: Application>(model: &Watched<P>, state: &WatchedState<P>) -> Vec<Step<P>> {
    let topology = model.topology();
    let part = application_part(topology, &state.actors);
    let application = model.host().application();
    let mut steps = Vec::new();
    for process in topology.processes() {
        let enabled = application.enabled(process, &part.processes[process.index()].state);
        steps.extend(enabled.into_iter().map(|a| (Prevented::Act(process), Some(a))));
    }
    let waiting = topology.channels().filter(|c| !part.channels[c.index()].is_empty());
    steps.extend(waiting.map(|channel| (Prevented::Receive(channel), None)));
    steps
}

/// Which step of the application a step of the system is, if it is one.
fn application_step<P: Application>(
    model: &Watched<P>,
    action: &ActorAction<P>,
) -> Option<Step<P>> {
    match action {
        ActorModelAction::Timeout(id, Timer::Application(action)) => {
            Some((Prevented::Act(ProcessId::new(usize::from(*id))), Some(action.clone())))
        }
        ActorModelAction::Deliver { src, dst, msg: Packet::Message(_) } => {
            let channel = channel_between(model.topology(), *src, *dst)?;
            Some((Prevented::Receive(channel), None))
        }
        _ => None,
    }
}
