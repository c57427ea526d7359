//! Least and most over all runs between two sets of states.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use itertools::Itertools;

use crate::engines::{Graph, GraphStep};

/// The least and the most of something that steps add up to, over all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Over all runs the least.
    pub least: u64,
    /// Over all runs the most; none if there is no bound.
    pub most: Option<u64>,
}

/// What the steps add up to on runs from one of `starts` to one of `ends`, each step weighing
/// `weight`; none if no run leads there.
pub(super) fn range(
    graph: &Graph,
    starts: &[usize],
    ends: &[bool],
    weight: impl Fn(&GraphStep) -> u64,
) -> Option<Range> {
    let least = least(graph, starts, ends, &weight)?;
    Some(Range { least, most: most(graph, starts, ends, &weight) })
}

/// Dijkstra's algorithm.
fn least(
    graph: &Graph,
    starts: &[usize],
    ends: &[bool],
    weight: impl Fn(&GraphStep) -> u64,
) -> Option<u64> {
    let mut settled = vec![false; graph.len()];
    let mut nearest: BinaryHeap<_> = starts.iter().map(|&start| Reverse((0, start))).collect();
    while let Some(Reverse((distance, state))) = nearest.pop() {
        if std::mem::replace(&mut settled[state], true) {
            continue;
        }
        if ends[state] {
            return Some(distance);
        }
        for step in graph.steps(state) {
            nearest.push(Reverse((distance + weight(step), step.target as usize)));
        }
    }
    None
}

/// Stands for what has no bound.
const UNBOUNDED: u64 = u64::MAX;

/// The heaviest run, from its end to its start: over the strongly connected components, of which one
/// in whose cycles weight is added can be run through for ever.
fn most(
    graph: &Graph,
    starts: &[usize],
    ends: &[bool],
    weight: impl Fn(&GraphStep) -> u64,
) -> Option<u64> {
    let Components { order, component } = components(graph, starts);
    // Per component, the most from it to an end; none if it leads to no end.
    let mut heaviest: Vec<Option<u64>> = Vec::new();
    for states in order.chunk_by(|&a, &b| component[a] == component[b]) {
        let mut most = None;
        let mut grows = false;
        for &state in states {
            most = most.max(ends[state].then_some(0));
            for step in graph.steps(state) {
                let target = component[step.target as usize];
                if target == component[state] {
                    grows |= weight(step) > 0;
                } else if let Some(onwards) = heaviest[target] {
                    most = most.max(Some(onwards.saturating_add(weight(step))));
                }
            }
        }
        heaviest.push(most.map(|most| if grows { UNBOUNDED } else { most }));
    }
    let most = starts.iter().filter_map(|&start| heaviest[component[start]]).max()?;
    (most != UNBOUNDED).then_some(most)
}

struct Components {
    /// The states that can be reached, component by component, each behind all that it leads to.
    order: Vec<usize>,
    /// Per state, the number of its component in that order.
    component: Vec<usize>,
}

const NONE: usize = usize::MAX;

/// Tarjan's algorithm, without recursion: runs are longer than a stack is deep.
fn components(graph: &Graph, starts: &[usize]) -> Components {
    let mut order = Vec::new();
    let mut component = vec![NONE; graph.len()];
    let mut count = 0;
    // When a state was found, and the earliest that is known to be in one component with it.
    let (mut found, mut earliest) = (vec![NONE; graph.len()], vec![NONE; graph.len()]);
    let mut open = Vec::new();
    let mut clock = 0..;
    for &start in starts.iter().unique() {
        let mut path = vec![(start, 0)];
        while let Some((state, taken)) = path.pop() {
            if taken == 0 {
                if found[state] != NONE {
                    continue;
                }
                found[state] = clock.next().unwrap_or(NONE);
                earliest[state] = found[state];
                open.push(state);
            } else {
                let before = graph.steps(state)[taken - 1].target as usize;
                earliest[state] = earliest[state].min(earliest[before]);
            }
            let onwards = graph.steps(state).iter().enumerate().skip(taken);
            let mut next = None;
            for (index, step) in onwards {
                let target = step.target as usize;
                if found[target] == NONE {
                    next = Some((index, target));
                    break;
                }
                if component[target] == NONE {
                    earliest[state] = earliest[state].min(found[target]);
                }
            }
            if let Some((index, target)) = next {
                path.extend([(state, index + 1), (target, 0)]);
            } else if earliest[state] == found[state] {
                let first = open.iter().rposition(|&other| other == state).unwrap_or_default();
                for member in open.drain(first..) {
                    component[member] = count;
                    // No longer in one component with what is found later.
                    earliest[member] = NONE;
                    order.push(member);
                }
                count += 1;
            }
        }
    }
    Components { order, component }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph from its steps: source, target, weight.
    fn graph(states: usize, steps: &[(usize, u32, u32)]) -> Graph {
        let mut graph = Graph::default();
        for state in 0..states {
            let own = steps.iter().filter(|step| step.0 == state);
            graph.push(
                own.map(|&(_, target, control_messages)| GraphStep { target, control_messages }),
            );
        }
        graph
    }

    fn steps_and_weights(graph: &Graph, start: usize, end: usize) -> [Option<Range>; 2] {
        let ends: Vec<_> = (0..graph.len()).map(|state| state == end).collect();
        [
            range(graph, &[start], &ends, |_| 1),
            range(graph, &[start], &ends, |step| u64::from(step.control_messages)),
        ]
    }

    fn found(least: u64, most: impl Into<Option<u64>>) -> Option<Range> {
        Some(Range { least, most: most.into() })
    }

    #[test]
    fn the_shortest_and_the_longest_way_through_a_diamond_with_a_detour() {
        let steps = [(0, 1, 5), (0, 2, 0), (2, 3, 1), (3, 1, 0), (1, 4, 1), (2, 4, 9)];
        let graph = graph(5, &steps);
        assert_eq!(steps_and_weights(&graph, 0, 4), [found(2, 4), found(2, 9)]);
        assert_eq!(steps_and_weights(&graph, 0, 0), [found(0, 0), found(0, 0)]);
        assert_eq!(steps_and_weights(&graph, 4, 0), [None, None]);
    }

    #[test]
    fn a_cycle_on_the_way_has_no_bound_unless_it_adds_nothing() {
        let graph = graph(4, &[(0, 1, 1), (1, 2, 0), (2, 1, 0), (2, 3, 1)]);
        assert_eq!(steps_and_weights(&graph, 0, 3), [found(3, None), found(2, 2)]);
    }

    #[test]
    fn a_cycle_off_the_way_does_not_count() {
        let graph = graph(5, &[(0, 1, 1), (1, 4, 1), (0, 2, 0), (2, 3, 1), (3, 2, 1)]);
        assert_eq!(steps_and_weights(&graph, 0, 4), [found(2, 2), found(2, 2)]);
    }

    #[test]
    fn a_long_run_does_not_exhaust_the_stack() {
        let steps: Vec<_> = (0..200_000).map(|state| (state as usize, state + 1, 0)).collect();
        let mut long = Graph::default();
        for (_, target, control_messages) in steps {
            long.push([GraphStep { target, control_messages }]);
        }
        long.push([]);
        assert_eq!(steps_and_weights(&long, 0, 200_000)[0], found(200_000, 200_000));
    }
}
