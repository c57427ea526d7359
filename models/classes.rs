//! Every small topology and set of initiators, but only one of those that differ in names alone.

use std::collections::BTreeSet;

use itertools::Itertools;

use crate::renaming::{Renamed, Renaming};
use crate::topology::{ProcessId, Topology};

/// The most processes for which topologies are enumerated: beyond, there are too many to search.
pub const MAX_ENUMERATED: usize = 5;

/// The connected topologies on so many processes, one of each class of isomorphic ones, those with
/// fewer channels first. Connected as undirected graphs; without self-channels unless asked for.
///
/// Each is named and numbered so that its list of channels is the least in lexicographic order. The
/// processes then first appear in that list in order, so that the notation says it all.
///
/// # Panics
/// If there are no processes, or more than [`MAX_ENUMERATED`].
#[must_use]
pub fn connected_topologies(processes: usize, self_channels: bool) -> Vec<Topology> {
    assert!((1..=MAX_ENUMERATED).contains(&processes), "{processes} processes");
    let classes = connected_digraphs(processes, self_channels);
    // Of two sets with equally many channels, the one with the greater bits has the lesser list.
    let in_order = |digraph: &Digraph| (digraph.0.count_ones(), !digraph.0);
    let classes = classes.into_iter().sorted_by_key(in_order);
    classes.map(|digraph| digraph.topology(processes)).collect()
}

/// The non-empty sets of initiators on a topology, one of those that its automorphisms take to each
/// other, the smaller ones first.
#[must_use]
pub fn initiator_sets(topology: &Topology) -> Vec<BTreeSet<ProcessId>> {
    let renamings = Renaming::all(topology, &|_, _| true, usize::MAX);
    let sets = topology.processes().powerset().map(BTreeSet::from_iter);
    let is_least =
        |set: &BTreeSet<_>| renamings.iter().all(|renaming| *set <= set.renamed(renaming));
    sets.filter(|set| !set.is_empty() && is_least(set)).collect()
}

/// The channels of a digraph on n processes as bits: the greatest of n² is for 0→0, the next for
/// 0→1, and so on by source, then target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Digraph(u32);

impl Digraph {
    fn of(processes: usize, channels: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let bit =
            |(source, target)| 1_u32 << (processes * processes - 1 - source * processes - target);
        Self(channels.into_iter().map(bit).fold(0, |bits, bit| bits | bit))
    }

    fn channels(self, processes: usize) -> impl Iterator<Item = (usize, usize)> {
        let pairs = (0..processes).cartesian_product(0..processes);
        pairs.filter(move |&channel| self.0 & Self::of(processes, [channel]).0 != 0)
    }

    /// The same for all isomorphic digraphs, and one of them; `permutations` are those of the
    /// processes.
    fn canonical(self, processes: usize, permutations: &[Vec<usize>]) -> Self {
        let channels = self.channels(processes).collect_vec();
        let images = permutations.iter().map(|images| {
            Self::of(processes, channels.iter().map(|&(p, q)| (images[p], images[q])))
        });
        images.max().unwrap_or(self)
    }

    fn topology(self, processes: usize) -> Topology {
        let channels = self.channels(processes).map(|(p, q)| format!("p{p} -> p{q}"));
        let alone = (processes == 1).then(|| "p0".to_owned());
        let notation = alone.into_iter().chain(channels).join(", ");
        Topology::parse(&notation).expect("these names and channels are legal")
    }
}

