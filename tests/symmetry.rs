//! Up to symmetry: every image of a reachable state is reachable, and a search that visits one of each
//! kind finds what the full search finds; and it would not if processes were taken for interchangeable
//! that are not.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use std::collections::BTreeSet;
use std::sync::Arc;

use itertools::Itertools;
use stateright::Model;

use snapcheck::check::{Options, Report, Status, Traces, check, irreducible};
use snapcheck::claims;
use snapcheck::engines::EngineKind;
use snapcheck::instance::bundled;
use snapcheck::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, FlinkAlignedCyclic, FlinkAtLeastOnce, FlinkUnaligned,
    General, GeneralLiteral, GeneralLiteralForgetful, Marker, Universal,
};
use snapcheck::models::applications::Script;
use snapcheck::models::applications::script::{Assignment, Step};
use snapcheck::models::claim::Claim;
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::renaming::{Renamed, Renaming};
use snapcheck::models::setup::{Buffers, Coordinator, Setup};
use snapcheck::models::topology::{ChannelId, ProcessId, Topology};
use snapcheck::registry::Registry;
use snapcheck::system::{Composed, PartOf, Reduction, SystemModel};
use support::command::{run, stdout};

const SYMMETRY: Reduction = Reduction { interleavings: false, symmetry: true };
const BOTH: Reduction = Reduction { interleavings: true, symmetry: true };

/// A state, taken apart so that it can be ordered.
type Parts = Vec<PartOf<SystemModel<Script>>>;

fn reachable(system: &SystemModel<Script>) -> BTreeSet<Parts> {
    let mut reachable = BTreeSet::new();
    let mut next = system.init_states();
    while let Some(state) = next.pop() {
        if reachable.insert(system.split(&state)) {
            next.extend(system.next_states(&state));
        }
    }
    reachable
}

/// How many reachable states there are, and of how many kinds; none if some image of one is not
/// reachable.
fn kinds(system: &SystemModel<Script>, renamings: &[Renaming]) -> Option<(usize, usize)> {
    let reachable = reachable(system);
    let mut kinds = BTreeSet::new();
    for parts in &reachable {
        let state = system.join(parts);
        let images = renamings.iter().map(|r| system.split(&system.image(&state, r)));
        let images = images.collect_vec();
        if images.iter().any(|image| !reachable.contains(image)) {
            return None;
        }
        kinds.insert(images.into_iter().chain([parts.clone()]).min());
    }
    Some((reachable.len(), kinds.len()))
}

fn setup<A: SnapshotAlgorithm>(topology: &str, coordinator: Coordinator) -> Setup {
    let topology = Topology::parse(topology).unwrap();
    let initiators = A::INFO.default_initiators.on(&topology);
    Setup::new(topology, initiators, coordinator)
}

fn scripted<A: SnapshotAlgorithm>(setup: Setup, messages: u16) -> SystemModel<Script> {
    let script = Script::round_robin(&setup.topology, messages);
    SystemModel::of::<A>(Arc::new(setup), Arc::new(script))
}

/// How many renamings change nothing, of which every image of a reachable state must be reachable.
fn symmetries<A: SnapshotAlgorithm>(
    topology: &str,
    messages: u16,
    coordinator: Coordinator,
) -> usize {
    let system = scripted::<A>(setup::<A>(topology, coordinator), messages);
    let renamings = system.symmetries();
    let (states, kinds) = kinds(&system, &renamings).unwrap();
    assert!(kinds < states && kinds * (1 + renamings.len()) >= states);
    1 + renamings.len()
}

const NONE: Coordinator = Coordinator::None;
const CENTRAL: Coordinator = Coordinator::Central;

