//! The search for claims that need history: breadth first over the states of a system with what it
//! remembers of its past, exact and on one thread. The runs that it finds are shortest ones.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::ops::ControlFlow;
use std::time::Duration;

use hashbrown::{DefaultHashBuilder, HashTable};
use stateright::Model;

use super::Request;
use super::limits::{Progress, Watch};
use crate::application_graph::{ApplicationGraph, GlobalOf};
use crate::claims;
use crate::models::application::Application;
use crate::models::claim::{Claim, Kind};
use crate::system::{
    FirstRecordOf, History, System, SystemAction, SystemModel, SystemState, View, application_part,
};
use crate::verdict::Verdict;

/// States of the application beyond which its graph is not explored: it holds a bit for each pair.
const MOST_ALONE: usize = 30_000;

/// States between two reports of the progress.
const REPORT_EVERY: usize = 4096;

type Watched<P> = SystemModel<P, FirstRecordOf<P>>;
type WatchedState<P> = SystemState<P, FirstRecordOf<P>>;

/// A run to a state that decides a claim.
pub struct DecidingRun<A> {
    /// Its steps.
    pub actions: Vec<A>,
    /// Its last state.
    pub last: View,
}

/// What was found.
pub struct HistoryExploration<A> {
    /// A verdict for each claim that was asked for.
    pub verdicts: BTreeMap<Claim, Verdict>,
    /// For each claim that a state decides, a shortest run to one.
    pub runs: BTreeMap<Claim, DecidingRun<A>>,
    /// States judged.
    pub judged: u64,
    /// States of the application alone; none if they are too many.
    pub alone: Option<usize>,
    /// Time taken.
    pub elapsed: Duration,
}

/// Judges every state of a system by claims that need history. Nothing may keep the application from a
/// step where `never_blocks`. Inconclusive beyond the limits, and where the application has too many
/// states of its own.
pub fn explore_history<P: Application>(
    model: &Watched<P>,
    never_blocks: bool,
    request: &Request,
    progress: &dyn Fn(Progress),
) -> HistoryExploration<SystemAction<P>> {
    let watch = Watch::start(request.limits);
    let application = model.host().application();
    let mut runs = BTreeMap::new();
    let graph = ApplicationGraph::explore(model.topology(), application, MOST_ALONE);
    let alone = graph.as_ref().map(ApplicationGraph::state_count);
    let complete = match graph {
        Some(graph) => {
            let search = Search { model, graph, never_blocks, watch: &watch, progress };
            search.decide(&request.claims, &mut runs)
        }
        None => false,
    };
    let verdict = |&claim: &Claim| {
        let verdict = match (claim.kind(), runs.contains_key(&claim)) {
            (Kind::Safety, true) => Verdict::Violated,
            (Kind::Witness, true) => Verdict::Holds,
            (_, false) if !complete => Verdict::Inconclusive,
            (Kind::Safety, false) => Verdict::Holds,
            (Kind::Witness, false) => Verdict::Violated,
        };
        (claim, verdict)
    };
    HistoryExploration {
        verdicts: request.claims.iter().map(verdict).collect(),
        runs,
        judged: watch.judged(),
        alone,
        elapsed: watch.elapsed(),
    }
}

/// The states of a run as claims that need history see them. None if the application has too many states
/// of its own.
pub fn remembered_views<P: Application>(
    model: &Watched<P>,
    never_blocks: bool,
    run: &[&WatchedState<P>],
) -> Option<Vec<View>> {
    let (topology, application) = (model.topology(), model.host().application());
    let graph = ApplicationGraph::explore(topology, application, MOST_ALONE)?;
    let mut passed = Vec::new();
    let views = run.iter().map(|state| {
        passed.push(application_part(topology, &state.actors));
        let never_passed =
            model.outcomes(state).pop().is_some_and(|outcome| !passed.contains(&outcome));
        view(model, &graph, never_blocks, state, never_passed)
    });
    Some(views.collect())
}

