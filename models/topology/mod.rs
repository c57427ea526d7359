//! The topology: which processes there are and which FIFO channels join them.

mod back_edges;
mod notation;
mod shapes;

pub use notation::NotationError;
pub use shapes::Shape;

use std::collections::BTreeSet;

use itertools::Itertools;

/// The most processes a topology may have. Exhaustive search ends long before that.
pub const MAX_PROCESSES: usize = 32;

/// A process, by its position in the topology (`0..Topology::process_count`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(u8);

impl ProcessId {
    /// The process at `index`, which must be below [`MAX_PROCESSES`].
    #[must_use]
    pub fn new(index: usize) -> Self {
        assert!(index < MAX_PROCESSES, "process index {index} out of range");
        Self(u8::try_from(index).expect("MAX_PROCESSES fits in a u8"))
    }

    /// Position in the topology.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A channel, by its position in the topology's channel list (ordered by source, then target).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelId(u16);

impl ChannelId {
    fn new(index: usize) -> Self {
        Self(u16::try_from(index).expect("MAX_PROCESSES squared fits in a u16"))
    }

    /// Position in the topology's channel list.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A directed FIFO edge. `source == target` is a self-channel, and legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel {
    /// The process that sends on it.
    pub source: ProcessId,
    /// The process that receives from it.
    pub target: ProcessId,
}

/// Processes and the channels between them: at least one process, at most one channel per ordered
/// pair. Immutable once built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    names: Vec<String>,
    channels: Vec<Channel>,
    inputs: Vec<Vec<ChannelId>>,
    outputs: Vec<Vec<ChannelId>>,
    /// Per channel, its position among the outputs of its source.
    output_positions: Vec<usize>,
    /// Per channel, its position among the inputs of its target.
    input_positions: Vec<usize>,
    back_edges: BTreeSet<ChannelId>,
}

