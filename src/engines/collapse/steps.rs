//! Memoised steps: tables in which a successor is looked up, so that expanding a state runs no code
//! of the model. The tables are filled by need: a state that finds something missing is put aside,
//! [`Tables::complete`] fills in what it needs, and it is expanded again.

use hashbrown::HashMap;

use super::key::{Key, MAX_PARTS, Slot};
use super::parts::Parts;
use crate::system::System;

/// Something a state needs is not in the tables.
pub(super) struct Missing;

/// No number of a view.
const UNKNOWN: u32 = u32::MAX;

/// A step of an actor in a view.
#[derive(Clone, Copy)]
struct Move {
    /// The view before and after, combined by exclusive or.
    flip: u32,
    /// Where its sends are: an [`Arrival`] if there is one at most, else a place in the list of sends.
    sends: u32,
    /// How many.
    count: u32,
}

/// Where the moves of a view are: those with one send at most, and then those with several.
#[derive(Clone, Copy)]
struct Moves {
    first: u32,
    simple: u16,
    several: u16,
}

const UNKNOWN_MOVES: Moves = Moves {
    first: UNKNOWN,
    simple: 0,
    several: 0,
};

/// Where nothing arrives. A move without sends sends to this one, so that it needs no code of its own:
/// which moves send cannot be predicted. It belongs to no part; its only view, 0, never changes.
const NOWHERE: usize = MAX_PARTS - 1;
const NOTHING: u32 = 0;

/// What becomes of the views of a part when some packets arrive from some other part.
struct Arrival {
    target: usize,
    source: usize,
    sent: u32,
    /// Per view, the view afterwards.
    after: Vec<u32>,
}

/// See the [module](self).
pub(super) struct Tables {
    /// Per part and view.
    moves_of: Vec<Vec<Moves>>,
    moves: Vec<Move>,
    arrivals: Vec<Arrival>,
    numbers: HashMap<(usize, usize, u32), u32>,
    sends: Vec<u32>,
}

/// The views of a state.
pub(super) type Views = [u32; MAX_PARTS];

/// Takes a key apart.
#[inline]
pub(super) fn unpack<const WORDS: usize>(key: Key<WORDS>, slots: &[Slot], views: &mut Views) {
    for (view, &slot) in views.iter_mut().zip(slots) {
        *view = key.get(slot);
    }
}

impl Tables {
    pub(super) fn new(parts: usize) -> Self {
        let nothing = Arrival {
            target: NOWHERE,
            source: NOWHERE,
            sent: 0,
            after: vec![0],
        };
        Self {
            moves_of: vec![Vec::new(); parts],
            moves: Vec::new(),
            arrivals: vec![nothing],
            numbers: HashMap::new(),
            sends: Vec::new(),
        }
    }

    /// Adds the successors of a state to `successors`; if something is missing, some of them.
    #[inline]
    pub(super) fn expand<const WORDS: usize>(
        &self,
        key: Key<WORDS>,
        views: &Views,
        slots: &[Slot],
        successors: &mut Vec<Key<WORDS>>,
    ) -> Result<(), Missing> {
        for ((&slot, &view), moves_of) in slots.iter().zip(views).zip(&self.moves_of) {
            let moves = moves_of.get(view as usize).unwrap_or(&UNKNOWN_MOVES);
            let first = moves.first as usize;
            let count = usize::from(moves.simple) + usize::from(moves.several);
            let known = self.moves.get(first..first + count).ok_or(Missing)?;
            let (simple, several) = known.split_at(usize::from(moves.simple));
            for step in simple {
                let next = self.arrived(key.flip(slot, step.flip), step.sends, views, slots);
                successors.push(next.ok_or(Missing)?);
            }
            for step in several {
                let sends = step.sends as usize..(step.sends + step.count) as usize;
                let mut next = key.flip(slot, step.flip);
                for &arrival in &self.sends[sends] {
                    next = self.arrived(next, arrival, views, slots).ok_or(Missing)?;
                }
                successors.push(next);
            }
        }
        Ok(())
    }

