//! Errors in trace files: each names the place and the remedy, and the exit code is 2.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use expect_test::{Expect, expect};
use support::command::{run, snapcheck};

const GOOD: &str = r#"{
  "format": "snapcheck trace",
  "version": 1,
  "instance": {
    "name": "a",
    "title": "",
    "algorithm": "clock",
    "topology": "p -> q",
    "initiators": ["p", "q"],
    "coordinator": "none",
    "application": {"messages": 1}
  },
  "claim": "message-before-cut",
  "verdict": "holds",
  "steps": [
    {"process": "p", "action": "send", "channel": ["p", "q"], "message": 1},
    {"process": "q", "action": "receive", "from": "p", "channel": ["p", "q"], "message": 1},
    {"process": "p", "action": "begin"},
    {"process": "q", "action": "begin"}
  ]
}
"#;

fn replay(text: &[u8]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.json"), text).unwrap();
    let output = snapcheck(&["replay", "a.json"]).current_dir(folder.path()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn error(from: &str, to: &str, expected: &Expect) {
    assert!(GOOD.contains(from), "{from}");
    let (code, error) = replay(GOOD.replacen(from, to, 1).as_bytes());
    assert_eq!(code, Some(2), "{error}");
    expected.assert_eq(&error);
}

#[test]
fn the_file_is_good_as_it_is() {
    assert_eq!(replay(GOOD.as_bytes()), (Some(0), String::new()));
}

#[test]
fn a_step_that_is_not_enabled_is_named_with_what_is() {
    error(
        "\"p\", \"action\": \"begin\"",
        "\"p\", \"action\": \"instruct\"",
        &expect![[r#"
        error: step 3 is not enabled: p gives the instruction to begin
          --> a.json:18:5
           |
        18 |     {"process": "p", "action": "instruct"},
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: enabled there: p begins: RECORDS [sent 1 on p→q]; or q begins: RECORDS [received 1 from p→q], closes p→q as empty
    "#]],
    );
    // The message comes before it is sent.
    error(
        "\"message\": 1},\n    {\"process\": \"q\"",
        "\"message\": 2},\n    {\"process\": \"q\"",
        &expect![[r#"
            error: step 1 is not enabled: p sends message 2 on p→q
              --> a.json:16:5
               |
            16 |     {"process": "p", "action": "send", "channel": ["p", "q"], "message": 2},
               |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = help: enabled there: p begins: RECORDS [sent 0 on p→q]; or p sends message 1 on p→q; or q begins: RECORDS [received 0 from p→q], closes p→q as empty
        "#]],
    );
    let twice = "{\"process\": \"q\", \"action\": \"begin\"},\n    {\"process\": \"q\", \"action\": \"begin\"}";
    error(
        "{\"process\": \"q\", \"action\": \"begin\"}",
        twice,
        &expect![[r#"
        error: step 5 is not enabled: q begins
          --> a.json:20:5
           |
        20 |     {"process": "q", "action": "begin"}
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: no step is enabled there: end the run before it
    "#]],
    );
}

#[test]
fn errors_in_the_json() {
    error(
        "\"version\": 1,",
        "\"version\": 1",
        &expect![[r#"
        error: expected `,` or `}`
         --> a.json:4:3
          |
        4 |   "instance": {
          |   ^
          |
          = help: correct the JSON at this place, or save the trace anew with `snapcheck check INSTANCE --claim CLAIM --save-trace FILE`
    "#]],
    );
    error(
        "\"verdict\"",
        "\"verdikt\"",
        &expect![[r#"
        error: unknown field `verdikt`, expected one of `format`, `version`, `instance`, `claim`, `verdict`, `steps`
          --> a.json:14:11
           |
        14 |   "verdikt": "holds",
           |           ^
           |
           = help: remove the field or correct its spelling
    "#]],
    );
    error(
        "  \"verdict\": \"holds\",\n",
        "",
        &expect![[r#"
        error: missing field `verdict`
          --> a.json:20:1
           |
        20 | }
           | ^
           |
           = help: a trace file has format, version, instance, claim, verdict and steps; save it anew with `snapcheck check INSTANCE --claim CLAIM --save-trace FILE`
    "#]],
    );
    error(
        "\"title\"",
        "\"tytle\"",
        &expect![[r#"
            error: unknown field `tytle`, expected one of `name`, `title`, `algorithm`, `topology`, `initiators`, `coordinator`, `application`, `recovery`, `network`, `channels`, `may-finish`
             --> a.json:6:11
              |
            6 |     "tytle": "",
              |           ^
              |
              = help: remove the field or correct its spelling
        "#]],
    );
    error(
        "\"send\"",
        "\"sent\"",
        &expect![[r#"
            error: unknown variant `sent`, expected one of `send`, `internal`, `receive`, `receive-control`, `begin`, `instruct`, `receive-start`, `receive-done`, `receive-notice`, `transmit`, `arrive`, `receive-end`, `turn`, `finish`, `receive-finished`, `abort`, `receive-abort`, `lose-notice`, `fail-over`, `lose`, `duplicate`
              --> a.json:16:37
               |
            16 |     {"process": "p", "action": "sent", "channel": ["p", "q"], "message": 1},
               |                                     ^
               |
               = help: give a value of the expected kind
        "#]],
    );
    error(
        "\"message\": 1}",
        "\"message\": \"one\"}",
        &expect![[r#"
        error: invalid type: string "one", expected u16
          --> a.json:16:78
           |
        16 |     {"process": "p", "action": "send", "channel": ["p", "q"], "message": "one"},
           |                                                                              ^
           |
           = help: give a value of the expected kind
    "#]],
    );
    error(
        "[\"p\", \"q\"], \"message\"",
        "[\"p\"], \"message\"",
        &expect![[r#"
        error: invalid length 1, expected an array of length 2
          --> a.json:16:55
           |
        16 |     {"process": "p", "action": "send", "channel": ["p"], "message": 1},
           |                                                       ^
           |
           = help: give a value of the expected kind
    "#]],
    );
    error(
        "\"steps\": [",
        "\"steps\": {",
        &expect![[r#"
        error: key must be a string
          --> a.json:16:5
           |
        16 |     {"process": "p", "action": "send", "channel": ["p", "q"], "message": 1},
           |     ^
           |
           = help: correct the JSON at this place, or save the trace anew with `snapcheck check INSTANCE --claim CLAIM --save-trace FILE`
    "#]],
    );
    for text in ["", "{", "[]", "null", "\"", "{\"format\": \"snapcheck trace\"}", "{\"ä\": "] {
        let (code, error) = replay(text.as_bytes());
        assert_eq!(code, Some(2), "{text}");
        assert!(error.contains(" --> a.json:") && error.contains("= help: "), "{error}");
    }
    let (code, error) = replay(b"\xff\xfe");
    assert_eq!(code, Some(2));
    assert!(error.contains("bytes that are not UTF-8"), "{error}");
}

#[test]
fn errors_in_what_it_says() {
    error(
        "snapcheck trace",
        "ITF",
        &expect![[r#"
        error: `ITF` is no trace of snapcheck
         --> a.json:2:13
          |
        2 |   "format": "ITF",
          |             ^^^^^
          |
          = help: a trace file has "format": "snapcheck trace"
    "#]],
    );
    error(
        "\"version\": 1",
        "\"version\": 2",
        &expect![[r#"
        error: version 2 of the trace format is unknown
         --> a.json:3:14
          |
        3 |   "version": 2,
          |              ^
          |
          = help: this snapcheck reads version 1; save the trace anew with it
    "#]],
    );
    error(
        "\"clock\"",
        "\"clok\"",
        &expect![[r#"
            error: unknown algorithm `clok`
             --> a.json:7:18
              |
            7 |     "algorithm": "clok",
              |                  ^^^^^^
              |
              = help: the algorithms are general, general-literal, general-literal-forgetful, universal, chandy-lamport, flink-aligned, flink-aligned-cyclic, flink-at-least-once, flink-unaligned, flink-aligned-timeout, clock, lai-yang, stop-the-world; `snapcheck list algorithms` shows known bugs too
        "#]],
    );
    error(
        "p -> q",
        "p -> q, p -> q",
        &expect![[r#"
        error: duplicate channel p→q
         --> a.json:8:26
          |
        8 |     "topology": "p -> q, p -> q",
          |                          ^^^^^^
          |
          = help: name each channel once: at most one per ordered pair of processes
    "#]],
    );
    error(
        "[\"p\", \"q\"],\n    \"coord",
        "[\"p\", \"r\"],\n    \"coord",
        &expect![[r#"
        error: unknown process `r`
         --> a.json:9:25
          |
        9 |     "initiators": ["p", "r"],
          |                         ^^^
          |
          = help: the processes are p, q
    "#]],
    );
    error(
        "{\"messages\": 1}",
        "{\"messages\": -1}",
        &expect![[r#"
        error: -1 messages per channel cannot be checked
          --> a.json:11:33
           |
        11 |     "application": {"messages": -1}
           |                                 ^^
           |
           = help: choose a number from 0 to 1000
    "#]],
    );
    error(
        "{\"messages\": 1}",
        "{\"steps\": {\"p\": [\"send r\"]}}",
        &expect![[r#"
        error: unknown process `r`
          --> a.json:11:37
           |
        11 |     "application": {"steps": {"p": ["send r"]}}
           |                                     ^^^^^^^^
           |
           = help: the processes are p, q
    "#]],
    );
    error(
        "{\"messages\": 1}",
        "{\"messages\": 1, \"steps\": {}}",
        &expect![[r#"
            error: an application has either messages, steps, a bank, a stream or requests
              --> a.json:11:20
               |
            11 |     "application": {"messages": 1, "steps": {}}
               |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = help: write "messages": 1, or a bank with balance and transfers, or a stream with records, or "requests": {}, or an object of steps per process (then also of initially)
        "#]],
    );
    error(
        "message-before-cut",
        "message-before-cuts",
        &expect![[r#"
            error: unknown claim `message-before-cuts`
              --> a.json:13:12
               |
            13 |   "claim": "message-before-cuts",
               |            ^^^^^^^^^^^^^^^^^^^^^
               |
               = help: the claims are consistent-cut, exact-channel-state, marker-arithmetic, empty-channel-state, completion-is-real, terminates, never-blocks, conserved, exactly-once-state, at-least-once-state, exactly-once-output, at-least-once-output, reachable, stable-property, non-interference, proof-invariant, message-before-cut, message-in-channel-state, closed-after-message, complete-after-message, completion-declared, snapshot-completes, application-goes-on, channel-blocked, ends-after-recovery, seen-after-recovery, recorded-never-passed, deadlock-found, marker-behind-message
        "#]],
    );
    error(
        "message-before-cut",
        "marker-arithmetic",
        &expect![[r#"
        error: marker-arithmetic says nothing about this instance
          --> a.json:13:12
           |
        13 |   "claim": "marker-arithmetic",
           |            ^^^^^^^^^^^^^^^^^^^
           |
           = help: name another claim, or correct the instance
    "#]],
    );
    error(
        "\"holds\"",
        "\"violated\"",
        &expect![[r#"
        error: a run cannot show that message-before-cut is `violated`
          --> a.json:14:14
           |
        14 |   "verdict": "violated",
           |              ^^^^^^^^^^
           |
           = help: write "holds"
    "#]],
    );
}

#[test]
fn a_file_that_is_not_there() {
    let output = run(&["replay", "no/such/file"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("no/such/file cannot be read"), "{error}");
    let output = run(&[
        "check",
        "clock/two-clocks",
        "--claim",
        "consistent-cut",
        "--save-trace",
        "no/such/file",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("nothing can be written here"), "{error}");
}
