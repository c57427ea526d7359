//! The host of a process: it runs an algorithm over an application, counts messages and stores
//! recordings. The oracle's numbers live here and not in the algorithms.

mod buffers;
mod checkpoints;
mod desk;
mod endings;
mod recovery;

use std::sync::Arc;

use crate::application::{Application, Sends};
use crate::bookkeeper::{Destination, OutboxOf};
use crate::packet::{Packet, PacketOf, Queues};
use crate::process::{Conduct, Occasion, Rules};
use crate::process_state::{
    CheckpointState, CheckpointStateOf, Input, Output, ProcessState, ProcessStateOf,
};
use crate::recording::{Colour, Message};
use crate::renaming::Renaming;
use crate::setup::{Coordinator, Setup};
use crate::sink::SinkState;
use crate::topology::{ChannelId, ProcessId};

/// The only checkpoint where there is one, which every coordinator knows.
const FIRST: u16 = 1;

/// Runs an algorithm over application `P` at every process of a setup.
pub struct ProcessHost<P> {
    setup: Arc<Setup>,
    application: Arc<P>,
    rules: Arc<dyn Rules>,
    conduct: Conduct,
}

impl<P> Clone for ProcessHost<P> {
    fn clone(&self) -> Self {
        Self {
            setup: Arc::clone(&self.setup),
            application: Arc::clone(&self.application),
            rules: Arc::clone(&self.rules),
            conduct: self.conduct,
        }
    }
}

impl<P: Application> ProcessHost<P> {
    /// A host for every process of `setup`.
    #[must_use]
    pub fn new(setup: Arc<Setup>, application: Arc<P>, rules: Arc<dyn Rules>) -> Self {
        let conduct = rules.conduct();
        Self { setup, application, rules, conduct }
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

    /// What the algorithm says of itself.
    #[must_use]
    pub fn conduct(&self) -> Conduct {
        self.conduct
    }

    /// The channels that hold, after a failover, what a checkpoint has as the state of `channel`.
    #[must_use]
    pub fn restored_to(&self, channel: ChannelId) -> Vec<ChannelId> {
        self.rules.restored_to(&self.setup.topology, channel)
    }

    /// Whether the algorithm does the same when processes are renamed, as far as the setup does.
    #[must_use]
    pub fn rules_are_symmetric(&self, renaming: &Renaming) -> bool {
        !self.conduct.knows_back_edges || renaming.keeps_back_edges(&self.setup.topology)
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
            queues: match self.setup.buffers {
                Some(_) => Queues::of(topology, process),
                None => Queues::default(),
            },
            ended: match self.setup.ending.is_empty() {
                true => Vec::new(),
                false => vec![false; topology.inputs(process).len()],
            },
            finished: false,
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
            ended: Vec::new(),
            finished: false,
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
        self.queue(state, outbox);
    }

    /// What is at the head of `channel` comes off the wire; where channels are not buffered, it is read.
    pub fn deliver(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        channel: ChannelId,
        packet: PacketOf<P>,
        outbox: &mut OutboxOf<P>,
    ) {
        if let Packet::Message(message) = &packet {
            self.apply_to_all(Occasion::Arrival(channel), process, state, message, outbox);
        }
        if self.setup.buffers.is_some() {
            self.queue_up(process, state, channel, packet, outbox);
        } else {
            self.take_in(process, state, channel, packet, outbox);
        }
    }

    /// The process reads a packet.
    fn take_in(
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
                self.consume(process, state, channel, checkpoint, control, outbox);
            }
            Packet::End => self.end(process, state, channel, outbox),
            Packet::Message(message) => {
                self.apply_to_all(Occasion::Message(channel), process, state, &message, outbox);
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
            Packet::Start(_)
            | Packet::Notice(_)
            | Packet::Abort(_)
            | Packet::Done(_)
            | Packet::Finished { .. } => self.hear(process, state, packet, outbox),
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
                if self.conduct.awaits_completion {
                    self.apply(Occasion::Complete, process, state, checkpoint, None, outbox);
                }
            }
            Packet::Abort(checkpoint) => {
                if !state.checkpoint(checkpoint).abandoned && !state.finished {
                    self.apply(Occasion::Abort, process, state, checkpoint, None, outbox);
                }
            }
            Packet::Done(_) | Packet::Finished { .. } => {
                unreachable!("what processes have done is told to the coordinator only")
            }
            Packet::Control { .. } | Packet::Message(_) | Packet::End => {
                unreachable!("the coordinator sends neither messages nor control messages")
            }
        }
    }

    /// The checkpoints, in their order.
    #[must_use]
    pub fn checkpoints(&self) -> std::ops::RangeInclusive<u16> {
        FIRST..=self.setup.checkpoints.count
    }

    fn send_messages(
        &self,
        state: &mut ProcessStateOf<P>,
        sends: Sends<P::Message>,
        outbox: &mut OutboxOf<P>,
    ) {
        let colour = match self.conduct.colours_messages {
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
