//! Expanding a batch of states with one cause, actor by actor, from the tables.
//!
//! The loops are written without branches, as if every view had all the moves for which there are
//! places: how many it has cannot be predicted.

use super::cause::Cause;
use super::found::Found;
use super::key::Key;
use super::rows::{
    BATCH, Batch, COUNTS, HAS_NEW_OTHERS, HAS_OTHERS, NEW, OTHERS, Row, SENDING, SHOWS, SILENT,
    SOURCES,
};
use super::steps::{Arrival, Other, Tables};

/// Something a state needs is not in the tables.
pub(super) struct Missing;

/// Places in a batch.
struct Places {
    places: [u8; BATCH + 1],
    len: usize,
}

impl Places {
    fn new() -> Self {
        Self { places: [0; _], len: 0 }
    }

    #[inline]
    fn add_if(&mut self, place: usize, wanted: bool) {
        self.places[self.len] = place as u8;
        self.len += usize::from(wanted);
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.places[..self.len].iter().map(|&place| usize::from(place))
    }
}

impl Tables {
    /// Adds to `found` the successors of some states with the same cause, except those by steps that
    /// may be skipped, and the states themselves. If something is missing, some are not there.
    pub(super) fn expand<'r, R: Row<'r>, const WORDS: usize>(
        &self,
        batch: &Batch<'r, R, WORDS>,
        cause: Cause,
        found: &mut Found<WORDS>,
    ) -> Result<(), Missing> {
        // The highest bit of what is seen is set only in what is not known.
        let mut seen = 0;
        for part in cause.actor()..batch.parts() {
            expand_silent(batch, part, found);
            seen |= self.expand_sending(batch, part, found);
        }
        if cause.enables() {
            for part in 0..cause.actor() {
                seen |= self.expand_new(batch, part, cause.actor(), found);
            }
        }
        if seen >> 31 == 0 { Ok(()) } else { Err(Missing) }
    }

    /// Whether what some move of a state leads to is not known.
    pub(super) fn is_missing<'r, R: Row<'r>, const WORDS: usize>(
        &self,
        batch: &Batch<'r, R, WORDS>,
        at: usize,
    ) -> bool {
        (0..batch.parts()).any(|part| {
            let arrival = Arrival(batch.at(part, at, SENDING + 1).0);
            let mut seen = batch.at(arrival.target(), at, arrival.place()).0;
            if batch.at(part, at, COUNTS).0 >> HAS_OTHERS & 1 != 0 {
                for &other in self.group(batch.at(part, at, OTHERS).0) {
                    let arrived =
                        |arrival: Arrival| batch.at(arrival.target(), at, arrival.place()).0;
                    seen |= self.sends(other).map(arrived).fold(0, |seen, arrived| seen | arrived);
                }
            }
            seen >> 31 != 0
        })
    }

    /// The moves of a part that may send.
    #[inline]
    fn expand_sending<'r, R: Row<'r>, const WORDS: usize>(
        &self,
        batch: &Batch<'r, R, WORDS>,
        part: usize,
        found: &mut Found<WORDS>,
    ) -> u32 {
        let (rows, slot) = batch.part(part);
        let room = &mut found.room(BATCH + 1)[..=BATCH];
        let (mut len, mut seen) = (0, 0);
        let mut others = Places::new();
        for (at, (&key, row)) in batch.keys().iter().zip(rows).enumerate() {
            let (flip, arrival) = (row.at(SENDING), Arrival(row.at(SENDING + 1)));
            let (arrived, target) = batch.at(arrival.target(), at, arrival.place());
            room[len] = key.flip(slot, flip).flip(target, arrived);
            // Neither is zero unless nothing changes, and what is not known is negative.
            len += usize::from((flip | arrived).cast_signed() > 0);
            seen |= arrived;
            others.add_if(at, row.at(COUNTS) >> HAS_OTHERS & 1 != 0);
        }
        found.add(len);
        found.close(Cause::step(part, true, false));
        for at in others.iter() {
            for &other in self.group(rows[at].at(OTHERS)) {
                seen |= self.take_other(batch, part, at, other, found);
            }
        }
        found.close(Cause::step(part, true, true));
        seen
    }

    /// The moves of a part that a step of `source` may have enabled.
    fn expand_new<'r, R: Row<'r>, const WORDS: usize>(
        &self,
        batch: &Batch<'r, R, WORDS>,
        part: usize,
        source: usize,
        found: &mut Found<WORDS>,
    ) -> u32 {
        let (rows, slot) = batch.part(part);
        if let Some(place) = self.source(part, source) {
            let room = &mut found.room(BATCH + 1)[..=BATCH];
            let mut len = 0;
            for (&key, row) in batch.keys().iter().zip(rows) {
                room[len] = key.flip(slot, row.at(SILENT + place));
                len += (row.at(COUNTS) >> (NEW + place as u32) & 1) as usize;
            }
            found.add(len);
            found.close(Cause::step(part, false, true));
        }
        let mut others = Places::new();
        for (at, row) in rows.iter().enumerate() {
            others.add_if(at, row.at(COUNTS) >> HAS_NEW_OTHERS & 1 != 0);
        }
        let mut seen = 0;
        for at in others.iter() {
            let others = self.group(rows[at].at(OTHERS)).iter();
            for &other in others.filter(|other| other.new_from == Some(source as u8)) {
                seen |= self.take_other(batch, part, at, other, found);
            }
        }
        found.close(Cause::step(part, true, true));
        seen
    }

    #[inline]
    fn take_other<'r, R: Row<'r>, const WORDS: usize>(
        &self,
        batch: &Batch<'r, R, WORDS>,
        part: usize,
        at: usize,
        other: Other,
        found: &mut Found<WORDS>,
    ) -> u32 {
        let (_, slot) = batch.part(part);
        let mut seen = 0;
        let mut next = batch.keys()[at].flip(slot, other.flip);
        for arrival in self.sends(other) {
            let (arrived, target) = batch.at(arrival.target(), at, arrival.place());
            seen |= arrived;
            next = next.flip(target, arrived);
        }
        if seen >> 31 == 0 {
            found.push(next);
        }
        seen
    }
}

/// The receipts of a part from the first sources that send nothing.
#[inline]
fn expand_silent<'r, R: Row<'r>, const WORDS: usize>(
    batch: &Batch<'r, R, WORDS>,
    part: usize,
    found: &mut Found<WORDS>,
) {
    const ROOM: usize = SOURCES * BATCH + 1;
    let (rows, slot) = batch.part(part);
    let room = &mut found.room(2 * ROOM)[..ROOM];
    let mut shown = [Key::ZERO; ROOM];
    let (mut len, mut shown_len) = (0, 0);
    for (&key, row) in batch.keys().iter().zip(rows) {
        let counts = row.at(COUNTS);
        for place in 0..SOURCES {
            let flip = row.at(SILENT + place);
            let shows = counts >> (SHOWS + place as u32) & 1 != 0;
            let next = key.flip(slot, flip);
            room[len] = next;
            len += usize::from((flip != 0) & !shows);
            shown[shown_len] = next;
            shown_len += usize::from((flip != 0) & shows);
        }
    }
    found.add(len);
    found.close(Cause::step(part, false, false));
    found.extend(&shown[..shown_len]);
    found.close(Cause::step(part, false, true));
}
