//! One checked instance as a page: what was checked, each claim with its verdict, each run to step
//! through.

use maud::{Markup, html};

use super::run::run;
use super::{mark, page};
use crate::check::{ClaimReport, Report};
use crate::explored::Shown;
use crate::models::claim::{Claim, Kind};
use crate::render::text::{beginning, conclusion, remark, thousands, verdict_words};
use crate::render::{effort, explain};
use crate::verdict::Verdict;

/// The page of an instance. `overview` is the address of the page that lists all.
#[must_use]
pub fn instance(report: &Report, overview: &str) -> String {
    let (name, topology) = (report.instance.algorithm.name, &report.instance.topology_text);
    let title = match report.instance.title.as_str() {
        "" => format!("{name} on {topology}"),
        title => title.to_owned(),
    };
    let broken = || {
        report.claims.iter().filter(|claim| {
            claim.claim.kind() == Kind::Safety && claim.verdict == Verdict::Violated
        })
    };
    let main = html! {
        nav { a href=(overview) { "All instances" } }
        (facts(report))
        p.conclusion { (conclusion(report)) }
        @if broken().any(|claim| !claim.promised) {
            p {
                (mark(Some(Verdict::Violated))) " marks what " (report.instance.algorithm.name)
                " does not keep here. The runs below show how it comes to that; what it does not promise \
                 is no mistake of its own."
            }
        }
        (claims(report, Kind::Safety, "Claims"))
        (notation())
        @for claim in with_runs(report, Kind::Safety) {
            section { (run_of(report, claim.0, claim.1)) }
        }
        (claims(report, Kind::Witness, "Witnesses: what can happen"))
        @for claim in with_runs(report, Kind::Witness) {
            details {
                summary { (claim.0.claim.name()) ": an example in " (steps(claim.1)) (effort::origin(claim.0)) }
                (run_of(report, claim.0, claim.1))
            }
        }
    };
    page(&title, &main)
}

fn steps(shown: &Shown) -> String {
    effort::steps(shown.trace.steps.len())
}

fn with_runs(report: &Report, kind: Kind) -> impl Iterator<Item = (&ClaimReport, &Shown)> {
    let of_kind = report.claims.iter().filter(move |claim| claim.claim.kind() == kind);
    of_kind.filter_map(|claim| Some((claim, claim.shown.as_ref()?)))
}

fn facts(report: &Report) -> Markup {
    let (instance, explored) = (&report.instance, &report.explored);
    let info = instance.algorithm;
    let cut_off = if report.interrupted { "interrupted" } else { "cut off by a bound" };
    html! {
        dl {
            dt { "Instance" } dd { (instance.name) }
            dt { "Algorithm" } dd { strong { (info.name) } ": " (info.summary) " (" (info.source) ")" }
            dt { "Topology" } dd { (instance.topology_text) }
            dt { "Application" } dd { (instance.application_text) }
            dt { "Snapshot" } dd { (beginning(instance)) }
            dt { "Explored" }
            dd {
                (effort::extent(report))
                @if report.reduction.interleavings { "; fewer interleavings stand for all" }
                @if report.reduction.symmetry { "; up to symmetry" }
                @if !explored.complete && report.runs.is_none() { "; " strong { (cut_off) } }
            }
            dt { "Outcomes" }
            dd {
                (thousands(explored.outcomes)) " different snapshots, "
                (thousands(explored.consistent_outcomes)) " with a consistent cut"
            }
        }
    }
}

fn claims(report: &Report, kind: Kind, heading: &str) -> Markup {
    let asked = || report.claims.iter().filter(move |claim| claim.claim.kind() == kind);
    html! {
        @if asked().next().is_some() {
            h2 { (heading) }
            div.wide {
                table.claims {
                    thead {
                        tr {
                            th {} th { "claim" } th { "verdict" } th { "expected" }
                            @if kind == Kind::Safety { th { "promise" } }
                            th { "statement" }
                        }
                    }
                    tbody { @for claim in asked() { (claim_row(report, claim)) } }
                }
            }
        }
    }
}

fn claim_row(report: &Report, claim: &ClaimReport) -> Markup {
    let name = claim.claim.name();
    let expected = claim.expected.map_or("–".to_owned(), |expected| expected.to_string());
    html! {
        tr {
            td { (mark(Some(claim.verdict))) }
            th scope="row" {
                @match &claim.shown {
                    Some(_) if claim.claim.kind() == Kind::Safety => a href={ "#" (name) } { (name) },
                    _ => (name),
                }
            }
            td { (verdict_words(report, claim)) }
            td { (expected) @if claim.deviates() { " " strong { "NOT as expected" } } }
            @if claim.claim.kind() == Kind::Safety { td { (remark(claim)) } }
            td {
                (claim.claim.statement())
                @if let Some(meaning) = meaning(claim.claim) { br; span.meaning { (meaning) } }
            }
        }
    }
}

/// What it is good for, to people who do not read formulas.
fn meaning(claim: Claim) -> Option<&'static str> {
    match claim {
        Claim::ConsistentCut => Some(
            "No message is recorded as received that is not recorded as sent: restoring the snapshot \
             delivers no message twice.",
        ),
        Claim::ExactChannelState => Some(
            "What was on its way when the snapshot was taken is in it: restoring the snapshot loses \
             no message.",
        ),
        Claim::MarkerArithmetic => Some("The markers stand exactly between before and after."),
        Claim::EmptyChannelState => Some("Nothing was on its way: no channel state is needed."),
        Claim::CompletionIsReal => Some("Nobody says “complete” too early."),
        Claim::Terminates => {
            Some("The snapshot always comes to an end, and nothing is left behind.")
        }
        Claim::NeverBlocks => Some("The application is never kept waiting."),
        Claim::Conserved => Some("Nothing is lost or doubled in what the snapshot holds."),
        Claim::Reachable => Some(
            "The snapshot is a state that the application could have been in on its way from where it \
             was to where it is.",
        ),
        Claim::StableProperty => Some(
            "A deadlock that is there when the snapshot begins is found in it, and what is found in \
             it is there.",
        ),
        Claim::NonInterference => {
            Some("The application does not notice that somebody takes a snapshot.")
        }
        Claim::ProofInvariant => Some(
            "What is always true of a channel, from which it follows in every later state that the snapshot is \
             consistent and complete.",
        ),
        _ => None,
    }
}

fn notation() -> Markup {
    html! {
        p.notation {
            "On a channel c from p to q: " b { "n" } " messages were sent before p recorded, "
            b { "n'" } " before p put its marker on c; " b { "m" } " were received before q recorded, "
            b { "m'" } " before c's recording began or c's marker was consumed. A message is an "
            b { "orphan" } " if it was received before q recorded and sent after p did: m > n."
        }
    }
}

fn run_of(report: &Report, claim: &ClaimReport, shown: &Shown) -> Markup {
    let topology = &report.instance.setup.topology;
    let name = claim.claim.name();
    let words = explain(claim.claim, &shown.trace.last, topology);
    html! {
        @if claim.claim.kind() == Kind::Safety {
            h2 { (mark(Some(claim.verdict))) " " (name) " is violated after " (steps(shown)) (effort::origin(claim)) }
        }
        @if let Some(meaning) = meaning(claim.claim) { p.meaning { "The claim: " (meaning) } }
        p.so {
            @match &words {
                Some(words) => { "In the end " (words) "." }
                None => { (claim.claim.statement()) "." }
            }
        }
        (run(name, name, shown, topology))
    }
}
