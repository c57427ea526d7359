//! Plans whose graph cannot be checked are refused: each error points at its place and says what to do.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
    pub(crate) mod refused;
}

use expect_test::expect;
use support::refused::{GOOD, change, error, refused};

#[test]
fn errors_in_edges() {
    change(
        "{\"id\": \"a\", \"ship",
        "{\"id\": \"c\", \"ship",
        &expect![[r#"
        error: no node has the id c
         --> plan.json:4:12
          |
        4 |     {"id": "c", "ship_strategy": "HASH"}]}
          |            ^^^
          |
          = help: the ids are a, b
    "#]],
    );
    change(
        "{\"id\": \"a\", \"ship",
        "{\"ship",
        &expect![[r#"
        error: an input without an id
         --> plan.json:4:5
          |
        4 |     {"ship_strategy": "HASH"}]}
          |     ^
          |
          = help: give it the `id` of the node that it comes from
    "#]],
    );
    change(
        ", \"ship_strategy\": \"HASH\"",
        "",
        &expect![[r#"
        error: the input from node a has no ship_strategy
         --> plan.json:4:12
          |
        4 |     {"id": "a"}]}
          |            ^^^
          |
          = help: give it a `ship_strategy`: FORWARD, HASH, REBALANCE, BROADCAST
    "#]],
    );
    change(
        "HASH",
        "RESCALE",
        &expect![[r#"
        error: edges shipped by RESCALE cannot be checked
         --> plan.json:4:34
          |
        4 |     {"id": "a", "ship_strategy": "RESCALE"}]}
          |                                  ^^^^^^^^^
          |
          = help: write REBALANCE: each subtask then has the channels to all subtasks, and not only to its share
    "#]],
    );
    change(
        "HASH",
        "GLOBAL",
        &expect![[r#"
        error: edges shipped by GLOBAL cannot be checked
         --> plan.json:4:34
          |
        4 |     {"id": "a", "ship_strategy": "GLOBAL"}]}
          |                                  ^^^^^^^^
          |
          = help: write HASH, and give the receiving task parallelism 1
    "#]],
    );
    change(
        "HASH",
        "SHUFFLE",
        &expect![[r#"
        error: edges shipped by SHUFFLE cannot be checked
         --> plan.json:4:34
          |
        4 |     {"id": "a", "ship_strategy": "SHUFFLE"}]}
          |                                  ^^^^^^^^^
          |
          = help: write REBALANCE: it has the same channels, and each record goes on one of them
    "#]],
    );
    change(
        "HASH",
        "TELEPATHY",
        &expect![[r#"
        error: edges shipped by TELEPATHY cannot be checked
         --> plan.json:4:34
          |
        4 |     {"id": "a", "ship_strategy": "TELEPATHY"}]}
          |                                  ^^^^^^^^^^^
          |
          = help: the strategies are FORWARD, HASH, REBALANCE, BROADCAST
    "#]],
    );
    error(
        &GOOD.replacen("\"parallelism\": 2", "\"parallelism\": 3", 1).replace("HASH", "FORWARD"),
        &expect![[r#"
            error: FORWARD joins subtasks one to one, but node a has 3 and node b has 2
             --> plan.json:4:34
              |
            4 |     {"id": "a", "ship_strategy": "FORWARD"}]}
              |                                  ^^^^^^^^^
              |
              = help: give both nodes the same parallelism, or ship by REBALANCE
        "#]],
    );
}

