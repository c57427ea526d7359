//! The searches agree with each other, and a bound that is hit is never taken for the end.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod scripted;
}

use std::time::Duration;

use snapcheck::check::{Options, Report, Status, Traces, check};
use snapcheck::engines::{EngineKind, Limits};
use snapcheck::instance::bundled;
use snapcheck::models::claim::Claim;
use snapcheck::registry::Registry;
use snapcheck::verdict::Verdict;
use support::scripted::scripted;

fn findings(report: &Report) -> (u64, u64, u64, u64, Vec<(Claim, Verdict)>) {
    let e = &report.explored;
    (e.unique, e.generated, e.outcomes, e.consistent_outcomes, e.verdicts.clone())
}

#[test]
fn every_engine_and_thread_count_finds_the_same() {
    let registry = Registry::bundled();
    let all = bundled::all(&registry.infos()).unwrap();
    let small = |unique: Option<u64>| unique.is_some_and(|unique| unique < 10_000);
    for instance in all.iter().filter(|instance| small(instance.expect.unique)) {
        let search = |engine, threads| {
            let options = Options { engine, threads, traces: Traces::None, ..Options::default() };
            findings(&check(&registry, instance, &options, &|_| ()))
        };
        let reference = search(EngineKind::Bfs, 1);
        for engine in EngineKind::ALL {
            for threads in [1, 2] {
                let found = search(engine, threads);
                assert_eq!(found, reference, "{} {} {threads}", instance.name, engine.name());
            }
        }
    }
}

#[test]
fn a_bound_on_states_is_exact_and_inconclusive() {
    let registry = Registry::bundled();
    let instance = scripted(&registry, "chandy-lamport", "complete(2)", 2, "");
    for engine in EngineKind::ALL {
        let bounded = |max_states| {
            let limits = Limits { max_states: Some(max_states), timeout: None };
            let options = Options { engine, limits, ..Options::default() };
            check(&registry, &instance, &options, &|_| ())
        };
        let cut_off = bounded(100);
        assert_eq!(cut_off.explored.unique, 100);
        assert!(!cut_off.explored.complete);
        assert_eq!(cut_off.status(), Status::Inconclusive);
        assert!(
            cut_off.explored.verdicts.iter().all(|(claim, verdict)| {
                *verdict != Verdict::Holds || claim.witness().is_none()
            })
        );
        // A bound of exactly the number of states cuts nothing off.
        let whole = bounded(436);
        assert!(whole.explored.complete);
        assert_eq!(whole.status(), Status::AsExpected);
    }
}

#[test]
fn a_violation_found_before_the_cut_off_counts() {
    let registry = Registry::bundled();
    let more = "coordinator = \"central\"";
    let mut instance = scripted(&registry, "general-literal", "p -> q", 1, more);
    let limits = Limits { max_states: Some(55), timeout: None };
    let options = Options { limits, claims: vec![Claim::ConsistentCut], ..Options::default() };
    let expected = snapcheck::verdict::Expected::parse("holds").unwrap();
    instance.expect.claims.insert(Claim::ConsistentCut, expected);
    let report = check(&registry, &instance, &options, &|_| ());
    assert!(!report.explored.complete);
    assert_eq!(report.status(), Status::Deviates);
}

#[test]
fn a_timeout_ends_a_search_on_one_thread() {
    let registry = Registry::bundled();
    let instance = scripted(&registry, "chandy-lamport", "complete(3)", 2, "");
    for engine in EngineKind::ALL {
        let limits = Limits { max_states: None, timeout: Some(Duration::from_millis(50)) };
        let options = Options { engine, limits, ..Options::default() };
        let report = check(&registry, &instance, &options, &|_| ());
        assert!(!report.explored.complete);
        assert_eq!(report.status(), Status::Inconclusive);
    }
}
