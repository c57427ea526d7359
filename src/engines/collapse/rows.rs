//! What is known of each view, in a row of numbers: one cache line where that is enough, so that all
//! that a state needs of a part is fetched at once.

use super::key::{Key, MAX_PARTS, Slot};
use super::prefetch::prefetch;

/// Not known, in every place of a row. No number of a view, nor two combined, is as large.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// The places of a row: what the judge keeps,
pub(super) const LABEL: usize = 0;
/// how many moves the view has: [`SILENT`] ones, whether there is a [`SENDING`] one, and others in the
/// upper half,
pub(super) const COUNTS: usize = 1;
/// where the others begin,
pub(super) const OTHERS: usize = 2;
/// the view before and after each silent move, combined by exclusive or,
pub(super) const SILENT: usize = 3;
/// the same for the sending move, and what arrives where,
pub(super) const SENDING: usize = SILENT + MOST_SILENT;
/// and from here on the same for each arrival.
pub(super) const ARRIVALS: usize = SENDING + 2;

/// Moves without sends for which there is room in a row, beside one with a send: few views have more.
pub(super) const MOST_SILENT: usize = 2;

/// Moves for which there is room in a row.
pub(super) const READY: usize = MOST_SILENT + 1;

const LINE: usize = 16;

/// A cache line of a row.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Line([u32; LINE]);

static UNKNOWN_LINE: Line = Line([UNKNOWN; LINE]);
static NOTHING: Line = Line([0; LINE]);

/// The rows of the views of one part.
pub(super) struct Part {
    lines: Vec<Line>,
    /// Lines in a row, as a power of two.
    width_log: u32,
}

/// The rows of all views.
pub(super) struct Rows {
    parts: Vec<Part>,
}

/// The views of a state.
pub(super) type Views = [u32; MAX_PARTS];

/// The row of a view, to be read.
pub(super) trait Row<'r>: Copy {
    /// The row of a part at which nothing arrives.
    const NOTHING: Self;
    fn of(part: &'r Part, view: u32) -> Self;
    /// What a place in the row says.
    fn at(self, place: usize) -> u32;
}

/// Where each row is one line, there is nothing to check.
impl<'r> Row<'r> for &'r Line {
    const NOTHING: Self = &NOTHING;

    #[inline]
    fn of(part: &'r Part, view: u32) -> Self {
        part.lines.get(view as usize).unwrap_or(&UNKNOWN_LINE)
    }

    #[inline]
    fn at(self, place: usize) -> u32 {
        self.0[place % LINE]
    }
}

impl<'r> Row<'r> for &'r [Line] {
    const NOTHING: Self = std::slice::from_ref(&NOTHING);

    #[inline]
    fn of(part: &'r Part, view: u32) -> Self {
        let first = (view as usize) << part.width_log;
        let row = part.lines.get(first..first + (1 << part.width_log));
        row.unwrap_or(std::slice::from_ref(&UNKNOWN_LINE))
    }

    #[inline]
    fn at(self, place: usize) -> u32 {
        self.get(place / LINE).map_or(UNKNOWN, |line| line.0[place % LINE])
    }
}

/// A power of two, so that the number of a part needs no check.
const PLACES: usize = 64;
const _: () = assert!(MAX_PARTS < PLACES);

/// The rows of the parts of a state, and where their numbers are in the key. Behind them stands one
/// more for a part at which nothing arrives: where a view has no move that sends, none that counts sends
/// to it.
pub(super) struct StateRows<'r, R> {
    parts: &'r [Part],
    rows: [R; PLACES],
    slots: [Slot; PLACES],
}

impl<'r, R: Row<'r>> StateRows<'r, R> {
    /// Goes on to another state.
    #[inline]
    pub(super) fn look_up<const WORDS: usize>(&mut self, key: Key<WORDS>) {
        for ((row, slot), part) in self.rows.iter_mut().zip(&self.slots).zip(self.parts) {
            *row = R::of(part, key.get(*slot));
        }
    }

    #[inline]
    pub(super) fn part(&self, part: usize) -> (R, Slot) {
        (self.rows[part % PLACES], self.slots[part % PLACES])
    }

    #[inline]
    pub(super) fn parts(&self) -> impl ExactSizeIterator<Item = (R, Slot)> + '_ {
        (0..self.parts.len()).map(|part| self.part(part))
    }
}

impl Rows {
    pub(super) fn new(parts: usize) -> Self {
        let part = |_| Part { lines: Vec::new(), width_log: 0 };
        Self { parts: (0..parts).map(part).collect() }
    }

    /// Whether each row is one line.
    pub(super) fn are_lines(&self) -> bool {
        self.parts.iter().all(|part| part.width_log == 0)
    }

    /// Rows to look up.
    pub(super) fn of_states<'r, R: Row<'r>>(&'r self, slots: &[Slot]) -> StateRows<'r, R> {
        let mut rows =
            StateRows { parts: &self.parts, rows: [R::NOTHING; _], slots: [Slot::default(); _] };
        rows.slots[..slots.len()].copy_from_slice(slots);
        rows
    }

    /// Has the rows of a state fetched that will be looked up soon.
    #[inline]
    pub(super) fn prefetch<const WORDS: usize>(&self, key: Key<WORDS>, slots: &[Slot]) {
        for (part, &slot) in self.parts.iter().zip(slots) {
            if let Some(line) = part.lines.get((key.get(slot) as usize) << part.width_log) {
                prefetch(line);
            }
        }
    }

    /// A place in the row of a view, to be written.
    pub(super) fn place(&mut self, part: usize, view: u32, place: usize) -> &mut u32 {
        let part = &mut self.parts[part];
        while place >= LINE << part.width_log {
            part.widen();
        }
        let first = (view as usize) << part.width_log;
        let end = first + (1 << part.width_log);
        if end > part.lines.len() {
            part.lines.resize(end, UNKNOWN_LINE);
        }
        &mut part.lines[first + place / LINE].0[place % LINE]
    }

    /// What a place in the row of a view says.
    pub(super) fn get(&self, part: usize, view: u32, place: usize) -> u32 {
        <&[Line]>::of(&self.parts[part], view).at(place)
    }

    pub(super) fn bytes(&self) -> usize {
        let lines = self.parts.iter().map(|part| part.lines.capacity());
        lines.sum::<usize>() * size_of::<Line>()
    }
}

impl Part {
    /// Makes room for twice as much in each row.
    fn widen(&mut self) {
        let width = 1 << self.width_log;
        let mut lines = Vec::with_capacity(2 * self.lines.len());
        for row in self.lines.chunks(width) {
            lines.extend_from_slice(row);
            lines.resize(lines.len() + width, UNKNOWN_LINE);
        }
        self.lines = lines;
        self.width_log += 1;
    }
}
