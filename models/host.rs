//! The host of a process: it runs an algorithm over an application, counts messages and stores
//! recordings. The oracle's numbers live here and not in the algorithms.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::application::{Application, Sends};
use crate::process::{Host, Occasion, Rules, Signature};
use crate::process_state::{Input, Output, Packet, PacketOf, ProcessState, ProcessStateOf};
use crate::recording::Message;
use crate::setup::{Coordinator, Setup};
use crate::topology::{ChannelId, ProcessId, Topology};

/// Where a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Along a channel of the topology.
    Channel(ChannelId),
    /// To a process on the coordinator's flow, which is no channel of the topology.
    Process(ProcessId),
    /// To the coordinator.
    Coordinator,
}

/// The packets of one step, in order.
pub type Outbox<C, M> = Vec<(Destination, Packet<C, M>)>;

/// The outbox of an algorithm of signature `G` over an application.
pub type OutboxOf<G, P> = Outbox<<G as Signature>::Control, <P as Application>::Message>;

/// Runs an algorithm of signature `G` over application `P` at every process of a setup.
pub struct ProcessHost<G: Signature, P> {
    setup: Arc<Setup>,
    application: Arc<P>,
    rules: Arc<dyn Rules<G>>,
}

impl<G: Signature, P> Clone for ProcessHost<G, P> {
    fn clone(&self) -> Self {
        Self {
            setup: Arc::clone(&self.setup),
            application: Arc::clone(&self.application),
            rules: Arc::clone(&self.rules),
        }
    }
}

impl<G: Signature, P: Application> ProcessHost<G, P> {
    /// A host for every process of `setup`.
    #[must_use]
    pub fn new(setup: Arc<Setup>, application: Arc<P>, rules: Arc<dyn Rules<G>>) -> Self {
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

    /// The state in which `process` starts.
    #[must_use]
    pub fn start(&self, process: ProcessId) -> ProcessStateOf<G, P> {
        let topology = &self.setup.topology;
        let output = Output {
            sent: 0,
            sent_before_record: None,
            sent_before_marker: None,
            recording: Vec::new(),
        };
        let input = Input {
            received: 0,
            received_before_record: None,
            left_out: None,
            closed: false,
            blocked: false,
            recording: Vec::new(),
        };
        ProcessState {
            application: self.application.start(process),
            algorithm: G::State::default(),
            outputs: vec![output; topology.outputs(process).len()],
            inputs: vec![input; topology.inputs(process).len()],
            recorded: None,
            may_begin: self.setup.coordinator == Coordinator::None
                && self.setup.initiators.contains(&process),
            may_instruct: self.setup.coordinator == Coordinator::Process(process),
            told_done: false,
        }
    }

    /// The processes that the coordinator tells to begin.
    #[must_use]
    pub fn instructed(&self) -> &BTreeSet<ProcessId> {
        &self.setup.initiators
    }

    /// The coordinating process tells the others to begin, and lets itself begin in a later step.
    pub fn instruct(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<G, P>,
        outbox: &mut OutboxOf<G, P>,
    ) {
        state.may_instruct = false;
        for &told in self.instructed() {
            let destination = match self.setup.topology.channel_between(process, told) {
                _ if told == process => {
                    state.may_begin = true;
                    continue;
                }
                Some(channel) => Destination::Channel(channel),
                None => Destination::Process(told),
            };
            outbox.push((destination, Packet::Start));
        }
    }

    /// The process begins, by itself or because it is told to; without effect once it has recorded.
    pub fn begin(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<G, P>,
        outbox: &mut OutboxOf<G, P>,
    ) {
        if !state.has_recorded() {
            self.apply(Occasion::Initiate, process, state, None, outbox);
        }
    }

    /// The application takes a step by itself.
    pub fn act(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<G, P>,
        action: &P::Action,
        outbox: &mut OutboxOf<G, P>,
    ) {
        let mut sends = Vec::new();
        self.application.act(process, &mut state.application, action, &mut sends);
        self.send_messages(state, sends, outbox);
    }

    /// What is at the head of `channel` is taken out of it.
    pub fn deliver(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<G, P>,
        channel: ChannelId,
        packet: PacketOf<G, P>,
        outbox: &mut OutboxOf<G, P>,
    ) {
        let position = self.setup.topology.input_position(channel);
        match packet {
            Packet::Start => self.begin(process, state, outbox),
            Packet::Control(control) => {
                let input = &mut state.inputs[position];
                input.left_out.get_or_insert(input.received);
                self.apply(Occasion::Control(channel, control), process, state, None, outbox);
            }
            Packet::Message(message) => {
                let occasion = Occasion::Message(channel);
                self.apply(occasion, process, state, Some(&message), outbox);
                state.inputs[position].received += 1;
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
            Packet::Done => unreachable!("\"done\" goes to the coordinator only"),
        }
    }

    /// Applies the algorithm's rule; `current` is the message being received, if one is.
    fn apply(
        &self,
        occasion: Occasion<G::Control>,
        process: ProcessId,
        state: &mut ProcessStateOf<G, P>,
        current: Option<&Message<P::Message>>,
        outbox: &mut OutboxOf<G, P>,
    ) {
        let topology = &self.setup.topology;
        // The algorithm's memory is lent out beside the rest of the state.
        let mut memory = std::mem::take(&mut state.algorithm);
        let mut bookkeeper = Bookkeeper::<G, P> { topology, process, state, outbox, current };
        let done = self.rules.apply(occasion, topology, process, &mut memory, &mut bookkeeper);
        state.algorithm = memory;
        if state.has_recorded() {
            state.may_begin = false;
        }
        if done && !state.told_done && self.setup.coordinator != Coordinator::None {
            state.told_done = true;
            outbox.push((Destination::Coordinator, Packet::Done));
        }
    }

    fn send_messages(
        &self,
        state: &mut ProcessStateOf<G, P>,
        sends: Sends<P::Message>,
        outbox: &mut OutboxOf<G, P>,
    ) {
        for (channel, content) in sends {
            let output = &mut state.outputs[self.setup.topology.output_position(channel)];
            output.sent += 1;
            let message = Message { number: output.sent, content };
            outbox.push((Destination::Channel(channel), Packet::Message(message)));
        }
    }
}

/// Carries out the verbs of an algorithm and keeps the counts of the oracle.
struct Bookkeeper<'a, G: Signature, P: Application> {
    topology: &'a Topology,
    process: ProcessId,
    state: &'a mut ProcessStateOf<G, P>,
    outbox: &'a mut OutboxOf<G, P>,
    /// The message being received, in a rule for messages.
    current: Option<&'a Message<P::Message>>,
}

impl<G: Signature, P: Application> Bookkeeper<'_, G, P> {
    fn input(&mut self, channel: ChannelId) -> &mut Input<P::Message> {
        self.check_end(channel, self.topology.channel(channel).target);
        &mut self.state.inputs[self.topology.input_position(channel)]
    }

