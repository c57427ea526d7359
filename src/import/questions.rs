//! What is asked of a job, and how it is answered: by searching it under three algorithms, beside what
//! follows from the plan alone. A search that a bound cuts off leaves open what it did not find.

use std::collections::BTreeSet;
use std::time::Duration;

use itertools::Itertools;

use super::expand::Expansion;
use super::hold_back::held_back;
use super::plan::Plan;
use super::structure::{forbids_unaligned, with_several_inputs};
use crate::check::{self, Status, Traces, check, irreducible};
use crate::diagnostic::{Diagnostic, Place};
use crate::engines::{EngineKind, Limits, Request};
use crate::explored::Explored;
use crate::instance::{ApplicationSpec, DraftRecovery, Field, Instance};
use crate::models::claim::Claim;
use crate::registry::Registry;
use crate::simulation::Simulation;
use crate::system::{Reduction, Snapshot, View};
use crate::verdict::Verdict;

/// The algorithm that at-least-once checkpoints are.
const AT_LEAST_ONCE: &str = "flink-at-least-once";

/// The algorithm that aligned checkpoints are.
const ALIGNED: &str = "flink-aligned";

/// The algorithm that stands for unaligned checkpoints. Where records wait in queues, their barriers overtake,
/// and every consistent cut can be their checkpoint: those are the snapshots of the specification, which
/// needs no queues for them. `tests/flink.rs` holds them equal.
const UNALIGNED: &str = "universal";

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// When to stop each search.
    pub limits: Limits,
    /// Worker threads of each.
    pub threads: usize,
}

/// A search with a failover holds many more states, each judged whole: it is soon left for random runs.
const STATES_WITH_FAILOVER: u64 = 50_000;

/// Random runs that are taken to show a record applied twice, where a search is too large.
const RUNS: u64 = 10_000;

/// How much was searched.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The algorithm.
    pub algorithm: &'static str,
    /// Distinct states.
    pub states: u64,
    /// Distinct snapshots.
    pub snapshots: u64,
    /// Those that are consistent.
    pub consistent: u64,
    /// Whether all were seen.
    pub complete: bool,
    /// Whether some interleavings stood for all.
    pub reduced: bool,
    /// Time taken.
    pub elapsed: Duration,
}

/// All that is asked of a job.
#[derive(Clone, Debug)]
pub struct Answers {
    /// Is at-least-once exact, and if not, where do duplicates arise?
    pub at_least_once: AtLeastOnce,
    /// Can aligned checkpoints get stuck, and how much do they hold back?
    pub aligned: Aligned,
    /// How much channel state can unaligned checkpoints need?
    pub unaligned: Unaligned,
    /// The edges that forbid unaligned checkpoints, by their place in the plan.
    pub forbidding: Vec<usize>,
}

/// What at-least-once checkpoints do to the job.
#[derive(Clone, Debug)]
pub struct AtLeastOnce {
    /// Whether every snapshot is exact. None if that is open.
    pub exact: Option<bool>,
    /// The tasks at which duplicates can arise since they have several inputs.
    pub several_inputs: Vec<usize>,
    /// The tasks at which the search saw one arise.
    pub seen: Vec<usize>,
    /// The search, without failures.
    pub searched: Searched,
    /// The shortest way to one.
    pub example: Option<Example>,
    /// What a failover does.
    pub failed_over: FailedOver,
}

/// A snapshot in which a process has received what another has not sent.
#[derive(Clone, Debug)]
pub struct Example {
    /// The process that has sent it only later.
    pub sender: String,
    /// The process that has received it already.
    pub receiver: String,
    /// How many steps lead to that.
    pub steps: usize,
}

/// What happens after a failover.
#[derive(Clone, Debug)]
pub enum FailedOver {
    /// In every one of so many states every record ends up applied exactly once.
    Exact {
        /// Distinct states.
        states: u64,
    },
    /// In some run a record is applied more often than it should be.
    Doubled {
        /// The source that emits it.
        source: String,
        /// Its number.
        number: u16,
        /// The process where it is.
        process: String,
        /// How often it is applied there in the end.
        times: u16,
        /// How often it should be.
        expected: u16,
        /// How many steps the run has.
        steps: usize,
    },
    /// Too large to be searched, and no run was found.
    Open,
}