#[test]
fn every_image_of_a_reachable_state_is_reachable() {
    let hub = Coordinator::Process(ProcessId::new(0));
    assert_eq!(symmetries::<ChandyLamport>("fan-in(2)", 2, NONE), 2);
    assert_eq!(symmetries::<ChandyLamport>("fan-in(3)", 1, NONE), 6);
    assert_eq!(symmetries::<ChandyLamport>("complete(3)", 0, NONE), 2);
    assert_eq!(symmetries::<FlinkAligned>("fan-in(2)", 2, CENTRAL), 2);
    assert_eq!(symmetries::<FlinkAligned>("a -> o, b -> o, o -> s", 1, NONE), 2);
    assert_eq!(symmetries::<FlinkAtLeastOnce>("fan-in(3)", 1, NONE), 6);
    assert_eq!(symmetries::<FlinkAlignedCyclic>("fan-in(2)", 2, CENTRAL), 2);
    assert_eq!(symmetries::<FlinkAlignedCyclic>("a -> o, b -> o, o -> o", 1, NONE), 2);
    assert_eq!(symmetries::<General>("ring(3)", 0, CENTRAL), 3);
    assert_eq!(symmetries::<General>("complete(2)", 2, CENTRAL), 2);
    assert_eq!(symmetries::<General>("p -> o, q -> o, o -> o", 1, CENTRAL), 2);
    assert_eq!(symmetries::<GeneralLiteral>("hub, a -> hub, b -> hub", 1, hub), 2);
    assert_eq!(symmetries::<GeneralLiteralForgetful>("complete(2)", 2, NONE), 2);
    assert_eq!(symmetries::<Universal>("ring(3)", 0, NONE), 3);
    assert_eq!(symmetries::<Clock>("p, q, r -> s", 1, NONE), 2);
}

/// What waits in queues is renamed with its process, and who may finish keeps to himself.
#[test]
fn queues_and_endings_are_renamed() {
    let fan_in = || setup::<FlinkUnaligned>("fan-in(2)", NONE);
    let buffered = Setup { buffers: Some(Buffers::default()), ..fan_in() };
    let system = scripted::<FlinkUnaligned>(buffered, 1);
    let renamings = system.symmetries();
    let (states, kinds) = kinds(&system, &renamings).unwrap();
    assert!(renamings.len() == 1 && kinds < states);
    let one = [ProcessId::new(0)].into();
    let ending = scripted::<FlinkUnaligned>(Setup { ending: one, ..fan_in() }, 1);
    assert!(ending.symmetries().is_empty());
    let both = [0, 1].map(ProcessId::new).into();
    let ending = scripted::<FlinkUnaligned>(Setup { ending: both, ..fan_in() }, 1);
    assert!(self::kinds(&ending, &ending.symmetries()).is_some());
}

/// The processes whose images differ can be told apart, so that nothing but the identity is left.
#[test]
fn what_tells_processes_apart_is_seen() {
    let renamings = |setup: Setup, script: &Script| {
        let system =
            SystemModel::<Script>::of::<General>(Arc::new(setup), Arc::new(script.clone()));
        system.symmetries().len()
    };
    let ring = setup::<General>("ring(2)", NONE);
    let script = Script::round_robin(&ring.topology, 1);
    assert_eq!(renamings(ring.clone(), &script), 1);
    let one = ring.initiators.iter().copied().take(1).collect();
    assert_eq!(renamings(Setup { initiators: one, ..ring.clone() }, &script), 0);
    let coordinator = Coordinator::Process(ProcessId::new(1));
    assert_eq!(renamings(Setup { coordinator, ..ring.clone() }, &script), 0);
    let mut longer = script.clone();
    longer.steps[1].push(Step::Internal("rest".into()));
    assert_eq!(renamings(ring.clone(), &longer), 0);
    let mut other = script.clone();
    other.initially[0].insert("x".into(), 1);
    assert_eq!(renamings(ring.clone(), &other), 0);
    let mut alike = script;
    for (process, steps) in ring.topology.processes().zip(&mut alike.steps) {
        let [output] = ring.topology.outputs(process) else { unreachable!("it is a ring") };
        steps.push(Step::Send(*output, Some(Assignment { variable: "x".into(), value: 1 })));
    }
    assert_eq!(renamings(ring, &alike), 1);
}

