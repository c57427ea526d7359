//! The jobs that can be done with an algorithm on an instance.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use crate::engines::{
    EngineKind, Exploration, Limits, Progress, Request, first_shortest, shortest_to,
};
use crate::explored::{Explored, Remembered, Shown};
use crate::explorer;
use crate::history::{recall, remember};
use crate::instance::Instance;
use crate::models::any_application::AnyApplication;
use crate::models::claim::Claim;
use crate::models::process::{AlgorithmInfo, Rules, RulesOf, SnapshotAlgorithm};
use crate::refinement::{Refinement, refine};
use crate::replay::{Replay, Stuck, replay};
use crate::simulation::{self, Simulated, Simulation};
use crate::survey::{Survey, survey};
use crate::system::{
    Observer, Reduced, Reduction, Snapshot, System, SystemModel, TraceStep, WrittenSnapshot,
};

/// An algorithm that can be run on any instance.
pub struct Runner {
    info: AlgorithmInfo,
    rules: Arc<dyn Rules>,
    /// The name of the algorithm that does right what this one, a known bug, does wrong.
    bug_of: Option<&'static str>,
}

/// What is run: a system that is not reduced goes the same way as one that is, so that the checker is
/// compiled once for both.
type Checked = Reduced<AnyApplication>;

impl Runner {
    /// What runs algorithm `A`.
    #[must_use]
    pub fn of<A: SnapshotAlgorithm>() -> Self {
        Self { info: A::INFO, rules: Arc::new(RulesOf::<A>::default()), bug_of: None }
    }

    /// What runs `A`, which is `B` with a known bug.
    #[must_use]
    pub fn of_bug<A: SnapshotAlgorithm, B: SnapshotAlgorithm>() -> Self {
        Self { bug_of: Some(B::INFO.name), ..Self::of::<A>() }
    }

