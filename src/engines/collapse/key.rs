//! Keys: a global state as one number per part, packed into words. The key is the state: two states
//! are equal exactly if their keys are.

use crate::models::topology::MAX_PROCESSES;

/// The most words a key can need: a number of 32 bits for every process, a coordinator and an
/// observer.
pub(super) const MAX_WORDS: usize = 17;

/// The most parts a state can have.
pub(super) const MAX_PARTS: usize = 2 * MAX_WORDS;

const _: () = assert!(MAX_PARTS >= MAX_PROCESSES + 2);

/// A packed state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key<const WORDS: usize>(pub(super) [u64; WORDS]);

/// Where a part's number is in a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slot {
    // Small, so that the slots of a state are found without arithmetic.
    word: u16,
    shift: u8,
    width: u8,
}

impl Slot {
    /// The numbers that fit.
    pub(super) fn capacity(self) -> u64 {
        1 << self.width
    }
}

impl<const WORDS: usize> Key<WORDS> {
    pub(super) const ZERO: Self = Self([0; WORDS]);

    /// The number in a slot.
    #[inline]
    pub(super) fn get(self, slot: Slot) -> u32 {
        // With a single word the remainder is constant, and the bound needs no check.
        let bits = self.0[usize::from(slot.word) % WORDS] >> slot.shift;
        (bits & (slot.capacity() - 1)) as u32
    }

    /// The key with some bits of a slot's number flipped.
    #[inline]
    pub(super) fn flip(mut self, slot: Slot, bits: u32) -> Self {
        self.0[usize::from(slot.word) % WORDS] ^= u64::from(bits) << slot.shift;
        self
    }

    /// A number that differs for most keys that differ, in its upper bits.
    #[inline]
    pub(super) fn scramble(self) -> u64 {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        self.0.iter().fold(0, |sum: u64, word| (sum.rotate_left(29) ^ word).wrapping_mul(ODD))
    }
}

/// How the numbers of the parts are laid out in a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    slots: Vec<Slot>,
}

/// Bits to begin with, shared by all parts: enough for most instances, but no more, because the fewer
/// bits a key has, the fewer states there need be before the visited set stores short remainders.
const FIRST_BITS: usize = 42;
const FIRST_WIDTH: u32 = 14;

impl Layout {
    /// A layout for so many parts.
    pub(super) fn new(parts: usize) -> Self {
        let width = (FIRST_BITS / parts) as u32;
        Self::of_widths(&vec![width.clamp(1, FIRST_WIDTH); parts])
    }

    /// No number is divided between words.
    fn of_widths(widths: &[u32]) -> Self {
        let (mut word, mut used) = (0, 0);
        let mut slots = Vec::new();
        for &width in widths {
            if used + width > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            slots.push(Slot { word, shift: used as u8, width: width as u8 });
            used += width;
        }
        Self { slots }
    }

    /// A layout with room for `counts` numbers per part; none if there is room already.
    pub(super) fn widened(&self, counts: impl Iterator<Item = usize>) -> Option<Self> {
        let counts: Vec<_> = counts.collect();
        let bits = |count: usize| usize::BITS - count.saturating_sub(1).leading_zeros();
        let mut slots = self.slots.iter().zip(&counts);
        if slots.all(|(slot, &count)| bits(count) <= u32::from(slot.width)) {
            return None;
        }
        // Numbers that nearly fill their room are widened too, so that it happens rarely.
        let widen = |(slot, count): (&Slot, &usize)| {
            bits(count + count / 4).min(u32::BITS).max(u32::from(slot.width))
        };
        let widths: Vec<_> = self.slots.iter().zip(&counts).map(widen).collect();
        Some(Self::of_widths(&widths))
    }

    /// Per part, where its number is.
    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Words in a key.
    pub(super) fn words(&self) -> usize {
        self.slots.last().map_or(1, |slot| usize::from(slot.word) + 1)
    }

    /// Bits used in the last word.
    pub(super) fn bits(&self) -> u32 {
        self.slots.last().map_or(1, |slot| u32::from(slot.shift + slot.width))
    }

    /// The key of these numbers.
    pub(super) fn pack<const WORDS: usize>(&self, numbers: &[u32]) -> Key<WORDS> {
        let slots = self.slots.iter().zip(numbers);
        slots.fold(Key::ZERO, |key, (&slot, &number)| key.flip(slot, number))
    }

    /// The numbers of a key.
    pub(super) fn unpack<const WORDS: usize>(
        &self,
        key: Key<WORDS>,
    ) -> impl Iterator<Item = u32> + '_ {
        self.slots.iter().map(move |&slot| key.get(slot))
    }

    /// The same state in another layout.
    pub(super) fn translate<const FROM: usize, const TO: usize>(
        &self,
        key: Key<FROM>,
        other: &Self,
    ) -> Key<TO> {
        let slots = self.slots.iter().zip(&other.slots);
        slots.fold(Key::ZERO, |to, (&old, &new)| to.flip(new, key.get(old)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_keep_their_numbers_through_widening(
            numbers in prop::collection::vec(any::<u32>(), 1..=MAX_PARTS),
        ) {
            let counts = || numbers.iter().map(|&n| n as usize + 1);
            let small: Vec<_> = numbers.iter().map(|n| n & 1).collect();
            let first = Layout::new(numbers.len());
            let wide = first.widened(counts()).unwrap_or_else(|| first.clone());
            prop_assert!(wide.words() <= MAX_WORDS);
            prop_assert_eq!(wide.widened(counts()), None);
            let key: Key<MAX_WORDS> = wide.pack(&numbers);
            prop_assert_eq!(wide.unpack(key).collect::<Vec<_>>(), numbers);
            let key: Key<MAX_WORDS> = first.pack(&small);
            let translated: Key<MAX_WORDS> = first.translate(key, &wide);
            prop_assert_eq!(wide.unpack(translated).collect::<Vec<_>>(), small);
        }
    }
}
