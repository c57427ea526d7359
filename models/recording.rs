//! What a snapshot holds: the state of every process and, per channel, the messages recorded. Pure
//! data; nothing here decides anything.

use crate::renaming::{Renamed, Renaming};
use crate::topology::{ChannelId, ProcessId, Topology};

/// What a message carries of its sender for algorithms that ask for it: the checkpoints for which that
/// had recorded. For these the message is red, for the others white.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(u64);

impl Colour {
    /// The most checkpoints that can be told apart.
    pub const MOST_CHECKPOINTS: u16 = u64::BITS as u16;

    /// Red for these checkpoints, counted from 1.
    #[must_use]
    pub fn red_for(checkpoints: impl IntoIterator<Item = u16>) -> Self {
        Self(checkpoints.into_iter().fold(0, |red, checkpoint| red | 1 << (checkpoint - 1)))
    }

    /// Whether it is red for a checkpoint.
    #[must_use]
    pub fn is_red_for(self, checkpoint: u16) -> bool {
        self.0 >> (checkpoint - 1) & 1 != 0
    }
}

/// A message with its identity: its position (from 1) among all messages sent on its channel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message<M> {
    /// 1 for the first message on the channel.
    pub number: u16,
    /// What the algorithm has it carry; the same for all messages of those that do not ask for it.
    pub colour: Colour,
    /// What the application sent.
    pub content: M,
}

impl<M: Renamed> Renamed for Message<M> {
    fn renamed(&self, renaming: &Renaming) -> Self {
        Self { content: self.content.renamed(renaming), ..*self }
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
    /// Per input, in the topology's order: the numbers of those, ascending. Empty where channels are
    /// FIFO: then they are the first m.
    pub identities: Vec<Vec<u16>>,
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

    /// Whether the cut is consistent: on every channel, each message that had been received had been
    /// sent.
    #[must_use]
    pub fn is_consistent(&self, topology: &Topology) -> bool {
        self.inconsistent_channels(topology).next().is_none()
    }

    /// The channels from which a message had been received that had not been sent.
    pub fn inconsistent_channels(&self, topology: &Topology) -> impl Iterator<Item = ChannelId> {
        topology.channels().filter(|&c| self.newest_received(topology, c) > self.sent(topology, c))
    }

    /// The greatest number of a message that the target of a channel had received from it before it
    /// recorded; 0 if none.
    fn newest_received(&self, topology: &Topology, channel: ChannelId) -> u16 {
        let target = topology.channel(channel).target;
        let identities = self.process(target).identities.get(topology.input_position(channel));
        let newest = identities.map(|numbers| numbers.last().copied().unwrap_or(0));
        newest.unwrap_or_else(|| self.received(topology, channel))
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
                identities: renaming.permuted_inputs(topology, process, saved.identities.clone()),
            }
        });
        Self {
            processes: renaming.permuted(saved),
            channels: renaming.permuted_channels(self.channels.renamed(renaming)),
        }
    }
}
