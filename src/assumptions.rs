//! The job of `assumptions`: which of the claims that an algorithm promises on FIFO channels fall when the
//! network breaks one assumption, each with a shortest counterexample.

use std::sync::Arc;

use itertools::Itertools;

use crate::check::{ClaimReport, Options as CheckOptions, Report, Status, check};
use crate::claims::is_applicable_to;
use crate::engines::Limits;
use crate::instance::{ApplicationSpec, Expectations, Instance, write_network};
use crate::models::applications::Script;
use crate::models::claim::Claim;
use crate::models::network::Network;
use crate::models::process::AlgorithmInfo;
use crate::models::setup::{Coordinator, Setup};
use crate::models::topology::Topology;
use crate::registry::Registry;
use crate::verdict::Verdict;

/// The topologies that are looked at when none is named: both directions, and several inputs at a process
/// that begins nothing.
pub const TOPOLOGIES: [&str; 2] = ["complete(2)", "fan-in(2)"];

/// The networks that are looked at when none is named: one without a fault, then one for each assumption.
pub const NETWORKS: [Network; 4] =
    [Network::Fifo, Network::Unordered, Network::Lossy(1), Network::Duplicating(1)];

/// What to look at.
#[derive(Clone, Debug)]
pub struct Options {
    /// The algorithms.
    pub algorithms: Vec<AlgorithmInfo>,
    /// The topologies, each as it was written.
    pub topologies: Vec<(String, Topology)>,
    /// The networks.
    pub networks: Vec<Network>,
    /// Messages on each channel.
    pub messages: u16,
    /// When to stop each search.
    pub limits: Limits,
}

/// What a network does to an algorithm.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The network.
    pub network: Network,
    /// For each topology, what came out for the claims that are promised there on FIFO channels.
    pub reports: Vec<Report>,
}

/// A claim that falls.
#[derive(Clone, Copy, Debug)]
pub struct Fall<'c> {
    /// The instance on which it falls in the fewest steps.
    pub report: &'c Report,
    /// The claim, with its counterexample.
    pub claim: &'c ClaimReport,
}

impl Fall<'_> {
    /// How many steps its counterexample takes, if it was found within the limits.
    #[must_use]
    pub fn steps(&self) -> Option<usize> {
        self.claim.shown.as_ref().map(|shown| shown.trace.steps.len())
    }
}

impl Cell {
    /// The claims that fall, each on the topology on which it does in the fewest steps.
    #[must_use]
    pub fn falls(&self) -> Vec<Fall<'_>> {
        let all = self.reports.iter().flat_map(|report| {
            let fallen = report.claims.iter().filter(|claim| claim.verdict == Verdict::Violated);
            fallen.map(move |claim| Fall { report, claim })
        });
        let all = all.collect_vec();
        let shortest = |claim: Claim| {
            let falls = all.iter().filter(|fall| fall.claim.claim == claim);
            falls.min_by_key(|fall| (fall.steps().is_none(), fall.steps())).copied()
        };
        Claim::ALL.into_iter().filter_map(shortest).collect()
    }

    /// Whether some search was cut off.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.reports.iter().any(|report| report.status() == Status::Inconclusive)
    }
}

/// The networks and one algorithm.
#[derive(Clone, Debug)]
pub struct Row {
    /// The algorithm.
    pub algorithm: AlgorithmInfo,
    /// What each network does.
    pub cells: Vec<Cell>,
}

/// Every algorithm on every network.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The topologies, as they were written.
    pub topologies: Vec<String>,
    /// Messages on each channel.
    pub messages: u16,
    /// The algorithms.
    pub rows: Vec<Row>,
}

impl Matrix {
    /// Whether every promise that is made was kept.
    #[must_use]
    pub fn status(&self) -> Status {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        let reports = cells.flat_map(|cell| &cell.reports);
        reports.map(Report::status).max().unwrap_or(Status::AsExpected)
    }
}

/// Looks at every algorithm on every network. `note` hears of each instance that begins.
#[must_use]
pub fn assumptions(registry: &Registry, options: &Options, note: &dyn Fn(&Instance)) -> Matrix {
    let row = |&algorithm: &AlgorithmInfo| {
        let cell = |&network: &Network| {
            let report = |(text, topology): &(String, Topology)| {
                let instance = instance(registry, algorithm, (text, topology), network, options);
                note(&instance);
                look(registry, &instance, options.limits)
            };
            Cell { network, reports: options.topologies.iter().map(report).collect() }
        };
        Row { algorithm, cells: options.networks.iter().map(cell).collect() }
    };
    Matrix {
        topologies: options.topologies.iter().map(|(text, _)| text.clone()).collect(),
        messages: options.messages,
        rows: options.algorithms.iter().map(row).collect(),
    }
}

/// Judges the claims that would be promised on FIFO channels.
fn look(registry: &Registry, instance: &Instance, limits: Limits) -> Report {
    let fifo = Setup { network: Network::Fifo, ..Setup::clone(&instance.setup) };
    let promises = instance.algorithm.promises.iter();
    let promised =
        promises.filter(|promise| promise.applies_to(&fifo)).map(|promise| promise.claim);
    let claims = promised.filter(|&claim| is_applicable_to(claim, instance)).collect();
    let options = CheckOptions { limits, claims, ..CheckOptions::default() };
    check(registry, instance, &options, &|_| ())
}

/// An algorithm that waits to be told of completion has a coordinator; the others begin by themselves.
fn instance(
    registry: &Registry,
    algorithm: AlgorithmInfo,
    (text, topology): (&str, &Topology),
    network: Network,
    options: &Options,
) -> Instance {
    let coordinator = match registry.awaits_completion(&algorithm) {
        true => Coordinator::Central,
        false => Coordinator::None,
    };
    let initiators = algorithm.default_initiators.on(topology);
    let name = format!("{} on {text}, {} channels", algorithm.name, write_network(network));
    let script = Script::round_robin(topology, options.messages);
    Instance {
        title: name.clone(),
        about: String::new(),
        name,
        algorithm,
        topology_text: text.to_owned(),
        setup: Arc::new(Setup { network, ..Setup::new(topology.clone(), initiators, coordinator) }),
        application_text: format!("script, K = {}", options.messages),
        application: ApplicationSpec::Script(Arc::new(script)),
        expect: Expectations::default(),
        only_when_named: false,
    }
}
