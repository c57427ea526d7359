//! Recovery: the state after a failover held against the snapshot by itself, what each algorithm promises
//! of it on several topologies, an algorithm that declares too early, and errors in the table `recovery`.

mod support {
    pub(crate) mod command;
}

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use expect_test::{Expect, expect};
use snapcheck::check::{Options, Traces, check};
use snapcheck::instance::{Instance, file};
use snapcheck::models::algorithms::{ChandyLamport, Marker};
use snapcheck::models::applications::Stream;
use snapcheck::models::claim::Claim;
use snapcheck::models::packet::Packet;
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::setup::{
    Checkpoints, Coordinator, DefaultInitiators, Failures, Setup, Sinks,
};
use snapcheck::models::topology::{Channel, ChannelId, Topology};
use snapcheck::registry::Registry;
use snapcheck::system::{Action, Composed, System, SystemModel};
use snapcheck::verdict::Verdict;
use stateright::Model;
use support::command::run;

fn failing(topology: &str, checkpoints: u16, failovers: u16, sinks: Sinks) -> Setup {
    let topology = Topology::parse(topology).expect("the notation is right");
    let initiators = ChandyLamport::INFO.default_initiators.on(&topology);
    Setup {
        checkpoints: Checkpoints { count: checkpoints, overlapping: checkpoints, aborts: 0 },
        failures: Failures { failovers, lost_notices: 0 },
        sinks,
        ..Setup::new(topology, initiators, Coordinator::Central)
    }
}

/// What is in the channels, and what processes are in, after every failover: what the newest declared
/// snapshot holds, put together here from its outcome.
#[test]
fn after_a_failover_everything_is_as_the_snapshot_says() {
    let mut restored = BTreeMap::new();
    for topology in ["line(2)", "fan-in(2)", "ring(2)"] {
        let setup = Arc::new(failing(topology, 2, 1, Sinks::Transactional));
        let sources = setup.initiators.clone();
        let stream = Stream::new(&setup.topology, 1, &BTreeMap::new(), sources).unwrap();
        let system =
            SystemModel::<Stream>::of::<ChandyLamport>(Arc::clone(&setup), Arc::new(stream));
        let start = system.init_states().remove(0);
        let mut states = BTreeSet::from([system.split(&start)]);
        let mut next = vec![start.clone()];
        while let Some(before) = next.pop() {
            for (action, after) in system.next_steps(&before) {
                if action != Action::FailOver {
                    if states.insert(system.split(&after)) {
                        next.push(after);
                    }
                    continue;
                }
                let known = before.coordinator().unwrap();
                let to = (1..=2).rev().find(|&k| known.checkpoint(k).declared);
                *restored.entry(to.unwrap_or(0)).or_insert(0) += 1;
                // The snapshot as the checker knows it; complete checkpoints come in their order.
                let complete =
                    (1..=2).filter(|&k| system.views(&before)[usize::from(k) - 1].is_complete());
                let snapshot = complete
                    .zip(system.outcomes(&before))
                    .find_map(|(k, outcome)| (Some(k) == to).then_some(outcome));
                assert_eq!(snapshot.is_some(), to.is_some());
                let parts = system.split(&after);
                for process in setup.topology.processes() {
                    let (now, start) = (after.process(process), start.process(process));
                    let saved = snapshot.as_ref().map(|s| s.processes[process.index()].clone());
                    let expected = saved.map_or_else(
                        || (start.application.clone(), start.sent.clone(), start.received.clone()),
                        |saved| (saved.state, saved.sent, saved.received),
                    );
                    let found = (now.application.clone(), now.sent.clone(), now.received.clone());
                    assert_eq!(found, expected, "{topology}");
                }
                for channel in setup.topology.channels() {
                    let Channel { source, target } = setup.topology.channel(channel);
                    let inputs = &parts[target.index()].inputs;
                    let held = inputs.iter().find(|(sender, _)| *sender == source.index());
                    let held = held.map(|(_, packets)| packets.clone()).unwrap_or_default();
                    let expected = snapshot.as_ref().map(|s| s.channels[channel.index()].clone());
                    let expected = expected.unwrap_or_default();
                    let expected: Vec<_> = expected.into_iter().map(Packet::Message).collect();
                    assert_eq!(held, expected, "{topology}");
                }
                // Nothing is under way to or from the coordinator, and nothing is going on.
                assert!(parts[setup.topology.process_count()].inputs.is_empty());
                let knows = after.coordinator().unwrap();
                let settled = |k| knows.checkpoint(k).declared || knows.checkpoint(k).abandoned;
                assert!((1..=knows.begun).all(settled));
            }
        }
    }
    assert!((0..=2).all(|to| restored.get(&to).is_some_and(|&times| times > 20)), "{restored:?}");
}

