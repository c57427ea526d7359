//! The registry: every algorithm that can be named, each ready to be run on any instance.

use crate::instance::Instance;
use crate::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, FlinkAlignedCyclic, FlinkAtLeastOnce, General,
    GeneralLiteral, GeneralLiteralForgetful, LaiYang, StopTheWorld, Universal,
};
use crate::models::process::{AlgorithmInfo, SnapshotAlgorithm};
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
        self.runners.push(Runner::of::<A>());
        self
    }

    /// What is known of each algorithm, in the order of the registry.
    #[must_use]
    pub fn infos(&self) -> Vec<AlgorithmInfo> {
        self.runners.iter().map(Runner::info).collect()
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
    pub fn runner(&self, instance: &Instance) -> &Runner {
        let runner = self.named(instance.algorithm.name);
        runner.expect("instances are built from this registry's algorithms")
    }

    /// The user's own algorithm comes last and hides a bundled one of the same name.
    fn named(&self, name: &str) -> Option<&Runner> {
        self.runners.iter().rev().find(|runner| runner.info().name == name)
    }
}
