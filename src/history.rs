//! The jobs behind claims that need history: their verdicts with the runs that show them, and a run
//! replayed with what it remembers.

use stateright::{Model, Path};

use crate::engines::{DecidingRun, Progress, Request, explore_history, remembered_views};
use crate::explored::{Remembered, Shown};
use crate::models::application::Application;
use crate::replay::{Replay, Stuck, follow};
use crate::system::{FirstRecordOf, System, SystemAction, SystemModel, TraceStep};

/// A system that remembers the application's state before the first record.
pub type Watched<P> = SystemModel<P, FirstRecordOf<P>>;

/// Judges a system by claims that need history; nothing may keep the application from a step if
/// `never_blocks`.
pub fn remember<P: Application>(
    system: &SystemModel<P>,
    watched: &Watched<P>,
    never_blocks: bool,
    request: &Request,
    progress: &dyn Fn(Progress),
) -> Remembered {
    let found = explore_history(watched, never_blocks, request, progress);
    let runs = found.runs.into_iter();
    Remembered {
        shown: runs.filter_map(|(claim, run)| Some((claim, told(system, run)?))).collect(),
        verdicts: found.verdicts.into_iter().collect(),
        judged: found.judged,
        alone: found.alone,
        elapsed: found.elapsed,
    }
}

/// A run in words, on the system without history; its last state keeps what is known of its past.
fn told<P: Application>(
    system: &SystemModel<P>,
    run: DecidingRun<SystemAction<P>>,
) -> Option<Shown> {
    let start = system.init_states().into_iter().next()?;
    let path = Path::from_actions(system, start, &run.actions)?;
    let mut shown = Shown::of(system, path);
    shown.trace.last = vec![run.last];
    Some(shown)
}

/// Replays a run with what it remembers; none if the application has too many states of its own.
///
/// # Errors
/// The inner error is that of [`replay`](crate::replay::replay): a step is not enabled.
pub fn recall<P: Application>(
    watched: &Watched<P>,
    never_blocks: bool,
    steps: &[TraceStep],
) -> Option<Result<Replay, Stuck>> {
    let run = match follow(watched, steps) {
        Ok(run) => run,
        Err(stuck) => return Some(Err(stuck)),
    };
    let states: Vec<_> = run.iter().map(|(state, _)| state).collect();
    let views = remembered_views(watched, never_blocks, &states)?;
    let mut trace = watched.trace(&run);
    trace.last = vec![views.last()?.clone()];
    let views = views.into_iter().map(|view| vec![view]).collect();
    Some(Ok(Replay { trace, views }))
}
