//! The visited set: which states have been found. Exact; it can be carried over to another layout of
//! the keys.

use hashbrown::HashSet;

use super::buckets::BucketSet;
use super::key::{Key, Layout};

/// See the [module](self).
pub(super) enum Visited<const WORDS: usize> {
    /// Keys of one word.
    Packed(BucketSet),
    /// Longer keys, of systems with many actors or long runs.
    Wide(HashSet<Key<WORDS>>),
}

impl<const WORDS: usize> Visited<WORDS> {
    pub(super) fn new(layout: &Layout, expected: usize) -> Self {
        if WORDS == 1 {
            Self::Packed(BucketSet::new(layout.bits(), expected))
        } else {
            Self::Wide(HashSet::with_capacity(expected))
        }
    }

    /// Prepares for states that will be added soon; `prepared` is what to give then.
    #[inline]
    pub(super) fn prepare(&self, keys: &[Key<WORDS>], prepared: &mut Vec<u64>) {
        prepared.clear();
        if let Self::Packed(set) = self {
            set.prepare(keys, prepared);
        }
    }

    /// Adds states, and shows those that are new to `fresh`, in order.
    pub(super) fn insert(&mut self, keys: &[Key<WORDS>], fresh: impl FnMut(&[Key<WORDS>])) {
        match self {
            Self::Packed(set) => set.insert(keys, fresh),
            Self::Wide(_) => self.insert_prepared(keys, &[], fresh),
        }
    }

    /// As [`insert`](Self::insert), for states that were prepared.
    #[inline]
    pub(super) fn insert_prepared(
        &mut self,
        keys: &[Key<WORDS>],
        prepared: &[u64],
        mut fresh: impl FnMut(&[Key<WORDS>]),
    ) {
        match self {
            Self::Packed(set) => set.insert_mixed(keys, prepared, fresh),
            Self::Wide(set) => {
                let new = keys.iter().filter(|&&key| set.insert(key));
                new.for_each(|key| fresh(std::slice::from_ref(key)));
            }
        }
    }

    /// Forgets every state, and makes room for about `expected`.
    pub(super) fn reset(&mut self, expected: usize) {
        match self {
            Self::Packed(set) => set.reset(expected),
            Self::Wide(set) => set.clear(),
        }
    }

    /// Shows every state, in no order that means anything.
    pub(super) fn for_each(self, mut show: impl FnMut(Key<WORDS>)) {
        match self {
            Self::Packed(set) => set.iter().for_each(|number| {
                let mut key = Key::ZERO;
                key.0[0] = number;
                show(key);
            }),
            Self::Wide(set) => set.into_iter().for_each(show),
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        match self {
            Self::Packed(set) => set.len(),
            Self::Wide(set) => set.len(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Packed(set) => set.bytes(),
            Self::Wide(set) => set.capacity() * (size_of::<Key<WORDS>>() + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    /// Adds numbers to a set of each kind, a standard set included, and holds them equal.
    fn hold_against_standard_set<const WORDS: usize>(layout: &Layout, states: &[Vec<u32>]) {
        let keys: Vec<Key<WORDS>> = states.iter().map(|state| layout.pack(state)).collect();
        let mut visited = Visited::new(layout, 0);
        let mut standard = BTreeSet::new();
        for keys in keys.chunks(100) {
            let mut fresh = Vec::new();
            visited.insert(keys, |keys| fresh.extend_from_slice(keys));
            let expected: Vec<_> = keys.iter().copied().filter(|&k| standard.insert(k)).collect();
            assert_eq!(fresh, expected);
        }
        assert_eq!(visited.len(), standard.len());

        let counts = layout.slots().iter().map(|slot| 2 * slot.capacity() as usize);
        let wide = layout.widened(counts).expect("twice as many need more room");
        let mut translated = Visited::<4>::new(&wide, 0);
        visited.for_each(|key| translated.insert(&[layout.translate(key, &wide)], |_| ()));
        assert_eq!(translated.len(), standard.len());
        for &key in &standard {
            translated.insert(&[layout.translate(key, &wide)], |new| assert_eq!(new, []));
        }
        translated.reset(10);
        let mut fresh = 0;
        translated.insert(&[Key::ZERO], |keys| fresh += keys.len());
        assert_eq!((translated.len(), fresh), (1, 1));
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
        let mut visited = Visited::<1>::new(&layout, 0);
        let state = |n: u32| layout.pack::<1>(&[n % 100, n / 100 % 100, n / 10_000]);
        let keys: Vec<_> = (0..1_000_000).map(state).collect();
        let mut fresh = 0;
        visited.insert(&keys, |keys| fresh += keys.len());
        visited.insert(&keys, |keys| fresh += keys.len());
        assert_eq!((fresh, visited.len()), (1_000_000, 1_000_000));
    }
}
