//! A bucket: one cache line of the remainders of numbers that share their upper bits.

use super::lanes::first_or_zero;

/// What a bucket stores of a number: its remainder plus one. Zero is empty.
pub(super) trait Entry: Copy + Default + PartialEq {
    /// Bits of the longest remainder.
    const BITS: u32;
    fn of(remainder: u64) -> Self;
    fn remainder(self) -> Option<u64>;
    /// Which of the slots is the first that is `self` or empty; their number if there is none.
    fn place<const SLOTS: usize>(self, slots: &[Self; SLOTS]) -> usize;
}

impl Entry for u32 {
    const BITS: u32 = 31;
    #[inline]
    fn of(remainder: u64) -> Self {
        remainder as Self + 1
    }
    fn remainder(self) -> Option<u64> {
        self.checked_sub(1).map(u64::from)
    }
    #[inline]
    fn place<const SLOTS: usize>(self, slots: &[Self; SLOTS]) -> usize {
        first_or_zero(slots.first_chunk().expect("short entries fill a line"), self)
    }
}

impl Entry for u64 {
    const BITS: u32 = 63;
    #[inline]
    fn of(remainder: u64) -> Self {
        remainder + 1
    }
    fn remainder(self) -> Option<u64> {
        self.checked_sub(1)
    }
    #[inline]
    fn place<const SLOTS: usize>(self, slots: &[Self; SLOTS]) -> usize {
        let found = slots.iter().position(|&slot| slot == self || slot == 0);
        found.unwrap_or(SLOTS)
    }
}

#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Bucket<E, const SLOTS: usize>([E; SLOTS]);

impl<E: Entry, const SLOTS: usize> Bucket<E, SLOTS> {
    pub(super) fn empty() -> Self {
        Self([E::default(); SLOTS])
    }

    /// Adds an entry; false if it is there, none if there is no room.
    #[inline]
    pub(super) fn insert(&mut self, entry: E) -> Option<bool> {
        // Slots are filled from the first on, so that behind an empty one there is nothing. Written
        // without branches: whether an entry is there cannot be predicted.
        let place = entry.place(&self.0);
        let slot = self.0.get_mut(place)?;
        Some(std::mem::replace(slot, entry) != entry)
    }

    pub(super) fn remainders(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().filter_map(|entry| entry.remainder())
    }
}
