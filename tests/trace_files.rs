//! Trace files: what `check` saves is what `replay` replays, on every kind of instance.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
    pub(crate) mod forgetful;
    pub(crate) mod scripted;
}

use std::path::Path;
use std::sync::Arc;

use expect_test::expect_file;
use serde_json::Value;

use snapcheck::check::{Options, Traces, check};
use snapcheck::diagnostic::Source;
use snapcheck::instance::{Instance, bundled};
use snapcheck::registry::Registry;
use snapcheck::trace_file;
use support::command::{run, snapcheck, stdout};
use support::forgetful::Forgetful;
use support::scripted::scripted;

/// Saves and replays each trace that there is; tells how many.
fn round_trips(registry: &Registry, instance: &Instance) -> usize {
    let options = Options { traces: Traces::All, ..Options::default() };
    let report = check(registry, instance, &options, &|_| ());
    let mut count = 0;
    for found in &report.claims {
        let Some(shown) = &found.shown else { continue };
        let text = trace_file::write(instance, found.claim, &shown.trace);
        let source = Arc::new(Source { name: "trace.json".to_owned(), text: text.clone() });
        let file = trace_file::parse(source, &registry.infos())
            .unwrap_or_else(|error| panic!("{}\n{text}", error.render(false)));
        assert_eq!((file.claim, &file.instance.name), (found.claim, &instance.name));
        assert_eq!(file.instance.setup, instance.setup);
        let steps: Vec<_> = file.steps.iter().map(|step| step.value.clone()).collect();
        let runner = registry.runner(&file.instance);
        let replayed = match found.claim.needs_history() {
            true => runner.recall(&file.instance, &steps).unwrap().unwrap(),
            false => runner.replay(&file.instance, &steps).unwrap(),
        };
        assert_eq!(replayed.trace.steps, shown.trace.steps, "{}", instance.name);
        assert_eq!(replayed.trace.last, shown.trace.last, "{}", instance.name);
        assert_eq!(replayed.views.len(), steps.len() + 1);
        // It is a shortest run, so that no state before the last decides the claim.
        assert_eq!(replayed.first_deciding(found.claim), Some(steps.len()));
        assert_eq!(trace_file::write(&file.instance, found.claim, &replayed.trace), text);
        count += 1;
    }
    count
}

#[test]
fn every_trace_of_the_bundled_instances_can_be_saved_and_replayed() {
    let registry = Registry::bundled();
    let small = |instance: &Instance| instance.expect.unique.is_none_or(|unique| unique < 10_000);
    let instances = bundled::all(&registry.infos()).unwrap();
    let traces = instances.iter().filter(|i| small(i)).map(|i| round_trips(&registry, i));
    assert!(traces.sum::<usize>() > 150);
}