/// The canonical connected digraphs. From a connected one on more than one process, some process can
/// be taken away that leaves it connected; so each is a smaller one and a process joined to it.
fn connected_digraphs(processes: usize, self_channels: bool) -> BTreeSet<Digraph> {
    let last = processes - 1;
    let own: &[&[(usize, usize)]] = if self_channels { &[&[], &[(last, last)]] } else { &[&[]] };
    if last == 0 {
        return own.iter().map(|&own| Digraph::of(processes, own.iter().copied())).collect();
    }
    let permutations = (0..processes).permutations(processes).collect_vec();
    let joining = (0..last).flat_map(|process| [(process, last), (last, process)]);
    let joinings = joining.powerset().filter(|joining| !joining.is_empty()).collect_vec();
    let smaller = connected_digraphs(last, self_channels);
    let mut classes = BTreeSet::new();
    for (smaller, joining, own) in itertools::iproduct!(smaller, &joinings, own) {
        let channels = smaller.channels(last).chain(joining.iter().copied());
        let digraph = Digraph::of(processes, channels.chain(own.iter().copied()));
        classes.insert(digraph.canonical(processes, &permutations));
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Burnside's lemma over all labelled digraphs: the mean, over the permutations, of the number of
    /// connected digraphs that a permutation leaves as they are.
    fn count_by_burnside(processes: usize, self_channels: bool) -> usize {
        let pairs = (0..processes).cartesian_product(0..processes);
        let pairs = pairs.filter(|(p, q)| self_channels || p != q).collect_vec();
        let permutations = (0..processes).permutations(processes).collect_vec();
        let fixed = (0_u32..1 << pairs.len()).filter(|bits| {
            let joined = (0..pairs.len()).filter(|i| bits >> i & 1 == 1).map(|i| pairs[i]);
            is_connected(processes, &joined.collect_vec())
        });
        let fixed = fixed.map(|bits| {
            let has = |pair| pairs.iter().position(|p| *p == pair).map(|i| bits >> i & 1);
            let keeps = |images: &&Vec<usize>| {
                pairs.iter().all(|&(p, q)| has((p, q)) == has((images[p], images[q])))
            };
            permutations.iter().filter(keeps).count()
        });
        fixed.sum::<usize>() / permutations.len()
    }

    fn is_connected(processes: usize, channels: &[(usize, usize)]) -> bool {
        let mut group = (0..processes).collect_vec();
        for &(p, q) in channels {
            let (from, to) = (group[p], group[q]);
            group.iter_mut().filter(|own| **own == from).for_each(|own| *own = to);
        }
        group.iter().all_equal()
    }

    #[test]
    fn there_are_as_many_classes_as_known() {
        // OEIS A003085 and A054921.
        for (self_channels, known) in [(false, [1, 2, 13, 199]), (true, [2, 7, 86, 2818])] {
            for (processes, known) in (1..).zip(known) {
                let topologies = connected_topologies(processes, self_channels);
                assert_eq!(topologies.len(), known, "{processes} {self_channels}");
                if processes < 4 || !self_channels {
                    assert_eq!(count_by_burnside(processes, self_channels), known);
                }
            }
        }
    }

    #[test]
    fn no_two_are_isomorphic_and_the_notation_says_it_all() {
        for (processes, self_channels) in [(1, true), (2, true), (3, true), (4, false)] {
            let topologies = connected_topologies(processes, self_channels);
            for [a, b] in topologies.iter().array_combinations() {
                let images = (0..processes).permutations(processes);
                let isomorphic = images.into_iter().any(|images| {
                    let image = |p: ProcessId| ProcessId::new(images[p.index()]);
                    a.channel_count() == b.channel_count()
                        && a.channels()
                            .map(|c| a.channel(c))
                            .all(|c| b.channel_between(image(c.source), image(c.target)).is_some())
                });
                assert!(!isomorphic, "{} is {}", a.notation(), b.notation());
            }
            for topology in &topologies {
                assert_eq!(Topology::parse(&topology.notation()).as_ref(), Ok(topology));
                let names = (0..processes).map(|p| format!("p{p}"));
                assert!(topology.names().eq(names), "{}", topology.notation());
            }
        }
    }

    #[test]
    fn small_topologies_come_first() {
        let notations = connected_topologies(3, false).iter().map(Topology::notation).collect_vec();
        assert_eq!(notations[0], "p0 -> p1, p0 -> p2");
        assert_eq!(notations[1], "p0 -> p1, p1 -> p2");
        assert_eq!(notations[2], "p0 -> p1, p2 -> p1");
        assert_eq!(notations[12].matches("->").count(), 6);
    }

    #[test]
    fn initiators_differ_in_more_than_names() {
        let count = |text| initiator_sets(&Topology::parse(text).unwrap()).len();
        assert_eq!(count("line(3)"), 7);
        assert_eq!(count("complete(3)"), 3);
        assert_eq!(count("ring(3)"), 3);
        assert_eq!(count("fan-in(2)"), 5);
        let all = (1..=3).flat_map(|n| connected_topologies(n, false));
        assert_eq!(all.map(|topology| initiator_sets(&topology).len()).sum::<usize>(), 79);
    }
}
