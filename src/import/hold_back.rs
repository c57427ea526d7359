//! How many messages aligned checkpoints hold back at most: the most that ever wait in blocked channels,
//! over all reachable states of `flink-aligned` on a topology without cycles, begun by the sources.
//!
//! In a reachable state let R be the processes that have recorded. With a process, R holds those that send
//! to it, since a barrier comes only from who has recorded. A blocked channel leads from R to a process q
//! outside, and not all inputs of q are blocked, else it would have recorded. So no more waits at q than
//! all that its channels from R carry in a whole run, less, if all its inputs come from R, what one of
//! them carries: at least the fewest.
//!
//! And so much can wait, for any such R at once: let its sources record first and then emit all, its other
//! processes consume their barriers, which come before any record, and then pass all on; and each q
//! outside consume the barriers from R, but, if all its inputs come from R, not that on the channel which
//! carries the fewest. So the answer is the greatest such sum over all R.
//!
//! A process with one input never holds anything, and what R gains with a process at those behind it is
//! never negative: the fewest are no more than what comes from it. So R may hold every source and every
//! process with one input whose senders it holds; only the others are tried both ways.

use std::collections::BTreeSet;

use crate::models::applications::Stream;
use crate::models::topology::{ProcessId, Topology};

/// Sets tried before this gives up.
const MOST_SETS: usize = 1_000_000;

/// The most messages that ever wait in blocked channels; None if there are too many sets to try.
///
/// # Panics
/// If the topology has a cycle.
#[must_use]
pub fn held_back(topology: &Topology, stream: &Stream) -> Option<usize> {
    assert!(topology.is_acyclic(), "on a cycle a barrier waits for itself");
    let mut most = 0;
    let mut seen = BTreeSet::new();
    let mut waiting = vec![grown(topology, BTreeSet::new())];
    while let Some(recorded) = waiting.pop() {
        if !seen.insert(recorded.clone()) {
            continue;
        }
        if seen.len() > MOST_SETS {
            return None;
        }
        let outside = topology.processes().filter(|process| !recorded.contains(process));
        let outside: Vec<_> = outside.collect();
        let waits = outside.iter().map(|&process| held_at(topology, stream, &recorded, process));
        most = most.max(waits.sum());
        // One that sends nothing on would only hold less.
        let next = outside.into_iter().filter(|&process| {
            !topology.outputs(process).is_empty() && may_record(topology, &recorded, process)
        });
        for process in next {
            let mut more = recorded.clone();
            more.insert(process);
            waiting.push(grown(topology, more));
        }
    }
    Some(most)
}

fn senders(topology: &Topology, process: ProcessId) -> impl Iterator<Item = ProcessId> {
    topology.inputs(process).iter().map(|&channel| topology.channel(channel).source)
}

/// Whether all who send to a process have recorded.
fn may_record(topology: &Topology, recorded: &BTreeSet<ProcessId>, process: ProcessId) -> bool {
    senders(topology, process).all(|sender| recorded.contains(&sender))
}

/// With all that hold nothing themselves.
fn grown(topology: &Topology, mut recorded: BTreeSet<ProcessId>) -> BTreeSet<ProcessId> {
    loop {
        let free = topology.processes().find(|&process| {
            !recorded.contains(&process)
                && topology.inputs(process).len() <= 1
                && may_record(topology, &recorded, process)
        });
        match free {
            Some(process) => recorded.insert(process),
            None => return recorded,
        };
    }
}

/// What waits at most at a process that has not recorded.
fn held_at(
    topology: &Topology,
    stream: &Stream,
    recorded: &BTreeSet<ProcessId>,
    process: ProcessId,
) -> usize {
    let inputs = topology.inputs(process).iter();
    let carried = inputs
        .filter(|&&channel| recorded.contains(&topology.channel(channel).source))
        .map(|&channel| stream.carried(channel));
    let all: usize = carried.clone().sum();
    let fewest = carried.min().unwrap_or(0);
    if may_record(topology, recorded, process) { all - fewest } else { all }
}
