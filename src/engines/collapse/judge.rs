//! Claims judged from projections: what a claim reads of a state is the same for very many states, and
//! is judged once.
//!
//! A **class** is what the snapshot shows of a part. Claims about channels are judged for pairs of what
//! channels show of classes, claims about the whole snapshot for tuples of classes, claims about what is under way for
//! what they read of a view: which inputs are blocked, how many messages are in each, and whether steps are
//! withheld.
//! [`Judged`] remembers what has been judged; a search looks there first and comes to [`Judge`] with
//! what is new.

use std::iter::once;

use super::contents::Contents;
use super::interner::{Interner, Tuples};
use super::pairs::{Pair, joined};
use super::parts::Parts;
use super::rows::{LABEL, UNKNOWN, Views};
use super::steps::Tables;
use crate::claims::{self, Predicate};
use crate::engines::Request;
use crate::engines::tally::Tally;
use crate::models::claim::Claim;
use crate::system::{Held, Part, Recording, System, View};

/// In the label of a view, beside its class: nothing more to record in this part.
const COMPLETE: u32 = 1;
/// This part declares completion.
const DECLARED: u32 = 2;
/// What is under way in this view has not been judged; set in a label that is not known.
const FRESH: u32 = 4;
const FLAGS: u32 = 3;

/// The class that a label names.
#[inline]
pub(super) fn class(label: u32) -> u32 {
    label >> FLAGS
}

/// The flags of some labels.
#[derive(Clone, Copy)]
pub(super) struct Flags {
    all: u32,
    any: u32,
}

impl Flags {
    pub(super) fn new() -> Self {
        Self { all: COMPLETE, any: 0 }
    }

    #[inline]
    pub(super) fn add(&mut self, label: u32) {
        self.all &= label;
        self.any |= label;
    }

    /// Whether the snapshot is complete or declared to be, so that it is judged as a whole.
    pub(super) fn are_of_whole(self) -> bool {
        (self.all & COMPLETE) | (self.any & DECLARED) != 0
    }
}

/// What has been judged.
pub(super) struct Judged {
    pairs: Vec<Pair>,
    /// Whether every state must be shown to the judge.
    pub(super) every_state: bool,
    /// Whether every state must be judged as a whole.
    whole_states: bool,
    /// Whether the contents of channels must be judged in every state.
    contents: bool,
    /// Whether every state without successors must.
    pub(super) terminal_states: bool,
}

impl Judged {
    /// Whether every pair of these classes has been judged.
    pub(super) fn has_pairs(&self, classes: &Views) -> bool {
        self.pairs.iter().all(|pair| pair.has(classes))
    }

    fn bytes(&self) -> usize {
        self.pairs.iter().map(Pair::bytes).sum()
    }
}

/// What a search reads.
pub(super) struct Known {
    pub(super) tables: Tables,
    pub(super) judged: Judged,
}

impl Known {
    pub(super) fn new(parts: usize, judged: Judged) -> Self {
        Self { tables: Tables::new(parts), judged }
    }

    pub(super) fn bytes(&self) -> usize {
        self.tables.bytes() + self.judged.bytes()
    }
}

/// Judges what is new.
pub(super) struct Judge<S: System> {
    pub(super) tally: Tally<S>,
    /// Whether states are judged as they are, each by itself.
    whole: bool,
    /// Per part.
    recordings: Vec<Interner<Recording<S::Local>>>,
    /// Per two parts that share a channel, the ends of each.
    ends: Vec<[Interner<S::Local>; 2]>,
    /// Per part and local state, what is known of it.
    locals: Vec<Vec<Local>>,
    /// What a local state can keep waiting.
    held: Interner<Held>,
    /// Per part, what is under way and has been judged.
    under_way: Vec<Tuples>,
    contents: Contents<S>,
}

/// What the judge keeps of a local state.
#[derive(Clone, Copy)]
struct Local {
    /// Its class, and the flags.
    label: u32,
    /// What it holds back, by number.
    held: u32,
}

