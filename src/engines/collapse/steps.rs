//! Memoised steps: tables in which a successor is looked up, so that expanding a state runs no code
//! of the model. The tables are filled by need: a state that finds something missing is put aside,
//! [`Tables::complete`] fills in what it needs, and it is expanded again.

use hashbrown::HashMap;

use super::cause::Cause;
use super::found::Found;
use super::key::{Key, Slot};
use super::oracle::Oracle;
use super::parts::ViewStep;
use super::rows::{
    ALL, ARRIVALS, COUNTS, HAS_NEW_OTHERS, HAS_OTHERS, Line, NEW, OTHERS, Rows, SENDING, SHOWS,
    SILENT, SOURCES, UNKNOWN,
};

/// A part, and the place in its rows that says what becomes of it when some packets arrive.
#[derive(Clone, Copy)]
pub(super) struct Arrival(pub(super) u32);

const PLACE_BITS: u32 = 24;

impl Arrival {
    fn new(target: usize, place: usize) -> Self {
        let place = u32::try_from(place).ok().filter(|&place| place < 1 << PLACE_BITS);
        let place = place.expect("an actor is sent few different packets in one step");
        Self((target as u32) << PLACE_BITS | place)
    }

    #[inline]
    pub(super) fn target(self) -> usize {
        (self.0 >> PLACE_BITS) as usize
    }

    #[inline]
    pub(super) fn place(self) -> usize {
        (self.0 & ((1 << PLACE_BITS) - 1)) as usize
    }
}

/// A step of an actor in a view for which there is no place in the view's row.
#[derive(Clone, Copy)]
pub(super) struct Other {
    /// The view before and after, combined by exclusive or.
    pub(super) flip: u32,
    /// Where in the list of sends are their number and they.
    sends: u32,
    /// Of a receipt that a step of its source may have enabled, the source.
    pub(super) new_from: Option<u8>,
}

/// See the [module](self).
pub(super) struct Tables {
    pub(super) rows: Rows,
    /// The moves that are not in the rows, and of each group where it begins and ends.
    others: Vec<Other>,
    groups: Vec<(u32, u32)>,
    /// For each of them the number of its sends, and then the arrivals.
    sends: Vec<u32>,
    /// By target, source and what is sent.
    arrivals: HashMap<(usize, usize, u32), Arrival>,
    /// Per target, what arrives at it: source and what is sent.
    sent: Vec<Vec<(usize, u32)>>,
    /// By target and source, the most packets that have arrived at once.
    most_sent: HashMap<(usize, usize), usize>,
    /// Whether moves of some views were forgotten.
    pub(super) forgot: bool,
    /// Per part, the sources of the receipts for which there is a place.
    sources: Vec<Vec<usize>>,
}

impl Tables {
    pub(super) fn new(parts: usize) -> Self {
        Self {
            rows: Rows::new(parts),
            others: Vec::new(),
            groups: Vec::new(),
            sends: Vec::new(),
            arrivals: HashMap::new(),
            sent: vec![Vec::new(); parts],
            most_sent: HashMap::new(),
            forgot: false,
            sources: vec![Vec::new(); parts],
        }
    }

    /// The other moves of a group.
    #[inline]
    pub(super) fn group(&self, group: u32) -> &[Other] {
        let (first, end) = self.groups[group as usize];
        &self.others[first as usize..end as usize]
    }