/// What aligned checkpoints do to the job.
#[derive(Clone, Debug)]
pub struct Aligned {
    /// Whether every checkpoint that begins completes and nothing stays stuck.
    pub completes: Verdict,
    /// The search.
    pub searched: Searched,
    /// The most messages that ever wait in blocked channels; none if there are too many cases to try.
    pub held: Option<usize>,
}

/// What unaligned checkpoints need.
#[derive(Clone, Debug)]
pub struct Unaligned {
    /// The most messages that a snapshot holds as the state of channels; of those seen, if the search is
    /// not complete.
    pub in_channels: usize,
    /// The search.
    pub searched: Searched,
}

impl Answers {
    /// How the whole came out: deviating if the search contradicts what follows from the plan.
    #[must_use]
    pub fn status(&self) -> Status {
        let AtLeastOnce { exact, seen, several_inputs, .. } = &self.at_least_once;
        let open = exact.is_none()
            || self.aligned.completes == Verdict::Inconclusive
            || self.aligned.held.is_none()
            || !self.unaligned.searched.complete;
        if seen.iter().any(|task| !several_inputs.contains(task))
            || self.aligned.completes == Verdict::Violated
        {
            Status::Deviates
        } else if open {
            Status::Inconclusive
        } else {
            Status::AsExpected
        }
    }
}

/// The instance that is searched under at-least-once.
///
/// # Errors
/// If so many records cannot be checked.
pub fn instance(
    registry: &Registry,
    plan: &Plan,
    expansion: &Expansion,
) -> Result<Instance, Diagnostic> {
    expansion.instance(plan, AT_LEAST_ONCE, DraftRecovery::default(), &registry.infos())
}

/// Asks everything. `note` hears what is being done.
///
/// # Errors
/// If so many records cannot be checked.
pub fn ask(
    registry: &Registry,
    plan: &Plan,
    expansion: &Expansion,
    options: Options,
    note: &dyn Fn(&str),
) -> Result<Answers, Diagnostic> {
    let job = Job { registry, plan, expansion, options, note };
    Ok(Answers {
        at_least_once: job.at_least_once()?,
        aligned: job.aligned()?,
        unaligned: job.unaligned()?,
        forbidding: plan.edges.iter().positions(|edge| forbids_unaligned(edge.strategy)).collect(),
    })
}

struct Job<'j> {
    registry: &'j Registry,
    plan: &'j Plan,
    expansion: &'j Expansion,
    options: Options,
    note: &'j dyn Fn(&str),
}

