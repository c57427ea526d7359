//! What is no plan that can be checked is refused: each error points at its place and says what to do.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use expect_test::{Expect, expect};
use support::command::{run, snapcheck};

/// What `import` says of a plan, which it then does not write an instance of.
fn refused(plan: &[u8], more: &[&str], expected: &Expect) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.json"), plan).unwrap();
    let arguments = [&["import", "plan.json"][..], more].concat();
    let output = snapcheck(&arguments).current_dir(folder.path()).output().unwrap();
    expected.assert_eq(&String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(!folder.path().join("plan.toml").exists());
}

fn error(plan: &str, expected: &Expect) {
    refused(plan.as_bytes(), &[], expected);
}

const GOOD: &str = r#"{"nodes": [
  {"id": "a", "parallelism": 2, "description": "Source: a"},
  {"id": "b", "parallelism": 2, "description": "B", "inputs": [
    {"id": "a", "ship_strategy": "HASH"}]}
]}
"#;

fn change(from: &str, to: &str, expected: &Expect) {
    assert!(GOOD.contains(from));
    error(&GOOD.replace(from, to), expected);
}

#[test]
fn what_is_no_plan() {
    error("", &expect![[""]]);
    error("no plan at all", &expect![[""]]);
    error("{\"nodes\": [", &expect![[""]]);
    error("[1, 2]", &expect![[""]]);
    error("{}", &expect![[""]]);
    error("{\"errors\": [\"Job not found\"]}", &expect![[""]]);
    error("{\"plan\": {\"jid\": \"1\"}}", &expect![[""]]);
    error("{\"plan\": \"{}\"}", &expect![[""]]);
    error("{\"nodes\": {}}", &expect![[""]]);
    error("{\"nodes\": []}", &expect![[""]]);
    error("{\"nodes\": [7]}", &expect![[""]]);
    refused(b"{\"nodes\": \xff}", &[], &expect![[""]]);
}

#[test]
fn a_file_that_cannot_be_read() {
    let output = run(&["import", "no/such/plan.json"]);
    assert_eq!(output.status.code(), Some(2));
    expect![[""]].assert_eq(&String::from_utf8(output.stderr).unwrap());
}

#[test]
fn errors_in_nodes() {
    change("\"id\": \"a\", \"par", "\"par", &expect![[""]]);
    change("\"id\": \"a\", \"par", "\"id\": 1.5, \"par", &expect![[""]]);
    change("\"id\": \"b\"", "\"id\": \"a\"", &expect![[""]]);
    change("\"parallelism\": 2, \"description\": \"B\"", "\"description\": \"B\"", &expect![[""]]);
    change("\"parallelism\": 2, \"description\": \"B\"", "\"parallelism\": 0", &expect![[""]]);
    change("\"parallelism\": 2, \"description\": \"B\"", "\"parallelism\": -1", &expect![[""]]);
    change("\"parallelism\": 2, \"description\": \"B\"", "\"parallelism\": \"2\"", &expect![[""]]);
}

#[test]
fn errors_in_edges() {
    change("{\"id\": \"a\", \"ship", "{\"id\": \"c\", \"ship", &expect![[""]]);
    change("{\"id\": \"a\", \"ship", "{\"ship", &expect![[""]]);
    change(", \"ship_strategy\": \"HASH\"", "", &expect![[""]]);
    change("HASH", "RESCALE", &expect![[""]]);
    change("HASH", "GLOBAL", &expect![[""]]);
    change("HASH", "SHUFFLE", &expect![[""]]);
    change("HASH", "TELEPATHY", &expect![[""]]);
    error(
        &GOOD.replacen("\"parallelism\": 2", "\"parallelism\": 3", 1).replace("HASH", "FORWARD"),
        &expect![[""]],
    );
}

#[test]
fn cycles_and_plans_without_a_source() {
    change(
        "\"Source: a\"",
        "\"A\", \"inputs\": [{\"id\": \"b\", \"ship_strategy\": \"HASH\"}]",
        &expect![[""]],
    );
    change(
        "\"HASH\"}]}",
        "\"HASH\"}, {\"id\": \"d\", \"ship_strategy\": \"HASH\"}]},
  {\"id\": \"c\", \"parallelism\": 1, \"inputs\": [{\"id\": \"b\", \"ship_strategy\": \"HASH\"}]},
  {\"id\": \"d\", \"parallelism\": 1, \"inputs\": [{\"id\": \"c\", \"ship_strategy\": \"HASH\"}]}",
        &expect![[""]],
    );
    change("\"HASH\"}", "\"HASH\"}, {\"id\": \"b\", \"ship_strategy\": \"HASH\"}", &expect![[""]]);
}

#[test]
fn nodes_that_cannot_be_one_task() {
    change(
        "\"parallelism\": 2, \"description\": \"Source: a\"}",
        "\"parallelism\": 2, \"job_vertex_id\": \"v\"},
  {\"id\": \"c\", \"parallelism\": 1, \"job_vertex_id\": \"v\"}",
        &expect![[""]],
    );
    change(
        "\"parallelism\": 2, \"description\": \"Source: a\"}",
        "\"parallelism\": 2, \"job_vertex_id\": \"v\"},
  {\"id\": \"c\", \"parallelism\": 2, \"job_vertex_id\": \"v\", \"inputs\": [
    {\"id\": \"b\", \"ship_strategy\": \"HASH\"}]}",
        &expect![[""]],
    );
}

#[test]
fn jobs_that_are_too_large() {
    let large = GOOD.replace("\"parallelism\": 2", "\"parallelism\": 200");
    refused(large.as_bytes(), &["--max-parallelism", "100"], &expect![[""]]);
    let many = (0..33).map(|id| format!("{{\"id\": {id}, \"parallelism\": 1}}"));
    let many = format!("{{\"nodes\": [{}]}}", many.collect::<Vec<_>>().join(","));
    refused(many.as_bytes(), &[], &expect![[""]]);
    refused(GOOD.as_bytes(), &["--records", "1001"], &expect![[""]]);
    refused(GOOD.as_bytes(), &["--output", "no/such/folder/plan.toml"], &expect![[""]]);
    refused(GOOD.as_bytes(), &["--max-parallelism", "0"], &expect![[""]]);
}

/// Flink prints a plan in one line: of a long one the part around the error is shown.
#[test]
fn an_error_in_a_long_line() {
    let nodes = (0..40).map(|id| {
        let parallelism = if id == 30 { 0 } else { 1 };
        format!("{{\"id\": {id}, \"parallelism\": {parallelism}, \"description\": \"Source\"}}")
    });
    error(&format!("{{\"nodes\":[{}]}}", nodes.collect::<Vec<_>>().join(",")), &expect![[""]]);
}
