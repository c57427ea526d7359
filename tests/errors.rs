//! Errors in what a user gives: each names the place and the remedy, and the exit code is 2.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use expect_test::{Expect, expect};
use support::command::{run, snapcheck};

/// What `check` says of a file with these bytes.
fn file_error(bytes: &[u8], expected: &Expect) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.toml"), bytes).unwrap();
    let output = snapcheck(&["check", "a.toml"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    expected.assert_eq(&String::from_utf8(output.stderr).unwrap());
}

fn instance_error(change: impl Fn(&str) -> String, expected: &Expect) {
    let good = "title = \"t\"\nalgorithm = \"chandy-lamport\"\ntopology = \"p -> q\"\n\
                initiators = [\"p\"]\n\n[application]\nmessages = 1\n";
    file_error(change(good).as_bytes(), expected);
}

#[test]
fn errors_in_instance_files() {
    instance_error(
        |good| good.replace("messages", "mesages"),
        &expect![[r#"
            error: unknown field `mesages`, expected one of `messages`, `bank`, `stream`, `requests`, `steps`, `initially`
             --> a.toml:7:1
              |
            7 | mesages = 1
              | ^^^^^^^
              |
              = help: remove the key or correct its spelling
        "#]],
    );
    instance_error(
        |good| good.replace("title", "tytle"),
        &expect![[r#"
            error: unknown field `tytle`, expected one of `title`, `about`, `algorithm`, `topology`, `initiators`, `coordinator`, `network`, `channels`, `may-finish`, `application`, `recovery`, `expect`, `only-when-named`
             --> a.toml:1:1
              |
            1 | tytle = "t"
              | ^^^^^
              |
              = help: remove the key or correct its spelling
        "#]],
    );
    instance_error(
        |good| good.replace("chandy-lamport", "chandy"),
        &expect![[r#"
            error: unknown algorithm `chandy`
             --> a.toml:2:13
              |
            2 | algorithm = "chandy"
              |             ^^^^^^^^
              |
              = help: the algorithms are general, general-literal, general-literal-forgetful, universal, chandy-lamport, flink-aligned, flink-aligned-cyclic, flink-at-least-once, flink-unaligned, flink-aligned-timeout, clock, lai-yang, stop-the-world; `snapcheck list algorithms` shows known bugs too
        "#]],
    );
    instance_error(
        |good| good.replace("[\"p\"]", "[\"r\"]"),
        &expect![[r#"
        error: unknown process `r`
         --> a.toml:4:15
          |
        4 | initiators = ["r"]
          |               ^^^
          |
          = help: the processes are p, q
    "#]],
    );
    instance_error(
        |good| good.replace("[\"p\"]", "[]"),
        &expect![[r#"
        error: no initiators: no snapshot would ever begin
         --> a.toml:4:14
          |
        4 | initiators = []
          |              ^^
          |
          = help: name at least one; the processes are p, q
    "#]],
    );
    instance_error(
        |good| good.replace("[\"p\"]", "[\"p\", \"p\"]"),
        &expect![[r#"
        error: initiator `p` is named twice
         --> a.toml:4:20
          |
        4 | initiators = ["p", "p"]
          |                    ^^^
          |
          = help: name each initiator once
    "#]],
    );
    instance_error(
        |good| good.replace("p -> q", "p -> q, p -> q"),
        &expect![[r#"
        error: duplicate channel p→q
         --> a.toml:3:21
          |
        3 | topology = "p -> q, p -> q"
          |                     ^^^^^^
          |
          = help: name each channel once: at most one per ordered pair of processes
    "#]],
    );
    instance_error(
        |good| good.replace("p -> q\"", "p -> coordinator\"\ncoordinator = \"central\""),
        &expect![[r#"
            error: a process is called `coordinator` beside the coordinator
             --> a.toml:3:12
              |
            3 | topology = "p -> coordinator"
              |            ^^^^^^^^^^^^^^^^^^
              |
              = help: give the process another name
        "#]],
    );
    instance_error(
        |good| good.replace("p -> q", ""),
        &expect![[r#"
        error: empty topology
         --> a.toml:3:12
          |
        3 | topology = ""
          |            ^
          |
          = help: give at least one process, for example "p -> q" or "complete(2)"
    "#]],
    );
    instance_error(
        |good| good.replace("p -> q", "complete(4000000000)"),
        &expect![[r#"
        error: `complete(4000000000)` makes a topology of no process or of more than 32
         --> a.toml:3:13
          |
        3 | topology = "complete(4000000000)"
          |             ^^^^^^^^^^^^^^^^^^^^
          |
          = help: choose a size from 1 to 32 processes
    "#]],
    );
    instance_error(
        |good| good.replace("messages = 1", "messages = -1"),
        &expect![[r#"
        error: -1 messages per channel cannot be checked
         --> a.toml:7:12
          |
        7 | messages = -1
          |            ^^
          |
          = help: choose a number from 0 to 1000
    "#]],
    );
    instance_error(
        |good| good.replace("messages = 1", "messages = 70000"),
        &expect![[r#"
        error: 70000 messages per channel cannot be checked
         --> a.toml:7:12
          |
        7 | messages = 70000
          |            ^^^^^
          |
          = help: choose a number from 0 to 1000
    "#]],
    );
    instance_error(
        |good| good.replace("messages = 1", ""),
        &expect![[r#"
            error: an application has either messages, steps, a bank, a stream or requests
             --> a.toml:6:1
              |
            6 | [application]
              | ^^^^^^^^^^^^^
              |
              = help: write messages = 1, or bank = { balance = 1, transfers = 2 }, or stream = { records = 2 }, or requests = {}, or a table of steps per process (then also of initially)
        "#]],
    );
    let steps = |steps: &'static str| {
        move |good: &str| good.replace("messages = 1", &format!("steps.p = [{steps}]"))
    };
    instance_error(
        steps("\"send r\""),
        &expect![[r#"
        error: unknown process `r`
         --> a.toml:7:12
          |
        7 | steps.p = ["send r"]
          |            ^^^^^^^^
          |
          = help: the processes are p, q
    "#]],
    );
    instance_error(
        steps("\"send p\""),
        &expect![[r#"
        error: there is no channel p→p
         --> a.toml:7:12
          |
        7 | steps.p = ["send p"]
          |            ^^^^^^^^
          |
          = help: add `p -> p` to the topology, or send elsewhere
    "#]],
    );
    instance_error(
        steps("\"send q x = 7\""),
        &expect![[r#"
        error: `x = 7` is no step of a script
         --> a.toml:7:12
          |
        7 | steps.p = ["send q x = 7"]
          |            ^^^^^^^^^^^^^^
          |
          = help: a step is `send q`, `send q x := 7`, `x := 4` or `internal "a"`
    "#]],
    );
    instance_error(
        steps("'internal a'"),
        &expect![[r#"
        error: an internal step needs a quoted label
         --> a.toml:7:12
          |
        7 | steps.p = ['internal a']
          |            ^^^^^^^^^^^^
          |
          = help: a step is `send q`, `send q x := 7`, `x := 4` or `internal "a"`
    "#]],
    );
    instance_error(
        |good| good.to_owned() + "[expect.claims]\nconsistent-cuts = \"holds\"\n",
        &expect![[r#"
            error: unknown claim `consistent-cuts`
             --> a.toml:9:1
              |
            9 | consistent-cuts = "holds"
              | ^^^^^^^^^^^^^^^
              |
              = help: the claims are consistent-cut, exact-channel-state, marker-arithmetic, empty-channel-state, completion-is-real, terminates, never-blocks, conserved, exactly-once-state, at-least-once-state, exactly-once-output, at-least-once-output, reachable, stable-property, non-interference, proof-invariant, message-before-cut, message-in-channel-state, closed-after-message, complete-after-message, completion-declared, snapshot-completes, application-goes-on, channel-blocked, ends-after-recovery, seen-after-recovery, recorded-never-passed, deadlock-found, marker-behind-message
        "#]],
    );
    instance_error(
        |good| good.to_owned() + "[expect.claims]\nconsistent-cut = \"falls\"\n",
        &expect![[r#"
            error: `falls` is no verdict
             --> a.toml:9:18
              |
            9 | consistent-cut = "falls"
              |                  ^^^^^^^
              |
              = help: write holds, violated, not-applicable, or with a length: violated in 6 steps
        "#]],
    );
    instance_error(
        |good| good.to_owned() + "[expect]\nunique = -5\n",
        &expect![[r#"
        error: invalid value: integer `-5`, expected u64
         --> a.toml:9:10
          |
        9 | unique = -5
          |          ^^
          |
          = help: give a value of the expected kind
    "#]],
    );
    instance_error(
        |good| good.replace("[\"p\"]", "[\"p\"]\ncoordinator = \"x\""),
        &expect![[r#"
        error: unknown coordinator `x`
         --> a.toml:5:15
          |
        5 | coordinator = "x"
          |               ^^^
          |
          = help: write none, central or a process; the processes are p, q
    "#]],
    );
    instance_error(
        |good| {
            good.replace("chandy-lamport", "general")
                .replace("[\"p\"]", "[\"p\"]\ncoordinator = \"q\"")
        },
        &expect![[r#"
            error: the coordinator of `general` tells every process to begin
             --> a.toml:4:14
              |
            4 | initiators = ["p"]
              |              ^^^^^
              |
              = help: leave the initiators out, or the coordinator
        "#]],
    );
}

#[test]
fn errors_in_files_that_are_no_instances() {
    file_error(
        b"",
        &expect![[r#"
        error: empty instance file
         --> a.toml:1:1
          |
        1 |  
          | ^
          |
          = help: an instance needs title, algorithm, topology and [application]
    "#]],
    );
    file_error(
        b"title = \"\xff\xfe\"\n",
        &expect![[r#"
        error: bytes that are not UTF-8
         --> a.toml:1:10
          |
        1 | title = "��"
          |          ^
          |
          = help: save the file as UTF-8
    "#]],
    );
    file_error(
        b"title = \"t\n",
        &expect![[r#"
        error: invalid basic string, expected `"`
         --> a.toml:1:11
          |
        1 | title = "t
          |           ^
          |
          = help: correct the TOML at this place
    "#]],
    );
    let missing = run(&["check", "missing.toml"]);
    assert_eq!(missing.status.code(), Some(2));
    expect![[r#"
        error: missing.toml cannot be read: No such file or directory (os error 2)
         |
         = help: give an instance file, a folder of them, or the name of a bundled instance
    "#]]
    .assert_eq(&String::from_utf8(missing.stderr).unwrap());
}

#[test]
fn errors_in_options() {
    let error = |arguments: &[&str]| {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let on = |more: &[&'static str]| {
        let mut arguments = vec!["check", "--algorithm", "clock", "--topology", "p -> q"];
        arguments.extend(more);
        error(&arguments)
    };
    expect![[r#"
        error: invalid value '0' for '--max-states <N>': a bound of zero allows nothing; give at least 1

        For more information, try '--help'.
    "#]].assert_eq(&on(&["--max-states", "0"]));
    expect![[r#"
        error: invalid value '-3' for '--timeout <SECONDS>': give a whole number of at least 1

        For more information, try '--help'.
    "#]]
    .assert_eq(&on(&["--timeout", "-3"]));
    expect![[r#"
        error: invalid value '0' for '--threads <N>': a bound of zero allows nothing; give at least 1

        For more information, try '--help'.
    "#]].assert_eq(&on(&["--threads", "0"]));
    expect![[r#"
        error: -1 messages per channel cannot be checked
         --> --messages:1:1
          |
        1 | -1
          | ^^
          |
          = help: choose a number from 0 to 1000
    "#]]
    .assert_eq(&on(&["--messages", "-1"]));
    expect![[r#"
        error: `many` is no number of messages
         --> --messages:1:1
          |
        1 | many
          | ^^^^
          |
          = help: give a whole number, for example --messages 2
    "#]]
    .assert_eq(&on(&["--messages", "many"]));
    expect![[r#"
        error: unknown process `r`
         --> --initiators:1:4
          |
        1 | p, r
          |    ^
          |
          = help: the processes are p, q
    "#]]
    .assert_eq(&on(&["--initiators", "p, r"]));
    expect![[r#"
        error: unknown claim `consistency`
         --> --claim:1:1
          |
        1 | consistency
          | ^^^^^^^^^^^
          |
          = help: the claims are consistent-cut, exact-channel-state, marker-arithmetic, empty-channel-state, completion-is-real, terminates, never-blocks, conserved, exactly-once-state, at-least-once-state, exactly-once-output, at-least-once-output, reachable, stable-property, non-interference, proof-invariant, message-before-cut, message-in-channel-state, closed-after-message, complete-after-message, completion-declared, snapshot-completes, application-goes-on, channel-blocked, ends-after-recovery, seen-after-recovery, recorded-never-passed, deadlock-found, marker-behind-message
    "#]].assert_eq(&on(&["--claim", "consistency"]));
    expect![[r#"
        error: `p => q` is no process name
         --> --topology:1:1
          |
        1 | p => q
          | ^^^^^^
          |
          = help: a name starts with a letter and goes on with letters, digits, `-` and `_`
    "#]]
    .assert_eq(&error(&["check", "--algorithm", "clock", "--topology", "p => q"]));
}
