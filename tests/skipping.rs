//! The collapse engine skips steps of lower actors that were enabled before (`engines/collapse/cause.rs`):
//! no state, transition or level may be lost by it. Held to stateright's search on random scripts, and
//! on an application whose steps send several messages at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;

use snapcheck::claims;
use snapcheck::engines::{Bfs, Collapse, CollapseFull, Engine, Exploration, Limits, Request};
use snapcheck::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, General, GeneralLiteral, Universal,
};
use snapcheck::models::application::{ActionWords, Application, Sends};
use snapcheck::models::applications::script::{Assignment, Script, Step};
use snapcheck::models::claim::Claim;
use snapcheck::models::process::SnapshotAlgorithm;
use snapcheck::models::renaming::Renamed;
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::{ChannelId, ProcessId, Topology};
use snapcheck::system::{Reduced, Reduction, System, SystemModel};

fn hold_equal<O: Ord + std::fmt::Debug>(ours: &Exploration<O>, theirs: &Exploration<O>) {
    let counts = |e: &Exploration<O>| (e.unique, e.generated, e.depth);
    assert_eq!(counts(ours), counts(theirs), "unique, generated, depth");
    assert_eq!(ours.verdicts, theirs.verdicts);
    assert_eq!(ours.outcomes, theirs.outcomes);
}

fn compare_system<S: System>(system: &Arc<S>, request: &Request) {
    let theirs = Bfs::explore(system, request, &|_| ());
    for threads in 1..=3 {
        let request = Request { threads, ..request.clone() };
        hold_equal(&Collapse::explore(system, &request, &|_| ()), &theirs);
        hold_equal(&CollapseFull::explore(system, &request, &|_| ()), &theirs);
    }
}

fn compare<A: SnapshotAlgorithm, P: Application>(setup: &Arc<Setup>, application: P) {
    let traits = application.traits();
    let applicable = |claim: &Claim| claims::is_applicable(*claim, &A::INFO, setup, traits);
    let request = Request {
        claims: Claim::ALL
            .into_iter()
            .filter(|claim| !claim.on_request())
            .filter(applicable)
            .collect(),
        limits: Limits::default(),
        threads: 1,
    };
    let system = SystemModel::<P>::of::<A>(Arc::clone(setup), Arc::new(application));
    compare_system(&Arc::new(Reduced::new(system, Reduction::default())), &request);
}

const TOPOLOGIES: [&str; 8] = [
    "complete(2)",
    "p -> q, q -> p, p -> p",
    "line(3)",
    "fan-in(2)",
    "ring(3)",
    "p -> q, q -> p, q -> r",
    "r -> q, q -> p, p -> q",
    "complete(3)",
];

/// A topology with initiators, and a few steps, each of a process and of some kind.
fn scripts() -> impl Strategy<Value = (Arc<Setup>, Script)> {
    let steps = prop::collection::vec((0..3_usize, 0..4_usize), 0..5);
    (prop::sample::select(&TOPOLOGIES[..]), 1..8_usize, any::<bool>(), steps).prop_map(
        |(topology, initiators, central, steps)| {
            let topology = Topology::parse(topology).expect("the notation is right");
            let processes: Vec<_> = topology.processes().collect();
            let chosen = processes.iter().filter(|p| initiators >> p.index() & 1 != 0).copied();
            let mut initiators: BTreeSet<_> = chosen.collect();
            if initiators.is_empty() {
                initiators.insert(processes[0]);
            }
            // With a coordinator, there are more states: two processes are enough.
            let central = central && processes.len() == 2;
            let coordinator = if central { Coordinator::Central } else { Coordinator::None };
            let mut script = Script {
                steps: vec![Vec::new(); processes.len()],
                initially: vec![Default::default(); processes.len()],
            };
            for (process, kind) in steps {
                let process = process % processes.len();
                let outputs = topology.outputs(processes[process]);
                let step = match (kind, outputs.get(kind)) {
                    (3, _) => Step::Assign(Assignment { variable: "x".into(), value: 1 }),
                    (_, Some(&output)) => Step::Send(output, None),
                    (_, None) => Step::Internal("rest".into()),
                };
                script.steps[process].push(step);
            }
            (Arc::new(Setup::new(topology, initiators, coordinator)), script)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_scripts((setup, script) in scripts()) {
        compare::<ChandyLamport, _>(&setup, script.clone());
        compare::<GeneralLiteral, _>(&setup, script.clone());
        compare::<FlinkAligned, _>(&setup, script.clone());
        compare::<Universal, _>(&setup, script);
    }
}

/// Each process sends more messages at once each time, and an answer for each that it receives but for
/// answers.
struct Bursts {
    outputs: Vec<Vec<ChannelId>>,
    times: u16,
}

impl Bursts {
    fn on(topology: &Topology, times: u16) -> Self {
        let outputs = topology.processes().map(|p| topology.outputs(p).to_vec()).collect();
        Self { outputs, times }
    }
}

/// What travels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Note {
    Question,
    Answer,
}

impl Renamed for Note {}

impl Application for Bursts {
    type State = u16;
    type Message = Note;
    type Action = ();

    fn start(&self, _: ProcessId) -> u16 {
        0
    }

    fn enabled(&self, process: ProcessId, state: &u16) -> Vec<()> {
        let sends = *state < self.times && !self.outputs[process.index()].is_empty();
        if sends { vec![()] } else { Vec::new() }
    }

    fn act(&self, process: ProcessId, state: &mut u16, (): &(), sends: &mut Sends<Note>) {
        *state += 1;
        let channel = self.outputs[process.index()][0];
        sends.extend((0..*state).map(|_| (channel, Note::Question)));
    }

    fn receive(
        &self,
        process: ProcessId,
        _: &mut u16,
        _: ChannelId,
        message: &Note,
        sends: &mut Sends<Note>,
    ) {
        if *message == Note::Question
            && let Some(&channel) = self.outputs[process.index()].last()
        {
            sends.push((channel, Note::Answer));
        }
    }

    fn always_ends(&self) -> bool {
        true
    }

    fn describe_state(&self, _: ProcessId, _: &u16) -> String {
        String::new()
    }

    fn describe_message(&self, _: &Note) -> String {
        String::new()
    }

    fn describe_action(&self, _: ProcessId, (): &()) -> ActionWords {
        ActionWords::Internal("burst".to_owned())
    }
}

#[test]
fn steps_that_send_several_messages_at_once() {
    for (topology, times) in
        [("complete(2)", 2), ("q -> p, p -> q", 1), ("line(3)", 2), ("ring(3)", 1), ("p -> p", 2)]
    {
        let topology = Topology::parse(topology).expect("the notation is right");
        let bursts = || Bursts::on(&topology, times);
        let initiators = [ProcessId::new(0)].into();
        let setup = Arc::new(Setup::new(topology.clone(), initiators, Coordinator::None));
        compare::<ChandyLamport, _>(&setup, bursts());
        compare::<General, _>(&setup, bursts());
        compare::<Clock, _>(&setup, bursts());
    }
}