impl Job<'_> {
    fn instance(&self, algorithm: &str, recovery: DraftRecovery) -> Result<Instance, Diagnostic> {
        self.expansion.instance(self.plan, algorithm, recovery, &self.registry.infos())
    }

    /// Every snapshot of an algorithm, and verdicts on claims that terminal states decide.
    fn search(
        &self,
        algorithm: &'static str,
        claims: Vec<Claim>,
    ) -> Result<(Instance, Explored, BTreeSet<Snapshot>, Searched), Diagnostic> {
        (self.note)(algorithm);
        let instance = self.instance(algorithm, DraftRecovery::default())?;
        let interleavings = irreducible(self.registry, &instance).is_none();
        let reduction = Reduction { interleavings, symmetry: false };
        let Options { limits, threads } = self.options;
        let request = Request { claims, limits, threads };
        let runner = self.registry.runner(&instance);
        let (explored, snapshots) =
            runner.snapshots(&instance, reduction, EngineKind::Collapse, &request, &|_| ());
        let searched = Searched {
            algorithm,
            states: explored.unique,
            snapshots: explored.outcomes,
            consistent: explored.consistent_outcomes,
            complete: explored.complete,
            reduced: interleavings,
            elapsed: explored.elapsed,
        };
        Ok((instance, explored, snapshots, searched))
    }

    fn at_least_once(&self) -> Result<AtLeastOnce, Diagnostic> {
        let claims = vec![Claim::ConsistentCut, Claim::ExactChannelState, Claim::Terminates];
        let (instance, explored, snapshots, searched) = self.search(AT_LEAST_ONCE, claims)?;
        let topology = &instance.setup.topology;
        let channels = snapshots.iter().flat_map(|snapshot| &snapshot.inconsistent).unique();
        let targets = channels.map(|&channel| topology.channel(channel).target);
        let seen =
            targets.map(|process| self.expansion.task_of(process)).sorted().dedup().collect_vec();
        let several_inputs = with_several_inputs(self.plan);
        let holds = |(_, verdict): &(Claim, Verdict)| *verdict == Verdict::Holds;
        let exact = if !seen.is_empty() || !several_inputs.is_empty() {
            Some(false)
        } else {
            explored.verdicts.iter().all(holds).then_some(true)
        };
        let example = if seen.is_empty() { None } else { self.example(&instance) };
        let failed_over = self.failed_over(!several_inputs.is_empty())?;
        Ok(AtLeastOnce { exact, several_inputs, seen, searched, example, failed_over })
    }

    fn example(&self, instance: &Instance) -> Option<Example> {
        let runner = self.registry.runner(instance);
        let shown = runner.shortest(instance, Claim::ConsistentCut, self.options.limits)?;
        let view = shown.trace.last.first()?;
        let ahead = |cut: Option<(u16, u16)>| cut.is_some_and(|(sent, received)| received > sent);
        let channel = view.channels.iter().find(|channel| ahead(channel.cut()))?.channel;
        let topology = &instance.setup.topology;
        let ends = topology.channel(channel);
        Some(Example {
            sender: topology.name(ends.source).to_owned(),
            receiver: topology.name(ends.target).to_owned(),
            steps: shown.trace.steps.len(),
        })
    }

    /// What a failover does: by search, and where that is too large by random runs, which can show only
    /// that something is doubled.
    fn failed_over(&self, may_double: bool) -> Result<FailedOver, Diagnostic> {
        (self.note)("failover");
        let once = Field { value: 1, place: Place::option("failovers", "1") };
        let recovery = DraftRecovery { failovers: Some(once), ..DraftRecovery::default() };
        let instance = self.instance(AT_LEAST_ONCE, recovery)?;
        let least = |limit: Option<u64>| limit.unwrap_or(u64::MAX).min(STATES_WITH_FAILOVER);
        let options = |simulation: Option<Simulation>| check::Options {
            threads: self.options.threads,
            limits: match simulation {
                None => Limits {
                    max_states: Some(least(self.options.limits.max_states)),
                    ..self.options.limits
                },
                Some(_) => self.options.limits,
            },
            claims: vec![Claim::ExactlyOnceState],
            traces: Traces::Counterexamples,
            simulation,
            ..check::Options::default()
        };
        let mut report = check(self.registry, &instance, &options(None), &|_| ());
        let open = report.claims.iter().any(|claim| claim.verdict == Verdict::Inconclusive);
        if may_double && open {
            let simulation = Simulation { runs: RUNS, seed: 0, max_steps: 10_000 };
            report = check(self.registry, &instance, &options(Some(simulation)), &|_| ());
        }
        let shown = report.claims.iter().find_map(|claim| claim.shown.as_ref());
        let Some(shown) = shown else {
            let exact = report.claims.iter().all(|claim| claim.verdict == Verdict::Holds);
            let states = report.explored.unique;
            return Ok(if exact { FailedOver::Exact { states } } else { FailedOver::Open });
        };
        let effects = shown.trace.last.first().map_or(&[][..], |view: &View| &view.effects);
        let doubled = effects.iter().find(|effect| effect.on_state > effect.expected);
        let topology = &instance.setup.topology;
        Ok(doubled.map_or(FailedOver::Open, |effect| FailedOver::Doubled {
            source: topology.name(effect.record.source).to_owned(),
            number: effect.record.number,
            process: topology.name(effect.process).to_owned(),
            times: effect.on_state,
            expected: effect.expected,
            steps: shown.trace.steps.len(),
        }))
    }

    fn aligned(&self) -> Result<Aligned, Diagnostic> {
        let (instance, explored, _, searched) = self.search(ALIGNED, vec![Claim::Terminates])?;
        let verdict = explored.verdicts.first();
        let completes = verdict.map_or(Verdict::Inconclusive, |(_, verdict)| *verdict);
        let ApplicationSpec::Stream(stream) = &instance.application else {
            unreachable!("an imported job is a stream")
        };
        let held = held_back(&instance.setup.topology, stream);
        Ok(Aligned { completes, searched, held })
    }

    fn unaligned(&self) -> Result<Unaligned, Diagnostic> {
        let (_, _, snapshots, searched) = self.search(UNALIGNED, vec![Claim::Terminates])?;
        let in_channels = snapshots.iter().map(|snapshot| snapshot.in_channels).max();
        let in_channels = in_channels.unwrap_or(0);
        Ok(Unaligned { in_channels, searched })
    }
}
