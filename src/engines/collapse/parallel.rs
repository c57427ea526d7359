//! Several threads at one level. Each takes blocks of states and expands them; each keeps the states
//! that fall to it, in a visited set of its own, and sends the others to their keepers. So nothing that
//! is written is shared but the parcels.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::frontier::{BLOCK, Frontier};
use super::key::Key;
use super::worker::{Expander, Keeper, Reading, expand_block, owner};
use crate::engines::limits::Watch;

/// States put aside by one worker after which all stop, so that what they need can be found out.
const MANY_PUT_ASIDE: usize = 1024;

/// States in a parcel.
const PARCEL: usize = 1024;

type Parcels<const WORDS: usize> = Mutex<Vec<Vec<Key<WORDS>>>>;

/// Whether so many states are worth the start of threads.
pub(super) fn is_worthwhile(states: usize) -> bool {
    states >= 4 * BLOCK
}

/// What the workers share.
struct Shared<'a, const WORDS: usize> {
    frontier: Mutex<&'a mut Frontier<WORDS>>,
    /// Per worker, what others have found for it.
    parcels: Vec<Parcels<WORDS>>,
    /// Workers that may still find something.
    expanding: AtomicUsize,
    stop: AtomicBool,
    reading: &'a Reading<'a, WORDS>,
    watch: &'a Watch,
}

/// Expands the states of `frontier` until none is left, many were put aside, or a limit is hit.
pub(super) fn expand<'a, const WORDS: usize>(
    workers: impl Iterator<Item = (&'a mut Expander<WORDS>, &'a mut Keeper<WORDS>)>,
    frontier: &mut Frontier<WORDS>,
    reading: &Reading<'_, WORDS>,
    watch: &Watch,
    report: &mut dyn FnMut(),
) {
    let mut workers: Vec<_> = workers.collect();
    let shared = Shared {
        frontier: Mutex::new(frontier),
        parcels: workers.iter().map(|_| Parcels::default()).collect(),
        expanding: AtomicUsize::new(workers.len()),
        stop: AtomicBool::new(false),
        reading,
        watch,
    };
    let mut workers = workers.drain(..).enumerate();
    let (_, (own_expander, own_keeper)) = workers.next().expect("there is a worker");
    std::thread::scope(|scope| {
        for (index, (expander, keeper)) in workers {
            let shared = &shared;
            scope.spawn(move || shared.work(index, expander, keeper, &mut || ()));
        }
        shared.work(0, own_expander, own_keeper, report);
    });
}

impl<const WORDS: usize> Shared<'_, WORDS> {
    fn work(
        &self,
        index: usize,
        expander: &mut Expander<WORDS>,
        keeper: &mut Keeper<WORDS>,
        report: &mut dyn FnMut(),
    ) {
        let count = self.parcels.len();
        let mut outgoing: Vec<Vec<Key<WORDS>>> = vec![Vec::new(); count];
        while let Some(block) = self.block() {
            expand_block(expander, self.reading, &block, |keys| {
                keys.iter().for_each(|&key| outgoing[owner(key, count)].push(key));
                keeper.keep_soon(&outgoing[index]);
                outgoing[index].clear();
                self.post(&mut outgoing, PARCEL);
            });
            keeper.finish();
            keeper.next.recycle(block);
            self.collect(index, keeper);
            if expander.put_aside.len() >= MANY_PUT_ASIDE {
                self.stop.store(true, Ordering::Relaxed);
            }
            report();
        }
        self.post(&mut outgoing, 1);
        self.expanding.fetch_sub(1, Ordering::AcqRel);
        while self.expanding.load(Ordering::Acquire) > 0 {
            self.collect(index, keeper);
            std::thread::yield_now();
        }
        self.collect(index, keeper);
    }

    /// The next states to expand, if there are any and it is time for them.
    fn block(&self) -> Option<Vec<Key<WORDS>>> {
        if self.stop.load(Ordering::Relaxed) || self.watch.is_cut_off() {
            return None;
        }
        let mut frontier = self.frontier.lock().expect("nobody panics while holding it");
        let mut block = frontier.pop_block()?;
        block.truncate(self.watch.admit_up_to(block.len()));
        Some(block)
    }

    /// Sends what has been found for other workers, where it is at least so much.
    fn post(&self, outgoing: &mut [Vec<Key<WORDS>>], least: usize) {
        for (keys, parcels) in outgoing.iter_mut().zip(&self.parcels) {
            if keys.len() >= least {
                let parcel = std::mem::replace(keys, Vec::with_capacity(PARCEL + PARCEL / 2));
                let mut parcels = parcels.lock().expect("nobody panics while holding it");
                parcels.push(parcel);
            }
        }
    }

    /// Keeps what others have found for this worker.
    fn collect(&self, index: usize, keeper: &mut Keeper<WORDS>) {
        let mut parcels = self.parcels[index].lock().expect("nobody panics while holding it");
        let parcels = std::mem::take(&mut *parcels);
        for parcel in parcels {
            keeper.keep_soon(&parcel);
        }
        keeper.finish();
    }
}
