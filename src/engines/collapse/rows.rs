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
struct Line([u32; LINE]);

static UNKNOWN_ROW: [Line; 1] = [Line([UNKNOWN; LINE])];

/// The row of a part at which nothing arrives, behind those of the other parts. A move without sends
/// sends to this part, so that it needs no code of its own: which moves send cannot be predicted.
static NOTHING: [Line; 1] = [Line([0; LINE])];

/// The rows of the views of one part.
struct Part {
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

/// The row of a part of a state, and where the part's number is in the key.
#[derive(Clone, Copy)]
pub(super) struct Row<'r> {
    lines: &'r [Line],
    pub(super) slot: Slot,
}

impl Row<'_> {
    /// What a place in the row says.
    #[inline]
    pub(super) fn at(self, place: usize) -> u32 {
        at(self.lines, place)
    }
}

#[inline]
fn at(lines: &[Line], place: usize) -> u32 {
    lines.get(place / LINE).map_or(UNKNOWN, |line| line.0[place % LINE])
}

impl Rows {
    pub(super) fn new(parts: usize) -> Self {
        let part = |_| Part { lines: Vec::new(), width_log: 0 };
        Self { parts: (0..parts).map(part).collect() }
    }

    /// Adds the rows of a state to `rows`; behind them one for the part at which nothing arrives.
    #[inline]
    pub(super) fn look_up<'r, const WORDS: usize>(
        &'r self,
        key: Key<WORDS>,
        slots: &[Slot],
        rows: &mut Vec<Row<'r>>,
    ) {
        let parts = self.parts.iter().zip(slots);
        rows.extend(parts.map(|(part, &slot)| Row { lines: part.row(key.get(slot)), slot }));
        rows.push(Row { lines: &NOTHING, slot: Slot::default() });
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
            part.lines.resize(end, UNKNOWN_ROW[0]);
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
        let first = (view as usize) << self.width_log;
        let row = self.lines.get(first..first + (1 << self.width_log));
        row.unwrap_or(&UNKNOWN_ROW)
    }

    /// Makes room for twice as much in each row.
    fn widen(&mut self) {
        let width = 1 << self.width_log;
        let mut lines = Vec::with_capacity(2 * self.lines.len());
        for row in self.lines.chunks(width) {
            lines.extend_from_slice(row);
            lines.resize(lines.len() + width, UNKNOWN_ROW[0]);
        }
        self.lines = lines;
        self.width_log += 1;
    }
}
