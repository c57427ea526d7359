//! The counterexamples that explain the algorithms, pinned as a person reads them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use expect_test::{Expect, expect};

use snapcheck::check::{Options, check};
use snapcheck::instance::bundled;
use snapcheck::models::claim::Claim;
use snapcheck::registry::Registry;
use snapcheck::render::explain;

/// A shortest counterexample to `claim` on a bundled instance, step by step and in one sentence.
fn counterexample(name: &str, claim: Claim, expected: &Expect) {
    let registry = Registry::bundled();
    let instances = bundled::all(&registry.infos()).unwrap();
    let instance = instances.iter().find(|instance| instance.name == name).unwrap();
    let options = Options { claims: vec![claim], ..Options::default() };
    let report = check(&registry, instance, &options, &|_| ());
    let trace = &report.claims[0].shown.as_ref().expect("the claim is violated").trace;
    let mut text = String::new();
    for step in &trace.steps {
        text.push_str(&format!("{step}\n"));
    }
    text.push_str(&explain(claim, &trace.last, &instance.setup.topology).unwrap());
    expected.assert_eq(&text);
}

#[test]
fn a_marker_and_a_message_overtake_the_start_instruction() {
    counterexample(
        "general-literal/manager-apart",
        Claim::ConsistentCut,
        &expect![[r#"
            coordinator gives the instruction to begin: sends the start instruction to p, q
            p receives the start instruction: RECORDS [sent 0 on p→q], sends marker to q, sends "done" to coordinator
            q consumes the marker on p→q: closes p→q as empty
            p sends message 1 on p→q
            q receives message 1 from p→q
            q receives the start instruction: RECORDS [received 1 from p→q], sends "done" to coordinator
            q recorded after receiving message 1 from p→q, which p sent only after it recorded (m = 1 > n = 0)"#]],
    );
}

#[test]
fn a_manager_among_the_processes_does_not_help() {
    counterexample(
        "general-literal/manager-inside",
        Claim::ConsistentCut,
        &expect![[r#"
        p0 gives the instruction to begin: sends the start instruction to p1
        p1 receives the start instruction: RECORDS [sent 0 on p1→p0, received 0 from p0→p1], sends marker to p0
        p0 consumes the marker on p1→p0: closes p1→p0 as empty
        p1 sends message 1 on p1→p0
        p0 receives message 1 from p1→p0
        p0 begins: RECORDS [sent 0 on p0→p1, received 1 from p1→p0], sends marker to p1, sends "done" to coordinator
        p0 recorded after receiving message 1 from p1→p0, which p1 sent only after it recorded (m = 1 > n = 0)"#]],
    );
}

#[test]
fn an_ignored_marker_is_waited_for_for_ever() {
    counterexample(
        "general-literal-forgetful/manager-apart",
        Claim::Terminates,
        &expect![[r#"
            p sends message 1 on p→q
            q receives message 1 from p→q
            coordinator gives the instruction to begin: sends the start instruction to p, q
            p receives the start instruction: RECORDS [sent 1 on p→q], sends marker to q, sends "done" to coordinator
            q consumes the marker on p→q
            coordinator hears "done" from p
            q receives the start instruction: RECORDS [received 1 from p→q]
            no step is possible any more, but the recording of p→q is not closed"#]],
    );
}

#[test]
fn two_clocks_do_not_strike_together() {
    counterexample(
        "clock/two-clocks",
        Claim::ConsistentCut,
        &expect![[r#"
            p begins: RECORDS [sent 0 on p→q]
            p sends message 1 on p→q
            q receives message 1 from p→q
            q begins: RECORDS [received 1 from p→q], closes p→q as empty
            q recorded after receiving message 1 from p→q, which p sent only after it recorded (m = 1 > n = 0)"#]],
    );
}

#[test]
fn what_is_in_flight_at_the_strike_is_lost() {
    counterexample(
        "clock/in-flight",
        Claim::ExactChannelState,
        &expect![[r#"
        p0 begins: RECORDS [sent 0 on p0→p1, received 0 from p1→p0], closes p1→p0 as empty
        p1 sends message 1 on p1→p0
        p1 begins: RECORDS [sent 1 on p1→p0, received 0 from p0→p1], closes p0→p1 as empty
        the recording of p1→p0 is closed with nothing but should hold message 1: what p1 sent before it recorded and p0 had not received when it did"#]],
    );
}

#[test]
fn at_least_once_reads_on_behind_a_barrier() {
    counterexample(
        "flink-at-least-once/fan-in-2",
        Claim::ConsistentCut,
        &expect![[r#"
            p0 begins: RECORDS [sent 0 on p0→p2], sends barrier to p2
            p2 consumes the barrier on p0→p2: closes p0→p2 as empty
            p0 sends message 1 on p0→p2
            p2 receives message 1 from p0→p2
            p1 begins: RECORDS [sent 0 on p1→p2], sends barrier to p2
            p2 consumes the barrier on p1→p2: RECORDS [received 1 from p0→p2, received 0 from p1→p2], closes p1→p2 as empty
            p2 recorded after receiving message 1 from p0→p2, which p0 sent only after it recorded (m = 1 > n = 0)"#]],
    );
}

#[test]
fn alignment_blocks() {
    counterexample(
        "flink-aligned/fan-in-2",
        Claim::NeverBlocks,
        &expect![[r#"
            p0 begins: RECORDS [sent 0 on p0→p2], sends barrier to p2
            p2 consumes the barrier on p0→p2: closes p0→p2 as empty, blocks p0→p2
            p0 sends message 1 on p0→p2
            1 message waits in p0→p2, which p2 does not read from"#]],
    );
}

#[test]
fn on_a_cycle_an_operator_waits_for_its_own_barrier() {
    counterexample(
        "flink-aligned/cycle",
        Claim::Terminates,
        &expect![[r#"
            s begins: RECORDS [sent 0 on s→p], sends barrier to p
            p consumes the barrier on s→p: closes s→p as empty, blocks s→p
            s sends message 1 on s→p
            p sends message 1 on p→q
            q receives message 1 from p→q
            q sends message 1 on q→p
            p receives message 1 from q→p
            no step is possible any more, but p has not recorded"#]],
    );
}

#[test]
fn an_initiator_with_an_input_loses_what_is_in_flight() {
    counterexample(
        "flink-aligned/initiator-with-input",
        Claim::ExactChannelState,
        &expect![[r#"
        p sends message 1 on p→q
        p begins: RECORDS [sent 1 on p→q], sends barrier to q
        q begins: RECORDS [received 0 from p→q], closes p→q as empty
        the recording of p→q is closed with nothing but should hold message 1: what p sent before it recorded and q had not received when it did"#]],
    );
}

#[test]
fn chandy_lamport_needs_channel_state() {
    counterexample(
        "chandy-lamport/fan-in-2",
        Claim::EmptyChannelState,
        &expect![[r#"
            p0 begins: RECORDS [sent 0 on p0→p2], sends marker to p2
            p2 consumes the marker on p0→p2: RECORDS [received 0 from p0→p2, received 0 from p1→p2], closes p0→p2 as empty
            p1 sends message 1 on p1→p2
            p2 receives message 1 from p1→p2: stores message 1 of p1→p2
            p1 begins: RECORDS [sent 1 on p1→p2], sends marker to p2
            p2 consumes the marker on p1→p2: closes p1→p2 with message 1
            the recording of p1→p2 holds message 1"#]],
    );
}
