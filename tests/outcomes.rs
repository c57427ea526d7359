//! `check --outcomes`: every distinct outcome, written out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use std::collections::BTreeSet;
use std::process::Output;

use serde_json::{Value, json};
use support::command::{run, stdout};

/// What `check` says, and the lines that it writes.
fn outcomes(arguments: &[&str]) -> (Output, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("outcomes.jsonl");
    let command = [&["check", "--outcomes", file.to_str().unwrap()], arguments].concat();
    let output = run(&command);
    let lines = std::fs::read_to_string(file).unwrap();
    (output, lines.lines().map(ToOwned::to_owned).collect())
}

fn ad_hoc<'t>(algorithm: &'t str, topology: &'t str, more: &[&'t str]) -> (Output, Vec<String>) {
    let fixed = ["--algorithm", algorithm, "--topology", topology, "--messages", "2"];
    outcomes(&[&fixed, more].concat())
}

/// As many lines, no two alike.
fn assert_distinct(lines: &[String], expected: usize) {
    assert_eq!(lines.len(), expected, "{lines:#?}");
    assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), expected, "{lines:#?}");
}

#[test]
fn every_outcome_is_a_line() {
    let (output, lines) = ad_hoc("chandy-lamport", "complete(2)", &["--initiators", "p0"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    assert_distinct(&lines, 18);
    // Both messages of p0 were received before p1 recorded; what p1 had sent was still on its way.
    let line = json!({
        "instance": "ad hoc",
        "processes": [{"sent": [2], "received": [0]}, {"sent": [1], "received": [2]}],
        "channels": [[], [1]],
    });
    assert!(parsed(&lines).contains(&line), "{lines:#?}");
    let nothing = json!({"sent": [0], "received": [0]});
    assert_eq!(parsed(&lines)[0]["processes"], json!([nothing, nothing]));

    let (_, lines) = ad_hoc("general", "fan-in(2)", &[]);
    assert_distinct(&lines, 36);
}

fn parsed(lines: &[String]) -> Vec<Value> {
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_search_that_finds_all_writes_the_same() {
    let found = |more: &[&str]| ad_hoc("flink-aligned", "fan-in(2)", more).1;
    let expected = found(&[]);
    assert_distinct(&expected, 9);
    for engine in ["collapse-full", "bfs", "dfs"] {
        assert_eq!(found(&["--engine", engine]), expected, "{engine}");
    }
    assert_eq!(found(&["--threads", "2"]), expected);
    assert_eq!(found(&["--symmetry"]), expected);
    assert_eq!(found(&["--reduce", "--symmetry"]), expected);
    assert_eq!(found(&["--claim", "consistent-cut"]), expected);
}

#[test]
fn what_the_numbers_do_not_tell_is_told_in_words() {
    let (_, lines) = outcomes(&["chandy-lamport/recovery"]);
    let held = parsed(&lines).into_iter().find(|line| line["channels"] == json!([[], [1]]));
    let held = held.unwrap();
    assert_eq!(held["contents"], json!([[], ["record 1 of p1"]]));
    assert_eq!(held["processes"][1]["state"], "offset 1");

    // Off FIFO it matters which messages were received.
    let (_, lines) = outcomes(&["lai-yang/unordered"]);
    assert_distinct(&lines, 64);
    assert!(parsed(&lines).iter().any(|line| line["processes"][1]["identities"] == json!([[2]])));

    // For which of two checkpoints a sender had recorded is part of its message.
    let (output, lines) = ad_hoc(
        "lai-yang",
        "complete(2)",
        &["--checkpoints", "2", "--overlapping", "2", "--coordinator", "central"],
    );
    assert!(stdout(&output).contains("30 outcomes"), "{}", stdout(&output));
    assert_distinct(&lines, 30);
}

#[test]
fn instance_by_instance() {
    let (output, lines) = outcomes(&["clock/two-clocks", "universal/line-2"]);
    assert_eq!(output.status.code(), Some(0));
    let names: Vec<_> = parsed(&lines).iter().map(|line| line["instance"].clone()).collect();
    let expected = [vec!["clock/two-clocks"; 4], vec!["universal/line-2"; 6]].concat();
    assert_eq!(names, expected);
    assert!(parsed(&lines).iter().all(|line| line.get("complete").is_none()));
}

#[test]
fn a_search_that_is_cut_off_says_so() {
    let (output, lines) = ad_hoc("general", "complete(2)", &["--max-states", "700"]);
    assert_eq!(output.status.code(), Some(3));
    let note = String::from_utf8(output.stderr).unwrap();
    let found = lines.len();
    assert!(0 < found && found < 36, "{found}");
    let expected = format!(
        "ad hoc: the search was cut off; the outcomes found until then ({found}) are written, and there \
         may be more\n"
    );
    assert_eq!(note, expected);
    assert!(parsed(&lines).iter().all(|line| line["complete"] == false));
}

#[test]
fn what_cannot_be_written_or_found_is_an_error_before_anything_is_explored() {
    let nowhere = ["check", "universal/line-2", "--outcomes", "no/such/folder/file"];
    let output = run(&nowhere);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("--outcomes:1:1") && error.contains("no/such/folder/file"), "{error}");
    let random = ["check", "universal/line-2", "--simulate", "9", "--outcomes", "file"];
    assert_eq!(run(&random).status.code(), Some(2));
}
