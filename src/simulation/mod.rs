//! Random runs, for instances that are too large to be searched: each from the initial state to a
//! terminal one or a bound, every state of it judged by every claim.
//!
//! A run that violates a claim is as good as one that a search finds, and is shortened before it is
//! shown. That none does says little: no claim holds by simulation.
//!
//! A run is a function of seed and number, and a claim is shown by the first run that decides it. So the
//! same seed gives the same result, on however many threads.

mod shorten;
mod walk;

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};

use hashbrown::HashSet;
use stateright::{Model, Path};

use self::shorten::shorten;
use self::walk::Walk;
use crate::claims;
use crate::engines::{Limits, PROGRESS_INTERVAL, Progress, Request, Watch};
use crate::explored::{Explored, Shown};
use crate::models::claim::{Claim, Kind};
use crate::system::{System, View};
use crate::verdict::Verdict;

/// The name used in output, beside those of the engines.
pub const NAME: &str = "simulation";

/// Which random runs to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// How many.
    pub runs: u64,
    /// What they are drawn from.
    pub seed: u64,
    /// The most steps of each.
    pub max_steps: usize,
}

/// The runs that were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Which were asked for.
    pub simulation: Simulation,
    /// How many were taken before a limit was hit.
    pub taken: u64,
    /// How many of these came to a terminal state.
    pub ended: u64,
}

/// What random runs found.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// Distinct states, and all states judged as those generated; never complete.
    pub explored: Explored,
    /// The runs.
    pub runs: Runs,
    /// Per decided claim the number of the first run that decides it, from 1.
    pub decided: Vec<(Claim, u64)>,
}

/// What is added up over the runs.
struct Seen<O> {
    /// Hashes of the states. Two that share one are counted as one state, and judged all the same.
    states: HashSet<u64>,
    outcomes: BTreeSet<O>,
    taken: u64,
    ended: u64,
    longest: usize,
}

struct Simulator<'s, S: System> {
    system: &'s S,
    simulation: Simulation,
    watch: Watch,
    /// The number of the last run that was begun.
    begun: AtomicU64,
    /// Per claim, the number of the first run that decides it.
    decided: Vec<(Claim, AtomicU64)>,
    seen: Mutex<Seen<S::Outcome>>,
}

/// Takes random runs of a system until all are taken or a limit is hit.
pub(crate) fn simulate<S: System>(
    system: &S,
    simulation: Simulation,
    request: &Request,
    progress: &dyn Fn(Progress),
) -> Simulated {
    let undecided = |&claim| (claim, AtomicU64::new(u64::MAX));
    let simulator = Simulator {
        system,
        simulation,
        watch: Watch::start(request.limits),
        begun: AtomicU64::new(0),
        decided: request.claims.iter().map(undecided).collect(),
        seen: Mutex::new(Seen {
            states: HashSet::new(),
            outcomes: BTreeSet::new(),
            taken: 0,
            ended: 0,
            longest: 0,
        }),
    };
    std::thread::scope(|scope| {
        let (working, ended) = mpsc::channel::<()>();
        for _ in 0..request.threads {
            let (simulator, working) = (&simulator, working.clone());
            scope.spawn(move || {
                simulator.work();
                drop(working);
            });
        }
        drop(working);
        // Nothing is ever received: that nobody is left to send ends the wait.
        while ended.recv_timeout(PROGRESS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            progress(simulator.progress());
        }
    });
    simulator.close()
}

