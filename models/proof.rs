//! What is proved of all systems, and not only checked on bounded ones: claims of algorithms, with the
//! theorems of `proofs/` that say so.
//!
//! The theorems are about one checkpoint over reliable FIFO channels without bounded queues, failovers and
//! processes that finish; who begins is told to by a coordinator apart, or does so by itself.

use crate::claim::Claim;
use crate::promise::{ALL_INITIATE, ALWAYS, BEGUN_AT_SOURCES, Condition, INITIATORS_REACH_ALL};
use crate::setup::{Coordinator, Setup};

/// What a theorem says of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// The algorithm.
    pub algorithm: &'static str,
    /// The claims that are proved of it.
    pub claims: &'static [Claim],
    /// On which setups, among those that the proofs are about.
    pub condition: Condition,
    /// The file in `proofs/` and the theorem in it: `File.theorem`.
    pub theorem: &'static str,
}

const fn proof(
    algorithm: &'static str,
    claims: &'static [Claim],
    condition: Condition,
    theorem: &'static str,
) -> Proof {
    Proof { algorithm, claims, condition, theorem }
}

/// The initiators are exactly the sources.
const BY_ALL_SOURCES: Condition = Condition {
    words: "the initiators are the sources",
    holds: |setup| setup.initiators == setup.topology.sources(),
};
/// So they are, and no process has two inputs.
const DOWN_TREES: Condition = Condition {
    words: "the initiators are the sources, no process has two inputs",
    holds: |setup| (BY_ALL_SOURCES.holds)(setup) && setup.inputs_are_single(),
};

/// What follows of one channel (T1, T2), and from what.
const CUT: &[Claim] = &[
    Claim::ConsistentCut,
    Claim::ExactChannelState,
    Claim::MarkerArithmetic,
    Claim::ProofInvariant,
];
const BLOCKS_NOT: &[Claim] = &[Claim::NeverBlocks];
const CONSERVED: &[Claim] = &[Claim::Conserved];
const EMPTY: &[Claim] = &[Claim::EmptyChannelState];
const INTERFERES_NOT: &[Claim] = &[Claim::NonInterference];
const REACHABLE: &[Claim] = &[Claim::Reachable];
const REAL: &[Claim] = &[Claim::CompletionIsReal];
const STABLE: &[Claim] = &[Claim::StableProperty];
const TERMINATES: &[Claim] = &[Claim::Terminates];

