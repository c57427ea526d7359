//! Successors, in memory that is written before it is known how much of it counts.

use super::key::Key;

/// See the [module](self).
#[derive(Default)]
pub(super) struct Successors<const WORDS: usize> {
    /// The successors, and behind them room for more.
    keys: Vec<Key<WORDS>>,
    len: usize,
}

impl<const WORDS: usize> Successors<WORDS> {
    /// Where the next ones go: room for at least so many.
    #[inline]
    pub(super) fn room(&mut self, more: usize) -> &mut [Key<WORDS>] {
        if self.len + more > self.keys.len() {
            self.keys.resize(2 * (self.len + more), Key::ZERO);
        }
        &mut self.keys[self.len..]
    }

    /// Counts so many more, which have been written.
    #[inline]
    pub(super) fn add(&mut self, more: usize) {
        self.len += more;
    }

    pub(super) fn push(&mut self, key: Key<WORDS>) {
        self.room(1)[0] = key;
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
