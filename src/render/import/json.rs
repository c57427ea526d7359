//! An imported job and the answers as JSON.

use std::path::Path;

use itertools::Itertools;
use serde_json::json;

use super::job::words;
use crate::check::Status;
use crate::import::{Answers, Expansion, FailedOver, Note, Plan, Searched, inputs_per_subtask};
use crate::instance::Instance;

/// The job and the answers as one line of JSON; `file` is where the instance was written, if anywhere.
#[must_use]
pub fn json(
    plan: &Plan,
    notes: &[Note],
    expansion: &Expansion,
    instance: &Instance,
    file: Option<&Path>,
    answers: &Answers,
) -> String {
    let Answers { at_least_once, aligned, unaligned, forbidding } = answers;
    let name = |&task: &usize| plan.tasks[task].name.as_str();
    let names = |tasks: &[usize]| tasks.iter().map(name).collect_vec();
    let searched = |searched: &Searched| {
        json!({
            "algorithm": searched.algorithm,
            "states": searched.states,
            "snapshots": searched.snapshots,
            "consistent_snapshots": searched.consistent,
            "complete": searched.complete,
            "reduced": searched.reduced,
            "seconds": searched.elapsed.as_secs_f64(),
        })
    };
    let tasks = plan.tasks.iter().enumerate().map(|(index, task)| {
        json!({
            "task": task.name,
            "description": task.description(),
            "ids": task.nodes.iter().map(|node| &node.id).collect_vec(),
            "parallelism": task.parallelism,
            "inputs_per_subtask": inputs_per_subtask(plan, index),
            "processes": expansion.subtasks(index).collect_vec(),
        })
    });
    let edges = plan.edges.iter().enumerate().map(|(index, edge)| {
        json!({
            "from": name(&edge.source),
            "to": name(&edge.target),
            "ship_strategy": edge.strategy.name(),
            "forbids_unaligned": forbidding.contains(&index),
        })
    });
    let topology = &instance.setup.topology;
    let failover = match &at_least_once.failed_over {
        FailedOver::Exact { states } => json!({ "exact": true, "states": states }),
        FailedOver::Doubled { source, number, process, times, expected, steps } => json!({
            "exact": false,
            "record": { "source": source, "number": number },
            "process": process,
            "times": times,
            "expected": expected,
            "steps": steps,
        }),
        FailedOver::Open => json!({ "exact": null }),
    };
    json!({
        "job": plan.name,
        "read_as": plan.shape.words(),
        "tasks": tasks.collect_vec(),
        "edges": edges.collect_vec(),
        "notes": notes.iter().chain(&expansion.notes).map(|note| words(plan, note)).collect_vec(),
        "instance": file.map(|path| path.to_string_lossy()),
        "processes": topology.process_count(),
        "channels": topology.channel_count(),
        "records": expansion.size.records,
        "at_least_once": {
            "exact": at_least_once.exact,
            "duplicates_arise_at": names(&at_least_once.seen),
            "several_inputs": names(&at_least_once.several_inputs),
            "example": at_least_once.example.as_ref().map(|example| json!({
                "received_by": example.receiver,
                "not_yet_sent_by": example.sender,
                "steps": example.steps,
            })),
            "failover": failover,
            "searched": searched(&at_least_once.searched),
        },
        "aligned": {
            "completes": aligned.completes,
            "held_back": aligned.held,
            "searched": searched(&aligned.searched),
        },
        "unaligned": {
            "channel_state": unaligned.in_channels,
            "searched": searched(&unaligned.searched),
        },
        "ok": answers.status() == Status::AsExpected,
        "inconclusive": answers.status() == Status::Inconclusive,
    })
    .to_string()
}
