//! The application `stream`: without failures each record is applied once on each of its routes, keys are
//! split, and every search agrees.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use stateright::Model;

use snapcheck::check::{Options, Report, Traces, check};
use snapcheck::engines::EngineKind;
use snapcheck::instance::{ApplicationSpec, Instance, Written, file};
use snapcheck::models::algorithms::{ChandyLamport, FlinkAligned};
use snapcheck::models::application::{Application, Record};
use snapcheck::models::applications::Stream;
use snapcheck::models::applications::stream::Operator;
use snapcheck::models::claim::Claim;
use snapcheck::models::process::SnapshotAlgorithm;
use snapcheck::models::renaming::{Renamed, Renaming};
use snapcheck::models::topology::{ProcessId, Topology};
use snapcheck::registry::Registry;
use snapcheck::system::{Composed, Reduction, SystemModel};
use support::command::{run, stdout};

/// An instance over a stream; `table` is what stands between its braces.
fn instance(algorithm: &str, topology: &str, table: &str) -> Instance {
    let text = format!(
        "title = \"\"\nalgorithm = \"{algorithm}\"\ntopology = \"{topology}\"\n[application]\n\
         stream = {{ {table} }}\n"
    );
    let built = file::parse("inline", text, "inline", &Registry::bundled().infos());
    built.unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn stream_of(instance: &Instance) -> Arc<Stream> {
    let ApplicationSpec::Stream(stream) = &instance.application else {
        panic!("it was written as a stream")
    };
    Arc::clone(stream)
}

fn stream(topology: &str, table: &str) -> (Topology, Arc<Stream>) {
    let instance = instance("chandy-lamport", topology, table);
    (instance.setup.topology.clone(), stream_of(&instance))
}

/// Streams of every kind: pipeline, two ways, several sources, cycles, self-channel, all shippings.
const STREAMS: [(&str, &str); 12] = [
    ("line(3)", "records = 2"),
    ("diamond", "records = 2"),
    ("diamond", "records = 2, ship = { \"p0 -> p1\" = \"hash\", \"p0 -> p2\" = \"hash\" }"),
    ("fan-in(2)", "records = 2"),
    ("star(3)", "records = 3, ship = { \"p0 -> p1\" = \"hash\", \"p0->p3\" = \"hash\" }"),
    ("p -> x, p -> y, q -> x, q -> y", "records = 1, ship = { \"p -> x\" = \"hash\" }"),
    ("ring(3)", "records = 2"),
    ("ring(3)", "records = 1, sources = [\"p1\", \"p2\"]"),
    ("complete(2)", "records = 2, sources = [\"p1\"]"),
    ("s -> p, p -> q, q -> p", "records = 1, sources = [\"s\", \"q\"]"),
    ("p -> p, p -> q, r", "records = 2, sources = [\"p\", \"r\"]"),
    (
        "star(4)",
        "records = 2, ship = { \"p0 -> p1\" = \"hash\", \"p0 -> p3\" = \"hash\", \
         \"p0 -> p2\" = \"hash 2\", \"p0 -> p4\" = \"hash 2\" }",
    ),
];

/// On how many routes a record comes to each process, by following every copy.
fn follow(topology: &Topology, application: &Stream, record: Record) -> BTreeMap<ProcessId, u16> {
    let mut arrivals = BTreeMap::new();
    let mut senders = vec![record.source];
    while let Some(sender) = senders.pop() {
        let outputs = topology.outputs(sender);
        for channel in outputs {
            let way = application.shipping(*channel).name();
            let shares = |&&c: &&_| application.shipping(c).name() == way;
            let sharing: Vec<_> = outputs.iter().filter(shares).collect();
            let key = usize::from(record.number) % sharing.len();
            if way.starts_with("hash") && sharing[key] != channel {
                continue;
            }
            let target = topology.channel(*channel).target;
            *arrivals.entry(target).or_default() += 1;
            if !application.sources().contains(&target) {
                senders.push(target);
            }
        }
    }
    arrivals
}

#[test]
fn routes_are_counted_as_by_following_every_copy() {
    for (topology, table) in STREAMS {
        let (topology, stream) = stream(topology, table);
        let mut followed = vec![BTreeMap::new(); topology.process_count()];
        for &source in stream.sources() {
            for number in 1..=stream.records() {
                let record = Record { source, number };
                for (process, routes) in follow(&topology, &stream, record) {
                    followed[process.index()].insert(record, routes);
                }
            }
        }
        let expected: Vec<_> = topology.processes().map(|p| stream.expected_effects(p)).collect();
        assert_eq!(expected, followed, "{table}");
    }
}

/// The effects in every terminal state, per process; and how many terminal states there are.
fn effects_at_the_end<A: SnapshotAlgorithm>(
    instance: &Instance,
) -> (BTreeSet<Vec<BTreeMap<Record, u16>>>, usize) {
    let stream = stream_of(instance);
    let setup = Arc::clone(&instance.setup);
    let system = SystemModel::<Stream>::of::<A>(setup, Arc::clone(&stream));
    let (mut seen, mut next) = (BTreeSet::new(), system.init_states());
    let (mut effects, mut ends) = (BTreeSet::new(), 0);
    while let Some(state) = next.pop() {
        let following = system.next_states(&state);
        for after in &following {
            hold_to_may_send(&stream, &instance.setup.topology, |p| {
                [&state, after].map(|state| state.process(p))
            });
        }
        if following.is_empty() {
            let here = |p| stream.effects(p, &state.process(p).application);
            effects.insert(instance.setup.topology.processes().map(here).collect());
            ends += 1;
        }
        next.extend(following.into_iter().filter(|state| seen.insert(system.split(state))));
    }
    (effects, ends)
}

/// What the application may not send is not sent in a step, and may not be sent after it.
fn hold_to_may_send<'s, M: 's>(
    stream: &Stream,
    topology: &Topology,
    around: impl Fn(ProcessId) -> [&'s snapcheck::models::process_state::ProcessState<Operator, M>; 2],
) {
    for channel in topology.channels() {
        let source = topology.channel(channel).source;
        let [before, after] = around(source);
        if !stream.may_send(source, &before.application, channel) {
            let position = topology.output_position(channel);
            assert_eq!(before.sent[position], after.sent[position]);
            assert!(!stream.may_send(source, &after.application, channel));
        }
    }
}

#[test]
fn every_run_ends_with_the_effects_of_every_route() {
    for (topology, table) in STREAMS {
        let undisturbed = instance("chandy-lamport", topology, table);
        let stream = stream_of(&undisturbed);
        let processes = undisturbed.setup.topology.processes();
        let expected: Vec<_> = processes.map(|p| stream.expected_effects(p)).collect();
        let (found, ends) = effects_at_the_end::<ChandyLamport>(&undisturbed);
        assert_eq!(found, BTreeSet::from([expected.clone()]), "{topology}, {table}");
        assert!(ends >= 1, "{topology}");
        if undisturbed.setup.barriers_reach_every_input() {
            let aligned = instance("flink-aligned", topology, table);
            let (found, _) = effects_at_the_end::<FlinkAligned>(&aligned);
            assert_eq!(found, BTreeSet::from([expected]), "{topology}, {table}");
        }
    }
}

#[test]
fn a_hash_splits_the_records_by_number() {
    let table = "records = 4, ship = { \"p0 -> p1\" = \"hash\", \"p0 -> p3\" = \"hash\" }";
    let (_, stream) = stream("star(3)", table);
    let numbers = |index| {
        let effects = stream.expected_effects(ProcessId::new(index));
        effects.into_iter().map(|(record, times)| (record.number, times)).collect::<Vec<_>>()
    };
    assert_eq!(numbers(0), []);
    assert_eq!(numbers(1), [(2, 1), (4, 1)], "the first of two channels has the even numbers");
    assert_eq!(numbers(2), [(1, 1), (2, 1), (3, 1), (4, 1)], "what is broadcast has all");
    assert_eq!(numbers(3), [(1, 1), (3, 1)]);
}

#[test]
fn sinks_are_where_records_leave() {
    let sinks = |topology, table| {
        let (topology, stream) = stream(topology, table);
        let sinks = topology.processes().filter(|&p| stream.is_sink(p));
        sinks.map(|p| topology.name(p).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(sinks("diamond", "records = 1"), ["p3"]);
    assert_eq!(sinks("star(2)", "records = 1"), ["p1", "p2"]);
    assert_eq!(sinks("ring(3)", "records = 1"), ["p0"], "a source does not forward");
}

#[test]
fn every_search_finds_the_same() {
    let registry = Registry::bundled();
    let by_hash = "records = 2, ship = { \"p0 -> p1\" = \"hash\", \"p0 -> p2\" = \"hash\" }";
    let instances = [
        ("chandy-lamport", "diamond", "records = 2", 2),
        ("chandy-lamport", "diamond", by_hash, 1),
        ("flink-aligned", "fan-in(2)", "records = 2", 2),
        ("flink-at-least-once", "p -> x, p -> y, q -> x, q -> y", "records = 1", 4),
        ("clock", "ring(3)", "records = 1, sources = [\"p0\", \"p1\", \"p2\"]", 3),
    ];
    for (algorithm, topology, table, symmetries) in instances {
        let instance = instance(algorithm, topology, table);
        let found = |engine, reduction| -> Report {
            let options = Options { engine, reduction, traces: Traces::None, ..Options::default() };
            check(&registry, &instance, &options, &|_| ())
        };
        let told = |report: &Report| {
            let lasting = [Claim::ConsistentCut, Claim::ExactChannelState, Claim::Terminates];
            let verdict = |claim| report.claims.iter().find(|c| c.claim == claim).unwrap().verdict;
            let explored = &report.explored;
            (explored.outcomes, explored.consistent_outcomes, lasting.map(verdict))
        };
        let reference = told(&found(EngineKind::Bfs, Reduction::default()));
        for (interleavings, symmetry) in
            [(false, false), (true, false), (false, true), (true, true)]
        {
            let report = found(EngineKind::Collapse, Reduction { interleavings, symmetry });
            assert_eq!(told(&report), reference, "{algorithm} on {topology}");
            if symmetry {
                assert_eq!(report.explored.symmetries, symmetries, "{algorithm} on {topology}");
            }
        }
    }
}

#[test]
fn a_record_is_renamed_with_its_source() {
    let (topology, stream) = stream("fan-in(2)", "records = 1");
    let [p0, p1, p2] = [0, 1, 2].map(ProcessId::new);
    let swap = Renaming::of(&topology, vec![p1, p0, p2]).unwrap();
    let [of_p0, of_p1] = [p0, p1].map(|source| Record { source, number: 1 });
    let operator = Operator { offset: 0, applied: BTreeMap::from([(of_p0, 2)]) };
    assert_eq!(operator.renamed(&swap).applied, BTreeMap::from([(of_p1, 2)]));
    assert!(stream.is_symmetric(&swap));
    let alone = "records = 1, sources = [\"p0\"]";
    let (_, one_source) = self::stream("fan-in(2)", alone);
    assert!(!one_source.is_symmetric(&swap), "only one of them emits");
}

#[test]
fn a_written_stream_is_read_as_it_was() {
    for (topology, table) in STREAMS {
        let instance = instance("chandy-lamport", topology, table);
        let written = serde_json::to_value(Written::of(&instance).application).unwrap();
        let stream = &written["stream"];
        let sources = stream["sources"].to_string();
        let ship = stream["ship"].as_object().into_iter().flatten();
        let ship: Vec<_> = ship.map(|(channel, how)| format!("\"{channel}\" = {how}")).collect();
        let ship = ship.join(", ");
        let table =
            format!("records = {}, ship = {{ {ship} }}, sources = {sources}", stream["records"]);
        assert_eq!(self::stream(topology, &table).1, stream_of(&instance), "{table}");
    }
}

#[test]
fn a_saved_trace_replays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.json");
    let path = path.to_str().unwrap();
    let claim = ["--claim", "empty-channel-state"];
    let check = ["check", "chandy-lamport/stream-diamond", "--save-trace", path];
    let checked = run(&[&check[..], &claim].concat());
    assert!(checked.status.success());
    assert!(stdout(&checked).contains("p0 sends message 1 (record 1 of p0) on p0→p2"));
    let replayed = run(&["replay", path]);
    assert!(replayed.status.success(), "{}", stdout(&replayed));
    let application = "\"ship\": {\"p0 -> p1\": \"hash\", \"p0 -> p2\": \"hash\"}";
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(application), "{text}");
}
