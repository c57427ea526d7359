//! The visited set: which states have been found. Exact. It is divided into regions, so that states are
//! looked up by several threads at once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashSet;

use super::buckets::BucketSet;
use super::cause::Cause;
use super::key::{Key, Layout};
use super::mix::Mix;

/// See the [module](self).
pub(super) struct Visited<const WORDS: usize> {
    spread: Spread,
    regions: Vec<Mutex<Region<WORDS>>>,
}

/// How states are spread over the regions. Keys of one word are also mixed there, by a bijection.
#[derive(Clone, Copy)]
pub(super) struct Spread {
    mix: Mix,
    /// Bits of a key of one word that do not choose the region.
    rest: u32,
    /// Bits that choose the region.
    log: u32,
}

/// Some of the states. It shares no cache line with its neighbours, to which others add meanwhile.
#[repr(align(128))]
enum Region<const WORDS: usize> {
    /// Keys of one word, mixed and without the bits that chose the region.
    Packed(BucketSet),
    /// Longer keys, of systems with many actors or long runs.
    Wide(HashSet<Key<WORDS>>),
}

/// Regions for each thread, so that one seldom waits for another.
const REGIONS: usize = 4;

/// States of one region that are added together when all are translated.
const TRANSLATED: usize = 300;

/// Keys with fewer bits than this are all in one region.
const LEAST_BITS: u32 = 16;

/// For more threads than this there are no more regions.
const MOST_THREADS: usize = 64;

const _: () = assert!((REGIONS * MOST_THREADS).ilog2() < LEAST_BITS);

impl Spread {
    fn new(layout: &Layout, threads: usize) -> Self {
        let bits = layout.bits();
        let regions = if threads > 1 { REGIONS * threads.min(MOST_THREADS) } else { 1 };
        let log = regions.next_power_of_two().ilog2();
        let log = if layout.words() > 1 || bits >= LEAST_BITS { log } else { 0 };
        Self { mix: Mix::new(bits), rest: bits.saturating_sub(log), log }
    }

    /// The region of a state, and what stands for it there.
    #[inline]
    pub(super) fn spread<const WORDS: usize>(self, mut key: Key<WORDS>) -> (usize, Key<WORDS>) {
        if WORDS > 1 {
            let bits = key.scramble() >> (u64::BITS - LEAST_BITS);
            return ((bits >> (LEAST_BITS - self.log)) as usize, key);
        }
        let mixed = self.mix.mix(key.0[0]);
        key.0[0] = mixed & (u64::MAX >> (u64::BITS - self.rest));
        ((mixed >> (self.rest - 1) >> 1) as usize, key)
    }

    /// The inverse of [`spread`](Self::spread).
    #[inline]
    pub(super) fn gather<const WORDS: usize>(
        self,
        region: usize,
        mut key: Key<WORDS>,
    ) -> Key<WORDS> {
        if WORDS == 1 {
            key.0[0] = self.mix.unmix((region as u64) << (self.rest - 1) << 1 | key.0[0]);
        }
        key
    }

    /// How many regions there are.
    pub(super) fn regions(self) -> usize {
        1 << self.log
    }
}

impl<const WORDS: usize> Visited<WORDS> {
    /// An empty set, for so many threads.
    pub(super) fn new(layout: &Layout, threads: usize) -> Self {
        let spread = Spread::new(layout, threads);
        let region = |_| {
            Mutex::new(if WORDS == 1 {
                Region::Packed(BucketSet::new(spread.rest, 0))
            } else {
                Region::Wide(HashSet::new())
            })
        };
        Self { spread, regions: (0..spread.regions()).map(region).collect() }
    }

    pub(super) fn spread(&self) -> Spread {
        self.spread
    }

    fn region(&self, region: usize) -> MutexGuard<'_, Region<WORDS>> {
        // A set that was left by a panic is not used: the panic ends the search.
        self.regions[region].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds states of a region, given by what stands for them there, with their causes. Shows those that
    /// are new to `fresh`, in order.
    pub(super) fn insert(
        &self,
        region: usize,
        keys: &[Key<WORDS>],
        causes: &[Cause],
        mut fresh: impl FnMut(&[Key<WORDS>], &[Cause]),
    ) {
        match &mut *self.region(region) {
            Region::Packed(set) => set.insert(keys, causes, fresh),
            Region::Wide(set) => {
                for (key, cause) in keys.iter().zip(causes) {
                    if set.insert(*key) {
                        fresh(std::slice::from_ref(key), std::slice::from_ref(cause));
                    }
                }
            }
        }
    }

    /// Forgets every state, and makes room for about `expected`.
    pub(super) fn reset(&mut self, expected: usize) {
        let share = expected >> self.spread.log;
        for index in 0..self.regions.len() {
            match &mut *self.region(index) {
                Region::Packed(set) => set.reset(share),
                Region::Wide(set) => set.clear(),
            }
        }
    }

