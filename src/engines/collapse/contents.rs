//! Claims about all that there is of a channel, judged once for each pair of what the views of its two ends
//! show of it: what is sent, received, recorded and under way.

use super::interner::Interner;
use super::pairs::{Pair, joined};
use super::parts::Parts;
use super::rows::Views;
use crate::claims::{self, Predicate};
use crate::engines::tally::Tally;
use crate::system::{Part, PartOf, System};

/// What has been judged of the channels between two parts.
struct Between<S: System> {
    /// Per view, the number of its end.
    pair: Pair,
    ends: [Interner<PartOf<S>>; 2],
}

/// What has been judged of all channels.
pub(super) struct Contents<S: System> {
    between: Vec<Between<S>>,
}

impl<S: System> Contents<S> {
    /// Nothing has been judged.
    pub(super) fn new(system: &S) -> Self {
        let between = |parts| Between { pair: Pair::of(parts), ends: Default::default() };
        Self { between: joined(system).into_iter().map(between).collect() }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let ends = |between: &Between<S>| between.ends.iter().map(Interner::bytes).sum::<usize>();
        self.between.iter().map(|between| between.pair.bytes() + ends(between)).sum()
    }

    /// Judges those channels of a state that are not as in a state before.
    pub(super) fn settle(&mut self, parts: &Parts<S>, state: &[u32], tally: &Tally<S>) {
        let mut views: Views = [0; _];
        views[..state.len()].copy_from_slice(state);
        for Between { pair, ends } in &mut self.between {
            let [p, q] = pair.parts;
            for (side, part, other) in [(0, p, q), (1, q, p)] {
                for view in pair.ends[side].len() as u32..=views[part] {
                    let end = end(parts, part, other, view);
                    pair.ends[side].push(ends[side].intern(&end));
                }
            }
            if !pair.has(&views) {
                pair.add(&views);
                let shown = pair.parts.map(|part| (part, views[part]));
                judge(parts, shown, tally);
            }
        }
    }
}

/// What a view of a part shows of the channels between it and another.
fn end<S: System>(parts: &Parts<S>, part: usize, other: usize, view: u32) -> PartOf<S> {
    let Part { local, mut inputs } = parts.part(part, view);
    inputs.retain(|(source, _)| *source == other);
    Part { local: parts.system().end(part, other, &local), inputs }
}

/// Judges the channels between two parts in these views.
fn judge<S: System>(parts: &Parts<S>, [one, other]: [(usize, u32); 2], tally: &Tally<S>) {
    let [(p, _), (q, _)] = [one, other];
    let part = |(part, view)| (part, parts.part(part, view));
    let state = parts.stage([part(one), part(other)]);
    let topology = parts.system().topology();
    for view in parts.system().views(&state) {
        let is_between = |&channel: &_| {
            let ends = topology.channel(channel);
            let ends = [ends.source.index(), ends.target.index()];
            ends == [p, q] || ends == [q, p]
        };
        for channel in view.channels.iter().filter(|c| is_between(&c.channel)) {
            let undecided = tally.undecided();
            undecided
                .filter(|&claim| matches!(claims::predicate(claim), Predicate::Contents(_)))
                .for_each(|claim| tally.note_channel(claim, channel));
        }
    }
}
