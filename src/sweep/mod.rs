//! The job of `sweep`: checks algorithms on every small setup, and says exactly where each claim holds.

mod conditions;
mod exact;
mod results;
mod run;
mod space;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use exact::{AlgorithmReport, Among, ClaimReport, Class, Failing, Promised};
pub use space::{Case, NamedSetup, Space};

use crate::check::Status;
use crate::diagnostic::Diagnostic;
use crate::engines::Limits;
use crate::models::claim::Claim;
use crate::models::process::AlgorithmInfo;
use crate::registry::Registry;
use crate::verdict::Verdict;

/// What to sweep, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The algorithms.
    pub algorithms: Vec<AlgorithmInfo>,
    /// The most processes; at most [`MAX_ENUMERATED`](crate::models::classes::MAX_ENUMERATED).
    pub processes: usize,
    /// Whether a process may have a channel to itself.
    pub self_channels: bool,
    /// Messages on each channel.
    pub messages: u16,
    /// Whether a central coordinator tells the initiators to begin.
    pub central: bool,
    /// When to stop searching an instance.
    pub limits: Limits,
    /// How many instances are searched at a time, each by one thread; at least one.
    pub threads: usize,
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Instances judged, in this run or before.
    pub done: usize,
    /// Instances in all.
    pub total: usize,
    /// Distinct states judged in this run.
    pub states: u64,
}

/// What came out for one instance, as far as a sweep asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Distinct states; if cut off, those that were judged.
    pub states: u64,
    /// A verdict for each safety claim.
    pub verdicts: BTreeMap<Claim, Verdict>,
    /// The claims that hold though their witness does not exist.
    pub vacuous: BTreeSet<Claim>,
}

impl Judgement {
    /// What it says of a claim.
    #[must_use]
    pub fn verdict(&self, claim: Claim) -> Verdict {
        self.verdicts.get(&claim).copied().unwrap_or(Verdict::NotApplicable)
    }

    fn is_cut_off(&self) -> bool {
        self.verdicts.values().any(|verdict| *verdict == Verdict::Inconclusive)
    }
}

/// What came out in all.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was swept.
    pub space: Space,
    /// The algorithms, each with the classes where its claims hold.
    pub algorithms: Vec<AlgorithmReport>,
    /// The instances that a limit cut off before every claim was settled.
    pub cut_off: Vec<Case>,
    /// Distinct states of all instances together.
    pub states: u64,
    /// How many instances were not judged: it was interrupted.
    pub unjudged: usize,
    /// How many instances were taken from the file of results, and not searched again.
    pub resumed: usize,
    /// Time that this run took.
    pub elapsed: Duration,
}

impl Report {
    /// How the whole came out: it deviates if a promise is broken somewhere.
    #[must_use]
    pub fn status(&self) -> Status {
        let mut claims = self.algorithms.iter().flat_map(|algorithm| &algorithm.claims);
        if claims.any(|claim| matches!(claim.promised, Promised::Broken { .. })) {
            Status::Deviates
        } else if self.cut_off.is_empty() && self.unjudged == 0 {
            Status::AsExpected
        } else {
            Status::Inconclusive
        }
    }
}

/// Checks the algorithms on every setup. What was judged before is taken from the file `results`, if
/// one is given, and what is judged now is added to it at once. `note` hears how far it is.
///
/// # Errors
/// If the file cannot be used, or is of another sweep.
pub fn sweep(
    registry: &Registry,
    options: &Options,
    results: Option<&Path>,
    note: &dyn Fn(Standing),
) -> Result<Report, Diagnostic> {
    let started = std::time::Instant::now();
    let space = Space::of(options);
    let (mut judged, mut file) = match results {
        Some(path) => {
            let (judged, file) = results::open(path, options, &space)?;
            (judged, Some(file))
        }
        None => (BTreeMap::new(), None),
    };
    let resumed = judged.len();
    let mut missing = space.cases();
    missing.retain(|case| !judged.contains_key(case));
    let hear = |standing: Standing| {
        note(Standing {
            done: resumed + standing.done,
            total: resumed + standing.total,
            ..standing
        });
    };
    run::all(registry, options, &space, &missing, &hear, &mut |case, judgement| {
        if let Some(file) = &mut file {
            file.add(&space, case, &judgement)?;
        }
        judged.insert(case, judgement);
        Ok(())
    })?;
    Ok(Report {
        algorithms: exact::algorithms(registry, &space, &judged, options.limits),
        cut_off: judged.iter().filter(|(_, j)| j.is_cut_off()).map(|(case, _)| *case).collect(),
        states: judged.values().map(|judgement| judgement.states).sum(),
        unjudged: space.cases().len() - judged.len(),
        space,
        resumed,
        elapsed: started.elapsed(),
    })
}
