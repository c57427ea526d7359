//! What is known of each view, in a row of numbers: one cache line where that is enough, so that all
//! that a state needs of a part is fetched at once.

use super::key::{Key, MAX_PARTS, Slot};
use super::prefetch::prefetch;

/// Not known, in every place of a row. No number of a view, nor two combined, is as large.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// The places of a row: what the judge keeps,
pub(super) const LABEL: usize = 0;
/// how many moves the view has in all, in the lower half, and above it flags,
pub(super) const COUNTS: usize = 1;
/// which group of moves holds those for which there is no place here,
pub(super) const OTHERS: usize = 2;
/// for each of the first sources, the view before and after a receipt from it that sends nothing,
/// combined by exclusive or; zero if there is none,
pub(super) const SILENT: usize = 3;
/// the same for a move of the actor's own that the snapshot does not show and that sends at most one
/// thing, and what arrives where,
pub(super) const SENDING: usize = SILENT + SOURCES;
/// and from here on the same for each arrival.
pub(super) const ARRIVALS: usize = SENDING + 2;

/// Sources for whose receipts there are places: few processes read from more.
pub(super) const SOURCES: usize = 2;

/// In [`COUNTS`]: the number of moves,
pub(super) const ALL: u32 = 0xFFFF;
/// whether there is a group of other moves,
pub(super) const HAS_OTHERS: u32 = 16;
/// whether one of them may be newly enabled,
pub(super) const HAS_NEW_OTHERS: u32 = 17;
/// from this bit on for each of the first sources, whether the silent receipt from it may be,
pub(super) const NEW: u32 = 18;
/// and from this one on, whether the snapshot shows it.
pub(super) const SHOWS: u32 = NEW + SOURCES as u32;

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

/// States expanded together.
pub(super) const BATCH: usize = 64;

/// The rows of the parts of some states. Behind the parts stands one more, at which nothing arrives:
/// where a view has no move that sends, none that counts sends to it.
pub(super) struct Batch<'r, R, const WORDS: usize> {
    parts: &'r [Part],
    keys: [Key<WORDS>; BATCH],
    /// Per part, the row of each state.
    rows: Vec<[R; BATCH]>,
    /// Per part, where its number is in a key.
    slots: Vec<Slot>,
    len: usize,
}

impl<'r, R: Row<'r>, const WORDS: usize> Batch<'r, R, WORDS> {
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Looks up the rows of a state that may become the next of the batch, and shows each with its slot.
    #[inline]
    pub(super) fn look_up(&mut self, key: Key<WORDS>, mut show: impl FnMut(R, Slot)) {
        let at = self.len % BATCH;
        self.keys[at] = key;
        for ((rows, &slot), part) in self.rows.iter_mut().zip(&self.slots).zip(self.parts) {
            let row = R::of(part, key.get(slot));
            rows[at] = row;
            show(row, slot);
        }
    }

    /// The rows of the state that was looked up, each with its slot.
    #[inline]
    pub(super) fn looked_up(&self) -> impl Iterator<Item = (R, Slot)> + '_ {
        let rows = self.rows.iter().zip(&self.slots).take(self.parts.len());
        rows.map(|(rows, &slot)| (rows[self.len % BATCH], slot))
    }

    /// The state that was looked up is the next of the batch.
    #[inline]
    pub(super) fn keep(&mut self) {
        self.len += 1;
    }

    #[inline]
    pub(super) fn keys(&self) -> &[Key<WORDS>] {
        &self.keys[..self.len.min(BATCH)]
    }

    #[inline]
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The rows of a part, and where its number is.
    #[inline]
    pub(super) fn part(&self, part: usize) -> (&[R], Slot) {
        (&self.rows[part][..self.len.min(BATCH)], self.slots[part])
    }

    /// What a place in a row of a part says, of the state at a place in the batch.
    #[inline]
    pub(super) fn at(&self, part: usize, at: usize, place: usize) -> (u32, Slot) {
        (self.rows[part][at % BATCH].at(place), self.slots[part])
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

    /// A batch of no states yet.
    pub(super) fn batch<'r, R: Row<'r>, const WORDS: usize>(
        &'r self,
        slots: &[Slot],
    ) -> Batch<'r, R, WORDS> {
        let slots: Vec<_> = slots.iter().copied().chain([Slot::default()]).collect();
        let rows = vec![[R::NOTHING; BATCH]; slots.len()];
        Batch { parts: &self.parts, keys: [Key::ZERO; BATCH], rows, slots, len: 0 }
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

    /// Forgets the moves of every view of a part.
    pub(super) fn forget_moves(&mut self, part: usize) {
        let Part { lines, width_log } = &mut self.parts[part];
        lines.iter_mut().step_by(1 << *width_log).for_each(|line| line.0[COUNTS] = UNKNOWN);
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
