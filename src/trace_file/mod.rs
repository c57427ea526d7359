//! Trace files: a run that decides a claim, written down so that it can be replayed.
//!
//! ```json
//! {
//!   "format": "snapcheck trace",
//!   "version": 1,
//!   "instance": {
//!     "name": "general-literal/manager-apart",
//!     "title": "A marker and a later message overtake the start instruction",
//!     "algorithm": "general-literal",
//!     "topology": "p -> q",
//!     "initiators": ["p", "q"],
//!     "coordinator": "central",
//!     "application": { "messages": 1 }
//!   },
//!   "claim": "consistent-cut",
//!   "verdict": "violated",
//!   "steps": [
//!     { "process": "p", "action": "send", "channel": ["p", "q"], "message": 1, "words": "…" }
//!   ]
//! }
//! ```
//!
//! A step is identified by who takes it, what kind it is, and what it is about; `words` are for people.

mod layout;
mod read;
mod write;

pub use read::{parse, read};
pub use write::write;

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Place, Source};
use crate::instance::{Field, Instance};
use crate::models::claim::{Claim, Kind};
use crate::replay::Stuck;
use crate::system::TraceStep;
use crate::verdict::Verdict;

const FORMAT: &str = "snapcheck trace";
const VERSION: u64 = 1;

/// What a trace file holds.
#[derive(Clone, Debug)]
pub struct TraceFile {
    /// Where the run was found.
    pub instance: Instance,
    /// The claim that its last state decides.
    pub claim: Claim,
    /// The steps, each without what else happens in it.
    pub steps: Vec<Field<TraceStep>>,
    /// The whole file.
    pub source: Arc<Source>,
}

/// The verdict that a run can show: a counterexample, or an example for a witness.
#[must_use]
pub fn shown_verdict(claim: Claim) -> Verdict {
    match claim.kind() {
        Kind::Safety => Verdict::Violated,
        Kind::Witness => Verdict::Holds,
    }
}

impl TraceFile {
    /// The error that a step of the file is not enabled.
    #[must_use]
    pub fn stuck(&self, stuck: &Stuck) -> Diagnostic {
        let whole = Place { source: Arc::clone(&self.source), span: 0..0 };
        let (place, words) = match self.steps.get(stuck.at) {
            Some(step) => (step.place.clone(), step.value.to_string()),
            None => (whole, String::new()),
        };
        let remedy = match stuck.enabled.as_slice() {
            [] => "no step is enabled there: end the run before it".to_owned(),
            steps => format!("enabled there: {}", steps.join("; or ")),
        };
        Diagnostic::at(&place, format!("step {} is not enabled: {words}", stuck.at + 1), remedy)
    }
}
