//! The setup of a run: topology, initiators and coordinator. Promises are conditioned on it.

use std::collections::BTreeSet;

use crate::renaming::Renaming;
use crate::topology::{ProcessId, Topology};

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

/// Where an algorithm runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Processes and channels.
    pub topology: Topology,
    /// The processes that may begin by themselves, or that the coordinator tells to begin. Not empty.
    pub initiators: BTreeSet<ProcessId>,
    /// Who tells them.
    pub coordinator: Coordinator,
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
    /// The renamings of the topology that change neither who may begin nor who coordinates, the
    /// identity first; at most `most`.
    #[must_use]
    pub fn renamings(&self, most: usize) -> Vec<Renaming> {
        let begins = |process| self.initiators.contains(&process);
        let coordinates = |process| self.coordinator == Coordinator::Process(process);
        let alike = |p, q| begins(p) == begins(q) && coordinates(p) == coordinates(q);
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
        let mut released = self.initiators.clone();
        loop {
            let next = self.topology.processes().find(|p| {
                let inputs = self.topology.inputs(*p);
                !released.contains(p)
                    && !inputs.is_empty()
                    && inputs.iter().all(|&c| released.contains(&self.topology.channel(c).source))
            });
            match next {
                Some(process) => released.insert(process),
                None => return released.len() == self.topology.process_count(),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(topology: &str, initiators: &[usize]) -> Setup {
        Setup {
            topology: Topology::parse(topology).unwrap(),
            initiators: initiators.iter().copied().map(ProcessId::new).collect(),
            coordinator: Coordinator::None,
        }
    }

    #[test]
    fn barriers_pass_cycles_only_through_initiators() {
        assert!(setup("fan-in(2)", &[0, 1]).barriers_reach_every_input());
        assert!(!setup("fan-in(2)", &[0]).barriers_reach_every_input());
        assert!(setup("ring(3)", &[1]).barriers_reach_every_input());
        assert!(!setup("s -> p, p -> p", &[0]).barriers_reach_every_input());
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
