//! The collapse engine: a global state is a tuple of few distinct parts, each kept once, and is
//! itself only the tuple of their numbers, packed in a word or a few.
//!
//! - [`parts`] keeps the parts and runs the model's own rules, once for each local state with each
//!   thing that can happen to it; [`sequences`] has what is under way to them.
//! - [`steps`] and [`rows`] have what came of it in tables, from which successors are looked up.
//! - [`judge`] judges claims once for each projection that they read; [`contents`] those about all that
//!   there is of a channel; [`pairs`] has which ends have been judged together.
//! - [`oracle`] is how the search asks them.
//! - [`cause`] says which steps may be skipped in a state, since others lead to the same, and why.
//! - [`worker`] expands states by batches, [`expand`] is the inner loop, and [`keeper`] keeps what is new;
//!   [`parallel`] has several at work.
//! - [`key`], [`found`], [`frontier`], [`visited`], [`buckets`], [`bucket`], [`lanes`] and [`mix`] hold
//!   states.
//! - [`search`] goes through the state space level by level; [`trace`] finds a way back.
//!
//! Exact: no state is taken for another. Where every step adds one to the number of steps that lead to
//! the local states, no state is found at two depths, and only two levels are kept. Should a step
//! break this rule, the search starts over and keeps all; what was found out about parts and claims
//! remains, so that this costs no more than the states seen until then.

mod bucket;
mod buckets;
mod cause;
mod contents;
mod expand;
mod found;
mod frontier;
mod interner;
mod judge;
mod keeper;
mod key;
mod lanes;
mod mix;
mod oracle;
mod pairs;
mod parallel;
mod parts;
mod prefetch;
mod rows;
mod search;
mod sequences;
mod steps;
mod trace;
mod visited;
mod worker;

pub use trace::shortest;

use std::sync::Arc;
use std::time::Duration;

use self::key::{Layout, MAX_WORDS};
use self::oracle::Expert;
use self::search::{Advance, Counts, Knowledge, Search};
use super::{Engine, Exploration, PROGRESS_INTERVAL, Progress, Request};
use crate::system::System;

/// Our own search over collapsed states: exact, and keeping only two levels where that is possible.
pub struct Collapse;

impl Engine for Collapse {
    const NAME: &'static str = "collapse";

    fn explore<S: System>(
        system: &Arc<S>,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Exploration<S::Outcome> {
        explore(system, request, true, progress)
    }
}

/// As [`Collapse`], but keeps every state, also where two levels would do.
pub struct CollapseFull;

impl Engine for CollapseFull {
    const NAME: &'static str = "collapse-full";

    fn explore<S: System>(
        system: &Arc<S>,
        request: &Request,
        progress: &dyn Fn(Progress),
    ) -> Exploration<S::Outcome> {
        explore(system, request, false, progress)
    }
}

/// Explores a system; with `may_forget` only two levels are kept where that is possible.
fn explore<S: System>(
    system: &Arc<S>,
    request: &Request,
    may_forget: bool,
    progress: &dyn Fn(Progress),
) -> Exploration<S::Outcome> {
    let mut expert = Expert::new(system, request);
    let mut knowledge = Knowledge {
        known: expert.begin(),
        oracle: &mut expert,
        threads: request.threads,
        seeks: false,
        sought: None,
    };
    let Finished { counts, .. } = explored(&mut knowledge, may_forget, &mut paced(progress));
    let Counts { unique, generated, depth, peak_bytes } = counts;
    Exploration { peak_bytes: Some(peak_bytes as u64), ..expert.close(unique, generated, depth) }
}

/// What a finished search gives.
struct Finished {
    counts: Counts,
    /// The views of the states on a way to the state sought; none if there is none.
    way: Vec<Vec<u32>>,
}

/// Searches from the initial states; once more if it turns out that all states must be kept.
fn explored(
    knowledge: &mut Knowledge<'_>,
    may_forget: bool,
    progress: &mut dyn FnMut(Progress),
) -> Finished {
    let starts = knowledge.oracle.starts();
    let graded = may_forget && knowledge.oracle.graded();
    begin(knowledge, &starts, graded, progress).unwrap_or_else(|Ungraded| {
        knowledge.oracle.watch().recount();
        let finished = begin(knowledge, &starts, false, progress);
        finished.expect("a search that keeps all needs no grading")
    })
}

fn begin(
    knowledge: &mut Knowledge<'_>,
    starts: &[Vec<u32>],
    graded: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Finished, Ungraded> {
    let layout = Layout::new(knowledge.oracle.views().len());
    let layout = knowledge.outgrows(&layout).unwrap_or(layout);
    let threads = knowledge.threads;
    go_on(knowledge, Beginning { starts, graded, threads }, layout, progress)
}

/// What becomes a search in keys of whatever length it needs.
trait IntoSearch {
    fn into_search<const WORDS: usize>(self, layout: Layout) -> Search<WORDS>;
}

/// A search that is to begin.
struct Beginning<'a> {
    starts: &'a [Vec<u32>],
    graded: bool,
    threads: usize,
}

impl IntoSearch for Beginning<'_> {
    fn into_search<const WORDS: usize>(self, layout: Layout) -> Search<WORDS> {
        Search::new(layout, self.starts, self.graded, self.threads)
    }
}

impl<const FROM: usize> IntoSearch for Search<FROM> {
    fn into_search<const WORDS: usize>(self, layout: Layout) -> Search<WORDS> {
        self.translated(layout)
    }
}

/// A step was found that breaks the grading.
#[derive(Debug)]
struct Ungraded;

/// Runs a search to its end, in keys as long as it needs.
fn run<const WORDS: usize>(
    knowledge: &mut Knowledge<'_>,
    mut search: Search<WORDS>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Finished, Ungraded> {
    match search.advance(knowledge, progress) {
        Advance::Ended => Ok(Finished { counts: search.counts(), way: search.way(knowledge) }),
        Advance::Ungraded => Err(Ungraded),
        Advance::Outgrown(layout) => go_on(knowledge, search, layout, progress),
    }
}

/// Goes on with a search in a new layout, in keys no longer than it needs.
fn go_on(
    knowledge: &mut Knowledge<'_>,
    begun: impl IntoSearch,
    layout: Layout,
    progress: &mut dyn FnMut(Progress),
) -> Result<Finished, Ungraded> {
    match layout.words() {
        1 => run(knowledge, begun.into_search::<1>(layout), progress),
        2 => run(knowledge, begun.into_search::<2>(layout), progress),
        3..=4 => run(knowledge, begun.into_search::<4>(layout), progress),
        _ => run(knowledge, begun.into_search::<MAX_WORDS>(layout), progress),
    }
}

/// Passes progress on now and then.
fn paced(progress: &dyn Fn(Progress)) -> impl FnMut(Progress) + '_ {
    let mut next = Duration::ZERO;
    move |found: Progress| {
        if found.elapsed >= next {
            next = found.elapsed + PROGRESS_INTERVAL;
            progress(found);
        }
    }
}
