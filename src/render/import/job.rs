//! What was read, and how it is checked.

use std::fmt::Write;

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use itertools::Itertools;

use super::{count, listed, wrapped};
use crate::import::{Expansion, Note, Plan};
use crate::instance::Instance;

/// The tasks of a job, how it is checked, and what the reader should know.
#[must_use]
pub fn job(plan: &Plan, notes: &[Note], expansion: &Expansion, instance: &Instance) -> String {
    let title = if plan.name.is_empty() { "A job without a name" } else { &plan.name };
    let mut text = format!(
        "{title}\n{}: {} and {}\n\n",
        plan.shape.words(),
        count(plan.tasks.len(), "task"),
        count(plan.edges.len(), "edge"),
    );
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["task", "parallelism", "reads", "what Flink calls it"]);
    for (index, task) in plan.tasks.iter().enumerate() {
        let inputs = plan
            .inputs(index)
            .map(|edge| format!("{} by {}", plan.tasks[edge.source].name, edge.strategy.name()));
        let inputs = match inputs.collect_vec() {
            inputs if inputs.is_empty() => "(source)".to_owned(),
            inputs => inputs.join(", "),
        };
        table.add_row([&task.name, &task.parallelism.to_string(), &inputs, &task.description()]);
    }
    let topology = &instance.setup.topology;
    let _ = write!(
        text,
        "{}\n\nChecked as {} with {}; each source subtask emits {}.\n",
        table.trim_fmt(),
        count(topology.process_count(), "process"),
        count(topology.channel_count(), "channel"),
        count(usize::from(expansion.size.records), "record"),
    );
    for note in notes.iter().chain(&expansion.notes) {
        text += &wrapped(&words(plan, note), "- ", "  ");
    }
    text
}

/// A note in words.
pub(super) fn words(plan: &Plan, note: &Note) -> String {
    match note {
        Note::MayBeChained => {
            "This plan lists operators. Flink runs operators that FORWARD joins as one task where it can: \
             then there are fewer tasks than here, and no channel between them."
                .to_owned()
        }
        Note::Chained { task } => {
            let task = &plan.tasks[*task];
            let ids = task.nodes.iter().map(|node| node.id.as_str()).collect_vec();
            format!("Nodes {} have one job vertex: they are the task {}.", listed(&ids), task.name)
        }
        Note::Capped { tasks, at } => {
            let names = tasks.iter().map(|&task| plan.tasks[task].name.as_str()).collect_vec();
            format!(
                "Of {} only {} each {} checked (--max-parallelism); where the structure of the plan tells \
                 something, it is that of the whole plan.",
                listed(&names),
                count(*at as usize, "subtask"),
                if *at == 1 { "is" } else { "are" },
            )
        }
        Note::Several { source, target, edges } => {
            let task = &plan.tasks[*source].name;
            format!(
                "{edges} edges lead from {task} to {}. Between two processes there is one channel: each \
                 further edge goes through processes that send on what they get, like {task}_edge2.",
                plan.tasks[*target].name
            )
        }
        Note::RoundRobin => {
            "REBALANCE is checked as HASH is: each record goes on one of the channels, and its number tells \
             on which."
                .to_owned()
        }
    }
}
