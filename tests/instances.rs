//! Every bundled instance meets its expectations, and expects something of everything.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use snapcheck::check::{Options, Status, check};
use snapcheck::claims;
use snapcheck::instance::{Instance, bundled};
use snapcheck::models::claim::{Claim, Kind};
use snapcheck::registry::Registry;
use snapcheck::render::text;
use snapcheck::verdict::Verdict;

fn instances(registry: &Registry) -> Vec<Instance> {
    bundled::all(&registry.infos()).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

#[test]
fn every_instance_meets_its_expectations() {
    let registry = Registry::bundled();
    let mut checked = 0;
    for instance in instances(&registry).iter().filter(|i| !i.only_when_named) {
        let report = check(&registry, instance, &Options::default(), &|_| ());
        assert_eq!(report.status(), Status::AsExpected, "{}", text::detail(&report));
        checked += 1;
    }
    assert!(checked >= 40, "only {checked} instances were found");
}

#[test]
fn a_wrong_expectation_is_noticed() {
    let registry = Registry::bundled();
    let all = instances(&registry);
    let good = all.iter().find(|i| i.name == "general-literal/manager-apart").unwrap();
    let spoilt = |spoil: fn(&mut Instance)| {
        let mut instance = good.clone();
        spoil(&mut instance);
        check(&registry, &instance, &Options::default(), &|_| ()).status()
    };
    assert_eq!(spoilt(|_| ()), Status::AsExpected);
    assert_eq!(spoilt(|i| i.expect.unique = Some(61)), Status::Deviates);
    assert_eq!(spoilt(|i| i.expect.generated = Some(1)), Status::Deviates);
    assert_eq!(spoilt(|i| i.expect.outcomes = Some(5)), Status::Deviates);
    assert_eq!(spoilt(|i| i.expect.consistent_outcomes = Some(4)), Status::Deviates);
    assert_eq!(
        spoilt(|i| i.expect.claims.get_mut(&Claim::ConsistentCut).unwrap().steps = Some(5)),
        Status::Deviates
    );
    for &claim in good.expect.claims.keys() {
        let mut instance = good.clone();
        let expected = instance.expect.claims.get_mut(&claim).unwrap();
        expected.steps = None;
        expected.verdict = match expected.verdict {
            Verdict::Holds => Verdict::Violated,
            _ => Verdict::Holds,
        };
        let status = check(&registry, &instance, &Options::default(), &|_| ()).status();
        assert_eq!(status, Status::Deviates, "{}", claim.name());
    }
}

#[test]
fn every_instance_expects_something_of_every_claim_that_applies_and_of_every_count() {
    let registry = Registry::bundled();
    for instance in instances(&registry) {
        let expect = &instance.expect;
        for claim in Claim::ALL.into_iter().filter(|claim| !claim.on_request()) {
            let stated = expect.claims.contains_key(&claim);
            let applicable = claims::is_applicable_to(claim, &instance);
            assert!(stated || !applicable, "{}: {}", instance.name, claim.name());
        }
        assert!(expect.unique.is_some() && expect.generated.is_some(), "{}", instance.name);
        let outcomes = expect.outcomes.is_some() && expect.consistent_outcomes.is_some();
        assert!(outcomes, "{}", instance.name);
        // Bugs stand beside their repair, questions beside one another.
        let folder = instance.name.split('/').next().unwrap();
        let is_mixed = ["flink-bugs", "questions"].contains(&folder);
        assert!(is_mixed || folder == instance.algorithm.name, "{} lies astray", instance.name);
    }
}

/// Every claim holds somewhere with its witness, and every claim that some algorithm does not promise
/// falls somewhere: no instance set in which a claim could not fail.
#[test]
fn every_claim_holds_and_falls_somewhere() {
    let registry = Registry::bundled();
    let all = instances(&registry);
    let expected = |claim: Claim, verdict: Verdict| {
        all.iter().filter(move |instance| {
            let applicable = claims::is_applicable_to(claim, instance);
            let found = instance.expect.claims.get(&claim);
            applicable && found.is_some_and(|expected| expected.verdict == verdict)
        })
    };
    for claim in Claim::ALL {
        assert!(expected(claim, Verdict::Holds).next().is_some(), "{}", claim.name());
        if let Some(witness) = claim.witness() {
            let with_witness = expected(claim, Verdict::Holds).any(|instance| {
                instance.expect.claims.get(&witness).is_some_and(|e| e.verdict == Verdict::Holds)
            });
            assert!(with_witness, "{} holds only vacuously", claim.name());
        }
        // These are broken only by mutants: see tests/mutants.rs.
        let sound = [Claim::CompletionIsReal, Claim::NonInterference].contains(&claim);
        if claim.kind() == Kind::Safety && !sound {
            assert!(expected(claim, Verdict::Violated).next().is_some(), "{}", claim.name());
        }
    }
}
