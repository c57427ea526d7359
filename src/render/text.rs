//! Reports for the terminal: a line per instance, or one instance in detail.

use std::fmt::Write;
use std::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, Table};
use itertools::Itertools;

use super::{effort, explain};
use crate::check::{ClaimReport, Report, Status};
use crate::claims;
use crate::explored::Remembered;
use crate::instance::Instance;
use crate::models::claim::{Claim, Kind};
use crate::models::setup::Coordinator;
use crate::picture::{SpaceTime, unicode};
use crate::system::Trace;
use crate::verdict::Verdict;

/// The safety claims that are always asked, each with the letter that heads its column in a list of
/// instances.
pub(super) const COLUMNS: [(Claim, char); 12] = [
    (Claim::ConsistentCut, 'C'),
    (Claim::ExactChannelState, 'X'),
    (Claim::MarkerArithmetic, 'M'),
    (Claim::EmptyChannelState, 'E'),
    (Claim::CompletionIsReal, 'R'),
    (Claim::Terminates, 'T'),
    (Claim::NeverBlocks, 'B'),
    (Claim::Conserved, '$'),
    (Claim::ExactlyOnceState, 'S'),
    (Claim::AtLeastOnceState, 's'),
    (Claim::ExactlyOnceOutput, 'O'),
    (Claim::AtLeastOnceOutput, 'o'),
];

/// How wide the first two columns of a list of instances are.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    name: usize,
    topology: usize,
}

const LONGEST_TOPOLOGY: usize = 28;

impl Widths {
    /// Wide enough for these instances.
    #[must_use]
    pub fn of(instances: &[Instance]) -> Self {
        let name = instances.iter().map(|i| i.name.chars().count()).max();
        let topology = instances.iter().map(|i| i.topology_text.chars().count()).max();
        Self {
            name: name.unwrap_or_default().max("instance".len()),
            topology: topology.unwrap_or_default().clamp("topology".len(), LONGEST_TOPOLOGY),
        }
    }
}

/// What stands above a list of instances.
#[must_use]
pub fn list_header(widths: Widths) -> String {
    let letters = COLUMNS.iter().map(|(claim, letter)| format!("{letter} {}", claim.name()));
    let claims = COLUMNS.iter().map(|(_, letter)| format!("{letter} ")).join(" ");
    format!(
        "{}\n✓ holds  ✗ violated  – not applicable  ? inconclusive  · not asked  ! not as expected\n\n\
         {:4} {:name$}  {:topology$}  {claims} {:>10} {:>9} {:>8}",
        letters.collect_vec().join(", "),
        "",
        "instance",
        "topology",
        "states",
        "outcomes",
        "seconds",
        name = widths.name,
        topology = widths.topology,
    )
}

/// One instance in one line; below it, what is not as expected.
#[must_use]
pub fn list_line(report: &Report, widths: Widths) -> String {
    let mark = match report.status() {
        Status::AsExpected => "ok",
        Status::Inconclusive => "??",
        Status::Deviates => "FAIL",
    };
    let verdicts = COLUMNS.iter().map(|(claim, _)| {
        let found = report.claims.iter().find(|report| report.claim == *claim);
        let deviates = found.is_some_and(ClaimReport::deviates);
        format!("{}{}", found.map_or('·', |f| symbol(f.verdict)), if deviates { '!' } else { ' ' })
    });
    let mut line = format!(
        "{mark:4} {:name$}  {:topology$}  {} {:>10} {:>9} {:>8}",
        report.instance.name,
        shortened(&report.instance.topology_text, LONGEST_TOPOLOGY),
        verdicts.collect_vec().join(" "),
        thousands(report.explored.unique),
        thousands(report.explored.outcomes),
        seconds(report.elapsed),
        name = widths.name,
        topology = widths.topology,
    );
    for deviation in deviations(report) {
        let _ = write!(line, "\n     {deviation}");
    }
    line
}

fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

pub(super) fn symbol(verdict: Verdict) -> char {
    match verdict {
        Verdict::Holds => '✓',
        Verdict::Violated => '✗',
        Verdict::Inconclusive => '?',
        Verdict::NotApplicable => '–',
    }
}

/// What is not as expected, a line each.
fn deviations(report: &Report) -> Vec<String> {
    let claims = report.claims.iter().filter(|claim| claim.deviates()).map(|claim| {
        let steps = claim.shown.as_ref().map(|shown| shown.trace.steps.len());
        let steps = steps.map(|steps| format!(" in {}", effort::steps(steps))).unwrap_or_default();
        let expected = claim.expected.map(|expected| expected.to_string()).unwrap_or_default();
        format!("{}: {}{steps}, expected: {expected}", claim.claim.name(), claim.verdict)
    });
    claims.chain(report.wrong_counts.iter().cloned()).collect()
}

