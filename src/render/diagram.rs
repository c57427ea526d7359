//! The pictures of a comparison: the Hasse diagram of the sets of snapshots, and the chart of costs.

use itertools::Itertools;

use super::comparison::name;
use super::text::thousands;
use crate::compare::{Comparison, Side};
use crate::models::claim::Claim;
use crate::order::{Class, Order};
use crate::picture::chart::Point;
use crate::picture::hasse::{Diagram, Edge, Node};
use crate::picture::{Setting, chart, hasse};
use crate::verdict::Verdict;

/// The caption of the Hasse diagram.
pub const HASSE_CAPTION: &str = "Which snapshots can be recorded: each set includes those below it";

/// The caption of the chart.
pub const CHART_CAPTION: &str = "Channel state against messages held back";

fn names(comparison: &Comparison, class: &Class) -> Vec<String> {
    class.sides.iter().map(|&side| name(comparison, side).to_owned()).collect()
}

/// The Hasse diagram as lines: what a set directly includes stands indented below it.
pub(super) fn text(comparison: &Comparison, order: &Order<'_>) -> String {
    let mut lines = Vec::new();
    let mut shown = vec![false; order.classes.len()];
    for class in order.maximal() {
        add_lines(comparison, order, class, ["  ", "  "], &mut shown, &mut lines);
    }
    lines.join("\n")
}

/// `lead` stands before the line of the class, and before the lines below it.
fn add_lines(
    comparison: &Comparison,
    order: &Order<'_>,
    class: usize,
    [lead, below_lead]: [&str; 2],
    shown: &mut [bool],
    lines: &mut Vec<String>,
) {
    let found = &order.classes[class];
    let words = names(comparison, found).join(" = ");
    let size = thousands(found.snapshots);
    let below = order.below(class).collect_vec();
    let again = std::mem::replace(&mut shown[class], true) && !below.is_empty();
    let hint = if again { " (as above)" } else { "" };
    lines.push(format!("{lead}{words}: {size}{hint}"));
    if again {
        return;
    }
    for (index, &smaller) in below.iter().enumerate() {
        let (branch, rest) =
            if index + 1 == below.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let leads = [format!("{below_lead}{branch}"), format!("{below_lead}{rest}")];
        let leads = [leads[0].as_str(), leads[1].as_str()];
        add_lines(comparison, order, smaller, leads, shown, lines);
    }
}

/// The Hasse diagram as SVG.
#[must_use]
pub fn hasse(comparison: &Comparison, setting: Setting<'_>) -> String {
    let order = Order::of(comparison);
    let plural = |count: u64| if count == 1 { "snapshot" } else { "snapshots" };
    let node = |class: &Class| Node {
        names: names(comparison, class),
        size: format!("{} {}", thousands(class.snapshots), plural(class.snapshots)),
    };
    let edges = order.covers.iter().map(|cover| {
        let [smaller, larger] =
            [cover.smaller, cover.larger].map(|class| order.classes[class].snapshots);
        let label = format!("strict: {} more", thousands(larger - smaller));
        Edge { smaller: cover.smaller, larger: cover.larger, label }
    });
    let diagram =
        Diagram { nodes: order.classes.iter().map(node).collect(), edges: edges.collect() };
    hasse::draw(&diagram, HASSE_CAPTION, setting)
}

/// The chart of costs as SVG.
#[must_use]
pub fn chart(comparison: &Comparison, setting: Setting<'_>) -> String {
    let inconsistent = |side: &Side| {
        let found = side.claims.iter().find(|report| report.claim == Claim::ConsistentCut);
        found.is_some_and(|report| report.verdict == Verdict::Violated)
    };
    let point = |side: &Side| {
        let survey = side.survey.as_ref()?;
        Some(Point {
            name: side.instance.algorithm.name.to_owned(),
            in_channels: survey.snapshots.iter().map(|s| s.in_channels).max().unwrap_or_default(),
            held: survey.held,
            inconsistent: inconsistent(side),
        })
    };
    let points = comparison.sides.iter().filter_map(point).collect_vec();
    chart::draw(&points, CHART_CAPTION, setting)
}