#[test]
fn cycles_and_plans_without_a_source() {
    change(
        "\"Source: a\"",
        "\"A\", \"inputs\": [{\"id\": \"b\", \"ship_strategy\": \"HASH\"}]",
        &expect![[r#"
            error: the plan has no source: every node has an input
             --> plan.json:2:10
              |
            2 |   {"id": "a", "parallelism": 2, "description": "A", "inputs": [{"id": "b", "ship_strategy": "HASH"}]},
              |          ^^^
              |
              = help: import the plan of a job that reads from somewhere: a node without inputs
        "#]],
    );
    change(
        "\"HASH\"}]}",
        "\"HASH\"}, {\"id\": \"d\", \"ship_strategy\": \"HASH\"}]},
  {\"id\": \"c\", \"parallelism\": 1, \"inputs\": [{\"id\": \"b\", \"ship_strategy\": \"HASH\"}]},
  {\"id\": \"d\", \"parallelism\": 1, \"inputs\": [{\"id\": \"c\", \"ship_strategy\": \"HASH\"}]}",
        &expect![[r#"
            error: the plan has a cycle: c -> d -> b -> c
             --> plan.json:4:50
              |
            4 |     {"id": "a", "ship_strategy": "HASH"}, {"id": "d", "ship_strategy": "HASH"}]},
              |                                                  ^^^
              |
              = help: import a plan without iterations; a cycle can be checked as an instance of your own
        "#]],
    );
    change(
        "\"HASH\"}",
        "\"HASH\"}, {\"id\": \"b\", \"ship_strategy\": \"HASH\"}",
        &expect![[r#"
        error: the plan has a cycle: b -> b
         --> plan.json:4:50
          |
        4 |     {"id": "a", "ship_strategy": "HASH"}, {"id": "b", "ship_strategy": "HASH"}]}
          |                                                  ^^^
          |
          = help: import a plan without iterations; a cycle can be checked as an instance of your own
    "#]],
    );
}

#[test]
fn nodes_that_cannot_be_one_task() {
    change(
        "\"parallelism\": 2, \"description\": \"Source: a\"}",
        "\"parallelism\": 2, \"job_vertex_id\": \"v\"},
  {\"id\": \"c\", \"parallelism\": 1, \"job_vertex_id\": \"v\"}",
        &expect![[r#"
            error: node c has parallelism 1, but node a, which is part of the same task, 2
             --> plan.json:3:30
              |
            3 |   {"id": "c", "parallelism": 1, "job_vertex_id": "v"},
              |                              ^
              |
              = help: give both the same parallelism, or another job_vertex_id
        "#]],
    );
    change(
        "\"parallelism\": 2, \"description\": \"Source: a\"}",
        "\"parallelism\": 2, \"job_vertex_id\": \"v\"},
  {\"id\": \"c\", \"parallelism\": 2, \"job_vertex_id\": \"v\", \"inputs\": [
    {\"id\": \"b\", \"ship_strategy\": \"HASH\"}]}",
        &expect![[r#"
            error: the task of node a waits for itself
             --> plan.json:2:10
              |
            2 |   {"id": "a", "parallelism": 2, "job_vertex_id": "v"},
              |          ^^^
              |
              = help: give nodes one job_vertex_id only if no other task lies between them
        "#]],
    );
}

#[test]
fn jobs_that_are_too_large() {
    let large = GOOD.replace("\"parallelism\": 2", "\"parallelism\": 200");
    refused(
        large.as_bytes(),
        &["--max-parallelism", "100"],
        &expect![[r#"
            error: the job would have more than 32 processes
             --> --max-parallelism:1:1
              |
            1 | 100
              | ^^^
              |
              = help: allow fewer subtasks of each task
        "#]],
    );
    let many = (0..33).map(|id| format!("{{\"id\": {id}, \"parallelism\": 1}}"));
    let many = format!("{{\"nodes\": [{}]}}", many.collect::<Vec<_>>().join(","));
    refused(
        many.as_bytes(),
        &[],
        &expect![[r#"
            error: the job would have more than 32 processes
             --> --max-parallelism:1:1
              |
            1 | 2
              | ^
              |
              = help: import a part of it: it has 33 tasks
        "#]],
    );
    refused(
        GOOD.as_bytes(),
        &["--records", "1001"],
        &expect![[r#"
            error: invalid value '1001' for '--records <N>': 1001 is not in 1..=1000

            For more information, try '--help'.
        "#]],
    );
    refused(
        GOOD.as_bytes(),
        &["--output", "no/such/folder/plan.toml"],
        &expect![[r#"
        error: nothing can be written here: No such file or directory (os error 2)
         --> --output:1:1
          |
        1 | no/such/folder/plan.toml
          | ^^^^^^^^^^^^^^^^^^^^^^^^
          |
          = help: name a place that you may write to
    "#]],
    );
    refused(
        GOOD.as_bytes(),
        &["--max-parallelism", "0"],
        &expect![[r#"
        error: invalid value '0' for '--max-parallelism <N>': a bound of zero allows nothing; give at least 1

        For more information, try '--help'.
    "#]],
    );
}

/// Flink prints a plan in one line: of a long one the part around the error is shown.
#[test]
fn an_error_in_a_long_line() {
    let nodes = (0..40).map(|id| {
        let parallelism = if id == 30 { 0 } else { 1 };
        format!("{{\"id\": {id}, \"parallelism\": {parallelism}, \"description\": \"Source\"}}")
    });
    error(
        &format!("{{\"nodes\":[{}]}}", nodes.collect::<Vec<_>>().join(",")),
        &expect![[r#"
        error: node 30 has parallelism 0
         --> plan.json:1:1647
          |
        1 | ...llelism": 1, "description": "Source"},{"id": 30, "parallelism": 0, "description": "Source"},{"id": 31, "parallelism": 1, "descript...
          |                                                                    ^
          |
          = help: write how many subtasks it has, at least 1; Flink prints less where it has yet to decide
    "#]],
    );
}
