//! `import`: plans in each of the shapes in which Flink prints them, what is answered, and on what
//! grounds.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
    pub(crate) mod plans;
}

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use serde_json::Value;
use support::command::{snapcheck, stdout};
use support::plans::{folder, import, json, plan};

fn plans() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plans")
}

fn sample(name: &str) -> String {
    std::fs::read_to_string(plans().join(name)).unwrap()
}

/// What `import` prints of a plan, but for the time, and its exit code.
fn text(name: &str, plan: &str, more: &[&str]) -> (String, Option<i32>) {
    let output = import(&folder(name, plan), &[&[name][..], more].concat());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = stdout(&output);
    let timeless =
        text.lines().filter(|line| !line.starts_with("Answered in ")).collect::<Vec<_>>();
    (timeless.join("\n") + "\n", output.status.code())
}

fn answered(name: &str, expected: &Expect) {
    let (text, code) = text(name, &sample(name), &[]);
    expected.assert_eq(&text);
    assert_eq!(code, Some(0));
}

#[test]
fn a_two_input_join_is_answered_in_time() {
    let started = Instant::now();
    answered(
        "join.json",
        &expect![[r#"
            shipments with invoices
            Job plan (REST /jobs/:id/plan): 3 tasks and 2 edges

             task       parallelism  reads                                what Flink calls it
             shipments  2            (source)                             Source: shipments -> Filter
             invoices   2            (source)                             Source: invoices
             join       2            shipments by HASH, invoices by HASH  Join(shipments, invoices) -> Sink: matched

            Checked as 6 processes with 8 channels; each source subtask emits 1 record.

            Is at-least-once exact for this job?
              No: duplicates arise at join. A subtask there has several inputs (join from 4 channels) and goes
                on reading behind the first barrier until the last has come. What it reads there is in its
                state, and comes again after a failover.
              Checked with flink-at-least-once: 80 snapshots in 1,755 states that stand for all; 64 of them are
                inconsistent.
              For example, after 10 steps the snapshot has a record received at join_2 that shipments_1 has yet
                to send.
              With a failover, in a run of 30 steps, record 1 of invoices_2 is in the end applied twice at
                join_2 instead of once.

            Can aligned checkpoints get stuck?
              No: in every run the checkpoint completes, and every record arrives.
              Checked with flink-aligned: 16 snapshots in 975 states that stand for all.

            How much channel state can unaligned need, against how much can aligned hold back?
              Unaligned: at most 4 records in the channels of a checkpoint.
              Aligned: none in a checkpoint; at most 3 records wait meanwhile in blocked channels.
              That is with the few records that are emitted here; both grow with what is under way.
              Checked with universal: 81 snapshots in 5,262 states that stand for all.
              universal stands for unaligned checkpoints: where records wait in buffers, their barriers
                overtake, so that every consistent cut can be a checkpoint.

            Which edges forbid unaligned checkpoints?
              None: no edge is pointwise or broadcast.

            The instance is in join.toml; `snapcheck check join.toml` checks it.
        "#]],
    );
    // Not even optimised as a release is.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn a_job_with_its_plan() {
    answered(
        "job.json",
        &expect![[r#"
            logins per user
            Job with its plan (REST /jobs/:id): 3 tasks and 2 edges

             task        parallelism  reads                  what Flink calls it
             logins      1            (source)               Source: logins
             count-user  1            logins by HASH         Count<user> -> Map
             totals      1            count-user by FORWARD  Sink: totals

            Checked as 3 processes with 2 channels; each source subtask emits 1 record.

            Is at-least-once exact for this job?
              Yes: no subtask reads from several channels, so none reads on behind one barrier while it waits
                for another.
              Checked with flink-at-least-once: 2 snapshots in 13 states that stand for all; each is consistent,
                and holds what is under way.
              With a failover at any moment (251 states), every record is in the end applied as often as it
                should be.

            Can aligned checkpoints get stuck?
              No: in every run the checkpoint completes, and every record arrives.
              Checked with flink-aligned: 2 snapshots in 13 states that stand for all.

            How much channel state can unaligned need, against how much can aligned hold back?
              Unaligned: at most 1 record in the channels of a checkpoint.
              Aligned: none in a checkpoint; no record ever waits in a blocked channel.
              That is with the few records that are emitted here; both grow with what is under way.
              Checked with universal: 4 snapshots in 31 states that stand for all.
              universal stands for unaligned checkpoints: where records wait in buffers, their barriers
                overtake, so that every consistent cut can be a checkpoint.

            Which edges forbid unaligned checkpoints?
              count-user → totals, shipped by FORWARD. That is pointwise: if the parallelism changes before the
                job goes back to a checkpoint, nothing tells which subtask should get a record that was kept in
                a channel.
              There Flink aligns though unaligned checkpoints are enabled.

            The instance is in job.toml; `snapcheck check job.toml` checks it.
        "#]],
    );
}

#[test]
fn an_execution_plan() {
    answered(
        "execution.json",
        &expect![[r#"
            A job without a name
            Execution plan (getExecutionPlan()): 5 tasks and 4 edges

             task    parallelism  reads                                   what Flink calls it
             trips   4            (source)                                Source: trips
             clean   4            trips by FORWARD                        Clean
             fares   1            (source)                                Source: fares
             price   2            clean by REBALANCE, fares by BROADCAST  Price
             prices  2            price by FORWARD                        Sink: prices

            Checked as 9 processes with 10 channels; each source subtask emits 1 record.
            - This plan lists operators. Flink runs operators that FORWARD joins as one task where it can: then
              there are fewer tasks than here, and no channel between them.
            - Of trips and clean only 2 subtasks each are checked (--max-parallelism); where the structure of
              the plan tells something, it is that of the whole plan.
            - REBALANCE is checked as HASH is: each record goes on one of the channels, and its number tells on
              which.

            Is at-least-once exact for this job?
              No: duplicates arise at price. A subtask there has several inputs (price from 5 channels) and goes
                on reading behind the first barrier until the last has come. What it reads there is in its
                state, and comes again after a failover.
              They are passed on to prices.
              Checked with flink-at-least-once: 43 snapshots in 1,058 states that stand for all; 35 of them are
                inconsistent.
              For example, after 10 steps the snapshot has a record received at price_1 that fares has yet to
                send.
              With a failover, in a run of 40 steps, record 1 of fares is in the end applied twice at price_1
                instead of once.

            Can aligned checkpoints get stuck?
              No: in every run the checkpoint completes, and every record arrives.
              Checked with flink-aligned: 8 snapshots in 416 states that stand for all.

            How much channel state can unaligned need, against how much can aligned hold back?
              Unaligned: at most 4 records in the channels of a checkpoint.
              Aligned: none in a checkpoint; at most 3 records wait meanwhile in blocked channels.
              That is with the few records that are emitted here; both grow with what is under way.
              Checked with universal: 296 snapshots in 15,035 states that stand for all.
              universal stands for unaligned checkpoints: where records wait in buffers, their barriers
                overtake, so that every consistent cut can be a checkpoint.

            Which edges forbid unaligned checkpoints?
              trips → clean, price → prices, shipped by FORWARD. That is pointwise: if the parallelism changes
                before the job goes back to a checkpoint, nothing tells which subtask should get a record that
                was kept in a channel.
              fares → price, shipped by BROADCAST. Some subtasks may have applied a record that is still kept
                in the channels of others, while all should have had the same.
              There Flink aligns though unaligned checkpoints are enabled.

            The instance is in execution.toml; `snapcheck check execution.toml` checks it.
        "#]],
    );
}

#[test]
fn a_stream_graph_whose_nodes_are_chained_and_whose_edges_are_several() {
    answered(
        "stream-graph.json",
        &expect![[r#"
            A job without a name
            Stream graph: 2 tasks and 2 edges

             task   parallelism  reads                         what Flink calls it
             votes  1            (source)                      Source: votes -> Parse
             tally  1            votes by HASH, votes by HASH  Tally

            Checked as 3 processes with 3 channels; each source subtask emits 1 record.
            - Nodes 1 and 2 have one job vertex: they are the task votes.
            - 2 edges lead from votes to tally. Between two processes there is one channel: each further edge
              goes through processes that send on what they get, like votes_edge2.

            Is at-least-once exact for this job?
              No: duplicates arise at tally. A subtask there has several inputs (tally from 2 channels) and goes
                on reading behind the first barrier until the last has come. What it reads there is in its
                state, and comes again after a failover.
              Checked with flink-at-least-once: 4 snapshots in 29 states that stand for all; 2 of them are
                inconsistent.
              For example, after 6 steps the snapshot has a record received at tally that votes has yet to send.
              With a failover, in a run of 15 steps, record 1 of votes is in the end applied 3 times at tally
                instead of twice.

            Can aligned checkpoints get stuck?
              No: in every run the checkpoint completes, and every record arrives.
              Checked with flink-aligned: 2 snapshots in 23 states that stand for all.

            How much channel state can unaligned need, against how much can aligned hold back?
              Unaligned: at most 2 records in the channels of a checkpoint.
              Aligned: none in a checkpoint; at most 1 record waits meanwhile in a blocked channel.
              That is with the few records that are emitted here; both grow with what is under way.
              Checked with universal: 7 snapshots in 81 states that stand for all.
              universal stands for unaligned checkpoints: where records wait in buffers, their barriers
                overtake, so that every consistent cut can be a checkpoint.

            Which edges forbid unaligned checkpoints?
              None: no edge is pointwise or broadcast.

            The instance is in stream-graph.toml; `snapcheck check stream-graph.toml` checks it.
        "#]],
    );
}

#[test]
fn json_holds_what_the_text_says() {
    let found = json(&sample("execution.json"), &[]);
    assert_eq!(found["at_least_once"]["exact"], false);
    assert_eq!(found["at_least_once"]["duplicates_arise_at"], serde_json::json!(["price"]));
    assert_eq!(found["at_least_once"]["failover"]["exact"], false);
    assert_eq!(found["aligned"]["completes"], "holds");
    assert_eq!(found["instance"], "plan.toml");
    assert_eq!(found["tasks"][3]["inputs_per_subtask"], 5);
    assert_eq!(found["tasks"][3]["processes"], serde_json::json!(["price_1", "price_2"]));
    let edges = found["edges"].as_array().unwrap().iter();
    let forbidding = edges.map(|edge| edge["forbids_unaligned"].as_bool().unwrap());
    assert_eq!(forbidding.collect::<Vec<_>>(), [true, false, true, true]);
    assert_eq!((found["ok"].clone(), found["inconclusive"].clone()), (true.into(), false.into()));
}

/// What is cut off is open, and a yes only where everything was seen.
#[test]
fn a_search_that_is_cut_off_answers_nothing_with_yes() {
    let found = json(&sample("job.json"), &["--max-states", "3"]);
    assert_eq!(found["at_least_once"]["exact"], Value::Null);
    assert_eq!(found["at_least_once"]["failover"]["exact"], Value::Null);
    assert_eq!(found["aligned"]["completes"], "inconclusive");
    assert_eq!(found["unaligned"]["searched"]["complete"], false);
    assert_eq!(found["inconclusive"], true);
    let (text, code) = text("job.json", &sample("job.json"), &["--max-states", "3"]);
    assert_eq!(code, Some(3));
    assert!(text.contains("Open. By the structure of the plan it is"), "{text}");
    assert!(text.contains("CUT OFF by a bound"), "{text}");
    assert!(!text.contains("Yes"), "{text}");
}

/// The plan has several channels where what is checked has one: the structure decides.
#[test]
fn a_cap_does_not_turn_a_no_into_a_yes() {
    let (text, code) = text(
        "join.json",
        &sample("stream-graph.json").replace(":1,\"op", ":3,\"op"),
        &["--max-parallelism", "1"],
    );
    assert_eq!(code, Some(0));
    assert!(text.contains("No: duplicates arise at tally"), "{text}");
    let plan = plan(&[("s", 3, &[]), ("t", 3, &[("s", "HASH")])]);
    let found = json(&plan, &["--max-parallelism", "1"]);
    assert_eq!(found["at_least_once"]["exact"], false);
    assert_eq!(found["at_least_once"]["duplicates_arise_at"], serde_json::json!([]));
    assert_eq!(found["at_least_once"]["several_inputs"], serde_json::json!(["t"]));
}

#[test]
fn the_instance_is_written_beside_the_plan_and_can_be_checked() {
    let folder = folder("join.json", &sample("job.json"));
    let output = import(&folder, &["join.json"]);
    assert!(stdout(&output).contains("The instance is in join.toml"));
    let written = std::fs::read_to_string(folder.path().join("join.toml")).unwrap();
    expect![[r##"
        # Imported from join.json.
        #
        # logins: Source: logins, parallelism 1
        # count-user: Count<user> -> Map, parallelism 1
        # totals: Sink: totals, parallelism 1
        #
        # Other checkpoints: algorithm = "flink-aligned", or "flink-unaligned".

        title = "logins per user"
        algorithm = "flink-at-least-once"
        topology = "logins, count-user, totals, logins -> count-user, count-user -> totals"
        initiators = ["logins"]
        coordinator = "none"

        [application.stream]
        records = 1
        sources = ["logins"]
    "##]]
    .assert_eq(&written);
    let checked = snapcheck(&["check", "join.toml"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
    assert!(stdout(&checked).contains("19 states"), "{}", stdout(&checked));

    // The same is written without a word; what is not the same is left alone.
    assert!(stdout(&import(&folder, &["join.json"])).contains("The instance is in join.toml"));
    let other = import(&folder, &["join.json", "--records", "2"]);
    assert!(stdout(&other).contains("join.toml holds something else and was left as it is"));
    assert_eq!(std::fs::read_to_string(folder.path().join("join.toml")).unwrap(), written);
    let named = import(&folder, &["join.json", "--records", "2", "--output", "join.toml"]);
    assert!(stdout(&named).contains("The instance is in join.toml"));
    let rewritten = std::fs::read_to_string(folder.path().join("join.toml")).unwrap();
    assert!(rewritten.contains("records = 2"), "{rewritten}");
}
