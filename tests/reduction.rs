//! The reduced search finds every terminal state and every outcome, in fewer states; and it would
//! not if its rule, or what it relies on, were wrong.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use itertools::Itertools;
use stateright::Model;
use stateright::actor::ActorModelAction;

use snapcheck::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, FlinkAtLeastOnce, General, GeneralLiteral,
    GeneralLiteralForgetful, Universal,
};
use snapcheck::models::application::{ActionWords, Application, Sends};
use snapcheck::models::applications::Script;
use snapcheck::models::applications::script::{Assignment, NextStep, ScriptState, Step};
use snapcheck::models::process::{SignatureOf, SnapshotAlgorithm};
use snapcheck::models::recording::Outcome;
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::{ChannelId, ProcessId, Topology};
use snapcheck::system::{ActorAction, Reduced, System, SystemModel, SystemOf, SystemState};

/// What a search finds.
#[derive(Debug, PartialEq, Eq)]
struct Ends {
    /// The terminal states, written out.
    terminal: BTreeSet<String>,
    outcomes: BTreeSet<Outcome<ScriptState, Option<Assignment>>>,
}

type State<A, P> = SystemState<SignatureOf<A>, P>;

/// Explores `model`, which has the states of `system`: how many there are, and where they end. States
/// are compared, not only their hashes.
fn explore<A, P, M>(system: &SystemOf<A, P>, model: &M) -> (usize, Ends)
where
    A: SnapshotAlgorithm,
    P: Application<State = ScriptState, Message = Option<Assignment>>,
    M: Model<State = State<A, P>>,
{
    let mut seen: BTreeMap<u64, Vec<State<A, P>>> = BTreeMap::new();
    let mut ends = Ends { terminal: BTreeSet::new(), outcomes: BTreeSet::new() };
    let mut frontier = model.init_states();
    let mut count = 0;
    while let Some(state) = frontier.pop() {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let alike = seen.entry(hasher.finish()).or_default();
        if alike.contains(&state) {
            continue;
        }
        count += 1;
        ends.outcomes.extend(system.outcome(&state));
        if system.is_terminal(&state) {
            ends.terminal.insert(format!("{state:?}"));
        }
        frontier.extend(model.next_states(&state));
        alike.push(state);
    }
    (count, ends)
}

fn system<A: SnapshotAlgorithm, P: Application>(setup: &Setup, application: P) -> SystemOf<A, P> {
    SystemModel::of::<A>(Arc::new(setup.clone()), Arc::new(application))
}

/// How many states the full and the reduced search have, which must end alike.
fn compare<A: SnapshotAlgorithm>(setup: &Setup, script: &Script) -> (usize, usize) {
    let full = system::<A, _>(setup, script.clone());
    let (states, ends) = explore::<A, _, _>(&full, &full);
    let reduced = Reduced::new(system::<A, _>(setup, script.clone()));
    let (fewer, same_ends) = explore::<A, _, _>(&full, &reduced);
    assert_eq!(ends, same_ends, "{} on {setup:?} with {script:?}", A::INFO.name);
    assert!(fewer <= states);
    (states, fewer)
}

fn setup<A: SnapshotAlgorithm>(topology: &str, coordinator: Coordinator) -> Setup {
    let topology = Topology::parse(topology).unwrap();
    let initiators = A::INFO.default_initiators.on(&topology);
    Setup { topology, initiators, coordinator }
}

/// Compares on a topology with so many messages on each channel.
fn scripted<A: SnapshotAlgorithm>(
    topology: &str,
    messages: u16,
    coordinator: Coordinator,
) -> (usize, usize) {
    let setup = setup::<A>(topology, coordinator);
    compare::<A>(&setup, &Script::round_robin(&setup.topology, messages))
}

const NONE: Coordinator = Coordinator::None;

fn inside(process: usize) -> Coordinator {
    Coordinator::Process(ProcessId::new(process))
}

#[test]
fn it_finds_all_ends_in_fewer_states() {
    for (name, (full, reduced), least) in [
        ("line(5)", scripted::<ChandyLamport>("line(5)", 1, NONE), 1),
        ("line(5) K2", scripted::<ChandyLamport>("line(5)", 2, NONE), 1),
        ("diamond", scripted::<ChandyLamport>("diamond", 2, NONE), 1),
        ("diamond al", scripted::<FlinkAligned>("diamond", 2, NONE), 1),
        ("diamond alo", scripted::<FlinkAtLeastOnce>("diamond", 1, NONE), 1),
        ("fan-in sink", scripted::<FlinkAligned>("a -> o, b -> o, o -> s", 2, NONE), 1),
        ("fan-in sink cl", scripted::<ChandyLamport>("a -> o, b -> o, o -> s", 2, NONE), 1),
        ("fan-in central", scripted::<FlinkAligned>("fan-in(2)", 2, Coordinator::Central), 1),
        ("star", scripted::<General>("star(2)", 2, Coordinator::Central), 1),
        ("star hub", scripted::<General>("star(2)", 2, inside(0)), 1),
        ("star leaf", scripted::<General>("star(2)", 1, inside(1)), 1),
        ("complete(2)", scripted::<GeneralLiteral>("complete(2)", 2, inside(0)), 1),
        ("complete(2)f", scripted::<GeneralLiteralForgetful>("complete(2)", 2, NONE), 1),
        ("universal line", scripted::<Universal>("line(3)", 2, NONE), 1),
        ("universal star", scripted::<Universal>("star(2)", 2, Coordinator::Central), 1),
        ("self", scripted::<ChandyLamport>("complete(2), p0 -> p0", 1, NONE), 1),
        ("ring", scripted::<ChandyLamport>("ring(3)", 1, NONE), 1),
        ("clock", scripted::<Clock>("fan-in(2)", 2, NONE), 1),
        ("complete(3)", scripted::<ChandyLamport>("complete(3)", 1, NONE), 1),
    ] {
        eprintln!("{name}: {full} {reduced} {:.1}", full as f64 / reduced as f64);
        assert!(full >= least * reduced, "{name}: {full} states, {reduced} reduced");
    }
}
