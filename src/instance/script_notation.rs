//! The notation for the steps of a script: `send q`, `send q x := 7`, `x := 4`, `internal "a"`.

use std::sync::Arc;

use crate::models::applications::script::{Assignment, Step};
use crate::models::topology::{ProcessId, Topology};

const FORMS: &str = "a step is `send q`, `send q x := 7`, `x := 4` or `internal \"a\"`";

/// Reads one step of `process`; the error is a message and a remedy.
pub(super) fn parse_step(
    topology: &Topology,
    process: ProcessId,
    text: &str,
) -> Result<Step, (String, String)> {
    let text = text.trim();
    if let Some(label) = text.strip_prefix("internal ") {
        let label = label.trim().strip_prefix('"').and_then(|l| l.strip_suffix('"'));
        return match label {
            Some(label) => Ok(Step::Internal(Arc::from(label))),
            None => Err(("an internal step needs a quoted label".to_owned(), FORMS.to_owned())),
        };
    }
    let Some(send) = text.strip_prefix("send ") else {
        return parse_assignment(text).map(Step::Assign);
    };
    let (target, content) = send.trim().split_once(' ').unwrap_or((send.trim(), ""));
    let Some(target_id) = topology.process_named(target) else {
        return Err((format!("unknown process `{target}`"), known_processes(topology)));
    };
    let Some(channel) = topology.channel_between(process, target_id) else {
        let source = topology.name(process);
        return Err((
            format!("there is no channel {source}→{target}"),
            format!("add `{source} -> {target}` to the topology, or send elsewhere"),
        ));
    };
    let content = content.trim();
    let assignment = (!content.is_empty()).then(|| parse_assignment(content)).transpose()?;
    Ok(Step::Send(channel, assignment))
}

/// Writes a step, the inverse of reading it.
pub(super) fn write_step(topology: &Topology, step: &Step) -> String {
    match step {
        Step::Send(channel, content) => {
            let target = topology.name(topology.channel(*channel).target);
            let content = content.as_ref().map(|content| format!(" {content}"));
            format!("send {target}{}", content.unwrap_or_default())
        }
        Step::Assign(assignment) => assignment.to_string(),
        Step::Internal(label) => format!("internal \"{label}\""),
    }
}

/// Reads `x := 4`; the error is a message and a remedy.
pub(super) fn parse_assignment(text: &str) -> Result<Assignment, (String, String)> {
    let parts = text.split_once(":=").map(|(name, value)| (name.trim(), value.trim().parse()));
    match parts {
        Some((name, Ok(value)))
            if name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') =>
        {
            Ok(Assignment { variable: Arc::from(name), value })
        }
        _ => Err((format!("`{text}` is no step of a script"), FORMS.to_owned())),
    }
}

/// The remedy for an unknown process.
pub(super) fn known_processes(topology: &Topology) -> String {
    let names: Vec<_> = topology.names().collect();
    format!("the processes are {}", names.join(", "))
}
