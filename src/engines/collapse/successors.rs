//! Successors, in memory that is written before it is known how much of it counts.

use super::key::Key;
use super::rows::READY;

/// See the [module](self).
#[derive(Default)]
pub(super) struct Successors<const WORDS: usize> {
    /// The successors, and behind them room for more.
    keys: Vec<Key<WORDS>>,
    len: usize,
}

impl<const WORDS: usize> Successors<WORDS> {
    /// Makes room for so many more.
    #[inline]
    pub(super) fn reserve(&mut self, more: usize) {
        if self.len + more > self.keys.len() {
            self.keys.resize(2 * (self.len + more), Key::ZERO);
        }
    }

    /// Where the next ones go, for which there is room.
    #[inline]
    pub(super) fn next(&mut self) -> &mut [Key<WORDS>; READY] {
        self.keys[self.len..].first_chunk_mut().expect("room has been made")
    }

    /// Counts so many more, which have been written.
    #[inline]
    pub(super) fn add(&mut self, more: usize) {
        self.len += more;
    }

    pub(super) fn push(&mut self, key: Key<WORDS>) {
        self.reserve(1);
        self.keys[self.len] = key;
        self.len += 1;
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = len;
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Key<WORDS>] {
        &self.keys[..self.len]
    }

    #[inline]
    pub(super) fn as_mut_slice(&mut self) -> &mut [Key<WORDS>] {
        &mut self.keys[..self.len]
    }

    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<Key<WORDS>>()
    }
}
