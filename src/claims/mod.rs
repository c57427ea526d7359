//! The claims: what "consistent" means. Trusted; meant to be audited in one sitting.
//!
//! [`judge_state`] says for one state what a claim says of it, and [`judge`] of one checkpoint in it. A
//! safety claim is violated if some reachable state is judged false; a witness exists if some reachable
//! state is judged true. Each claim is a plain predicate with a scope, so that engines may choose when to
//! evaluate it.

mod cut;
mod effects;
mod history;
mod invariant;
mod progress;
mod witnesses;

pub use invariant::{Condition, INVARIANT};

use crate::instance::Instance;
use crate::models::application::Traits;
use crate::models::claim::{Claim, Kind};
use crate::models::process::AlgorithmInfo;
use crate::models::setup::{Coordinator, Setup};
use crate::system::{ChannelView, View};

/// A predicate on states, and the states in which it has anything to say.
///
/// The scope also says what the predicate reads, so that it need be evaluated only once for states
/// that agree in that. What the snapshot shows is all of a view except `sent_now`, `received_now`, `queue`,
/// `blocked`, `readable`, `withheld`, `terminal` and `application_can_step`.
#[derive(Clone, Copy)]
pub enum Predicate {
    /// Of every channel whose two ends have recorded; a witness asks for one. Reads what the snapshot
    /// shows.
    Channel(fn(&ChannelView) -> bool),
    /// Of every channel; a witness asks for one. Reads `blocked` and `readable`.
    Flow(fn(&ChannelView) -> bool),
    /// Of every channel; a witness asks for one. Reads all that a view shows of it.
    Contents(fn(&ChannelView) -> bool),
    /// Of every state. Reads `blocked` and `readable` of channels and `withheld` of processes, and is true
    /// of a state if it is of each process and the channels to it.
    Held(fn(&View) -> bool),
    /// Of states in which the snapshot is complete. Reads what the snapshot shows.
    Complete(fn(&View) -> bool),
    /// Of states in which the coordinator declares completion. Reads what the snapshot shows.
    Declared(fn(&View) -> bool),
    /// Of states in which no step is enabled.
    Terminal(fn(&View) -> bool),
    /// Of every state.
    State(fn(&View) -> bool),
}

/// The predicate of a claim.
#[must_use]
pub fn predicate(claim: Claim) -> Predicate {
    match claim {
        Claim::ConsistentCut => Predicate::Channel(cut::consistent_cut),
        Claim::ExactChannelState => Predicate::Channel(cut::exact_channel_state),
        Claim::MarkerArithmetic => Predicate::Channel(cut::marker_arithmetic),
        Claim::EmptyChannelState => Predicate::Complete(cut::empty_channel_state),
        Claim::CompletionIsReal => Predicate::Declared(progress::completion_is_real),
        Claim::Terminates => Predicate::Terminal(progress::terminates),
        Claim::NeverBlocks => Predicate::Held(progress::never_blocks),
        Claim::Conserved => Predicate::Complete(cut::conserved),
        Claim::ExactlyOnceState => Predicate::Terminal(effects::exactly_once_state),
        Claim::AtLeastOnceState => Predicate::Terminal(effects::at_least_once_state),
        Claim::ExactlyOnceOutput => Predicate::State(effects::exactly_once_output),
        Claim::AtLeastOnceOutput => Predicate::State(effects::at_least_once_output),
        Claim::Reachable => Predicate::State(history::reachable),
        Claim::StableProperty => Predicate::State(history::stable_property),
        Claim::NonInterference => Predicate::State(history::non_interference),
        Claim::ProofInvariant => Predicate::Contents(invariant::proof_invariant),
        Claim::MessageBeforeCut => Predicate::Channel(witnesses::message_before_cut),
        Claim::MessageInChannelState => Predicate::Channel(witnesses::message_in_channel_state),
        Claim::ClosedAfterMessage => Predicate::Channel(witnesses::closed_after_message),
        Claim::CompleteAfterMessage => Predicate::Complete(witnesses::complete_after_message),
        Claim::CompletionDeclared => Predicate::Declared(witnesses::completion_declared),
        Claim::SnapshotCompletes => Predicate::Terminal(witnesses::snapshot_completes),
        Claim::ApplicationGoesOn => Predicate::State(witnesses::application_goes_on),
        Claim::ChannelBlocked => Predicate::Flow(witnesses::channel_blocked),
        Claim::EndsAfterRecovery => Predicate::Terminal(witnesses::ends_after_recovery),
        Claim::SeenAfterRecovery => Predicate::State(witnesses::seen_after_recovery),
        Claim::RecordedNeverPassed => Predicate::State(history::recorded_never_passed),
        Claim::DeadlockFound => Predicate::State(history::deadlock_found),
        Claim::MarkerBehindMessage => Predicate::Contents(witnesses::marker_behind_message),
    }
}

/// Whether a checkpoint in a state is as the safety claim says, or is an example for the witness.
#[must_use]
pub fn judge(claim: Claim, state: &View) -> bool {
    // Outside its scope a safety claim is true and a witness is not there.
    let outside = claim.kind() == Kind::Safety;
    match predicate(claim) {
        Predicate::Channel(_) | Predicate::Flow(_) | Predicate::Contents(_) => {
            let mut channels = state.channels.iter();
            match claim.kind() {
                Kind::Safety => channels.all(|c| judge_channel(claim, c)),
                Kind::Witness => channels.any(|c| judge_channel(claim, c)),
            }
        }
        Predicate::Complete(holds) if state.is_complete() => holds(state),
        Predicate::Declared(holds) if state.declared == Some(true) => holds(state),
        Predicate::Terminal(holds) if state.terminal => holds(state),
        Predicate::State(holds) | Predicate::Held(holds) => holds(state),
        Predicate::Complete(_) | Predicate::Declared(_) | Predicate::Terminal(_) => outside,
    }
}