    fn output(&mut self, channel: ChannelId) -> &mut Output<P::Message> {
        self.check_end(channel, self.topology.channel(channel).source);
        &mut self.state.outputs[self.topology.output_position(channel)]
    }

    /// An algorithm that names a channel of other processes is no algorithm of this process.
    fn check_end(&self, channel: ChannelId, end: ProcessId) {
        assert!(
            end == self.process,
            "the algorithm at {} uses {} at the wrong end",
            self.topology.name(self.process),
            self.topology.channel_name(channel),
        );
    }
}

impl<G: Signature, P: Application> Host<G::Control> for Bookkeeper<'_, G, P> {
    fn record_state(&mut self) {
        self.state.recorded = Some(self.state.application.clone());
        for output in &mut self.state.outputs {
            output.sent_before_record = Some(output.sent);
        }
        for input in &mut self.state.inputs {
            input.received_before_record = Some(input.received);
            input.left_out.get_or_insert(input.received);
        }
    }

    fn has_recorded(&self) -> bool {
        self.state.has_recorded()
    }

    fn send(&mut self, channel: ChannelId, control: G::Control) {
        let output = self.output(channel);
        output.sent_before_marker.get_or_insert(output.sent);
        self.outbox.push((Destination::Channel(channel), Packet::Control(control)));
    }

    fn store(&mut self, channel: ChannelId) {
        let message = self.current.expect("only a message being received can be stored").clone();
        if self.topology.channel(channel).target == self.process {
            self.input(channel).recording.push(message);
        } else {
            self.output(channel).recording.push(message);
        }
    }

    fn stored(&self, channel: ChannelId) -> usize {
        if self.topology.channel(channel).target == self.process {
            self.state.inputs[self.topology.input_position(channel)].recording.len()
        } else {
            self.state.outputs[self.topology.output_position(channel)].recording.len()
        }
    }

    fn close(&mut self, channel: ChannelId) {
        self.input(channel).closed = true;
    }

    fn is_closed(&self, channel: ChannelId) -> bool {
        self.state.inputs[self.topology.input_position(channel)].closed
    }

    fn set_blocked(&mut self, channel: ChannelId, blocked: bool) {
        self.input(channel).blocked = blocked;
    }
}
