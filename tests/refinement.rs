//! Which algorithm refines the specification, step by step; and that a wrong one does not.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
    pub(crate) mod scripted;
}

use expect_test::{Expect, expect};
use itertools::Itertools;
use serde_json::{Value, json};

use snapcheck::engines::Limits;
use snapcheck::instance::{Instance, bundled};
use snapcheck::models::algorithms::{ChandyLamport, Marker};
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::topology::{Channel, ChannelId, Topology};
use snapcheck::refinement::{Failure, Refinement};
use snapcheck::registry::Registry;
use support::command::{run, stdout};
use support::scripted::scripted;

fn refine(registry: &Registry, instance: &Instance) -> Refinement {
    registry.runner(instance).refine(instance, Limits::default())
}

fn failure(registry: &Registry, instance: &Instance) -> Failure {
    match refine(registry, instance) {
        Refinement::Fails(failure) => failure,
        other => panic!("{}: {other:?}", instance.name),
    }
}

fn is_acyclic(topology: &Topology) -> bool {
    topology.channels().all(|channel| {
        let Channel { source, target } = topology.channel(channel);
        !topology.reachable_from(&[target].into()).contains(&source)
    })
}

/// Where an algorithm refines the specification.
fn should_refine(instance: &Instance) -> bool {
    match instance.algorithm.name {
        "universal" | "general" | "chandy-lamport" | "lai-yang" | "flink-unaligned" => true,
        // Else an initiator closes an input whose marker it has not consumed.
        "flink-aligned" => instance.setup.initiators_have_no_inputs(),
        "flink-aligned-cyclic" => instance.setup.initiators_have_back_edges_only(),
        // On a cycle everybody closes inputs whose drain has come before the own record.
        "stop-the-world" => is_acyclic(&instance.setup.topology),
        "flink-at-least-once" => {
            instance.setup.initiators_have_no_inputs() && instance.setup.inputs_are_single()
        }
        _ => false,
    }
}

#[test]
fn the_bundled_instances_refine_where_they_should() {
    let registry = Registry::bundled();
    let small = |instance: &Instance| {
        instance.setup.is_plain() && instance.expect.unique.is_none_or(|unique| unique < 10_000)
    };
    let instances = bundled::all(&registry.infos()).unwrap();
    let mut refining = 0;
    for instance in instances.into_iter().filter(small) {
        match refine(&registry, &instance) {
            Refinement::Holds { states, steps } => {
                assert!(should_refine(&instance), "{}", instance.name);
                assert!(instance.expect.unique.is_none_or(|unique| unique == states));
                let generated = 1 + steps.iter().sum::<u64>();
                assert!(instance.expect.generated.is_none_or(|expected| expected == generated));
                refining += 1;
            }
            Refinement::Fails(_) => assert!(!should_refine(&instance), "{}", instance.name),
            Refinement::Unspecified => assert!(!instance.setup.is_simple()),
            Refinement::Open => panic!("{}", instance.name),
        }
    }
    assert!(refining >= 30);
}

/// A first marker is two steps of the specification, a coordinator's step none; the rest are one.
#[test]
fn steps_are_counted_by_what_they_stand_for() {
    let registry = Registry::bundled();
    let steps = |algorithm: &str, topology: &str, more: &str| match refine(
        &registry,
        &scripted(&registry, algorithm, topology, 1, more),
    ) {
        Refinement::Holds { steps, .. } => steps,
        other => panic!("{algorithm} on {topology}: {other:?}"),
    };
    // The marker comes before the message is sent, before it, or after it: three steps of twelve.
    assert_eq!(steps("chandy-lamport", "line(2)", ""), [0, 9, 3]);
    assert_eq!(steps("universal", "line(2)", "")[2], 0);
    assert_eq!(steps("chandy-lamport", "p", ""), [0, 1, 0]);
    let central = steps("chandy-lamport", "p", "coordinator = \"central\"");
    // The coordinator tells p, p records, the coordinator hears of it.
    assert_eq!(central, [2, 1, 0]);
}

/// Every non-empty set of initiators.
fn initiators(topology: &str) -> Vec<String> {
    let topology = Topology::parse(topology).unwrap();
    let names = topology.names().map(|name| format!("\"{name}\"")).collect_vec();
    let sets = names.iter().powerset().filter(|set| !set.is_empty());
    sets.map(|set| format!("initiators = [{}]", set.iter().join(", "))).collect()
}