/// The closing line of a list of instances. Of these `skipped` are checked only when named, and an
/// interrupt left `unchecked`.
#[must_use]
pub fn closing_line(
    reports: &[Report],
    skipped: usize,
    unchecked: usize,
    elapsed: Duration,
) -> String {
    let count = |status| reports.iter().filter(|report| report.status() == status).count();
    let states: u64 = reports.iter().map(|report| report.explored.unique).sum();
    let verdicts: usize = reports.iter().map(|report| report.claims.len()).sum();
    let (bad, open) = (count(Status::Deviates), count(Status::Inconclusive));
    let result = match (bad, open) {
        (0, 0) => format!("all {} instances are as expected", reports.len()),
        (0, open) => format!("{open} of {} instances are inconclusive", reports.len()),
        (bad, _) => format!("{bad} of {} instances are NOT as expected", reports.len()),
    };
    let aside =
        |count, words| if count == 0 { String::new() } else { format!("; {count} {words}") };
    let skipped = aside(skipped, "checked only when named");
    let unchecked = aside(unchecked, "not checked: INTERRUPTED");
    let reduced = reports.first().map(effort::manner).unwrap_or_default();
    let reduced = if reduced.is_empty() { reduced } else { format!("{reduced},") };
    let first = reports.iter().find(|report| report.status() == Status::Deviates);
    let hint = first.map_or(String::new(), |report| {
        format!("\ncounterexamples in words: check \"{}\"", report.instance.name)
    });
    format!(
        "{result}: {verdicts} verdicts on {} states{reduced} in {} s{skipped}{unchecked}{hint}",
        thousands(states),
        seconds(elapsed),
    )
}

/// One instance in detail.
#[must_use]
pub fn detail(report: &Report) -> String {
    let mut text = heading(&report.instance);
    let explored = &report.explored;
    let consistency = match explored.outcomes - explored.consistent_outcomes {
        0 => String::new(),
        wrong => format!(" ({} consistent, {} not)", explored.consistent_outcomes, wrong),
    };
    let (extent, means) = (effort::extent(report), effort::means(report));
    let outcomes = thousands(explored.outcomes);
    let _ = writeln!(text, "{extent}; {outcomes} outcomes{consistency}; {means}\n");
    for kind in [Kind::Safety, Kind::Witness] {
        let table = claim_table(report, kind);
        if !table.is_empty() {
            let _ = writeln!(text, "{table}\n");
        }
    }
    if let Some(history) = &report.history {
        let _ = writeln!(text, "{}\n", remembered(history));
    }
    if report.reduction.symmetry {
        let _ = writeln!(text, "{}\n", symmetry(explored.symmetries));
    }
    if report.reduction.interleavings {
        let expected = |claim: &Claim| report.instance.expect.claims.contains_key(claim);
        let passing = Claim::ALL.into_iter().filter(|&claim| {
            !claims::is_lasting(claim) && (!claim.on_request() || expected(&claim))
        });
        let names = passing.map(Claim::name).join(", ");
        let _ = writeln!(text, "Reduced: some interleavings stand for all. Not asked: {names}.\n");
    }
    for claim in &report.claims {
        if let Some(shown) = &claim.shown {
            text.push_str(&shown_trace(&report.instance, claim, &shown.trace));
        }
    }
    let _ = writeln!(text, "{}", conclusion(report));
    text
}

/// What the claims that need history were judged on.
fn remembered(history: &Remembered) -> String {
    match history.alone {
        Some(alone) => format!(
            "With history: {} states judged; the application alone has {}.",
            thousands(history.judged),
            thousands(alone as u64)
        ),
        None => "With history: the application alone has too many states.".to_owned(),
    }
}

fn symmetry(symmetries: usize) -> String {
    if symmetries > 1 {
        format!(
            "Up to symmetry: a state stands for up to {}, which differ in the names of processes \
             that are interchangeable. The outcomes are all counted.",
            thousands(symmetries as u64)
        )
    } else {
        "No symmetry: no process is interchangeable with another here.".to_owned()
    }
}

pub(super) fn conclusion(report: &Report) -> String {
    let name = report.instance.algorithm.name;
    match report.status() {
        Status::AsExpected if !report.instance.expect.is_empty() => {
            "Everything is as the instance expects.".to_owned()
        }
        Status::AsExpected if report.claims.iter().any(|claim| claim.promised) => {
            let judged = |claim| report.claims.iter().any(|found| found.claim == claim);
            let mut promised = Claim::ALL.into_iter().filter(|&c| report.instance.promises(c));
            let all = promised.all(judged);
            let asked = if all { "" } else { " and that was asked" };
            format!(
                "Every claim that {name} promises here{asked} holds; the others are information."
            )
        }
        Status::AsExpected => format!("{name} promises none of these claims here."),
        Status::Inconclusive if report.interrupted => {
            "Inconclusive: interrupted before all was settled.".to_owned()
        }
        Status::Inconclusive if report.runs.is_some() => {
            "Inconclusive: random runs can violate a claim, but not show that it holds.".to_owned()
        }
        Status::Inconclusive => "Inconclusive: a bound was hit before all was settled.".to_owned(),
        Status::Deviates => format!("NOT as expected:\n  {}", deviations(report).join("\n  ")),
    }
}

