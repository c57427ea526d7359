//! The host of a process: it runs an algorithm over an application, counts messages and stores
//! recordings. The oracle's numbers live here and not in the algorithms.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::application::{Application, Sends};
use crate::bookkeeper::{Bookkeeper, Destination, OutboxOf};
use crate::coordinator::CoordinatorState;
use crate::process::{Occasion, Rules};
use crate::process_state::{
    CheckpointState, CheckpointStateOf, Input, Output, Packet, PacketOf, ProcessState,
    ProcessStateOf,
};
use crate::recording::{Colour, Message};
use crate::renaming::Renaming;
use crate::setup::{Coordinator, Setup, Sinks};
use crate::sink::SinkState;
use crate::topology::{ChannelId, ProcessId};

/// The only checkpoint where there is one, which every coordinator knows.
const FIRST: u16 = 1;

/// Runs an algorithm over application `P` at every process of a setup.
pub struct ProcessHost<P> {
    setup: Arc<Setup>,
    application: Arc<P>,
    rules: Arc<dyn Rules>,
}

impl<P> Clone for ProcessHost<P> {
    fn clone(&self) -> Self {
        Self {
            setup: Arc::clone(&self.setup),
            application: Arc::clone(&self.application),
            rules: Arc::clone(&self.rules),
        }
    }
}

impl<P: Application> ProcessHost<P> {
    /// A host for every process of `setup`.
    #[must_use]
    pub fn new(setup: Arc<Setup>, application: Arc<P>, rules: Arc<dyn Rules>) -> Self {
        Self { setup, application, rules }
    }

    /// Topology, initiators, coordinator.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The application.
    #[must_use]
    pub fn application(&self) -> &P {
        &self.application
    }

    /// The application, to be shared with another host.
    #[must_use]
    pub fn shared_application(&self) -> Arc<P> {
        Arc::clone(&self.application)
    }

    /// Whether the algorithm takes one round, see
    /// [`ONE_ROUND`](crate::process::SnapshotAlgorithm::ONE_ROUND).
    #[must_use]
    pub fn one_round(&self) -> bool {
        self.rules.one_round()
    }

    /// Whether the algorithm does the same when processes are renamed, as far as the setup does.
    #[must_use]
    pub fn rules_are_symmetric(&self, renaming: &Renaming) -> bool {
        !self.rules.knows_back_edges() || renaming.keeps_back_edges(&self.setup.topology)
    }

    /// The state in which `process` starts.
    #[must_use]
    pub fn start(&self, process: ProcessId) -> ProcessStateOf<P> {
        let topology = &self.setup.topology;
        let writes = self.application.traits().counts_effects && self.application.is_sink(process);
        let mut checkpoints = vec![self.nothing(process); self.setup.checkpoints.count.into()];
        checkpoints[0].may_begin =
            self.setup.coordinator == Coordinator::None && self.setup.initiators.contains(&process);
        ProcessState {
            application: self.application.start(process),
            sent: vec![0; topology.outputs(process).len()],
            received: vec![0; topology.inputs(process).len()],
            identities: match self.setup.network.is_fifo() {
                true => Vec::new(),
                false => vec![Vec::new(); topology.inputs(process).len()],
            },
            checkpoints,
            may_instruct: self.setup.coordinator == Coordinator::Process(process),
            sink: writes.then(SinkState::default),
        }
    }

    /// What `process` has of a checkpoint that has not begun.
    fn nothing(&self, process: ProcessId) -> CheckpointStateOf<P> {
        let topology = &self.setup.topology;
        CheckpointState {
            algorithm: self.rules.initial_memory(),
            outputs: vec![Output::default(); topology.outputs(process).len()],
            inputs: vec![Input::default(); topology.inputs(process).len()],
            recorded: None,
            may_begin: false,
            paused: false,
            told_done: false,
            abandoned: false,
        }
    }

    /// The processes that the coordinator tells to begin.
    #[must_use]
    pub fn instructed(&self) -> &BTreeSet<ProcessId> {
        &self.setup.initiators
    }

    /// Whether the coordinator, if it is an actor of its own, tells the processes to begin a checkpoint.
    #[must_use]
    pub fn may_instruct(&self, state: &CoordinatorState) -> bool {
        self.setup.coordinator == Coordinator::Central && state.may_begin(self.setup.checkpoints)
    }

    /// The processes that the coordinator tells of completion: those that wait for it.
    pub fn notified(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let commits = |process| {
            self.application.traits().counts_effects
                && self.setup.sinks == Sinks::Transactional
                && self.application.is_sink(process)
        };
        let waits = move |&process: &ProcessId| self.rules.awaits_completion() || commits(process);
        self.setup.topology.processes().filter(waits)
    }

    /// The coordinating process tells the others to begin, and lets itself begin in a later step.
    pub fn instruct(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        outbox: &mut OutboxOf<P>,
    ) {
        state.may_instruct = false;
        for &told in self.instructed() {
            let destination = match self.setup.topology.channel_between(process, told) {
                _ if told == process => {
                    state.checkpoint_mut(FIRST).may_begin = true;
                    continue;
                }
                Some(channel) => Destination::Channel(channel),
                None => Destination::Process(told),
            };
            outbox.push((destination, Packet::Start(FIRST)));
        }
    }

    /// The process begins a checkpoint, by itself or because it is told to; without effect once it has
    /// recorded.
    pub fn begin(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        checkpoint: u16,
        outbox: &mut OutboxOf<P>,
    ) {
        if !state.checkpoint(checkpoint).has_recorded() {
            self.apply(Occasion::Initiate, process, state, checkpoint, None, outbox);
        }
    }

