//! The reduced search finds every terminal state and every outcome, in fewer states; and it would
//! not if its rule, or what it relies on, were wrong.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use itertools::Itertools;
use stateright::Model;

use snapcheck::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, FlinkAtLeastOnce, General, GeneralLiteral,
    GeneralLiteralForgetful, Marker, Universal,
};
use snapcheck::models::application::{ActionWords, Application, Sends};
use snapcheck::models::applications::Script;
use snapcheck::models::applications::script::{Assignment, NextStep, ScriptState, Step};
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::recording::Outcome;
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::{ChannelId, ProcessId, Topology};
use snapcheck::system::{
    Composed, Reduced, Reduction, System, SystemAction, SystemModel, SystemState,
};

const FEWER: Reduction = Reduction { interleavings: true, symmetry: false };

/// What a search finds.
#[derive(Debug, PartialEq, Eq)]
struct Ends {
    /// The terminal states, written out.
    terminal: BTreeSet<String>,
    outcomes: BTreeSet<Outcome<ScriptState, Option<Assignment>>>,
}

/// Explores `model`, which has the states of `system`: how many there are, and where they end. States
/// are compared, not only their hashes.
fn explore<P, M>(system: &SystemModel<P>, model: &M) -> (usize, Ends)
where
    P: Application<State = ScriptState, Message = Option<Assignment>>,
    M: Model<State = SystemState<P>>,
{
    let mut seen: BTreeMap<u64, Vec<SystemState<P>>> = BTreeMap::new();
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
        ends.outcomes.extend(system.outcomes(&state));
        if system.is_terminal(&state) {
            ends.terminal.insert(format!("{state:?}"));
        }
        frontier.extend(model.next_states(&state));
        alike.push(state);
    }
    (count, ends)
}

fn system<A: SnapshotAlgorithm, P: Application>(setup: &Setup, application: P) -> SystemModel<P> {
    SystemModel::of::<A>(Arc::new(setup.clone()), Arc::new(application))
}

/// How many states the full and the reduced search have, which must end alike.
fn compare<A: SnapshotAlgorithm>(setup: &Setup, script: &Script) -> (usize, usize) {
    let full = system::<A, _>(setup, script.clone());
    let (states, ends) = explore(&full, &full);
    let reduced = Reduced::new(system::<A, _>(setup, script.clone()), FEWER);
    let (fewer, same_ends) = explore(&full, &reduced);
    assert_eq!(ends, same_ends, "{} on {setup:?} with {script:?}", A::INFO.name);
    assert!(fewer <= states);
    (states, fewer)
}

fn setup<A: SnapshotAlgorithm>(topology: &str, coordinator: Coordinator) -> Setup {
    let topology = Topology::parse(topology).unwrap();
    let initiators = A::INFO.default_initiators.on(&topology);
    Setup::new(topology, initiators, coordinator)
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
    let central = Coordinator::Central;
    for (name, (full, reduced), least) in [
        ("a pipeline", scripted::<ChandyLamport>("line(5)", 2, NONE), 30),
        ("a diamond", scripted::<ChandyLamport>("diamond", 2, NONE), 25),
        ("a diamond that blocks", scripted::<FlinkAligned>("diamond", 2, NONE), 25),
        ("a sink behind a join", scripted::<FlinkAligned>(JOIN, 2, NONE), 6),
        ("a join", scripted::<FlinkAtLeastOnce>("fan-in(2)", 2, NONE), 3),
        ("a join, coordinated", scripted::<FlinkAligned>("fan-in(2)", 2, central), 6),
        ("a star, coordinated", scripted::<General>("star(2)", 2, central), 12),
        ("a star, its hub coordinates", scripted::<General>("star(2)", 2, inside(0)), 10),
        ("a star, a leaf coordinates", scripted::<General>("star(2)", 1, inside(1)), 6),
        ("the specification", scripted::<Universal>("line(3)", 2, NONE), 5),
        ("the specification, blocked", scripted::<Universal>("star(2)", 2, central), 8),
        ("a pair", scripted::<GeneralLiteral>("complete(2)", 2, inside(0)), 2),
        ("stuck", scripted::<GeneralLiteralForgetful>("complete(2)", 2, central), 1),
        ("clocks", scripted::<Clock>("fan-in(2)", 2, NONE), 3),
        ("a complete graph", scripted::<ChandyLamport>("complete(3)", 0, NONE), 2),
    ] {
        println!("{name}: {full} states, {reduced} reduced");
        assert!(
            reduced < full && full >= least * reduced,
            "{name}: {full} states, {reduced} reduced"
        );
    }
}