fn instance(registry: &Registry, algorithm: &str, topology: &str, recovery: &str) -> Instance {
    let sources = if topology == LOOP { ", sources = [\"s\", \"f\"]" } else { "" };
    let text = format!(
        "title = \"\"\nalgorithm = \"{algorithm}\"\ntopology = \"{topology}\"\ncoordinator = \"central\"\n\
         [application]\nstream = {{ records = 1{sources} }}\n[recovery]\n{recovery}\n"
    );
    file::parse("a.toml", text, "a", &registry.infos()).expect("the instance is right")
}

/// f emits records of its own, and no records circle.
const LOOP: &str = "s -> op, op -> f, f -> op";

const RECOVERY: [Claim; 4] = [
    Claim::ExactlyOnceState,
    Claim::AtLeastOnceState,
    Claim::ExactlyOnceOutput,
    Claim::AtLeastOnceOutput,
];

fn verdicts(registry: &Registry, instance: &Instance) -> [Verdict; 4] {
    let options = Options { claims: RECOVERY.to_vec(), traces: Traces::None, ..Options::default() };
    let report = check(registry, instance, &options, &|_| ());
    RECOVERY.map(|claim| {
        report.claims.iter().find(|c| c.claim == claim).expect("it was asked for").verdict
    })
}

/// On every topology and with both kinds of sinks what is promised holds, and each claim falls somewhere
/// where it is not.
#[test]
fn promises_of_recovery_are_kept() {
    let registry = Registry::bundled();
    let mut fallen = BTreeMap::new();
    for info in registry.algorithms() {
        for topology in ["line(2)", "fan-in(2)", "ring(2)", "diamond", LOOP] {
            for sinks in ["plain", "transactional"] {
                let recovery = format!("failovers = 1\nsinks = \"{sinks}\"");
                let instance = instance(&registry, info.name, topology, &recovery);
                for (claim, verdict) in RECOVERY.into_iter().zip(verdicts(&registry, &instance)) {
                    let place = format!("{} on {topology}, {sinks}: {}", info.name, claim.name());
                    assert!(!instance.promises(claim) || verdict == Verdict::Holds, "{place}");
                    *fallen.entry(claim).or_insert(0) += usize::from(verdict == Verdict::Violated);
                }
            }
        }
    }
    assert!(RECOVERY.iter().all(|claim| fallen[claim] > 0), "{fallen:?}");
}

/// On a cycle the aligned checkpoint leaves records behind a barrier for good, and the cyclic one none.
#[test]
fn what_is_stuck_has_no_effect() {
    let registry = Registry::bundled();
    let found = |algorithm: &str, topology: &str, more: &str| {
        let recovery = format!("failovers = 1\n{more}");
        let instance = instance(&registry, algorithm, topology, &recovery);
        let promised = RECOVERY.map(|claim| instance.promises(claim));
        (promised, verdicts(&registry, &instance).map(|verdict| verdict == Verdict::Holds))
    };
    let transactional = "sinks = \"transactional\"";
    let aligned = ([false, false, true, false], [false, false, true, true]);
    assert_eq!(found("flink-aligned", LOOP, transactional), aligned);
    assert_eq!(found("flink-aligned", LOOP, "").1, [false; 4]);
    assert_eq!(found("flink-aligned-cyclic", LOOP, transactional), ([true; 4], [true; 4]));
    let plain = [true, true, false, true];
    assert_eq!(found("flink-aligned-cyclic", LOOP, ""), (plain, plain));
}

