//! Stateright's breadth-first and depth-first searches as engines, and the shortest run to a state
//! that decides a claim.
//!
//! Stateright stops when every property has a discovery, keeps no order among them with several, and
//! takes a cut-off for an end. So an exhaustive search here has one property, which is never
//! discovered and whose evaluation judges the state; and a search for a trace has one property and
//! one thread.

use std::sync::Arc;
use std::time::Duration;

use stateright::{Checker, CheckerBuilder, Model, Path, Property};

use super::limits::{Limits, Progress, Watch};
use super::tally::Tally;
use super::{Engine, Exploration, PROGRESS_INTERVAL, Request};
use crate::claims;
use crate::models::claim::Claim;
use crate::system::System;

/// Stateright's breadth-first search.
pub struct Bfs;

/// Stateright's depth-first search.
pub struct Dfs;

impl Engine for Bfs {
    const NAME: &'static str = "bfs";

    fn explore<S: System>(
        system: &Arc<S>,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Exploration<S::Outcome> {
        run(system, request, progress, CheckerBuilder::spawn_bfs)
    }
}

impl Engine for Dfs {
    const NAME: &'static str = "dfs";

    fn explore<S: System>(
        system: &Arc<S>,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Exploration<S::Outcome> {
        run(system, request, progress, CheckerBuilder::spawn_dfs)
    }
}

/// A visitor of states that can call the search off.
trait Visitor<S: System>: Send + Sync + 'static {
    /// Sees a state for the first and only time; false if it is what was sought.
    fn visit(&self, system: &S, state: &S::State) -> bool;

    /// Whether to look no further.
    fn is_cut_off(&self) -> bool;
}

impl<S: System> Visitor<S> for Tally<S> {
    fn visit(&self, system: &S, state: &S::State) -> bool {
        self.judge(system, state);
        true
    }

    fn is_cut_off(&self) -> bool {
        self.watch.is_cut_off()
    }
}

/// A system whose states are shown to a visitor.
struct Visited<S> {
    system: Arc<S>,
    visitor: Arc<dyn Visitor<S>>,
}

impl<S: System> Model for Visited<S> {
    type State = S::State;
    type Action = S::Action;

    fn init_states(&self) -> Vec<Self::State> {
        self.system.init_states()
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        if !self.visitor.is_cut_off() {
            self.system.actions(state, actions);
        }
    }

    fn next_state(&self, state: &Self::State, action: Self::Action) -> Option<Self::State> {
        self.system.next_state(state, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("visited", |model, state| model.visitor.visit(&model.system, state))]
    }
}

fn run<S: System, C: Checker<Visited<S>>>(
    system: &Arc<S>,
    request: &Request,
    progress: &dyn Fn(Progress),
    spawn: impl FnOnce(CheckerBuilder<Visited<S>>) -> C,
) -> Exploration<S::Outcome> {
    let tally = Arc::new(Tally::new(request));
    let visitor: Arc<dyn Visitor<S>> = Arc::<Tally<S>>::clone(&tally);
    let model = Visited { system: Arc::clone(system), visitor };
    let mut checker = spawn(model.checker().threads(request.threads));
    for handle in checker.handles() {
        // Short waits at first: most searches are over in a few milliseconds.
        let mut wait = Duration::from_micros(100);
        while !handle.is_finished() {
            std::thread::sleep(wait);
            wait = PROGRESS_INTERVAL.min(wait * 2);
            progress(Progress {
                judged: tally.watch.judged(),
                unique: checker.unique_state_count() as u64,
                depth: checker.max_depth(),
                elapsed: tally.watch.elapsed(),
            });
        }
        handle.join().expect("a search thread panics only where the model does");
    }
    let (unique, generated) = (checker.unique_state_count(), checker.state_count());
    tally.close(unique as u64, generated as u64, checker.max_depth())
}

type Sought<S> = Box<dyn Fn(&S, &<S as Model>::State) -> bool + Send + Sync>;

/// Looks for a state.
struct Search<S: System> {
    sought: Sought<S>,
    watch: Watch,
}

impl<S: System> Visitor<S> for Search<S> {
    fn visit(&self, system: &S, state: &S::State) -> bool {
        !self.watch.admit() || !(self.sought)(system, state)
    }

    fn is_cut_off(&self) -> bool {
        self.watch.is_cut_off()
    }
}

/// A run of least length to a state that is sought. None if there is none within the limits.
pub fn shortest_to<S: System>(
    system: &Arc<S>,
    sought: impl Fn(&S, &S::State) -> bool + Send + Sync + 'static,
    limits: Limits,
) -> Option<Path<S::State, S::Action>> {
    let search = Search { sought: Box::new(sought), watch: Watch::start(limits) };
    let model = Visited { system: Arc::clone(system), visitor: Arc::new(search) };
    model.checker().spawn_bfs().join().discoveries().into_values().next()
}

/// A run of least length to a state that decides `claim`: a counterexample, or for a witness an
/// example. None if there is none within the limits.
#[must_use]
pub fn shortest<S: System>(
    system: &Arc<S>,
    claim: Claim,
    limits: Limits,
) -> Option<Path<S::State, S::Action>> {
    let decides = move |system: &S, state: &S::State| {
        claims::decides(claim, claims::judge_state(claim, &system.views(state)))
    };
    shortest_to(system, decides, limits)
}
