//! The jobs behind claims that need history: their verdicts with the runs that show them, and a run
//! replayed with what it remembers.

use stateright::{Model, Path};

use crate::engines::{DecidingRun, Progress, Request, explore_history, remembered_views};
use crate::explored::{Remembered, Shown};
use crate::models::application::Application;
use crate::models::process::Signature;
use crate::replay::{Replay, Stuck, follow};
use crate::system::{FirstRecordOf, System, SystemAction, SystemModel, TraceStep};

/// A system that remembers the application's state before the first record.
pub type Watched<G, P> = SystemModel<G, P, FirstRecordOf<P>>;

/// Something to do with a system, and with the same that remembers.
pub trait HistoryJob {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<G: Signature, P: Application>(
        self,
        system: &SystemModel<G, P>,
        watched: &Watched<G, P>,
    ) -> Self::Output;
}

/// Judges a system by claims that need history.
pub struct Remember<'j> {
    /// Whether nothing may keep the application from a step.
    pub never_blocks: bool,
    /// The claims, and how far to search.
    pub request: &'j Request,
    /// Is told how far the search is.
    pub progress: &'j dyn Fn(Progress),
}

impl HistoryJob for Remember<'_> {
    type Output = Remembered;

    fn run<G: Signature, P: Application>(
        self,
        system: &SystemModel<G, P>,
        watched: &Watched<G, P>,
    ) -> Remembered {
        let found = explore_history(watched, self.never_blocks, self.request, self.progress);
        let runs = found.runs.into_iter();
        Remembered {
            shown: runs.filter_map(|(claim, run)| Some((claim, told(system, run)?))).collect(),
            verdicts: found.verdicts.into_iter().collect(),
            judged: found.judged,
            alone: found.alone,
            elapsed: found.elapsed,
        }
    }
}

/// A run in words, on the system without history; its last state keeps what is known of its past.
fn told<G: Signature, P: Application>(
    system: &SystemModel<G, P>,
    run: DecidingRun<SystemAction<G, P>>,
) -> Option<Shown> {
    let start = system.init_states().into_iter().next()?;
    let path = Path::from_actions(system, start, &run.actions)?;
    let mut shown = Shown::of(system, path);
    shown.trace.last = vec![run.last];
    Some(shown)
}

/// Replays a run with what it remembers; none if the application has too many states of its own.
pub struct Recall<'j> {
    /// Whether nothing may keep the application from a step.
    pub never_blocks: bool,
    /// The run.
    pub steps: &'j [TraceStep],
}

impl HistoryJob for Recall<'_> {
    type Output = Option<Result<Replay, Stuck>>;

    fn run<G: Signature, P: Application>(
        self,
        _: &SystemModel<G, P>,
        watched: &Watched<G, P>,
    ) -> Option<Result<Replay, Stuck>> {
        let run = match follow(watched, self.steps) {
            Ok(run) => run,
            Err(stuck) => return Some(Err(stuck)),
        };
        let states: Vec<_> = run.iter().map(|(state, _)| state).collect();
        let views = remembered_views(watched, self.never_blocks, &states)?;
        let mut trace = watched.trace(&run);
        trace.last = vec![views.last()?.clone()];
        let views = views.into_iter().map(|view| vec![view]).collect();
        Some(Ok(Replay { trace, views }))
    }
}
