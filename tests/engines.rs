//! The collapse engine against stateright's breadth-first search: the same counts, verdicts, outcomes
//! and lengths of traces on every kind of instance.

mod support {
    pub(crate) mod lights;
}

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use snapcheck::claims;
use snapcheck::engines::{
    Bfs, Collapse, CollapseFull, Engine, Exploration, Limits, Progress, Request, shortest,
    shortest_by_bfs,
};
use snapcheck::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, FlinkAtLeastOnce, General, GeneralLiteral,
    GeneralLiteralForgetful, Universal,
};
use snapcheck::models::application::{Application, Traits};
use snapcheck::models::applications::script::{Assignment, Script, Step};
use snapcheck::models::claim::Claim;
use snapcheck::models::host::ProcessHost;
use snapcheck::models::process::SnapshotAlgorithm;
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::{ProcessId, Topology};
use snapcheck::system::{ActorAction, ActorStates, Observer, System, SystemModel};
use snapcheck::verdict::Verdict;
use support::lights::Lights;

fn request<A: SnapshotAlgorithm>(setup: &Setup) -> Request {
    let applicable =
        |claim: &Claim| claims::is_applicable(*claim, &A::INFO, setup, Traits::default());
    Request {
        claims: Claim::ALL
            .into_iter()
            .filter(|claim| !claim.on_request())
            .filter(applicable)
            .collect(),
        limits: Limits::default(),
        threads: 1,
    }
}

fn hold_equal<O: Ord + std::fmt::Debug>(ours: &Exploration<O>, theirs: &Exploration<O>) {
    assert_eq!(ours.unique, theirs.unique, "unique");
    assert_eq!(ours.generated, theirs.generated, "generated");
    assert_eq!(ours.depth, theirs.depth, "depth");
    assert_eq!(ours.complete, theirs.complete, "complete");
    assert_eq!(ours.verdicts, theirs.verdicts, "verdicts");
    assert_eq!(ours.outcomes, theirs.outcomes, "outcomes");
}

/// The same request for what is judged only on request, without history: in a way of its own.
fn on_request<A: SnapshotAlgorithm>(setup: &Setup) -> Request {
    let mut claims = vec![Claim::ProofInvariant, Claim::MarkerBehindMessage];
    claims.retain(|&claim| claims::is_applicable(claim, &A::INFO, setup, Traits::default()));
    Request { claims, ..request::<A>(setup) }
}

/// Holds every way of exploring a system against stateright's, traces included.
fn compare_system<S: System>(system: &Arc<S>, request: &Request) {
    let theirs = Bfs::explore(system, request, &|_| ());
    for threads in [1, 2, 3] {
        let request = Request { threads, ..request.clone() };
        hold_equal(&Collapse::explore(system, &request, &|_| ()), &theirs);
        hold_equal(&CollapseFull::explore(system, &request, &|_| ()), &theirs);
    }
    for &claim in &request.claims {
        let ours = shortest(system, claim, Limits::default());
        let theirs = shortest_by_bfs(system, claim, Limits::default());
        let length = |path: stateright::Path<_, _>| path.into_actions().len();
        assert_eq!(ours.map(length), theirs.map(length), "{}", claim.name());
    }
}

fn setup(topology: &str, initiators: &[usize], coordinator: Coordinator) -> Arc<Setup> {
    let topology = Topology::parse(topology).expect("the notation is right");
    let initiators = initiators.iter().copied().map(ProcessId::new).collect();
    Arc::new(Setup::new(topology, initiators, coordinator))
}

fn compare<A: SnapshotAlgorithm>(setup: &Arc<Setup>, script: Script) {
    println!("{} on {setup:?}", A::INFO.name);
    let system = SystemModel::<Script>::of::<A>(Arc::clone(setup), Arc::new(script));
    let system = Arc::new(system);
    compare_system(&system, &request::<A>(setup));
    compare_system(&system, &on_request::<A>(setup));
}

fn compare_every_algorithm(setup: &Arc<Setup>, messages: u16) {
    let script = || Script::round_robin(&setup.topology, messages);
    compare::<General>(setup, script());
    compare::<GeneralLiteral>(setup, script());
    compare::<GeneralLiteralForgetful>(setup, script());
    compare::<Universal>(setup, script());
    compare::<ChandyLamport>(setup, script());
    compare::<FlinkAligned>(setup, script());
    compare::<FlinkAtLeastOnce>(setup, script());
    compare::<Clock>(setup, script());
}

#[test]
fn every_algorithm_without_a_coordinator() {
    for (topology, initiators, messages) in [
        ("complete(2)", &[0][..], 2),
        ("complete(2)", &[0, 1], 1),
        ("line(3)", &[0], 2),
        ("fan-in(2)", &[0, 1], 1),
        ("ring(3)", &[1], 1),
        ("p", &[0], 1),
        ("p -> p", &[0], 2),
        ("p -> p, p -> q, q -> p", &[0, 1], 1),
    ] {
        compare_every_algorithm(&setup(topology, initiators, Coordinator::None), messages);
    }
}

#[test]
fn every_algorithm_with_a_central_coordinator() {
    for (topology, initiators) in [("p -> q", &[0, 1][..]), ("complete(2)", &[0]), ("p -> p", &[0])]
    {
        compare_every_algorithm(&setup(topology, initiators, Coordinator::Central), 1);
    }
}