/// Of two processes that reach each other the one that the search for back-edges reaches first is another
/// to an algorithm that knows them.
#[test]
fn back_edges_tell_processes_apart() {
    fn symmetries<A: SnapshotAlgorithm>(topology: &str) -> usize {
        let setup = setup::<A>(topology, NONE);
        scripted::<A>(setup, 0).symmetries().len()
    }
    for (topology, by_channels, by_back_edges) in
        [("complete(3)", 1, 0), ("s -> p, s -> q, p -> q, q -> p", 1, 0), ("fan-in(2)", 1, 1)]
    {
        assert_eq!(symmetries::<ChandyLamport>(topology), by_channels, "{topology}");
        assert_eq!(symmetries::<FlinkAlignedCyclic>(topology), by_back_edges, "{topology}");
    }
    // Without that there would be a state whose image is not reachable.
    let [p0, p1, p2] = [0, 1, 2].map(ProcessId::new);
    let complete = setup::<FlinkAlignedCyclic>("complete(3)", NONE);
    let swap = Renaming::of(&complete.topology, vec![p0, p2, p1]).unwrap();
    let system = scripted::<FlinkAlignedCyclic>(complete, 0);
    assert_eq!(kinds(&system, &[swap]), None);
}

/// Asks which inputs are regular, and does not say that it does.
struct Secretive;

