//! `compare`: the sets of snapshots and their inclusions, with witnesses, by command line alone.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use serde_json::Value;
use support::command::{run, stdout};

fn compared(arguments: &[&str]) -> Value {
    let output = run(&[&["compare", "--format", "json"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// Whether the snapshots of one are among those of the other, and strictly so.
fn inclusion(compared: &Value, smaller: &str, larger: &str) -> Option<bool> {
    let inclusions = compared["inclusions"].as_array().unwrap();
    let found = inclusions.iter().find(|i| i["smaller"] == smaller && i["larger"] == larger)?;
    let strict = found["strict"].as_bool().unwrap();
    let witness = &found["witness"];
    assert_eq!(strict, !witness.is_null());
    assert!(!strict || !witness["trace"].as_array().unwrap().is_empty());
    Some(strict)
}

#[test]
fn fan_in_has_the_inclusions_of_the_thesis() {
    let compared = compared(&["--topology", "s0 -> op, s1 -> op", "--messages", "2"]);
    let outcomes = |name: &str| {
        let algorithms = compared["algorithms"].as_array().unwrap();
        let found = algorithms.iter().find(|side| side["algorithm"] == name).unwrap();
        found["outcomes"].as_u64().unwrap()
    };
    for (name, expected) in [
        ("flink-aligned", 9),
        ("chandy-lamport", 27),
        ("flink-at-least-once", 27),
        ("general", 36),
        ("universal", 36),
        ("clock", 81),
    ] {
        assert_eq!(outcomes(name), expected, "{name}");
    }
    let included = |smaller, larger| inclusion(&compared, smaller, larger);
    assert_eq!(included("flink-aligned", "chandy-lamport"), Some(true));
    assert_eq!(included("chandy-lamport", "general"), Some(true));
    assert_eq!(included("general", "universal"), Some(false));
    assert_eq!(included("universal", "general"), Some(false));
    assert_eq!(included("universal", "general-literal"), Some(true));
    assert_eq!(included("flink-aligned", "flink-at-least-once"), Some(true));
    assert_eq!(included("flink-at-least-once", "general"), None);
    assert_eq!(included("chandy-lamport", "flink-aligned"), None);
}

#[test]
fn costs_tell_the_algorithms_apart() {
    let compared = compared(&["--topology", "fan-in(2)", "--messages", "2"]);
    let side = |name: &str| {
        let algorithms = compared["algorithms"].as_array().unwrap();
        algorithms.iter().find(|side| side["algorithm"] == name).unwrap().clone()
    };
    let (aligned, chandy_lamport) = (side("flink-aligned"), side("chandy-lamport"));
    assert_eq!(aligned["channel_state"], serde_json::json!({ "least": 0, "most": 0 }));
    assert_eq!(chandy_lamport["channel_state"], serde_json::json!({ "least": 0, "most": 2 }));
    assert_eq!((aligned["held"].clone(), chandy_lamport["held"].clone()), (2.into(), 0.into()));
    assert_eq!(aligned["markers"], serde_json::json!({ "least": 2, "most": 2 }));
}

#[test]
fn without_two_inputs_aligned_and_chandy_lamport_are_equal() {
    let algorithms = ["--algorithms", "flink-aligned, chandy-lamport"];
    let compared =
        compared(&[&["--topology", "line(3)", "--messages", "2"], &algorithms[..]].concat());
    assert_eq!(compared["algorithms"].as_array().unwrap().len(), 2);
    assert_eq!(inclusion(&compared, "flink-aligned", "chandy-lamport"), Some(false));
    assert_eq!(inclusion(&compared, "chandy-lamport", "flink-aligned"), Some(false));
}

#[test]
fn the_text_shows_the_diagram_and_the_witnesses() {
    let output = run(&["compare", "--topology", "fan-in(2)", "--messages", "2"]);
    let text = stdout(&output);
    assert!(text.contains("general = general-literal-forgetful = universal"), "{text}");
    assert!(text.contains("flink-aligned ⊂ chandy-lamport: 9 of 27"), "{text}");
    assert!(text.contains("only chandy-lamport records: "), "{text}");
    // Between the two lies chandy-lamport.
    assert!(!text.contains("flink-aligned ⊂ general"), "{text}");
}

#[test]
fn a_limit_makes_it_inconclusive_and_bad_input_is_an_error() {
    let limited = run(&["compare", "--topology", "complete(2)", "--max-states", "10"]);
    assert_eq!(limited.status.code(), Some(3));
    let unknown = run(&["compare", "--topology", "complete(2)", "--algorithms", "clock, clok"]);
    assert_eq!(unknown.status.code(), Some(2));
    let error = String::from_utf8(unknown.stderr).unwrap();
    assert!(error.contains("unknown algorithm `clok`"), "{error}");
}
