//! The registry: every algorithm that can be named, each ready to be run on any instance.

use std::io;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use stateright::Path;

use crate::engines::{EngineKind, Limits, Progress, Request, first_shortest, shortest_to};
use crate::explorer;
use crate::instance::{ApplicationSpec, Instance};
use crate::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, FlinkAtLeastOnce, General, GeneralLiteral,
    GeneralLiteralForgetful, LaiYang, StopTheWorld, Universal,
};
use crate::models::claim::Claim;
use crate::models::process::{AlgorithmInfo, SnapshotAlgorithm};
use crate::refinement::{Refinement, refine};
use crate::replay::{Replay, Stuck, replay};
use crate::survey::{Survey, survey};
use crate::system::{
    Reduced, Reduction, Specified, StateWords, System, SystemOf, Trace, TraceStep,
};
use crate::verdict::Verdict;

/// What an exploration found, whatever the algorithm.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Distinct states; if cut off, those that were judged.
    pub unique: u64,
    /// Generated states: transitions, and the initial state.
    pub generated: u64,
    /// Depth; the initial state is at depth 1.
    pub depth: usize,
    /// Whether every reachable state was judged.
    pub complete: bool,
    /// A verdict for each claim that was asked for.
    pub verdicts: Vec<(Claim, Verdict)>,
    /// How many distinct outcomes there are.
    pub outcomes: u64,
    /// How many of them have a consistent cut.
    pub consistent_outcomes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// The most bytes that the engine held at a time by its own account; none if it keeps none.
    pub peak_bytes: Option<u64>,
    /// How many states one that was searched may stand for, in a search up to symmetry; else 1.
    pub symmetries: usize,
}

impl Explored {
    /// Distinct states a second.
    #[must_use]
    pub fn states_per_second(&self) -> f64 {
        self.unique as f64 / self.elapsed.as_secs_f64()
    }
}

/// A shortest run to a state that decides a claim.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The run in words and data.
    pub trace: Trace,
    /// Its states, the initial one first.
    pub states: Vec<StateWords>,
    /// The run as the Explorer's deep links write it.
    pub explorer_path: String,
}

/// An algorithm that can be run on any instance.
pub trait Runner: Send + Sync {
    /// Name, source and promises.
    fn info(&self) -> AlgorithmInfo;

    /// Whether the algorithm says that it takes one round.
    fn one_round(&self) -> bool;

    /// Whether it waits to be told of completion, which takes a coordinator.
    fn awaits_completion(&self) -> bool;

    /// Explores an instance of this algorithm; of a reduced one its outcomes, its terminal states up to
    /// renaming, and what leads to them.
    fn explore(
        &self,
        instance: &Instance,
        reduction: Reduction,
        engine: EngineKind,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Explored;

    /// A shortest counterexample to a claim, or example for a witness; none within the limits.
    fn shortest(&self, instance: &Instance, claim: Claim, limits: Limits) -> Option<Shown>;

    /// Surveys an instance of this algorithm: every snapshot, and what taking one costs. None if the
    /// limits do not allow it to see every state.
    fn survey(&self, instance: &Instance, limits: Limits) -> Option<Survey>;

    /// A shortest run that records the snapshot with this key; none within the limits.
    fn shortest_to_snapshot(&self, instance: &Instance, key: &str, limits: Limits)
    -> Option<Shown>;

    /// Whether every step on an instance is a few steps of `universal`.
    fn refine(&self, instance: &Instance, limits: Limits) -> Refinement;

    /// Replays a run of an instance, of each step only which action it is.
    ///
    /// # Errors
    /// If a step is not enabled.
    fn replay(&self, instance: &Instance, steps: &[TraceStep]) -> Result<Replay, Stuck>;

    /// Serves the Explorer on an instance until the process is ended.
    ///
    /// # Errors
    /// If `address` cannot be served.
    fn serve(&self, instance: &Instance, claims: Vec<Claim>, address: &str) -> io::Result<()>;
}

/// Something to do with the system of an instance, whatever its algorithm and application.
trait Job {
    type Output;

