//! The search: level by level, each state expanded from the tables; and what is missing there found
//! out in between.

use hashbrown::HashSet;

use super::cause::Cause;
use super::found::Found;
use super::frontier::Frontier;
use super::judge::Known;
use super::keeper::Keeper;
use super::key::{Key, Layout};
use super::oracle::Oracle;
use super::parallel;
use super::trace;
use super::visited::Visited;
use super::worker::{Expander, Reading, expand_block};
use crate::engines::Progress;
use crate::engines::limits::Watch;

/// All that is known of the system, whatever the layout of the keys.
pub(super) struct Knowledge<'o> {
    pub(super) oracle: &'o mut dyn Oracle,
    pub(super) known: Known,
    pub(super) threads: usize,
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

    /// The successors of a state, all of which have been found; perhaps without itself.
    pub(super) fn successors<const WORDS: usize>(
        &mut self,
        layout: &Layout,
        key: Key<WORDS>,
    ) -> Vec<Key<WORDS>> {
        let views: Vec<_> = layout.unpack(key).collect();
        if self.oracle.steps_are_local() {
            self.known.tables.complete(self.oracle, &views);
            self.known.tables.successors(key, layout.slots())
        } else {
            let next = self.oracle.successors(&views);
            next.iter().map(|views| layout.pack(views)).collect()
        }
    }
}

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

/// A search over keys of some length.
pub(super) struct Search<const WORDS: usize> {
    layout: Layout,
    start: Key<WORDS>,
    frontier: Frontier<WORDS>,
    /// One for each thread.
    expanders: Vec<Expander<WORDS>>,
    keepers: Vec<Keeper<WORDS>>,
    visited: Visited<WORDS>,
    /// The tuples of classes that have been judged.
    tuples: HashSet<Key<WORDS>>,
    /// The views of states that were found without the tables.
    found: Vec<Vec<u32>>,
    /// Whether depth is taken to be a function of the state, so that a level can be forgotten once the
    /// next one is complete.
    graded: bool,
    /// The states of each level, in a search that keeps them for a trace.
    levels: Vec<Vec<Key<WORDS>>>,
    depth: usize,
    /// States generated elsewhere than in the expanders.
    generated: u64,
    peak_bytes: usize,
}

impl<const WORDS: usize> Search<WORDS> {
    /// A search from the initial states, whose views are `starts`.
    pub(super) fn new(layout: Layout, starts: &[Vec<u32>], graded: bool, threads: usize) -> Self {
        let keys: Vec<_> = starts.iter().map(|views| layout.pack(views)).collect();
        let start = keys.first().copied().unwrap_or(Key::ZERO);
        let mut search = Self::empty(layout, start, graded, threads);
        search.generated = keys.len() as u64;
        search.keep(&keys);
        search
    }

    /// A search that has found nothing yet; `start` is an initial state.
    fn empty(layout: Layout, start: Key<WORDS>, graded: bool, threads: usize) -> Self {
        Self {
            start,
            frontier: Frontier::default(),
            expanders: (0..threads).map(|_| Expander::new(start)).collect(),
            keepers: (0..threads).map(|_| Keeper::new()).collect(),
            visited: Visited::new(&layout, threads),
            layout,
            tuples: HashSet::new(),
            found: Vec::new(),
            graded,
            levels: Vec::new(),
            depth: 0,
            generated: 0,
            peak_bytes: 0,
        }
    }

    /// A way to the state sought, if it was found.
    pub(super) fn way(&self, knowledge: &mut Knowledge<'_>) -> Vec<Vec<u32>> {
        let sought = knowledge.sought.take();
        sought
            .map_or_else(Vec::new, |goal| trace::way(knowledge, &self.layout, &self.levels, &goal))
    }

