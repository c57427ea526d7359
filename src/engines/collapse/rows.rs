//! What is known of each view, in a row of numbers: one cache line where that is enough, so that all
//! that a state needs of a part is fetched at once.

use super::key::{Key, MAX_PARTS, Slot};
use super::prefetch::prefetch;

/// Not known, in every place of a row. No number of a view, nor two combined, is as large.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// The places of a row: where the view's moves begin,
pub(super) const FIRST: usize = 0;
/// how many there are, with at most one send, and with several in the upper half,
pub(super) const COUNTS: usize = 1;
/// what the judge keeps,
pub(super) const LABEL: usize = 2;
/// and from here on for each arrival the view before and after it, combined by exclusive or.
pub(super) const ARRIVALS: usize = 3;

const LINE: usize = 16;

/// A cache line of a row.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Line([u32; LINE]);

static UNKNOWN_ROW: [Line; 1] = [Line([UNKNOWN; LINE])];

/// Where nothing arrives. A move without sends sends to this part, so that it needs no code of its
/// own: which moves send cannot be predicted.
pub(super) const NOWHERE: usize = MAX_PARTS - 1;
static NOTHING: [Line; 1] = [Line([0; LINE])];

/// The rows of the views of one part.
struct Part {
    lines: Vec<Line>,
    /// Lines in a row.
    width: usize,
}

/// The rows of all views.
pub(super) struct Rows {
    parts: Vec<Part>,
}

/// The views of a state.
pub(super) type Views = [u32; MAX_PARTS];

/// The rows of a state.
pub(super) type StateRows<'r> = [&'r [Line]; MAX_PARTS];

/// What a place in a row says.
#[inline]
pub(super) fn at(row: &[Line], place: usize) -> u32 {
    row.get(place / LINE).map_or(UNKNOWN, |line| line.0[place % LINE])
}

/// Where each part's number is in a key, as a lookup that never fails.
pub(super) type Slots = [Slot; MAX_PARTS];

impl Rows {
    pub(super) fn new(parts: usize) -> Self {
        let part = |_| Part { lines: Vec::new(), width: 1 };
        Self { parts: (0..parts).map(part).collect() }
    }

    /// Rows of no state.
    pub(super) fn none() -> StateRows<'static> {
        let mut rows: StateRows<'static> = [&UNKNOWN_ROW; _];
        rows[NOWHERE] = &NOTHING;
        rows
    }

    /// Looks up the rows of a state.
    #[inline]
    pub(super) fn of_key<'r, const WORDS: usize>(
        &'r self,
        key: Key<WORDS>,
        slots: &Slots,
        rows: &mut StateRows<'r>,
    ) {
        for ((row, part), &slot) in rows.iter_mut().zip(&self.parts).zip(slots) {
            *row = part.row(key.get(slot));
        }
    }

    /// Has the rows of a state fetched that will be looked up soon.
    #[inline]
    pub(super) fn prefetch<const WORDS: usize>(&self, key: Key<WORDS>, slots: &Slots) {
        for (part, &slot) in self.parts.iter().zip(slots) {
            if let Some(line) = part.lines.get(key.get(slot) as usize * part.width) {
                prefetch(line);
            }
        }
    }

    /// A place in the row of a view, to be written.
    pub(super) fn place(&mut self, part: usize, view: u32, place: usize) -> &mut u32 {
        let part = &mut self.parts[part];
        if place >= part.width * LINE {
            part.widen((place / LINE + 1).next_power_of_two());
        }
        let first = view as usize * part.width;
        if first + part.width > part.lines.len() {
            part.lines.resize(first + part.width, UNKNOWN_ROW[0]);
        }
        &mut part.lines[first + place / LINE].0[place % LINE]
    }

    /// What a place in the row of a view says.
    pub(super) fn get(&self, part: usize, view: u32, place: usize) -> u32 {
        at(self.parts[part].row(view), place)
    }

    pub(super) fn bytes(&self) -> usize {
        let lines = self.parts.iter().map(|part| part.lines.capacity());
        lines.sum::<usize>() * size_of::<Line>()
    }
}

impl Part {
    #[inline]
    fn row(&self, view: u32) -> &[Line] {
        let first = view as usize * self.width;
        let row = self.lines.get(first..first + self.width);
        row.unwrap_or(&UNKNOWN_ROW)
    }

    fn widen(&mut self, width: usize) {
        let mut lines = Vec::with_capacity(self.lines.len() / self.width * width);
        for row in self.lines.chunks(self.width) {
            lines.extend_from_slice(row);
            lines.resize(lines.len() + width - self.width, UNKNOWN_ROW[0]);
        }
        (self.lines, self.width) = (lines, width);
    }
}
