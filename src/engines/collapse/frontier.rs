//! The frontier: states found and not yet expanded, in the order in which they were found; and the
//! filter of states seen a moment ago, which catches most duplicates only because of that order.

use std::collections::VecDeque;

use super::cause::Cause;
use super::found::Found;
use super::key::Key;

/// States in a block; a block is the unit in which memory is returned and work is handed out.
pub(super) const BLOCK: usize = 4096;

/// More may be in a block, since they come several together: for so many there is room in every block,
/// lest a block that is used again be a little too small.
const MOST: usize = BLOCK + 64;

/// States waiting to be expanded, in blocks in the order in which they were found, and within a block
/// by cause.
pub(super) struct Frontier<const WORDS: usize> {
    blocks: VecDeque<Found<WORDS>>,
    /// The states of a block to come, by cause.
    begun: Vec<Vec<Key<WORDS>>>,
    begun_len: usize,
    /// States in blocks.
    len: usize,
    /// Blocks to be used again: fresh memory costs more than a state does.
    spare: Vec<Found<WORDS>>,
}

impl<const WORDS: usize> Default for Frontier<WORDS> {
    fn default() -> Self {
        Self {
            blocks: VecDeque::new(),
            begun: vec![Vec::new(); Cause::COUNT],
            begun_len: 0,
            len: 0,
            spare: Vec::new(),
        }
    }
}

impl<const WORDS: usize> Frontier<WORDS> {
    /// Adds a state to the block to come.
    #[inline]
    pub(super) fn add(&mut self, cause: Cause, key: Key<WORDS>) {
        self.begun[cause.index()].push(key);
        self.begun_len += 1;
    }

    /// Ends the block to come if there is enough in it.
    #[inline]
    pub(super) fn end_block_if_full(&mut self) {
        if self.begun_len >= BLOCK {
            self.end_block();
        }
    }

    fn end_block(&mut self) {
        let mut block = self.spare.pop().unwrap_or_default();
        block.reserve_exact(self.begun_len.max(MOST));
        for (cause, keys) in Cause::all().zip(&mut self.begun) {
            block.extend(keys);
            block.close(cause);
            keys.clear();
        }
        self.len += std::mem::take(&mut self.begun_len);
        self.blocks.push_back(block);
    }

    /// The states that have waited longest, about a block of them.
    pub(super) fn pop_block(&mut self) -> Option<Found<WORDS>> {
        let block = self.blocks.pop_front()?;
        self.len -= block.len();
        Some(block)
    }

    /// Those that were added last, about a block of them.
    pub(super) fn pop_last_block(&mut self) -> Option<Found<WORDS>> {
        let block = self.blocks.pop_back()?;
        self.len -= block.len();
        Some(block)
    }

    /// Takes a block back, to be used again.
    pub(super) fn recycle(&mut self, mut block: Found<WORDS>) {
        block.clear();
        self.spare.push(block);
    }

    /// Takes the states of `other`, all of them in blocks that can be popped.
    pub(super) fn take_from(&mut self, other: &mut Self) {
        if other.begun_len > 0 {
            other.end_block();
        }
        self.len += std::mem::take(&mut other.len);
        self.blocks.append(&mut other.blocks);
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The same states under other keys.
    pub(super) fn map<const TO: usize>(
        mut self,
        translate: impl Fn(Key<WORDS>) -> Key<TO>,
    ) -> Frontier<TO> {
        let mut whole = Self::default();
        whole.take_from(&mut self);
        // The memory of each block is used again for the next one.
        let blocks = whole.blocks.into_iter().map(|block| block.map(&translate)).collect();
        Frontier { blocks, len: whole.len, ..Frontier::default() }
    }

    pub(super) fn bytes(&self) -> usize {
        let blocks = self.blocks.iter().chain(&self.spare).map(Found::bytes);
        let begun = self.begun.iter().map(|keys| keys.capacity() * size_of::<Key<WORDS>>());
        blocks.sum::<usize>() + begun.sum::<usize>()
    }
}

/// Filters of this size catch most of the states that are found again, and stay in the second cache.
pub(super) const STATES: u32 = 15;

/// The same for tuples of classes, of which there are fewer.
pub(super) const TUPLES: u32 = 12;

/// A few of the states seen last, each at a place of its own.
pub(super) struct Filter<const WORDS: usize> {
    seen: Box<[Key<WORDS>]>,
    shift: u32,
}

impl<const WORDS: usize> Filter<WORDS> {
    /// A filter that has seen `start`, and nothing else. It has places for 2^`log` states.
    pub(super) fn new(start: Key<WORDS>, log: u32) -> Self {
        Self { seen: vec![start; 1 << log].into(), shift: u64::BITS - log }
    }

    /// Whether a key was seen a moment ago; from now on it was.
    #[inline]
    pub(super) fn replace(&mut self, key: Key<WORDS>) -> bool {
        let place = self.place(key);
        std::mem::replace(place, key) == key
    }

    #[inline]
    fn place(&mut self, key: Key<WORDS>) -> &mut Key<WORDS> {
        &mut self.seen[(key.scramble() >> self.shift) as usize]
    }

    /// Whether a key was seen a moment ago.
    #[inline]
    pub(super) fn has(&mut self, key: Key<WORDS>) -> bool {
        *self.place(key) == key
    }

    pub(super) fn add(&mut self, key: Key<WORDS>) {
        *self.place(key) = key;
    }

    pub(super) fn bytes(&self) -> usize {
        self.seen.len() * size_of::<Key<WORDS>>()
    }
}
