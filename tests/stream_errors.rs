//! What is no stream is refused: each error points at its place and says what to do.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use expect_test::{Expect, expect};

use support::command::run;

fn error(topology: &str, application: &str, expected: &Expect) {
    let ad_hoc = ["check", "--algorithm", "clock", "--topology", topology, "--application"];
    let output = run(&[&ad_hoc[..], &[application]].concat());
    assert_eq!(output.status.code(), Some(2));
    expected.assert_eq(&String::from_utf8(output.stderr).unwrap());
}

#[test]
fn errors_in_shipping_point_at_their_place() {
    let ship = |ship| format!("stream = {{ records = 1, ship = {{ {ship} }} }}");
    error(
        "p -> q, p -> r",
        &ship("\"p -> q\" = \"forward\""),
        &expect![[r#"
        error: p→q is shipped forward, but p has another output
         --> --application:1:45
          |
        1 | stream = { records = 1, ship = { "p -> q" = "forward" } }
          |                                             ^^^^^^^^^
          |
          = help: ship the outputs of p by hash or broadcast
    "#]],
    );
    error(
        "p -> q",
        &ship("\"p -> q\" = \"rescale\""),
        &expect![[r#"
        error: `rescale` is no way to ship
         --> --application:1:45
          |
        1 | stream = { records = 1, ship = { "p -> q" = "rescale" } }
          |                                             ^^^^^^^^^
          |
          = help: write forward, hash or broadcast, or hash 2 and so on for further groups that share
    "#]],
    );
    error(
        "p -> q",
        &ship("\"q -> p\" = \"hash\""),
        &expect![[r#"
        error: there is no channel q→p
         --> --application:1:34
          |
        1 | stream = { records = 1, ship = { "q -> p" = "hash" } }
          |                                  ^^^^^^^^
          |
          = help: add `q -> p` to the topology, or ship another channel
    "#]],
    );
    error(
        "p -> q",
        &ship("\"p -> s\" = \"hash\""),
        &expect![[r#"
        error: unknown process `s`
         --> --application:1:34
          |
        1 | stream = { records = 1, ship = { "p -> s" = "hash" } }
          |                                  ^^^^^^^^
          |
          = help: the processes are p, q
    "#]],
    );
    error(
        "p -> q",
        &ship("p = \"hash\""),
        &expect![[r#"
        error: `p` is no channel
         --> --application:1:34
          |
        1 | stream = { records = 1, ship = { p = "hash" } }
          |                                  ^
          |
          = help: write a channel as "p -> q"
    "#]],
    );
    error(
        "p -> q",
        &ship("\"p -> q\" = \"hash\", \"p->q\" = \"hash\""),
        &expect![[r#"
        error: p→q is named twice
         --> --application:1:53
          |
        1 | stream = { records = 1, ship = { "p -> q" = "hash", "p->q" = "hash" } }
          |                                                     ^^^^^^
          |
          = help: name each channel once
    "#]],
    );
}

#[test]
fn errors_in_sources_and_records_point_at_their_place() {
    error(
        "p -> q",
        "stream = { records = -1 }",
        &expect![[r#"
        error: -1 records cannot be checked
         --> --application:1:22
          |
        1 | stream = { records = -1 }
          |                      ^^
          |
          = help: choose a number from 0 to 1000
    "#]],
    );
    error(
        "p -> q",
        "stream = { record = 1 }",
        &expect![[r#"
        error: unknown field `record`, expected one of `records`, `ship`, `sources`
         --> --application:1:12
          |
        1 | stream = { record = 1 }
          |            ^^^^^^
          |
          = help: remove the key or correct its spelling
    "#]],
    );
    error(
        "p -> q",
        "stream = {}",
        &expect![[r#"
        error: missing field `records`
         --> --application:1:10
          |
        1 | stream = {}
          |          ^^
          |
          = help: a stream needs records, for example stream = { records = 2 }
    "#]],
    );
    error(
        "p -> q",
        "stream = { records = 1, sources = [] }",
        &expect![[r#"
        error: no sources: no record would ever be emitted
         --> --application:1:35
          |
        1 | stream = { records = 1, sources = [] }
          |                                   ^^
          |
          = help: name at least one; the processes are p, q
    "#]],
    );
    error(
        "p -> q",
        "stream = { records = 1, sources = [\"p\", \"p\"] }",
        &expect![[r#"
        error: source `p` is named twice
         --> --application:1:41
          |
        1 | stream = { records = 1, sources = ["p", "p"] }
          |                                         ^^^
          |
          = help: name each source once
    "#]],
    );
    error(
        "s -> p, p -> q, q -> p",
        "stream = { records = 1 }",
        &expect![[r#"
        error: records would circle for ever: a cycle through q has no source
         --> --application:1:10
          |
        1 | stream = { records = 1 }
          |          ^^^^^^^^^^^^^^^
          |
          = help: name a process of each cycle among the sources, for example q
    "#]],
    );
    error(
        "ring(3), p1 -> p1",
        "stream = { records = 1, sources = [\"p0\"] }",
        &expect![[r#"
        error: records would circle for ever: a cycle through p1 has no source
         --> --application:1:35
          |
        1 | stream = { records = 1, sources = ["p0"] }
          |                                   ^^^^^^
          |
          = help: name a process of each cycle among the sources, for example p1
    "#]],
    );
    let ladder = "a -> b1, a -> b2, b1 -> c, b2 -> c, c -> d1, c -> d2, d1 -> e, d2 -> e";
    error(
        ladder,
        "stream = { records = 300 }",
        &expect![[r#"
        error: more than 1000 records would come to e
         --> --application:1:22
          |
        1 | stream = { records = 300 }
          |                      ^^^
          |
          = help: let the sources emit fewer, or ship by hash what is broadcast
    "#]],
    );
}
