//! What a snapshot holds: the state of every process and, per channel, the messages recorded. Pure
//! data; nothing here decides anything.

use crate::renaming::{Renamed, Renaming};
use crate::topology::{ChannelId, ProcessId, Topology};

/// A message with its identity: its position (from 1) among all messages sent on its channel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message<M> {
    /// 1 for the first message on the channel.
    pub number: u16,
    /// What the application sent.
    pub content: M,
}

impl<M: Renamed> Renamed for Message<M> {
    fn renamed(&self, renaming: &Renaming) -> Self {
        Self { number: self.number, content: self.content.renamed(renaming) }
    }
}

/// What one process saved: its local state, with the numbers of messages it had sent and received.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordedProcess<S> {
    /// The application's local state.
    pub state: S,
    /// Per output, in the topology's order: messages sent before the record (n).
    pub sent: Vec<u16>,
    /// Per input, in the topology's order: messages received before the record (m).
    pub received: Vec<u16>,
}

/// A complete snapshot. Two runs with equal recordings have the same outcome.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome<S, M> {
    /// Per process, what it saved.
    pub processes: Vec<RecordedProcess<S>>,
    /// Per channel, the messages saved as its state.
    pub channels: Vec<Vec<Message<M>>>,
}

impl<S, M> Outcome<S, M> {
    /// n of a channel: messages its source had sent on it before it recorded.
    #[must_use]
    pub fn sent(&self, topology: &Topology, channel: ChannelId) -> u16 {
        let source = topology.channel(channel).source;
        self.process(source).sent[topology.output_position(channel)]
    }

    /// m of a channel: messages its target had received from it before it recorded.
    #[must_use]
    pub fn received(&self, topology: &Topology, channel: ChannelId) -> u16 {
        let target = topology.channel(channel).target;
        self.process(target).received[topology.input_position(channel)]
    }

    /// Whether the cut is consistent: m ≤ n on every channel.
    #[must_use]
    pub fn is_consistent(&self, topology: &Topology) -> bool {
        topology.channels().all(|c| self.received(topology, c) <= self.sent(topology, c))
    }

    fn process(&self, process: ProcessId) -> &RecordedProcess<S> {
        &self.processes[process.index()]
    }
}

impl<S: Renamed, M: Renamed> Outcome<S, M> {
    /// The same snapshot with the processes renamed.
    #[must_use]
    pub fn renamed(&self, topology: &Topology, renaming: &Renaming) -> Self {
        let saved = topology.processes().zip(&self.processes).map(|(process, saved)| {
            let sent = saved.sent.iter().copied();
            let received = saved.received.iter().copied();
            RecordedProcess {
                state: saved.state.renamed(renaming),
                sent: renaming.permuted_outputs(topology, process, sent),
                received: renaming.permuted_inputs(topology, process, received),
            }
        });
        Self {
            processes: renaming.permuted(saved),
            channels: renaming.permuted_channels(self.channels.renamed(renaming)),
        }
    }
}
