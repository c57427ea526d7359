//! Outcomes as JSON Lines, one object each.

use serde::Serialize;

use crate::check::Report;
use crate::system::WrittenSnapshot;

#[derive(Serialize)]
struct Line<'r> {
    instance: &'r str,
    #[serde(flatten)]
    snapshot: &'r WrittenSnapshot,
    /// Only of a search that was cut off: then there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
}

/// Every outcome that a report holds, a line each, in the order in which it holds them.
#[must_use]
pub fn lines(report: &Report) -> String {
    let line = |snapshot| {
        let instance = &report.instance.name;
        let complete = (!report.explored.complete).then_some(false);
        let line = Line { instance, snapshot, complete };
        serde_json::to_string(&line).expect("an outcome has no maps and no unusual numbers") + "\n"
    };
    report.outcomes.iter().flatten().map(line).collect()
}
