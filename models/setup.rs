//! The setup of a run: topology, initiators and coordinator. Promises are conditioned on it.

use std::collections::BTreeSet;

use crate::network::Network;
use crate::renaming::Renaming;
use crate::topology::{Channel, ChannelId, ProcessId, Topology};

/// Who tells processes to begin, and collects their "done".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinator {
    /// Nobody: initiators begin by themselves, at any moment.
    None,
    /// An actor of its own, with FIFO flows of its own to and from every process.
    Central,
    /// One of the processes. Its instruction to itself is a step of its own; to another process it
    /// travels on the data channel where there is one. "Done" has flows of its own.
    Process(ProcessId),
}

/// How many snapshots are taken. More than one needs a central coordinator, which numbers them from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    /// How many; at least one.
    pub count: u16,
    /// How many may be under way at a time; at least one.
    pub overlapping: u16,
    /// How many the coordinator may end before they are complete.
    pub aborts: u16,
}

impl Default for Checkpoints {
    fn default() -> Self {
        Self { count: 1, overlapping: 1, aborts: 0 }
    }
}

/// When what a sink writes can be seen outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sinks {
    /// At once, and for ever.
    Plain,
    /// When a checkpoint is complete that covers it: it is pre-committed when the sink records, and
    /// committed when the sink hears of completion. Carbone et al. 2017, section 4.3.
    Transactional,
}

/// The queues at the ends of every channel: what a process sends waits in the output queue until it is put
/// on the wire, and what arrives in the input queue until it is read. Each is a step of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffers {
    /// How many messages a queue has room for. A full output queue holds up the application, a full input
    /// queue the wire; control messages always find room. Without bound if none.
    pub capacity: Option<u16>,
}

/// What can go wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// How often the whole job may fail over: every process returns to the newest checkpoint that was
    /// declared complete. Needs a central coordinator.
    pub failovers: u16,
    /// How many of the coordinator's notices of completion may be lost.
    pub lost_notices: u16,
}

impl Failures {
    /// Whether anything can.
    #[must_use]
    pub fn are_possible(self) -> bool {
        self != Self::default()
    }
}

/// Where an algorithm runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Processes and channels.
    pub topology: Topology,
    /// The processes that may begin by themselves, or that the coordinator tells to begin. Not empty.
    pub initiators: BTreeSet<ProcessId>,
    /// Who tells them.
    pub coordinator: Coordinator,
    /// How many snapshots are taken.
    pub checkpoints: Checkpoints,
    /// What can go wrong.
    pub failures: Failures,
    /// When the outside sees what sinks write.
    pub sinks: Sinks,
    /// How channels work.
    pub network: Network,
    /// The queues at the ends of channels, if there are any.
    pub buffers: Option<Buffers>,
    /// The processes that may finish when they have nothing left to do; others follow them when all
    /// that they receive from has finished. Nothing ends if there are none.
    pub ending: BTreeSet<ProcessId>,
}

/// The initiators that an algorithm has when nobody names any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultInitiators {
    /// Every process.
    All,
    /// The processes without inputs; where there are none, the first process.
    Sources,
}

impl DefaultInitiators {
    /// The default initiators on `topology`.
    #[must_use]
    pub fn on(self, topology: &Topology) -> BTreeSet<ProcessId> {
        let sources = topology.sources();
        match self {
            Self::All => topology.processes().collect(),
            Self::Sources if sources.is_empty() => topology.processes().take(1).collect(),
            Self::Sources => sources,
        }
    }
}

impl Setup {
    /// One snapshot on FIFO channels, nothing fails, and what sinks write is seen at once.
    #[must_use]
    pub fn new(
        topology: Topology,
        initiators: BTreeSet<ProcessId>,
        coordinator: Coordinator,
    ) -> Self {
        Self {
            topology,
            initiators,
            coordinator,
            checkpoints: Checkpoints::default(),
            failures: Failures::default(),
            sinks: Sinks::Plain,
            network: Network::Fifo,
            buffers: None,
            ending: BTreeSet::new(),
        }
    }

