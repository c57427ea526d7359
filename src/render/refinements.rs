//! Which algorithm refines the specification, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::text::thousands;
use crate::compare::{Comparison, Side};
use crate::models::algorithms::Universal;
use crate::models::process::SnapshotAlgorithm;
use crate::refinement::{Failure, Refinement};
use crate::system::TraceStep;

pub(super) const SPECIFICATION: &str = Universal::INFO.name;

/// The section of a comparison for a terminal.
pub(super) fn text(comparison: &Comparison) -> String {
    let mut text = format!(
        "Refinement of {SPECIFICATION}: is each step none, one or two of its steps, which end in the same state:\n\
         application, counts, recordings, and messages and markers in the channels?\n\n",
    );
    let names = comparison.sides.iter().map(|side| side.instance.algorithm.name.len());
    let width = names.max().unwrap_or_default();
    for side in &comparison.sides {
        let _ = writeln!(
            text,
            "  {:width$}  {}",
            side.instance.algorithm.name,
            answer(&side.refinement)
        );
    }
    text
}

/// Whether it refines the specification, and how.
pub(super) fn answer(refinement: &Refinement) -> String {
    match refinement {
        Refinement::Holds { states, steps: [zero, one, two] } => format!(
            "yes: {} states; steps that are none, one, two of {SPECIFICATION}'s: {}, {}, {}",
            thousands(*states),
            thousands(*zero),
            thousands(*one),
            thousands(*two),
        ),
        Refinement::Fails(failure) => no(failure),
        Refinement::Open => "inconclusive: a bound was hit".to_owned(),
        Refinement::Unspecified => {
            format!("not asked: {SPECIFICATION} has no queues, and nobody finishes")
        }
    }
}

fn no(failure: &Failure) -> String {
    let Some((last, before)) = failure.trace.steps.split_last() else { return "no".to_owned() };
    let mut text = "no:".to_owned();
    let mut line = |step: &TraceStep, mark: &str| {
        let _ = write!(text, "\n    {mark} {:>2}. {step}", step.step);
    };
    for step in before {
        line(step, " ");
    }
    line(last, "✗");
    let _ = write!(
        text,
        "\n          there {} can do in {SPECIFICATION}: {}",
        last.process,
        instead(failure)
    );
    text
}

fn instead(failure: &Failure) -> String {
    match failure.instead.as_slice() {
        [] => "nothing".to_owned(),
        steps => steps.join("; or "),
    }
}

/// The step that the specification cannot follow, in a sentence.
pub(super) fn failing_step(failure: &Failure) -> String {
    failure.trace.steps.last().map_or("no".to_owned(), |step| {
        format!(
            "no: after {} steps “{step}”; there {} can do in {SPECIFICATION}: {}",
            step.step - 1,
            step.process,
            instead(failure)
        )
    })
}

/// The list in the JSON of a comparison.
pub(super) fn json(comparison: &Comparison) -> Vec<Value> {
    comparison.sides.iter().map(side_json).collect()
}

fn side_json(side: &Side) -> Value {
    let (states, steps, failure) = match &side.refinement {
        Refinement::Holds { states, steps: [zero, one, two] } => {
            (Some(states), Some(json!({ "zero": zero, "one": one, "two": two })), None)
        }
        Refinement::Fails(failure) => (None, None, Some(failure)),
        Refinement::Open | Refinement::Unspecified => (None, None, None),
    };
    json!({
        "algorithm": side.instance.algorithm.name,
        "refines": SPECIFICATION,
        "verdict": side.refinement.verdict(),
        "states": states,
        "steps": steps,
        "trace": failure.map(|failure| &failure.trace.steps),
        "instead": failure.map(|failure| &failure.instead),
    })
}