impl SnapshotAlgorithm for Secretive {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo { name: "secretive", ..ChandyLamport::INFO };

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.regular_inputs().for_each(|input| process.close(input));
    }

    fn on_control(_: &mut Process<'_, Self>, _: ChannelId, Marker: Marker) {}

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

#[test]
#[should_panic(expected = "secretive does not say that it knows back-edges")]
fn an_algorithm_that_does_not_say_that_it_knows_back_edges_is_caught() {
    reachable(&scripted::<Secretive>(setup::<Secretive>("ring(3)", NONE), 0));
}

/// Who serves its outputs in turn is told from its image that serves them in another order.
#[test]
fn processes_that_are_not_interchangeable_are_caught() {
    let [p0, p1, p2] = [0, 1, 2].map(ProcessId::new);
    let star = setup::<ChandyLamport>("star(2)", NONE);
    let swap = Renaming::of(&star.topology, vec![p0, p2, p1]).unwrap();
    let system = scripted::<ChandyLamport>(star, 1);
    assert_eq!(system.symmetries(), []);
    assert_eq!(kinds(&system, &[swap]), None);

    let pair = setup::<ChandyLamport>("complete(2)", NONE);
    let swap = Renaming::of(&pair.topology, vec![p1, p0]).unwrap();
    let system = scripted::<ChandyLamport>(pair, 1);
    assert_eq!(kinds(&system, &[swap]), None, "only p0 may begin");
}

/// Chandy–Lamport that keeps a list of its own of where markers have come from.
struct Listing<L>(std::marker::PhantomData<L>);

/// A list of channels.
trait List: Default {
    fn add(&mut self, channel: ChannelId);
}

impl List for BTreeSet<ChannelId> {
    fn add(&mut self, channel: ChannelId) {
        self.insert(channel);
    }
}

/// A list of channels that says that it names none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Denying(BTreeSet<ChannelId>);

impl Renamed for Denying {}

impl List for Denying {
    fn add(&mut self, channel: ChannelId) {
        self.0.insert(channel);
    }
}

impl<L> SnapshotAlgorithm for Listing<L>
where
    L: List + Renamed + Ord + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static,
{
    type Control = Marker;
    type State = L;

    const INFO: AlgorithmInfo = AlgorithmInfo { name: "listing", ..ChandyLamport::INFO };

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        process.memory.add(channel);
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.close(channel);
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

#[test]
fn an_algorithm_that_hides_a_name_is_caught() {
    let fan_in = || setup::<ChandyLamport>("fan-in(2)", NONE);
    let honest = scripted::<Listing<BTreeSet<ChannelId>>>(fan_in(), 1);
    let renamings = honest.symmetries();
    assert_eq!(renamings.len(), 1);
    assert!(kinds(&honest, &renamings).is_some());
    let denying = scripted::<Listing<Denying>>(fan_in(), 1);
    assert_eq!(kinds(&denying, &renamings), None);
}

fn explored(report: &Report) -> (u64, u64, Vec<(Claim, bool)>) {
    let verdicts = report.claims.iter().map(|found| (found.claim, found.deviates()));
    let explored = &report.explored;
    (explored.outcomes, explored.consistent_outcomes, verdicts.collect())
}

#[test]
fn every_bundled_instance_comes_out_as_expected() {
    let registry = Registry::bundled();
    let all = bundled::all(&registry.infos()).unwrap();
    let mut symmetric = 0;
    for instance in all.iter().filter(|instance| !instance.only_when_named) {
        let search = |reduction, engine| {
            let options = Options { traces: Traces::None, reduction, engine, ..Options::default() };
            check(&registry, instance, &options, &|_| ())
        };
        let full = search(Reduction::default(), EngineKind::Collapse);
        let fewer = search(SYMMETRY, EngineKind::Collapse);
        assert_eq!(fewer.status(), Status::AsExpected, "{}", instance.name);
        assert_eq!(explored(&fewer), explored(&full), "{}", instance.name);
        let found = fewer.explored;
        assert_eq!(found.symmetries > 1, found.unique < full.explored.unique, "{}", instance.name);
        if found.symmetries == 1 {
            continue;
        }
        symmetric += 1;
        let by_bfs = search(SYMMETRY, EngineKind::Bfs).explored;
        assert_eq!(
            (found.unique, found.generated, found.depth, found.verdicts),
            (by_bfs.unique, by_bfs.generated, by_bfs.depth, by_bfs.verdicts),
            "{}",
            instance.name
        );
        if irreducible(&registry, instance).is_some() {
            continue;
        }
        let both = search(BOTH, EngineKind::Collapse);
        assert_eq!(both.status(), Status::AsExpected, "{}", instance.name);
        assert_eq!(both.explored.outcomes, full.explored.outcomes, "{}", instance.name);
        assert!(both.claims.iter().all(|found| claims::is_lasting(found.claim)));
        assert!(both.explored.unique < found.unique, "{}", instance.name);
    }
    assert!(symmetric >= 10, "{symmetric} instances have interchangeable processes");
}

/// Counted in the full search, state by state, and found by the search up to symmetry.
#[test]
fn one_state_of_each_kind_is_searched() {
    let system = scripted::<ChandyLamport>(setup::<ChandyLamport>("fan-in(3)", NONE), 1);
    let (states, kinds) = kinds(&system, &system.symmetries()).unwrap();
    for (arguments, expected) in [(&[][..], states), (&["--symmetry"], kinds)] {
        let ad_hoc =
            ["--algorithm", "chandy-lamport", "--topology", "fan-in(3)", "--messages", "1"];
        let output = run(&[&["check", "--format", "json"], &ad_hoc[..], arguments].concat());
        let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(json["states"]["unique"], expected);
        assert_eq!(json["symmetries"], if arguments.is_empty() { 1 } else { 6 });
    }
}

#[test]
fn the_report_says_how_far_symmetry_goes() {
    let text = |arguments: &[&str]| stdout(&run(arguments));
    let found = text(&["check", "flink-at-least-once/fan-in-2", "--symmetry"]);
    assert!(found.contains(" s with collapse, up to symmetry, "), "{found}");
    assert!(found.contains("Up to symmetry: a state stands for up to 2,"), "{found}");
    assert!(found.contains("consistent-cut is violated after"), "{found}");
    let none = text(&["check", "chandy-lamport/line-3", "--symmetry", "--reduce"]);
    assert!(none.contains(", reduced, up to symmetry, "), "{none}");
    assert!(none.contains("No symmetry: no process is interchangeable"), "{none}");
    let list = text(&["check", "clock", "--symmetry"]);
    assert!(list.contains(" states, up to symmetry, in "), "{list}");
}