#[test]
fn self_channels_cycles_and_any_initiators() {
    let registry = Registry::bundled();
    let topologies = [
        "p -> p",
        "p -> q, q -> q",
        "p -> p, p -> q, q -> p",
        "ring(3)",
        "line(3)",
        "star(2)",
        "s -> p, t -> p",
        "s -> p, p -> q, q -> p",
    ];
    let algorithms =
        ["chandy-lamport", "general", "universal", "flink-aligned", "flink-aligned-cyclic"];
    for topology in topologies {
        for initiators in initiators(topology) {
            for algorithm in algorithms {
                let instance = scripted(&registry, algorithm, topology, 1, &initiators);
                let holds = matches!(refine(&registry, &instance), Refinement::Holds { .. });
                let expected = should_refine(&instance);
                assert_eq!(holds, expected, "{algorithm} on {topology} with {initiators}");
            }
        }
    }
}

#[test]
fn any_coordinator_will_do() {
    let registry = Registry::bundled();
    for topology in ["complete(2)", "p0 -> p1", "p1 -> p0", "p1 -> p0, p0 -> p0"] {
        for coordinator in ["central", "p0", "p1"] {
            let more = format!("coordinator = \"{coordinator}\"");
            let instance = scripted(&registry, "general", topology, 1, &more);
            let refinement = refine(&registry, &instance);
            let Refinement::Holds { steps, .. } = refinement else { panic!("{topology}, {more}") };
            assert!(steps[0] > 0, "a coordinator's steps are none");
        }
    }
}

fn told(failure: &Failure) -> String {
    let steps = failure.trace.steps.iter().map(ToString::to_string);
    steps.chain([format!("instead: {}", failure.instead.join("; "))]).join("\n")
}

fn fails(name: &str, expected: &Expect) {
    let registry = Registry::bundled();
    let instances = bundled::all(&registry.infos()).unwrap();
    let instance = instances.iter().find(|instance| instance.name == name).unwrap();
    expected.assert_eq(&told(&failure(&registry, instance)));
}

