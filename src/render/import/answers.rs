//! The answers, a paragraph each.

use itertools::Itertools;

use super::super::text::thousands;
use super::{count, listed, wrapped};
use crate::check::Status;
use crate::import::{
    Aligned, Answers, AtLeastOnce, Edge, FailedOver, Plan, Searched, Strategy, Unaligned,
    downstream, inputs_per_subtask,
};
use crate::verdict::Verdict;

/// The answers in plain words.
#[must_use]
pub fn answers(plan: &Plan, answers: &Answers) -> String {
    let Answers { at_least_once, aligned, unaligned, forbidding } = answers;
    let paragraphs = [
        ("Is at-least-once exact for this job?", exactness(plan, at_least_once)),
        ("Can aligned checkpoints get stuck?", stuck(aligned)),
        (
            "How much channel state can unaligned need, against how much can aligned hold back?",
            amounts(unaligned, aligned),
        ),
        ("Which edges forbid unaligned checkpoints?", forbidden(plan, forbidding)),
    ];
    let paragraph = |(question, lines): (&str, Vec<String>)| {
        let lines = lines.iter().map(|line| wrapped(line, "  ", "    "));
        format!("{question}\n{}", lines.collect::<String>())
    };
    let closing = match answers.status() {
        Status::AsExpected => return paragraphs.map(paragraph).join("\n"),
        Status::Inconclusive => {
            "Some of this is open, since a bound was hit. Fewer subtasks or records (--max-parallelism, \
             --records) or larger bounds (--timeout, --max-states) may settle it."
        }
        Status::Deviates => {
            "The search contradicts what follows from the plan, which should not be possible: please report \
             it with the plan."
        }
    };
    format!("{}\n{}", paragraphs.map(paragraph).join("\n"), wrapped(closing, "", ""))
}

fn named(plan: &Plan, tasks: &[usize]) -> String {
    listed(&tasks.iter().map(|&task| plan.tasks[task].name.as_str()).collect_vec())
}

/// How much was searched, and how.
fn checked(searched: &Searched) -> String {
    let count = |number: u64, what| count(usize::try_from(number).unwrap_or(usize::MAX), what);
    format!(
        "Checked with {}: {} in {}{}{}",
        searched.algorithm,
        count(searched.snapshots, "snapshot"),
        count(searched.states, "state"),
        if searched.reduced { " that stand for all" } else { "" },
        if searched.complete { "" } else { ", CUT OFF by a bound" },
    )
}

fn exactness(plan: &Plan, answer: &AtLeastOnce) -> Vec<String> {
    let checked = checked(&answer.searched);
    let mut lines = match answer.exact {
        Some(false) => duplicates(plan, answer),
        Some(true) => vec![
            "Yes: no subtask reads from several channels, so none reads on behind one barrier while it \
             waits for another."
                .to_owned(),
            format!("{checked}; each is consistent, and holds what is under way."),
        ],
        None => vec![
            "Open. By the structure of the plan it is, as no subtask reads from several channels; but the \
             search did not come to its end."
                .to_owned(),
            format!("{checked}."),
        ],
    };
    lines.extend(answer.example.as_ref().map(|example| {
        format!(
            "For example, after {} the snapshot has a record received at {} that {} has yet to send.",
            count(example.steps, "step"),
            example.receiver,
            example.sender
        )
    }));
    lines.push(failed_over(answer));
    lines
}

/// Where and why duplicates arise.
fn duplicates(plan: &Plan, answer: &AtLeastOnce) -> Vec<String> {
    let AtLeastOnce { several_inputs, seen, searched, .. } = answer;
    let (tasks, opening) = match seen.as_slice() {
        [] => (several_inputs, "No, by the structure of the plan: duplicates can arise at"),
        _ => (seen, "No: duplicates arise at"),
    };
    let channels = tasks.iter().map(|&task| {
        let channels = usize::try_from(inputs_per_subtask(plan, task)).unwrap_or(usize::MAX);
        format!("{} from {}", plan.tasks[task].name, count(channels, "channel"))
    });
    let channels = channels.collect_vec();
    let channels = channels.iter().map(String::as_str).collect_vec();
    let mut lines = vec![format!(
        "{opening} {}. A subtask there has several inputs ({}) and goes on reading behind the first barrier \
         until the last has come. What it reads there is in its state, and comes again after a failover.",
        named(plan, tasks),
        channels.join(", "),
    )];
    let passed_on = downstream(plan, tasks);
    if !passed_on.is_empty() {
        lines.push(format!("They are passed on to {}.", named(plan, &passed_on)));
    }
    let inconsistent = match searched.snapshots - searched.consistent {
        0 => String::new(),
        1 => "; 1 of them is inconsistent".to_owned(),
        several => format!("; {} of them are inconsistent", thousands(several)),
    };
    lines.push(format!("{}{inconsistent}.", checked(searched)));
    let hidden = several_inputs.iter().copied().filter(|task| !seen.contains(task)).collect_vec();
    if !hidden.is_empty() {
        let why = match searched.complete {
            true => "what is checked is smaller than the plan, and does not show it",
            false => "the search was cut off before it showed it",
        };
        lines.push(format!(
            "Of {} only the structure of the plan tells: {why}.",
            named(plan, &hidden)
        ));
    }
    lines
}

