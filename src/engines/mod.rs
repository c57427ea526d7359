//! Engines: what explores a state space. All judge every distinct reachable state once.

mod collapse;
mod graph;
mod history;
mod limits;
mod stateright;
mod tally;

pub use collapse::{Collapse, CollapseFull, shortest};
pub use graph::{Graph, GraphStep, graph};
pub use history::{DecidingRun, HistoryExploration, explore_history, remembered_views};
pub(crate) use limits::Watch;
pub use limits::{Limits, Progress, interrupt, is_interrupted};
pub use stateright::{Bfs, Dfs, shortest as shortest_by_bfs, shortest_to};
pub use tally::Exploration;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ::stateright::Path;

use crate::models::claim::Claim;
use crate::system::System;

/// What to explore for, and how far.
#[derive(Clone, Debug)]
pub struct Request {
    /// The claims to judge.
    pub claims: Vec<Claim>,
    /// When to stop.
    pub limits: Limits,
    /// Worker threads; at least one.
    pub threads: usize,
}

/// Explores the whole state space of a system.
pub trait Engine {
    /// The name used on the command line and in output.
    const NAME: &'static str;

    /// Judges every distinct reachable state, once, until none is left or a limit is hit.
    fn explore<S: System>(
        system: &Arc<S>,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Exploration<S::Outcome>;
}

/// The engines, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// Our own search over collapsed states.
    Collapse,
    /// The same, keeping every state even where levels could be forgotten.
    CollapseFull,
    /// Stateright's breadth-first search.
    Bfs,
    /// Stateright's depth-first search.
    Dfs,
}

impl EngineKind {
    /// Every engine, the default first.
    pub const ALL: [Self; 4] = [Self::Collapse, Self::CollapseFull, Self::Bfs, Self::Dfs];

    /// The name used on the command line and in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Collapse => Collapse::NAME,
            Self::CollapseFull => CollapseFull::NAME,
            Self::Bfs => Bfs::NAME,
            Self::Dfs => Dfs::NAME,
        }
    }

    /// Explores with this engine.
    pub fn explore<S: System>(
        self,
        system: &Arc<S>,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Exploration<S::Outcome> {
        match self {
            Self::Collapse => Collapse::explore(system, request, progress),
            Self::CollapseFull => CollapseFull::explore(system, request, progress),
            Self::Bfs => Bfs::explore(system, request, progress),
            Self::Dfs => Dfs::explore(system, request, progress),
        }
    }
}

/// How often a running search reports its progress.
pub const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// States among which stateright's search looks for the run that is shown.
const EARLY: u64 = 50_000;

/// Of several shortest runs the first in the order of the model's steps, where stateright's search soon
/// finds it: what a person is shown should not depend on the inner order of an engine.
#[must_use]
pub fn first_shortest<S: System>(
    system: &Arc<S>,
    claim: Claim,
    limits: Limits,
) -> Option<Path<S::State, S::Action>> {
    let started = Instant::now();
    let early = limits.max_states.map_or(EARLY, |max| max.min(EARLY));
    shortest_by_bfs(system, claim, Limits { max_states: Some(early), ..limits }).or_else(|| {
        // Both searches together keep to the time allowed.
        let timeout = limits.timeout.map(|timeout| timeout.saturating_sub(started.elapsed()));
        shortest(system, claim, Limits { timeout, ..limits })
    })
}
