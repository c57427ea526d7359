//! The job of `check`: explores an instance and holds the verdicts against what is expected.

use std::time::Duration;

use crate::claims;
use crate::diagnostic::Diagnostic;
use crate::engines::{EngineKind, Limits, Progress, Request, is_interrupted};
use crate::explored::{Explored, Remembered, Shown};
use crate::instance::Instance;
use crate::models::claim::{Claim, Kind};
use crate::models::proof::Proof;
use crate::models::setup::Sinks;
use crate::registry::Registry;
use crate::simulation::{self, Runs, Simulation};
use crate::system::{Reduction, WrittenSnapshot};
use crate::verdict::{Expected, Verdict};

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// What explores.
    pub engine: EngineKind,
    /// Worker threads; at least one.
    pub threads: usize,
    /// When to stop.
    pub limits: Limits,
    /// The claims to judge; all if none are named.
    pub claims: Vec<Claim>,
    /// Which traces to look for, beyond those whose length the instance expects.
    pub traces: Traces,
    /// How to search fewer states. With fewer interleavings only the lasting claims are judged, and not
    /// every instance can be searched: see [`irreducible`].
    pub reduction: Reduction,
    /// Random runs to take instead of exploring, if any; then neither engine nor reduction counts.
    pub simulation: Option<Simulation>,
    /// Whether to keep every outcome that a search finds, written out.
    pub outcomes: bool,
}

/// Which traces to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traces {
    /// None.
    None,
    /// A shortest counterexample to every violated claim.
    Counterexamples,
    /// Also a shortest example for every witness.
    All,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: EngineKind::ALL[0],
            threads: 1,
            limits: Limits::default(),
            claims: Vec::new(),
            traces: Traces::Counterexamples,
            reduction: Reduction::default(),
            simulation: None,
            outcomes: false,
        }
    }
}

/// What came out for one claim.
#[derive(Clone, Debug)]
pub struct ClaimReport {
    /// The claim.
    pub claim: Claim,
    /// What the search says.
    pub verdict: Verdict,
    /// Whether the algorithm promises it on this setup.
    pub promised: bool,
    /// The proof that it holds of every such system, if there is one.
    pub proof: Option<&'static Proof>,
    /// What should have come out: the instance's word, else that a promise is kept.
    pub expected: Option<Expected>,
    /// A shortest counterexample, or example for a witness, if it was looked for and found. In a
    /// simulation it is a shortened one.
    pub shown: Option<Shown>,
    /// The number of the random run that decides the claim, if one does.
    pub run: Option<u64>,
    /// Whether it holds though its witness does not exist.
    pub vacuous: bool,
}

impl ClaimReport {
    /// Whether the verdict, or the length of its trace, contradicts the expectation. What is
    /// inconclusive contradicts nothing.
    #[must_use]
    pub fn deviates(&self) -> bool {
        let Some(expected) = self.expected else {
            return false;
        };
        if self.verdict == Verdict::Inconclusive {
            return false;
        }
        let found = self.shown.as_ref().map(|shown| shown.trace.steps.len());
        // A run that was only shortened may be longer than a shortest one.
        let other_length = expected.steps.zip(found).is_some_and(|(expected, found)| {
            if self.run.is_some() { found < expected } else { found != expected }
        });
        self.verdict != expected.verdict || other_length
    }
}

/// How the whole came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Everything is as expected.
    AsExpected,
    /// Nothing contradicts the expectations, but a bound left something open.
    Inconclusive,
    /// Something contradicts them.
    Deviates,
}

/// What came out for one instance.
#[derive(Clone, Debug)]
pub struct Report {
    /// The instance.
    pub instance: Instance,
    /// What explored it.
    pub engine: EngineKind,
    /// How fewer states were searched than are reachable; with fewer interleavings, some claims were
    /// not asked.
    pub reduction: Reduction,
    /// The random runs that were taken instead of exploring, if any.
    pub runs: Option<Runs>,
    /// Counts.
    pub explored: Explored,
    /// The claims, in the order of [`Claim::ALL`].
    pub claims: Vec<ClaimReport>,
    /// Whether the check was interrupted before its end.
    pub interrupted: bool,
    /// The search for claims that need history, if there are any.
    pub history: Option<Remembered>,
    /// Every outcome that was found, in order, if they were asked for; never of random runs. All there are
    /// only if the exploration is complete.
    pub outcomes: Option<Vec<WrittenSnapshot>>,
    /// Counts that are not as expected, in words.
    pub wrong_counts: Vec<String>,
    /// Time taken, traces included.
    pub elapsed: Duration,
}

