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

/// States that are taken in at once, before it is seen in which regions enough wait.
const AT_ONCE: usize = 64;

/// States of one region that are to be looked up.
#[derive(Clone)]
struct Waiting<const WORDS: usize> {
    keys: [Key<WORDS>; TOGETHER + AT_ONCE],
    causes: [Cause; TOGETHER + AT_ONCE],
    len: usize,
}

impl<const WORDS: usize> Waiting<WORDS> {
    const NONE: Self = Self {
        keys: [Key::ZERO; TOGETHER + AT_ONCE],
        causes: [Cause::OTHER; TOGETHER + AT_ONCE],
        len: 0,
    };
}

/// Keeps the states that a worker finds: those that are new in this level, for the next one.
///
/// Those of several workers stand side by side, and must not share a cache line, nor two that are
/// fetched together: each changes with every state.
#[repr(align(128))]
pub(super) struct Keeper<const WORDS: usize> {
    pub(super) next: Frontier<WORDS>,
    /// By region, and there as the visited set has it. None before anything is kept: there may be many
    /// keepers, of long keys, only to hand over to others of short ones.
    waiting: Vec<Waiting<WORDS>>,
    /// States that can be added before it is seen in which regions enough wait.
    room: usize,
    pub(super) unique: u64,
}

impl<const WORDS: usize> Keeper<WORDS> {
    pub(super) fn new() -> Self {
        Self { next: Frontier::default(), waiting: Vec::new(), room: AT_ONCE, unique: 0 }
    }

    /// Keeps what was found, in a while: states wait until there are many of the same region.
    #[inline]
    pub(super) fn keep(&mut self, visited: &Visited<WORDS>, found: &Found<WORDS>) {
        if self.waiting.is_empty() {
            self.waiting = vec![Waiting::NONE; visited.spread().regions()];
        }
        for (cause, run) in found.runs() {
            let mut keys = &found.keys()[run];
            while !keys.is_empty() {
                let (now, later) = keys.split_at(keys.len().min(self.room));
                self.add(visited, cause, now);
                keys = later;
            }
        }
    }

    #[inline]
    fn add(&mut self, visited: &Visited<WORDS>, cause: Cause, keys: &[Key<WORDS>]) {
        let spread = visited.spread();
        for &key in keys {
            let (region, key) = spread.spread(key);
            let Waiting { keys, causes, len } = &mut self.waiting[region];
            keys[*len] = key;
            causes[*len] = cause;
            *len += 1;
        }
        self.room -= keys.len();
        if self.room == 0 {
            self.room = AT_ONCE;
            for region in 0..self.waiting.len() {
                if self.waiting[region].len >= TOGETHER {
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
        let Self { next, waiting, unique, .. } = self;
        let Waiting { keys, causes, len } = &mut waiting[region];
        let len = std::mem::take(len);
        let spread = visited.spread();
        visited.insert(region, &keys[..len], &causes[..len], |keys, causes| {
            for (&key, &cause) in keys.iter().zip(causes) {
                next.add(cause, spread.gather(region, key));
            }
            next.end_block_if_full();
            *unique += keys.len() as u64;
        });
    }

    pub(super) fn bytes(&self) -> usize {
        self.next.bytes() + self.waiting.capacity() * size_of::<Waiting<WORDS>>()
    }
}
