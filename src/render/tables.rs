//! Tables of what there is: algorithms, claims, topologies, applications, instances.

use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{ContentArrangement, Table};
use itertools::Itertools;

use super::text::thousands;
use crate::instance::Instance;
use crate::models::claim::{Claim, Kind};
use crate::models::process::AlgorithmInfo;
use crate::models::setup::DefaultInitiators;
use crate::models::topology::Shape;

/// How a table is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// For a terminal.
    Plain,
    /// For the README.
    Markdown,
}

fn table(look: Look, header: &[&str]) -> Table {
    let mut table = Table::new();
    match look {
        Look::Plain => {
            table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic)
        }
        Look::Markdown => {
            table.load_style(ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Disabled)
        }
    };
    table.set_header(header);
    table
}

fn code(look: Look, name: &str) -> String {
    match look {
        Look::Plain => name.to_owned(),
        Look::Markdown => format!("`{name}`"),
    }
}

/// The algorithms, with what each does.
#[must_use]
pub fn algorithms(infos: &[AlgorithmInfo], look: Look) -> String {
    let mut table = table(look, &["algorithm", "rule", "begun by", "from"]);
    for info in infos {
        let begun_by = match info.default_initiators {
            DefaultInitiators::All => "every process",
            DefaultInitiators::Sources => "the sources",
        };
        table.add_row([&code(look, info.name), info.summary, begun_by, info.source]);
    }
    table.trim_fmt()
}

/// The known bugs, each with the algorithm that does it right.
#[must_use]
pub fn bugs(bugs: &[(AlgorithmInfo, &str)], look: Look) -> String {
    let mut table = table(look, &["bug", "what is wrong", "beside"]);
    for (info, right) in bugs {
        table.add_row([&code(look, info.name), info.summary, &code(look, right)]);
    }
    table.trim_fmt()
}

/// Which algorithm promises which claim, and where.
#[must_use]
pub fn promises(infos: &[AlgorithmInfo], look: Look) -> String {
    let safety = Claim::ALL.into_iter().filter(|claim| claim.kind() == Kind::Safety).collect_vec();
    let names = safety.iter().map(|claim| code(look, claim.name())).collect_vec();
    let header = std::iter::once("algorithm").chain(names.iter().map(String::as_str)).collect_vec();
    let mut table = table(look, &header);
    for info in infos {
        let promised = safety.iter().map(|claim| {
            let promise = info.promises.iter().find(|promise| promise.claim == *claim);
            let Some(promise) = promise else { return "–".to_owned() };
            let order = if promise.in_any_order { ", in any order" } else { "" };
            match promise.condition.words {
                "" => format!("yes{order}"),
                words => format!("if {words}{order}"),
            }
        });
        table.add_row(std::iter::once(code(look, info.name)).chain(promised));
    }
    table.trim_fmt()
}

/// The claims and their witnesses.
#[must_use]
pub fn claims(look: Look) -> String {
    let mut table = table(look, &["claim", "kind", "statement", "from"]);
    for claim in Claim::ALL {
        let kind = match claim.kind() {
            Kind::Safety => "safety",
            Kind::Witness => "witness",
        };
        table.add_row([&code(look, claim.name()), kind, claim.statement(), claim.source()]);
    }
    table.trim_fmt()
}

/// The notations for topologies.
#[must_use]
pub fn topologies(look: Look) -> String {
    let mut table = table(look, &["topology", "channels"]);
    for (notation, meaning) in Shape::NOTATIONS {
        table.add_row([&code(look, notation), meaning]);
    }
    table.add_row([
        &code(look, "p -> q, q -> p"),
        "the channels listed; `p -> p` is a self-channel",
    ]);
    table.add_row([&code(look, "complete(3), p0 -> p0"), "several of these together"]);
    table.trim_fmt()
}

/// The applications.
#[must_use]
pub fn applications(look: Look) -> String {
    let mut table = table(look, &["application", "what processes do"]);
    table.add_row([
        &code(look, "script"),
        "K messages on each output in round-robin order, or the listed steps of each process",
    ]);
    table.add_row([
        &code(look, "bank"),
        "transfers of one unit along any output, while there is money and a bound lasts",
    ]);
    table.add_row([
        &code(look, "stream"),
        "sources emit records, operators apply and forward them; by forward, hash or broadcast",
    ]);
    table.add_row([
        &code(look, "requests"),
        "each takes its own resource, waits for those of others, releases all; may deadlock",
    ]);
    table.trim_fmt()
}

/// The instances, with the counts that each expects.
#[must_use]
pub fn instances(instances: &[Instance], look: Look) -> String {
    let mut table = table(look, &["instance", "what it shows", "states", "outcomes"]);
    let count = |count: Option<u64>| count.map(thousands).unwrap_or_default();
    for instance in instances {
        table.add_row([
            code(look, &instance.name),
            instance.title.clone(),
            count(instance.expect.unique),
            count(instance.expect.outcomes),
        ]);
    }
    table.trim_fmt()
}
