//! The search: level by level, each state expanded from the tables; and what is missing there found
//! out in between.

use hashbrown::HashSet;

use super::frontier::Frontier;
use super::judge::Known;
use super::key::{Key, Layout};
use super::oracle::Oracle;
use super::parallel;
use super::trace;
use super::worker::{Expander, Keeper, Reading, expand_block, owner};
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

    /// The successors of a state that has been expanded.
    pub(super) fn successors<const WORDS: usize>(
        &mut self,
        layout: &Layout,
        key: Key<WORDS>,
    ) -> Vec<Key<WORDS>> {
        if self.oracle.steps_are_local() {
            self.known.tables.successors(key, layout.slots())
        } else {
            let views: Vec<_> = layout.unpack(key).collect();
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
        let start = starts.first().map_or(Key::ZERO, |views| layout.pack(views));
        let keys: Vec<_> = starts.iter().map(|views| layout.pack(views)).collect();
        let mut search = Self {
            start,
            frontier: Frontier::default(),
            expanders: (0..threads).map(|_| Expander::new(start)).collect(),
            keepers: (0..threads).map(|_| Keeper::new(&layout, 0)).collect(),
            layout,
            tuples: HashSet::new(),
            found: Vec::new(),
            graded,
            levels: Vec::new(),
            depth: 0,
            generated: keys.len() as u64,
            peak_bytes: 0,
        };
        search.keep(&keys);
        search
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
        self.frontier = Frontier::default();
        for keeper in &mut self.keepers {
            self.frontier.append(std::mem::take(&mut keeper.next));
        }
        self.depth += usize::from(self.frontier.len() > 0);
        self.levels.resize(self.depth, Vec::new());
        if self.graded {
            let expected = self.frontier.len() / self.keepers.len();
            self.keepers.iter_mut().for_each(|keeper| keeper.visited.reset(expected));
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
        if self.keepers.len() > 1 && parallel::is_worthwhile(self.frontier.len()) {
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
            parallel::expand(workers, &mut self.frontier, &reading, watch, &mut report);
        } else if let Some(mut block) = self.frontier.pop_block() {
            block.truncate(watch.admit_up_to(block.len()));
            if knowledge.seeks {
                self.levels[self.depth - 1].extend_from_slice(&block);
            }
            let (expander, keepers) = (&mut self.expanders[0], &mut self.keepers);
            match &mut keepers[..] {
                [keeper] => {
                    expand_block(expander, &reading, &block, |keys| keeper.keep_soon(keys));
                    keeper.finish();
                    keeper.next.recycle(block);
                }
                keepers => expand_block(expander, &reading, &block, |keys| share(keepers, keys)),
            }
        }
        self.measure(knowledge, waiting);
    }

    /// Finds out what the states put aside need, and judges them.
    fn find_out(&mut self, knowledge: &mut Knowledge<'_>) {
        let Knowledge { oracle, known, seeks, sought, .. } = knowledge;
        for &key in self.expanders.iter().flat_map(|expander| &expander.put_aside) {
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
    fn finish_put_aside(&mut self, knowledge: &mut Knowledge<'_>) {
        let put_aside = self.expanders.iter_mut().map(|expander| &mut expander.put_aside);
        let put_aside: Vec<_> = put_aside.flat_map(std::mem::take).collect();
        let successors: Vec<_> = if knowledge.oracle.steps_are_local() {
            let successors = put_aside.into_iter();
            successors.flat_map(|key| knowledge.successors(&self.layout, key)).collect()
        } else {
            let found = std::mem::take(&mut self.found);
            found.iter().map(|views| self.layout.pack(views)).collect()
        };
        self.generated += successors.len() as u64;
        self.keep(&successors);
    }

    fn keep(&mut self, keys: &[Key<WORDS>]) {
        match &mut self.keepers[..] {
            [keeper] => keeper.keep(keys),
            keepers => share(keepers, keys),
        }
    }

    fn measure(&mut self, knowledge: &Knowledge<'_>, waiting: usize) {
        let expanders = self.expanders.iter().map(Expander::bytes);
        let keepers = self.keepers.iter().map(Keeper::bytes);
        let bytes = waiting
            + expanders.sum::<usize>()
            + keepers.sum::<usize>()
            + self.tuples.capacity() * (size_of::<Key<WORDS>>() + 1)
            + knowledge.known.bytes()
            + knowledge.oracle.bytes();
        self.peak_bytes = self.peak_bytes.max(bytes);
    }

    /// The same search in another layout.
    pub(super) fn translated<const TO: usize>(self, to: Layout) -> Search<TO> {
        let Counts { generated, .. } = self.counts();
        let from = &self.layout;
        let translate = |key: Key<WORDS>| from.translate(key, &to);
        let threads = self.keepers.len();
        let mut search = Search::<TO>::new(to.clone(), &[], self.graded, threads);
        search.start = translate(self.start);
        search.expanders = (0..threads).map(|_| Expander::new(search.start)).collect();
        for expander in self.expanders {
            let put_aside = expander.put_aside.into_iter().map(translate);
            search.expanders[0].put_aside.extend(put_aside);
        }
        for keeper in self.keepers {
            keeper.visited.for_each(|key| {
                let key = translate(key);
                search.keepers[owner(key, threads)].visited.insert(&[key], |_| ());
            });
            // Which worker expands them is of no importance.
            search.keepers[0].next.append(keeper.next.map(translate));
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

/// Gives each state to its keeper.
fn share<const WORDS: usize>(keepers: &mut [Keeper<WORDS>], keys: &[Key<WORDS>]) {
    for &key in keys {
        keepers[owner(key, keepers.len())].keep(&[key]);
    }
}
