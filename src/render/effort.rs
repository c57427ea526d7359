//! What was searched and by what means, in words; or which random runs were taken.

use super::text::{seconds, thousands};
use crate::check::{ClaimReport, Report};
use crate::models::claim::Kind;
use crate::simulation::Runs;

fn runs(count: u64) -> String {
    format!("{} run{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// How much was searched.
pub(super) fn extent(report: &Report) -> String {
    if let Some(taken) = report.runs {
        return extent_of_runs(report, taken);
    }
    let explored = &report.explored;
    let [unique, generated] = [explored.unique, explored.generated].map(thousands);
    format!("{unique} states, {generated} generated, depth {}", explored.depth)
}

fn extent_of_runs(report: &Report, taken: Runs) -> String {
    let (explored, simulation) = (&report.explored, taken.simulation);
    let all = match taken.taken {
        all if all == simulation.runs => String::new(),
        _ => format!(" of {}, {},", thousands(simulation.runs), cut_off(report)),
    };
    let ended = match taken.taken - taken.ended {
        0 => "each to its end".to_owned(),
        cut => format!(
            "{} of them only {} steps long",
            thousands(cut),
            thousands(simulation.max_steps as u64)
        ),
    };
    format!(
        "{}{all} from seed {}, {ended}; {} states judged, {} of them different",
        runs(taken.taken),
        simulation.seed,
        thousands(explored.generated),
        thousands(explored.unique),
    )
}

/// Why it is not all.
fn cut_off(report: &Report) -> &'static str {
    if report.interrupted { "INTERRUPTED" } else { "CUT OFF by a bound" }
}

/// How long it took, and with what.
pub(super) fn means(report: &Report) -> String {
    let (explored, name) = (&report.explored, report.engine_name());
    let rates = match (report.runs, explored.peak_bytes) {
        (Some(_), _) => {
            let rate = explored.generated as f64 / explored.elapsed.as_secs_f64();
            format!(", {} states/s", thousands(rate as u64))
        }
        (None, Some(bytes)) => {
            let rate = thousands(explored.states_per_second() as u64);
            format!(", {:.1} MB, {rate} states/s", bytes as f64 / 1e6)
        }
        (None, None) => String::new(),
    };
    let (manner, cut_off) = match report.runs {
        Some(_) => (String::new(), String::new()),
        None if explored.complete => (manner(report), String::new()),
        None => (manner(report), format!("; {}", cut_off(report))),
    };
    format!("{} s with {name}{manner}{rates}{cut_off}", seconds(report.elapsed))
}

/// How less was searched than all states one by one, to go behind a number of states or a name.
pub(super) fn manner(report: &Report) -> String {
    let runs = if report.runs.is_some() { " in random runs" } else { "" };
    let interleavings = if report.reduction.interleavings { ", reduced" } else { "" };
    let symmetry = if report.reduction.symmetry { ", up to symmetry" } else { "" };
    format!("{runs}{interleavings}{symmetry}")
}

/// The verdict on what no run decides.
pub(super) fn undecided(kind: Kind, taken: Runs) -> String {
    let what = match kind {
        Kind::Safety => "no violation",
        Kind::Witness => "not seen",
    };
    format!("{what} in {}", runs(taken.taken))
}

/// Behind the length of a run that is shown: where it comes from, if a simulation found it.
pub(super) fn origin(claim: &ClaimReport) -> String {
    let of_run = |run| format!(" (run {}, shortened; not necessarily shortest)", thousands(run));
    claim.run.map(of_run).unwrap_or_default()
}

/// The length of a run in words.
pub(super) fn steps(count: usize) -> String {
    if count == 1 { "1 step".to_owned() } else { format!("{count} steps") }
}
