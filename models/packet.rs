//! What travels between processes, and between them and the coordinator; and the queues in which it waits
//! where channels are buffered.

use crate::application::Application;
use crate::recording::Message;
use crate::renaming::{Renamed, Renaming};
use crate::topology::{ProcessId, Topology};
use crate::value::Control;

/// What travels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Packet<M> {
    /// A message of the application.
    Message(Message<M>),
    /// A control message of the algorithm.
    Control {
        /// For which checkpoint, from 1.
        checkpoint: u16,
        /// What it says.
        control: Control,
    },
    /// Nothing will ever follow on this channel.
    End,
    /// The coordinator's instruction to begin a checkpoint.
    Start(u16),
    /// A process tells the coordinator that it has done its part of a checkpoint.
    Done(u16),
    /// The coordinator's notice that a checkpoint is complete.
    Notice(u16),
    /// The coordinator's notice that a checkpoint is ended before it is complete.
    Abort(u16),
    /// A process tells the coordinator that it has finished: its state is what it has of all checkpoints
    /// but those that it abandoned.
    Finished {
        /// The abandoned ones, ascending.
        abandoned: Vec<u16>,
    },
}

/// The packets over an application.
pub type PacketOf<P> = Packet<<P as Application>::Message>;

impl<M> Packet<M> {
    /// Whether it is a control message of a checkpoint.
    #[must_use]
    pub fn is_control_of(&self, checkpoint: u16) -> bool {
        matches!(self, Self::Control { checkpoint: of, .. } if *of == checkpoint)
    }

    /// The message, if it is one.
    #[must_use]
    pub fn message(&self) -> Option<&Message<M>> {
        match self {
            Self::Message(message) => Some(message),
            _ => None,
        }
    }
}

impl<M: Renamed> Renamed for Packet<M> {
    fn renamed(&self, renaming: &Renaming) -> Self {
        match self {
            Self::Message(message) => Self::Message(message.renamed(renaming)),
            Self::Control { checkpoint, control } => {
                Self::Control { checkpoint: *checkpoint, control: control.renamed(renaming) }
            }
            other => other.clone(),
        }
    }
}

/// What waits in the queues at a process's ends of its channels, the first to go first. Where channels are
/// not buffered there are no queues.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Queues<M> {
    /// Per output, in the topology's order: what has been sent and has not left.
    pub outputs: Vec<Vec<Packet<M>>>,
    /// Per input, in the topology's order: what has arrived and has not been read.
    pub inputs: Vec<Vec<Packet<M>>>,
}

impl<M> Default for Queues<M> {
    fn default() -> Self {
        Self { outputs: Vec::new(), inputs: Vec::new() }
    }
}

impl<M> Queues<M> {
    /// Empty queues for a process.
    #[must_use]
    pub fn of(topology: &Topology, process: ProcessId) -> Self {
        let empty = |length| std::iter::repeat_with(Vec::new).take(length).collect();
        Self {
            outputs: empty(topology.outputs(process).len()),
            inputs: empty(topology.inputs(process).len()),
        }
    }
}

impl<M: Renamed> Queues<M> {
    pub(crate) fn renamed(
        &self,
        topology: &Topology,
        process: ProcessId,
        renaming: &Renaming,
    ) -> Self {
        let outputs = self.outputs.iter().map(|queue| queue.renamed(renaming));
        let inputs = self.inputs.iter().map(|queue| queue.renamed(renaming));
        Self {
            outputs: renaming.permuted_outputs(topology, process, outputs),
            inputs: renaming.permuted_inputs(topology, process, inputs),
        }
    }
}

/// How many messages wait in a queue.
#[must_use]
pub fn messages_in<M>(queue: &[Packet<M>]) -> usize {
    queue.iter().filter(|packet| packet.message().is_some()).count()
}
