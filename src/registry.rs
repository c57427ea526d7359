//! The registry: every algorithm that can be named, each ready to be run on any instance.

use crate::instance::Instance;
use crate::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, FlinkAlignedCyclic, FlinkAlignedTimeout, FlinkAtLeastOnce,
    FlinkUnaligned, General, GeneralLiteral, GeneralLiteralForgetful, LaiYang, StopTheWorld,
    Universal,
};
use crate::models::bugs::{Bug, Mutant, aligned, unaligned};
use crate::models::claim::Claim;
use crate::models::process::{AlgorithmInfo, SnapshotAlgorithm};
use crate::models::proof::{Proof, proof_of};
use crate::runner::Runner;

/// The algorithms there are, and what is checked when nothing is named.
pub struct Registry {
    runners: Vec<Runner>,
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
            .with::<FlinkAlignedCyclic>()
            .with::<FlinkAtLeastOnce>()
            .with::<FlinkUnaligned>()
            .with::<FlinkAlignedTimeout>()
            .with::<Clock>()
            .with::<LaiYang>()
            .with::<StopTheWorld>()
            .with_known_bugs()
    }

    /// The bundled algorithms and a user's own, whose standard instances are checked when nothing is
    /// named.
    #[must_use]
    pub fn with_variant<A: SnapshotAlgorithm>() -> Self {
        Self { variant: Some(A::INFO), ..Self::bundled().with::<A>() }
    }

    fn with<A: SnapshotAlgorithm>(mut self) -> Self {
        self.runners.push(Runner::of::<A>());
        self
    }

    fn with_mutant<M: Mutant>(mut self) -> Self {
        self.runners.push(Runner::of_bug::<Bug<M>, M::Of>());
        self
    }

    fn with_bug<A: SnapshotAlgorithm, B: SnapshotAlgorithm>(mut self) -> Self {
        self.runners.push(Runner::of_bug::<A, B>());
        self
    }

    /// The known bugs of checkpointing in Flink and its like.
    fn with_known_bugs(self) -> Self {
        self.with_mutant::<aligned::DoesNotBlock>()
            .with_bug::<aligned::HandsOverFirst, FlinkAligned>()
            .with_mutant::<aligned::EndedInputWaits>()
            .with_mutant::<aligned::AbortKeepsBlocked>()
            .with_mutant::<aligned::LateBarrierBlocks>()
            .with_mutant::<aligned::ForgetsEarlyAbort>()
            .with_mutant::<aligned::PresumedAcknowledged>()
            .with_mutant::<unaligned::OutputQueueDropped>()
            .with_mutant::<unaligned::InputQueueDropped>()
            .with_mutant::<unaligned::StoredTwice>()
            .with_bug::<unaligned::NumberedWhenEmitted, FlinkUnaligned>()
            .with_bug::<unaligned::BarrierAfterRecord, FlinkUnaligned>()
            .with_mutant::<unaligned::LateBarrierCounts>()
            .with_mutant::<unaligned::RestoredToAll>()
    }

    /// What is known of each algorithm that can be named, known bugs included, in the order of the
    /// registry.
    #[must_use]
    pub fn infos(&self) -> Vec<AlgorithmInfo> {
        self.runners.iter().map(Runner::info).collect()
    }

    /// The same without known bugs: what is meant by "all algorithms".
    #[must_use]
    pub fn algorithms(&self) -> Vec<AlgorithmInfo> {
        let right = self.runners.iter().filter(|runner| runner.bug_of().is_none());
        right.map(Runner::info).collect()
    }

    /// The known bugs, each with the name of the algorithm that does it right.
    #[must_use]
    pub fn bugs(&self) -> Vec<(AlgorithmInfo, &'static str)> {
        let bugs = self.runners.iter().filter_map(|runner| Some((runner.info(), runner.bug_of()?)));
        bugs.collect()
    }

    /// The user's own algorithm, if the registry was made for one.
    #[must_use]
    pub fn variant(&self) -> Option<AlgorithmInfo> {
        self.variant
    }

    /// The proof that a claim holds of an instance and of every such system, if there is one: of a bundled
    /// algorithm, and not of a user's own, whatever its name.
    #[must_use]
    pub fn proof(&self, claim: Claim, instance: &Instance) -> Option<&'static Proof> {
        let name = instance.algorithm.name;
        let is_own = self.variant.is_some_and(|variant| variant.name == name);
        proof_of(claim, name, &instance.setup).filter(|_| !is_own)
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
    pub fn runner(&self, instance: &Instance) -> &Runner {
        let runner = self.named(instance.algorithm.name);
        runner.expect("instances are built from this registry's algorithms")
    }

    /// The user's own algorithm comes last and hides a bundled one of the same name.
    fn named(&self, name: &str) -> Option<&Runner> {
        self.runners.iter().rev().find(|runner| runner.info().name == name)
    }
}
