//! Expanding states: what each worker of a search does by itself.

use hashbrown::HashSet;

use super::cause::Cause;
use super::found::Found;
use super::frontier::{Filter, STATES, TUPLES};
use super::judge::{Flags, Judged, class};
use super::key::{Key, Layout};
use super::rows::{ALL, BATCH, Batch, COUNTS, LABEL, Line, Row, Views};
use super::steps::Tables;

/// Expands states, those about which everything is known. Aligned for the same reason as the keeper.
#[repr(align(128))]
pub(super) struct Expander<const WORDS: usize> {
    /// States found a moment ago.
    filter: Filter<WORDS>,
    found: Found<WORDS>,
    /// Tuples of classes met a moment ago, about which all has been judged.
    settled: Filter<WORDS>,
    /// States that need something that is not known.
    pub(super) put_aside: Vec<(Cause, Key<WORDS>)>,
    /// How many successors the others have.
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
    /// `start` is a state that has been found.
    pub(super) fn new(start: Key<WORDS>) -> Self {
        Self {
            filter: Filter::new(start, STATES),
            found: Found::default(),
            // Only the initial state has no class but the first; it is judged before all others.
            settled: Filter::new(Key::ZERO, TUPLES),
            put_aside: Vec::new(),
            generated: 0,
        }
    }

    /// Replaces what was found by the successors of `keys`, which have the same cause.
    fn expand<'r, R: Row<'r>>(
        &mut self,
        reading: &Reading<'r, WORDS>,
        batch: &mut Batch<'r, R, WORDS>,
        cause: Cause,
        keys: &[Key<WORDS>],
    ) {
        batch.clear();
        let every_state = reading.judged.every_state;
        let terminal_count = u32::from(reading.judged.terminal_states);
        for &key in keys {
            let (mut counted, mut count) = (0, 0);
            batch.look_up(key, |row, _| {
                counted |= row.at(COUNTS);
                count += row.at(COUNTS) & ALL;
            });
            // A view of which the moves are known has been judged by itself.
            let known = counted >> 31 == 0 && count >= terminal_count && !every_state;
            if known && (!cause.shows() || self.is_settled(reading, batch)) {
                self.generated += u64::from(count);
                batch.keep();
            } else {
                self.put_aside.push((cause, key));
            }
        }
        self.take_steps(reading, batch, cause);
    }

    /// Replaces what was found by the successors of a batch of states with the same cause.
    fn take_steps<'r, R: Row<'r>>(
        &mut self,
        reading: &Reading<'r, WORDS>,
        batch: &Batch<'r, R, WORDS>,
        cause: Cause,
    ) {
        self.found.clear();
        if reading.tables.expand(batch, cause, &mut self.found).is_err() {
            self.put_missing_aside(reading, batch, cause);
        }
        self.found.retain_unseen(&mut self.filter);
    }

    /// Expands the states put aside, about which all has been found out; gives their successors.
    pub(super) fn finish_put_aside(
        &mut self,
        reading: &Reading<'_, WORDS>,
        mut take: impl FnMut(&Found<WORDS>),
    ) {
        let put_aside = std::mem::take(&mut self.put_aside);
        let mut batch = reading.tables.rows.batch::<&[Line], WORDS>(reading.layout.slots());
        for keys in put_aside.chunk_by(|(one, _), (other, _)| one == other) {
            for keys in keys.chunks(BATCH) {
                batch.clear();
                for &(_, key) in keys {
                    batch.look_up(key, |row, _| self.generated += u64::from(row.at(COUNTS) & ALL));
                    batch.keep();
                }
                self.take_steps(reading, &batch, keys[0].0);
                take(&self.found);
            }
        }
    }

    /// Whether all about the state looked up last has been judged, as far as its parts show it together.
    #[inline]
    fn is_settled<'r, R: Row<'r>>(
        &mut self,
        reading: &Reading<'r, WORDS>,
        batch: &Batch<'r, R, WORDS>,
    ) -> bool {
        let mut flags = Flags::new();
        let mut classes: Views = [0; _];
        let mut key = Key::ZERO;
        for ((row, slot), part_class) in batch.looked_up().zip(&mut classes) {
            let label = row.at(LABEL);
            flags.add(label);
            *part_class = class(label);
            key = key.flip(slot, class(label));
        }
        reading.judged.has_pairs(&classes)
            && (!flags.are_of_whole() || self.settled.has(key) || self.settle(reading, key))
    }

    /// Whether a tuple of classes has been judged, which is noted.
    #[cold]
    fn settle(&mut self, reading: &Reading<'_, WORDS>, classes: Key<WORDS>) -> bool {
        let judged = reading.tuples.contains(&classes);
        if judged {
            self.settled.add(classes);
        }
        judged
    }

    /// Puts those states of a batch aside for which not all successors could be found.
    #[cold]
    fn put_missing_aside<'r, R: Row<'r>>(
        &mut self,
        reading: &Reading<'r, WORDS>,
        batch: &Batch<'r, R, WORDS>,
        cause: Cause,
    ) {
        for (at, &key) in batch.keys().iter().enumerate() {
            if reading.tables.is_missing(batch, at) {
                let counts = (0..batch.parts()).map(|part| batch.at(part, at, COUNTS).0 & ALL);
                self.generated -= counts.map(u64::from).sum::<u64>();
                self.put_aside.push((cause, key));
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.filter.bytes() + self.settled.bytes() + self.found.bytes()
    }
}

/// Expands a block of states; what comes of each batch goes to `take`.
pub(super) fn expand_block<const WORDS: usize>(
    expander: &mut Expander<WORDS>,
    reading: &Reading<'_, WORDS>,
    block: &Found<WORDS>,
    take: impl FnMut(&Found<WORDS>),
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
    block: &Found<WORDS>,
    mut take: impl FnMut(&Found<WORDS>),
) {
    let slots = reading.layout.slots();
    let mut batch = reading.tables.rows.batch::<R, WORDS>(slots);
    let batches = block
        .runs()
        .flat_map(|(cause, run)| block.keys()[run].chunks(BATCH).map(move |keys| (cause, keys)));
    let mut batches = batches.peekable();
    while let Some((cause, keys)) = batches.next() {
        // While a batch is expanded, the rows of the one after are fetched.
        if let Some((_, next)) = batches.peek() {
            next.iter().for_each(|&key| reading.tables.rows.prefetch(key, slots));
        }
        expander.expand(reading, &mut batch, cause, keys);
        take(&expander.found);
    }
}
