//! A run that was replayed, as text and as JSON.

use std::fmt::Write;

use serde_json::json;

use super::explain;
use super::text::{heading, told_run};
use crate::models::claim::Kind;
use crate::replay::Replay;
use crate::trace_file::{TraceFile, shown_verdict};

/// The run for a terminal, and whether the claim is still decided as the file says.
#[must_use]
pub fn text(file: &TraceFile, replay: &Replay) -> String {
    let mut text = heading(&file.instance);
    let steps = replay.trace.steps.len();
    let _ = writeln!(text, "\n{steps} steps of {}, replayed:", file.source.name);
    text.push_str(&told_run(&file.instance, file.claim, &replay.trace));
    text.push_str(&conclusion(file, replay));
    text
}

fn conclusion(file: &TraceFile, replay: &Replay) -> String {
    let claim = file.claim.name();
    let said = match file.claim.kind() {
        Kind::Safety => "violated",
        Kind::Witness => "seen",
    };
    let first = replay.first_deciding(file.claim);
    let earlier = first.filter(|&first| first < replay.trace.steps.len());
    let earlier = earlier.map(|first| format!(", first after step {first}")).unwrap_or_default();
    if replay.decides(file.claim) {
        format!("As the file says: {claim} is {said} in the last state{earlier}.")
    } else {
        format!("NOT as the file says: {claim} is not {said} in the last state{earlier}.")
    }
}

/// The run as one line of JSON.
#[must_use]
pub fn json(file: &TraceFile, replay: &Replay) -> String {
    let topology = &file.instance.setup.topology;
    json!({
        "instance": file.instance.name,
        "algorithm": file.instance.algorithm.name,
        "claim": file.claim,
        "verdict": shown_verdict(file.claim),
        "as_written": replay.decides(file.claim),
        "first_after": replay.first_deciding(file.claim),
        "trace": replay.trace.steps,
        "explanation": explain(file.claim, &replay.trace.last, topology),
    })
    .to_string()
}