fn failed_over(answer: &AtLeastOnce) -> String {
    match &answer.failed_over {
        FailedOver::Exact { states } => format!(
            "With a failover at any moment ({} states), every record is in the end applied as often as it \
             should be.",
            thousands(*states)
        ),
        FailedOver::Doubled { source, number, process, times, expected, steps } => format!(
            "With a failover, in a run of {}, record {number} of {source} is in the end applied {} at \
             {process} instead of {}.",
            count(*steps, "step"),
            often(*times),
            often(*expected)
        ),
        FailedOver::Open if answer.exact == Some(true) => {
            "With a failover there are too many states to search; but to go back to a snapshot that is \
             consistent and holds what is under way neither loses nor doubles a record."
                .to_owned()
        }
        FailedOver::Open => "With a failover there are too many states to search.".to_owned(),
    }
}

fn often(times: u16) -> String {
    match times {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

fn stuck(answer: &Aligned) -> Vec<String> {
    let verdict = match answer.completes {
        Verdict::Holds => "No: in every run the checkpoint completes, and every record arrives.",
        Verdict::Violated => {
            "Yes: in some run the checkpoint never completes, or a record stays behind."
        }
        Verdict::Inconclusive | Verdict::NotApplicable => {
            "Open. By the structure of the plan they cannot, as it has no cycle on which a barrier would \
             wait for itself; but the search did not come to its end."
        }
    };
    vec![verdict.to_owned(), format!("{}.", checked(&answer.searched))]
}

fn amounts(unaligned: &Unaligned, aligned: &Aligned) -> Vec<String> {
    let searched = &unaligned.searched;
    let kept = match (unaligned.in_channels, searched.complete) {
        (0, true) => "Unaligned: no record in the channels of any checkpoint.".to_owned(),
        (most, true) => {
            format!("Unaligned: at most {} in the channels of a checkpoint.", count(most, "record"))
        }
        (_, false) if searched.snapshots == 0 => {
            "Unaligned: open, as no checkpoint was seen to its end.".to_owned()
        }
        (most, false) => {
            format!("Unaligned: {} or more in the channels of a checkpoint.", count(most, "record"))
        }
    };
    let held = match aligned.held {
        Some(0) => "no record ever waits in a blocked channel".to_owned(),
        Some(1) => "at most 1 record waits meanwhile in a blocked channel".to_owned(),
        Some(held) => {
            format!("at most {} wait meanwhile in blocked channels", count(held, "record"))
        }
        None => "how many records wait meanwhile in blocked channels is open".to_owned(),
    };
    let mut lines = vec![kept, format!("Aligned: none in a checkpoint; {held}.")];
    if unaligned.in_channels > 0 || aligned.held.is_none_or(|held| held > 0) {
        let few =
            "That is with the few records that are emitted here; both grow with what is under way.";
        lines.push(few.to_owned());
    }
    lines.push(format!("{}.", checked(searched)));
    lines.push(format!(
        "{} stands for unaligned checkpoints: where records wait in buffers, their barriers overtake, so that \
         every consistent cut can be a checkpoint.",
        searched.algorithm
    ));
    lines
}

fn forbidden(plan: &Plan, edges: &[usize]) -> Vec<String> {
    if edges.is_empty() {
        return vec!["None: no edge is pointwise or broadcast.".to_owned()];
    }
    let edges = edges.iter().map(|&edge| &plan.edges[edge]).collect_vec();
    let name = |edge: &&Edge| {
        format!("{} → {}", plan.tasks[edge.source].name, plan.tasks[edge.target].name)
    };
    let of = |strategy: Strategy| {
        let shipped = edges.iter().filter(|edge| edge.strategy == strategy);
        let names = shipped.map(name).collect_vec();
        let reason = reason(strategy).filter(|_| !names.is_empty())?;
        Some(format!("{}, shipped by {}. {reason}", names.join(", "), strategy.name()))
    };
    let mut lines = Strategy::ALL.into_iter().filter_map(of).collect_vec();
    lines.push("There Flink aligns though unaligned checkpoints are enabled.".to_owned());
    lines
}

/// Why edges forbid unaligned checkpoints.
fn reason(strategy: Strategy) -> Option<&'static str> {
    match strategy {
        Strategy::Forward => Some(
            "That is pointwise: if the parallelism changes before the job goes back to a checkpoint, nothing \
             tells which subtask should get a record that was kept in a channel.",
        ),
        Strategy::Broadcast => Some(
            "Some subtasks may have applied a record that is still kept in the channels of others, while all \
             should have had the same.",
        ),
        Strategy::Hash | Strategy::Rebalance => None,
    }
}