    /// Holds the states of `other` from now on, under other keys, and no more.
    pub(super) fn translate_from<const FROM: usize>(
        &mut self,
        other: &Visited<FROM>,
        translate: impl Fn(Key<FROM>) -> Key<WORDS>,
    ) {
        self.reset(other.len());
        let mut waiting = vec![Vec::new(); self.spread.regions()];
        let add = |region, keys: &mut Vec<_>| {
            self.insert(region, keys, &[Cause::OTHER; TRANSLATED][..keys.len()], |_, _| ());
            keys.clear();
        };
        other.for_each(|key| {
            let (region, key) = self.spread.spread(translate(key));
            waiting[region].push(key);
            if waiting[region].len() == TRANSLATED {
                add(region, &mut waiting[region]);
            }
        });
        waiting.iter_mut().enumerate().for_each(|(region, keys)| add(region, keys));
    }

    /// Shows every state, in no order that means anything.
    fn for_each(&self, mut show: impl FnMut(Key<WORDS>)) {
        for index in 0..self.regions.len() {
            match &*self.region(index) {
                Region::Packed(set) => set.iter().for_each(|number| {
                    let mut key = Key::ZERO;
                    key.0[0] = number;
                    show(self.spread.gather(index, key));
                }),
                Region::Wide(set) => set.iter().copied().for_each(&mut show),
            }
        }
    }

    fn len(&self) -> usize {
        let regions = (0..self.regions.len()).map(|index| match &*self.region(index) {
            Region::Packed(set) => set.len(),
            Region::Wide(set) => set.len(),
        });
        regions.sum()
    }

    pub(super) fn bytes(&self) -> usize {
        let regions = (0..self.regions.len()).map(|index| match &*self.region(index) {
            Region::Packed(set) => set.bytes(),
            Region::Wide(set) => set.capacity() * (size_of::<Key<WORDS>>() + 1),
        });
        regions.sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    /// Adds states one by one, and gives those that are new.
    fn add<const WORDS: usize>(visited: &Visited<WORDS>, keys: &[Key<WORDS>]) -> Vec<Key<WORDS>> {
        let mut fresh = Vec::new();
        for &key in keys {
            let (region, key) = visited.spread().spread(key);
            visited.insert(region, &[key], &[Cause::OTHER], |keys, _| {
                fresh.extend(keys.iter().map(|&key| visited.spread().gather(region, key)));
            });
        }
        fresh
    }

    /// Adds numbers to a set of each kind, a standard set included, and holds them equal.
    fn hold_against_standard_set<const WORDS: usize>(layout: &Layout, states: &[Vec<u32>]) {
        for threads in [1, 3] {
            hold_with_threads::<WORDS>(layout, states, threads);
        }
    }

    fn hold_with_threads<const WORDS: usize>(layout: &Layout, states: &[Vec<u32>], threads: usize) {
        let keys: Vec<Key<WORDS>> = states.iter().map(|state| layout.pack(state)).collect();
        let visited = Visited::new(layout, threads);
        let mut standard = BTreeSet::new();
        for keys in keys.chunks(100) {
            let fresh = add(&visited, keys);
            let expected: Vec<_> = keys.iter().copied().filter(|&k| standard.insert(k)).collect();
            assert_eq!(fresh, expected);
        }
        assert_eq!(visited.len(), standard.len());

        let counts = layout.slots().iter().map(|slot| 2 * slot.capacity() as usize);
        let wide = layout.widened(counts).expect("twice as many need more room");
        let mut translated = Visited::<4>::new(&wide, threads);
        translated.translate_from(&visited, |key| layout.translate(key, &wide));
        assert_eq!(translated.len(), standard.len());
        for &key in &standard {
            assert_eq!(add(&translated, &[layout.translate(key, &wide)]), []);
        }
        translated.reset(10);
        assert_eq!(add(&translated, &[Key::ZERO]), [Key::ZERO]);
        assert_eq!(translated.len(), 1);
    }

    fn states(parts: usize, bits: u32) -> impl Strategy<Value = Vec<Vec<u32>>> {
        let number = any::<u32>().prop_map(move |n| n & ((1 << bits) - 1));
        let state = prop::collection::vec(number, parts);
        prop_oneof![
            prop::collection::vec(state.clone(), 0..300),
            prop::collection::vec(state, 3000..6000),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn one_word(states in states(3, 12)) {
            hold_against_standard_set::<1>(&Layout::new(3), &states);
        }

        #[test]
        fn few_bits(states in states(24, 1)) {
            hold_against_standard_set::<1>(&Layout::new(24), &states);
        }

        #[test]
        fn hardly_any_bits(states in states(1, 3)) {
            hold_against_standard_set::<1>(&Layout::new(1), &states);
        }

        #[test]
        fn several_words(states in states(30, 6)) {
            let layout = Layout::new(30).widened([64; 30].into_iter()).unwrap();
            hold_against_standard_set::<4>(&layout, &states);
        }
    }

    /// Growth from long entries to short ones, and a stash in use.
    #[test]
    fn a_million_states() {
        let layout = Layout::new(3).widened([1 << 16; 3].into_iter()).unwrap();
        let visited = Visited::<1>::new(&layout, 2);
        let state = |n: u32| layout.pack::<1>(&[n % 100, n / 100 % 100, n / 10_000]);
        let keys: Vec<_> = (0..1_000_000).map(state).collect();
        assert_eq!(add(&visited, &keys), keys);
        assert_eq!(add(&visited, &keys), []);
        assert_eq!(visited.len(), 1_000_000);
    }
}