impl Report {
    /// The name of what explored it.
    #[must_use]
    pub fn engine_name(&self) -> &'static str {
        if self.runs.is_some() { simulation::NAME } else { self.engine.name() }
    }

    /// How the whole came out.
    #[must_use]
    pub fn status(&self) -> Status {
        let open = self.claims.iter().any(|claim| claim.verdict == Verdict::Inconclusive);
        let counts = counts(&self.instance, &self.explored, self.reduction);
        let expects_counts = counts.iter().any(|(_, expected, _)| expected.is_some());
        let counts_open = !self.explored.complete && expects_counts;
        if !self.wrong_counts.is_empty() || self.claims.iter().any(ClaimReport::deviates) {
            Status::Deviates
        } else if open || counts_open || self.interrupted {
            Status::Inconclusive
        } else {
            Status::AsExpected
        }
    }
}

/// Why an instance cannot be searched reduced, if it cannot: a run that never ends has no terminal
/// state that would tell of it.
#[must_use]
pub fn irreducible(registry: &Registry, instance: &Instance) -> Option<Diagnostic> {
    let name = instance.algorithm.name;
    let (why, remedy) = if !instance.setup.network.is_fifo() {
        // More may then be received from a channel that is not empty, and the network moves by itself.
        ("its channels are not FIFO".to_owned(), "search it without --reduce".to_owned())
    } else if !instance.setup.is_plain() || instance.setup.sinks == Sinks::Transactional {
        (
            "it takes several checkpoints, something may fail, or sinks wait for notices"
                .to_owned(),
            "search it without --reduce".to_owned(),
        )
    } else if !instance.setup.is_simple() {
        (
            "its channels have queues, or processes may finish".to_owned(),
            "search it without --reduce".to_owned(),
        )
    } else if !instance.application.always_ends() {
        ("its application may run for ever".to_owned(), "search it without --reduce".to_owned())
    } else if !registry.runner(instance).one_round() {
        (
            format!("{name} does not say that it takes one round"),
            "search it without --reduce, or say `const ONE_ROUND: bool = true;` where that is so"
                .to_owned(),
        )
    } else {
        return None;
    };
    Some(Diagnostic::general(format!("{} cannot be reduced: {why}", instance.name), remedy))
}