#[test]
fn scripts_are_written_as_they_were() {
    let registry = Registry::bundled();
    for (application, written) in [
        ("messages = 0", r#""application": {"messages": 0}"#),
        ("messages = 2", r#""application": {"messages": 2}"#),
        (
            r#"steps.p0 = ["send p1 x := 7", "x := -4", 'internal "a b"', "send p1"]"#,
            r#""application": {"steps": {"p0": ["send p1 x := 7", "x := -4", "internal \"a b\"", "send p1"]}}"#,
        ),
        (
            "steps.p1 = [\"send p0\"]\ninitially.p0 = [\"x := 4\"]",
            r#""application": {"steps": {"p1": ["send p0"]}, "initially": {"p0": ["x := 4"]}}"#,
        ),
    ] {
        let text = format!(
            "title = \"\"\nalgorithm = \"general-literal\"\ntopology = \"complete(2)\"\n\
             [application]\n{application}\n"
        );
        let name = "inline";
        let instance = snapcheck::instance::file::parse(name, text, name, &registry.infos());
        let instance = instance.unwrap();
        assert!(round_trips(&registry, &instance) > 0, "{application}");
        let options = Options { traces: Traces::All, ..Options::default() };
        let report = check(&registry, &instance, &options, &|_| ());
        let found = report.claims.iter().find(|found| found.shown.is_some()).unwrap();
        let trace = &found.shown.as_ref().unwrap().trace;
        let file = trace_file::write(&instance, found.claim, trace);
        assert!(file.contains(written), "{file}");
    }
}

const SAVED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces/overtaken.json");

/// The counterexample of the front page.
#[test]
fn the_saved_trace_is_what_check_writes_today() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.json");
    let path = file.to_str().unwrap();
    let arguments = ["check", "general-literal/manager-apart", "--claim", "consistent-cut"];
    let output = run(&[&arguments[..], &["--save-trace", path]].concat());
    assert_eq!(output.status.code(), Some(0));
    let told = format!("Trace saved; `snapcheck replay {path}` replays it.");
    assert!(stdout(&output).ends_with(&format!("{told}\n")), "{}", stdout(&output));
    expect_file![SAVED].assert_eq(&std::fs::read_to_string(&file).unwrap());
}

#[test]
fn the_saved_trace_is_replayed_as_check_shows_it() {
    let replayed = run(&["replay", SAVED]);
    assert_eq!(replayed.status.code(), Some(0));
    let replayed = stdout(&replayed);
    let checked =
        stdout(&run(&["check", "general-literal/manager-apart", "--claim", "consistent-cut"]));
    let shown = |text: &str| {
        let (_, steps) = text.split_once("   1. ").unwrap();
        steps.split_once("\n\n").map(|(s, rest)| (s.to_owned(), rest.to_owned())).unwrap()
    };
    let ((steps, picture), (told, drawn)) = (shown(&replayed), shown(&checked));
    assert_eq!(steps, told);
    // Picture and explanation; then each says its own.
    let own = |text: &str| text.split_once("\n\nAs the file").map(|(s, _)| s.to_owned());
    assert_eq!(own(&picture).unwrap(), drawn.split_once("\n\nEverything").unwrap().0);
    assert!(
        replayed.ends_with("\nAs the file says: consistent-cut is violated in the last state.\n")
    );

    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("run.svg");
    let json = run(&["replay", SAVED, "--format", "json", "--svg", picture.to_str().unwrap()]);
    let json: Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!((json["as_written"].clone(), json["first_after"].clone()), (true.into(), 6.into()));
    assert_eq!(json["trace"].as_array().unwrap().len(), 6);
    assert!(std::fs::read_to_string(picture).unwrap().starts_with("<svg"));
}

/// Replays the saved trace with the text changed.
fn changed(from: &str, to: &str) -> (Option<i32>, String, String) {
    let text = std::fs::read_to_string(SAVED).unwrap();
    assert!(text.contains(from), "{from}");
    replayed(&text.replacen(from, to, 1))
}

fn replayed(text: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.json"), text).unwrap();
    let output = snapcheck(&["replay", "a.json"]).current_dir(folder.path()).output().unwrap();
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    (output.status.code(), stdout(&output), error)
}

#[test]
fn a_run_that_no_longer_decides_the_claim_is_told() {
    // The safe algorithm takes the marker for an instruction, and the same steps are harmless.
    let (code, text, _) = changed("\"general-literal\"", "\"general\"");
    assert_eq!(code, Some(1));
    let end = "NOT as the file says: consistent-cut is not violated in the last state.\n";
    assert!(text.ends_with(end), "{text}");
    assert!(text.contains("3. q consumes the marker on p→q: RECORDS"), "{text}");

    // The claim falls a step before the end.
    let more = r#", {"process": "coordinator", "action": "receive-done", "from": "p"}"#;
    let (code, text, _) = changed("}\n  ]", &format!("}}{more}\n  ]"));
    assert_eq!(code, Some(0));
    let end = "consistent-cut is violated in the last state, first after step 6.\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn without_a_trace_nothing_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let save = |arguments: &[&str]| {
        let arguments = [&["check"], arguments, &["--save-trace", "a.json"]].concat();
        let output = snapcheck(&arguments).current_dir(folder.path()).output().unwrap();
        assert!(!Path::new(&folder.path().join("a.json")).exists());
        (output.status.code(), stdout(&output), String::from_utf8(output.stderr).unwrap())
    };
    let (code, text, _) = save(&["general/manager-apart", "--claim", "consistent-cut"]);
    assert_eq!(code, Some(0));
    assert!(
        text.ends_with("No trace is saved: consistent-cut holds, there is no counterexample.\n")
    );
    let (code, text, _) = save(&["clock/two-clocks", "--claim", "channel-blocked"]);
    assert_eq!(code, Some(0));
    assert!(text.ends_with("No trace is saved: channel-blocked has no example.\n"), "{text}");
    // Standard output holds nothing but JSON.
    let json = ["general/manager-apart", "--claim", "consistent-cut", "--format", "json"];
    let (code, text, error) = save(&json);
    assert_eq!((code, text.lines().count()), (Some(0), 1));
    assert!(error.starts_with("No trace is saved: "), "{error}");
    let (code, _, error) = save(&["clock/two-clocks"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("one trace is saved, but 0 claims are named"), "{error}");
    let (code, _, error) = save(&["clock", "--claim", "consistent-cut"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("one trace is saved, but 6 instances are selected"), "{error}");
}

#[test]
fn a_users_own_algorithm_is_saved_and_replayed() {
    let registry = Registry::with_variant::<Forgetful>();
    let instance = scripted(&registry, "forgetful", "complete(2)", 1, "");
    assert!(round_trips(&registry, &instance) > 5);
}
