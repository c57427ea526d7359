//! The frontier: states found and not yet expanded, in the order in which they were found; and the
//! filter of states seen a moment ago, which catches most duplicates only because of that order.

use std::collections::VecDeque;

use super::key::Key;

/// States in a block; a block is the unit in which memory is returned and work is handed out.
pub(super) const BLOCK: usize = 4096;

/// States waiting to be expanded.
pub(super) struct Frontier<const WORDS: usize> {
    blocks: VecDeque<Vec<Key<WORDS>>>,
    len: usize,
    /// Blocks to be used again: fresh memory costs more than a state does.
    spare: Vec<Vec<Key<WORDS>>>,
}

impl<const WORDS: usize> Default for Frontier<WORDS> {
    fn default() -> Self {
        Self { blocks: VecDeque::new(), len: 0, spare: Vec::new() }
    }
}

impl<const WORDS: usize> Frontier<WORDS> {
    #[inline]
    pub(super) fn extend(&mut self, mut keys: &[Key<WORDS>]) {
        self.len += keys.len();
        while !keys.is_empty() {
            match self.blocks.back_mut() {
                Some(block) if block.len() < BLOCK => {
                    let (some, rest) = keys.split_at(keys.len().min(BLOCK - block.len()));
                    block.extend_from_slice(some);
                    keys = rest;
                }
                _ => {
                    let spare = self.spare.pop();
                    self.blocks.push_back(spare.unwrap_or_else(|| Vec::with_capacity(BLOCK)));
                }
            }
        }
    }

    /// The states that have waited longest, at most a block of them.
    pub(super) fn pop_block(&mut self) -> Option<Vec<Key<WORDS>>> {
        let block = self.blocks.pop_front()?;
        self.len -= block.len();
        Some(block)
    }

    /// Takes a block back, to be used again.
    pub(super) fn recycle(&mut self, mut block: Vec<Key<WORDS>>) {
        block.clear();
        self.spare.push(block);
    }

    /// Puts the states of `other` behind these.
    pub(super) fn append(&mut self, mut other: Self) {
        self.blocks.append(&mut other.blocks);
        self.len += other.len;
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The same states under other keys.
    pub(super) fn map<const TO: usize>(
        mut self,
        translate: impl Fn(Key<WORDS>) -> Key<TO>,
    ) -> Frontier<TO> {
        let mut mapped = Frontier::default();
        while let Some(block) = self.pop_block() {
            let block: Vec<_> = block.into_iter().map(&translate).collect();
            mapped.extend(&block);
        }
        mapped
    }

    pub(super) fn bytes(&self) -> usize {
        (self.blocks.len() + self.spare.len()) * BLOCK * size_of::<Key<WORDS>>()
    }
}

/// Filters of this size catch most of the states that are found again, and stay in the second cache.
pub(super) const STATES: u32 = 14;

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

    /// Moves those of `keys` to the front that were not seen a moment ago, and counts them.
    #[inline]
    pub(super) fn retain_unseen(&mut self, keys: &mut [Key<WORDS>]) -> usize {
        let mut kept = 0;
        for index in 0..keys.len() {
            let key = keys[index];
            let place = self.place(key);
            // Written without branches: which keys are duplicates cannot be predicted.
            keys[kept] = key;
            kept += usize::from(*place != key);
            *place = key;
        }
        kept
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
