//! Flink as it is: queues, overtaking barriers, timeouts, aborts, finished tasks; and its known bugs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod scripted;
}

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use snapcheck::check::{Options, Status, Traces, check};
use snapcheck::engines::{Collapse, Engine, EngineKind, Limits, Request};
use snapcheck::instance::{Instance, bundled, file};
use snapcheck::models::algorithms::{
    ChandyLamport, FlinkAligned, FlinkAlignedTimeout, FlinkUnaligned, Marker, Universal,
};
use snapcheck::models::applications::script::{Assignment, ScriptState};
use snapcheck::models::applications::{Script, Stream};
use snapcheck::models::claim::Claim;
use snapcheck::models::packet::messages_in;
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::recording::Outcome;
use snapcheck::models::setup::{Buffers, Coordinator, Failures, Setup, Sinks};
use snapcheck::models::topology::{ChannelId, ProcessId, Topology};
use snapcheck::registry::Registry;
use snapcheck::system::{Action, Composed, Reduced, Reduction, SystemModel, SystemState};
use snapcheck::verdict::{Expected, Verdict};
use stateright::Model;
use support::scripted::scripted;

/// Each known bug with the claim that catches it.
const BUGS: [(&str, Claim); 14] = [
    ("does-not-block", Claim::ExactlyOnceState),
    ("hands-over-first", Claim::ExactlyOnceState),
    ("ended-input-waits", Claim::Terminates),
    ("abort-keeps-blocked", Claim::Terminates),
    ("late-barrier-blocks", Claim::Terminates),
    ("forgets-early-abort", Claim::Terminates),
    ("presumed-acknowledged", Claim::CompletionIsReal),
    ("output-queue-dropped", Claim::AtLeastOnceState),
    ("input-queue-dropped", Claim::AtLeastOnceState),
    ("stored-twice", Claim::ExactlyOnceState),
    ("numbered-when-emitted", Claim::ExactlyOnceState),
    ("barrier-after-record", Claim::ExactChannelState),
    ("late-barrier-counts", Claim::ExactChannelState),
    ("restored-to-all", Claim::ExactlyOnceState),
];

