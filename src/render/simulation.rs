//! What random runs found, in words.

use super::text::{seconds, thousands};
use crate::check::{ClaimReport, Report};
use crate::models::claim::Kind;
use crate::simulation::{NAME, Runs};

fn runs(count: u64) -> String {
    format!("{} run{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// What was done, with all counts but that of outcomes.
pub(super) fn extent(report: &Report, taken: Runs) -> String {
    let (explored, simulation) = (&report.explored, taken.simulation);
    let all = match taken.taken {
        all if all == simulation.runs => String::new(),
        _ => format!(" of {}, CUT OFF by a bound,", thousands(simulation.runs)),
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

/// How long it took, and with what.
pub(super) fn duration(report: &Report) -> String {
    let rate = report.explored.generated as f64 / report.explored.elapsed.as_secs_f64();
    let seconds = seconds(report.elapsed);
    format!("{seconds} s with {NAME}, {} states/s", thousands(rate as u64))
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