    /// What arrives when another move is taken.
    #[inline]
    pub(super) fn sends(&self, other: Other) -> impl Iterator<Item = Arrival> + '_ {
        let first = other.sends as usize;
        let sends = &self.sends[first + 1..][..self.sends[first] as usize];
        sends.iter().map(|&arrival| Arrival(arrival))
    }

    /// The place among the first sources at which the receipts of a part from a source are, if any.
    #[inline]
    pub(super) fn source(&self, part: usize, source: usize) -> Option<usize> {
        self.sources[part].iter().position(|&placed| placed == source)
    }

    /// The successors of a state of which all is known, except itself.
    pub(super) fn successors<const WORDS: usize>(
        &self,
        key: Key<WORDS>,
        slots: &[Slot],
    ) -> Vec<Key<WORDS>> {
        let mut batch = self.rows.batch::<&[Line], WORDS>(slots);
        batch.look_up(key, |_, _| ());
        batch.keep();
        let mut found = Found::default();
        let known = self.expand(&batch, Cause::OTHER, &mut found);
        debug_assert!(known.is_ok(), "all that it needs was found out");
        found.keys().to_vec()
    }

    /// How many successors a state has of which all is known.
    pub(super) fn count(&self, views: &[u32]) -> u64 {
        let counts = views.iter().enumerate();
        let counts = counts.map(|(part, &view)| self.rows.get(part, view, COUNTS) & ALL);
        counts.map(u64::from).sum()
    }

    /// Fills in what a state with these views needs to be expanded.
    pub(super) fn complete(&mut self, oracle: &mut dyn Oracle, views: &[u32]) {
        // More than once, should what one part sends have others forget theirs.
        let unknown = |rows: &Rows| {
            let mut parts = views.iter().enumerate();
            parts.position(|(part, &view)| rows.get(part, view, COUNTS) == UNKNOWN)
        };
        while let Some(part) = unknown(&self.rows) {
            self.add_moves(oracle, part, views[part]);
        }
        for (part, &view) in views.iter().enumerate() {
            self.add_arrival(oracle, Arrival(self.rows.get(part, view, SENDING + 1)), views);
            if self.rows.get(part, view, COUNTS) >> HAS_OTHERS & 1 != 0 {
                let (first, end) = self.groups[self.rows.get(part, view, OTHERS) as usize];
                for other in first as usize..end as usize {
                    let sends = self.others[other].sends as usize;
                    for sent in 1..=self.sends[sends] as usize {
                        self.add_arrival(oracle, Arrival(self.sends[sends + sent]), views);
                    }
                }
            }
        }
    }

    fn add_moves(&mut self, oracle: &mut dyn Oracle, part: usize, view: u32) {
        let steps = oracle.steps(part, view);
        let count = u16::try_from(steps.len()).expect("an actor has few steps at a time");
        let mut counts = u32::from(count);
        let mut silent = [0; SOURCES];
        let nothing = Arrival::new(self.sent.len(), ARRIVALS);
        let mut sending = None;
        let first = number(self.others.len());
        for step in steps {
            let flip = view ^ step.view;
            let source = step.receipt.as_ref().map(|receipt| receipt.source);
            let place = source.filter(|_| step.sends.is_empty());
            let place = place.and_then(|source| self.place_of(part, source));
            let new_from = self.may_be_new(part, &step).then_some(source).flatten();
            if let Some(place) = place.filter(|&place| silent[place] == 0) {
                silent[place] = flip;
                counts |= u32::from(new_from.is_some()) << (NEW + place as u32);
                counts |= u32::from(step.shows) << (SHOWS + place as u32);
            } else if sending.is_none() && source.is_none() && step.sends.len() <= 1 && !step.shows
            {
                let sent = step.sends.first();
                let arrival = sent.map(|&(target, sent)| self.arrival(oracle, target, part, sent));
                sending = Some((flip, arrival.unwrap_or(nothing)));
            } else {
                let sends = number(self.sends.len());
                self.sends.push(number(step.sends.len()));
                for &(target, sent) in step.sends.iter() {
                    let arrival = self.arrival(oracle, target, part, sent);
                    self.sends.push(arrival.0);
                }
                counts |= 1 << HAS_OTHERS | u32::from(new_from.is_some()) << HAS_NEW_OTHERS;
                let new_from = new_from.map(|source| source as u8);
                self.others.push(Other { flip, sends, new_from });
            }
        }
        for (place, flip) in silent.into_iter().enumerate() {
            *self.rows.place(part, view, SILENT + place) = flip;
        }
        let (flip, arrival) = sending.unwrap_or((0, nothing));
        *self.rows.place(part, view, SENDING) = flip;
        *self.rows.place(part, view, SENDING + 1) = arrival.0;
        *self.rows.place(part, view, OTHERS) = number(self.groups.len());
        *self.rows.place(part, view, COUNTS) = counts;
        if counts >> HAS_OTHERS & 1 != 0 {
            self.groups.push((first, number(self.others.len())));
        }
    }

    /// The place at which the silent receipts of a part from a source are, if there is room.
    fn place_of(&mut self, part: usize, source: usize) -> Option<usize> {
        let sources = &mut self.sources[part];
        if !sources.contains(&source) && sources.len() < SOURCES {
            sources.push(source);
        }
        self.source(part, source)
    }

    /// Whether a step may just have been enabled by its source: all that waits there can have been sent
    /// at once.
    fn may_be_new(&self, part: usize, step: &ViewStep) -> bool {
        step.receipt.as_ref().is_some_and(|receipt| {
            let most = self.most_sent.get(&(part, receipt.source));
            most.is_some_and(|&most| receipt.waiting <= most)
        })
    }

    fn arrival(&mut self, oracle: &dyn Oracle, target: usize, source: usize, sent: u32) -> Arrival {
        if let Some(&arrival) = self.arrivals.get(&(target, source, sent)) {
            return arrival;
        }
        let known = &mut self.sent[target];
        known.push((source, sent));
        let arrival = Arrival::new(target, ARRIVALS + known.len() - 1);
        self.arrivals.insert((target, source, sent), arrival);
        let packets = oracle.packets(sent);
        let most = self.most_sent.entry((target, source)).or_default();
        if packets > *most {
            // More receipts than was thought may be new.
            *most = packets;
            self.rows.forget_moves(target);
            self.forgot = true;
        }
        arrival
    }

    fn add_arrival(&mut self, oracle: &mut dyn Oracle, arrival: Arrival, views: &[u32]) {
        let (target, place) = (arrival.target(), arrival.place());
        if target == self.sent.len() || self.rows.get(target, views[target], place) != UNKNOWN {
            return;
        }
        let (source, sent) = self.sent[target][place - ARRIVALS];
        let after = oracle.arrive(target, views[target], source, sent);
        *self.rows.place(target, views[target], place) = views[target] ^ after;
    }

    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.others.capacity() * size_of::<Other>()
            + self.groups.capacity() * size_of::<(u32, u32)>()
            + self.sends.capacity() * size_of::<u32>()
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("memory ends before the numbers do")
}