/// How the snapshot begins.
pub(super) fn beginning(instance: &Instance) -> String {
    let topology = &instance.setup.topology;
    let initiators = instance.setup.initiators.iter().map(|&p| topology.name(p)).join(", ");
    match instance.setup.coordinator {
        Coordinator::None => format!("begun by {initiators}"),
        Coordinator::Central => format!("a central coordinator tells {initiators}"),
        Coordinator::Process(p) => format!("coordinator {} tells {initiators}", topology.name(p)),
    }
}

pub(super) fn heading(instance: &Instance) -> String {
    let title = match instance.title.as_str() {
        "" => String::new(),
        title => format!("{title}\n"),
    };
    format!(
        "{title}{} on {}; {}; {}\n",
        instance.algorithm.name,
        instance.topology_text,
        instance.application_text,
        beginning(instance),
    )
}

fn claim_table(report: &Report, kind: Kind) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    for claim in report.claims.iter().filter(|claim| claim.claim.kind() == kind) {
        table.add_row([
            Cell::new(symbol(claim.verdict)),
            Cell::new(claim.claim.name()),
            Cell::new(verdict_words(report, claim)),
            Cell::new(remark(claim)),
        ]);
    }
    table.trim_fmt()
}

pub(super) fn verdict_words(report: &Report, claim: &ClaimReport) -> String {
    if let (Verdict::Inconclusive, Some(runs)) = (claim.verdict, report.runs) {
        return effort::undecided(claim.claim.kind(), runs);
    }
    let words = match (claim.claim, claim.claim.kind(), claim.verdict) {
        (Claim::Terminates, _, Verdict::Holds) if !report.instance.application.always_ends() => {
            "no deadlock"
        }
        (_, Kind::Witness, Verdict::Holds) => "found",
        (_, Kind::Witness, Verdict::Violated) => "never",
        (_, _, verdict) => verdict.word(),
    };
    words.to_owned()
}

pub(super) fn remark(claim: &ClaimReport) -> String {
    let mut remarks = Vec::new();
    if claim.promised {
        let words = if claim.proof.is_some() { "promised and proved" } else { "promised" };
        remarks.push(words.to_owned());
    } else if claim.claim.kind() == Kind::Safety && claim.verdict != Verdict::NotApplicable {
        remarks.push("not promised".to_owned());
    }
    if claim.vacuous
        && let Some(witness) = claim.claim.witness()
    {
        remarks.push(format!("vacuously: no {}", witness.name()));
    }
    if claim.deviates()
        && let Some(expected) = claim.expected
    {
        remarks.push(format!("EXPECTED: {expected}"));
    }
    if claim.claim.kind() == Kind::Witness {
        remarks.push(claim.claim.source().to_owned());
    }
    remarks.join("; ")
}

/// A trace with what it shows.
fn shown_trace(instance: &Instance, report: &ClaimReport, trace: &Trace) -> String {
    let (claim, steps) = (report.claim, effort::steps(trace.steps.len()));
    let decided = match claim.kind() {
        Kind::Safety => "violated",
        Kind::Witness => "seen",
    };
    let origin = effort::origin(report);
    format!("{} is {decided} after {steps}{origin}:\n", claim.name())
        + &told_run(instance, claim, trace)
}

/// The steps of a run, its picture, and what in its last state violates the claim.
pub(super) fn told_run(instance: &Instance, claim: Claim, trace: &Trace) -> String {
    let mut text = String::new();
    for step in &trace.steps {
        let _ = writeln!(text, "  {:>2}. {step}", step.step);
    }
    let topology = &instance.setup.topology;
    let picture =
        unicode::draw(&SpaceTime::of(trace, claims::decisive(claim, &trace.last), topology));
    let _ = writeln!(text, "\n{picture}\n");
    if let Some(words) = explain(claim, &trace.last, topology) {
        let _ = writeln!(text, "  So {words}.");
    }
    text.push('\n');
    text
}

/// A number with commas between thousands.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(|group| String::from_utf8_lossy(group)).join(",")
}

pub(super) fn seconds(elapsed: Duration) -> String {
    format!("{:.2}", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped_from_the_right() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(18_073_668), "18,073,668");
    }

    #[test]
    fn every_safety_claim_that_is_always_asked_has_a_column() {
        let safety = Claim::ALL.into_iter().filter(|claim| claim.kind() == Kind::Safety);
        let safety = safety.filter(|claim| !claim.on_request());
        assert!(safety.eq(COLUMNS.iter().map(|(claim, _)| *claim)));
    }
}