impl<S: System> Simulator<'_, S> {
    fn work(&self) {
        while !self.watch.is_cut_off() {
            let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
            if number > self.simulation.runs {
                return;
            }
            self.run(number);
        }
    }

    /// Takes a run. One that a limit cuts off is not counted, but what it decides is decided.
    fn run(&self, number: u64) {
        let mut walk = Walk::begin(self.system, self.simulation.seed, number);
        let (mut states, mut outcomes, mut steps) = (Vec::new(), Vec::new(), 0);
        let ended = loop {
            if !self.watch.admit() {
                return;
            }
            outcomes.extend(self.judge(number, &walk.state));
            states.push(hash(&walk.state));
            if steps == self.simulation.max_steps {
                break false;
            }
            if walk.step().is_none() {
                break true;
            }
            steps += 1;
        };
        let mut seen = self.seen.lock().expect("no run panics while it holds this");
        seen.states.extend(states);
        seen.outcomes.extend(outcomes);
        seen.taken += 1;
        seen.ended += u64::from(ended);
        seen.longest = seen.longest.max(steps);
    }

    /// Judges a state by the claims that no earlier run decides, and tells its outcomes.
    fn judge(&self, number: u64, state: &S::State) -> Vec<S::Outcome> {
        let views = self.system.views(state);
        for (claim, first) in &self.decided {
            let open = first.load(Ordering::Relaxed) > number;
            if open && claims::decides(*claim, claims::judge_state(*claim, &views)) {
                first.fetch_min(number, Ordering::Relaxed);
            }
        }
        if views.iter().any(View::is_complete) { self.system.outcomes(state) } else { Vec::new() }
    }

    fn progress(&self) -> Progress {
        let seen = self.seen.lock().expect("no run panics while it holds this");
        Progress {
            judged: self.watch.judged(),
            unique: seen.states.len() as u64,
            depth: seen.longest + 1,
            elapsed: self.watch.elapsed(),
        }
    }

    fn close(self) -> Simulated {
        let seen = self.seen.into_inner().expect("no run panics while it holds this");
        let decided: Vec<_> = self
            .decided
            .into_iter()
            .map(|(claim, first)| (claim, Some(first.into_inner()).filter(|&n| n < u64::MAX)))
            .collect();
        let verdict = |&(claim, first): &(Claim, Option<u64>)| {
            let verdict = match (first, claim.kind()) {
                (None, _) => Verdict::Inconclusive,
                (Some(_), Kind::Safety) => Verdict::Violated,
                (Some(_), Kind::Witness) => Verdict::Holds,
            };
            (claim, verdict)
        };
        let consistent = |outcome: &&S::Outcome| self.system.is_consistent(outcome);
        Simulated {
            explored: Explored {
                unique: seen.states.len() as u64,
                generated: self.watch.judged(),
                depth: seen.longest + 1,
                complete: false,
                verdicts: decided.iter().map(verdict).collect(),
                outcomes: seen.outcomes.len() as u64,
                consistent_outcomes: seen.outcomes.iter().filter(consistent).count() as u64,
                elapsed: self.watch.elapsed(),
                peak_bytes: None,
                symmetries: 1,
            },
            runs: Runs { simulation: self.simulation, taken: seen.taken, ended: seen.ended },
            decided: decided.into_iter().filter_map(|(claim, n)| Some((claim, n?))).collect(),
        }
    }
}

/// The same for the same state in every run of the program.
fn hash<T: Hash>(state: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// The states of a run, each with the step that leaves it; its last state is where that one leads.
type Steps<S> = Vec<(<S as Model>::State, <S as Model>::Action)>;

/// Whether a state decides `claim`.
fn decides<S: System>(system: &S, claim: Claim, state: &S::State) -> bool {
    claims::decides(claim, claims::judge_state(claim, &system.views(state)))
}

/// The run of this number to the first state that decides `claim`, shortened as far as the limits allow.
/// None if no state of it does.
pub(crate) fn shortened<S: System>(
    system: &S,
    simulation: Simulation,
    claim: Claim,
    number: u64,
    limits: Limits,
) -> Option<Shown> {
    let mut walk = Walk::begin(system, simulation.seed, number);
    let start = walk.state.clone();
    let mut steps = Vec::new();
    while !decides(system, claim, &walk.state) {
        let before = walk.state.clone();
        if steps.len() == simulation.max_steps {
            return None;
        }
        steps.push((before, walk.step()?));
    }
    let steps = shorten(system, claim, steps, &Watch::start(limits));
    let actions: Vec<_> = steps.into_iter().map(|(_, action)| action).collect();
    Some(Shown::of(system, Path::from_actions(system, start, &actions)?))
}