fn bundled_instances(registry: &Registry) -> Vec<Instance> {
    bundled::all(&registry.infos()).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// That the expectations hold is tested with those of all instances.
#[test]
fn every_known_bug_is_caught_beside_its_repair() {
    let registry = Registry::bundled();
    let all = bundled_instances(&registry);
    let named = |name: String| all.iter().find(|instance| instance.name == name).unwrap();
    let mut caught = BTreeSet::new();
    for (name, claim) in BUGS {
        let [bug, right] = ["", "-right"].map(|end| named(format!("flink-bugs/{name}{end}")));
        let found = bug.expect.claims[&claim];
        assert!(matches!(found, Expected { verdict: Verdict::Violated, steps: Some(_) }), "{name}");
        assert_eq!(right.expect.claims[&claim].verdict, Verdict::Holds, "{name}");
        assert_eq!(registry.runner(bug).bug_of(), Some(right.algorithm.name));
        assert_eq!((&bug.setup, &bug.topology_text), (&right.setup, &right.topology_text));
        assert!((2..=4).contains(&bug.setup.topology.process_count()));
        caught.insert(bug.algorithm.name);
    }
    let known = registry.bugs().into_iter().map(|(info, _)| info.name);
    assert_eq!(caught, known.collect(), "every bug has an instance");
}

type Outcomes = BTreeSet<Outcome<ScriptState, Option<Assignment>>>;
type Scripted = Reduced<Script>;

fn buffered<A: SnapshotAlgorithm>(text: &str, messages: u16, capacity: Option<u16>) -> Scripted {
    let topology = Topology::parse(text).unwrap();
    let script = Script::round_robin(&topology, messages);
    let initiators = A::INFO.default_initiators.on(&topology);
    let setup = Setup::new(topology, initiators, Coordinator::None);
    let setup = Setup { buffers: Some(Buffers { capacity }), ..setup };
    let system = SystemModel::<Script>::of::<A>(Arc::new(setup), Arc::new(script));
    Reduced::new(system, Reduction::default())
}

fn outcomes<A: SnapshotAlgorithm>(text: &str, messages: u16) -> Outcomes {
    let system = Arc::new(buffered::<A>(text, messages, None));
    let request = Request { claims: Vec::new(), limits: Limits::default(), threads: 1 };
    let [bfs, collapse] = [EngineKind::Bfs, EngineKind::Collapse]
        .map(|engine| engine.explore(&system, &request, &|_| ()));
    assert!(bfs.complete);
    assert_eq!((bfs.unique, bfs.generated), (collapse.unique, collapse.generated));
    assert_eq!(bfs.outcomes, collapse.outcomes);
    bfs.outcomes
}

#[test]
fn overtaking_makes_every_consistent_cut_possible() {
    for (text, some, all) in [("line(2)", 3, 6), ("fan-in(2)", 27, 36), ("line(3)", 9, 36)] {
        let chandy_lamport = outcomes::<ChandyLamport>(text, 2);
        let unaligned = outcomes::<FlinkUnaligned>(text, 2);
        assert_eq!((chandy_lamport.len(), unaligned.len()), (some, all), "{text}");
        assert!(chandy_lamport.is_subset(&unaligned));
        assert_eq!(unaligned, outcomes::<Universal>(text, 2), "{text}");
    }
    let aligned = outcomes::<FlinkAligned>("fan-in(2)", 1);
    let timeout = outcomes::<FlinkAlignedTimeout>("fan-in(2)", 1);
    assert!(aligned.is_subset(&timeout) && aligned.len() < timeout.len());
    assert_eq!(timeout, outcomes::<FlinkUnaligned>("fan-in(2)", 1));
}

/// What `import` relies on: also where operators forward what they receive.
#[test]
fn with_queues_unaligned_checkpoints_of_a_stream_are_all_consistent_cuts() {
    let stream = |text: &str| {
        let topology = Topology::parse(text).unwrap();
        let sources = topology.sources();
        let stream = Stream::new(&topology, 1, &BTreeMap::new(), sources).unwrap();
        (topology, Arc::new(stream))
    };
    let request = Request { claims: Vec::new(), limits: Limits::default(), threads: 1 };
    for text in ["line(3)", "a -> m, b -> m, m -> t", "diamond", "a -> b, a -> c"] {
        let (topology, stream) = stream(text);
        let setup = |initiators, buffers| {
            let setup = Setup::new(topology.clone(), initiators, Coordinator::None);
            Arc::new(Setup { buffers, ..setup })
        };
        let queues = setup(topology.sources(), Some(Buffers::default()));
        let unaligned = SystemModel::<Stream>::of::<FlinkUnaligned>(queues, Arc::clone(&stream));
        let none = setup(topology.processes().collect(), None);
        let universal = SystemModel::<Stream>::of::<Universal>(none, stream);
        let [unaligned, universal] = [unaligned, universal]
            .map(|system| Collapse::explore(&Arc::new(system), &request, &|_| ()).outcomes);
        assert!(unaligned.len() > 3);
        assert_eq!(unaligned, universal, "{text}");
    }
}

/// Each message is in one part of the state, and every place in which it can lie is met.
#[test]
fn a_record_is_found_in_either_queue_and_on_the_wire() {
    let system = buffered::<FlinkUnaligned>("line(2)", 1, None);
    let topology = Topology::parse("line(2)").unwrap();
    let [source, target] = [0, 1].map(ProcessId::new);
    let mut places = BTreeSet::new();
    every_state(&system, |before, after| {
        let had_recorded = |process| before.process(process).checkpoints[0].has_recorded();
        let records = |process| {
            !had_recorded(process) && after.process(process).checkpoints[0].has_recorded()
        };
        let channel = topology.channels().next().unwrap();
        let output = &before.process(source).queues.outputs[topology.output_position(channel)];
        let input = &before.process(target).queues.inputs[topology.input_position(channel)];
        if records(source) && messages_in(output) > 0 {
            let stored = &after.process(source).checkpoints[0].outputs[0].recording;
            assert_eq!(stored.len(), 1);
            places.insert("output queue");
        }
        if records(target) && messages_in(input) > 0 {
            assert_eq!(after.process(target).checkpoints[0].inputs[0].recording.len(), 1);
            places.insert("input queue");
        }
    });
    assert_eq!(places.len(), 2);
    // On the wire it stays in front of the barrier, which records it as it comes in: never behind it.
    let both = buffered::<FlinkUnaligned>("fan-in(2)", 1, None);
    let mut stored_on_arrival = 0;
    every_state(&both, |before, after| {
        let own = |state: &SystemState<Script>| {
            let own = &state.process(ProcessId::new(2)).checkpoints[0];
            (
                own.has_recorded(),
                own.inputs.iter().map(|input| input.recording.len()).sum::<usize>(),
            )
        };
        let ((recorded, few), (_, many)) = (own(before), own(after));
        stored_on_arrival += usize::from(recorded && many > few);
    });
    assert!(stored_on_arrival > 0);
}

/// Shows every step of a system, as the states before and after it.
fn every_state(
    system: &Scripted,
    mut visit: impl FnMut(&SystemState<Script>, &SystemState<Script>),
) {
    let mut seen = Vec::new();
    let mut next = system.init_states();
    while let Some(state) = next.pop() {
        let key = format!("{state:?}");
        if let Err(place) = seen.binary_search(&key) {
            seen.insert(place, key);
            for after in system.next_states(&state) {
                visit(&state, &after);
                next.push(after);
            }
        }
    }
    assert!(seen.len() > 20);
}

#[test]
fn a_queue_holds_no_more_than_it_has_room_for() {
    let system = buffered::<FlinkAligned>("line(2)", 2, Some(1));
    let [source, target] = [0, 1].map(ProcessId::new);
    let (mut full_outputs, mut full_inputs) = (0, 0);
    every_state(&system, |before, _| {
        let output = messages_in(&before.process(source).queues.outputs[0]);
        let input = messages_in(&before.process(target).queues.inputs[0]);
        assert!(output <= 1 && input <= 1);
        full_outputs += output;
        full_inputs += input;
    });
    assert!(full_outputs > 0 && full_inputs > 0);
}

/// Where nothing is queued, nothing can be overtaken.
#[test]
fn without_queues_unaligned_is_chandy_and_lamport() {
    let registry = Registry::bundled();
    let options = Options { traces: Traces::None, ..Options::default() };
    for topology in ["line(3)", "fan-in(2)", "ring(3)", "diamond", "s -> p, p -> p"] {
        let counts = ["chandy-lamport", "flink-unaligned"].map(|name| {
            let instance = scripted(&registry, name, topology, 1, "");
            let found = check(&registry, &instance, &options, &|_| ()).explored;
            (found.unique, found.generated, found.outcomes, found.verdicts)
        });
        assert_eq!(counts[0], counts[1], "{topology}");
    }
}

/// Stateright's search sees the same states as the collapse engine, whatever the runtime does.
#[test]
fn the_engines_agree_on_queues_aborts_timeouts_and_endings() {
    let registry = Registry::bundled();
    let folders = ["flink-unaligned", "flink-aligned-timeout", "flink-bugs", "questions"];
    let in_folder = |instance: &&Instance| {
        folders.iter().any(|folder| instance.name.starts_with(folder))
            && instance.expect.unique.is_some_and(|unique| unique < 12_000)
    };
    let all = bundled_instances(&registry);
    let mut compared = 0;
    for instance in all.iter().filter(in_folder) {
        let options =
            Options { engine: EngineKind::Bfs, traces: Traces::None, ..Options::default() };
        let report = check(&registry, instance, &options, &|_| ());
        assert_eq!(report.status(), Status::AsExpected, "{}", instance.name);
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let registry = Registry::bundled();
    let refused = |more: &str, message: &str, remedy: &str| {
        let text = format!(
            "title = \"\"\nalgorithm = \"flink-aligned\"\ntopology = \"p -> q\"\n{more}\n\
             [application]\nmessages = 1\n"
        );
        let error = file::parse("a.toml", text, "a", &registry.infos()).unwrap_err().render(false);
        assert!(error.contains("a.toml:") && error.contains(message), "{error}");
        assert!(error.contains(remedy), "{error}");
    };
    refused("channels = { capacity = 1 }", "no queues that could be full", "buffers = true");
    let none = "channels = { buffers = true, capacity = 0 }";
    refused(none, "messages in a queue", "from 1 to 1000");
    let inside = "coordinator = \"p\"\nchannels = { buffers = true }";
    refused(inside, "no process of the topology can be the coordinator", "\"central\"");
    refused(
        "network = \"unordered\"\nmay-finish = [\"p\"]",
        "channels are FIFO",
        "leave the network",
    );
    refused("may-finish = [\"r\"]", "unknown process `r`", "p");
    refused("recovery = { aborts = 1 }", "nobody could tell", "coordinator = \"central\"");
    refused("recovery = { aborts = -1 }", "aborted checkpoints", "from 0 to 64");
    refused("channels = { bufers = true }", "bufers", "");
}

/// Chandy and Lamport's algorithm in the hands of a process that gives up at every marker.
struct GivesUp;

impl SnapshotAlgorithm for GivesUp {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo { name: "gives-up", ..ChandyLamport::INFO };

    fn on_initiate(process: &mut Process<'_, Self>) {
        ChandyLamport::on_initiate(&mut process.under());
    }

    fn on_control(process: &mut Process<'_, Self>, _: ChannelId, _: Marker) {
        process.abandon();
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

/// Only an abort, a failover or a newer checkpoint excuses.
#[test]
fn nobody_may_give_up_for_no_reason() {
    let registry = Registry::with_variant::<GivesUp>();
    let found = |name: &str| {
        let instance = scripted(&registry, name, "line(2)", 1, "coordinator = \"central\"");
        check(&registry, &instance, &Options::default(), &|_| ())
            .claims
            .iter()
            .find_map(|report| (report.claim == Claim::Terminates).then_some(report.verdict))
    };
    assert_eq!(found("gives-up"), Some(Verdict::Violated));
    assert_eq!(found("chandy-lamport"), Some(Verdict::Holds));
}

/// A checkpoint that is taken when all have finished is complete at once, and sinks hear of it.
#[test]
fn what_was_written_before_all_finished_becomes_visible() {
    let topology = Topology::parse("line(2)").unwrap();
    let sources = topology.sources();
    let stream = Stream::new(&topology, 1, &BTreeMap::new(), sources.clone()).unwrap();
    let setup = Setup {
        ending: sources.clone(),
        sinks: Sinks::Transactional,
        ..Setup::new(topology.clone(), sources, Coordinator::Central)
    };
    let system = SystemModel::<Stream>::of::<FlinkAligned>(Arc::new(setup), Arc::new(stream));
    let (mut seen, mut next) = (BTreeSet::new(), system.init_states());
    let (mut ends, mut begun_late) = (0, 0);
    while let Some(state) = next.pop() {
        if !seen.insert(system.split(&state)) {
            continue;
        }
        let all_finished = topology.processes().all(|process| state.process(process).finished);
        let known = state.coordinator().unwrap();
        begun_late += usize::from(all_finished && known.finished.len() == 2 && known.begun == 0);
        // If the sink recorded before, its last record is covered by no checkpoint.
        let sink = state.process(ProcessId::new(1));
        if system.is_terminal(&state) && all_finished && sink.checkpoints[0].finished {
            assert_eq!(sink.sink.as_ref().unwrap().visible.values().sum::<u16>(), 1);
            ends += 1;
        }
        next.extend(system.next_states(&state));
    }
    assert!(ends > 0 && begun_late > 0);
}

/// Who has finished in a checkpoint is finished after a failover to it, and is not triggered again.
#[test]
fn recovery_does_not_restart_who_has_finished() {
    let topology = Topology::parse("fan-in(2)").unwrap();
    let sources = topology.sources();
    let stream = Stream::new(&topology, 1, &BTreeMap::new(), sources.clone()).unwrap();
    let setup = Setup {
        ending: [ProcessId::new(0)].into(),
        failures: Failures { failovers: 1, lost_notices: 0 },
        ..Setup::new(topology.clone(), sources, Coordinator::Central)
    };
    let system = SystemModel::<Stream>::of::<FlinkAligned>(Arc::new(setup), Arc::new(stream));
    let (mut seen, mut next) = (BTreeSet::new(), system.init_states());
    let [mut finished, mut running] = [0, 0];
    while let Some(state) = next.pop() {
        if !seen.insert(system.split(&state)) {
            continue;
        }
        for (action, after) in system.next_steps(&state) {
            if action == Action::FailOver {
                let knows = state.coordinator().unwrap().checkpoint(1).declared;
                let saved = state.process(ProcessId::new(0)).checkpoints[0].finished;
                let now = after.process(ProcessId::new(0)).finished;
                assert_eq!(now, knows && saved);
                let known = after.coordinator().unwrap().finished.contains(&ProcessId::new(0));
                assert_eq!(known, now);
                if now { finished += 1 } else { running += 1 }
            }
            next.push(after);
        }
    }
    assert!(finished > 0 && running > 0);
}

/// Of every algorithm, whatever the runtime does beside it.
#[test]
fn promises_are_kept_with_queues_aborts_and_endings() {
    let registry = Registry::bundled();
    let options = Options { traces: Traces::None, ..Options::default() };
    let central = "coordinator = \"central\"";
    let ending = format!("{central}\nmay-finish = [\"p0\"]");
    let aborts = format!("{central}\nrecovery = {{ checkpoints = 2, aborts = 1 }}");
    let queues = format!("{ending}\nchannels = {{ buffers = true, capacity = 1 }}");
    let mut kept = 0;
    for info in registry.algorithms() {
        for (topology, more) in [
            ("line(3)", &ending),
            ("fan-in(2)", &ending),
            ("line(2)", &ending.replace("p0", "p1")),
            ("line(2)", &aborts),
            ("line(2)", &queues),
            ("s -> p, p -> p", &central.to_owned()),
        ] {
            let more = more.replace("p0", if topology.starts_with('s') { "s" } else { "p0" });
            let instance = scripted(&registry, info.name, topology, 1, &more);
            let report = check(&registry, &instance, &options, &|_| ());
            let place = format!("{} on {topology}, {more}", info.name);
            assert_eq!(report.status(), Status::AsExpected, "{place}");
            kept += report.claims.iter().filter(|claim| claim.promised).count();
        }
    }
    assert!(kept > 200, "{kept}");
}
