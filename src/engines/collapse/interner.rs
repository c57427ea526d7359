//! Numbers things in the order in which they are first seen.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

/// Numbers stay below this, so that the largest of all means none.
const MOST: u32 = 1 << 31;

/// Each distinct value once, with its number.
pub(super) struct Interner<T> {
    values: Vec<T>,
    /// Their hashes: values may be large.
    hashes: Vec<u64>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            hashes: Vec::new(),
            numbers: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The number of `value`, which is stored if it is new.
    pub(super) fn intern<Q>(&mut self, value: &Q) -> u32
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = T> + ?Sized,
    {
        let hash = self.hasher.hash_one(value);
        let (values, hashes) = (&self.values, &self.hashes);
        let is_value = |&number: &u32| {
            hashes[number as usize] == hash && values[number as usize].borrow() == value
        };
        if let Some(&number) = self.numbers.find(hash, is_value) {
            return number;
        }
        let number = next_number(self.values.len());
        self.values.push(value.to_owned());
        self.hashes.push(hash);
        let hashes = &self.hashes;
        self.numbers.insert_unique(hash, number, |&number| hashes[number as usize]);
        number
    }

    pub(super) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// Bytes held, without what the values own.
    pub(super) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>()
            + self.hashes.capacity() * size_of::<u64>()
            + self.numbers.capacity() * size_of::<u32>()
    }
}

fn next_number(known: usize) -> u32 {
    let number = u32::try_from(known).ok().filter(|&number| number < MOST);
    number.expect("memory ends before the numbers do")
}

/// The same for tuples of one length, side by side: there are so many that memory of its own for each
/// would cost more than all else.
pub(super) struct Tuples {
    length: usize,
    values: Vec<u32>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Tuples {
    /// No tuples yet; each will be of this length.
    pub(super) fn new(length: usize) -> Self {
        Self {
            length,
            values: Vec::new(),
            numbers: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// The number of `tuple`, which is stored if it is new.
    pub(super) fn intern(&mut self, tuple: &[u32]) -> u32 {
        debug_assert_eq!(tuple.len(), self.length);
        let known = self.len();
        let (values, hasher, length) = (&self.values, &self.hasher, self.length);
        let get = |&number: &u32| &values[number as usize * length..][..length];
        let entry = self.numbers.entry(
            hasher.hash_one(tuple),
            |number| get(number) == tuple,
            |number| hasher.hash_one(get(number)),
        );
        match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let number = next_number(known);
                entry.insert(number);
                self.values.extend_from_slice(tuple);
                number
            }
        }
    }

    pub(super) fn get(&self, number: u32) -> &[u32] {
        &self.values[number as usize * self.length..][..self.length]
    }

    pub(super) fn len(&self) -> usize {
        self.values.len() / self.length
    }

    pub(super) fn bytes(&self) -> usize {
        (self.values.capacity() + self.numbers.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use itertools::Itertools;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tuples_are_numbered_as_other_values_are(
            tuples in prop::collection::vec(prop::collection::vec(0..6_u32, 3), 0..200),
        ) {
            let (mut ours, mut theirs) = (Tuples::new(3), Interner::<Vec<u32>>::default());
            let numbers: Vec<_> = tuples.iter().map(|tuple| ours.intern(tuple)).collect();
            let expected: Vec<_> = tuples.iter().map(|tuple| theirs.intern(tuple)).collect();
            prop_assert_eq!(&numbers, &expected);
            for (tuple, number) in tuples.iter().zip(&numbers) {
                prop_assert_eq!(ours.get(*number), tuple.as_slice());
            }
            prop_assert_eq!(ours.len(), tuples.iter().unique().count());
        }
    }
}
