//! Every small setup.

use itertools::Itertools;

/// Every digraph on up to two processes, self-channels included, and on three processes with at most
/// three channels and none to itself; with every set of initiators:
/// the topology, and the initiators as TOML.
pub(crate) fn small_setups() -> Vec<(String, String)> {
    let pairs = |n: usize, own: bool| {
        (0..n).cartesian_product(0..n).filter(move |(p, q)| own || p != q).collect_vec()
    };
    let mut setups = Vec::new();
    for (n, own, most) in [(1, true, 1), (2, true, 4), (3, false, 3)] {
        let processes = (0..n).map(|p| format!("p{p}")).collect_vec();
        for edges in pairs(n, own).into_iter().powerset().filter(|edges| edges.len() <= most) {
            let edges = edges.iter().map(|(p, q)| format!("p{p} -> p{q}"));
            let topology = processes.iter().cloned().chain(edges).join(", ");
            for initiators in processes.iter().powerset().filter(|set| !set.is_empty()) {
                let initiators = initiators.iter().map(|p| format!("{p:?}")).join(", ");
                setups.push((topology.clone(), format!("initiators = [{initiators}]")));
            }
        }
    }
    setups
}