#[test]
fn every_algorithm_with_a_coordinating_process() {
    for (topology, initiators, desk) in [
        ("p -> q", &[0, 1][..], 0),
        ("p -> q", &[0, 1], 1),
        ("complete(2)", &[0, 1], 0),
        ("p -> p, p -> q", &[0], 0),
    ] {
        let desk = Coordinator::Process(ProcessId::new(desk));
        compare_every_algorithm(&setup(topology, initiators, desk), 1);
    }
}

#[test]
fn scripts_that_assign() {
    let setup = setup("complete(2)", &[0], Coordinator::None);
    let assign = |variable: &str, value| Assignment { variable: variable.into(), value };
    let channels: Vec<_> = setup.topology.channels().collect();
    let script = || Script {
        steps: vec![
            vec![
                Step::Assign(assign("x", 1)),
                Step::Send(channels[0], Some(assign("y", 2))),
                Step::Internal("rest".into()),
            ],
            vec![
                Step::Send(channels[1], Some(assign("x", 3))),
                Step::Assign(assign("y", 4)),
                Step::Send(channels[1], None),
            ],
        ],
        initially: vec![[("x".into(), 0)].into(), [("y".into(), 0)].into()],
    };
    compare::<ChandyLamport>(&setup, script());
    compare::<FlinkAligned>(&setup, script());
    compare::<Clock>(&setup, script());
}

#[test]
fn a_larger_space() {
    let setup = setup("complete(3)", &[0], Coordinator::None);
    let script = Arc::new(Script::round_robin(&setup.topology, 1));
    let system = SystemModel::<Script>::of::<ChandyLamport>(Arc::clone(&setup), script);
    let (system, request) = (Arc::new(system), request::<ChandyLamport>(&setup));
    let ours = Collapse::explore(&system, &request, &|_| ());
    assert_eq!((ours.unique, ours.generated), (127_767, 514_246));
    assert!(ours.peak_bytes.is_some_and(|bytes| bytes > 0));
    compare_system(&system, &request);
}

/// Many processes: their numbers do not fit in one word.
#[test]
fn keys_of_several_words() {
    let processes: Vec<_> = (0..8).map(|i| format!("q{i} -> q{i}")).collect();
    let setup = setup(&processes.join(", "), &[0, 1], Coordinator::Central);
    compare::<ChandyLamport>(&setup, Script::round_robin(&setup.topology, 0));
    let processes: Vec<_> = (0..31).map(|i| format!("q{i}")).collect();
    let setup = self::setup(&processes.join(", "), &[0, 1, 2, 3], Coordinator::Central);
    compare::<ChandyLamport>(&setup, Script::round_robin(&setup.topology, 0));
}

#[test]
fn a_space_that_is_not_graded() {
    for topology in ["complete(2)", "complete(3)", "p -> p"] {
        let setup = setup(topology, &[0], Coordinator::None);
        let system =
            SystemModel::<Lights>::of::<ChandyLamport>(Arc::clone(&setup), Arc::new(Lights));
        compare_system(&Arc::new(system), &request::<ChandyLamport>(&setup));
    }
}

/// Remembers the last two steps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct LastSteps(Vec<String>);

impl<P: Application> Observer<P> for LastSteps {
    fn start(_: &ProcessHost<P>) -> Self {
        Self(Vec::new())
    }

    fn observe(
        &mut self,
        _: &ProcessHost<P>,
        _: &ActorStates<P>,
        action: &ActorAction<P>,
        _: &ActorStates<P>,
    ) {
        self.0.push(format!("{action:?}"));
        self.0.drain(..self.0.len().saturating_sub(2));
    }
}

#[test]
fn a_system_with_an_observer() {
    let setup = setup("complete(2)", &[0], Coordinator::None);
    let script = Arc::new(Script::round_robin(&setup.topology, 1));
    let system = SystemModel::<_, LastSteps>::of::<ChandyLamport>(Arc::clone(&setup), script);
    compare_system(&Arc::new(system), &request::<ChandyLamport>(&setup));
}

#[test]
fn limits_cut_the_search_off() {
    let setup = setup("complete(3)", &[0], Coordinator::None);
    let script = Arc::new(Script::round_robin(&setup.topology, 1));
    let system = SystemModel::<Script>::of::<ChandyLamport>(Arc::clone(&setup), script);
    let system = Arc::new(system);
    let cut = |limits, threads| {
        let request = Request { limits, threads, ..request::<ChandyLamport>(&setup) };
        let cut = Collapse::explore(&system, &request, &|_| ());
        assert!(!cut.complete);
        assert_eq!(cut.verdicts[&Claim::ConsistentCut], Verdict::Inconclusive);
        cut.unique
    };
    for (threads, most) in [(1, 1), (1, 5000), (2, 5000), (2, 100_000)] {
        let limits = Limits { max_states: Some(most), timeout: None };
        assert_eq!(cut(limits, threads), most);
    }
    let no_time = Limits { max_states: None, timeout: Some(Duration::ZERO) };
    assert_eq!(cut(no_time, 1), 0);
    assert!(shortest(&system, Claim::SnapshotCompletes, no_time).is_none());
}

#[test]
fn progress_is_reported() {
    let setup = setup("complete(2)", &[0], Coordinator::None);
    let script = Arc::new(Script::round_robin(&setup.topology, 2));
    let system = SystemModel::<Script>::of::<ChandyLamport>(Arc::clone(&setup), script);
    let seen = Cell::new(Progress::default());
    let request = request::<ChandyLamport>(&setup);
    let found = Collapse::explore(&Arc::new(system), &request, &|p| seen.set(p));
    assert!(seen.get().judged > 0 && seen.get().judged <= found.unique);
}
