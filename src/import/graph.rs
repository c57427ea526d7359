//! From the nodes of a plan to the tasks of a job: ids are looked up, and nodes that are one task joined.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::names::names;
use super::plan::{Edge, Node, Note, Plan, Shape, Strategy, Task};
use super::read::ReadNode;
use crate::diagnostic::Diagnostic;
use crate::instance::Field;

/// An edge between two nodes.
struct Link<'n> {
    source: usize,
    target: usize,
    from: &'n Field,
    strategy: &'n Field<Strategy>,
}

/// Builds the job, and says what its reader should know.
pub(super) fn build(
    name: String,
    shape: Shape,
    nodes: &[ReadNode],
) -> Result<(Plan, Vec<Note>), Diagnostic> {
    let links = links(nodes)?;
    if let Some(node) = nodes.first().filter(|_| nodes.iter().all(|node| !node.inputs.is_empty())) {
        return Err(Diagnostic::at(
            &node.id.place,
            "the plan has no source: every node has an input",
            "import the plan of a job that reads from somewhere: a node without inputs",
        ));
    }
    let ends = links.iter().map(|link| (link.source, link.target)).collect_vec();
    let order =
        upstream_first(nodes.len(), &ends).map_err(|cycle| refuse(nodes, &links, &cycle))?;
    let groups = groups(nodes, &order)?;
    let edges = edges(nodes, &links, &groups)?;
    let ends = edges.iter().map(|edge| (edge.source, edge.target)).collect_vec();
    let order = upstream_first(groups.len(), &ends).map_err(|cycle| {
        let node = &nodes[groups[cycle[0]][0]].id;
        Diagnostic::at(
            &node.place,
            format!("the task of node {} waits for itself", node.value),
            "give nodes one job_vertex_id only if no other task lies between them",
        )
    })?;
    let tasks = order.iter().map(|&group| task(nodes, &groups[group])).collect_vec();
    let short = names(&tasks.iter().map(Task::description).collect_vec());
    let tasks = tasks.into_iter().zip(short).map(|(task, name)| Task { name, ..task });
    let tasks = tasks.collect_vec();
    let place = |group| order.iter().position(|&other| other == group).unwrap_or_default();
    let placed =
        |edge: Edge| Edge { source: place(edge.source), target: place(edge.target), ..edge };
    let edges = edges.into_iter().map(placed).sorted_by_key(|edge| edge.target).collect_vec();

    // Where every node says of which task it is, Flink has decided what is chained.
    let decided = nodes.iter().all(|node| node.vertex.is_some());
    let forwards = edges.iter().any(|edge| edge.strategy == Strategy::Forward);
    let open = shape.lists_operators() && forwards && !decided;
    let chained = tasks.iter().enumerate().filter(|(_, task)| task.nodes.len() > 1);
    let chained = chained.map(|(task, _)| Note::Chained { task });
    let notes = open.then_some(Note::MayBeChained).into_iter().chain(chained).collect();
    Ok((Plan { name, shape, tasks, edges }, notes))
}

fn links(nodes: &[ReadNode]) -> Result<Vec<Link<'_>>, Diagnostic> {
    let mut by_id = BTreeMap::new();
    for (index, node) in nodes.iter().enumerate() {
        if by_id.insert(node.id.value.as_str(), index).is_some() {
            return Err(Diagnostic::at(
                &node.id.place,
                format!("two nodes have the id {}", node.id.value),
                "give each node an id of its own",
            ));
        }
    }
    let mut links = Vec::new();
    for (target, node) in nodes.iter().enumerate() {
        for (from, strategy) in &node.inputs {
            let Some(&source) = by_id.get(from.value.as_str()) else {
                return Err(Diagnostic::at(
                    &from.place,
                    format!("no node has the id {}", from.value),
                    format!("the ids are {}", nodes.iter().map(|node| &node.id.value).join(", ")),
                ));
            };
            links.push(Link { source, target, from, strategy });
        }
    }
    Ok(links)
}

