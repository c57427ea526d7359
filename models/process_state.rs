//! The state of a process under observation: the application's, the algorithm's, and the counters and
//! recordings that the host keeps for the oracle.

use crate::application::Application;
use crate::packet::Queues;
use crate::recording::{Colour, Message, Outcome, RecordedProcess};
use crate::renaming::{Renamed, Renaming};
use crate::sink::SinkState;
use crate::topology::{Channel, ChannelId, ProcessId, Topology};
use crate::value::Value;

/// The sending end of a channel in a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Output<M> {
    /// n: messages sent before the process recorded.
    pub sent_before_record: Option<u16>,
    /// n': messages sent before the first control message went out.
    pub sent_before_marker: Option<u16>,
    /// The messages that the sender stored as part of the channel's state, behind the receiver's.
    pub recording: Vec<Message<M>>,
}

impl<M> Default for Output<M> {
    fn default() -> Self {
        Self { sent_before_record: None, sent_before_marker: None, recording: Vec::new() }
    }
}

/// The receiving end of a channel in a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Input<M> {
    /// m: messages received before the process recorded.
    pub received_before_record: Option<u16>,
    /// The numbers of those, ascending; empty where channels are FIFO.
    pub identities: Vec<u16>,
    /// m': messages received before the recording began, or before the first control message was
    /// consumed if that came first.
    pub left_out: Option<u16>,
    /// Whether the recording has ended.
    pub closed: bool,
    /// Whether the algorithm does not let the process read from the channel.
    pub blocked: bool,
    /// The messages stored as the state of the channel.
    pub recording: Vec<Message<M>>,
}

impl<M> Default for Input<M> {
    fn default() -> Self {
        Self {
            received_before_record: None,
            identities: Vec::new(),
            left_out: None,
            closed: false,
            blocked: false,
            recording: Vec::new(),
        }
    }
}

impl<M> Input<M> {
    /// The messages recorded as the state of the channel, in order: those that the receiver stored, then
    /// those that its sender did.
    pub fn recorded<'s>(&'s self, sender: &'s Output<M>) -> impl Iterator<Item = &'s Message<M>> {
        self.recording.iter().chain(&sender.recording)
    }
}

/// What a process has of one checkpoint: the algorithm's memory for it, and the host's counters and
/// recordings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CheckpointState<S, M> {
    /// The algorithm's own memory.
    pub algorithm: Value,
    /// Per output, in the topology's order.
    pub outputs: Vec<Output<M>>,
    /// Per input, in the topology's order.
    pub inputs: Vec<Input<M>>,
    /// The saved local state, once recorded.
    pub recorded: Option<S>,
    /// Whether the process may begin by itself. Ends when it has recorded, by whatever cause.
    pub may_begin: bool,
    /// Whether the algorithm holds the application back from steps of its own.
    pub paused: bool,
    /// Whether it has told the coordinator that it is done.
    pub told_done: bool,
    /// Whether the process takes no further part in it: a failover ended it, the coordinator, or a newer
    /// one took its place.
    pub abandoned: bool,
    /// Per input, in the topology's order, whether it had ended when the process recorded; empty where
    /// nothing ends.
    pub ended: Vec<bool>,
    /// Whether the process had finished when it recorded.
    pub finished: bool,
}

/// The state of a process under observation: application (`S`), algorithm, and the host's
/// counters and recordings. Nothing in it depends on the path by which it was reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessState<S, M> {
    /// The application's local state.
    pub application: S,
    /// Per output, in the topology's order, messages sent so far.
    pub sent: Vec<u16>,
    /// Per input, in the topology's order, messages received so far.
    pub received: Vec<u16>,
    /// Per input, in the topology's order, the numbers of those messages, ascending. Empty where
    /// channels are FIFO: then they follow from how many there are, and no state is larger for it.
    pub identities: Vec<Vec<u16>>,
    /// Per checkpoint, in their order, what the process has of it.
    pub checkpoints: Vec<CheckpointState<S, M>>,
    /// Whether it is the coordinator and has not yet told the processes to begin.
    pub may_instruct: bool,
    /// What it has written, if it is a sink.
    pub sink: Option<SinkState>,
    /// What waits at its ends of its channels, where they are buffered.
    pub queues: Queues<M>,
    /// Per input, in the topology's order, whether nothing will come on it any more; empty where nothing
    /// ends.
    pub ended: Vec<bool>,
    /// Whether it has finished: it takes no more steps.
    pub finished: bool,
}

/// The process state over an application.
pub type ProcessStateOf<P> = ProcessState<<P as Application>::State, <P as Application>::Message>;

/// What a process has of a checkpoint, over an application.
pub type CheckpointStateOf<P> =
    CheckpointState<<P as Application>::State, <P as Application>::Message>;

impl<S, M> ProcessState<S, M> {
    /// What the process has of a checkpoint, counted from 1.
    #[must_use]
    pub fn checkpoint(&self, checkpoint: u16) -> &CheckpointState<S, M> {
        &self.checkpoints[usize::from(checkpoint) - 1]
    }

    /// The same, to be changed.
    pub fn checkpoint_mut(&mut self, checkpoint: u16) -> &mut CheckpointState<S, M> {
        &mut self.checkpoints[usize::from(checkpoint) - 1]
    }