    /// Whether one snapshot is taken, nothing fails or is aborted, and channels are FIFO.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.checkpoints == Checkpoints::default()
            && !self.failures.are_possible()
            && self.network.is_fifo()
    }

    /// Whether anybody collects "done".
    #[must_use]
    pub fn has_coordinator(&self) -> bool {
        self.coordinator != Coordinator::None
    }

    /// Whether it is plain, channels are not buffered, and nobody finishes: what the reductions, the
    /// specification and claims that need history understand.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        self.is_plain() && self.buffers.is_none() && self.ending.is_empty()
    }

    /// The renamings of the topology that change neither who may begin nor who coordinates, the
    /// identity first; at most `most`.
    #[must_use]
    pub fn renamings(&self, most: usize) -> Vec<Renaming> {
        let begins = |process| self.initiators.contains(&process);
        let coordinates = |process| self.coordinator == Coordinator::Process(process);
        let ends = |process| self.ending.contains(&process);
        let alike =
            |p, q| begins(p) == begins(q) && coordinates(p) == coordinates(q) && ends(p) == ends(q);
        Renaming::all(&self.topology, &alike, most)
    }

    /// Whether every process is reached from an initiator.
    #[must_use]
    pub fn initiators_reach_every_process(&self) -> bool {
        self.topology.reachable_from(&self.initiators).len() == self.topology.process_count()
    }

    /// Whether every process is an initiator.
    #[must_use]
    pub fn every_process_is_an_initiator(&self) -> bool {
        self.initiators.len() == self.topology.process_count()
    }

    /// Whether no initiator has an input: the initiators are sources.
    #[must_use]
    pub fn initiators_have_no_inputs(&self) -> bool {
        self.initiators.is_subset(&self.topology.sources())
    }

    /// Whether no initiator has an input but back-edges: each begins like a source.
    #[must_use]
    pub fn initiators_have_back_edges_only(&self) -> bool {
        let inputs = self.initiators.iter().flat_map(|&p| self.topology.inputs(p));
        inputs.into_iter().all(|&input| self.topology.is_back_edge(input))
    }

    /// Whether every source is an initiator.
    #[must_use]
    pub fn sources_are_initiators(&self) -> bool {
        self.topology.sources().is_subset(&self.initiators)
    }

    /// Whether every process has one input at most.
    #[must_use]
    pub fn inputs_are_single(&self) -> bool {
        self.topology.processes().all(|p| self.topology.inputs(p).len() <= 1)
    }

    /// Whether a process that waits for a barrier on every input gets them all: each source is an
    /// initiator, and each cycle passes through an initiator.
    #[must_use]
    pub fn barriers_reach_every_input(&self) -> bool {
        self.released(None, |_| true).len() == self.topology.process_count()
    }

    /// Whether barriers reach every process where none waits for those of its back-edges.
    #[must_use]
    pub fn barriers_reach_past_back_edges(&self) -> bool {
        let awaited = |input| !self.topology.is_back_edge(input);
        self.released(None, awaited).len() == self.topology.process_count()
    }

    /// Whether no process can have the barrier of one input and wait for that of another: whoever has
    /// two inputs gets no barrier before it records.
    #[must_use]
    pub fn nobody_waits_between_barriers(&self) -> bool {
        self.nobody_waits(|_| true)
    }

    /// The same where none waits for the barriers of back-edges.
    #[must_use]
    pub fn nobody_waits_but_for_back_edges(&self) -> bool {
        self.nobody_waits(|input| !self.topology.is_back_edge(input))
    }

    /// Whether no process can have the barrier of one input and wait for that of another, an awaited one.
    fn nobody_waits(&self, awaited: impl Fn(ChannelId) -> bool) -> bool {
        self.topology.processes().all(|process| {
            let inputs = self.topology.inputs(process);
            let before = self.released(Some(process), &awaited);
            let comes = |input: &ChannelId| before.contains(&self.topology.channel(*input).source);
            let is_last = |input| inputs.iter().all(|other| other == input || !awaited(*other));
            !inputs.iter().any(|input| comes(input) && !is_last(input))
        })
    }

    /// Whether no channel leads from an initiator to another.
    #[must_use]
    pub fn no_channel_joins_initiators(&self) -> bool {
        self.topology.channels().all(|channel| {
            let Channel { source, target } = self.topology.channel(channel);
            let ends = BTreeSet::from([source, target]);
            ends.len() == 1 || !ends.is_subset(&self.initiators)
        })
    }

    /// The processes that record where each waits for a barrier on some input and on every awaited one,
    /// but initiators, and one process does not record at all.
    fn released(
        &self,
        but: Option<ProcessId>,
        awaited: impl Fn(ChannelId) -> bool,
    ) -> BTreeSet<ProcessId> {
        let mut released = self.initiators.clone();
        if let Some(silent) = but {
            released.remove(&silent);
        }
        loop {
            let next = self.topology.processes().find(|p| {
                let inputs = self.topology.inputs(*p);
                let comes = |&c: &ChannelId| released.contains(&self.topology.channel(c).source);
                but != Some(*p)
                    && !released.contains(p)
                    && inputs.iter().any(comes)
                    && inputs.iter().all(|c| !awaited(*c) || comes(c))
            });
            match next {
                Some(process) => released.insert(process),
                None => return released,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(topology: &str, initiators: &[usize]) -> Setup {
        Setup::new(
            Topology::parse(topology).unwrap(),
            initiators.iter().copied().map(ProcessId::new).collect(),
            Coordinator::None,
        )
    }

    #[test]
    fn barriers_pass_cycles_only_through_initiators() {
        assert!(setup("fan-in(2)", &[0, 1]).barriers_reach_every_input());
        assert!(!setup("fan-in(2)", &[0]).barriers_reach_every_input());
        assert!(setup("ring(3)", &[1]).barriers_reach_every_input());
        assert!(!setup("s -> p, p -> p", &[0]).barriers_reach_every_input());
    }

    #[test]
    fn barriers_pass_cycles_where_none_waits_for_back_edges() {
        assert!(setup("s -> p, p -> p", &[0]).barriers_reach_past_back_edges());
        assert!(setup("s -> p, p -> q, q -> p", &[0]).barriers_reach_past_back_edges());
        assert!(!setup("fan-in(2)", &[0]).barriers_reach_past_back_edges());
        // p0 has only a back-edge, and records at its barrier.
        assert!(setup("ring(3)", &[1]).barriers_reach_past_back_edges());
        assert!(!setup("ring(3)", &[1]).initiators_have_back_edges_only());
        assert!(setup("ring(3)", &[0]).initiators_have_back_edges_only());
        // Nobody tells q.
        assert!(!setup("s -> p, q -> q", &[0]).barriers_reach_past_back_edges());
    }

    #[test]
    fn a_barrier_comes_early_where_it_does_not_depend_on_who_waits() {
        assert!(!setup("fan-in(2)", &[0]).nobody_waits_between_barriers());
        assert!(setup("fan-in(2)", &[2]).nobody_waits_between_barriers());
        assert!(setup("ring(3)", &[0]).nobody_waits_between_barriers());
        // The hub hears only from those that it told.
        let hub = "h -> a, a -> h, h -> b, b -> h";
        assert!(setup(hub, &[0]).nobody_waits_between_barriers());
        assert!(!setup(hub, &[0, 1]).nobody_waits_between_barriers());
        assert!(!setup("s -> p, p -> p", &[0]).nobody_waits_between_barriers());
        assert!(setup("s -> p, p -> p", &[0]).nobody_waits_but_for_back_edges());
        assert!(!setup("fan-in(2)", &[0]).nobody_waits_but_for_back_edges());
        // The barrier of q may come back to p before that of s.
        assert!(setup("s -> p, p -> q, q -> p", &[0]).nobody_waits_but_for_back_edges());
        assert!(!setup("s -> p, p -> q, q -> p", &[0, 2]).nobody_waits_but_for_back_edges());
    }

    #[test]
    fn channels_that_join_initiators() {
        assert!(setup("line(3)", &[0, 2]).no_channel_joins_initiators());
        assert!(!setup("line(3)", &[0, 1]).no_channel_joins_initiators());
        assert!(setup("p -> p, p -> q", &[0]).no_channel_joins_initiators());
    }

    #[test]
    fn default_initiators() {
        let ring = Topology::parse("ring(3)").unwrap();
        assert_eq!(DefaultInitiators::Sources.on(&ring), BTreeSet::from([ProcessId::new(0)]));
        assert_eq!(DefaultInitiators::All.on(&ring).len(), 3);
        let fan_in = Topology::parse("fan-in(2)").unwrap();
        assert_eq!(DefaultInitiators::Sources.on(&fan_in).len(), 2);
    }
}
