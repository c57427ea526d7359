//! The jobs that can be done with a system, whatever its algorithm and application.

use std::io;
use std::sync::Arc;

use crate::engines::{EngineKind, Limits, Progress, Request, first_shortest, shortest_to};
use crate::explored::{Explored, Shown};
use crate::explorer;
use crate::models::claim::Claim;
use crate::refinement::{Refinement, refine};
use crate::replay::{Replay, Stuck, replay};
use crate::simulation::{self, Simulated, Simulation};
use crate::survey::{Survey, survey};
use crate::system::{Specified, TraceStep};

/// Something to do with the system of an instance, whatever its algorithm and application.
pub(crate) trait Job {
    type Output;

    fn run<S: Specified>(self, system: Arc<S>) -> Self::Output;
}

/// Holds every step against the specification.
pub(crate) struct Refine {
    pub(crate) limits: Limits,
}

impl Job for Refine {
    type Output = Refinement;

    fn run<S: Specified>(self, system: Arc<S>) -> Refinement {
        refine(&system, self.limits)
    }
}

/// Explores.
pub(crate) struct Explore<'j> {
    pub(crate) engine: EngineKind,
    pub(crate) request: &'j Request,
    pub(crate) progress: &'j dyn Fn(Progress),
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

/// Finds a shortest run that decides a claim.
pub(crate) struct Shortest {
    pub(crate) claim: Claim,
    pub(crate) limits: Limits,
}

impl Job for Shortest {
    type Output = Option<Shown>;

    fn run<S: Specified>(self, system: Arc<S>) -> Option<Shown> {
        let path = first_shortest(&system, self.claim, self.limits)?;
        Some(Shown::of(&*system, path))
    }
}

/// Takes random runs.
pub(crate) struct Simulate<'j> {
    pub(crate) simulation: Simulation,
    pub(crate) request: &'j Request,
    pub(crate) progress: &'j dyn Fn(Progress),
}

impl Job for Simulate<'_> {
    type Output = Simulated;

    fn run<S: Specified>(self, system: Arc<S>) -> Simulated {
        simulation::simulate(&*system, self.simulation, self.request, self.progress)
    }
}

/// Shortens a random run that decides a claim.
pub(crate) struct Shortened {
    pub(crate) simulation: Simulation,
    pub(crate) claim: Claim,
    pub(crate) number: u64,
    pub(crate) limits: Limits,
}

impl Job for Shortened {
    type Output = Option<Shown>;

    fn run<S: Specified>(self, system: Arc<S>) -> Option<Shown> {
        simulation::shortened(&*system, self.simulation, self.claim, self.number, self.limits)
    }
}

/// Surveys.
pub(crate) struct MakeSurvey {
    pub(crate) limits: Limits,
}

impl Job for MakeSurvey {
    type Output = Option<Survey>;

    fn run<S: Specified>(self, system: Arc<S>) -> Option<Survey> {
        survey(&system, self.limits)
    }
}

/// Finds a shortest run that records a snapshot.
pub(crate) struct ShortestToSnapshot<'j> {
    pub(crate) key: &'j str,
    pub(crate) limits: Limits,
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
        Some(Shown::of(&*system, path))
    }
}

/// Replays a run.
pub(crate) struct Replaying<'j> {
    pub(crate) steps: &'j [TraceStep],
}

impl Job for Replaying<'_> {
    type Output = Result<Replay, Stuck>;

    fn run<S: Specified>(self, system: Arc<S>) -> Result<Replay, Stuck> {
        replay(&*system, self.steps)
    }
}

/// Serves the Explorer.
pub(crate) struct Serve<'j> {
    pub(crate) claims: Vec<Claim>,
    pub(crate) address: &'j str,
}

impl Job for Serve<'_> {
    type Output = io::Result<()>;

    fn run<S: Specified>(self, system: Arc<S>) -> io::Result<()> {
        explorer::serve(system, self.claims, self.address)
    }
}