/// Chandy and Lamport's rules, but a process says "done" when it has recorded, whatever it still records.
struct Hasty;

impl SnapshotAlgorithm for Hasty {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "hasty",
        summary: "done when recorded",
        source: "nobody",
        default_initiators: DefaultInitiators::Sources,
        sends_markers: true,
        promises: &[],
    };

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.close(channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }

    fn is_done(process: &Process<'_, Self>) -> bool {
        process.has_recorded()
    }
}

/// What is in flight when completion is declared is in no recording yet, and lost by a failover.
#[test]
fn an_algorithm_that_declares_too_early_loses_records() {
    let registry = Registry::with_variant::<Hasty>();
    let verdicts =
        |topology| verdicts(&registry, &instance(&registry, "hasty", topology, "failovers = 1"));
    let [exactly, at_least, ..] = verdicts("fan-in(2)");
    assert_eq!((exactly, at_least), (Verdict::Violated, Verdict::Violated));
    // With one input each, the marker that has a process record closes it.
    let [exactly, at_least, ..] = verdicts("line(2)");
    assert_eq!((exactly, at_least), (Verdict::Holds, Verdict::Holds));
}

fn error(arguments: &[&str], expected: &Expect) {
    let ad_hoc = ["check", "--algorithm", "chandy-lamport", "--topology", "p -> q"];
    let output = run(&[&ad_hoc[..], arguments].concat());
    assert_eq!(output.status.code(), Some(2));
    expected.assert_eq(&String::from_utf8(output.stderr).expect("output is UTF-8"));
}

#[test]
fn errors_point_at_what_is_wrong() {
    let central = ["--coordinator", "central"];
    error(
        &["--failovers", "1"],
        &expect![[r#"
        error: nobody could tell which checkpoint is complete
         --> --failovers:1:1
          |
        1 | 1
          | ^
          |
          = help: write coordinator = "central"
    "#]],
    );
    error(
        &["--checkpoints", "2"],
        &expect![[r#"
        error: nobody could tell which checkpoint is complete
         --> --checkpoints:1:1
          |
        1 | 2
          | ^
          |
          = help: write coordinator = "central"
    "#]],
    );
    error(
        &["--sinks", "transactional"],
        &expect![[r#"
        error: nobody could tell which checkpoint is complete
         --> --sinks:1:1
          |
        1 | transactional
          | ^^^^^^^^^^^^^
          |
          = help: write coordinator = "central"
    "#]],
    );
    error(
        &["--checkpoints", "0"],
        &expect![[r#"
        error: 0 checkpoints cannot be checked
         --> --checkpoints:1:1
          |
        1 | 0
          | ^
          |
          = help: choose a number from 1 to 64
    "#]],
    );
    error(
        &["--failovers", "-1"],
        &expect![[r#"
        error: -1 failovers cannot be checked
         --> --failovers:1:1
          |
        1 | -1
          | ^^
          |
          = help: choose a number from 0 to 64
    "#]],
    );
    error(
        &["--failovers", "65"],
        &expect![[r#"
        error: 65 failovers cannot be checked
         --> --failovers:1:1
          |
        1 | 65
          | ^^
          |
          = help: choose a number from 0 to 64
    "#]],
    );
    error(
        &[&central[..], &["--sinks", "golden"]].concat(),
        &expect![[r#"
        error: unknown kind of sinks `golden`
         --> --sinks:1:1
          |
        1 | golden
          | ^^^^^^
          |
          = help: write plain or transactional
    "#]],
    );
    error(
        &[&central[..], &["--checkpoints", "2", "--overlapping", "3"]].concat(),
        &expect![[r#"
        error: 3 checkpoints at a time, of 2
         --> --overlapping:1:1
          |
        1 | 3
          | ^
          |
          = help: take more checkpoints, or fewer at a time
    "#]],
    );
    error(
        &[&central[..], &["--failovers", "1", "--lost-notices", "1"]].concat(),
        &expect![[r#"
        error: no notices are sent that could be lost: plain sinks do not wait for any
         --> --lost-notices:1:1
          |
        1 | 1
          | ^
          |
          = help: write sinks = "transactional", or leave this out
    "#]],
    );
}
