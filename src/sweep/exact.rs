//! Where exactly a claim holds: the first condition that agrees with every verdict, and what this says
//! of the promise.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::conditions::CANDIDATES;
use super::{Case, Judgement, Space};
use crate::engines::Limits;
use crate::models::claim::Claim;
use crate::models::process::AlgorithmInfo;
use crate::models::promise::Condition;
use crate::registry::Registry;
use crate::verdict::Verdict;

/// What came out for one algorithm.
#[derive(Clone, Debug)]
pub struct AlgorithmReport {
    /// The algorithm.
    pub algorithm: AlgorithmInfo,
    /// On how many setups it was checked.
    pub setups: usize,
    /// The safety claims that say something about it.
    pub claims: Vec<ClaimReport>,
}

/// Where a claim holds of an algorithm.
#[derive(Clone, Debug)]
pub struct ClaimReport {
    /// The claim.
    pub claim: Claim,
    /// On how many setups it holds.
    pub holds: usize,
    /// On how many of them its witness does not exist.
    pub vacuous: usize,
    /// On how many it is violated.
    pub violated: usize,
    /// On how many a limit left it open.
    pub inconclusive: usize,
    /// The class of setups where it holds, if there are words for it. What is open is left aside.
    pub class: Option<Class>,
    /// What that says of the promise.
    pub promised: Promised,
    /// The smallest setup on which it is violated.
    pub failing: Option<Failing>,
}

/// A class of setups in words.
#[derive(Clone, Debug)]
pub struct Class {
    /// Which setups it divides.
    pub among: Among,
    /// How many these are.
    pub of: usize,
    /// On how many of them the claim holds.
    pub holds: usize,
    /// Whether the conditions say where the claim holds, or where it is violated.
    pub verdict: Verdict,
    /// The conditions, all of which must be fulfilled.
    pub conditions: Vec<Condition>,
}

/// Which setups a class divides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// All.
    All,
    /// Those on which the algorithm terminates: elsewhere a claim may hold for want of a snapshot.
    Terminating,
}

/// How exact a promise is.
#[derive(Clone, Copy, Debug)]
pub enum Promised {
    /// Nothing is promised.
    Nowhere,
    /// The limits left it open on every setup.
    Open,
    /// The claim holds exactly where it is promised.
    Exactly,
    /// Of the setups on which the algorithm terminates, it holds exactly on those where it is promised.
    ExactlyWhereItTerminates,
    /// It holds where it is promised and on some setups more.
    Narrowly {
        /// How many more.
        more: usize,
        /// On how many of these its witness does not exist.
        vacuous: usize,
    },
    /// It is violated where it is promised.
    Broken {
        /// On how many setups.
        on: usize,
        /// The smallest of these.
        smallest: Failing,
    },
}

/// A setup on which a claim is violated.
#[derive(Clone, Copy, Debug)]
pub struct Failing {
    /// The instance.
    pub case: Case,
    /// Length of a shortest counterexample; none if it was not found within the limits.
    pub steps: Option<usize>,
}

/// Reports on each algorithm.
pub(super) fn algorithms(
    registry: &Registry,
    space: &Space,
    judged: &BTreeMap<Case, Judgement>,
    limits: Limits,
) -> Vec<AlgorithmReport> {
    let candidates = CANDIDATES.map(|condition| Candidate::of(condition, space));
    let report = |(index, algorithm): (usize, &AlgorithmInfo)| {
        let own = judged.iter().filter(|(case, _)| case.algorithm == index).collect_vec();
        let claims = Claim::ALL.into_iter().filter_map(|claim| {
            let says = |(_, j): &(&Case, &Judgement)| j.verdict(claim) != Verdict::NotApplicable;
            own.iter().any(says).then(|| {
                let steps = |case| {
                    let instance = space.instance(case);
                    let shown = registry.runner(&instance).shortest(&instance, claim, limits);
                    Failing { case, steps: shown.map(|shown| shown.trace.steps.len()) }
                };
                claim_report(space, algorithm, claim, &own, &candidates, &steps)
            })
        });
        AlgorithmReport { algorithm: *algorithm, setups: own.len(), claims: claims.collect() }
    };
    space.algorithms.iter().enumerate().map(report).collect()
}

/// A condition, and on which setups of the space it is fulfilled.
struct Candidate {
    condition: Condition,
    fulfilled: Vec<bool>,
}

impl Candidate {
    fn of(condition: Condition, space: &Space) -> Self {
        let fulfilled = space.setups.iter().map(|named| (condition.holds)(&named.setup));
        Self { condition, fulfilled: fulfilled.collect() }
    }
}

/// A setup on which a claim was settled.
#[derive(Clone, Copy)]
struct Settled {
    case: Case,
    holds: bool,
    vacuous: bool,
    terminates: bool,
}