    fn run<S: Specified>(self, system: Arc<S>) -> Self::Output;
}

/// Builds the system of algorithm `A` for an instance, reduced as asked, and does the job with it. A
/// system that is not reduced goes the same way, so that the checker is compiled once for both.
fn with_system<A: SnapshotAlgorithm, J: Job>(
    instance: &Instance,
    reduction: Reduction,
    job: J,
) -> J::Output {
    let setup = Arc::clone(&instance.setup);
    match &instance.application {
        ApplicationSpec::Script(script) => {
            let system = SystemOf::<A, _>::of::<A>(setup, script.clone());
            job.run(Arc::new(Reduced::new(system, reduction)))
        }
        ApplicationSpec::Bank(bank) => {
            let system = SystemOf::<A, _>::of::<A>(setup, bank.clone());
            job.run(Arc::new(Reduced::new(system, reduction)))
        }
    }
}

/// Does a job with the whole system of algorithm `A` for an instance.
fn with_whole<A: SnapshotAlgorithm, J: Job>(instance: &Instance, job: J) -> J::Output {
    with_system::<A, _>(instance, Reduction::default(), job)
}

struct Entry<A>(PhantomData<fn() -> A>);

impl<A: SnapshotAlgorithm> Runner for Entry<A> {
    fn info(&self) -> AlgorithmInfo {
        A::INFO
    }

    fn one_round(&self) -> bool {
        A::ONE_ROUND
    }

    fn awaits_completion(&self) -> bool {
        A::AWAITS_COMPLETION
    }

    fn explore(
        &self,
        instance: &Instance,
        reduction: Reduction,
        engine: EngineKind,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Explored {
        with_system::<A, _>(instance, reduction, Explore { engine, request, progress })
    }

    fn shortest(&self, instance: &Instance, claim: Claim, limits: Limits) -> Option<Shown> {
        with_whole::<A, _>(instance, Shortest { claim, limits })
    }

    fn survey(&self, instance: &Instance, limits: Limits) -> Option<Survey> {
        with_whole::<A, _>(instance, MakeSurvey { limits })
    }

    fn shortest_to_snapshot(
        &self,
        instance: &Instance,
        key: &str,
        limits: Limits,
    ) -> Option<Shown> {
        with_whole::<A, _>(instance, ShortestToSnapshot { key, limits })
    }

    fn refine(&self, instance: &Instance, limits: Limits) -> Refinement {
        with_whole::<A, _>(instance, Refine { limits })
    }

    fn replay(&self, instance: &Instance, steps: &[TraceStep]) -> Result<Replay, Stuck> {
        with_whole::<A, _>(instance, Replaying { steps })
    }

    fn serve(&self, instance: &Instance, claims: Vec<Claim>, address: &str) -> io::Result<()> {
        with_whole::<A, _>(instance, Serve { claims, address })
    }
}

struct Refine {
    limits: Limits,
}

impl Job for Refine {
    type Output = Refinement;

    fn run<S: Specified>(self, system: Arc<S>) -> Refinement {
        refine(&system, self.limits)
    }
}

struct Explore<'j> {
    engine: EngineKind,
    request: &'j Request,
    progress: &'j dyn Fn(Progress),
}

impl Job for Explore<'_> {
    type Output = Explored;

    fn run<S: Specified>(self, system: Arc<S>) -> Explored {
        let found = self.engine.explore(&system, self.request, self.progress);
        let outcomes = system.all_outcomes(found.outcomes);
        let consistent = outcomes.iter().filter(|outcome| system.is_consistent(outcome)).count();
        Explored {
            unique: found.unique,
            generated: found.generated,
            depth: found.depth,
            complete: found.complete,
            outcomes: outcomes.len() as u64,
            consistent_outcomes: consistent as u64,
            verdicts: found.verdicts.into_iter().collect(),
            elapsed: found.elapsed,
            peak_bytes: found.peak_bytes,
            symmetries: system.stands_for(),
        }
    }
}

fn shown<S: System>(system: &S, path: Path<S::State, S::Action>) -> Shown {
    let explorer_path = path.encode(system);
    let run = path.into_vec();
    let states = run.iter().map(|(state, _)| system.describe(state)).collect();
    Shown { trace: system.trace(&run), states, explorer_path }
}

struct Shortest {
    claim: Claim,
    limits: Limits,
}

impl Job for Shortest {
    type Output = Option<Shown>;