/// So many things, each after those that an edge comes from, else in the order of their numbers; or those
/// of a cycle, each after the one to which an edge from it leads.
fn upstream_first(count: usize, edges: &[(usize, usize)]) -> Result<Vec<usize>, Vec<usize>> {
    let mut order = Vec::new();
    loop {
        let left = |thing: &usize| !order.contains(thing);
        let before = |thing| {
            edges
                .iter()
                .find(|(source, target)| *target == thing && left(source))
                .map(|edge| edge.0)
        };
        let Some(first) = (0..count).find(left) else { return Ok(order) };
        let ready = (0..count).find(|thing| left(thing) && before(*thing).is_none());
        let Some(ready) = ready else {
            // Going back, always to one that is left, leads into a cycle.
            let mut way = Vec::new();
            let mut thing = first;
            while !way.contains(&thing) {
                way.push(thing);
                thing = before(thing).unwrap_or(thing);
            }
            return Err(way.into_iter().skip_while(|&passed| passed != thing).collect());
        };
        order.push(ready);
    }
}

/// Points at an edge of a cycle of nodes.
fn refuse(nodes: &[ReadNode], links: &[Link<'_>], cycle: &[usize]) -> Diagnostic {
    let (last, before) = (cycle[0], cycle[1 % cycle.len()]);
    let link = links.iter().find(|link| link.target == last && link.source == before);
    let place = link.map_or(&nodes[last].id.place, |link| &link.from.place);
    let around = cycle.iter().rev().chain(cycle.last());
    let around = around.map(|&node| nodes[node].id.value.as_str()).join(" -> ");
    Diagnostic::at(
        place,
        format!("the plan has a cycle: {around}"),
        "import a plan without iterations; a cycle can be checked as an instance of your own",
    )
}

/// Which nodes are one task, since the plan says that they have become one; the others are one each.
fn groups(nodes: &[ReadNode], order: &[usize]) -> Result<Vec<Vec<usize>>, Diagnostic> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &node in order {
        let ReadNode { vertex, parallelism, id, .. } = &nodes[node];
        let known = vertex.as_ref().and_then(|vertex| {
            groups.iter_mut().find(|group| nodes[group[0]].vertex.as_ref() == Some(vertex))
        });
        let Some(group) = known else {
            groups.push(vec![node]);
            continue;
        };
        let first = &nodes[group[0]];
        if first.parallelism.value != parallelism.value {
            return Err(Diagnostic::at(
                &parallelism.place,
                format!(
                    "node {} has parallelism {}, but node {}, which is part of the same task, {}",
                    id.value, parallelism.value, first.id.value, first.parallelism.value
                ),
                "give both the same parallelism, or another job_vertex_id",
            ));
        }
        group.push(node);
    }
    Ok(groups)
}

/// A task, yet without a name.
fn task(nodes: &[ReadNode], group: &[usize]) -> Task {
    let node = |&node: &usize| {
        let ReadNode { id, description, .. } = &nodes[node];
        Node { id: id.value.clone(), description: description.clone() }
    };
    Task {
        name: String::new(),
        nodes: group.iter().map(node).collect(),
        parallelism: nodes[group[0]].parallelism.value,
    }
}

/// The edges between groups; those within one are none.
fn edges(
    nodes: &[ReadNode],
    links: &[Link<'_>],
    groups: &[Vec<usize>],
) -> Result<Vec<Edge>, Diagnostic> {
    let group_of = |node| groups.iter().position(|group| group.contains(&node)).unwrap_or_default();
    let mut edges = Vec::new();
    for link in links {
        let (source, target) = (group_of(link.source), group_of(link.target));
        if source == target {
            continue;
        }
        let ends = [link.source, link.target].map(|node| nodes[node].parallelism.value);
        let Field { value: strategy, place } = link.strategy;
        if *strategy == Strategy::Forward && ends[0] != ends[1] {
            return Err(Diagnostic::at(
                place,
                format!(
                    "FORWARD joins subtasks one to one, but node {} has {} and node {} has {}",
                    nodes[link.source].id.value, ends[0], nodes[link.target].id.value, ends[1]
                ),
                "give both nodes the same parallelism, or ship by REBALANCE",
            ));
        }
        edges.push(Edge { source, target, strategy: *strategy });
    }
    Ok(edges)
}
