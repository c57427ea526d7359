//! The search: level by level, each state expanded from the tables; and what is missing there found
//! out in between.

use hashbrown::HashSet;

use super::frontier::{Filter, Frontier};
use super::judge::{Judged, Known, Look};
use super::key::{Key, Layout};
use super::oracle::Oracle;
use super::rows::{Rows, Slots, StateRows, Views};
use super::steps::Tables;
use super::trace;
use super::visited::Visited;
use crate::engines::Progress;

/// All that is known of the system, whatever the layout of the keys.
pub(super) struct Knowledge<'o> {
    pub(super) oracle: &'o mut dyn Oracle,
    pub(super) known: Known,
    /// Whether the search is for a state that decides the claims, and not for all states.
    pub(super) seeks: bool,
    /// The views of that state.
    pub(super) sought: Option<Vec<u32>>,
}

impl Knowledge<'_> {
    /// A layout with room for every view; none if there is room already.
    pub(super) fn outgrows(&self, layout: &Layout) -> Option<Layout> {
        layout.widened(self.oracle.views().into_iter())
    }

    /// The successors of a state that has been expanded.
    pub(super) fn successors<const WORDS: usize>(
        &mut self,
        layout: &Layout,
        key: Key<WORDS>,
    ) -> Vec<Key<WORDS>> {
        let mut successors = Vec::new();
        if self.oracle.steps_are_local() {
            let (slots, mut rows) = (layout.padded(), Rows::none());
            let tables = &self.known.tables;
            tables.rows.of_key(key, &slots, &mut rows);
            let parts = layout.slots().len();
            let known = tables.expand(key, parts, &rows, &slots, &mut successors);
            debug_assert!(known.is_ok(), "all that it needs was found out");
        } else {
            let views: Vec<_> = layout.unpack(key).collect();
            let next = self.oracle.successors(&views);
            successors.extend(next.iter().map(|views| layout.pack::<WORDS>(views)));
        }
        successors
    }
}

/// States expanded before their successors are looked up in the visited set.
const BATCH: usize = 64;

/// What a search has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) unique: u64,
    pub(super) generated: u64,
    pub(super) depth: usize,
    pub(super) peak_bytes: usize,
}

/// How far a search got.
pub(super) enum Advance {
    /// Every state was expanded, or a limit was hit.
    Ended,
    /// A step was found that contradicts the grading.
    Ungraded,
    /// Some numbers no longer fit in the keys.
    Outgrown(Layout),
}

/// Expands states.
struct Expander<const WORDS: usize> {
    filter: Filter<WORDS>,
    successors: Vec<Key<WORDS>>,
    classes: Views,
    /// States that need something that is not known.
    put_aside: Vec<Key<WORDS>>,
    generated: u64,
}

/// What expanding a state reads.
struct Reading<'a, const WORDS: usize> {
    layout: &'a Layout,
    slots: &'a Slots,
    tables: &'a Tables,
    judged: &'a Judged,
    tuples: &'a HashSet<Key<WORDS>>,
}

impl<const WORDS: usize> Expander<WORDS> {
    fn new(start: Key<WORDS>) -> Self {
        Self {
            filter: Filter::new(start),
            successors: Vec::new(),
            classes: [0; _],
            put_aside: Vec::new(),
            generated: 0,
        }
    }