/// A state with its history; `never_passed` if the run to it is known not to pass through what is
/// recorded.
fn view<P: Application>(
    model: &Watched<P>,
    graph: &ApplicationGraph<P>,
    never_blocks: bool,
    state: &WatchedState<P>,
    never_passed: bool,
) -> View {
    let mut history = History::of(model, graph, state, never_blocks);
    if let Some(recorded) = &mut history.recorded {
        recorded.never_passed = never_passed;
    }
    let plain = model.views(state).into_iter().next().expect("a state has a checkpoint");
    View { history: Some(history), ..plain }
}

/// What a search has seen of complete snapshots.
struct Recorded<O> {
    /// The states recorded.
    outcomes: BTreeSet<O>,
    /// The steps of a shortest run to a complete snapshot.
    shortest: Option<usize>,
    /// The steps of the first run found that does not pass through what it records.
    never_passed: Option<usize>,
}

impl<O> Default for Recorded<O> {
    fn default() -> Self {
        Self { outcomes: BTreeSet::new(), shortest: None, never_passed: None }
    }
}

impl<O> Recorded<O> {
    /// Whether no run that is shorter can record a state without passing through it.
    fn is_settled(&self) -> bool {
        self.never_passed.is_some() && self.never_passed == self.shortest
    }
}

struct Search<'s, P: Application> {
    model: &'s Watched<P>,
    graph: ApplicationGraph<P>,
    never_blocks: bool,
    watch: &'s Watch,
    progress: &'s dyn Fn(Progress),
}

/// Sees a state of a walk, and says whether to stop.
type Visit<'v, P> = dyn FnMut(&Walk<P>, usize) -> ControlFlow<()> + 'v;

type Runs<P> = BTreeMap<Claim, DecidingRun<SystemAction<P>>>;

