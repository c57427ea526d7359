//! Back-edges: the channels that close a cycle in a depth-first search.
//!
//! The search begins at the processes without inputs, in order; then, while some process is unreached, at
//! the first such process. It follows the outputs of a process in the order in which they are listed. A
//! channel to a process on the path to its source is a back-edge, and so is a self-channel. Without them
//! no cycle is left; which channel of a cycle it is depends on the order of the processes.

use std::collections::BTreeSet;

use super::{ChannelId, ProcessId, Topology};

/// The back-edges of a topology.
pub(super) fn of(topology: &Topology) -> BTreeSet<ChannelId> {
    let mut search =
        Search { topology, path: Vec::new(), reached: BTreeSet::new(), found: BTreeSet::new() };
    for start in topology.sources().into_iter().chain(topology.processes()) {
        search.visit(start);
    }
    search.found
}

struct Search<'t> {
    topology: &'t Topology,
    /// From where the search began to where it is.
    path: Vec<ProcessId>,
    reached: BTreeSet<ProcessId>,
    found: BTreeSet<ChannelId>,
}

impl Search<'_> {
    fn visit(&mut self, process: ProcessId) {
        if !self.reached.insert(process) {
            return;
        }
        self.path.push(process);
        for &channel in self.topology.outputs(process) {
            let target = self.topology.channel(channel).target;
            if self.path.contains(&target) {
                self.found.insert(channel);
            }
            self.visit(target);
        }
        self.path.pop();
    }
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;

    fn named(text: &str) -> Vec<String> {
        let topology = Topology::parse(text).unwrap();
        let back_edges = topology.channels().filter(|&channel| topology.is_back_edge(channel));
        back_edges.map(|channel| topology.channel_name(channel)).collect()
    }

    #[test]
    fn they_close_the_cycles() {
        assert_eq!(named("p0 -> p1, p1 -> p2, p2 -> p1"), ["p2→p1"]);
        assert_eq!(named("p -> p"), ["p→p"]);
        assert_eq!(named("ring(3)"), ["p2→p0"]);
        assert_eq!(named("s -> p, p -> p, p -> q, q -> p"), ["p→p", "q→p"]);
        assert_eq!(named("complete(3)"), ["p1→p0", "p2→p0", "p2→p1"]);
        // Two paths that meet again close none.
        assert_eq!(named("diamond"), [""; 0]);
    }

    #[test]
    fn the_search_begins_at_the_sources_then_at_the_first_unreached() {
        // From the source s, not from q, which is listed before.
        assert_eq!(named("q -> p, p -> q, s -> p"), ["q→p"]);
        assert_eq!(named("q -> p, p -> q"), ["p→q"]);
        // The cycle of a and b is not reached from s, and joins what is.
        assert_eq!(named("s -> p, a -> b, b -> a, b -> p"), ["b→a"]);
    }

    /// Every digraph on three processes, self-channels included.
    #[test]
    fn without_them_no_cycle_is_left_and_without_cycles_there_are_none() {
        let pairs = (0..3).cartesian_product(0..3).collect_vec();
        let mut cyclic = 0;
        for edges in pairs.into_iter().powerset() {
            let names = || ["a", "b", "c"].map(str::to_owned).to_vec();
            let edges: BTreeSet<_> = edges.into_iter().collect();
            let topology = Topology::from_parts(names(), &edges);
            let left = topology.channels().filter(|&channel| !topology.is_back_edge(channel));
            let ends = left.map(|channel| {
                let channel = topology.channel(channel);
                (channel.source.index(), channel.target.index())
            });
            let without = Topology::from_parts(names(), &ends.collect());
            assert!(without.is_acyclic(), "{}", topology.notation());
            let is_same = without == topology;
            assert_eq!(is_same, topology.is_acyclic(), "{}", topology.notation());
            cyclic += usize::from(!is_same);
        }
        // OEIS A003024: of the 512, 25 are acyclic.
        assert_eq!(cyclic, 512 - 25);
    }
}