    /// The application takes a step by itself.
    pub fn act(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        action: &P::Action,
        outbox: &mut OutboxOf<P>,
    ) {
        let mut sends = Vec::new();
        self.application.act(process, &mut state.application, action, &mut sends);
        self.send_messages(state, sends, outbox);
    }

    /// What is at the head of `channel` is taken out of it.
    pub fn deliver(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        channel: ChannelId,
        packet: PacketOf<P>,
        outbox: &mut OutboxOf<P>,
    ) {
        let position = self.setup.topology.input_position(channel);
        match packet {
            Packet::Control { checkpoint, control } => {
                let received = state.received[position];
                let input = &mut state.checkpoint_mut(checkpoint).inputs[position];
                input.left_out.get_or_insert(received);
                let occasion = Occasion::Control(channel, control);
                self.apply(occasion, process, state, checkpoint, None, outbox);
            }
            Packet::Message(message) => {
                for checkpoint in self.checkpoints() {
                    if !state.checkpoint(checkpoint).abandoned {
                        let occasion = Occasion::Message(channel);
                        self.apply(occasion, process, state, checkpoint, Some(&message), outbox);
                    }
                }
                state.received[position] += 1;
                if let Some(numbers) = state.identities.get_mut(position) {
                    let place = numbers.partition_point(|&number| number <= message.number);
                    numbers.insert(place, message.number);
                }
                if let Some(sink) = &mut state.sink
                    && let Some(record) = self.application.record_of(&message.content)
                {
                    sink.write(record, self.setup.sinks);
                }
                let mut sends = Vec::new();
                self.application.receive(
                    process,
                    &mut state.application,
                    channel,
                    &message.content,
                    &mut sends,
                );
                self.send_messages(state, sends, outbox);
            }
            Packet::Start(_) | Packet::Notice(_) | Packet::Done(_) => {
                self.hear(process, state, packet, outbox);
            }
        }
    }

    /// A word of the coordinator comes, on a channel or not.
    pub fn hear(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        packet: PacketOf<P>,
        outbox: &mut OutboxOf<P>,
    ) {
        match packet {
            Packet::Start(checkpoint) => self.begin(process, state, checkpoint, outbox),
            Packet::Notice(checkpoint) => {
                if let Some(sink) = &mut state.sink {
                    sink.commit(checkpoint);
                }
                if self.rules.awaits_completion() {
                    self.apply(Occasion::Complete, process, state, checkpoint, None, outbox);
                }
            }
            Packet::Done(_) => unreachable!("\"done\" goes to the coordinator only"),
            Packet::Control { .. } | Packet::Message(_) => {
                unreachable!("the coordinator sends neither messages nor control messages")
            }
        }
    }

    /// The process goes back to the newest checkpoint that the coordinator knows to be complete, or to the
    /// start if there is none; also if that was declared too early and holds nothing of the process. What
    /// it has of checkpoints that are not complete is lost.
    pub fn recover(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        coordinator: &CoordinatorState,
    ) {
        for (own, known) in state.checkpoints.iter_mut().zip(&coordinator.checkpoints) {
            own.paused = false;
            if !known.declared {
                *own = CheckpointState { abandoned: known.abandoned, ..self.nothing(process) };
            }
        }
        let to = coordinator.newest_complete();
        let start = self.start(process);
        (state.application, state.sent, state.received, state.identities) =
            (start.application, start.sent, start.received, start.identities);
        let saved = self.checkpoints().contains(&to).then(|| state.checkpoint(to));
        if let Some(saved) = saved.and_then(CheckpointState::recorded_process) {
            (state.application, state.sent, state.received) =
                (saved.state, saved.sent, saved.received);
            for (numbers, saved) in state.identities.iter_mut().zip(saved.identities) {
                *numbers = saved;
            }
        }
        if let Some(sink) = &mut state.sink {
            sink.recover(to);
        }
    }

    fn checkpoints(&self) -> std::ops::RangeInclusive<u16> {
        FIRST..=self.setup.checkpoints.count
    }

    /// Applies the algorithm's rule; `current` is the message being received, if one is.
    fn apply(
        &self,
        occasion: Occasion,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        checkpoint: u16,
        current: Option<&Message<P::Message>>,
        outbox: &mut OutboxOf<P>,
    ) {
        let topology = &self.setup.topology;
        let mut memory = state.checkpoint(checkpoint).algorithm.clone();
        let mut bookkeeper =
            Bookkeeper::<P> { topology, process, state, checkpoint, outbox, current };
        let done = self.rules.apply(occasion, topology, process, &mut memory, &mut bookkeeper);
        let own = state.checkpoint_mut(checkpoint);
        own.algorithm = memory;
        if own.has_recorded() || own.paused {
            own.may_begin = false;
        }
        if done && !own.told_done && self.setup.coordinator != Coordinator::None {
            own.told_done = true;
            outbox.push((Destination::Coordinator, Packet::Done(checkpoint)));
        }
    }

    fn send_messages(
        &self,
        state: &mut ProcessStateOf<P>,
        sends: Sends<P::Message>,
        outbox: &mut OutboxOf<P>,
    ) {
        let colour = match self.rules.colours_messages() {
            true => state.colour(),
            false => Colour::default(),
        };
        for (channel, content) in sends {
            let sent = &mut state.sent[self.setup.topology.output_position(channel)];
            *sent += 1;
            let message = Message { number: *sent, colour, content };
            outbox.push((Destination::Channel(channel), Packet::Message(message)));
        }
    }
}
