//! Random runs: the same seed gives the same result, nothing that they find is wrong, and what is shown is
//! shortened.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use expect_test::expect;
use serde_json::Value;

use snapcheck::check::{ClaimReport, Options, Report, Status, Traces, check};
use snapcheck::instance::{Instance, bundled};
use snapcheck::models::claim::Claim;
use snapcheck::registry::Registry;
use snapcheck::render::text;
use snapcheck::simulation::Simulation;
use snapcheck::verdict::{Expected, Verdict};
use support::command::{run, stdout};

fn instances() -> Vec<Instance> {
    bundled::all(&Registry::bundled().infos()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn instance(name: &str) -> Instance {
    instances().into_iter().find(|instance| instance.name == name).unwrap()
}

fn simulate(instance: &Instance, simulation: Simulation, threads: usize) -> Report {
    let options = Options {
        simulation: Some(simulation),
        threads,
        traces: Traces::All,
        ..Options::default()
    };
    check(&Registry::bundled(), instance, &options, &|_| ())
}

fn runs(runs: u64, seed: u64) -> Simulation {
    Simulation { runs, seed, max_steps: 10_000 }
}

fn of(report: &Report, claim: Claim) -> &ClaimReport {
    report.claims.iter().find(|report| report.claim == claim).unwrap()
}

/// All that a report says but the time it took.
fn told(report: &Report) -> String {
    let claims = report.claims.iter().map(|claim| {
        let steps = claim.shown.as_ref().map(|shown| format!("{:?}", shown.trace.steps));
        format!("{:?} {:?} {:?} {steps:?}", claim.claim, claim.verdict, claim.run)
    });
    let claims: Vec<_> = claims.collect();
    let found = &report.explored;
    let counts = (found.unique, found.generated, found.depth, found.outcomes, report.runs);
    format!("{counts:?} {}", claims.join("\n"))
}

#[test]
fn the_same_seed_gives_the_same_on_any_number_of_threads() {
    for name in ["general-literal/complete-2", "chandy-lamport/bank-3", "flink-aligned/stream-ring"]
    {
        let instance = instance(name);
        let once = told(&simulate(&instance, runs(60, 7), 1));
        assert_eq!(told(&simulate(&instance, runs(60, 7), 1)), once, "{name}");
        assert_eq!(told(&simulate(&instance, runs(60, 7), 3)), once, "{name}");
        assert_ne!(told(&simulate(&instance, runs(60, 8), 1)), once, "{name}");
    }
}

/// Each instance says what a full search finds, and how long a shortest run is.
#[test]
fn nothing_that_random_runs_find_is_wrong() {
    let mut decided = 0;
    for instance in &instances() {
        let report = simulate(instance, runs(40, 1), 1);
        assert_ne!(report.status(), Status::Deviates, "{}", text::detail(&report));
        for claim in &report.claims {
            let found = claim.verdict == text_verdict(claim);
            decided += usize::from(found);
            assert_eq!(found, claim.run.is_some(), "{} {:?}", instance.name, claim.claim);
            assert_eq!(found, claim.shown.is_some(), "{} {:?}", instance.name, claim.claim);
        }
        let (found, expected) = (&report.explored, &instance.expect);
        assert!(found.unique <= expected.unique.unwrap() && !found.complete);
        assert!(found.outcomes <= expected.outcomes.unwrap());
        assert_eq!(report.runs.unwrap().ended, 40, "every bundled application ends");
    }
    assert!(decided > 400, "only {decided} claims were decided");
}

/// The verdict that a run can show.
fn text_verdict(claim: &ClaimReport) -> Verdict {
    snapcheck::trace_file::shown_verdict(claim.claim)
}

#[test]
fn what_is_shown_decides_the_claim_and_needs_every_step() {
    let registry = Registry::bundled();
    let names = ["general-literal/complete-2", "flink-at-least-once/diamond", "clock/bank"];
    let mut dropped = 0;
    for instance in names.map(instance) {
        let runner = registry.runner(&instance);
        for claim in &simulate(&instance, runs(100, 0), 1).claims {
            let Some(shown) = &claim.shown else { continue };
            let steps = &shown.trace.steps;
            assert!(runner.replay(&instance, steps).unwrap().decides(claim.claim));
            for left_out in 0..steps.len() {
                let mut fewer = steps.clone();
                fewer.remove(left_out);
                let replayed = runner.replay(&instance, &fewer);
                assert!(replayed.is_err() || !replayed.unwrap().decides(claim.claim));
                dropped += 1;
            }
        }
    }
    assert!(dropped > 100, "only {dropped} steps were tried");
}

/// The two messages that are sent before the one that matters are not needed, though it has another number
/// without them.
#[test]
fn a_run_is_shortened_past_what_only_changes_numbers() {
    let mut instance = instance("general-literal/manager-apart");
    let more = ["--messages", "5", "--claim", "consistent-cut", "--simulate", "20"];
    let ad_hoc = ["check", "--algorithm", "general-literal", "--topology", "p -> q"];
    let told = stdout(&run(&[&ad_hoc[..], &["--coordinator", "central"], &more].concat()));
    assert!(told.contains("consistent-cut is violated after 6 steps (run "), "{told}");

    // A shortened run may be longer than is expected of a shortest one, but not shorter.
    let mut status = |steps| {
        let expected = Expected { verdict: Verdict::Violated, steps: Some(steps) };
        instance.expect.claims.insert(Claim::ConsistentCut, expected);
        simulate(&instance, runs(50, 0), 1).status()
    };
    assert_eq!(status(6), Status::Inconclusive);
    assert_eq!(status(5), Status::Inconclusive);
    assert_eq!(status(7), Status::Deviates);
}

#[test]
fn a_run_takes_no_more_steps_than_allowed() {
    let instance = instance("chandy-lamport/complete-2-k2");
    let report = simulate(&instance, Simulation { max_steps: 3, ..runs(30, 0) }, 1);
    assert_eq!((report.explored.depth, report.explored.generated), (4, 30 * 4));
    assert_eq!((report.runs.unwrap().taken, report.runs.unwrap().ended), (30, 0));
    assert_eq!(of(&report, Claim::SnapshotCompletes).verdict, Verdict::Inconclusive);
    assert!(text::detail(&report).contains("30 runs from seed 0, 30 of them only 3 steps long;"));
}

#[test]
fn the_exit_code_tells_a_violation_from_what_is_open() {
    let checked = |arguments: &[&str]| {
        let output = run(&[&["check"], arguments, &["--simulate", "200"]].concat());
        (output.status.code(), stdout(&output))
    };
    let (code, open) = checked(&["chandy-lamport/complete-3-k2"]);
    assert_eq!(code, Some(3));
    let words = open.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("? consistent-cut no violation in 200 runs promised"), "{open}");
    let ad_hoc = ["--algorithm", "clock", "--topology", "p -> q", "--claim"];
    assert_eq!(checked(&[&ad_hoc[..], &["consistent-cut"]].concat()).0, Some(0));
    assert_eq!(checked(&[&ad_hoc[..], &["message-before-cut"]].concat()).0, Some(0));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.toml");
    let text = "title = \"\"\nalgorithm = \"clock\"\ntopology = \"p -> q\"\n[application]\n\
                messages = 1\n[expect.claims]\nconsistent-cut = \"holds\"\n";
    std::fs::write(&path, text).unwrap();
    let (code, wrong) = checked(&[path.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(wrong.contains("consistent-cut: violated in 4 steps, expected: holds"), "{wrong}");
    let (code, list) = checked(&["general"]);
    assert_eq!(code, Some(3));
    assert!(list.contains(" states in random runs, in "), "{list}");
    assert!(list.contains(" instances are inconclusive: "), "{list}");
}

#[test]
fn json_says_what_was_done() {
    let arguments = ["check", "clock/bank", "--simulate", "30", "--seed", "5", "--format", "json"];
    let json: Value = serde_json::from_str(&stdout(&run(&arguments))).unwrap();
    assert_eq!(json["engine"], "simulation");
    assert_eq!((&json["runs"], &json["seed"]), (&Value::from(30), &Value::from(5)));
    assert_eq!((&json["runs_taken"], &json["runs_ended"]), (&Value::from(30), &Value::from(30)));
    assert_eq!(
        (&json["complete"], &json["inconclusive"]),
        (&Value::from(false), &Value::from(true))
    );
    let claims = json["claims"].as_array().unwrap();
    let cut = claims.iter().find(|claim| claim["claim"] == "consistent-cut").unwrap();
    assert_eq!(cut["verdict"], "violated");
    assert!(cut["shortened_run"].is_u64() && cut["trace"].is_array());
    let searched = stdout(&run(&["check", "clock/bank", "--format", "json"]));
    assert!(!searched.contains("\"seed\"") && !searched.contains("shortened_run"));
}

#[test]
fn pictures_pages_and_traces_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (svg, html, trace) = (path("svg"), path("html"), path("trace.json"));
    let files = ["--svg", &svg, "--html", &html, "--save-trace", &trace];
    let what = ["check", "clock/bank", "--simulate", "50", "--claim", "consistent-cut"];
    let output = run(&[&what[..], &files].concat());
    assert!(stdout(&output).contains("Trace saved"), "{}", stdout(&output));
    assert!(folder.path().join("svg/clock-bank.consistent-cut.svg").exists());
    let page = std::fs::read_to_string(folder.path().join("html/clock-bank.html")).unwrap();
    assert!(page.contains("50 runs from seed 0"), "{page}");
    assert!(page.contains("shortened; not necessarily shortest"), "{page}");
    assert!(run(&["replay", &trace]).status.success());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let error = |arguments: &[&str]| {
        let output = run(&[&["check", "clock/bank"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    expect![[r#"
        error: invalid value '0' for '--simulate <RUNS>': a bound of zero allows nothing; give at least 1

        For more information, try '--help'.
    "#]].assert_eq(&error(&["--simulate", "0"]));
    expect![[r#"
        error: the argument '--simulate <RUNS>' cannot be used with '--reduce'

        Usage: snapcheck check --simulate <RUNS> <PATH>...

        For more information, try '--help'.
    "#]]
    .assert_eq(&error(&["--simulate", "9", "--reduce"]));
    for option in [&["--symmetry"][..], &["--engine", "bfs"], &["--max-states", "9"]] {
        let told = error(&[&["--simulate", "9"], option].concat());
        assert!(told.contains(option[0]) && told.contains("cannot be used with"), "{told}");
    }
    assert!(error(&["--seed", "9"]).contains("--simulate <RUNS>"));
    assert!(error(&["--simulate", "9", "--steps", "0"]).contains("give at least 1"));
}