/// Explores an instance and judges it.
///
/// # Panics
/// If it is to be reduced and is [`irreducible`].
#[must_use]
pub fn check(
    registry: &Registry,
    instance: &Instance,
    options: &Options,
    progress: &dyn Fn(Progress),
) -> Report {
    let asked = |claim: &Claim| {
        let unnamed = !claim.on_request() || instance.expect.claims.contains_key(claim);
        let named = options.claims.is_empty() && unnamed || options.claims.contains(claim);
        let possible = options.simulation.is_none() || !claim.needs_history();
        named && possible && (!options.reduction.interleavings || claims::is_lasting(*claim))
    };
    let applicable = |claim: Claim| claims::is_applicable_to(claim, instance);
    let asked: Vec<_> = Claim::ALL.into_iter().filter(asked).collect();
    let mut judged: Vec<_> = asked.iter().copied().filter(|&claim| applicable(claim)).collect();
    // A claim is vacuous or not by its witness, which is judged though nobody asked.
    let witnesses = judged.iter().filter_map(|claim| claim.witness());
    let witnesses: Vec<_> = witnesses.filter(|&witness| applicable(witness)).collect();
    judged.extend(witnesses);
    judged.sort_unstable();
    judged.dedup();
    let (remembered, judged): (Vec<_>, _) = judged.into_iter().partition(|c| c.needs_history());

    let runner = registry.runner(instance);
    let request = Request { claims: judged, limits: options.limits, threads: options.threads };
    assert!(
        !options.reduction.interleavings || irreducible(registry, instance).is_none(),
        "{} is irreducible",
        instance.name
    );
    let (reduction, engine) = (options.reduction, options.engine);
    let mut outcomes = None;
    let (explored, runs, decided) = match options.simulation {
        Some(simulation) => {
            let simulated = runner.simulate(instance, simulation, &request, progress);
            (simulated.explored, Some(simulated.runs), simulated.decided)
        }
        None if options.outcomes => {
            let (explored, all) = runner.written(instance, reduction, engine, &request, progress);
            outcomes = Some(all);
            (explored, None, Vec::new())
        }
        None => {
            let explored = runner.explore(instance, reduction, engine, &request, progress);
            (explored, None, Vec::new())
        }
    };
    let history = (!remembered.is_empty()).then(|| {
        // Both searches together keep to the time allowed.
        let timeout = options.limits.timeout.map(|time| time.saturating_sub(explored.elapsed));
        let limits = Limits { timeout, ..options.limits };
        let request = Request { claims: remembered, limits, threads: 1 };
        runner.remember(instance, &request, progress)
    });
    let mut elapsed = explored.elapsed + history.as_ref().map_or(Duration::ZERO, |h| h.elapsed);

    let verdict_of = |claim: Claim| {
        let verdicts = history.iter().flat_map(|history| &history.verdicts);
        let mut verdicts = explored.verdicts.iter().chain(verdicts);
        let found = verdicts.find(|(judged, _)| *judged == claim);
        found.map_or(Verdict::NotApplicable, |(_, verdict)| *verdict)
    };
    let mut claim_reports = Vec::new();
    for claim in asked {
        let verdict = verdict_of(claim);
        let promised = applicable(claim) && instance.promises(claim);
        let kept = Expected { verdict: Verdict::Holds, steps: None };
        let expected = instance.expect.claims.get(&claim).copied().or(promised.then_some(kept));
        let is_decided = match claim.kind() {
            Kind::Safety => verdict == Verdict::Violated,
            Kind::Witness => verdict == Verdict::Holds,
        };
        let run = decided.iter().find(|(decided, _)| *decided == claim).map(|(_, run)| *run);
        let asked_for = match options.traces {
            Traces::None => false,
            Traces::Counterexamples => claim.kind() == Kind::Safety,
            Traces::All => true,
        };
        let wants_trace = asked_for || expected.is_some_and(|expected| expected.steps.is_some());
        let known = history.as_ref().and_then(|history| history.shown.get(&claim));
        let shown = if !(is_decided && wants_trace) {
            None
        } else if claim.needs_history() {
            known.cloned()
        } else {
            let started = std::time::Instant::now();
            let shown = match (options.simulation, run) {
                (Some(simulation), Some(run)) => {
                    runner.shortened(instance, simulation, claim, run, options.limits)
                }
                _ => runner.shortest(instance, claim, options.limits),
            };
            elapsed += started.elapsed();
            shown
        };
        let vacuous = verdict == Verdict::Holds
            && claim.witness().is_some_and(|witness| verdict_of(witness) == Verdict::Violated);
        let proof = registry.proof(claim, instance);
        claim_reports.push(ClaimReport {
            claim,
            verdict,
            promised,
            proof,
            expected,
            shown,
            run,
            vacuous,
        });
    }
    Report {
        instance: instance.clone(),
        engine: options.engine,
        reduction: options.reduction,
        runs,
        interrupted: is_interrupted(),
        wrong_counts: wrong_counts(instance, &explored, options.reduction),
        explored,
        claims: claim_reports,
        history,
        outcomes,
        elapsed,
    }
}

type Count = (&'static str, Option<u64>, u64);

/// What is counted, expected and found. A reduced search has states of its own, but every outcome.
fn counts(instance: &Instance, explored: &Explored, reduction: Reduction) -> [Count; 4] {
    let expect = &instance.expect;
    let of_all = |expected: Option<u64>| expected.filter(|_| !reduction.is_any());
    [
        ("unique states", of_all(expect.unique), explored.unique),
        ("generated states", of_all(expect.generated), explored.generated),
        ("outcomes", expect.outcomes, explored.outcomes),
        ("consistent outcomes", expect.consistent_outcomes, explored.consistent_outcomes),
    ]
}

fn wrong_counts(instance: &Instance, explored: &Explored, reduction: Reduction) -> Vec<String> {
    if !explored.complete {
        return Vec::new();
    }
    let wrong = |(what, expected, found): Count| {
        let expected = expected.filter(|&expected| expected != found)?;
        Some(format!("{found} {what}, {expected} expected"))
    };
    counts(instance, explored, reduction).into_iter().filter_map(wrong).collect()
}
