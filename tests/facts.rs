//! The facts about the algorithms as sets of snapshots and as conditions on the topology: which
//! contains which, and exactly where each promise is kept.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod scripted;
    pub(crate) mod small;
}

use std::collections::BTreeSet;
use std::sync::Arc;

use snapcheck::check::{Options, Traces, check};
use snapcheck::engines::{EngineKind, Limits, Request};
use snapcheck::instance::Instance;
use snapcheck::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, FlinkAlignedCyclic, FlinkAtLeastOnce, General,
    GeneralLiteral, Universal,
};
use snapcheck::models::applications::Script;
use snapcheck::models::applications::script::{Assignment, ScriptState};
use snapcheck::models::claim::Claim;
use snapcheck::models::process::SnapshotAlgorithm;
use snapcheck::models::recording::Outcome;
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::{ChannelId, ProcessId, Topology};
use snapcheck::registry::Registry;
use snapcheck::system::{Reduced, Reduction, SystemModel};
use snapcheck::verdict::Verdict;
use support::scripted::scripted;
use support::small::small_setups;

type Outcomes = BTreeSet<Outcome<ScriptState, Option<Assignment>>>;

fn outcomes_with<A: SnapshotAlgorithm>(
    text: &str,
    messages: u16,
    coordinator: Coordinator,
) -> Outcomes {
    let topology = Topology::parse(text).unwrap();
    let script = Script::round_robin(&topology, messages);
    let initiators = A::INFO.default_initiators.on(&topology);
    let setup = Setup::new(topology, initiators, coordinator);
    let system = SystemModel::<Script>::of::<A>(Arc::new(setup), Arc::new(script));
    let system = Arc::new(Reduced::new(system, Reduction::default()));
    let request = Request { claims: Vec::new(), limits: Limits::default(), threads: 1 };
    let exploration = EngineKind::Bfs.explore(&system, &request, &|_| ());
    assert!(exploration.complete);
    exploration.outcomes
}

fn outcomes<A: SnapshotAlgorithm>(text: &str, messages: u16) -> Outcomes {
    outcomes_with::<A>(text, messages, Coordinator::None)
}

/// The consistent ones among all combinations of local states, which is what `clock` records.
fn consistent_cuts(text: &str, messages: u16) -> BTreeSet<Vec<(Vec<u16>, Vec<u16>)>> {
    let topology = Topology::parse(text).unwrap();
    let all = outcomes::<Clock>(text, messages);
    all.iter().filter(|o| o.is_consistent(&topology)).map(cut).collect()
}

fn cut(outcome: &Outcome<ScriptState, Option<Assignment>>) -> Vec<(Vec<u16>, Vec<u16>)> {
    outcome.processes.iter().map(|p| (p.sent.clone(), p.received.clone())).collect()
}

const ACYCLIC: [(&str, u16); 5] =
    [("line(2)", 2), ("line(3)", 2), ("star(2)", 2), ("fan-in(2)", 2), ("diamond", 1)];

#[test]
fn inclusions_on_acyclic_graphs_begun_by_the_sources() {
    for (text, messages) in ACYCLIC {
        let aligned = outcomes::<FlinkAligned>(text, messages);
        let cyclic = outcomes::<FlinkAlignedCyclic>(text, messages);
        let chandy_lamport = outcomes::<ChandyLamport>(text, messages);
        let general = outcomes::<General>(text, messages);
        let universal = outcomes::<Universal>(text, messages);
        let literal = outcomes::<GeneralLiteral>(text, messages);
        let at_least_once = outcomes::<FlinkAtLeastOnce>(text, messages);
        assert_eq!(cyclic, aligned, "{text}");
        assert!(aligned.is_subset(&chandy_lamport), "{text}");
        assert!(chandy_lamport.is_subset(&general), "{text}");
        assert_eq!(general, universal, "{text}");
        assert!(universal.is_subset(&literal) && universal != literal, "{text}");
        assert!(aligned.is_subset(&at_least_once), "{text}");
        let cuts: BTreeSet<_> = universal.iter().map(cut).collect();
        assert_eq!(cuts, consistent_cuts(text, messages), "{text}");
        assert_eq!(cuts.len(), universal.len(), "{text}: the cut determines the channel states");

        let single = Topology::parse(text).unwrap();
        let single = single.processes().all(|p| single.inputs(p).len() <= 1);
        assert_eq!(aligned == chandy_lamport, single, "{text}");
    }
}

