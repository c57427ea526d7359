//! The application `bank`, and the claim `conserved`: where it holds, and what makes it fall.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
    pub(crate) mod forgetful;
    pub(crate) mod small;
}

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use expect_test::expect;
use stateright::Model;

use snapcheck::check::{Options, Report, Traces, check};
use snapcheck::engines::EngineKind;
use snapcheck::instance::{Instance, file};
use snapcheck::models::algorithms::{ChandyLamport, FlinkAligned};
use snapcheck::models::application::Application;
use snapcheck::models::applications::Bank;
use snapcheck::models::applications::bank::Account;
use snapcheck::models::claim::Claim;
use snapcheck::models::packet::Packet;
use snapcheck::models::process::SnapshotAlgorithm;
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::Topology;
use snapcheck::registry::Registry;
use snapcheck::system::{Composed, LocalState, Reduction, SystemModel};
use snapcheck::verdict::Verdict;
use support::command::{run, stdout};
use support::forgetful::Forgetful;
use support::small::small_setups;

/// An algorithm over a bank in which each process has one unit, and may transfer once; `more` is
/// further TOML.
fn bank(registry: &Registry, algorithm: &str, topology: &str, more: &str) -> Instance {
    let text = format!(
        "title = \"\"\nalgorithm = \"{algorithm}\"\ntopology = \"{topology}\"\n{more}\n\
         [application]\nbank = {{ balance = 1, transfers = 1 }}\n"
    );
    let built = file::parse("inline", text, "inline", &registry.infos());
    built.unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn check_with(registry: &Registry, instance: &Instance, options: Options) -> Report {
    check(registry, instance, &Options { traces: Traces::None, ..options }, &|_| ())
}

fn verdict(report: &Report, claim: Claim) -> Verdict {
    report.claims.iter().find(|report| report.claim == claim).unwrap().verdict
}

/// Held and under way, in every reachable state.
fn amounts<A: SnapshotAlgorithm>(topology: &str) -> BTreeSet<u64> {
    let topology = Topology::parse(topology).unwrap();
    let accounts = vec![Account { balance: 1, transfers: 2 }; topology.process_count()];
    let initiators = A::INFO.default_initiators.on(&topology);
    let application = Arc::new(Bank::new(&topology, accounts));
    let setup = Arc::new(Setup::new(topology, initiators, Coordinator::Central));
    let system = SystemModel::<Bank>::of::<A>(setup, Arc::clone(&application));
    let mut seen = BTreeMap::new();
    let mut next = system.init_states();
    while let Some(state) = next.pop() {
        let parts = system.split(&state);
        let amounts = parts.iter().map(|part| {
            let LocalState::Actor(actor) = &part.local else { unreachable!("nobody observes") };
            let held = match actor.as_ref() {
                snapcheck::system::ActorState::Process(process) => {
                    application.amount_held(&process.application)
                }
                snapcheck::system::ActorState::Coordinator { .. } => 0,
            };
            let packets = part.inputs.iter().flat_map(|(_, packets)| packets);
            let messages = packets.filter(|packet| matches!(packet, Packet::Message(_)));
            held + messages.count() as u64
        });
        let amount = amounts.sum();
        if seen.insert(parts, amount).is_none() {
            next.extend(system.next_states(&state));
        }
    }
    seen.into_values().collect()
}

#[test]
fn no_step_changes_the_sum() {
    assert_eq!(amounts::<ChandyLamport>("p -> q, q -> p"), BTreeSet::from([2]));
    assert_eq!(amounts::<FlinkAligned>("fan-in(2)"), BTreeSet::from([3]));
}

/// Where an algorithm promises it the snapshot conserves; and where a checkpoint of Flink terminates
/// and does not promise it, it does not.
#[test]
fn promises_are_kept_and_conditions_are_exact() {
    let registry = Registry::bundled();
    for (topology, initiators) in &small_setups() {
        for info in registry.algorithms() {
            let instance = bank(&registry, info.name, topology, initiators);
            let report = check_with(&registry, &instance, Options::default());
            let conserves = verdict(&report, Claim::Conserved) == Verdict::Holds;
            let promised = instance.promises(Claim::Conserved);
            let place = format!("{} on {topology}, {initiators}", info.name);
            assert!(conserves || !promised, "{place}");
            let terminates = verdict(&report, Claim::Terminates) == Verdict::Holds;
            if info.name.starts_with("flink") && terminates {
                assert_eq!(conserves, promised, "{place}");
            }
        }
    }
}

#[test]
fn every_search_finds_the_same() {
    let registry = Registry::bundled();
    for algorithm in ["chandy-lamport", "flink-at-least-once", "clock"] {
        let instance = bank(&registry, algorithm, "complete(2)", "coordinator = \"central\"");
        let found = |engine, reduction| {
            let options = Options { engine, reduction, ..Options::default() };
            let report = check_with(&registry, &instance, options);
            let explored = report.explored;
            let lasting = [Claim::ConsistentCut, Claim::Conserved, Claim::Terminates];
            let verdicts =
                lasting.map(|claim| explored.verdicts.iter().find(|v| v.0 == claim).copied());
            (explored.outcomes, explored.consistent_outcomes, verdicts)
        };
        let reference = found(EngineKind::Bfs, Reduction::default());
        for (interleavings, symmetry) in
            [(false, false), (true, false), (false, true), (true, true)]
        {
            let reduction = Reduction { interleavings, symmetry };
            assert_eq!(found(EngineKind::Collapse, reduction), reference, "{algorithm}");
        }
    }
    let everybody = "initiators = [\"p0\", \"p1\", \"p2\"]";
    let instance = bank(&registry, "flink-aligned", "complete(3)", everybody);
    let reduction = Reduction { interleavings: false, symmetry: true };
    let report = check_with(&registry, &instance, Options { reduction, ..Options::default() });
    assert_eq!(report.explored.symmetries, 6, "in a bank the order of outputs is of no account");
}

#[test]
fn what_loses_money_is_caught() {
    let registry = Registry::with_variant::<Forgetful>();
    let right = bank(&registry, "chandy-lamport", "complete(2)", "");
    let wrong = bank(&registry, "forgetful", "complete(2)", "");
    let conserved =
        |instance| verdict(&check_with(&registry, instance, Options::default()), Claim::Conserved);
    assert_eq!(conserved(&right), Verdict::Holds);
    assert_eq!(conserved(&wrong), Verdict::Violated);
}

#[test]
fn a_snapshot_that_doubles_or_loses_is_told_in_words() {
    let told = |instance| stdout(&run(&["check", instance, "--claim", "conserved"]));
    let doubled = told("flink-at-least-once/bank-fan-in");
    assert!(
        doubled.contains("the snapshot holds 7 in all, of 6 there were: 1 doubled"),
        "{doubled}"
    );
    let lost = told("clock/bank");
    assert!(lost.contains("the snapshot holds 1 in all, of 2 there were: 1 lost"), "{lost}");
}

#[test]
fn errors_in_a_bank_point_at_their_place() {
    let error = |application: &str| {
        let ad_hoc = ["check", "--algorithm", "clock", "--topology", "p -> q", "--application"];
        let output = run(&[&ad_hoc[..], &[application]].concat());
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    expect![[r#"
        error: unknown field `transfer`, expected one of `balance`, `balances`, `transfers`
         --> --application:1:23
          |
        1 | bank = { balance = 1, transfer = 2 }
          |                       ^^^^^^^^
          |
          = help: remove the key or correct its spelling
    "#]]
    .assert_eq(&error("bank = { balance = 1, transfer = 2 }"));
    expect![[r#"
        error: -1 units cannot be checked
         --> --application:1:20
          |
        1 | bank = { balance = -1, transfers = 2 }
          |                    ^^
          |
          = help: choose a number from 0 to 1000
    "#]]
    .assert_eq(&error("bank = { balance = -1, transfers = 2 }"));
    expect![[r#"
        error: unknown process `r`
         --> --application:1:36
          |
        1 | bank = { balance = 1, balances = { r = 1 }, transfers = 2 }
          |                                    ^
          |
          = help: the processes are p, q
    "#]]
    .assert_eq(&error("bank = { balance = 1, balances = { r = 1 }, transfers = 2 }"));
    expect![[r#"
        error: an application has either messages, steps, a bank, a stream or requests
         --> --application:1:1
          |
        1 | / bank = { balance = 1, transfers = 2 }
        2 | | messages = 1
          | |____________^
          |
          = help: write messages = 1, or bank = { balance = 1, transfers = 2 }, or stream = { records = 2 }, or requests = {}, or a table of steps per process (then also of initially)
    "#]].assert_eq(&error("bank = { balance = 1, transfers = 2 }\nmessages = 1"));
}
