//! A sweep, as text and as JSON.

use std::fmt::Write;

use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};
use itertools::Itertools;
use serde_json::{Value, json};

use super::text::{seconds, thousands};
use crate::check::Status;
use crate::models::process::AlgorithmInfo;
use crate::sweep::{
    AlgorithmReport, Among, Case, ClaimReport, Class, Failing, Promised, Report, Space,
};
use crate::verdict::Verdict;

/// How many instances that were cut off are named.
const MOST_NAMED: usize = 10;

/// The sweep for a terminal.
#[must_use]
pub fn text(report: &Report) -> String {
    let space = &report.space;
    let coordinator = if space.central { "; a central coordinator" } else { "" };
    let mut text = format!(
        "{} topologies, {} setups with initiators, up to names; script, K = {}{coordinator}\n",
        number(space.topologies),
        number(space.setups.len()),
        space.messages,
    );
    if report.unjudged > 0 {
        let unjudged = number(report.unjudged);
        let _ = writeln!(
            text,
            "INTERRUPTED: {unjudged} instances are not judged; all below is said of the others alone"
        );
    }
    for algorithm in &report.algorithms {
        let _ = writeln!(
            text,
            "\n{}, {} setups\n\n{}",
            algorithm.algorithm.name,
            number(algorithm.setups),
            table(space, algorithm)
        );
        for line in promises(space, algorithm) {
            let _ = writeln!(text, "\n{line}");
        }
    }
    let _ = write!(text, "\n{}", cut_off(report));
    let _ = writeln!(text, "{}", closing(report));
    text
}

fn table(space: &Space, algorithm: &AlgorithmReport) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["claim", "holds on", "exactly", "promise", "smallest that fails"]);
    for claim in &algorithm.claims {
        table.add_row([
            claim.claim.name().to_owned(),
            count(claim),
            claim.class.as_ref().map_or("no simple class".to_owned(), class),
            promise(claim),
            claim.failing.map(|failing| smallest(space, failing)).unwrap_or_default(),
        ]);
    }
    table.trim_fmt()
}

fn count(claim: &ClaimReport) -> String {
    let asides = asides(&[(claim.vacuous, "vacuously"), (claim.inconclusive, "inconclusive")]);
    format!("{} of {}{asides}", number(claim.holds), number(claim.holds + claim.violated))
}

/// What is to be added to a count, in parentheses.
fn asides(counts: &[(usize, &str)]) -> String {
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let words = counts.map(|(count, word)| format!("{} {word}", number(*count))).join(", ");
    if words.is_empty() { words } else { format!(" ({words})") }
}

fn number(count: usize) -> String {
    thousands(count as u64)
}

/// The class in words.
fn class(class: &Class) -> String {
    let mut words = class.conditions.iter().map(|c| c.words).filter(|words| !words.is_empty());
    let words = words.join(", and ");
    let where_it_holds = match (class.verdict, words.is_empty()) {
        (Verdict::Violated, true) => "nowhere".to_owned(),
        (Verdict::Violated, false) => format!("except where {words}"),
        (_, true) => "everywhere".to_owned(),
        (_, false) => format!("where {words}"),
    };
    match class.among {
        Among::All => where_it_holds,
        Among::Terminating => {
            let (holds, of) = (number(class.holds), number(class.of));
            format!("{where_it_holds} ({holds} of the {of} on which it terminates)")
        }
    }
}

fn promise(claim: &ClaimReport) -> String {
    let kept = match claim.promised {
        Promised::Nowhere => return "–".to_owned(),
        Promised::Open => return "?".to_owned(),
        Promised::Broken { on, .. } => return format!("BROKEN on {}", number(on)),
        Promised::Exactly => "exact".to_owned(),
        Promised::ExactlyWhereItTerminates => "exact where it terminates".to_owned(),
        Promised::Narrowly { more, vacuous } => {
            format!("kept; holds on {} more{}", number(more), asides(&[(vacuous, "vacuously")]))
        }
    };
    let so_far = if claim.inconclusive > 0 { ", as far as settled" } else { "" };
    format!("{kept}{so_far}")
}

fn smallest(space: &Space, failing: Failing) -> String {
    let steps = match failing.steps {
        Some(1) => ", 1 step".to_owned(),
        Some(steps) => format!(", {steps} steps"),
        None => String::new(),
    };
    format!("{}{steps}", setup(space, failing.case))
}

fn setup(space: &Space, case: Case) -> String {
    let named = space.setup(case);
    format!("{} by {}", named.topology, named.initiators().join(", "))
}

/// What is to be said of promises that are broken.
fn promises(space: &Space, algorithm: &AlgorithmReport) -> Vec<String> {
    let name = algorithm.algorithm.name;
    let broken = algorithm.claims.iter().filter_map(|claim| match claim.promised {
        Promised::Broken { on, smallest: failing } => Some(format!(
            "{name} BREAKS its promise of {} on {on} setups, first on {}:\n  snapcheck {}",
            claim.claim.name(),
            smallest(space, failing),
            command(space, failing.case, claim.claim.name()),
        )),
        _ => None,
    });
    broken.collect()
}

