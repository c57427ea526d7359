//! Expanding states, and keeping those that are new: what each worker of a search does by itself.

use hashbrown::HashSet;

use super::frontier::{Filter, Frontier, STATES, TUPLES};
use super::judge::{Flags, Judged};
use super::key::{Key, Layout};
use super::rows::{Row, Views};
use super::steps::Tables;
use super::visited::Visited;

/// States expanded before their successors are looked up in the visited set.
const BATCH: usize = 64;

/// Expands states, those about which everything is known.
pub(super) struct Expander<const WORDS: usize> {
    filter: Filter<WORDS>,
    pub(super) successors: Vec<Key<WORDS>>,
    /// Tuples of classes met a moment ago, about which all has been judged.
    settled: Filter<WORDS>,
    /// States that need something that is not known.
    pub(super) put_aside: Vec<Key<WORDS>>,
    pub(super) generated: u64,
}

/// What expanding a state reads.
pub(super) struct Reading<'a, const WORDS: usize> {
    pub(super) layout: &'a Layout,
    pub(super) tables: &'a Tables,
    pub(super) judged: &'a Judged,
    pub(super) tuples: &'a HashSet<Key<WORDS>>,
}

impl<const WORDS: usize> Expander<WORDS> {
    pub(super) fn new(start: Key<WORDS>) -> Self {
        Self {
            filter: Filter::new(start, STATES),
            successors: Vec::new(),
            // Only the initial state has no class but the first; it is judged before all others.
            settled: Filter::new(Key::ZERO, TUPLES),
            put_aside: Vec::new(),
            generated: 0,
        }
    }

    /// Replaces `successors` by those of `keys`, without most duplicates.
    pub(super) fn expand(&mut self, reading: &Reading<'_, WORDS>, keys: &[Key<WORDS>]) {
        self.successors.clear();
        let parts = reading.layout.slots().len();
        let mut rows = Vec::with_capacity(BATCH * (parts + 1));
        for &key in keys {
            reading.tables.rows.look_up(key, reading.layout.slots(), &mut rows);
        }
        reading.tables.prefetch_moves(&rows);
        for (&key, rows) in keys.iter().zip(rows.chunks_exact(parts + 1)) {
            let first = self.successors.len();
            if self.expand_settled(reading, key, rows).is_none() {
                self.successors.truncate(first);
                self.put_aside.push(key);
            }
        }
        self.generated += self.successors.len() as u64;
        self.filter.retain_unseen(&mut self.successors);
    }

    /// Expands a state about which everything is known; otherwise none.
    #[inline]
    fn expand_settled(
        &mut self,
        reading: &Reading<'_, WORDS>,
        key: Key<WORDS>,
        rows: &[Row<'_>],
    ) -> Option<()> {
        let parts = reading.layout.slots().len();
        let (classes, flags) = reading.judged.classes(&rows[..parts])?;
        if !self.settled.has(classes) {
            self.settle(reading, classes, flags)?;
        }
        let first = self.successors.len();
        let tables = reading.tables;
        tables.expand(key, rows, &mut self.successors).ok()?;
        let terminal = self.successors.len() == first;
        (!terminal || !reading.judged.terminal_states).then_some(())
    }

    /// Notes that all about these classes has been judged; none if it has not.
    #[cold]
    fn settle(
        &mut self,
        reading: &Reading<'_, WORDS>,
        classes: Key<WORDS>,
        flags: Flags,
    ) -> Option<()> {
        let mut unpacked: Views = [0; _];
        for (unpacked, class) in unpacked.iter_mut().zip(reading.layout.unpack(classes)) {
            *unpacked = class;
        }
        let pairs = reading.judged.has_pairs(&unpacked);
        let whole = !flags.are_of_whole() || reading.tuples.contains(&classes);
        (pairs && whole).then(|| self.settled.add(classes))
    }

    pub(super) fn bytes(&self) -> usize {
        self.settled.bytes()
            + self.filter.bytes()
            + self.successors.capacity() * size_of::<Key<WORDS>>()
    }
}

/// Keeps the states that fall to one worker: which of them are known, and which are new in this level.
pub(super) struct Keeper<const WORDS: usize> {
    pub(super) visited: Visited<WORDS>,
    pub(super) next: Frontier<WORDS>,
    /// States whose buckets are being fetched, to be looked up next.
    fetched: Vec<Key<WORDS>>,
    pub(super) unique: u64,
}

impl<const WORDS: usize> Keeper<WORDS> {
    pub(super) fn new(layout: &Layout, expected: usize) -> Self {
        Self {
            visited: Visited::new(layout, expected),
            next: Frontier::default(),
            fetched: Vec::new(),
            unique: 0,
        }
    }

    /// Keeps those of `keys` that are new.
    pub(super) fn keep(&mut self, keys: &[Key<WORDS>]) {
        let before = self.next.len();
        self.visited.insert(keys, |key| self.next.push(key));
        self.unique += (self.next.len() - before) as u64;
    }

    /// Like [`keep`](Self::keep), but only has the buckets of `keys` fetched for now, and looks up those
    /// for which that was done the last time. They are left in `keys`.
    pub(super) fn keep_soon(&mut self, keys: &mut Vec<Key<WORDS>>) {
        self.visited.prefetch(keys);
        std::mem::swap(&mut self.fetched, keys);
        self.keep(keys);
    }

    /// Looks up what is still to be looked up.
    pub(super) fn finish(&mut self) {
        let mut none = Vec::new();
        self.keep_soon(&mut none);
    }

    pub(super) fn bytes(&self) -> usize {
        self.visited.bytes() + self.next.bytes() + self.fetched.capacity() * size_of::<Key<WORDS>>()
    }
}

/// Expands a block of states; what comes of each batch goes to `take`.
pub(super) fn expand_block<const WORDS: usize>(
    expander: &mut Expander<WORDS>,
    reading: &Reading<'_, WORDS>,
    block: &[Key<WORDS>],
    mut take: impl FnMut(&mut Vec<Key<WORDS>>),
) {
    let (batches, rest) = block.as_chunks::<BATCH>();
    let batches = batches.iter().map(<[_; BATCH]>::as_slice);
    let mut batches = batches.chain([rest]).peekable();
    while let Some(batch) = batches.next() {
        // While a batch is expanded, the rows of the one after are fetched.
        for &key in batches.peek().copied().unwrap_or_default() {
            reading.tables.rows.prefetch(key, reading.layout.slots());
        }
        expander.expand(reading, batch);
        take(&mut expander.successors);
    }
}

/// The worker to which a state falls.
#[inline]
pub(super) fn owner<const WORDS: usize>(key: Key<WORDS>, workers: usize) -> usize {
    // Other bits than those that the filter goes by.
    let bits = (key.scramble() >> 16) as usize & 0xFFFF;
    (bits * workers) >> 16
}