/// Two sources, an operator and a sink.
const JOIN: &str = "a -> o, b -> o, o -> s";

#[test]
fn it_finds_all_ends_of_any_script() {
    let setup = setup::<ChandyLamport>("complete(2), p0 -> p0", NONE);
    let channels = setup.topology.channels().collect_vec();
    let send = |index: usize, value| {
        Step::Send(channels[index], Some(Assignment { variable: "x".into(), value }))
    };
    let note = Step::Internal("note".into());
    let scripts = [
        vec![vec![send(0, 1), send(1, 2), note.clone()], vec![send(2, 3)]],
        vec![vec![note.clone(), send(1, 1)], vec![]],
        vec![vec![send(1, 1), send(0, 2), send(0, 3)], vec![send(2, 1), note, send(2, 2)]],
    ];
    for steps in scripts {
        let script = Script { steps, initially: vec![BTreeMap::new(); 2] };
        let (full, reduced) = compare::<ChandyLamport>(&setup, &script);
        assert!(reduced < full);
        for coordinator in [NONE, Coordinator::Central, inside(0), inside(1)] {
            let setup = Setup { coordinator, ..setup.clone() };
            compare::<General>(&setup, &script);
            compare::<FlinkAligned>(&setup, &script);
            compare::<Universal>(&setup, &script);
        }
    }
}

/// The digraphs on two processes with up to three channels, self-channels included, and those on three
/// with two channels.
fn small_topologies() -> Vec<Topology> {
    let edges = |n: usize| (0..n).cartesian_product(0..n);
    let three = edges(3).filter(|(p, q)| p != q).combinations(2);
    let text = |n: usize, edges: &[(usize, usize)]| {
        let edges = edges.iter().map(|(p, q)| format!("p{p} -> p{q}"));
        (0..n).map(|p| format!("p{p}")).chain(edges).join(", ")
    };
    let two = edges(2).powerset().filter(|edges| edges.len() <= 3).map(|edges| text(2, &edges));
    let all = two.chain(three.map(|edges| text(3, &edges)));
    all.map(|text| Topology::parse(&text).unwrap()).collect()
}

fn compare_everywhere<A: SnapshotAlgorithm>() {
    for topology in small_topologies() {
        let script = Script::round_robin(&topology, 1);
        for initiators in topology.processes().powerset().filter(|some| !some.is_empty()) {
            for coordinator in [NONE, Coordinator::Central, inside(0)] {
                let initiators = initiators.iter().copied().collect();
                let topology = topology.clone();
                compare::<A>(&Setup::new(topology, initiators, coordinator), &script);
            }
        }
    }
}

#[test]
fn it_finds_all_ends_on_every_small_setup() {
    compare_everywhere::<ChandyLamport>();
    compare_everywhere::<GeneralLiteral>();
    compare_everywhere::<GeneralLiteralForgetful>();
    compare_everywhere::<Universal>();
    compare_everywhere::<FlinkAligned>();
    compare_everywhere::<FlinkAtLeastOnce>();
    compare_everywhere::<Clock>();
}

/// The rule without its condition: the steps of an actor with the fewest, whatever may yet arrive.
struct Careless(SystemModel<Script>);

impl Model for Careless {
    type State = SystemState<Script>;
    type Action = SystemAction<Script>;

    fn init_states(&self) -> Vec<Self::State> {
        self.0.init_states()
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        let actor = |action: &Self::Action| self.0.actor(action).expect("nothing fails here");
        self.0.actions(state, actions);
        let steps = actions.iter().map(actor).counts_by(|actor| actor);
        let chosen = steps.into_iter().map(|(actor, count)| (count, actor)).min();
        actions.retain(|action| chosen.is_some_and(|(_, chosen)| chosen == actor(action)));
    }

