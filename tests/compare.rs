//! `compare`: the sets of snapshots and their inclusions, with witnesses, by command line alone.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use expect_test::{expect, expect_file};
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
    assert_eq!(aligned["control_messages"], serde_json::json!({ "least": 2, "most": 2 }));
    assert_eq!(side("clock")["control_messages"], serde_json::json!({ "least": 0, "most": 0 }));
}

/// By hand: each process of line(2) with one message; beginning, sending, the marker and receiving.
#[test]
fn steps_to_completion_are_those_of_the_shortest_and_of_the_longest_run() {
    let steps = |more: &[&str], name: &str| {
        let arguments = ["--topology", "p -> q", "--messages", "1", "--algorithms", name];
        let compared = compared(&[&arguments[..], more].concat());
        compared["algorithms"][0].clone()
    };
    let range = |least: u64, most: u64| serde_json::json!({ "least": least, "most": most });
    // p records, q takes the marker; between them p sends, and before it q receives.
    let marker = steps(&[], "chandy-lamport");
    assert_eq!(marker["steps_to_completion"], range(2, 3));
    assert_eq!(marker["control_messages"], range(1, 1));
    // p and q record at any moment, one of them after all else.
    let clock = steps(&[], "clock");
    assert_eq!(clock["steps_to_completion"], range(2, 4));
    assert_eq!(clock["control_messages"], range(0, 0));
    // The instruction, p is told, q takes the marker, both say "done"; the message between.
    let central = steps(&["--coordinator", "central"], "chandy-lamport");
    assert_eq!(central["steps_to_completion"], range(5, 7));
}

/// What never completes has no steps to completion; its control messages are not counted either.
#[test]
fn a_snapshot_that_never_completes_is_said_to() {
    let arguments = ["--topology", "p -> q -> r -> q", "--algorithms", "flink-aligned"];
    let side = compared(&arguments)["algorithms"][0].clone();
    assert!(side["steps_to_completion"].is_null() && side["control_messages"].is_null(), "{side}");
    let text = stdout(&run(&[&["compare"], &arguments[..]].concat()));
    assert!(text.contains("never"), "{text}");
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

/// The lines of the diagram.
fn diagram(text: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.starts_with("Inclusions")).skip(2);
    let lines = lines.map_while(|line| line.strip_prefix("  "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn pictures_of_a_comparison_are_files_and_parts_of_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let (page, pictures) = (folder.path().join("page.html"), folder.path().join("pictures"));
    let output = run(&[
        "compare",
        "--topology",
        "fan-in(2)",
        "--messages",
        "2",
        "--html",
        page.to_str().unwrap(),
        "--svg",
        pictures.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(pictures.join(name)).unwrap();
    expect_file!["../docs/hasse.svg"].assert_eq(&read("hasse.svg"));
    expect_file!["../docs/chart.svg"].assert_eq(&read("chart.svg"));
    let page = std::fs::read_to_string(page).unwrap();
    for part in ["strict: 18 more", "stop-the-world ⊂ chandy-lamport", "p0→p2 holds 1", "4–12"]
    {
        assert!(page.contains(part), "{part}");
    }
    // The name of SVG's language is the only address, and nothing is loaded from it.
    let addresses = page.matches("://").count();
    assert_eq!(addresses, page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
}

#[test]
fn the_text_shows_the_diagram_and_the_witnesses() {
    let output = run(&["compare", "--topology", "fan-in(2)", "--messages", "2"]);
    let text = stdout(&output);
    expect![[r#"
        general-literal: 81
        ├─ general = general-literal-forgetful = universal: 36
        │  └─ chandy-lamport = flink-unaligned = flink-aligned-timeout = lai-yang: 27
        │     └─ flink-aligned = flink-aligned-cyclic = stop-the-world: 9
        └─ flink-at-least-once: 27
           └─ flink-aligned = flink-aligned-cyclic = stop-the-world: 9
        clock: 81
        └─ flink-at-least-once: 27 (as above)
    "#]]
    .assert_eq(&diagram(&text));
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
