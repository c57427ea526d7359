//! Several threads at one level. Each takes blocks of states, expands them, and looks up what it finds in
//! the regions of the visited set, one of which it holds at a time. What is new it keeps for itself.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::found::Found;
use super::frontier::{BLOCK, Frontier};
use super::keeper::Keeper;
use super::visited::Visited;
use super::worker::{Expander, Reading, expand_block};
use crate::engines::limits::Watch;

/// States put aside by one worker after which all stop, so that what they need can be found out.
const MANY_PUT_ASIDE: usize = 2048;

/// Whether so many states are worth the start of threads.
pub(super) fn is_worthwhile(states: usize) -> bool {
    states >= 4 * BLOCK
}

/// From which end of the frontier a worker takes blocks. What workers found stands there one behind the
/// other: so two expand what each has found itself, of which its cache and its filter know more.
#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

/// What the workers share.
struct Shared<'a, const WORDS: usize> {
    frontier: Mutex<&'a mut Frontier<WORDS>>,
    visited: &'a Visited<WORDS>,
    stop: AtomicBool,
    reading: &'a Reading<'a, WORDS>,
    watch: &'a Watch,
}

/// Expands the states of `frontier` until none is left, many were put aside, or a limit is hit.
pub(super) fn expand<'a, const WORDS: usize>(
    workers: impl Iterator<Item = (&'a mut Expander<WORDS>, &'a mut Keeper<WORDS>)>,
    visited: &Visited<WORDS>,
    frontier: &mut Frontier<WORDS>,
    reading: &Reading<'_, WORDS>,
    watch: &Watch,
    report: &mut dyn FnMut(),
) {
    let mut workers: Vec<_> = workers.collect();
    let shared = Shared {
        frontier: Mutex::new(frontier),
        visited,
        stop: AtomicBool::new(false),
        reading,
        watch,
    };
    let mut workers = workers.drain(..);
    let (own_expander, own_keeper) = workers.next().expect("there is a worker");
    std::thread::scope(|scope| {
        for ((expander, keeper), end) in workers.zip([End::Last, End::First].into_iter().cycle()) {
            let shared = &shared;
            scope.spawn(move || shared.work(expander, keeper, end, &mut || ()));
        }
        shared.work(own_expander, own_keeper, End::First, report);
    });
}

impl<const WORDS: usize> Shared<'_, WORDS> {
    fn work(
        &self,
        expander: &mut Expander<WORDS>,
        keeper: &mut Keeper<WORDS>,
        end: End,
        report: &mut dyn FnMut(),
    ) {
        expander.finish_put_aside(self.reading, |found| keeper.keep(self.visited, found));
        while let Some(block) = self.block(end) {
            let keep = |found: &Found<WORDS>| keeper.keep(self.visited, found);
            expand_block(expander, self.reading, &block, keep);
            keeper.next.recycle(block);
            if expander.put_aside.len() >= MANY_PUT_ASIDE {
                self.stop.store(true, Ordering::Relaxed);
            }
            report();
        }
        keeper.finish(self.visited);
    }

    /// The next states to expand, if there are any and it is time for them.
    fn block(&self, end: End) -> Option<Found<WORDS>> {
        if self.stop.load(Ordering::Relaxed) || self.watch.is_cut_off() {
            return None;
        }
        let mut frontier = self.frontier.lock().expect("nobody panics while holding it");
        let block = match end {
            End::First => frontier.pop_block(),
            End::Last => frontier.pop_last_block(),
        };
        let mut block = block?;
        block.truncate(self.watch.admit_up_to(block.len()));
        Some(block)
    }
}