/// The arguments that show a counterexample.
fn command(space: &Space, case: Case, claim: &str) -> String {
    let named = space.setup(case);
    let coordinator = if space.central { " --coordinator central" } else { "" };
    format!(
        "check --algorithm {} --topology \"{}\" --initiators {} --messages {}{coordinator} --claim {claim}",
        space.algorithms[case.algorithm].name,
        named.topology,
        named.initiators().join(","),
        space.messages,
    )
}

/// The instances that a limit left open.
fn cut_off(report: &Report) -> String {
    let space = &report.space;
    let mut text = String::new();
    for &case in report.cut_off.iter().take(MOST_NAMED) {
        let name = space.algorithms[case.algorithm].name;
        let _ = writeln!(text, "cut off, so inconclusive: {name} on {}", setup(space, case));
    }
    if let Some(more @ 1..) = report.cut_off.len().checked_sub(MOST_NAMED) {
        let _ = writeln!(text, "and {more} more");
    }
    text
}

fn closing(report: &Report) -> String {
    let instances: usize = report.algorithms.iter().map(|algorithm| algorithm.setups).sum();
    let resumed = match report.resumed {
        0 => String::new(),
        resumed => format!(", {} of them judged before", number(resumed)),
    };
    let result = match report.status() {
        Status::AsExpected => "every promise is kept",
        Status::Inconclusive if report.unjudged > 0 => "no promise is broken so far",
        Status::Inconclusive => "no promise is broken, but some instances are inconclusive",
        Status::Deviates => "some promise is BROKEN",
    };
    format!(
        "{result}: {} instances{resumed}, {} states, in {} s",
        number(instances),
        thousands(report.states),
        seconds(report.elapsed),
    )
}

/// The sweep as one line of JSON. It holds nothing that differs from run to run.
#[must_use]
pub fn json(report: &Report) -> String {
    let space = &report.space;
    let status = report.status();
    let algorithms = report.algorithms.iter().map(|algorithm| {
        let claims = algorithm.claims.iter().map(|c| claim_json(space, &algorithm.algorithm, c));
        json!({
            "algorithm": algorithm.algorithm.name,
            "setups": algorithm.setups,
            "claims": claims.collect_vec(),
        })
    });
    let cut_off = report.cut_off.iter().map(|&case| {
        let mut setup = setup_json(space, case);
        setup["algorithm"] = space.algorithms[case.algorithm].name.into();
        setup
    });
    json!({
        "topologies": space.topologies,
        "setups": space.setups.len(),
        "messages": space.messages,
        "coordinator": if space.central { "central" } else { "none" },
        "states": report.states,
        "algorithms": algorithms.collect_vec(),
        "cut_off": cut_off.collect_vec(),
        "unjudged": report.unjudged,
        "ok": status == Status::AsExpected,
        "inconclusive": status == Status::Inconclusive,
    })
    .to_string()
}

fn claim_json(space: &Space, algorithm: &AlgorithmInfo, report: &ClaimReport) -> Value {
    let class = report.class.as_ref().map(|class| {
        let words = class.conditions.iter().map(|c| c.words).filter(|words| !words.is_empty());
        json!({
            "among": match class.among {
                Among::All => "all",
                Among::Terminating => "terminating",
            },
            "of": class.of,
            "holds": class.holds,
            "verdict": class.verdict,
            "where": words.collect_vec(),
        })
    });
    let failing = |failing: Failing| {
        let mut setup = setup_json(space, failing.case);
        setup["steps"] = failing.steps.into();
        setup
    };
    let (standing, more, broken) = match report.promised {
        Promised::Nowhere => ("none", None, None),
        Promised::Open => ("open", None, None),
        Promised::Exactly => ("exact", None, None),
        Promised::ExactlyWhereItTerminates => ("exact-where-it-terminates", None, None),
        Promised::Narrowly { more, vacuous } => {
            ("narrow", Some(json!({ "on": more, "vacuous": vacuous })), None)
        }
        Promised::Broken { on, smallest } => {
            ("broken", None, Some(json!({ "on": on, "smallest": failing(smallest) })))
        }
    };
    let promise = algorithm.promises.iter().find(|promise| promise.claim == report.claim);
    json!({
        "claim": report.claim,
        "holds": report.holds,
        "vacuous": report.vacuous,
        "violated": report.violated,
        "inconclusive": report.inconclusive,
        "class": class,
        "promise": {
            "standing": standing,
            "where": promise.map(|promise| promise.condition.words),
            "more": more,
            "broken": broken,
        },
        "smallest_failing": report.failing.map(failing),
    })
}

fn setup_json(space: &Space, case: Case) -> Value {
    let named = space.setup(case);
    json!({ "topology": named.topology, "initiators": named.initiators() })
}