    /// The colour of what the process sends now.
    #[must_use]
    pub fn colour(&self) -> Colour {
        let recorded = (1..).zip(&self.checkpoints).filter(|(_, own)| own.has_recorded());
        Colour::red_for(recorded.map(|(checkpoint, _)| checkpoint))
    }

    /// Whether the application is held back from steps of its own.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.checkpoints.iter().any(|own| own.paused)
    }

    /// Whether nothing will come on any input any more; true where there is none, and where nothing ends.
    #[must_use]
    pub fn all_inputs_ended(&self) -> bool {
        self.ended.iter().all(|&ended| ended)
    }

    /// Whether the process does not read from an input.
    #[must_use]
    pub fn is_blocked(&self, input: usize) -> bool {
        self.checkpoints.iter().any(|own| own.inputs[input].blocked)
    }
}

impl<S, M> CheckpointState<S, M> {
    /// Whether the process has recorded.
    #[must_use]
    pub fn has_recorded(&self) -> bool {
        self.recorded.is_some()
    }

    /// Whether the process has heard of the checkpoint: it has consumed a control message, or recorded.
    #[must_use]
    pub fn has_heard(&self) -> bool {
        self.has_recorded() || self.inputs.iter().any(|input| input.left_out.is_some())
    }

    /// Whether it has recorded and every recording is closed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.has_recorded() && self.inputs.iter().all(|input| input.closed)
    }
}

impl<S: Clone, M: Clone> CheckpointState<S, M> {
    /// Per input, the numbers of the messages received before the record; empty where none was and where
    /// channels are FIFO.
    fn identities(&self) -> Vec<Vec<u16>> {
        let identities = self.inputs.iter().map(|input| &input.identities);
        if identities.clone().all(Vec::is_empty) {
            return Vec::new();
        }
        identities.cloned().collect()
    }

    /// What the process saved, once it has recorded.
    #[must_use]
    pub fn recorded_process(&self) -> Option<RecordedProcess<S>> {
        Some(RecordedProcess {
            state: self.recorded.clone()?,
            sent: self.outputs.iter().map(|o| o.sent_before_record).collect::<Option<_>>()?,
            received: self
                .inputs
                .iter()
                .map(|i| i.received_before_record)
                .collect::<Option<_>>()?,
            identities: self.identities(),
        })
    }
}

impl<S: Renamed, M: Renamed> CheckpointState<S, M> {
    fn renamed(&self, topology: &Topology, process: ProcessId, renaming: &Renaming) -> Self {
        let outputs = self
            .outputs
            .iter()
            .map(|output| Output { recording: output.recording.renamed(renaming), ..*output });
        let inputs = self
            .inputs
            .iter()
            .map(|input| Input { recording: input.recording.renamed(renaming), ..input.clone() });
        Self {
            algorithm: self.algorithm.renamed(renaming),
            outputs: renaming.permuted_outputs(topology, process, outputs),
            inputs: renaming.permuted_inputs(topology, process, inputs),
            recorded: self.recorded.renamed(renaming),
            ended: renaming.permuted_inputs(topology, process, self.ended.iter().copied()),
            ..*self
        }
    }
}

impl<S: Renamed, M: Renamed> ProcessState<S, M> {
    /// The state of `process`'s image when `process` is in this state.
    #[must_use]
    pub fn renamed(&self, topology: &Topology, process: ProcessId, renaming: &Renaming) -> Self {
        let sent = self.sent.iter().copied();
        let received = self.received.iter().copied();
        let identities = self.identities.iter().cloned();
        let checkpoints = self.checkpoints.iter();
        Self {
            application: self.application.renamed(renaming),
            sent: renaming.permuted_outputs(topology, process, sent),
            received: renaming.permuted_inputs(topology, process, received),
            identities: renaming.permuted_inputs(topology, process, identities),
            checkpoints: checkpoints.map(|own| own.renamed(topology, process, renaming)).collect(),
            may_instruct: self.may_instruct,
            sink: self.sink.renamed(renaming),
            queues: self.queues.renamed(topology, process, renaming),
            ended: renaming.permuted_inputs(topology, process, self.ended.iter().copied()),
            finished: self.finished,
        }
    }
}

/// The messages that a checkpoint holds as the state of a channel, in order.
pub fn channel_recording<'s, S: 's, M: 's>(
    topology: &Topology,
    channel: ChannelId,
    states: impl Fn(ProcessId) -> &'s CheckpointState<S, M>,
) -> impl Iterator<Item = &'s Message<M>> {
    let Channel { source, target } = topology.channel(channel);
    let input = &states(target).inputs[topology.input_position(channel)];
    input.recorded(&states(source).outputs[topology.output_position(channel)])
}

/// The snapshot in what the processes have of a checkpoint, if it is complete.
pub fn outcome<'s, S: Clone + 's, M: Clone + 's>(
    topology: &Topology,
    states: impl Fn(ProcessId) -> &'s CheckpointState<S, M>,
) -> Option<Outcome<S, M>> {
    let complete = topology.processes().all(|p| states(p).is_complete());
    let processes = topology.processes().map(|p| states(p).recorded_process());
    let channels = topology
        .channels()
        .map(|channel| channel_recording(topology, channel, &states).cloned().collect());
    complete.then_some(())?;
    Some(Outcome { processes: processes.collect::<Option<_>>()?, channels: channels.collect() })
}