impl Topology {
    /// Reads the notation of instance files and of the command line: a comma-separated list of named
    /// shapes (`complete(3)`), edges and chains (`p -> q -> r`) and single processes (`p`).
    ///
    /// # Errors
    /// What is wrong, where in `text`, and what to do about it.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        notation::parse(text)
    }

    /// The topology in the notation that [`Topology::parse`] reads, and reads as the same.
    #[must_use]
    pub fn notation(&self) -> String {
        let channels = self.channels.iter().map(|channel| {
            format!("{} -> {}", self.name(channel.source), self.name(channel.target))
        });
        let appear = self.channels.iter().flat_map(|channel| [channel.source, channel.target]);
        // Processes are numbered as they appear: where the channels do not do, names come before.
        let names: &[_] = if appear.unique().eq(self.processes()) { &[] } else { &self.names };
        names.iter().cloned().chain(channels).join(", ")
    }

    /// One of the named shapes, with processes `p0`, `p1`, …
    #[must_use]
    pub fn of_shape(shape: Shape) -> Self {
        let names = (0..shape.process_count()).map(|i| format!("p{i}")).collect();
        Self::from_parts(names, &shape.edges().into_iter().collect())
    }

    /// Callers have checked names, process count and duplicate channels.
    fn from_parts(names: Vec<String>, edges: &BTreeSet<(usize, usize)>) -> Self {
        let channels = edges
            .iter()
            .map(|&(source, target)| Channel {
                source: ProcessId::new(source),
                target: ProcessId::new(target),
            })
            .collect_vec();
        let mut inputs = vec![Vec::new(); names.len()];
        let mut outputs = vec![Vec::new(); names.len()];
        let mut input_positions = Vec::new();
        let mut output_positions = Vec::new();
        for (index, channel) in channels.iter().enumerate() {
            let id = ChannelId::new(index);
            let ins: &mut Vec<_> = &mut inputs[channel.target.index()];
            input_positions.push(ins.len());
            ins.push(id);
            let outs: &mut Vec<_> = &mut outputs[channel.source.index()];
            output_positions.push(outs.len());
            outs.push(id);
        }
        let mut topology = Self {
            names,
            channels,
            inputs,
            outputs,
            output_positions,
            input_positions,
            back_edges: BTreeSet::new(),
        };
        topology.back_edges = back_edges::of(&topology);
        topology
    }

    /// How many processes there are; at least one.
    #[must_use]
    pub fn process_count(&self) -> usize {
        self.names.len()
    }

    /// All processes, in order.
    pub fn processes(&self) -> impl DoubleEndedIterator<Item = ProcessId> + use<> {
        (0..self.names.len()).map(ProcessId::new)
    }

    /// All channels, ordered by source, then target.
    pub fn channels(&self) -> impl DoubleEndedIterator<Item = ChannelId> + use<> {
        (0..self.channels.len()).map(ChannelId::new)
    }

    /// How many channels there are.
    #[must_use]
    pub fn channel_count(&self) -> usize {
        self.channels.len()
    }

    /// The two ends of a channel.
    #[must_use]
    pub fn channel(&self, channel: ChannelId) -> Channel {
        self.channels[channel.index()]
    }

    /// The channel from `source` to `target`, if there is one.
    #[must_use]
    pub fn channel_between(&self, source: ProcessId, target: ProcessId) -> Option<ChannelId> {
        self.channels.binary_search(&Channel { source, target }).ok().map(ChannelId::new)
    }

    /// The channels a process receives from, ordered by source.
    #[must_use]
    pub fn inputs(&self, process: ProcessId) -> &[ChannelId] {
        &self.inputs[process.index()]
    }

    /// The channels a process sends on, ordered by target.
    #[must_use]
    pub fn outputs(&self, process: ProcessId) -> &[ChannelId] {
        &self.outputs[process.index()]
    }

    /// Position of a channel among the inputs of its target.
    #[must_use]
    pub fn input_position(&self, channel: ChannelId) -> usize {
        self.input_positions[channel.index()]
    }

    /// Position of a channel among the outputs of its source.
    #[must_use]
    pub fn output_position(&self, channel: ChannelId) -> usize {
        self.output_positions[channel.index()]
    }

    /// A process's name.
    #[must_use]
    pub fn name(&self, process: ProcessId) -> &str {
        &self.names[process.index()]
    }

    /// The process of that name.
    #[must_use]
    pub fn process_named(&self, name: &str) -> Option<ProcessId> {
        self.names.iter().position(|n| n == name).map(ProcessId::new)
    }

    /// All names, in the order of the processes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// A channel as people write it: `p→q`.
    #[must_use]
    pub fn channel_name(&self, channel: ChannelId) -> String {
        let Channel { source, target } = self.channel(channel);
        format!("{}→{}", self.name(source), self.name(target))
    }

    /// Whether a channel leads back on a path of the depth-first search from the processes without inputs,
    /// in order, then from the first that is unreached. Without such channels no cycle is left.
    #[must_use]
    pub fn is_back_edge(&self, channel: ChannelId) -> bool {
        self.back_edges.contains(&channel)
    }

    /// The processes without inputs, in order.
    #[must_use]
    pub fn sources(&self) -> BTreeSet<ProcessId> {
        self.processes().filter(|&p| self.inputs(p).is_empty()).collect()
    }

    /// Everything that can be reached from `starts` along channels, the starts included.
    #[must_use]
    pub fn reachable_from(&self, starts: &BTreeSet<ProcessId>) -> BTreeSet<ProcessId> {
        let mut reached = starts.clone();
        let mut frontier = starts.iter().copied().collect_vec();
        while let Some(process) = frontier.pop() {
            for &channel in self.outputs(process) {
                let target = self.channel(channel).target;
                if reached.insert(target) {
                    frontier.push(target);
                }
            }
        }
        reached
    }

    /// Whether every process is reached from every other.
    #[must_use]
    pub fn is_strongly_connected(&self) -> bool {
        let reached = |process| self.reachable_from(&BTreeSet::from([process])).len();
        self.processes().all(|process| reached(process) == self.process_count())
    }

    /// Whether no directed cycle exists; a self-channel is a cycle.
    #[must_use]
    pub fn is_acyclic(&self) -> bool {
        self.processes().all(|process| {
            let successors =
                self.outputs(process).iter().map(|&c| self.channel(c).target).collect();
            !self.reachable_from(&successors).contains(&process)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_listed_by_target_and_positions_agree() {
        let topology = Topology::parse("b -> c, b -> a, a -> a").unwrap();
        let b = topology.process_named("b").unwrap();
        let targets = topology
            .outputs(b)
            .iter()
            .map(|&c| topology.name(topology.channel(c).target))
            .collect_vec();
        // Processes are numbered as they first appear: b, c, a.
        assert_eq!(targets, ["c", "a"]);
        for channel in topology.channels() {
            let Channel { source, target } = topology.channel(channel);
            assert_eq!(topology.outputs(source)[topology.output_position(channel)], channel);
            assert_eq!(topology.inputs(target)[topology.input_position(channel)], channel);
            assert_eq!(topology.channel_between(source, target), Some(channel));
        }
    }

    #[test]
    fn the_notation_is_read_as_it_was_meant() {
        for text in ["p", "p, q, r -> p", "b -> c, b -> a, a -> a", "fan-in(2)", "q, p -> q"] {
            let topology = Topology::parse(text).unwrap();
            assert_eq!(Topology::parse(&topology.notation()), Ok(topology), "{text}");
        }
        assert_eq!(Topology::of_shape(Shape::Line(3)).notation(), "p0 -> p1, p1 -> p2");
    }

    #[test]
    fn sources_reachability_and_cycles() {
        let diamond = Topology::of_shape(Shape::Diamond);
        assert_eq!(diamond.sources(), BTreeSet::from([ProcessId::new(0)]));
        assert_eq!(diamond.reachable_from(&diamond.sources()).len(), 4);
        assert!(diamond.is_acyclic());
        assert!(!Topology::of_shape(Shape::Ring(3)).is_acyclic());
        assert!(Topology::of_shape(Shape::Ring(3)).is_strongly_connected());
        assert!(!diamond.is_strongly_connected());
        let self_channel = Topology::parse("p -> p").unwrap();
        assert!(!self_channel.is_acyclic());
        assert!(self_channel.sources().is_empty());
    }
}
