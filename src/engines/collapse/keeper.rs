//! Keeping the states that are new: what each worker of a search does with what it has found.

use super::cause::Cause;
use super::found::Found;
use super::frontier::Frontier;
use super::key::Key;
use super::visited::Visited;

/// States of one region that are looked up together: enough to fetch ahead, and few enough for what is
/// found to keep its order by and large. Not a power of two, lest those of several regions compete for
/// the same places in the cache.
const TOGETHER: usize = 300;

/// States of one region that are to be looked up.
#[derive(Clone, Default)]
struct Waiting<const WORDS: usize> {
    keys: Vec<Key<WORDS>>,
    causes: Vec<Cause>,
}

/// Keeps the states that a worker finds: those that are new in this level, for the next one.
pub(super) struct Keeper<const WORDS: usize> {
    pub(super) next: Frontier<WORDS>,
    /// By region, and there as the visited set has it.
    waiting: Vec<Waiting<WORDS>>,
    pub(super) unique: u64,
}

impl<const WORDS: usize> Keeper<WORDS> {
    pub(super) fn new(visited: &Visited<WORDS>) -> Self {
        let waiting = vec![Waiting::default(); visited.spread().regions()];
        Self { next: Frontier::default(), waiting, unique: 0 }
    }

    /// Keeps what was found, in a while: states wait until there are many of the same region.
    #[inline]
    pub(super) fn keep(&mut self, visited: &Visited<WORDS>, found: &Found<WORDS>) {
        let spread = visited.spread();
        for (cause, run) in found.runs() {
            for &key in &found.keys()[run] {
                let (region, key) = spread.spread(key);
                let waiting = &mut self.waiting[region];
                waiting.keys.push(key);
                waiting.causes.push(cause);
                if waiting.keys.len() == TOGETHER {
                    self.look_up(visited, region);
                }
            }
        }
    }

    /// Looks up all that waits.
    pub(super) fn finish(&mut self, visited: &Visited<WORDS>) {
        (0..self.waiting.len()).for_each(|region| self.look_up(visited, region));
    }

    #[inline(never)]
    fn look_up(&mut self, visited: &Visited<WORDS>, region: usize) {
        let Self { next, waiting, unique } = self;
        let Waiting { keys, causes } = &mut waiting[region];
        let spread = visited.spread();
        visited.insert(region, keys, causes, |keys, causes| {
            for (&key, &cause) in keys.iter().zip(causes) {
                next.add(cause, spread.gather(region, key));
            }
            next.end_block_if_full();
            *unique += keys.len() as u64;
        });
        keys.clear();
        causes.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        let waiting = self.waiting.iter().map(|waiting| {
            waiting.keys.capacity() * size_of::<Key<WORDS>>() + waiting.causes.capacity()
        });
        self.next.bytes() + waiting.sum::<usize>()
    }
}