fn claim_report(
    space: &Space,
    algorithm: &AlgorithmInfo,
    claim: Claim,
    own: &[(&Case, &Judgement)],
    candidates: &[Candidate],
    failing: &dyn Fn(Case) -> Failing,
) -> ClaimReport {
    let settled = own.iter().filter_map(|(case, judgement)| {
        let terminates = judgement.verdict(Claim::Terminates) == Verdict::Holds;
        let vacuous = judgement.vacuous.contains(&claim);
        let settled = |holds| Some(Settled { case: **case, holds, vacuous, terminates });
        match judgement.verdict(claim) {
            Verdict::Holds => settled(true),
            Verdict::Violated => settled(false),
            Verdict::Inconclusive | Verdict::NotApplicable => None,
        }
    });
    let settled = settled.collect_vec();
    let open = own.iter().filter(|(_, j)| j.verdict(claim) == Verdict::Inconclusive);
    let promise = algorithm.promises.iter().find(|promise| promise.claim == claim);
    let promise = promise.map(|promise| Candidate::of(promise.condition, space));
    let holds = settled.iter().filter(|settled| settled.holds).count();
    let first = settled.iter().find(|settled| !settled.holds);
    ClaimReport {
        claim,
        holds,
        vacuous: settled.iter().filter(|settled| settled.vacuous).count(),
        violated: settled.len() - holds,
        inconclusive: open.count(),
        class: class(claim, &settled, promise.as_ref(), candidates),
        promised: promised(claim, &settled, promise.as_ref(), failing),
        failing: first.map(|settled| failing(settled.case)),
    }
}

/// The groups of setups that a class may divide.
fn groups(claim: Claim, settled: &[Settled]) -> Vec<(Among, Vec<Settled>)> {
    let terminates = |settled: &Settled| claim != Claim::Terminates && settled.terminates;
    let terminating = settled.iter().copied().filter(terminates).collect();
    let mut groups = vec![(Among::All, settled.to_vec()), (Among::Terminating, terminating)];
    // Of nothing anything could be said.
    groups.retain(|(_, group)| !group.is_empty());
    groups
}

/// Whether the claim is settled so on exactly those setups of a group that fulfil all conditions.
fn agree(group: &[Settled], verdict: Verdict, conditions: &[&Candidate]) -> bool {
    let fulfil = |case: Case| conditions.iter().all(|condition| condition.fulfilled[case.setup]);
    group
        .iter()
        .all(|settled| fulfil(settled.case) == (settled.holds == (verdict == Verdict::Holds)))
}

/// The first words that fit: the promise before all others, single conditions before pairs; but
/// whatever can be said of all setups before what can be said of some.
fn class(
    claim: Claim,
    settled: &[Settled],
    promise: Option<&Candidate>,
    candidates: &[Candidate],
) -> Option<Class> {
    let groups = groups(claim, settled);
    let singles = candidates.iter().map(|candidate| vec![candidate]);
    let pairs = candidates.iter().array_combinations().map(|pair: [_; 2]| pair.to_vec());
    let words = singles.chain(pairs).cartesian_product([Verdict::Holds, Verdict::Violated]);
    let words = words.collect_vec();
    let promise = promise.map(|promise| (vec![promise], Verdict::Holds));
    let of_promise = groups.iter().cartesian_product(&promise);
    let mut tried = of_promise.chain(groups.iter().cartesian_product(&words));
    let ((among, group), (conditions, verdict)) =
        tried.find(|((_, group), (conditions, verdict))| agree(group, *verdict, conditions))?;
    Some(Class {
        among: *among,
        of: group.len(),
        holds: group.iter().filter(|settled| settled.holds).count(),
        verdict: *verdict,
        conditions: conditions.iter().map(|candidate| candidate.condition).collect(),
    })
}

fn promised(
    claim: Claim,
    settled: &[Settled],
    promise: Option<&Candidate>,
    failing: &dyn Fn(Case) -> Failing,
) -> Promised {
    let Some(promise) = promise else { return Promised::Nowhere };
    if settled.is_empty() {
        return Promised::Open;
    }
    let is_promised = |settled: &&Settled| promise.fulfilled[settled.case.setup];
    let broken = settled.iter().filter(|settled| !settled.holds && is_promised(settled));
    let broken = broken.collect_vec();
    if let Some(smallest) = broken.first() {
        return Promised::Broken { on: broken.len(), smallest: failing(smallest.case) };
    }
    let exact = |(_, group): &&(Among, Vec<_>)| agree(group, Verdict::Holds, &[promise]);
    match groups(claim, settled).iter().find(exact) {
        Some((Among::All, _)) => Promised::Exactly,
        Some((Among::Terminating, _)) => Promised::ExactlyWhereItTerminates,
        None => {
            let more = settled.iter().filter(|settled| settled.holds && !is_promised(settled));
            let vacuous = more.clone().filter(|settled| settled.vacuous).count();
            Promised::Narrowly { more: more.count(), vacuous }
        }
    }
}