impl<S: System> Judge<S> {
    pub(super) fn new(system: &S, parts: usize, request: &Request) -> Self {
        Self {
            whole: system.is_judged_whole(),
            tally: Tally::new(request),
            recordings: (0..parts).map(|_| Interner::default()).collect(),
            ends: joined(system).iter().map(|_| [(); 2].map(|()| Interner::default())).collect(),
            locals: vec![Vec::new(); parts],
            held: Interner::default(),
            under_way: (0..parts).map(|_| Tuples::new(1 + parts)).collect(),
            contents: Contents::new(system),
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let recordings = self.recordings.iter().map(Interner::bytes);
        let ends = self.ends.iter().flatten().map(Interner::bytes);
        let locals = self.locals.iter().map(|known| known.capacity() * size_of::<Local>());
        let under_way = self.under_way.iter().map(Tuples::bytes);
        recordings.sum::<usize>()
            + ends.sum::<usize>()
            + locals.sum::<usize>()
            + self.held.bytes()
            + under_way.sum::<usize>()
            + self.contents.bytes()
    }

    /// Nothing has been judged.
    pub(super) fn begin(&self, system: &S) -> Judged {
        let mut judged = Judged {
            pairs: joined(system).into_iter().map(Pair::of).collect(),
            every_state: false,
            whole_states: false,
            contents: false,
            terminal_states: false,
        };
        self.look_ahead(&mut judged);
        judged
    }

    /// What must be looked at from now on; less and less, as claims are decided.
    fn look_ahead(&self, judged: &mut Judged) {
        let undecided = |scope: fn(Predicate) -> bool| {
            self.tally.undecided().any(|claim| scope(claims::predicate(claim)))
        };
        judged.whole_states = undecided(|scope| matches!(scope, Predicate::State(_)));
        judged.contents = undecided(|scope| matches!(scope, Predicate::Contents(_)));
        judged.every_state = self.whole || judged.whole_states || judged.contents;
        judged.terminal_states = undecided(|scope| matches!(scope, Predicate::Terminal(_)));
        if !undecided(|scope| matches!(scope, Predicate::Channel(_))) {
            judged.pairs.clear();
        }
    }

    /// Judges all that is new in a state, except the tuple of its classes, which is returned if it
    /// must be judged too.
    pub(super) fn settle(
        &mut self,
        parts: &Parts<S>,
        known: &mut Known,
        views: &[u32],
        terminal: bool,
    ) -> Option<Views> {
        let Known { tables, judged } = known;
        if self.whole {
            let state = parts.join(views);
            self.tally.note_state(parts.system(), &state);
            return None;
        }
        let decided = self.tally.decisions();
        let mut classes: Views = [0; _];
        let mut flags = Flags::new();
        for (part, &view) in views.iter().enumerate() {
            let label = self.settle_view(parts, tables, part, view);
            flags.add(label);
            classes[part] = class(label);
        }
        self.number_ends(parts, judged, &classes);
        for pair in judged.pairs.iter_mut().filter(|pair| !pair.has(&classes)) {
            pair.add(&classes);
            let ends = pair.parts.map(|part| (part, self.shown(part, classes[part])));
            let channels = parts.system().channels(ends);
            for claim in self.undecided(|scope| matches!(scope, Predicate::Channel(_))) {
                channels.iter().for_each(|channel| self.tally.note_channel(claim, channel));
            }
        }
        if judged.contents {
            self.contents.settle(parts, views, &self.tally);
        }
        if judged.whole_states || (terminal && judged.terminal_states) {
            let state = parts.join(views);
            let views = parts.system().views(&state);
            self.judge(&views, |scope| {
                matches!(scope, Predicate::State(_) | Predicate::Terminal(_))
            });
        }
        if self.tally.decisions() > decided {
            self.look_ahead(judged);
        }
        flags.are_of_whole().then_some(classes)
    }

    /// Finds out the ends of classes that are new.
    fn number_ends(&mut self, parts: &Parts<S>, judged: &mut Judged, classes: &Views) {
        for (pair, known) in judged.pairs.iter_mut().zip(&mut self.ends) {
            let [p, q] = pair.parts;
            for (side, part, other) in [(0, p, q), (1, q, p)] {
                for class in pair.ends[side].len() as u32..=classes[part] {
                    let shown = &self.recordings[part].get(class).local;
                    let end = parts.system().end(part, other, shown);
                    pair.ends[side].push(known[side].intern(&end));
                }
            }
        }
    }

    /// Judges a tuple of classes, of a state in which the snapshot is complete or declared to be.
    pub(super) fn settle_tuple(&mut self, parts: &Parts<S>, classes: &Views) {
        let shown = |part| Part::idle(self.shown(part, classes[part]).clone());
        let state = parts.stage((0..parts.count()).map(|part| (part, shown(part))));
        let views = parts.system().views(&state);
        self.judge(&views, |scope| {
            matches!(scope, Predicate::Complete(_) | Predicate::Declared(_))
        });
        for outcome in parts.system().outcomes(&state) {
            self.tally.add_outcome(outcome);
        }
    }

    /// Judges what is under way in a view, once, and gives its label.
    fn settle_view(
        &mut self,
        parts: &Parts<S>,
        tables: &mut Tables,
        part: usize,
        view: u32,
    ) -> u32 {
        let label = tables.rows.get(part, view, LABEL);
        if label & FRESH == 0 {
            return label;
        }
        let Local { label, held } = self.local(parts, part, parts.local(part, view));
        let known = self.under_way[part].len();
        let under_way: Vec<_> = once(held).chain(parts.in_flight(part, view)).collect();
        if self.under_way[part].intern(&under_way) as usize == known {
            let state = parts.stage([(part, parts.part(part, view))]);
            let shown = parts.system().views(&state);
            self.judge(&shown, |scope| matches!(scope, Predicate::Flow(_) | Predicate::Held(_)));
        }
        *tables.rows.place(part, view, LABEL) = label;
        label
    }

    /// Whether the snapshot shows a difference between two views of a part.
    pub(super) fn tells_apart(
        &mut self,
        parts: &Parts<S>,
        part: usize,
        before: u32,
        after: u32,
    ) -> bool {
        let [before, after] =
            [before, after].map(|view| self.local(parts, part, parts.local(part, view)));
        before.label != after.label
    }

    fn local(&mut self, parts: &Parts<S>, part: usize, local: u32) -> Local {
        let locals = &mut self.locals[part];
        if local as usize >= locals.len() {
            locals.resize(local as usize + 1, Local { label: UNKNOWN, held: 0 });
        }
        let known = &mut locals[local as usize];
        if known.label == UNKNOWN {
            let state = parts.local_state(part, local);
            let recording = parts.system().recording(part, state);
            let label = (self.recordings[part].intern(&recording) << FLAGS)
                | (u32::from(recording.complete) * COMPLETE)
                | (u32::from(recording.declared) * DECLARED);
            let system = parts.system();
            let held = system.held(part, state);
            *known = Local { label, held: self.held.intern(&held) };
        }
        *known
    }

    /// A local state that shows what those of a class do.
    fn shown(&self, part: usize, class: u32) -> &S::Local {
        &self.recordings[part].get(class).local
    }

    /// Judges by the undecided claims of some scopes.
    fn judge(&self, views: &[View], scope: fn(Predicate) -> bool) {
        for view in views {
            self.undecided(scope).for_each(|claim| self.tally.note(claim, view));
        }
    }

    fn undecided(&self, scope: fn(Predicate) -> bool) -> impl Iterator<Item = Claim> + '_ {
        self.tally.undecided().filter(move |&claim| scope(claims::predicate(claim)))
    }
}