impl<P: Application> Search<'_, P> {
    /// Looks for a run that decides each claim. False if a limit was hit before.
    fn decide(&self, claims: &[Claim], runs: &mut Runs<P>) -> bool {
        let mut open: Vec<_> = claims.to_vec();
        open.retain(|claim| *claim != Claim::RecordedNeverPassed);
        let mut recorded = claims.contains(&Claim::RecordedNeverPassed).then(Recorded::default);
        let complete = self.walk(&|_| true, &mut |walk, at| {
            let state = &walk.states[at];
            let view = self.view(state, false);
            let decides = |claim| claims::decides(claim, claims::judge(claim, &view));
            for claim in open.extract_if(.., |claim| decides(*claim)) {
                runs.insert(claim, self.run(walk, at));
            }
            if let (Some(recorded), Some(outcome)) =
                (&mut recorded, self.model.outcomes(state).pop())
            {
                recorded.shortest.get_or_insert(walk.depths[at]);
                if recorded.never_passed.is_none() && !self.passes(walk, at, &outcome) {
                    recorded.never_passed = Some(walk.depths[at]);
                    runs.insert(Claim::RecordedNeverPassed, self.run(walk, at));
                }
                recorded.outcomes.insert(outcome);
            }
            match open.is_empty() && recorded.as_ref().is_none_or(Recorded::is_settled) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        let left = recorded.filter(|recorded| !recorded.is_settled());
        complete && left.is_none_or(|recorded| self.find_never_passed(&recorded, runs))
    }

    /// Whether the run by which a state was found passes through what is recorded.
    fn passes(&self, walk: &Walk<P>, at: usize, outcome: &GlobalOf<P>) -> bool {
        let topology = self.model.topology();
        let is_recorded =
            |at: usize| application_part(topology, &walk.states[at].actors) == *outcome;
        std::iter::successors(Some(at), |&at| walk.before(at)).any(is_recorded)
    }

    /// The run by which a state was found.
    fn run(&self, walk: &Walk<P>, at: usize) -> DecidingRun<SystemAction<P>> {
        let state = &walk.states[at];
        let outcome = self.model.outcomes(state).pop();
        let never_passed = outcome.is_some_and(|outcome| !self.passes(walk, at, &outcome));
        DecidingRun { actions: walk.run(at), last: self.view(state, never_passed) }
    }

    /// Looks for a shorter run that records a state without passing through it, or for any: for each
    /// state that is recorded among the runs that avoid it.
    fn find_never_passed(&self, recorded: &Recorded<GlobalOf<P>>, runs: &mut Runs<P>) -> bool {
        let topology = self.model.topology();
        let mut best = recorded.never_passed.unwrap_or(usize::MAX);
        recorded.outcomes.iter().all(|outcome| {
            let avoids =
                |state: &WatchedState<P>| application_part(topology, &state.actors) != *outcome;
            self.walk(&avoids, &mut |walk, at| {
                if walk.depths[at] >= best {
                    return ControlFlow::Break(());
                }
                if !self.model.outcomes(&walk.states[at]).contains(outcome) {
                    return ControlFlow::Continue(());
                }
                best = walk.depths[at];
                runs.insert(Claim::RecordedNeverPassed, self.run(walk, at));
                ControlFlow::Break(())
            })
        })
    }

    fn view(&self, state: &WatchedState<P>, never_passed: bool) -> View {
        view(self.model, &self.graph, self.never_blocks, state, never_passed)
    }

    /// Visits breadth first the states that a run comes to which enters only some, until it is told to
    /// stop. False if a limit was hit before.
    fn walk(&self, enters: &dyn Fn(&WatchedState<P>) -> bool, visit: &mut Visit<'_, P>) -> bool {
        let mut walk = Walk::default();
        for state in self.model.init_states() {
            if enters(&state) {
                walk.add(state, None);
            }
        }
        let (mut at, mut actions) = (0, Vec::new());
        while at < walk.states.len() {
            if !self.watch.admit() {
                return false;
            }
            if visit(&walk, at).is_break() {
                return true;
            }
            if at.is_multiple_of(REPORT_EVERY) {
                self.report(walk.depths[at]);
            }
            let state = walk.states[at].clone();
            self.model.actions(&state, &mut actions);
            for action in actions.drain(..) {
                let next = self.model.next_state(&state, action.clone());
                if let Some(next) = next.filter(|next| enters(next)) {
                    walk.add(next, Some((at, action)));
                }
            }
            at += 1;
        }
        true
    }

    fn report(&self, depth: usize) {
        let (judged, elapsed) = (self.watch.judged(), self.watch.elapsed());
        (self.progress)(Progress { judged, unique: judged, depth, elapsed });
    }
}

/// The states that a search has come to, in order, and how.
struct Walk<P: Application> {
    states: Vec<WatchedState<P>>,
    /// Per state, the one before and the step from it.
    came: Vec<Option<(usize, SystemAction<P>)>>,
    /// Per state, how many steps lead to it.
    depths: Vec<usize>,
    numbers: HashTable<usize>,
    hasher: DefaultHashBuilder,
}

impl<P: Application> Default for Walk<P> {
    fn default() -> Self {
        Self {
            states: Vec::new(),
            came: Vec::new(),
            depths: Vec::new(),
            numbers: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }
}

impl<P: Application> Walk<P> {
    fn add(&mut self, state: WatchedState<P>, came: Option<(usize, SystemAction<P>)>) {
        let hash = self.hasher.hash_one(&state);
        if self.numbers.find(hash, |&known| self.states[known] == state).is_some() {
            return;
        }
        let (states, hasher) = (&self.states, &self.hasher);
        self.numbers.insert_unique(hash, states.len(), |&known| hasher.hash_one(&states[known]));
        self.depths.push(came.as_ref().map_or(0, |(before, _)| self.depths[*before] + 1));
        self.states.push(state);
        self.came.push(came);
    }

    /// The state before one, on the run by which it was found.
    fn before(&self, at: usize) -> Option<usize> {
        self.came[at].as_ref().map(|(before, _)| *before)
    }

    /// The steps that led to a state.
    fn run(&self, mut at: usize) -> Vec<SystemAction<P>> {
        let mut actions = Vec::new();
        while let Some((before, action)) = &self.came[at] {
            actions.push(action.clone());
            at = *before;
        }
        actions.reverse();
        actions
    }
}
