//! Instances: algorithm, topology, application and expected verdicts, validated.
//!
//! They come from TOML files ([`mod@file`]) or from the command line, and in both cases through a
//! [`Draft`], which knows where each value was written.

pub mod bundled;
mod channels;
mod draft;
pub mod file;
mod network;
mod recovery;
mod requests;
mod script_notation;
pub mod standard;
mod stream_notation;
mod written;

pub use channels::DraftChannels;
pub use draft::{
    Draft, DraftApplication, DraftRequests, DraftSteps, Field, find_algorithm, find_claim,
};
pub use network::{find_network, write_network};
pub use recovery::DraftRecovery;
pub use stream_notation::DraftStream;
pub use written::{Written, WrittenApplication};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::models::any_application::AnyApplication;
use crate::models::application::{Application, Traits};
use crate::models::applications::{Bank, Requests, Script, Stream};
use crate::models::claim::Claim;
use crate::models::process::AlgorithmInfo;
use crate::models::setup::Setup;
use crate::verdict::Expected;

/// The most messages per channel, or steps per process, of a script.
pub const MAX_SCRIPT_STEPS: u16 = 1000;

/// What stands before the claim in the description of a known bug.
const CAUGHT_BY: &str = "Caught by ";

/// An application, ready to run.
#[derive(Clone, Debug)]
pub enum ApplicationSpec {
    /// `script`.
    Script(Arc<Script>),
    /// `bank`.
    Bank(Arc<Bank>),
    /// `stream`.
    Stream(Arc<Stream>),
    /// `requests`.
    Requests(Arc<Requests>),
}

impl ApplicationSpec {
    /// The application, whatever its kind.
    #[must_use]
    pub fn any(&self) -> AnyApplication {
        match self {
            Self::Script(script) => AnyApplication::new(Arc::clone(script)),
            Self::Bank(bank) => AnyApplication::new(Arc::clone(bank)),
            Self::Stream(stream) => AnyApplication::new(Arc::clone(stream)),
            Self::Requests(requests) => AnyApplication::new(Arc::clone(requests)),
        }
    }

    /// Whether every run of it ends.
    #[must_use]
    pub fn always_ends(&self) -> bool {
        self.any().always_ends()
    }

    /// What there is to ask about of it.
    #[must_use]
    pub fn traits(&self) -> Traits {
        self.any().traits()
    }
}

/// What an instance expects; nothing is expected of what is absent.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// Distinct reachable states.
    pub unique: Option<u64>,
    /// Generated states: transitions, and the initial state.
    pub generated: Option<u64>,
    /// Distinct outcomes.
    pub outcomes: Option<u64>,
    /// Distinct outcomes whose cut is consistent.
    pub consistent_outcomes: Option<u64>,
    /// Verdicts.
    pub claims: BTreeMap<Claim, Expected>,
}

impl Expectations {
    /// Whether nothing is expected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty()
            && self
                .unique
                .or(self.generated)
                .or(self.outcomes)
                .or(self.consistent_outcomes)
                .is_none()
    }
}

/// One thing to check.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Name: path of the file below the instances, without its ending.
    pub name: String,
    /// What it shows, in one line.
    pub title: String,
    /// Prose for the reader; empty where no file has any.
    pub about: String,
    /// The algorithm.
    pub algorithm: AlgorithmInfo,
    /// The topology as it was written.
    pub topology_text: String,
    /// Topology, initiators, coordinator.
    pub setup: Arc<Setup>,
    /// The application, in a few words.
    pub application_text: String,
    /// The application.
    pub application: ApplicationSpec,
    /// Expected counts and verdicts.
    pub expect: Expectations,
    /// Whether it is too large to be checked unless it is named.
    pub only_when_named: bool,
}

impl Instance {
    /// Whether the algorithm promises `claim` on this setup.
    #[must_use]
    pub fn promises(&self, claim: Claim) -> bool {
        let mut promises = self.algorithm.promises.iter();
        promises.any(|promise| promise.claim == claim && promise.applies_to(&self.setup))
    }

    /// The claim by which a known bug is caught, as its description says in its last words: "Caught by
    /// CLAIM."
    #[must_use]
    pub fn caught_by(&self) -> Option<Claim> {
        let (_, name) = self.about.rsplit_once(CAUGHT_BY)?;
        Claim::named(name.trim_end_matches('.'))
    }

    /// What its description says besides.
    #[must_use]
    pub fn story(&self) -> &str {
        self.about.rsplit_once(CAUGHT_BY).map_or(self.about.as_str(), |(story, _)| story).trim_end()
    }
}
