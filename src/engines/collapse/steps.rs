//! Memoised steps: tables in which a successor is looked up, so that expanding a state runs no code
//! of the model. The tables are filled by need: a state that finds something missing is put aside,
//! [`Tables::complete`] fills in what it needs, and it is expanded again.

use hashbrown::HashMap;

use super::key::Key;
use super::oracle::Oracle;
use super::prefetch::prefetch;
use super::rows::{ARRIVALS, COUNTS, FIRST, Row, Rows, UNKNOWN};

/// Something a state needs is not in the tables.
pub(super) struct Missing;

/// A part, and the place in its rows that says what becomes of it when some packets arrive.
#[derive(Clone, Copy)]
struct Arrival(u32);

const PLACE_BITS: u32 = 24;

impl Arrival {
    fn new(target: usize, place: usize) -> Self {
        let place = u32::try_from(place).ok().filter(|&place| place < 1 << PLACE_BITS);
        let place = place.expect("an actor is sent few different packets in one step");
        Self((target as u32) << PLACE_BITS | place)
    }

    fn target(self) -> usize {
        (self.0 >> PLACE_BITS) as usize
    }

    fn place(self) -> usize {
        (self.0 & ((1 << PLACE_BITS) - 1)) as usize
    }
}

/// A step of an actor in a view.
#[derive(Clone, Copy)]
struct Move {
    /// The view before and after, combined by exclusive or.
    flip: u32,
    /// What arrives where if that is one thing at most; else a place in the list of sends.
    sends: u32,
}

/// See the [module](self).
pub(super) struct Tables {
    pub(super) rows: Rows,
    /// The moves of one view stand together: those with one send at most, and then the others.
    moves: Vec<Move>,
    /// For moves with several sends their number, and then the arrivals.
    sends: Vec<u32>,
    /// By target, source and what is sent.
    arrivals: HashMap<(usize, usize, u32), Arrival>,
    /// Per target, what arrives at it: source and what is sent.
    sent: Vec<Vec<(usize, u32)>>,
}

impl Tables {
    pub(super) fn new(parts: usize) -> Self {
        Self {
            rows: Rows::new(parts),
            moves: Vec::new(),
            sends: Vec::new(),
            arrivals: HashMap::new(),
            sent: vec![Vec::new(); parts],
        }
    }

    /// Adds the successors of a state to `successors`; if something is missing, some of them and some
    /// that are none. `rows` has one more for the part at which nothing arrives.
    #[inline]
    pub(super) fn expand<const WORDS: usize>(
        &self,
        key: Key<WORDS>,
        rows: &[Row<'_>],
        successors: &mut Vec<Key<WORDS>>,
    ) -> Result<(), Missing> {
        let mut missing = false;
        let mut arrive = |key: Key<WORDS>, arrival: Arrival| {
            let row = rows[arrival.target()];
            let flip = row.at(arrival.place());
            missing |= flip == UNKNOWN;
            key.flip(row.slot, flip)
        };
        for row in &rows[..self.sent.len()] {
            let (first, counts) = (row.at(FIRST) as usize, row.at(COUNTS));
            let (simple, several) = ((counts & 0xFFFF) as usize, (counts >> 16) as usize);
            let known = self.moves.get(first..first + simple + several);
            let (simple, several) = known.ok_or(Missing)?.split_at(simple);
            let next = |step: &Move| arrive(key.flip(row.slot, step.flip), Arrival(step.sends));
            successors.extend(simple.iter().map(next));
            for step in several {
                let first = step.sends as usize;
                let sends = &self.sends[first + 1..][..self.sends[first] as usize];
                let sends = sends.iter().map(|&arrival| Arrival(arrival));
                successors.push(sends.fold(key.flip(row.slot, step.flip), &mut arrive));
            }
        }
        if missing { Err(Missing) } else { Ok(()) }
    }

    /// Has the moves of a state fetched, whose rows are there.
    #[inline]
    pub(super) fn prefetch_moves(&self, rows: &[Row<'_>]) {
        for row in rows {
            if let Some(step) = self.moves.get(row.at(FIRST) as usize) {
                prefetch(step);
            }
        }
    }

    /// Fills in what a state with these views needs to be expanded.
    pub(super) fn complete(&mut self, oracle: &mut dyn Oracle, views: &[u32]) {
        for (part, &view) in views.iter().enumerate() {
            if self.rows.get(part, view, FIRST) == UNKNOWN {
                self.add_moves(oracle, part, view);
            }
            let first = self.rows.get(part, view, FIRST) as usize;
            let counts = self.rows.get(part, view, COUNTS);
            let (simple, several) = ((counts & 0xFFFF) as usize, (counts >> 16) as usize);
            for index in first..first + simple {
                self.add_arrival(oracle, Arrival(self.moves[index].sends), views);
            }
            for index in first + simple..first + simple + several {
                let first = self.moves[index].sends as usize;
                for place in first + 1..=first + self.sends[first] as usize {
                    self.add_arrival(oracle, Arrival(self.sends[place]), views);
                }
            }
        }
    }

    /// Whether a state whose needs are filled in has no successor.
    pub(super) fn is_terminal(&self, views: &[u32]) -> bool {
        let mut parts = views.iter().enumerate();
        parts.all(|(part, &view)| self.rows.get(part, view, COUNTS) == 0)
    }

    fn add_moves(&mut self, oracle: &mut dyn Oracle, part: usize, view: u32) {
        let (simple, several): (Vec<_>, Vec<_>) =
            oracle.steps(part, view).into_iter().partition(|step| step.sends.len() <= 1);
        let first = number(self.moves.len());
        for step in &simple {
            let arrival = step.sends.first();
            let arrival = arrival
                .map_or(Arrival::new(self.sent.len(), ARRIVALS), |&(target, sent)| {
                    self.arrival(target, part, sent)
                });
            self.add_move(view ^ step.view, arrival.0);
        }
        for step in &several {
            let place = number(self.sends.len());
            self.sends.push(number(step.sends.len()));
            for &(target, sent) in &step.sends {
                let arrival = self.arrival(target, part, sent);
                self.sends.push(arrival.0);
            }
            self.add_move(view ^ step.view, place);
        }
        let count = |steps: usize| u16::try_from(steps).expect("an actor has few steps at a time");
        let counts = u32::from(count(simple.len())) | u32::from(count(several.len())) << 16;
        *self.rows.place(part, view, FIRST) = first;
        *self.rows.place(part, view, COUNTS) = counts;
    }

    fn add_move(&mut self, flip: u32, sends: u32) {
        self.moves.push(Move { flip, sends });
    }

    fn arrival(&mut self, target: usize, source: usize, sent: u32) -> Arrival {
        let known = &mut self.sent[target];
        *self.arrivals.entry((target, source, sent)).or_insert_with(|| {
            known.push((source, sent));
            Arrival::new(target, ARRIVALS + known.len() - 1)
        })
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
            + self.moves.capacity() * size_of::<Move>()
            + self.sends.capacity() * size_of::<u32>()
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("memory ends before the numbers do")
}