    /// The key after an arrival at a part that is as in `views`.
    #[inline]
    fn arrived<const WORDS: usize>(
        &self,
        key: Key<WORDS>,
        arrival: u32,
        views: &Views,
        slots: &[Slot],
    ) -> Option<Key<WORDS>> {
        let arrival = &self.arrivals[arrival as usize];
        let before = views[arrival.target];
        let after = *arrival.after.get(before as usize)?;
        let slot = slots.get(arrival.target).copied().unwrap_or_default();
        (after != UNKNOWN).then(|| key.flip(slot, before ^ after))
    }

    /// Fills in what a state with these views needs to be expanded.
    pub(super) fn complete<S: System>(&mut self, parts: &mut Parts<S>, views: &[u32]) {
        for (part, &view) in views.iter().enumerate() {
            self.add_moves(parts, part, view);
            let moves = self.moves_of[part][view as usize];
            let first = moves.first as usize;
            for index in first..first + usize::from(moves.simple + moves.several) {
                let Move { sends, count, .. } = self.moves[index];
                if count <= 1 {
                    self.add_arrival(parts, sends, views);
                } else {
                    for place in sends..sends + count {
                        self.add_arrival(parts, self.sends[place as usize], views);
                    }
                }
            }
        }
    }

    /// Whether a state whose needs are filled in has no successor.
    pub(super) fn is_terminal(&self, views: &[u32]) -> bool {
        let mut moves = views.iter().zip(&self.moves_of).map(|(&view, of)| of[view as usize]);
        moves.all(|moves| moves.simple + moves.several == 0)
    }

    fn add_moves<S: System>(&mut self, parts: &mut Parts<S>, part: usize, view: u32) {
        let known = self.moves_of[part].get(view as usize);
        if known.is_some_and(|moves| moves.first != UNKNOWN) {
            return;
        }
        let mut steps = parts.steps(part, view);
        steps.sort_by_key(|step| step.sends.len() > 1);
        let with = |sends: fn(usize) -> bool| {
            let count = steps.iter().filter(|step| sends(step.sends.len())).count();
            u16::try_from(count).expect("an actor has few steps at a time")
        };
        let moves = Moves {
            first: number(self.moves.len()),
            simple: with(|sends| sends <= 1),
            several: with(|sends| sends > 1),
        };
        for step in &steps {
            let arrivals = step.sends.iter();
            let arrivals: Vec<_> = arrivals
                .map(|&(target, sent)| self.arrival(target, part, sent))
                .collect();
            let sends = match arrivals[..] {
                [] => NOTHING,
                [arrival] => arrival,
                _ => number(self.sends.len()),
            };
            if arrivals.len() > 1 {
                self.sends.extend(&arrivals);
            }
            self.moves.push(Move {
                flip: view ^ step.view,
                sends,
                count: number(arrivals.len()),
            });
        }
        *entry(&mut self.moves_of[part], view, UNKNOWN_MOVES) = moves;
    }

    fn arrival(&mut self, target: usize, source: usize, sent: u32) -> u32 {
        let arrivals = &mut self.arrivals;
        *self.numbers.entry((target, source, sent)).or_insert_with(|| {
            arrivals.push(Arrival {
                target,
                source,
                sent,
                after: Vec::new(),
            });
            number(arrivals.len() - 1)
        })
    }

    fn add_arrival<S: System>(&mut self, parts: &mut Parts<S>, arrival: u32, views: &[u32]) {
        if arrival == NOTHING {
            return;
        }
        let arrival = &mut self.arrivals[arrival as usize];
        let before = views[arrival.target];
        let after = entry(&mut arrival.after, before, UNKNOWN);
        if *after == UNKNOWN {
            *after = parts.arrive(arrival.target, before, arrival.source, arrival.sent);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let moves_of = self.moves_of.iter().map(|of| of.capacity() * size_of::<Moves>());
        let after = self.arrivals.iter().map(|a| a.after.capacity() * size_of::<u32>());
        moves_of.sum::<usize>()
            + after.sum::<usize>()
            + self.moves.capacity() * size_of::<Move>()
            + self.sends.capacity() * size_of::<u32>()
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("memory ends before the numbers do")
}

/// The entry of a table, which is lengthened to hold it.
pub(super) fn entry<T: Copy>(table: &mut Vec<T>, index: u32, unknown: T) -> &mut T {
    let index = index as usize;
    if index >= table.len() {
        table.resize(index + 1, unknown);
    }
    &mut table[index]
}
