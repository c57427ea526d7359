//! A comparison of algorithms, as text and as JSON.

use std::fmt::Write;

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use itertools::Itertools;
use serde_json::{Value, json};

use super::diagram;
use super::refinements;
use super::text::{COLUMNS, symbol, thousands};
use crate::claims::newest;
use crate::compare::{Comparison, Inclusion, Side};
use crate::order::Order;
use crate::picture::{SpaceTime, unicode};
use crate::survey::{Range, Survey};

/// The comparison for a terminal.
#[must_use]
pub fn text(comparison: &Comparison) -> String {
    let mut text = String::new();
    if let Some(side) = comparison.sides.first() {
        let instance = &side.instance;
        let _ = writeln!(text, "{}; {}\n", instance.topology_text, instance.application_text);
    }
    let letters = COLUMNS.iter().map(|(claim, letter)| format!("{letter} {}", claim.name()));
    let _ = writeln!(text, "{}\n", letters.collect_vec().join(", "));
    let order = Order::of(comparison);
    let _ = writeln!(
        text,
        "{}\n\nInclusions of the sets of snapshots: each set and its size, below it those that it includes\n",
        table(comparison)
    );
    let _ = writeln!(text, "{}\n", diagram::text(comparison, &order));
    for cover in &order.covers {
        text.push_str(&strict_inclusion(comparison, cover.inclusion));
    }
    text.push_str(&refinements::text(comparison));
    text
}

fn table(comparison: &Comparison) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let letters = COLUMNS.iter().map(|(_, letter)| letter.to_string());
    let counts = COSTS.map(|(heading, _)| heading.to_owned());
    table.set_header(std::iter::once("algorithm".to_owned()).chain(letters).chain(counts));
    for side in &comparison.sides {
        let verdicts = COLUMNS.iter().map(|(claim, _)| {
            let found = side.claims.iter().find(|report| report.claim == *claim);
            found.map_or('·', |report| symbol(report.verdict)).to_string()
        });
        let row = std::iter::once(side.instance.algorithm.name.to_owned()).chain(verdicts);
        table.add_row(row.chain(costs(side)));
    }
    let notes = COSTS.iter().filter(|(_, note)| !note.is_empty());
    let notes = notes.map(|(heading, note)| format!("{heading}: {note}"));
    format!("{}\n\n{}", table.trim_fmt(), notes.format("\n"))
}

/// What is counted: the heading of its column, and what that means where it needs to be said.
pub(super) const COSTS: [(&str, &str); 7] = [
    ("states", ""),
    ("snapshots", ""),
    ("consistent", "snapshots whose cut is consistent"),
    ("in channels", "messages recorded as channel state, least and most over all snapshots"),
    ("held", "most messages that ever waited in blocked channels"),
    ("control", "control messages sent until the snapshot is complete"),
    ("steps", "from the one in which the snapshot begins to the one after which it is complete"),
];

/// What an algorithm costs, column by column.
pub(super) fn costs(side: &Side) -> [String; 7] {
    let explored = &side.explored;
    let range = |range: Option<(usize, usize)>| match range {
        Some((least, most)) if least == most => least.to_string(),
        Some((least, most)) => format!("{least}–{most}"),
        None => String::new(),
    };
    let survey = side.survey.as_ref();
    [
        thousands(explored.unique),
        thousands(explored.outcomes),
        thousands(explored.consistent_outcomes),
        range(survey.and_then(in_channels)),
        survey.map_or("?".to_owned(), |survey| survey.held.to_string()),
        bounds(survey, |survey| survey.control_messages),
        bounds(survey, |survey| survey.steps_to_completion),
    ]
}

/// A range in words; a question mark if it is not known.
fn bounds(survey: Option<&Survey>, of: impl Fn(&Survey) -> Option<Range>) -> String {
    let Some(survey) = survey else { return "?".to_owned() };
    match of(survey) {
        Some(Range { least, most: Some(most) }) if least == most => least.to_string(),
        Some(Range { least, most: Some(most) }) => format!("{least}–{most}"),
        Some(Range { least, most: None }) => format!("{least}–unbounded"),
        None => "never".to_owned(),
    }
}

fn in_channels(survey: &Survey) -> Option<(usize, usize)> {
    survey.snapshots.iter().map(|snapshot| snapshot.in_channels).minmax().into_option()
}

/// The name of an algorithm.
pub(super) fn name(comparison: &Comparison, side: usize) -> &'static str {
    comparison.sides[side].instance.algorithm.name
}

fn strict_inclusion(comparison: &Comparison, inclusion: &Inclusion) -> String {
    let Inclusion { smaller, larger, witness, .. } = inclusion;
    let Some(witness) = witness else { return String::new() };
    let outcomes = |side: &usize| comparison.sides[*side].explored.outcomes;
    let mut text = format!(
        "  {} ⊂ {}: {} of {}\n      only {} records: {}\n",
        name(comparison, *smaller),
        name(comparison, *larger),
        thousands(outcomes(smaller)),
        thousands(outcomes(larger)),
        name(comparison, *larger),
        witness.snapshot.words,
    );
    if let Some(shown) = &witness.shown {
        let topology = &comparison.sides[*larger].instance.setup.topology;
        let picture =
            unicode::draw(&SpaceTime::of(&shown.trace, newest(&shown.trace.last), topology));
        for row in picture.lines() {
            let _ = writeln!(text, "      {row}");
        }
    }
    text.push('\n');
    text
}

/// The comparison as one line of JSON.
#[must_use]
pub fn json(comparison: &Comparison) -> String {
    let algorithms = comparison.sides.iter().map(side_json).collect_vec();
    let inclusions = comparison.inclusions.iter().map(|inclusion| {
        let witness = inclusion.witness.as_ref().map(|witness| {
            json!({
                "snapshot": witness.snapshot.words,
                "trace": witness.shown.as_ref().map(|shown| &shown.trace.steps),
            })
        });
        json!({
            "smaller": name(comparison, inclusion.smaller),
            "larger": name(comparison, inclusion.larger),
            "strict": witness.is_some(),
            "covers": inclusion.covers,
            "witness": witness,
        })
    });
    json!({
        "algorithms": algorithms,
        "inclusions": inclusions.collect_vec(),
        "refinements": refinements::json(comparison),
    })
    .to_string()
}

fn side_json(side: &Side) -> Value {
    let explored = &side.explored;
    let range = |range: Option<(usize, usize)>| {
        range.map(|(least, most)| json!({ "least": least, "most": most }))
    };
    let bounds = |range: Option<Range>| {
        range.map(|Range { least, most }| json!({ "least": least, "most": most }))
    };
    let claims = side.claims.iter().map(|report| {
        json!({ "claim": report.claim, "verdict": report.verdict, "promised": report.promised })
    });
    let survey = side.survey.as_ref();
    json!({
        "algorithm": side.instance.algorithm.name,
        "states": { "unique": explored.unique, "generated": explored.generated },
        "complete": explored.complete,
        "outcomes": explored.outcomes,
        "consistent_outcomes": explored.consistent_outcomes,
        "channel_state": range(survey.and_then(in_channels)),
        "held": survey.map(|survey| survey.held),
        "control_messages": bounds(survey.and_then(|survey| survey.control_messages)),
        "steps_to_completion": bounds(survey.and_then(|survey| survey.steps_to_completion)),
        "claims": claims.collect_vec(),
    })
}
