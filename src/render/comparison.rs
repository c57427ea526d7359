//! A comparison of algorithms, as text and as JSON.

use std::fmt::Write;

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use itertools::Itertools;
use serde_json::{Value, json};

use super::refinements;
use super::text::{COLUMNS, symbol, thousands};
use crate::compare::{Comparison, Inclusion, Side};
use crate::picture::{SpaceTime, unicode};

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
    let _ = writeln!(text, "{}\n\nInclusions of the sets of snapshots\n", table(comparison));
    for line in equalities(comparison) {
        let _ = writeln!(text, "  {line}");
    }
    let strict = comparison.inclusions.iter().filter(|i| i.witness.is_some() && i.covers);
    for inclusion in strict.filter(|inclusion| is_representative(comparison, inclusion)) {
        text.push_str(&strict_inclusion(comparison, inclusion));
    }
    text.push_str(&refinements::text(comparison));
    text
}

fn table(comparison: &Comparison) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let letters = COLUMNS.iter().map(|(_, letter)| letter.to_string());
    let counts =
        ["states", "snapshots", "consistent", "in channels", "markers", "held"].map(str::to_owned);
    table.set_header(std::iter::once("algorithm".to_owned()).chain(letters).chain(counts));
    for side in &comparison.sides {
        let verdicts = COLUMNS.iter().map(|(claim, _)| {
            let found = side.claims.iter().find(|report| report.claim == *claim);
            found.map_or('·', |report| symbol(report.verdict)).to_string()
        });
        let row = std::iter::once(side.instance.algorithm.name.to_owned()).chain(verdicts);
        table.add_row(row.chain(costs(side)));
    }
    format!(
        "{}\n\nin channels: messages recorded as channel state, least and most over all snapshots\n\
         markers: channels that a marker was put on; held: most messages that ever waited in blocked channels",
        table.trim_fmt()
    )
}

fn costs(side: &Side) -> [String; 6] {
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
        range(
            survey.and_then(|survey| in_channels(survey.snapshots.iter().map(|s| s.in_channels))),
        ),
        range(survey.and_then(|survey| survey.markers)),
        survey.map_or("?".to_owned(), |survey| survey.held.to_string()),
    ]
}

fn in_channels(counts: impl Iterator<Item = usize>) -> Option<(usize, usize)> {
    counts.minmax().into_option()
}

fn name(comparison: &Comparison, side: usize) -> &'static str {
    comparison.sides[side].instance.algorithm.name
}

/// The algorithms with the same snapshots as `side`, itself included, in order.
fn equals(comparison: &Comparison, side: usize) -> Vec<usize> {
    let same = comparison.inclusions.iter().filter(|i| i.smaller == side && i.witness.is_none());
    same.map(|inclusion| inclusion.larger).chain([side]).sorted().collect()
}

fn equalities(comparison: &Comparison) -> Vec<String> {
    let classes = (0..comparison.sides.len()).map(|side| equals(comparison, side));
    let classes = classes.filter(|class| class.len() > 1).unique();
    let names = |class: Vec<usize>| class.into_iter().map(|s| name(comparison, s)).join(" = ");
    classes.map(names).collect()
}

/// Of algorithms with equal sets only the first stands in the diagram.
fn is_representative(comparison: &Comparison, inclusion: &Inclusion) -> bool {
    let first = |side| equals(comparison, side).first() == Some(&side);
    first(inclusion.smaller) && first(inclusion.larger)
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
        let picture = unicode::draw(&SpaceTime::of(&shown.trace, topology));
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
        "channel_state": range(
            survey.and_then(|survey| in_channels(survey.snapshots.iter().map(|s| s.in_channels)))
        ),
        "markers": range(survey.and_then(|survey| survey.markers)),
        "held": survey.map(|survey| survey.held),
        "claims": claims.collect_vec(),
    })
}
