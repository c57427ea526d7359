//! `--reduce` as a user meets it: the same verdicts and outcomes, and a refusal where these would not
//! be all.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use expect_test::expect;
use itertools::Itertools;

use snapcheck::check::{Options, Status, Traces, check, irreducible};
use snapcheck::claims;
use snapcheck::engines::EngineKind;
use snapcheck::instance::{Instance, bundled, standard};
use snapcheck::models::algorithms::ChandyLamport;
use snapcheck::models::claim::Claim;
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::setup::Coordinator;
use snapcheck::models::topology::ChannelId;
use snapcheck::registry::Registry;
use snapcheck::system::Reduction;
use support::command::{run, stdout};

const FEWER: Reduction = Reduction { interleavings: true, symmetry: false };

#[test]
fn every_bundled_instance_comes_out_as_expected() {
    let registry = Registry::bundled();
    let options = Options { traces: Traces::None, reduction: FEWER, ..Options::default() };
    let all = bundled::all(&registry.infos()).unwrap();
    let mut asked = 0;
    let reducible = |i: &&Instance| !i.only_when_named && irreducible(&registry, i).is_none();
    for instance in all.iter().filter(reducible) {
        let report = check(&registry, instance, &options, &|_| ());
        assert_eq!(report.reduction, FEWER);
        assert_eq!(report.status(), Status::AsExpected, "{}", instance.name);
        assert!(instance.expect.unique.is_none_or(|unique| report.explored.unique < unique));
        asked += report.claims.iter().filter(|claim| claim.expected.is_some()).count();
        assert!(report.claims.iter().all(|found| claims::is_lasting(found.claim)));
    }
    assert!(asked > 400, "{asked} verdicts were held against an expectation");
}

#[test]
fn every_standard_instance_has_the_same_verdicts() {
    let registry = Registry::bundled();
    let lasting: Vec<_> = Claim::ALL.into_iter().filter(|&c| claims::is_lasting(c)).collect();
    let all = registry.algorithms().into_iter().flat_map(standard::of);
    let all = all.filter(|instance| irreducible(&registry, instance).is_none());
    for instance in all.filter(|instance| instance.setup.coordinator == Coordinator::None) {
        let search = |interleavings| {
            let reduction = Reduction { interleavings, symmetry: false };
            let claims = lasting.clone();
            let options = Options { traces: Traces::None, reduction, claims, ..Options::default() };
            let explored = check(&registry, &instance, &options, &|_| ()).explored;
            (explored.verdicts, explored.outcomes, explored.consistent_outcomes)
        };
        assert_eq!(search(true), search(false), "{} {}", instance.algorithm.name, instance.name);
    }
}

#[test]
fn every_engine_and_thread_count_searches_the_same_states() {
    let registry = Registry::bundled();
    let all = bundled::all(&registry.infos()).unwrap();
    for instance in all.iter().filter(|instance| instance.name.ends_with("/diamond")) {
        if irreducible(&registry, instance).is_some() {
            continue;
        }
        let search = |engine, threads| {
            let options = Options {
                engine,
                threads,
                traces: Traces::None,
                reduction: FEWER,
                ..Options::default()
            };
            let explored = check(&registry, instance, &options, &|_| ()).explored;
            (explored.unique, explored.generated, explored.verdicts)
        };
        let reference = search(EngineKind::Bfs, 1);
        for (engine, threads) in EngineKind::ALL.into_iter().cartesian_product([1, 2]) {
            assert_eq!(search(engine, threads), reference, "{} {threads}", engine.name());
        }
    }
}

#[test]
fn the_report_says_that_it_is_reduced() {
    let output = run(&["check", "chandy-lamport/line-3", "--reduce"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains(" s with collapse, reduced, "), "{text}");
    assert!(text.contains("Not asked: completion-is-real, never-blocks,"), "{text}");
    let output = run(&["check", "chandy-lamport", "--reduce"]);
    assert!(stdout(&output).contains(" states, reduced, in "));
    for (arguments, reduced) in [(&["--reduce"][..], true), (&[], false)] {
        let arguments = [&["check", "clock/two-clocks", "--format", "json"], arguments].concat();
        let json: serde_json::Value = serde_json::from_str(&stdout(&run(&arguments))).unwrap();
        assert_eq!(json["reduced"], reduced);
    }
}

#[test]
fn a_trace_is_a_shortest_one_of_the_whole_system() {
    let output = run(&["check", "general-literal/manager-apart", "--reduce"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("consistent-cut is violated after 6 steps:"));
}

#[test]
fn claims_about_passing_states_are_refused() {
    let output = run(&["check", "clock", "--reduce", "--claim", "never-blocks"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    expect![[r#"
        error: a reduced search cannot judge never-blocks: it speaks of states that pass
         --> --claim:1:1
          |
        1 | never-blocks
          | ^^^^^^^^^^^^
          |
          = help: search without --reduce, or judge another claim
    "#]]
    .assert_eq(&String::from_utf8(output.stderr).unwrap());
    for claim in Claim::ALL {
        let arguments = ["check", "clock/two-clocks", "--reduce", "--claim", claim.name()];
        let refused = run(&arguments).status.code() == Some(2);
        assert_eq!(refused, !claims::is_lasting(claim), "{}", claim.name());
    }
}

/// Chandy–Lamport, which does not say that it takes one round.
struct Reticent;

impl SnapshotAlgorithm for Reticent {
    type Control = <ChandyLamport as SnapshotAlgorithm>::Control;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo { name: "reticent", ..ChandyLamport::INFO };

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
    }

    fn on_control(_: &mut Process<'_, Self>, _: ChannelId, _: Self::Control) {}

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

#[test]
fn an_algorithm_that_may_take_more_rounds_is_refused() {
    let registry = Registry::with_variant::<Reticent>();
    let [instance, ..] = &standard::of(Reticent::INFO)[..] else { unreachable!("there are some") };
    let refusal = irreducible(&registry, instance).unwrap();
    assert_eq!(
        refusal.to_string(),
        "line(2) cannot be reduced: reticent does not say that it takes one round; search it \
         without --reduce, or say `const ONE_ROUND: bool = true;` where that is so"
    );
}
