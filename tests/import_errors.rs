//! What is no plan of a Flink job is refused: each error points at its place and says what to do.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
    pub(crate) mod refused;
}

use expect_test::expect;
use support::command::run;
use support::refused::{change, error, refused};

#[test]
fn what_is_no_plan() {
    error(
        "",
        &expect![[r#"
            error: an empty file
             --> plan.json:1:1
              |
            1 |  
              | ^
              |
              = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
        "#]],
    );
    error(
        "no plan at all",
        &expect![[r#"
            error: this is no JSON: expected ident
             --> plan.json:1:2
              |
            1 | no plan at all
              |  ^
              |
              = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
        "#]],
    );
    error(
        "{\"nodes\": [",
        &expect![[r#"
            error: this is no JSON: EOF while parsing a list
             --> plan.json:1:11
              |
            1 | {"nodes": [
              |           ^
              |
              = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
        "#]],
    );
    error(
        "[1, 2]",
        &expect![[r#"
            error: a plan is an object, and this is none
             --> plan.json:1:1
              |
            1 | [1, 2]
              | ^
              |
              = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
        "#]],
    );
    error(
        "{}",
        &expect![[r#"
        error: no nodes: this is no plan
         --> plan.json:1:1
          |
        1 | {}
          | ^
          |
          = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
    "#]],
    );
    error(
        "{\"errors\": [\"Job not found\"]}",
        &expect![[r#"
        error: no nodes: this is no plan
         --> plan.json:1:1
          |
        1 | {"errors": ["Job not found"]}
          | ^
          |
          = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
    "#]],
    );
    error(
        "{\"plan\": {\"jid\": \"1\"}}",
        &expect![[r#"
        error: no nodes: this is no plan
         --> plan.json:1:10
          |
        1 | {"plan": {"jid": "1"}}
          |          ^
          |
          = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
    "#]],
    );
    error(
        "{\"plan\": \"{}\"}",
        &expect![[r#"
            error: a plan is an object, and this is none
             --> plan.json:1:10
              |
            1 | {"plan": "{}"}
              |          ^
              |
              = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
        "#]],
    );
    error(
        "{\"nodes\": {}}",
        &expect![[r#"
            error: the nodes are a list, and this is none
             --> plan.json:1:11
              |
            1 | {"nodes": {}}
              |           ^
              |
              = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
        "#]],
    );
    error(
        "{\"nodes\": []}",
        &expect![[r#"
        error: the plan has no nodes
         --> plan.json:1:11
          |
        1 | {"nodes": []}
          |           ^^
          |
          = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
    "#]],
    );
    error(
        "{\"nodes\": [7]}",
        &expect![[r#"
            error: a node is an object, and this is none
             --> plan.json:1:12
              |
            1 | {"nodes": [7]}
              |            ^
              |
              = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
        "#]],
    );
    refused(
        b"{\"nodes\": \xff}",
        &[],
        &expect![[r#"
        error: bytes that are not UTF-8
         --> plan.json:1:11
          |
        1 | {"nodes": �}
          |           ^
          |
          = help: save the file as UTF-8
    "#]],
    );
}

#[test]
fn a_file_that_cannot_be_read() {
    let output = run(&["import", "no/such/plan.json"]);
    assert_eq!(output.status.code(), Some(2));
    expect![[r#"
        error: no/such/plan.json cannot be read: No such file or directory (os error 2)
         |
         = help: give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the stream graph
    "#]].assert_eq(&String::from_utf8(output.stderr).unwrap());
}

#[test]
fn errors_in_nodes() {
    change(
        "\"id\": \"a\", \"par",
        "\"par",
        &expect![[r#"
        error: a node without an id
         --> plan.json:2:3
          |
        2 |   {"parallelism": 2, "description": "Source: a"},
          |   ^
          |
          = help: give it an `id`
    "#]],
    );
    change(
        "\"id\": \"a\", \"par",
        "\"id\": 1.5, \"par",
        &expect![[r#"
        error: an id is a text or a whole number
         --> plan.json:2:10
          |
        2 |   {"id": 1.5, "parallelism": 2, "description": "Source: a"},
          |          ^
          |
          = help: give a value of the expected kind
    "#]],
    );
    change(
        "\"id\": \"b\"",
        "\"id\": \"a\"",
        &expect![[r#"
        error: two nodes have the id a
         --> plan.json:3:10
          |
        3 |   {"id": "a", "parallelism": 2, "description": "B", "inputs": [
          |          ^^^
          |
          = help: give each node an id of its own
    "#]],
    );
    change(
        "\"parallelism\": 2, \"description\": \"B\"",
        "\"description\": \"B\"",
        &expect![[r#"
        error: node b has no parallelism
         --> plan.json:3:10
          |
        3 |   {"id": "b", "description": "B", "inputs": [
          |          ^^^
          |
          = help: give it a `parallelism`: how many subtasks it has
    "#]],
    );
    change(
        "\"parallelism\": 2, \"description\": \"B\"",
        "\"parallelism\": 0",
        &expect![[r#"
        error: node b has parallelism 0
         --> plan.json:3:30
          |
        3 |   {"id": "b", "parallelism": 0, "inputs": [
          |                              ^
          |
          = help: write how many subtasks it has, at least 1; Flink prints less where it has yet to decide
    "#]],
    );
    change(
        "\"parallelism\": 2, \"description\": \"B\"",
        "\"parallelism\": -1",
        &expect![[r#"
        error: node b has parallelism -1
         --> plan.json:3:30
          |
        3 |   {"id": "b", "parallelism": -1, "inputs": [
          |                              ^^
          |
          = help: write how many subtasks it has, at least 1; Flink prints less where it has yet to decide
    "#]],
    );
    change(
        "\"parallelism\": 2, \"description\": \"B\"",
        "\"parallelism\": \"2\"",
        &expect![[r#"
            error: node b has parallelism "2"
             --> plan.json:3:30
              |
            3 |   {"id": "b", "parallelism": "2", "inputs": [
              |                              ^^^
              |
              = help: write how many subtasks it has, at least 1; Flink prints less where it has yet to decide
        "#]],
    );
}
