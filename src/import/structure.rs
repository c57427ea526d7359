//! What follows from a plan alone, at its full parallelism.

use std::collections::BTreeSet;

use super::plan::{Plan, Strategy};

/// From how many channels each subtask of a task reads.
#[must_use]
pub fn inputs_per_subtask(plan: &Plan, task: usize) -> u64 {
    let channels = plan.inputs(task).map(|edge| match edge.strategy {
        Strategy::Forward => 1,
        _ => u64::from(plan.tasks[edge.source].parallelism),
    });
    channels.sum()
}

/// The tasks whose subtasks read from several channels: there, and nowhere else, a barrier is waited for
/// while records are read that came behind another.
#[must_use]
pub fn with_several_inputs(plan: &Plan) -> Vec<usize> {
    (0..plan.tasks.len()).filter(|&task| inputs_per_subtask(plan, task) > 1).collect()
}

/// The tasks to which records of some of these come on, themselves left out.
#[must_use]
pub fn downstream(plan: &Plan, tasks: &[usize]) -> Vec<usize> {
    let mut reached: BTreeSet<usize> = tasks.iter().copied().collect();
    // Tasks are in order, each after those that send to it.
    for task in 0..plan.tasks.len() {
        if plan.inputs(task).any(|edge| reached.contains(&edge.source)) {
            reached.insert(task);
        }
    }
    reached.into_iter().filter(|task| !tasks.contains(task)).collect()
}

/// Whether Flink takes no unaligned checkpoints on an edge that ships so: after a change of parallelism,
/// records that a snapshot holds in a channel must go to the subtask that is now theirs. On pointwise
/// edges nothing says which that is; on broadcast edges some subtasks may have had what others have yet
/// to get. Flink's documentation, "Checkpointing under backpressure", section "Certain data
/// distribution patterns are not checkpointed".
#[must_use]
pub fn forbids_unaligned(strategy: Strategy) -> bool {
    match strategy {
        Strategy::Forward | Strategy::Broadcast => true,
        Strategy::Hash | Strategy::Rebalance => false,
    }
}