#[test]
fn the_others_take_steps_that_the_specification_forbids() {
    fails(
        "general-literal/manager-apart",
        &expect![[r#"
        coordinator gives the instruction to begin: sends the start instruction to p, q
        p receives the start instruction: RECORDS [sent 0 on p→q], sends marker to q, sends "done" to coordinator
        q consumes the marker on p→q: closes p→q as empty
        p sends message 1 on p→q
        q receives message 1 from p→q
        instead: q begins: RECORDS [received 0 from p→q], unblocks p→q"#]],
    );
    fails(
        "flink-at-least-once/fan-in-2",
        &expect![[r#"
        p0 begins: RECORDS [sent 0 on p0→p2], sends barrier to p2
        p2 consumes the barrier on p0→p2: closes p0→p2 as empty
        p0 sends message 1 on p0→p2
        p2 receives message 1 from p0→p2
        instead: p2 begins: RECORDS [received 0 from p0→p2, received 0 from p1→p2], unblocks p0→p2"#]],
    );
    fails(
        "clock/two-clocks",
        &expect![[r#"
        p begins: RECORDS [sent 0 on p→q]
        instead: p begins: RECORDS [sent 0 on p→q], sends marker to q; p sends message 1 on p→q"#]],
    );
    fails(
        "flink-aligned/initiator-with-input",
        &expect![[r#"
        q begins: RECORDS [received 0 from p→q], closes p→q as empty
        instead: q begins: RECORDS [received 0 from p→q]"#]],
    );
    fails(
        "flink-aligned-cyclic/bank-initiator-with-input",
        &expect![[r#"
        q begins: RECORDS [balance 1, sent 0 on q→p, received 0 from p→q], sends barrier to p, closes p→q as empty
        instead: q begins: RECORDS [balance 1, sent 0 on q→p, received 0 from p→q], sends marker to p; q sends message 1 (1 unit) on q→p"#]],
    );
}

const fn mutant(name: &'static str) -> AlgorithmInfo {
    AlgorithmInfo { name, ..ChandyLamport::INFO }
}

fn begin<A: SnapshotAlgorithm<Control = Marker>>(process: &mut Process<'_, A>) {
    process.record_state();
    process.send_on_all_outputs(&Marker);
}

/// The recording stops one message early: of two in flight, one is kept.
struct StopsEarly;

impl SnapshotAlgorithm for StopsEarly {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant("stops-early");

    fn on_initiate(process: &mut Process<'_, Self>) {
        begin(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        if !process.has_recorded() {
            begin(process);
        }
        process.close(channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) && process.stored(channel) < 1 {
            process.store(channel);
        }
    }
}

/// The markers go out in a step of their own, when the next message or marker comes.
struct MarksLate;

impl SnapshotAlgorithm for MarksLate {
    type Control = Marker;
    /// Whether the markers are out.
    type State = bool;
    const INFO: AlgorithmInfo = mutant("marks-late");

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        process.record_state();
        Self::mark(process);
        process.close(channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            Self::mark(process);
            process.store(channel);
        }
    }
}

impl MarksLate {
    fn mark(process: &mut Process<'_, Self>) {
        if !std::mem::replace(process.memory, true) {
            process.send_on_all_outputs(&Marker);
        }
    }
}

#[test]
fn a_mutant_is_caught_where_its_twin_passes() {
    fn caught<A: SnapshotAlgorithm>(expected: &Expect) {
        let registry = Registry::with_variant::<A>();
        let on = |algorithm| scripted(&registry, algorithm, "complete(2)", 2, "");
        let twin = refine(&registry, &on("chandy-lamport"));
        assert!(matches!(twin, Refinement::Holds { .. }));
        expected.assert_eq(&told(&failure(&registry, &on(A::INFO.name))));
    }
    caught::<StopsEarly>(&expect![[r#"
        p0 begins: RECORDS [sent 0 on p0→p1, received 0 from p1→p0], sends marker to p1
        p1 sends message 1 on p1→p0
        p0 receives message 1 from p1→p0: stores message 1 of p1→p0
        p1 sends message 2 on p1→p0
        p0 receives message 2 from p1→p0
        instead: p0 receives message 2 from p1→p0: stores message 2 of p1→p0; p0 sends message 1 on p0→p1"#]]);
    caught::<MarksLate>(&expect![[r#"
        p0 begins: RECORDS [sent 0 on p0→p1, received 0 from p1→p0]
        instead: p0 begins: RECORDS [sent 0 on p0→p1, received 0 from p1→p0], sends marker to p1; p0 sends message 1 on p0→p1"#]]);
}

#[test]
fn a_limit_leaves_it_open() {
    let registry = Registry::bundled();
    let instance = scripted(&registry, "chandy-lamport", "complete(2)", 2, "");
    let limits = Limits { max_states: Some(435), timeout: None };
    let cut_off = registry.runner(&instance).refine(&instance, limits);
    assert!(matches!(cut_off, Refinement::Open));
    let limits = Limits { max_states: Some(436), timeout: None };
    let seen = registry.runner(&instance).refine(&instance, limits);
    assert!(matches!(seen, Refinement::Holds { states: 436, .. }));
}

#[test]
fn compare_tells_it() {
    let arguments = ["compare", "--topology", "s0 -> op, s1 -> op", "--messages", "2"];
    let output = run(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let compared: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let refinements = compared["refinements"].as_array().unwrap();
    let of = |name: &str| refinements.iter().find(|r| r["algorithm"] == name).unwrap().clone();
    for name in ["general", "universal", "chandy-lamport", "flink-aligned", "flink-aligned-cyclic"]
    {
        assert_eq!(
            (of(name)["verdict"].clone(), of(name)["refines"].clone()),
            (json!("holds"), json!("universal"))
        );
    }
    assert_eq!(of("flink-aligned")["states"], 548);
    assert_eq!(of("flink-aligned")["steps"], json!({ "zero": 0, "one": 1328, "two": 72 }));
    assert_eq!(of("flink-aligned")["trace"], Value::Null);
    let literal = of("general-literal");
    assert_eq!(literal["verdict"], "violated");
    assert_eq!(literal["steps"], Value::Null);
    let last = literal["trace"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((last["action"].clone(), last["process"].clone()), (json!("receive"), json!("op")));

    let text = stdout(&run(&arguments));
    let line = "flink-aligned              yes: 548 states; \
                steps that are none, one, two of universal's: 0, 1,328, 72";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("there op can do in universal: op begins: RECORDS"), "{text}");
}
