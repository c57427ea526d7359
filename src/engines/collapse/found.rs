//! States found together, by cause; in memory that is written before it is known how much of it counts.

use super::cause::Cause;
use super::frontier::Filter;
use super::key::Key;

/// See the [module](self).
#[derive(Default)]
pub(super) struct Found<const WORDS: usize> {
    /// The states, and behind them room for more.
    keys: Vec<Key<WORDS>>,
    len: usize,
    /// States with the same cause stand together: the cause, and where they end.
    runs: Vec<(Cause, usize)>,
}

impl<const WORDS: usize> Found<WORDS> {
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.runs.clear();
    }

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

    #[inline]
    pub(super) fn push(&mut self, key: Key<WORDS>) {
        self.room(1)[0] = key;
        self.len += 1;
    }

    #[inline]
    pub(super) fn extend(&mut self, keys: &[Key<WORDS>]) {
        self.room(keys.len())[..keys.len()].copy_from_slice(keys);
        self.len += keys.len();
    }

    /// Makes room for so many more, and no more than that.
    pub(super) fn reserve_exact(&mut self, more: usize) {
        let wanted = self.len + more;
        if wanted > self.keys.len() {
            self.keys.reserve_exact(wanted - self.keys.len());
            self.keys.resize(wanted, Key::ZERO);
        }
    }

    /// Says how those were found that were added since the last time.
    #[inline]
    pub(super) fn close(&mut self, cause: Cause) {
        if self.closed() < self.len {
            self.runs.push((cause, self.len));
        }
    }

    /// Removes those that were seen a moment ago.
    pub(super) fn retain_unseen(&mut self, seen: &mut Filter<WORDS>) {
        let (mut kept, mut start) = (0, 0);
        for (_, end) in &mut self.runs {
            for index in std::mem::replace(&mut start, *end)..*end {
                let key = self.keys[index];
                // Written without branches: which keys are duplicates cannot be predicted.
                self.keys[kept] = key;
                kept += usize::from(!seen.replace(key));
            }
            *end = kept;
        }
        self.len = kept;
    }

    /// Where those end of which it has been said how they were found.
    fn closed(&self) -> usize {
        self.runs.last().map_or(0, |&(_, end)| end)
    }

    /// Keeps the first, so many.
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        self.runs.iter_mut().for_each(|(_, end)| *end = len.min(*end));
    }

    /// The same states under other keys.
    pub(super) fn map<const TO: usize>(
        self,
        translate: impl Fn(Key<WORDS>) -> Key<TO>,
    ) -> Found<TO> {
        let keys = self.keys().iter().copied().map(translate).collect();
        Found { keys, len: self.len, runs: self.runs }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn keys(&self) -> &[Key<WORDS>] {
        &self.keys[..self.len]
    }

    /// Causes, and the places of the states that were found so.
    #[inline]
    pub(super) fn runs(&self) -> impl Iterator<Item = (Cause, std::ops::Range<usize>)> + '_ {
        let mut start = 0;
        self.runs.iter().map(move |&(cause, end)| (cause, std::mem::replace(&mut start, end)..end))
    }

    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<Key<WORDS>>()
            + self.runs.capacity() * size_of::<(Cause, usize)>()
    }
}
