//! Memoised steps: tables in which a successor is looked up, so that expanding a state runs no code
//! of the model. The tables are filled by need: a state that finds something missing is put aside,
//! [`Tables::complete`] fills in what it needs, and it is expanded again.

use hashbrown::HashMap;

use super::key::Key;
use super::key::Slot;
use super::oracle::Oracle;
use super::rows::{
    ARRIVALS, COUNTS, Line, MOST_SILENT, OTHERS, READY, Row, Rows, SENDING, SILENT, StateRows,
    UNKNOWN,
};
use super::successors::Successors;

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

/// A step of an actor in a view for which there is no room in the view's row, or that sends more than
/// one thing.
#[derive(Clone, Copy)]
struct Other {
    /// The view before and after, combined by exclusive or.
    flip: u32,
    /// Where in the list of sends are their number and they.
    sends: u32,
}

/// See the [module](self).
pub(super) struct Tables {
    pub(super) rows: Rows,
    /// The moves that are not in the rows; those of one view stand together.
    others: Vec<Other>,
    /// For each of them the number of its sends, and then the arrivals.
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
            others: Vec::new(),
            sends: Vec::new(),
            arrivals: HashMap::new(),
            sent: vec![Vec::new(); parts],
        }
    }

    /// Adds the successors of a state to `successors`; if something is missing, some of them and some
    /// that are none.
    #[inline]
    pub(super) fn expand<'r, R: Row<'r>, const WORDS: usize>(
        &self,
        key: Key<WORDS>,
        rows: &StateRows<'r, R>,
        successors: &mut Successors<WORDS>,
    ) -> Result<(), Missing> {
        // One more than can be needed, so that the place of a sending move needs no check.
        let room = successors.room(READY * rows.parts().len() + 1);
        // The highest bit of what is seen is set only in what is not known.
        let (mut len, mut seen, mut counted) = (0, 0, 0);
        for (row, slot) in rows.parts() {
            // Without branches, as if every view had all the moves for which there is room: how many
            // it has cannot be predicted.
            let next = room.get_mut(len..).and_then(<[_]>::first_chunk_mut::<{ READY + 1 }>);
            let next = next.ok_or(Missing)?;
            for (index, next) in next[..MOST_SILENT].iter_mut().enumerate() {
                *next = key.flip(slot, row.at(SILENT + index));
            }
            let (arrived, target) = arrive(rows, Arrival(row.at(SENDING + 1)));
            let counts = row.at(COUNTS);
            let (silent, sending) = ((counts & 0xFF) as usize, (counts >> 8 & 0xFF) as usize);
            next[silent % (READY + 1)] = key.flip(slot, row.at(SENDING)).flip(target, arrived);
            len += silent + sending;
            counted |= counts;
            seen |= arrived;
        }
        if (seen | counted) >> 31 != 0 {
            return Err(Missing);
        }
        successors.add(len);
        if counted >> 16 != 0 {
            self.expand_others(key, rows, successors)?;
        }
        Ok(())
    }

    /// Adds the successors by the moves that are not in rows, which are known. Apart from the loop in
    /// which most states are expanded, so that the processor's registers are enough there.
    #[inline(never)]
    fn expand_others<'r, R: Row<'r>, const WORDS: usize>(
        &self,
        key: Key<WORDS>,
        rows: &StateRows<'r, R>,
        successors: &mut Successors<WORDS>,
    ) -> Result<(), Missing> {
        let mut seen = 0;
        for (row, slot) in rows.parts() {
            let (first, count) = (row.at(OTHERS) as usize, (row.at(COUNTS) >> 16) as usize);
            for step in &self.others[first..first + count] {
                let mut next = key.flip(slot, step.flip);
                for &sent in self.sends(*step) {
                    let (arrived, target) = arrive(rows, Arrival(sent));
                    seen |= arrived;
                    next = next.flip(target, arrived);
                }
                successors.push(next);
            }
        }
        if seen >> 31 == 0 { Ok(()) } else { Err(Missing) }
    }

    fn sends(&self, step: Other) -> &[u32] {
        let first = step.sends as usize;
        &self.sends[first + 1..][..self.sends[first] as usize]
    }

    /// The successors of a state of which all is known.
    pub(super) fn successors<const WORDS: usize>(
        &self,
        key: Key<WORDS>,
        slots: &[Slot],
    ) -> Vec<Key<WORDS>> {
        let mut rows = self.rows.of_states::<&[Line]>(slots);
        rows.look_up(key);
        let mut successors = Successors::default();
        let known = self.expand(key, &rows, &mut successors);
        debug_assert!(known.is_ok(), "all that it needs was found out");
        successors.as_slice().to_vec()
    }

    /// Fills in what a state with these views needs to be expanded.
    pub(super) fn complete(&mut self, oracle: &mut dyn Oracle, views: &[u32]) {
        for (part, &view) in views.iter().enumerate() {
            if self.rows.get(part, view, COUNTS) == UNKNOWN {
                self.add_moves(oracle, part, view);
            }
            let counts = self.rows.get(part, view, COUNTS);
            self.add_arrival(oracle, Arrival(self.rows.get(part, view, SENDING + 1)), views);
            let first = self.rows.get(part, view, OTHERS) as usize;
            for index in first..first + (counts >> 16) as usize {
                let first = self.others[index].sends as usize;
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
        let steps = oracle.steps(part, view).into_iter();
        let (mut silent, sending): (Vec<_>, Vec<_>) = steps.partition(|step| step.sends.is_empty());
        let mut others = silent.split_off(MOST_SILENT.min(silent.len()));
        others.extend(sending);
        let ready = others.iter().position(|step| step.sends.len() <= 1);
        let ready = ready.map(|index| others.swap_remove(index));
        let more = u16::try_from(others.len()).ok().filter(|&more| more >> 15 == 0);
        let more = more.expect("an actor has few steps at a time");
        let counts = [silent.len() as u8, u8::from(ready.is_some())];
        for index in 0..MOST_SILENT {
            let after = silent.get(index).map_or(view, |step| step.view);
            *self.rows.place(part, view, SILENT + index) = view ^ after;
        }
        let nothing = Arrival::new(self.sent.len(), ARRIVALS);
        let sent = ready.as_ref().and_then(|step| step.sends.first());
        let arrival = sent.map_or(nothing, |&(to, sent)| self.arrival(to, part, sent));
        *self.rows.place(part, view, SENDING) = ready.map_or(0, |step| view ^ step.view);
        *self.rows.place(part, view, SENDING + 1) = arrival.0;
        *self.rows.place(part, view, COUNTS) =
            u32::from(u16::from_le_bytes(counts)) | u32::from(more) << 16;
        *self.rows.place(part, view, OTHERS) = number(self.others.len());
        for step in &others {
            let sends = number(self.sends.len());
            self.sends.push(number(step.sends.len()));
            for &(target, sent) in &step.sends {
                let arrival = self.arrival(target, part, sent);
                self.sends.push(arrival.0);
            }
            self.others.push(Other { flip: view ^ step.view, sends });
        }
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
            + self.others.capacity() * size_of::<Other>()
            + self.sends.capacity() * size_of::<u32>()
    }
}

/// What becomes of the number of the part at which something arrives, and where the number is.
#[inline]
fn arrive<'r, R: Row<'r>>(rows: &StateRows<'r, R>, arrival: Arrival) -> (u32, Slot) {
    let (row, slot) = rows.part(arrival.target());
    (row.at(arrival.place()), slot)
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("memory ends before the numbers do")
}
