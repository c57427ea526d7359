//! The command line as a user meets it: numbers, formats and exit codes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use std::io::Read;
use std::process::Stdio;

use support::command::{run, snapcheck, stdout};

/// One JSON object per line and nothing else.
fn json(arguments: &[&str]) -> (Vec<serde_json::Value>, Option<i32>) {
    let output = run(arguments);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = stdout(&output);
    let objects = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (objects, output.status.code())
}

const ALGORITHM_ON: [&str; 5] = ["check", "--format", "json", "--algorithm", ""];

fn outcomes(algorithm: &str, topology: &str, messages: &str, more: &[&str]) -> u64 {
    let mut arguments = ALGORITHM_ON.to_vec();
    arguments[4] = algorithm;
    arguments.extend(["--topology", topology, "--messages", messages]);
    arguments.extend(more);
    let (objects, _) = json(&arguments);
    assert_eq!(objects.len(), 1);
    assert_eq!(objects[0]["complete"], true);
    objects[0]["outcomes"].as_u64().unwrap()
}

#[test]
fn the_numbers_come_out_by_command_line_alone() {
    let (objects, code) = json(&[
        "check",
        "--algorithm",
        "chandy-lamport",
        "--topology",
        "complete(3)",
        "--messages",
        "1",
        "--initiators",
        "p0",
        "--format",
        "json",
    ]);
    assert_eq!(code, Some(0));
    assert_eq!(objects[0]["states"]["unique"], 127_767);
    assert_eq!(objects[0]["states"]["generated"], 514_246);

    for (messages, expected) in [("1", 6), ("2", 18), ("3", 40)] {
        let found = outcomes("chandy-lamport", "complete(2)", messages, &["--initiators", "p0"]);
        assert_eq!(found, expected);
    }
    assert_eq!(outcomes("chandy-lamport", "complete(3)", "0", &["--initiators", "p0"]), 1);
    for (algorithm, expected) in [("general", 36), ("universal", 36), ("general-literal", 72)] {
        assert_eq!(outcomes(algorithm, "complete(2)", "2", &[]), expected);
    }
    for (algorithm, expected) in [
        ("chandy-lamport", 27),
        ("flink-aligned", 9),
        ("flink-at-least-once", 27),
        ("general", 36),
        ("universal", 36),
        ("clock", 81),
    ] {
        assert_eq!(outcomes(algorithm, "s0 -> op, s1 -> op", "2", &[]), expected);
    }
    for algorithm in ["chandy-lamport", "flink-aligned", "flink-at-least-once"] {
        assert_eq!(outcomes(algorithm, "line(3)", "2", &[]), 9);
    }
}

#[test]
fn json_holds_the_trace_of_a_violation() {
    let (objects, code) = json(&["check", "general-literal/manager-apart", "--format", "json"]);
    assert_eq!(code, Some(0));
    let report = &objects[0];
    assert_eq!(report["instance"], "general-literal/manager-apart");
    assert_eq!(report["topology"]["channels"], serde_json::json!([["p", "q"]]));
    assert_eq!((report["ok"].clone(), report["engine"].clone()), (true.into(), "collapse".into()));
    assert_eq!(report["consistent_outcomes"], 3);
    let claims = report["claims"].as_array().unwrap();
    let cut = claims.iter().find(|claim| claim["claim"] == "consistent-cut").unwrap();
    assert_eq!(cut["kind"], "safety");
    assert_eq!(cut["verdict"], "violated");
    assert_eq!(cut["promised"], false);
    let steps = cut["trace"].as_array().unwrap();
    assert_eq!(steps.len(), 6);
    let sent = steps.iter().find(|step| step["action"] == "send").unwrap();
    assert_eq!(sent["process"], "p");
    assert_eq!(sent["channel"], serde_json::json!(["p", "q"]));
    assert_eq!(sent["message"], 1);
    let numbers: Vec<_> = steps.iter().map(|step| step["step"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    let holds = claims.iter().find(|claim| claim["claim"] == "terminates").unwrap();
    assert_eq!(holds["trace"], serde_json::Value::Null);
}

#[test]
fn a_folder_is_checked_line_by_line() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models/instances/clock");
    let output = run(&["check", folder]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert_eq!(text.lines().filter(|line| line.starts_with("ok ")).count(), 6, "{text}");
    assert!(text.contains("all 6 instances are as expected"), "{text}");
}

#[test]
fn exit_codes() {
    let code = |arguments: &[&str]| run(arguments).status.code();
    let literal = ["check", "general-literal/manager-apart"];
    assert_eq!(code(&literal), Some(0));
    assert_eq!(code(&["check", "chandy-lamport/complete-2-k3", "--max-states", "10"]), Some(3));
    assert_eq!(code(&["check", "no/such/instance"]), Some(2));
    assert_eq!(code(&["chek"]), Some(2));
    assert_eq!(code(&["check", "--algorithm", "clock"]), Some(2));
    assert_eq!(code(&["list", "algorithms"]), Some(0));

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.toml");
    let text = "title = \"t\"\nalgorithm = \"clock\"\ntopology = \"p -> q\"\n\
                [application]\nmessages = 1\n[expect.claims]\nconsistent-cut = \"holds\"\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(code(&["check", file]), Some(1));
    // A violation beats what is inconclusive: 18 of the 19 states hold one.
    assert_eq!(code(&["check", file, "--max-states", "18"]), Some(1));
    assert_eq!(code(&["check", file, "--max-states", "2"]), Some(3));
}

#[test]
fn nothing_but_results_is_printed_when_piped() {
    let output = run(&["check", "chandy-lamport/complete-3-k1"]);
    assert!(output.stderr.is_empty());
    let text = stdout(&output);
    assert!(!text.contains('\u{1b}') && !text.contains('\r'), "{text}");
    assert!(text.contains("127,767 states, 514,246 generated"), "{text}");
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let mut child = snapcheck(&["check", "clock"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    child.wait().unwrap();
    assert_eq!(errors, "");
}

#[test]
fn lists_name_everything() {
    for (what, names) in [
        ("algorithms", &["chandy-lamport", "flink-at-least-once", "general-literal"][..]),
        ("claims", &["consistent-cut", "never-blocks", "channel-blocked"]),
        ("topologies", &["complete(n)", "fan-in(n)", "diamond"]),
        ("applications", &["script"]),
        ("instances", &["chandy-lamport/classic-three", "clock/two-clocks"]),
    ] {
        let output = run(&["list", what]);
        assert_eq!(output.status.code(), Some(0));
        for name in names {
            assert!(stdout(&output).contains(name), "{what}: {name}");
        }
    }
}