    /// The name of the algorithm that does it right, if this one is a known bug.
    #[must_use]
    pub fn bug_of(&self) -> Option<&'static str> {
        self.bug_of
    }

    /// Name, source and promises.
    #[must_use]
    pub fn info(&self) -> AlgorithmInfo {
        self.info
    }

    /// Whether the algorithm says that it takes one round.
    #[must_use]
    pub fn one_round(&self) -> bool {
        self.rules.conduct().one_round
    }

    /// Whether it waits to be told of completion, which takes a coordinator.
    #[must_use]
    pub fn awaits_completion(&self) -> bool {
        self.rules.conduct().awaits_completion
    }

    /// The system of an instance, watched by `O`.
    fn model<O: Observer<AnyApplication>>(
        &self,
        instance: &Instance,
    ) -> SystemModel<AnyApplication, O> {
        let setup = Arc::clone(&instance.setup);
        SystemModel::new(setup, Arc::new(instance.application.any()), Arc::clone(&self.rules))
    }

    fn system(&self, instance: &Instance, reduction: Reduction) -> Arc<Checked> {
        Arc::new(Reduced::new(self.model(instance), reduction))
    }

    fn unreduced(&self, instance: &Instance) -> Arc<Checked> {
        self.system(instance, Reduction::default())
    }

    /// Explores an instance of this algorithm; of a reduced one its outcomes, its terminal states up to
    /// renaming, and what leads to them.
    pub fn explore(
        &self,
        instance: &Instance,
        reduction: Reduction,
        engine: EngineKind,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Explored {
        self.found(instance, reduction, engine, request, progress).1
    }

    /// The system, what its exploration found, and its outcomes.
    fn found(
        &self,
        instance: &Instance,
        reduction: Reduction,
        engine: EngineKind,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> (Arc<Checked>, Explored, BTreeSet<OutcomeOf<Checked>>) {
        let system = self.system(instance, reduction);
        let (explored, outcomes) = explored(&*system, engine.explore(&system, request, progress));
        (system, explored, outcomes)
    }

    /// As [`Self::explore`], with every snapshot that was found.
    pub fn snapshots(
        &self,
        instance: &Instance,
        reduction: Reduction,
        engine: EngineKind,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> (Explored, BTreeSet<Snapshot>) {
        let (system, explored, outcomes) =
            self.found(instance, reduction, engine, request, progress);
        (explored, outcomes.iter().map(|outcome| system.snapshot(outcome)).collect())
    }

    /// As [`Self::explore`], with every snapshot that was found written out, in order.
    pub fn written(
        &self,
        instance: &Instance,
        reduction: Reduction,
        engine: EngineKind,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> (Explored, Vec<WrittenSnapshot>) {
        let (system, explored, outcomes) =
            self.found(instance, reduction, engine, request, progress);
        let mut written: Vec<_> = outcomes.iter().map(|o| system.written(o)).collect();
        written.sort_unstable();
        (explored, written)
    }

    /// A shortest counterexample to a claim, or example for a witness; none within the limits.
    #[must_use]
    pub fn shortest(&self, instance: &Instance, claim: Claim, limits: Limits) -> Option<Shown> {
        let system = self.unreduced(instance);
        let path = first_shortest(&system, claim, limits)?;
        Some(Shown::of(&*system, path))
    }

    /// Takes random runs of an instance of this algorithm.
    pub fn simulate(
        &self,
        instance: &Instance,
        simulation: Simulation,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Simulated {
        simulation::simulate(&*self.unreduced(instance), simulation, request, progress)
    }

    /// One of these runs to where it decides a claim, shortened.
    #[must_use]
    pub fn shortened(
        &self,
        instance: &Instance,
        simulation: Simulation,
        claim: Claim,
        number: u64,
        limits: Limits,
    ) -> Option<Shown> {
        simulation::shortened(&*self.unreduced(instance), simulation, claim, number, limits)
    }

    /// Judges an instance by claims that need history, in a search of its own.
    pub fn remember(
        &self,
        instance: &Instance,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Remembered {
        let never_blocks = instance.promises(Claim::NeverBlocks);
        remember(&self.model(instance), &self.model(instance), never_blocks, request, progress)
    }

    /// Surveys an instance of this algorithm: every snapshot, and what taking one costs. None if the
    /// limits do not allow it to see every state.
    #[must_use]
    pub fn survey(&self, instance: &Instance, limits: Limits) -> Option<Survey> {
        survey(&self.unreduced(instance), limits)
    }

    /// A shortest run that records the snapshot with this key; none within the limits.
    #[must_use]
    pub fn shortest_to_snapshot(
        &self,
        instance: &Instance,
        key: &str,
        limits: Limits,
    ) -> Option<Shown> {
        let system = self.unreduced(instance);
        let key = key.to_owned();
        let records = move |system: &Checked, state: &<Checked as stateright::Model>::State| {
            let outcomes = system.outcomes(state);
            outcomes.iter().any(|outcome| system.snapshot(outcome).key == key)
        };
        let path = shortest_to(&system, records, limits)?;
        Some(Shown::of(&*system, path))
    }

    /// Whether every step on an instance is a few steps of `universal`.
    #[must_use]
    pub fn refine(&self, instance: &Instance, limits: Limits) -> Refinement {
        if instance.setup.buffers.is_some() || !instance.setup.ending.is_empty() {
            return Refinement::Unspecified;
        }
        refine(&self.unreduced(instance), limits)
    }

    /// Replays a run of an instance, of each step only which action it is.
    ///
    /// # Errors
    /// If a step is not enabled.
    pub fn replay(&self, instance: &Instance, steps: &[TraceStep]) -> Result<Replay, Stuck> {
        replay(&*self.unreduced(instance), steps)
    }

    /// Replays a run for a claim that needs history. None if the application has too many states of its
    /// own; the inner error is that of [`Self::replay`].
    #[must_use]
    pub fn recall(
        &self,
        instance: &Instance,
        steps: &[TraceStep],
    ) -> Option<Result<Replay, Stuck>> {
        recall(&self.model(instance), instance.promises(Claim::NeverBlocks), steps)
    }

    /// Serves the Explorer on an instance until the process is ended.
    ///
    /// # Errors
    /// If `address` cannot be served.
    pub fn serve(&self, instance: &Instance, claims: Vec<Claim>, address: &str) -> io::Result<()> {
        explorer::serve(self.unreduced(instance), claims, address)
    }
}

type OutcomeOf<S> = <S as System>::Outcome;

/// What an engine found, and all the outcomes that it stands for.
fn explored<S: System>(
    system: &S,
    found: Exploration<OutcomeOf<S>>,
) -> (Explored, BTreeSet<OutcomeOf<S>>) {
    let outcomes = system.all_outcomes(found.outcomes);
    let consistent = outcomes.iter().filter(|outcome| system.is_consistent(outcome)).count();
    let explored = Explored {
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
    };
    (explored, outcomes)
}