    pub(super) fn counts(&self) -> Counts {
        let generated = self.expanders.iter().map(|expander| expander.generated);
        Counts {
            unique: self.keepers.iter().map(|keeper| keeper.unique).sum(),
            generated: self.generated + generated.sum::<u64>(),
            depth: self.depth,
            peak_bytes: self.peak_bytes,
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
            if knowledge.oracle.watch().is_cut_off() {
                return Advance::Ended;
            }
            if self.frontier.len() == 0 && !self.begin_level() {
                return Advance::Ended;
            }
            self.expand(knowledge, progress);
            self.find_out(knowledge);
            progress(self.progress(knowledge.oracle.watch()));
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

    fn progress(&self, watch: &Watch) -> Progress {
        Progress {
            judged: watch.judged(),
            unique: self.counts().unique,
            depth: self.depth,
            elapsed: watch.elapsed(),
        }
    }

    /// Goes down one level; false if there is none.
    fn begin_level(&mut self) -> bool {
        for keeper in &mut self.keepers {
            keeper.finish(&self.visited);
            self.frontier.take_from(&mut keeper.next);
        }
        self.depth += usize::from(self.frontier.len() > 0);
        self.levels.resize(self.depth, Vec::new());
        if self.graded {
            self.visited.reset(self.frontier.len());
        }
        self.frontier.len() > 0
    }

    /// Expands states of this level: a block of them, or with several threads as many as can be
    /// expanded without finding out much.
    fn expand(&mut self, knowledge: &Knowledge<'_>, progress: &mut dyn FnMut(Progress)) {
        let reading = Reading {
            layout: &self.layout,
            tables: &knowledge.known.tables,
            judged: &knowledge.known.judged,
            tuples: &self.tuples,
        };
        let watch = knowledge.oracle.watch();
        let waiting = self.frontier.bytes();
        if self.is_parallel() {
            let unique: u64 = self.keepers.iter().map(|keeper| keeper.unique).sum();
            let mut report = || {
                progress(Progress {
                    judged: watch.judged(),
                    unique,
                    depth: self.depth,
                    elapsed: watch.elapsed(),
                });
            };
            let workers = self.expanders.iter_mut().zip(&mut self.keepers);
            let visited = &self.visited;
            parallel::expand(workers, visited, &mut self.frontier, &reading, watch, &mut report);
        } else if let Some(mut block) = self.frontier.pop_block() {
            block.truncate(watch.admit_up_to(block.len()));
            if knowledge.seeks {
                self.levels[self.depth - 1].extend_from_slice(block.keys());
            }
            let (expander, keeper) = (&mut self.expanders[0], &mut self.keepers[0]);
            expand_block(expander, &reading, &block, |found| keeper.keep(&self.visited, found));
            keeper.next.recycle(block);
        }
        self.measure(knowledge, waiting);
    }

    /// Finds out what the states put aside need, and judges them.
    fn find_out(&mut self, knowledge: &mut Knowledge<'_>) {
        let Knowledge { oracle, known, seeks, sought, .. } = knowledge;
        let put_aside = self.expanders.iter().flat_map(|expander| &expander.put_aside);
        let mut views = Vec::new();
        for &(_, key) in put_aside.clone() {
            views.clear();
            views.extend(self.layout.unpack(key));
            let terminal = if oracle.steps_are_local() {
                known.tables.complete(*oracle, &views);
                known.tables.count(&views) == 0
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
                *sought = Some(views.clone());
            }
        }
        // What one state needs may have had others forget what they need.
        while std::mem::take(&mut known.tables.forgot) {
            for &(_, key) in put_aside.clone() {
                views.clear();
                views.extend(self.layout.unpack(key));
                known.tables.complete(*oracle, &views);
            }
        }
    }

    /// Whether several threads go on with this level.
    fn is_parallel(&self) -> bool {
        self.keepers.len() > 1 && parallel::is_worthwhile(self.frontier.len())
    }

    /// Adds the successors of the states put aside, about which everything is known by now. Threads that
    /// go on with the level do so themselves.
    fn finish_put_aside(&mut self, knowledge: &Knowledge<'_>) {
        if !knowledge.oracle.steps_are_local() {
            self.expanders.iter_mut().for_each(|expander| expander.put_aside.clear());
            let found = std::mem::take(&mut self.found);
            self.generated += found.len() as u64;
            let found: Vec<_> = found.iter().map(|views| self.layout.pack(views)).collect();
            self.keep(&found);
        } else if !self.is_parallel() || knowledge.oracle.watch().is_cut_off() {
            let reading = Reading {
                layout: &self.layout,
                tables: &knowledge.known.tables,
                judged: &knowledge.known.judged,
                tuples: &self.tuples,
            };
            for (expander, keeper) in self.expanders.iter_mut().zip(&mut self.keepers) {
                expander.finish_put_aside(&reading, |found| keeper.keep(&self.visited, found));
            }
        }
    }

    /// Keeps those of `keys` that are new, however they were found.
    fn keep(&mut self, keys: &[Key<WORDS>]) {
        let mut found = Found::default();
        found.extend(keys);
        found.close(Cause::OTHER);
        self.keepers[0].keep(&self.visited, &found);
    }

    fn measure(&mut self, knowledge: &Knowledge<'_>, waiting: usize) {
        let expanders = self.expanders.iter().map(Expander::bytes);
        let keepers = self.keepers.iter().map(Keeper::bytes);
        let bytes = waiting
            + expanders.sum::<usize>()
            + keepers.sum::<usize>()
            + self.visited.bytes()
            + self.tuples.capacity() * (size_of::<Key<WORDS>>() + 1)
            + knowledge.known.bytes()
            + knowledge.oracle.bytes();
        self.peak_bytes = self.peak_bytes.max(bytes);
    }

    /// The same search in another layout.
    pub(super) fn translated<const TO: usize>(mut self, to: Layout) -> Search<TO> {
        self.keepers.iter_mut().for_each(|keeper| keeper.finish(&self.visited));
        let Counts { generated, .. } = self.counts();
        let from = &self.layout;
        let translate = |key: Key<WORDS>| from.translate(key, &to);
        let threads = self.keepers.len();
        let start = translate(self.start);
        let mut search = Search::<TO>::empty(to.clone(), start, self.graded, threads);
        for expander in self.expanders {
            let put_aside = expander.put_aside.into_iter();
            let put_aside = put_aside.map(|(cause, key)| (cause, translate(key)));
            search.expanders[0].put_aside.extend(put_aside);
        }
        search.visited.translate_from(&self.visited, translate);
        for keeper in self.keepers {
            // Which worker expands them is of no importance.
            search.keepers[0].next.take_from(&mut keeper.next.map(translate));
            search.keepers[0].unique += keeper.unique;
        }
        let level = |level: Vec<_>| level.into_iter().map(translate).collect();
        Search {
            frontier: self.frontier.map(translate),
            tuples: self.tuples.into_iter().map(translate).collect(),
            found: self.found,
            levels: self.levels.into_iter().map(level).collect(),
            depth: self.depth,
            generated,
            peak_bytes: self.peak_bytes,
            ..search
        }
    }
}
