//! Tables of what there is: algorithms, claims, topologies, applications, instances.

use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{ContentArrangement, Table};
use itertools::Itertools;

use super::text::thousands;
use crate::instance::Instance;
use crate::models::claim::{Claim, Kind};
use crate::models::process::AlgorithmInfo;
use crate::models::proof::{PROOFS, Proof, proved_of};
use crate::models::setup::DefaultInitiators;
use crate::models::topology::Shape;
use crate::verdict::Verdict;

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

/// The instances of the known bugs, in the order of the bugs.
fn caught<'i>(
    bugs: &'i [(AlgorithmInfo, &'i str)],
    instances: &'i [Instance],
) -> impl Iterator<Item = (&'i Instance, &'i str, Claim)> {
    bugs.iter().flat_map(move |(info, right)| {
        let own = instances.iter().filter(|instance| instance.algorithm.name == info.name);
        own.filter_map(|instance| Some((instance, *right, instance.caught_by()?)))
    })
}

/// The last part of the name of an instance.
fn short_name(instance: &Instance) -> &str {
    instance.name.rsplit('/').next().unwrap_or_default()
}

/// The worst that a bug does, as far as the verdicts of its instance say.
fn harm(instance: &Instance) -> &'static str {
    let falls = |claim| {
        let expected = instance.expect.claims.get(&claim);
        expected.is_some_and(|expected| expected.verdict == Verdict::Violated)
    };
    if falls(Claim::AtLeastOnceState) {
        "after a failover a record is lost"
    } else if falls(Claim::ExactlyOnceState) {
        "after a failover a record has its effect twice"
    } else if falls(Claim::Terminates) {
        "an input stays blocked, and the job stands still"
    } else if falls(Claim::ExactChannelState) {
        "what is recorded of a channel is not what was in it"
    } else {
        ""
    }
}

/// How each known bug is caught, with a link to its picture.
#[must_use]
pub fn caught_bugs(bugs: &[(AlgorithmInfo, &str)], instances: &[Instance]) -> String {
    let header = ["bug", "of", "what goes wrong", "topology", "caught by", "in steps", "harm"];
    let mut table = table(Look::Markdown, &header);
    for (instance, right, claim) in caught(bugs, instances) {
        let expected = instance.expect.claims.get(&claim);
        let steps = expected.and_then(|expected| expected.steps).map(|steps| steps.to_string());
        let name = short_name(instance);
        table.add_row([
            format!("[`{name}`](#{name})"),
            code(Look::Markdown, right),
            instance.title.clone(),
            code(Look::Markdown, &instance.topology_text),
            code(Look::Markdown, claim.name()),
            steps.unwrap_or_default(),
            harm(instance).to_owned(),
        ]);
    }
    table.trim_fmt()
}

/// Each known bug with its story, how to see it, and its picture in the folder `pictures`.
#[must_use]
pub fn bug_pictures(
    bugs: &[(AlgorithmInfo, &str)],
    instances: &[Instance],
    pictures: &str,
) -> String {
    let sections = caught(bugs, instances).map(|(instance, _, claim)| {
        let (name, full, claim) = (short_name(instance), &instance.name, claim.name());
        format!(
            "### {name}\n\n{}\n\n`snapcheck check {full} --claim {claim}`\n\n![{}]({pictures}/{name}.svg)",
            instance.story(),
            instance.title,
        )
    });
    sections.collect_vec().join("\n\n")
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
    let mut table = table(look, &["claim", "kind", "statement", "from", "proved of"]);
    for claim in Claim::ALL {
        let (kind, bounded) = match claim.kind() {
            Kind::Safety => ("safety", "checked on bounded systems only"),
            Kind::Witness => ("witness", ""),
        };
        let algorithms = proved_of(claim).map(|algorithm| code(look, algorithm)).join(", ");
        let proved = if algorithms.is_empty() { bounded } else { &algorithms };
        let [name, statement, source] =
            [&code(look, claim.name()), claim.statement(), claim.source()];
        table.add_row([name, kind, statement, source, proved]);
    }
    table.trim_fmt()
}

/// What is proved of all systems, and where.
#[must_use]
pub fn proofs(look: Look) -> String {
    let mut table = table(look, &["algorithm", "where", "claims"]);
    let places = PROOFS.iter().map(|proof| (proof.algorithm, proof.condition.words)).unique();
    for (algorithm, words) in places {
        let here = |proof: &&Proof| (proof.algorithm, proof.condition.words) == (algorithm, words);
        let claims = PROOFS.iter().filter(here).flat_map(|proof| proof.claims);
        let claims = claims.map(|claim| code(look, claim.name())).join(", ");
        let place = if words.is_empty() { "everywhere" } else { words };
        table.add_row([&code(look, algorithm), place, &claims]);
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
