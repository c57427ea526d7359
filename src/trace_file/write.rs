//! Writing a trace file.

use serde::Serialize;

use super::layout::lay_out;
use super::{FORMAT, VERSION, shown_verdict};
use crate::instance::{Instance, Written};
use crate::models::claim::Claim;
use crate::system::{ActionKind, Trace, TraceStep};
use crate::verdict::Verdict;

#[derive(Serialize)]
struct Document<'t> {
    format: &'static str,
    version: u64,
    instance: Written,
    claim: Claim,
    verdict: Verdict,
    steps: Vec<Step<'t>>,
}

#[derive(Serialize)]
struct Step<'t> {
    process: &'t str,
    action: ActionKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<&'t [String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<u16>,
    #[serde(skip_serializing_if = "str::is_empty")]
    content: &'t str,
    words: String,
}

/// The file that holds `trace`, whose last state decides `claim` on `instance`.
#[must_use]
pub fn write(instance: &Instance, claim: Claim, trace: &Trace) -> String {
    lay_out(&Document {
        format: FORMAT,
        version: VERSION,
        instance: Written::of(instance),
        claim,
        verdict: shown_verdict(claim),
        steps: trace.steps.iter().map(step).collect(),
    })
}

fn step(step: &TraceStep) -> Step<'_> {
    Step {
        process: &step.process,
        action: step.action,
        from: step.from.as_deref(),
        channel: step.channel.as_ref(),
        message: step.message,
        content: &step.content,
        words: step.to_string(),
    }
}
