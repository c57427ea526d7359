//! Numbers things in the order in which they are first seen.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashTable};

/// Numbers stay below this, so that the largest of all means none.
const MOST: u32 = 1 << 31;

/// Each distinct value once, with its number.
pub(super) struct Interner<T> {
    values: Vec<T>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
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
        let values = &self.values;
        let is_value = |&number: &u32| values[number as usize].borrow() == value;
        if let Some(&number) = self.numbers.find(hash, is_value) {
            return number;
        }
        let number = u32::try_from(self.values.len()).ok().filter(|&number| number < MOST);
        let number = number.expect("memory ends before the numbers do");
        self.values.push(value.to_owned());
        let (values, hasher) = (&self.values, &self.hasher);
        self.numbers.insert_unique(hash, number, |&number| {
            hasher.hash_one(values[number as usize].borrow())
        });
        number
    }

    pub(super) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Bytes held, without what the values own.
    pub(super) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>() + self.numbers.capacity() * size_of::<u32>()
    }
}