    fn run<S: Specified>(self, system: Arc<S>) -> Option<Shown> {
        let path = first_shortest(&system, self.claim, self.limits)?;
        Some(shown(&*system, path))
    }
}

struct MakeSurvey {
    limits: Limits,
}

impl Job for MakeSurvey {
    type Output = Option<Survey>;

    fn run<S: Specified>(self, system: Arc<S>) -> Option<Survey> {
        survey(&system, self.limits)
    }
}

struct ShortestToSnapshot<'j> {
    key: &'j str,
    limits: Limits,
}

impl Job for ShortestToSnapshot<'_> {
    type Output = Option<Shown>;

    fn run<S: Specified>(self, system: Arc<S>) -> Option<Shown> {
        let key = self.key.to_owned();
        let records = move |system: &S, state: &S::State| {
            let outcomes = system.outcomes(state);
            outcomes.iter().any(|outcome| system.snapshot(outcome).key == key)
        };
        let path = shortest_to(&system, records, self.limits)?;
        Some(shown(&*system, path))
    }
}

struct Replaying<'j> {
    steps: &'j [TraceStep],
}

impl Job for Replaying<'_> {
    type Output = Result<Replay, Stuck>;

    fn run<S: Specified>(self, system: Arc<S>) -> Result<Replay, Stuck> {
        replay(&*system, self.steps)
    }
}

struct Serve<'j> {
    claims: Vec<Claim>,
    address: &'j str,
}

impl Job for Serve<'_> {
    type Output = io::Result<()>;

    fn run<S: Specified>(self, system: Arc<S>) -> io::Result<()> {
        explorer::serve(system, self.claims, self.address)
    }
}

/// The algorithms there are, and what is checked when nothing is named.
pub struct Registry {
    runners: Vec<Box<dyn Runner>>,
    /// The algorithm whose standard instances are checked when nothing is named; the bundled
    /// instances if none.
    variant: Option<AlgorithmInfo>,
}

impl Registry {
    /// The algorithms that come with snapcheck.
    #[must_use]
    pub fn bundled() -> Self {
        Self { runners: Vec::new(), variant: None }
            .with::<General>()
            .with::<GeneralLiteral>()
            .with::<GeneralLiteralForgetful>()
            .with::<Universal>()
            .with::<ChandyLamport>()
            .with::<FlinkAligned>()
            .with::<FlinkAtLeastOnce>()
            .with::<Clock>()
            .with::<LaiYang>()
            .with::<StopTheWorld>()
    }

    /// The bundled algorithms and a user's own, whose standard instances are checked when nothing is
    /// named.
    #[must_use]
    pub fn with_variant<A: SnapshotAlgorithm>() -> Self {
        Self { variant: Some(A::INFO), ..Self::bundled().with::<A>() }
    }

    fn with<A: SnapshotAlgorithm>(mut self) -> Self {
        self.runners.push(Box::new(Entry::<A>(PhantomData)));
        self
    }

    /// What is known of each algorithm, in the order of the registry.
    #[must_use]
    pub fn infos(&self) -> Vec<AlgorithmInfo> {
        self.runners.iter().map(|runner| runner.info()).collect()
    }

    /// The user's own algorithm, if the registry was made for one.
    #[must_use]
    pub fn variant(&self) -> Option<AlgorithmInfo> {
        self.variant
    }

    /// Whether an algorithm waits to be told of completion, which takes a coordinator.
    #[must_use]
    pub fn awaits_completion(&self, algorithm: &AlgorithmInfo) -> bool {
        self.named(algorithm.name).is_some_and(Runner::awaits_completion)
    }

    /// What runs the algorithm of an instance.
    ///
    /// # Panics
    /// If the instance was built for an algorithm that is not in this registry.
    #[must_use]
    pub fn runner(&self, instance: &Instance) -> &dyn Runner {
        let runner = self.named(instance.algorithm.name);
        runner.expect("instances are built from this registry's algorithms")
    }

    /// The user's own algorithm comes last and hides a bundled one of the same name.
    fn named(&self, name: &str) -> Option<&dyn Runner> {
        let found = self.runners.iter().rev().find(|runner| runner.info().name == name);
        found.map(Box::as_ref)
    }
}
