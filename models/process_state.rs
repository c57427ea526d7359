//! The state of a process under observation: the application's, the algorithm's, and the counters and
//! recordings that the host keeps for the oracle.

use crate::application::Application;
use crate::process::Signature;
use crate::recording::{Message, Outcome, RecordedProcess};
use crate::renaming::{Renamed, Renaming};
use crate::topology::{Channel, ProcessId, Topology};

/// What travels between processes, and between them and the coordinator.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Packet<C, M> {
    /// A message of the application.
    Message(Message<M>),
    /// A control message of the algorithm.
    Control(C),
    /// The coordinator's instruction to begin.
    Start,
    /// A process tells the coordinator that it has done its part.
    Done,
}

impl<C: Renamed, M: Renamed> Renamed for Packet<C, M> {
    fn renamed(&self, renaming: &Renaming) -> Self {
        match self {
            Self::Message(message) => Self::Message(message.renamed(renaming)),
            Self::Control(control) => Self::Control(control.renamed(renaming)),
            Self::Start => Self::Start,
            Self::Done => Self::Done,
        }
    }
}

/// The sending end of a channel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Output<M> {
    /// Messages sent so far.
    pub sent: u16,
    /// n: messages sent before the process recorded.
    pub sent_before_record: Option<u16>,
    /// n': messages sent before the first control message went out.
    pub sent_before_marker: Option<u16>,
    /// The messages that the sender stored as part of the channel's state, behind the receiver's.
    pub recording: Vec<Message<M>>,
}

/// The receiving end of a channel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Input<M> {
    /// Messages received so far.
    pub received: u16,
    /// m: messages received before the process recorded.
    pub received_before_record: Option<u16>,
    /// m': messages received before the recording began, or before the first control message was
    /// consumed if that came first.
    pub left_out: Option<u16>,
    /// Whether the recording has ended.
    pub closed: bool,
    /// Whether the process does not read from the channel.
    pub blocked: bool,
    /// The messages stored as the state of the channel.
    pub recording: Vec<Message<M>>,
}

/// The state of a process under observation: application (`S`), algorithm (`A`), and the host's
/// counters and recordings. Nothing in it depends on the path by which it was reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessState<A, S, M> {
    /// The application's local state.
    pub application: S,
    /// The algorithm's own memory.
    pub algorithm: A,
    /// Per output, in the topology's order.
    pub outputs: Vec<Output<M>>,
    /// Per input, in the topology's order.
    pub inputs: Vec<Input<M>>,
    /// The saved local state, once recorded.
    pub recorded: Option<S>,
    /// Whether the process may begin by itself. Ends when it has recorded, by whatever cause.
    pub may_begin: bool,
    /// Whether it is the coordinator and has not yet told the processes to begin.
    pub may_instruct: bool,
    /// Whether it has told the coordinator that it is done.
    pub told_done: bool,
}

/// The process state of an algorithm of signature `G` over an application.
pub type ProcessStateOf<G, P> =
    ProcessState<<G as Signature>::State, <P as Application>::State, <P as Application>::Message>;

/// The packets of an algorithm of signature `G` over an application.
pub type PacketOf<G, P> = Packet<<G as Signature>::Control, <P as Application>::Message>;

impl<A, S: Clone, M: Clone> ProcessState<A, S, M> {
    /// Whether the process has recorded.
    #[must_use]
    pub fn has_recorded(&self) -> bool {
        self.recorded.is_some()
    }

    /// Whether it has recorded and every recording is closed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.has_recorded() && self.inputs.iter().all(|input| input.closed)
    }

    fn recorded_process(&self) -> Option<RecordedProcess<S>> {
        Some(RecordedProcess {
            state: self.recorded.clone()?,
            sent: self.outputs.iter().map(|o| o.sent_before_record).collect::<Option<_>>()?,
            received: self
                .inputs
                .iter()
                .map(|i| i.received_before_record)
                .collect::<Option<_>>()?,
        })
    }
}

impl<A: Renamed, S: Renamed, M: Renamed> ProcessState<A, S, M> {
    /// The state of `process`'s image when `process` is in this state.
    #[must_use]
    pub fn renamed(&self, topology: &Topology, process: ProcessId, renaming: &Renaming) -> Self {
        let outputs = self.outputs.iter().map(|output| Output {
            recording: output.recording.renamed(renaming),
            ..output.clone()
        });
        let inputs = self
            .inputs
            .iter()
            .map(|input| Input { recording: input.recording.renamed(renaming), ..input.clone() });
        Self {
            application: self.application.renamed(renaming),
            algorithm: self.algorithm.renamed(renaming),
            outputs: renaming.permuted_outputs(topology, process, outputs),
            inputs: renaming.permuted_inputs(topology, process, inputs),
            recorded: self.recorded.renamed(renaming),
            ..*self
        }
    }
}

/// The snapshot in these process states, if it is complete.
pub fn outcome<'s, A: 's, S: Clone + 's, M: Clone + 's>(
    topology: &Topology,
    states: impl Fn(ProcessId) -> &'s ProcessState<A, S, M>,
) -> Option<Outcome<S, M>> {
    let complete = topology.processes().all(|p| states(p).is_complete());
    let processes = topology.processes().map(|p| states(p).recorded_process());
    let channels = topology.channels().map(|c| {
        let Channel { source, target } = topology.channel(c);
        let received = &states(target).inputs[topology.input_position(c)].recording;
        let overtaken = &states(source).outputs[topology.output_position(c)].recording;
        received.iter().chain(overtaken).cloned().collect()
    });
    complete.then_some(())?;
    Some(Outcome { processes: processes.collect::<Option<_>>()?, channels: channels.collect() })
}