/// Whether a state is as the safety claim says, in every checkpoint, or is an example for the witness,
/// in some.
#[must_use]
pub fn judge_state(claim: Claim, checkpoints: &[View]) -> bool {
    match claim.kind() {
        Kind::Safety => checkpoints.iter().all(|view| judge(claim, view)),
        Kind::Witness => checkpoints.iter().any(|view| judge(claim, view)),
    }
}

/// The view of a state that decides a claim; if none does, that of the newest checkpoint that has begun.
#[must_use]
pub fn decisive(claim: Claim, checkpoints: &[View]) -> &View {
    let decides = |view: &&View| decides(claim, judge(claim, view));
    checkpoints.iter().find(decides).unwrap_or_else(|| newest(checkpoints))
}

/// The view of the newest checkpoint that has begun, or of the first.
#[must_use]
pub fn newest(checkpoints: &[View]) -> &View {
    let begun = checkpoints.iter().rev().find(|view| view.has_begun());
    begun.or(checkpoints.first()).expect("a state has at least one checkpoint")
}

/// Whether one channel is as the safety claim says, or is an example for the witness; a claim that is
/// not about channels says nothing of it.
#[must_use]
pub fn judge_channel(claim: Claim, channel: &ChannelView) -> bool {
    match predicate(claim) {
        Predicate::Channel(holds) if channel.cut().is_some() => holds(channel),
        Predicate::Flow(holds) | Predicate::Contents(holds) => holds(channel),
        _ => claim.kind() == Kind::Safety,
    }
}

/// Whether one state of which a claim says `judgement` settles it: a counterexample, or an example for a
/// witness.
#[must_use]
pub fn decides(claim: Claim, judgement: bool) -> bool {
    judgement == (claim.kind() == Kind::Witness)
}

/// Whether what a claim says of a state it says of every later one, so that terminal states tell all.
///
/// What is recorded stays recorded, a closed recording stays closed and, where an algorithm takes one
/// round, as it is; n, n', m, m' are counted once; what is complete or declared so stays that. But
/// that the coordinator declares too early shows only until the rest is complete, and what blocks or
/// goes on passes.
#[must_use]
pub fn is_lasting(claim: Claim) -> bool {
    match claim {
        Claim::ConsistentCut
        | Claim::ExactChannelState
        | Claim::MarkerArithmetic
        | Claim::EmptyChannelState
        | Claim::Terminates
        | Claim::Conserved
        | Claim::ExactlyOnceState
        | Claim::AtLeastOnceState
        | Claim::EndsAfterRecovery
        | Claim::MessageBeforeCut
        | Claim::MessageInChannelState
        | Claim::ClosedAfterMessage
        | Claim::CompleteAfterMessage
        | Claim::CompletionDeclared
        | Claim::SnapshotCompletes => true,
        Claim::CompletionIsReal
        | Claim::NeverBlocks
        | Claim::ExactlyOnceOutput
        | Claim::AtLeastOnceOutput
        | Claim::SeenAfterRecovery
        | Claim::ProofInvariant
        | Claim::ApplicationGoesOn
        | Claim::ChannelBlocked
        | Claim::MarkerBehindMessage => false,
        // Asked of the present state too, or of the run.
        Claim::Reachable
        | Claim::StableProperty
        | Claim::NonInterference
        | Claim::RecordedNeverPassed
        | Claim::DeadlockFound => false,
    }
}

/// Whether a claim says anything about an instance.
#[must_use]
pub fn is_applicable_to(claim: Claim, instance: &Instance) -> bool {
    is_applicable(claim, &instance.algorithm, &instance.setup, instance.application.traits())
}

/// Whether a claim says anything about an algorithm on a setup, over an application of some traits.
#[must_use]
pub fn is_applicable(
    claim: Claim,
    algorithm: &AlgorithmInfo,
    setup: &Setup,
    application: Traits,
) -> bool {
    // What is reachable by the application alone says nothing of failures.
    if claim.needs_history() && !setup.is_simple() {
        return false;
    }
    match claim {
        // The end of a channel is no marker.
        Claim::MarkerArithmetic => {
            algorithm.sends_markers && setup.network.is_fifo() && setup.ending.is_empty()
        }
        // What the proofs are about. Of several checkpoints one may be given up for a newer, and then it falls.
        Claim::ProofInvariant | Claim::MarkerBehindMessage => {
            algorithm.sends_markers && setup.is_simple()
        }
        Claim::CompletionIsReal | Claim::CompletionDeclared => {
            setup.coordinator != Coordinator::None
        }
        Claim::Conserved => application.conserves,
        Claim::ExactlyOnceState
        | Claim::AtLeastOnceState
        | Claim::ExactlyOnceOutput
        | Claim::AtLeastOnceOutput
        | Claim::EndsAfterRecovery
        | Claim::SeenAfterRecovery => application.counts_effects && setup.failures.are_possible(),
        Claim::DeadlockFound => application.may_deadlock,
        _ => true,
    }
}
