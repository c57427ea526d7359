//! Expanding states, and keeping those that are new: what each worker of a search does by itself.

use hashbrown::HashSet;

use super::frontier::{Filter, Frontier, STATES, TUPLES};
use super::judge::{Flags, Judged};
use super::key::{Key, Layout};
use super::rows::{Line, Row, StateRows, Views};
use super::steps::Tables;
use super::successors::Successors;
use super::visited::Visited;

/// States expanded before their successors are looked up in the visited set.
const BATCH: usize = 64;

/// Expands states, those about which everything is known.
pub(super) struct Expander<const WORDS: usize> {
    filter: Filter<WORDS>,
    pub(super) successors: Successors<WORDS>,
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
            successors: Successors::default(),
            // Only the initial state has no class but the first; it is judged before all others.
            settled: Filter::new(Key::ZERO, TUPLES),
            put_aside: Vec::new(),
            generated: 0,
        }
    }

    /// Replaces `successors` by those of `keys`, without most duplicates.
    fn expand<'r, R: Row<'r>>(
        &mut self,
        reading: &Reading<'r, WORDS>,
        rows: &mut StateRows<'r, R>,
        keys: &[Key<WORDS>],
    ) {
        self.successors.truncate(0);
        for &key in keys {
            let first = self.successors.len();
            rows.look_up(key);
            if self.expand_settled(reading, rows, key).is_none() {
                self.successors.truncate(first);
                self.put_aside.push(key);
            }
        }
        self.generated += self.successors.len() as u64;
        let unseen = self.filter.retain_unseen(self.successors.as_mut_slice());
        self.successors.truncate(unseen);
    }

    /// Expands a state about which everything is known; otherwise none.
    #[inline]
    fn expand_settled<'r, R: Row<'r>>(
        &mut self,
        reading: &Reading<'r, WORDS>,
        rows: &StateRows<'r, R>,
        key: Key<WORDS>,
    ) -> Option<()> {
        let (classes, flags) = reading.judged.classes(rows)?;
        if !self.settled.has(classes) {
            self.settle(reading, classes, flags)?;
        }
        let first = self.successors.len();
        reading.tables.expand(key, rows, &mut self.successors).ok()?;
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
        self.settled.bytes() + self.filter.bytes() + self.successors.bytes()
    }
}

/// States, and what the visited set has prepared for them.
#[derive(Default)]
struct Prepared<const WORDS: usize> {
    keys: Vec<Key<WORDS>>,
    prepared: Vec<u64>,
}

impl<const WORDS: usize> Prepared<WORDS> {
    fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<Key<WORDS>>() + self.prepared.capacity() * size_of::<u64>()
    }
}

/// Keeps the states that fall to one worker: which of them are known, and which are new in this level.
pub(super) struct Keeper<const WORDS: usize> {
    pub(super) visited: Visited<WORDS>,
    pub(super) next: Frontier<WORDS>,
    /// States whose buckets are being fetched, to be looked up next.
    fetched: Prepared<WORDS>,
    /// Those before them.
    due: Prepared<WORDS>,
    pub(super) unique: u64,
}

impl<const WORDS: usize> Keeper<WORDS> {
    pub(super) fn new(layout: &Layout, expected: usize) -> Self {
        Self {
            visited: Visited::new(layout, expected),
            next: Frontier::default(),
            fetched: Prepared::default(),
            due: Prepared::default(),
            unique: 0,
        }
    }

    /// Keeps those of `keys` that are new.
    pub(super) fn keep(&mut self, keys: &[Key<WORDS>]) {
        self.visited.insert(keys, |new| {
            self.next.extend(new);
            self.unique += new.len() as u64;
        });
    }

    /// Like [`keep`](Self::keep), but only has the buckets of `keys` fetched for now, and looks up those
    /// for which that was done the last time.
    #[inline]
    pub(super) fn keep_soon(&mut self, keys: &[Key<WORDS>]) {
        std::mem::swap(&mut self.due, &mut self.fetched);
        self.fetched.keys.clear();
        self.fetched.keys.extend_from_slice(keys);
        self.visited.prepare(keys, &mut self.fetched.prepared);
        self.visited.insert_prepared(&self.due.keys, &self.due.prepared, |new| {
            self.next.extend(new);
            self.unique += new.len() as u64;
        });
    }

    /// Looks up what is still to be looked up.
    pub(super) fn finish(&mut self) {
        self.keep_soon(&[]);
    }

    pub(super) fn bytes(&self) -> usize {
        self.visited.bytes() + self.next.bytes() + self.fetched.bytes() + self.due.bytes()
    }
}

/// Expands a block of states; what comes of each batch goes to `take`.
pub(super) fn expand_block<const WORDS: usize>(
    expander: &mut Expander<WORDS>,
    reading: &Reading<'_, WORDS>,
    block: &[Key<WORDS>],
    take: impl FnMut(&[Key<WORDS>]),
) {
    if reading.tables.rows.are_lines() {
        expand_batches::<&Line, WORDS>(expander, reading, block, take);
    } else {
        expand_batches::<&[Line], WORDS>(expander, reading, block, take);
    }
}

fn expand_batches<'r, R: Row<'r>, const WORDS: usize>(
    expander: &mut Expander<WORDS>,
    reading: &Reading<'r, WORDS>,
    block: &[Key<WORDS>],
    mut take: impl FnMut(&[Key<WORDS>]),
) {
    let slots = reading.layout.slots();
    let mut rows = reading.tables.rows.of_states::<R>(slots);
    let mut batches = block.chunks(BATCH).peekable();
    while let Some(batch) = batches.next() {
        // While a batch is expanded, the rows of the one after are fetched.
        for &key in batches.peek().copied().unwrap_or_default() {
            reading.tables.rows.prefetch(key, slots);
        }
        expander.expand(reading, &mut rows, batch);
        take(expander.successors.as_slice());
    }
}

/// The worker to which a state falls.
#[inline]
pub(super) fn owner<const WORDS: usize>(key: Key<WORDS>, workers: usize) -> usize {
    // Other bits than those that the filter goes by.
    let bits = (key.scramble() >> 16) as usize & 0xFFFF;
    (bits * workers) >> 16
}