/// On a cycle begun by the sources: between an aligned checkpoint, of which there is none, and Chandy and
/// Lamport's, which also logs regular inputs.
#[test]
fn inclusions_on_cycles_begun_by_the_sources() {
    for (text, messages) in [
        ("s -> p, p -> p", 2),
        ("s -> p, p -> q, q -> p", 1),
        ("s -> p, p -> q, q -> q, q -> p", 1),
        ("ring(3)", 1),
        ("s -> p, t -> p, p -> p", 1),
    ] {
        let cyclic = outcomes::<FlinkAlignedCyclic>(text, messages);
        let chandy_lamport = outcomes::<ChandyLamport>(text, messages);
        assert!(!cyclic.is_empty() && cyclic.is_subset(&chandy_lamport), "{text}");
        assert!(chandy_lamport.is_subset(&outcomes::<Universal>(text, messages)), "{text}");
        let topology = Topology::parse(text).unwrap();
        let regular = |p: &ProcessId| {
            topology.inputs(*p).iter().filter(|&&c| !topology.is_back_edge(c)).count()
        };
        let nothing_to_align = topology.processes().all(|p| regular(&p) <= 1);
        assert_eq!(cyclic == chandy_lamport, nothing_to_align, "{text}");
        // Back-edges, and nothing else, have a state.
        let states =
            |channel: ChannelId| cyclic.iter().any(|o| !o.channels[channel.index()].is_empty());
        let mut channels = topology.channels();
        assert!(channels.all(|c| states(c) == topology.is_back_edge(c)), "{text}");
        let sources = !topology.sources().is_empty();
        assert_eq!(outcomes::<FlinkAligned>(text, messages).is_empty(), sources, "{text}");
    }
}

#[test]
fn the_coordinator_matters_only_if_it_is_a_process() {
    let hub = Coordinator::Process(ProcessId::new(0));
    let universal = outcomes::<Universal>("star(2)", 2);
    assert_eq!(outcomes_with::<General>("star(2)", 2, Coordinator::Central), universal);
    let from_the_hub = outcomes_with::<General>("star(2)", 2, hub);
    assert!(from_the_hub.is_subset(&universal));
    assert_eq!((from_the_hub.len(), universal.len()), (15, 22));
}

#[test]
fn promises_are_kept_and_conditions_are_exact() {
    let registry = Registry::bundled();
    let options = Options { traces: Traces::None, ..Options::default() };
    let setups = small_setups();
    assert_eq!(setups.len(), 2 + 16 * 3 + 42 * 7);
    for (topology, initiators) in &setups {
        for info in registry.algorithms() {
            let instance = scripted(&registry, info.name, topology, 1, initiators);
            let report = check(&registry, &instance, &options, &|_| ());
            let holds = |claim: Claim| {
                let found = report.claims.iter().find(|report| report.claim == claim);
                found.is_some_and(|report| report.verdict == Verdict::Holds)
            };
            let place = format!("{} on {topology}, {initiators}", info.name);
            for claim in &report.claims {
                assert!(!claim.promised || claim.verdict == Verdict::Holds, "{place}: {claim:?}");
            }
            exact_conditions(&instance, holds, &place);
        }
    }
}

/// Without back-edges the two aligned checkpoints are one, whoever begins: states, steps, snapshots, verdicts.
#[test]
fn without_cycles_the_cyclic_checkpoint_is_the_aligned_one() {
    let registry = Registry::bundled();
    let options = Options { traces: Traces::None, ..Options::default() };
    let (mut equal, mut different) = (0, 0);
    for (topology, initiators) in &small_setups() {
        let found = |algorithm| {
            let instance = scripted(&registry, algorithm, topology, 1, initiators);
            let report = check(&registry, &instance, &options, &|_| ());
            let verdicts = report.claims.iter().map(|found| (found.claim, found.verdict));
            let counts = (report.explored.unique, report.explored.generated);
            (counts, report.explored.outcomes, verdicts.collect::<Vec<_>>())
        };
        let same = found("flink-aligned") == found("flink-aligned-cyclic");
        let acyclic = Topology::parse(topology).unwrap().is_acyclic();
        assert!(same || !acyclic, "{topology}, {initiators}");
        equal += usize::from(acyclic);
        different += usize::from(!same);
    }
    assert!(equal > 100 && different > 50, "{equal}, {different}");
}

/// Where a condition is known to be exact, a claim that is not promised does not hold.
fn exact_conditions(instance: &Instance, holds: impl Fn(Claim) -> bool, place: &str) {
    let exact = |claim: Claim| assert_eq!(holds(claim), instance.promises(claim), "{place}");
    match instance.algorithm.name {
        "chandy-lamport" | "general" | "universal" | "clock" => exact(Claim::Terminates),
        "flink-aligned" => {
            exact(Claim::Terminates);
            if holds(Claim::Terminates) {
                exact(Claim::EmptyChannelState);
                exact(Claim::ExactChannelState);
            }
        }
        "flink-aligned-cyclic" => {
            exact(Claim::Terminates);
            if holds(Claim::Terminates) {
                exact(Claim::EmptyChannelState);
                exact(Claim::ExactChannelState);
                exact(Claim::MarkerArithmetic);
            }
        }
        "flink-at-least-once" => {
            exact(Claim::Terminates);
            if holds(Claim::Terminates) {
                exact(Claim::EmptyChannelState);
            }
        }
        _ => {}
    }
}
