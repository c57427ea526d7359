//! What breaking an assumption does, as a table, with the runs, and as JSON.

use std::fmt::Write;

use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{ContentArrangement, Table};
use itertools::Itertools;
use serde_json::json;

use super::explain;
use super::tables::Look;
use crate::assumptions::{Cell, Fall, Matrix};
use crate::check::ClaimReport;
use crate::instance::write_network;
use crate::models::network::Network;

/// The matrix and, if they are asked for, the counterexamples.
#[must_use]
pub fn text(matrix: &Matrix, runs: bool) -> String {
    let mut text = format!(
        "{}; script, K = {}\n\n{}\n\n{}\n",
        matrix.topologies.join(" and "),
        matrix.messages,
        table(matrix, Look::Plain),
        LEGEND,
    );
    if runs {
        for cell in matrix.rows.iter().flat_map(|row| &row.cells) {
            cell.falls().iter().for_each(|fall| run(&mut text, fall));
        }
    }
    text
}

/// What a cell says.
const LEGEND: &str = "In each cell, of the claims that the algorithm promises on FIFO channels, those that \
                      fall, with the number\nof steps of a shortest counterexample; ✓ if none does.";

/// The matrix.
#[must_use]
pub fn table(matrix: &Matrix, look: Look) -> String {
    let mut table = Table::new();
    match look {
        Look::Plain => {
            table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic)
        }
        Look::Markdown => {
            table.load_style(ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Disabled)
        }
    };
    let networks = matrix.rows.first().map(|row| row.cells.as_slice()).unwrap_or_default();
    let networks = networks.iter().map(|cell| write_network(cell.network));
    table.set_header(std::iter::once("algorithm".to_owned()).chain(networks));
    for row in &matrix.rows {
        let name = match look {
            Look::Plain => row.algorithm.name.to_owned(),
            Look::Markdown => format!("`{}`", row.algorithm.name),
        };
        table.add_row(std::iter::once(name).chain(row.cells.iter().map(cell)));
    }
    table.trim_fmt()
}

fn cell(cell: &Cell) -> String {
    let falls = cell.falls();
    let steps = |fall: &Fall<'_>| fall.steps().map(|steps| format!(" {steps}")).unwrap_or_default();
    let words = falls.iter().map(|fall| format!("{}{}", fall.claim.claim.name(), steps(fall)));
    let open = cell.is_open().then(|| "?".to_owned());
    match words.chain(open).join(", ") {
        words if words.is_empty() => "✓".to_owned(),
        words => words,
    }
}

fn run(text: &mut String, fall: &Fall<'_>) {
    let Fall { report, claim } = fall;
    let Some(shown) = &claim.shown else { return };
    let steps = &shown.trace.steps;
    let _ = writeln!(
        text,
        "\n{}: {} is violated after {} steps:",
        report.instance.name,
        claim.claim.name(),
        steps.len()
    );
    for step in steps {
        let _ = writeln!(text, "{:>4}. {step}", step.step);
    }
    if let Some(words) = explained(fall) {
        let _ = writeln!(text, "  So {words}.");
    }
}

fn explained(Fall { report, claim }: &Fall<'_>) -> Option<String> {
    let shown = claim.shown.as_ref()?;
    explain(claim.claim, &shown.trace.last, &report.instance.setup.topology)
}

/// The matrix as one line of JSON; every claim that was judged, on every topology.
#[must_use]
pub fn json(matrix: &Matrix) -> String {
    let claim = |report: &ClaimReport| {
        json!({
            "claim": report.claim,
            "verdict": report.verdict,
            "promised": report.promised,
            "vacuous": report.vacuous,
            "trace": report.shown.as_ref().map(|shown| &shown.trace.steps),
        })
    };
    let cells = matrix.rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (row, cell)));
    let cases = cells.flat_map(|(row, cell)| {
        cell.reports.iter().map(move |report| {
            json!({
                "algorithm": row.algorithm.name,
                "network": cell.network.name(),
                "faults": match cell.network {
                    Network::Lossy(most) | Network::Duplicating(most) => most,
                    Network::Fifo | Network::Unordered => 0,
                },
                "topology": report.instance.topology_text,
                "states": report.explored.unique,
                "complete": report.explored.complete,
                "claims": report.claims.iter().map(claim).collect_vec(),
            })
        })
    });
    json!({ "messages": matrix.messages, "cases": cases.collect_vec() }).to_string()
}
