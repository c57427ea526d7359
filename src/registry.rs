//! The registry: every algorithm that can be named, each ready to be run on any instance.

use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::engines::{EngineKind, Limits, Progress, Request};
use crate::explored::{Explored, Remembered, Shown};
use crate::history::{HistoryJob, Recall, Remember};
use crate::instance::{ApplicationSpec, Instance};
use crate::jobs::{
    Explore, Job, MakeSurvey, Refine, Replaying, Serve, Shortened, Shortest, ShortestToSnapshot,
    Simulate,
};
use crate::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, FlinkAtLeastOnce, General, GeneralLiteral,
    GeneralLiteralForgetful, LaiYang, StopTheWorld, Universal,
};
use crate::models::application::Application;
use crate::models::claim::Claim;
use crate::models::process::{AlgorithmInfo, SnapshotAlgorithm};
use crate::refinement::Refinement;
use crate::replay::{Replay, Stuck};
use crate::simulation::{Simulated, Simulation};
use crate::survey::Survey;
use crate::system::{FirstRecordOf, Reduced, Reduction, SystemOf, TraceStep};

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

    /// Takes random runs of an instance of this algorithm.
    fn simulate(
        &self,
        instance: &Instance,
        simulation: Simulation,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Simulated;

    /// One of these runs to where it decides a claim, shortened.
    fn shortened(
        &self,
        instance: &Instance,
        simulation: Simulation,
        claim: Claim,
        number: u64,
        limits: Limits,
    ) -> Option<Shown>;

    /// Judges an instance by claims that need history, in a search of its own.
    fn remember(
        &self,
        instance: &Instance,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Remembered;

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

    /// Replays a run for a claim that needs history. None if the application has too many states of its
    /// own; the inner error is that of [`Self::replay`].
    fn recall(&self, instance: &Instance, steps: &[TraceStep]) -> Option<Result<Replay, Stuck>>;

    /// Serves the Explorer on an instance until the process is ended.
    ///
    /// # Errors
    /// If `address` cannot be served.
    fn serve(&self, instance: &Instance, claims: Vec<Claim>, address: &str) -> io::Result<()>;
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
        ApplicationSpec::Stream(stream) => {
            let system = SystemOf::<A, _>::of::<A>(setup, stream.clone());
            job.run(Arc::new(Reduced::new(system, reduction)))
        }
        ApplicationSpec::Requests(requests) => {
            let system = SystemOf::<A, _>::of::<A>(setup, requests.clone());
            job.run(Arc::new(Reduced::new(system, reduction)))
        }
    }
}

/// Does a job with the whole system of algorithm `A` for an instance.
fn with_whole<A: SnapshotAlgorithm, J: Job>(instance: &Instance, job: J) -> J::Output {
    with_system::<A, _>(instance, Reduction::default(), job)
}

/// Does a job with the system of algorithm `A` for an instance, and with the same that remembers.
fn with_history<A: SnapshotAlgorithm, J: HistoryJob>(instance: &Instance, job: J) -> J::Output {
    match &instance.application {
        ApplicationSpec::Script(script) => watched::<A, _, _>(instance, script, job),
        ApplicationSpec::Bank(bank) => watched::<A, _, _>(instance, bank, job),
        ApplicationSpec::Stream(stream) => watched::<A, _, _>(instance, stream, job),
        ApplicationSpec::Requests(requests) => watched::<A, _, _>(instance, requests, job),
    }
}

fn watched<A: SnapshotAlgorithm, P: Application, J: HistoryJob>(
    instance: &Instance,
    application: &Arc<P>,
    job: J,
) -> J::Output {
    let setup = || Arc::clone(&instance.setup);
    let system = SystemOf::<A, P>::of::<A>(setup(), Arc::clone(application));
    let watched = SystemOf::<A, P, FirstRecordOf<P>>::of::<A>(setup(), Arc::clone(application));
    job.run(&system, &watched)
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

    fn simulate(
        &self,
        instance: &Instance,
        simulation: Simulation,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Simulated {
        with_whole::<A, _>(instance, Simulate { simulation, request, progress })
    }

    fn shortened(
        &self,
        instance: &Instance,
        simulation: Simulation,
        claim: Claim,
        number: u64,
        limits: Limits,
    ) -> Option<Shown> {
        with_whole::<A, _>(instance, Shortened { simulation, claim, number, limits })
    }

    fn remember(
        &self,
        instance: &Instance,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Remembered {
        let never_blocks = instance.promises(Claim::NeverBlocks);
        with_history::<A, _>(instance, Remember { never_blocks, request, progress })
    }

    fn recall(&self, instance: &Instance, steps: &[TraceStep]) -> Option<Result<Replay, Stuck>> {
        let never_blocks = instance.promises(Claim::NeverBlocks);
        with_history::<A, _>(instance, Recall { never_blocks, steps })
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
