//! Which instances a sweep is about: every algorithm on every small setup.

use std::collections::BTreeSet;
use std::sync::Arc;

use itertools::Itertools;

use super::Options;
use crate::instance::{ApplicationSpec, Expectations, Instance};
use crate::models::applications::Script;
use crate::models::classes::{connected_topologies, initiator_sets};
use crate::models::process::AlgorithmInfo;
use crate::models::setup::{Coordinator, DefaultInitiators, Setup};
use crate::models::topology::{ProcessId, Topology};

/// A setup and its topology as it is written.
#[derive(Clone, Debug)]
pub struct NamedSetup {
    /// Notation of the topology.
    pub topology: String,
    /// The setup.
    pub setup: Arc<Setup>,
}

impl NamedSetup {
    /// The names of the initiators.
    #[must_use]
    pub fn initiators(&self) -> Vec<&str> {
        let name = |&process| self.setup.topology.name(process);
        self.setup.initiators.iter().map(name).collect()
    }
}

/// An instance of a sweep. They are in order of size: by setup, then by algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// Place of the setup in the space.
    pub setup: usize,
    /// Place of the algorithm in the space.
    pub algorithm: usize,
}

/// What a sweep is about.
///
/// A class of isomorphic topologies is represented by one of them. The application serves outputs in
/// the order of their targets, and so in one order of those that the class has; back-edges, too, depend on
/// the order of the processes.
#[derive(Clone, Debug)]
pub struct Space {
    /// The algorithms.
    pub algorithms: Vec<AlgorithmInfo>,
    /// The setups: by the number of processes, then of channels, then of initiators.
    pub setups: Vec<NamedSetup>,
    /// How many topologies there are.
    pub topologies: usize,
    /// Messages on each channel.
    pub messages: u16,
    /// Whether a central coordinator tells the initiators to begin.
    pub central: bool,
}

impl Space {
    /// What these options are about.
    #[must_use]
    pub fn of(options: &Options) -> Self {
        let topologies = (1..=options.processes)
            .flat_map(|processes| connected_topologies(processes, options.self_channels))
            .collect_vec();
        let coordinator = if options.central { Coordinator::Central } else { Coordinator::None };
        let setup = |topology: &Topology, initiators: BTreeSet<ProcessId>| NamedSetup {
            topology: topology.notation(),
            setup: Arc::new(Setup::new(topology.clone(), initiators, coordinator)),
        };
        let setups = topologies
            .iter()
            .flat_map(|topology| {
                initiator_sets(topology).into_iter().map(|set| setup(topology, set))
            })
            .collect();
        Self {
            algorithms: options.algorithms.clone(),
            setups,
            topologies: topologies.len(),
            messages: options.messages,
            central: options.central,
        }
    }

    /// The instances, in order.
    #[must_use]
    pub fn cases(&self) -> Vec<Case> {
        let all = (0..self.setups.len()).cartesian_product(0..self.algorithms.len());
        let all = all.map(|(setup, algorithm)| Case { setup, algorithm });
        all.filter(|case| self.can_be_run(*case)).collect()
    }

    /// A coordinator of an algorithm that every process begins tells every process.
    fn can_be_run(&self, case: Case) -> bool {
        let all_are_told = self.central
            && self.algorithms[case.algorithm].default_initiators == DefaultInitiators::All;
        !all_are_told || self.setups[case.setup].setup.every_process_is_an_initiator()
    }

    /// The setup of an instance.
    #[must_use]
    pub fn setup(&self, case: Case) -> &NamedSetup {
        &self.setups[case.setup]
    }

    /// An instance, ready to be checked.
    #[must_use]
    pub fn instance(&self, case: Case) -> Instance {
        let named = self.setup(case);
        let algorithm = self.algorithms[case.algorithm];
        let name = format!(
            "{} on {} by {}",
            algorithm.name,
            named.topology,
            named.initiators().join(", ")
        );
        let script = Script::round_robin(&named.setup.topology, self.messages);
        Instance {
            title: name.clone(),
            about: String::new(),
            name,
            algorithm,
            topology_text: named.topology.clone(),
            setup: Arc::clone(&named.setup),
            application_text: format!("script, K = {}", self.messages),
            application: ApplicationSpec::Script(Arc::new(script)),
            expect: Expectations::default(),
            only_when_named: false,
        }
    }
}
