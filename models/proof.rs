//! What is proved of all systems, and not only checked on bounded ones: claims of algorithms, with the
//! theorems of `proofs/` that say so.
//!
//! The theorems are about one checkpoint over reliable FIFO channels, without bounded queues, failovers and
//! processes that finish; who begins is told by a coordinator apart, or by nobody.

use crate::claim::Claim;
use crate::promise::{ALL_INITIATE, ALWAYS, BEGUN_AT_SOURCES, Condition, INITIATORS_REACH_ALL};

/// A claim that is proved of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// What is proved.
    pub claim: Claim,
    /// Of which algorithm.
    pub algorithm: &'static str,
    /// On which setups, among those that the proofs are about.
    pub condition: Condition,
    /// The file in `proofs/` and the theorem in it: `File.theorem`.
    pub theorem: &'static str,
}

/// The initiators are exactly the sources.
const BY_ALL_SOURCES: Condition = Condition {
    words: "the initiators are the sources",
    holds: |setup| setup.initiators == setup.topology.sources(),
};
/// So they are, and no process has two inputs.
const BY_ALL_SOURCES_OF_SINGLE_INPUTS: Condition = Condition {
    words: "the initiators are the sources, no process has two inputs",
    holds: |setup| (BY_ALL_SOURCES.holds)(setup) && setup.inputs_are_single(),
};

/// The claims of which it is proved that they hold of what refines the specification, each with the
/// theorem that says so of all such algorithms, if there is one.
const OF_REFINEMENTS: [(Claim, Option<&str>); 7] = [
    (Claim::ConsistentCut, None),
    (Claim::ExactChannelState, None),
    (Claim::MarkerArithmetic, None),
    (Claim::ProofInvariant, None),
    (Claim::Conserved, Some("Reachability.conserved")),
    (Claim::Reachable, Some("Reachability.recorded_state_is_reachable")),
    (Claim::StableProperty, Some("Reachability.stable_property")),
];