    /// Replaces `successors` by those of `keys`, without most duplicates.
    fn expand(&mut self, reading: &Reading<'_, WORDS>, keys: &[Key<WORDS>]) {
        self.successors.clear();
        let mut rows = Rows::none();
        let parts = reading.layout.slots().len();
        for &key in keys {
            reading.tables.rows.of_key(key, reading.slots, &mut rows);
            reading.tables.prefetch_moves(parts, &rows);
        }
        for &key in keys {
            let first = self.successors.len();
            reading.tables.rows.of_key(key, reading.slots, &mut rows);
            if self.expand_settled(reading, key, &rows).is_none() {
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
        rows: &StateRows<'_>,
    ) -> Option<()> {
        let parts = reading.layout.slots().len();
        let known = match reading.judged.look(&rows[..parts], &mut self.classes) {
            Look::Settled => true,
            Look::Tuple => reading.tuples.contains(&reading.layout.pack(&self.classes)),
            Look::Unsettled => false,
        };
        let first = self.successors.len();
        known.then_some(())?;
        reading
            .tables
            .expand(key, parts, rows, reading.slots, &mut self.successors)
            .ok()?;
        let terminal = self.successors.len() == first;
        (!terminal || !reading.judged.terminal_states).then_some(())
    }
}

/// A search over keys of some length.
pub(super) struct Search<const WORDS: usize> {
    layout: Layout,
    start: Key<WORDS>,
    frontier: Frontier<WORDS>,
    next: Frontier<WORDS>,
    visited: Visited<WORDS>,
    expander: Expander<WORDS>,
    /// States whose buckets are being fetched, to be looked up next.
    fetched: Vec<Key<WORDS>>,
    /// The tuples of classes that have been judged.
    tuples: HashSet<Key<WORDS>>,
    /// The views of states that were found without the tables.
    found: Vec<Vec<u32>>,
    /// Whether depth is taken to be a function of the state, so that a level can be forgotten once the
    /// next one is complete.
    graded: bool,
    /// The states of each level, in a search that keeps them for a trace.
    levels: Vec<Vec<Key<WORDS>>>,
    counts: Counts,
}

impl<const WORDS: usize> Search<WORDS> {
    /// A search from the initial states, whose views are `starts`.
    pub(super) fn new(layout: Layout, starts: &[Vec<u32>], graded: bool) -> Self {
        let start = starts.first().map_or(Key::ZERO, |views| layout.pack(views));
        let mut search = Self {
            visited: Visited::new(&layout, 0),
            layout,
            start,
            frontier: Frontier::default(),
            next: Frontier::default(),
            expander: Expander::new(start),
            fetched: Vec::new(),
            tuples: HashSet::new(),
            found: Vec::new(),
            graded,
            levels: vec![Vec::new()],
            counts: Counts::default(),
        };
        let starts: Vec<_> = starts.iter().map(|views| search.layout.pack(views)).collect();
        search.visited.insert(&starts, |key| search.frontier.push(key));
        search.counts.unique = search.frontier.len() as u64;
        search.counts.generated = starts.len() as u64;
        search.counts.depth = usize::from(!starts.is_empty());
        search
    }

    /// A way to the state sought, if it was found.
    pub(super) fn way(&self, knowledge: &mut Knowledge<'_>) -> Vec<Vec<u32>> {
        let sought = knowledge.sought.take();
        sought.map_or_else(Vec::new, |goal| {
            trace::way(knowledge, &self.layout, &self.levels, &goal)
        })
    }

    pub(super) fn counts(&self) -> Counts {
        Counts {
            generated: self.counts.generated + self.expander.generated,
            ..self.counts
        }
    }

    /// Goes on until the search has ended or cannot go on as it is.
    pub(super) fn advance(
        &mut self,
        knowledge: &mut Knowledge<'_>,
        progress: &mut dyn FnMut(Progress),
    ) -> Advance {
        loop {
            self.finish_put_aside(knowledge);
            let watch = knowledge.oracle.watch();
            if watch.is_cut_off() {
                return Advance::Ended;
            }
            let Some(mut block) = self.frontier.pop_block() else {
                if self.next.len() == 0 {
                    return Advance::Ended;
                }
                self.begin_level();
                continue;
            };
            block.truncate(watch.admit_up_to(block.len()));
            if knowledge.seeks {
                self.levels[self.counts.depth - 1].extend_from_slice(&block);
            }
            self.expand_block(knowledge, &block);
            self.find_out(knowledge);
            self.next.recycle(block);
            self.measure(knowledge);
            progress(Progress {
                judged: knowledge.oracle.watch().judged(),
                unique: self.counts.unique,
                depth: self.counts.depth,
                elapsed: knowledge.oracle.watch().elapsed(),
            });
            if knowledge.sought.is_some() {
                return Advance::Ended;
            }
            if self.graded && !knowledge.oracle.graded() {
                return Advance::Ungraded;
            }
            if let Some(layout) = knowledge.outgrows(&self.layout) {
                return Advance::Outgrown(layout);
            }
        }
    }

    fn begin_level(&mut self) {
        std::mem::swap(&mut self.frontier, &mut self.next);
        self.frontier.drop_spare();
        self.counts.depth += 1;
        self.levels.push(Vec::new());
        if self.graded {
            self.visited.reset(self.frontier.len());
        }
    }

    fn expand_block(&mut self, knowledge: &Knowledge<'_>, block: &[Key<WORDS>]) {
        let slots = self.layout.padded();
        let reading = Reading {
            layout: &self.layout,
            slots: &slots,
            tables: &knowledge.known.tables,
            judged: &knowledge.known.judged,
            tuples: &self.tuples,
        };
        let before = self.next.len();
        let (batches, rest) = block.as_chunks::<BATCH>();
        let mut batches = batches.iter().map(<[_; BATCH]>::as_slice).chain([rest]).peekable();
        // While a batch is expanded, the buckets of the one before are fetched, and the rows of the one
        // after.
        while let Some(batch) = batches.next() {
            for &key in batches.peek().copied().unwrap_or_default() {
                reading.tables.rows.prefetch(key, &slots);
            }
            self.expander.expand(&reading, batch);
            self.visited.prefetch(&self.expander.successors);
            self.visited
                .insert(&self.fetched, |key| self.next.push(key));
            std::mem::swap(&mut self.fetched, &mut self.expander.successors);
        }
        self.visited
            .insert(&self.fetched, |key| self.next.push(key));
        self.fetched.clear();
        self.counts.unique += (self.next.len() - before) as u64;
    }

    /// Finds out what the states put aside need, and judges them.
    fn find_out(&mut self, knowledge: &mut Knowledge<'_>) {
        let Knowledge {
            oracle,
            known,
            seeks,
            sought,
        } = knowledge;
        for &key in &self.expander.put_aside {
            let views: Vec<_> = self.layout.unpack(key).collect();
            let terminal = if oracle.steps_are_local() {
                known.tables.complete(*oracle, &views);
                known.tables.is_terminal(&views)
            } else {
                let next = oracle.successors(&views);
                let terminal = next.is_empty();
                self.found.extend(next);
                terminal
            };
            if let Some(classes) = oracle.settle(known, &views, terminal)
                && self.tuples.insert(self.layout.pack(&classes))
            {
                oracle.settle_tuple(&classes);
            }
            if *seeks && sought.is_none() && oracle.all_decided() {
                *sought = Some(views);
            }
        }
    }

    /// Adds the successors of the states put aside, about which everything is known by now.
    fn finish_put_aside(&mut self, knowledge: &Knowledge<'_>) {
        let put_aside = std::mem::take(&mut self.expander.put_aside);
        let mut successors = std::mem::take(&mut self.expander.successors);
        successors.clear();
        if knowledge.oracle.steps_are_local() {
            let slots = self.layout.padded();
            let mut rows = Rows::none();
            for key in put_aside {
                let tables = &knowledge.known.tables;
                tables.rows.of_key(key, &slots, &mut rows);
                let parts = self.layout.slots().len();
                let known = tables.expand(key, parts, &rows, &slots, &mut successors);
                debug_assert!(known.is_ok(), "all that it needs was found out");
            }
        } else {
            let found = std::mem::take(&mut self.found);
            successors.extend(found.iter().map(|views| self.layout.pack::<WORDS>(views)));
        }
        self.expander.generated += successors.len() as u64;
        let before = self.next.len();
        self.visited.insert(&successors, |key| self.next.push(key));
        self.counts.unique += (self.next.len() - before) as u64;
        self.expander.successors = successors;
    }

    fn measure(&mut self, knowledge: &Knowledge<'_>) {
        let key = size_of::<Key<WORDS>>();
        let bytes = self.frontier.bytes()
            + self.next.bytes()
            + self.visited.bytes()
            + self.expander.filter.bytes()
            + self.expander.successors.capacity() * key
            + self.tuples.capacity() * (key + 1)
            + knowledge.known.bytes()
            + knowledge.oracle.bytes();
        self.counts.peak_bytes = self.counts.peak_bytes.max(bytes);
    }

    /// The same search in another layout.
    pub(super) fn translated<const TO: usize>(self, to: Layout) -> Search<TO> {
        let counts = self.counts();
        let from = self.layout;
        let translate = |key: Key<WORDS>| from.translate(key, &to);
        let start = translate(self.start);
        let mut expander = Expander::new(start);
        expander.put_aside = self.expander.put_aside.into_iter().map(translate).collect();
        Search {
            start,
            frontier: self.frontier.map(translate),
            next: self.next.map(translate),
            visited: self.visited.translated(&from, &to),
            expander,
            fetched: Vec::new(),
            tuples: self.tuples.into_iter().map(translate).collect(),
            found: self.found,
            graded: self.graded,
            levels: self
                .levels
                .into_iter()
                .map(|level| level.into_iter().map(translate).collect())
                .collect(),
            counts,
            layout: to,
        }
    }
}