    fn next_state(&self, state: &Self::State, action: Self::Action) -> Option<Self::State> {
        self.0.next_state(state, action)
    }
}

#[test]
fn a_rule_that_ignores_what_may_arrive_is_caught() {
    fn is_caught<A: SnapshotAlgorithm>(topology: &str, coordinator: Coordinator) {
        let setup = setup::<A>(topology, coordinator);
        let script = Script::round_robin(&setup.topology, 2);
        let careless = Careless(system::<A, _>(&setup, script));
        let (_, ends) = explore(&careless.0, &careless.0);
        let (_, found) = explore(&careless.0, &careless);
        assert!(found.terminal.is_subset(&ends.terminal));
        assert!(found != ends, "{} on {topology}", A::INFO.name);
    }
    // The receiver stands first, so that it is the one whose steps are taken too early.
    is_caught::<ChandyLamport>("complete(2)", NONE);
    is_caught::<FlinkAligned>("o, a -> o, b -> o", Coordinator::Central);
    is_caught::<FlinkAtLeastOnce>("o, a -> o, b -> o", NONE);
    is_caught::<General>("star(2)", Coordinator::Central);
    is_caught::<GeneralLiteral>("complete(2)", inside(0));
    is_caught::<Universal>("q, p -> q", NONE);
}

/// A script that says it never sends.
struct Silent(Script);

impl Application for Silent {
    type State = ScriptState;
    type Message = Option<Assignment>;
    type Action = NextStep;

    fn start(&self, process: ProcessId) -> ScriptState {
        self.0.start(process)
    }

    fn enabled(&self, process: ProcessId, state: &ScriptState) -> Vec<NextStep> {
        self.0.enabled(process, state)
    }

    fn act(
        &self,
        process: ProcessId,
        state: &mut ScriptState,
        action: &NextStep,
        sends: &mut Sends<Option<Assignment>>,
    ) {
        self.0.act(process, state, action, sends);
    }

    fn receive(
        &self,
        process: ProcessId,
        state: &mut ScriptState,
        channel: ChannelId,
        message: &Option<Assignment>,
        sends: &mut Sends<Option<Assignment>>,
    ) {
        self.0.receive(process, state, channel, message, sends);
    }

    fn always_ends(&self) -> bool {
        self.0.always_ends()
    }

    fn may_send(&self, _: ProcessId, _: &ScriptState, _: ChannelId) -> bool {
        false
    }

    fn describe_state(&self, process: ProcessId, state: &ScriptState) -> String {
        self.0.describe_state(process, state)
    }

    fn describe_message(&self, message: &Option<Assignment>) -> String {
        self.0.describe_message(message)
    }

    fn describe_action(&self, process: ProcessId, action: &NextStep) -> ActionWords {
        self.0.describe_action(process, action)
    }
}

#[test]
fn an_application_that_sends_against_its_word_is_caught() {
    let setup = setup::<GeneralLiteral>("q, p -> q, r -> p", NONE);
    let script = || Script::round_robin(&setup.topology, 1);
    compare::<GeneralLiteral>(&setup, &script());
    let full = system::<GeneralLiteral, _>(&setup, Silent(script()));
    let reduced = Reduced::new(system::<GeneralLiteral, _>(&setup, Silent(script())), FEWER);
    let (_, ends) = explore(&full, &full);
    assert!(explore(&full, &reduced).1 != ends);
}

/// Sends a marker for every marker, and says that it does not.
struct Echo;

impl SnapshotAlgorithm for Echo {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo { name: "echo", ..ChandyLamport::INFO };

    const ONE_ROUND: bool = true;

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
        process.close(channel);
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

#[test]
#[should_panic(expected = "echo says that it takes one round, but p0 sends control messages after")]
fn an_algorithm_that_breaks_its_word_is_caught() {
    scripted::<Echo>("complete(2)", 0, NONE);
}