/// Every proof, algorithm by algorithm.
pub const PROOFS: [Proof; 41] = [
    proof("universal", CUT, ALWAYS, "Refinement.universal_is_right"),
    proof("universal", REAL, ALWAYS, "Refinement.declared_is_complete"),
    proof("universal", TERMINATES, ALL_INITIATE, "Progress.universal_terminates"),
    proof("universal", CONSERVED, ALWAYS, "Reachability.conserved"),
    proof("universal", REACHABLE, ALWAYS, "Reachability.recorded_state_is_reachable"),
    proof("universal", STABLE, ALWAYS, "Reachability.stable_property"),
    proof("universal", INTERFERES_NOT, ALWAYS, "NonInterference.undisturbed"),
    proof("chandy-lamport", CUT, ALWAYS, "Refinement.chandy_lamport_is_right"),
    proof("chandy-lamport", REAL, ALWAYS, "Refinement.declared_is_complete"),
    proof("chandy-lamport", TERMINATES, INITIATORS_REACH_ALL, "Progress.chandy_lamport_terminates"),
    proof("chandy-lamport", CONSERVED, ALWAYS, "Reachability.conserved"),
    proof("chandy-lamport", REACHABLE, ALWAYS, "Reachability.recorded_state_is_reachable"),
    proof("chandy-lamport", STABLE, ALWAYS, "Reachability.stable_property"),
    proof("chandy-lamport", BLOCKS_NOT, ALWAYS, "NonInterference.never_blocks"),
    proof("chandy-lamport", INTERFERES_NOT, ALWAYS, "NonInterference.interferes_with_nothing"),
    proof("general", CUT, ALWAYS, "Refinement.general_is_right"),
    proof("general", REAL, ALWAYS, "Refinement.declared_is_complete"),
    proof(
        "general",
        TERMINATES,
        INITIATORS_REACH_ALL,
        "CoordinatedProgress.coordinated_terminates",
    ),
    proof("general", CONSERVED, ALWAYS, "Reachability.conserved"),
    proof("general", REACHABLE, ALWAYS, "Reachability.coordinated_recorded_state_is_reachable"),
    proof("general", STABLE, ALWAYS, "Reachability.stable_property"),
    proof("general", BLOCKS_NOT, ALWAYS, "NonInterference.never_blocks"),
    proof("general", INTERFERES_NOT, ALWAYS, "NonInterference.interferes_with_nothing"),
    proof("general-literal", REAL, ALWAYS, "Refinement.declared_is_complete"),
    proof("general-literal", BLOCKS_NOT, ALWAYS, "NonInterference.never_blocks"),
    proof("general-literal", INTERFERES_NOT, ALWAYS, "NonInterference.interferes_with_nothing"),
    proof("flink-aligned", CUT, BY_ALL_SOURCES, "Refinement.flink_aligned_is_right"),
    proof("flink-aligned", EMPTY, BY_ALL_SOURCES, "Aligned.aligned_no_channel_state"),
    proof("flink-aligned", REAL, BY_ALL_SOURCES, "Refinement.declared_is_complete"),
    proof(
        "flink-aligned",
        TERMINATES,
        BEGUN_AT_SOURCES,
        "AlignedProgress.flink_aligned_terminates",
    ),
    proof("flink-aligned", CONSERVED, BY_ALL_SOURCES, "Reachability.conserved"),
    proof("flink-aligned", REACHABLE, BY_ALL_SOURCES, "Reachability.recorded_state_is_reachable"),
    proof("flink-aligned", STABLE, BY_ALL_SOURCES, "Reachability.stable_property"),
    proof("flink-aligned", INTERFERES_NOT, BY_ALL_SOURCES, "NonInterference.undisturbed"),
    proof("flink-at-least-once", CUT, DOWN_TREES, "Refinement.at_least_once_is_right"),
    proof("flink-at-least-once", REAL, BY_ALL_SOURCES, "Refinement.declared_is_complete"),
    proof("flink-at-least-once", CONSERVED, DOWN_TREES, "Reachability.conserved"),
    proof("flink-at-least-once", REACHABLE, DOWN_TREES, "Reachability.recorded_state_is_reachable"),
    proof("flink-at-least-once", STABLE, DOWN_TREES, "Reachability.stable_property"),
    proof("flink-at-least-once", BLOCKS_NOT, BY_ALL_SOURCES, "NonInterference.never_blocks"),
    proof(
        "flink-at-least-once",
        INTERFERES_NOT,
        BY_ALL_SOURCES,
        "NonInterference.interferes_with_nothing",
    ),
];

/// The proof that a claim holds of a bundled algorithm on a setup, if there is one.
#[must_use]
pub fn proof_of(claim: Claim, algorithm: &str, setup: &Setup) -> Option<&'static Proof> {
    let is_about = setup.is_simple() && !matches!(setup.coordinator, Coordinator::Process(_));
    let applies = |proof: &&Proof| {
        proof.algorithm == algorithm
            && proof.claims.contains(&claim)
            && (proof.condition.holds)(setup)
    };
    PROOFS.iter().find(applies).filter(|_| is_about)
}

/// The algorithms of which a claim is proved, perhaps on some setups only.
pub fn proved_of(claim: Claim) -> impl Iterator<Item = &'static str> {
    let proofs = PROOFS.iter().filter(move |proof| proof.claims.contains(&claim));
    proofs.map(|proof| proof.algorithm)
}
