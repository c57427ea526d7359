//! The names of the claims and of their witnesses, and what each says.
//!
//! Only names and statements stand here; how a state is judged is the checker's business. On a
//! channel c from p to q, n is the number of messages sent before p recorded, n' before p put its
//! marker on c; m is the number received before q recorded, m' before c's recording began, or before
//! its marker was consumed if that came first. S* is the recorded state of the whole: process states and
//! channel recordings.

use serde::{Deserialize, Serialize};

/// A property with a name. Safety claims say what is true in every reachable state; witnesses say
/// what can happen, so that no safety claim holds vacuously.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// p and q recorded ⇒ what q had received from c, p had sent before it recorded: m ≤ n.
    ConsistentCut,
    /// c closed and p, q recorded ⇒ c's recording is exactly messages m+1 … n of c, in order.
    ExactChannelState,
    /// c closed and p, q recorded ⇒ n = n', m = m', n' ≥ m', and the recording has n' − m' messages.
    MarkerArithmetic,
    /// The snapshot is complete ⇒ every recording is empty and n = m on every channel.
    EmptyChannelState,
    /// The coordinator declares completion ⇒ every process recorded and every recording is closed.
    CompletionIsReal,
    /// No step is enabled ⇒ the snapshot is complete (and declared so) and no message is stuck.
    Terminates,
    /// Every step that the application could take now is enabled: receiving, and its own.
    NeverBlocks,
    /// The snapshot is complete ⇒ what is recorded holds what the application held at the start.
    Conserved,
    /// In the end, after any failovers, every record has had its effect on every state as often as it
    /// should.
    ExactlyOnceState,
    /// In the end, after any failovers, every record has had its effect as often as it should, or more.
    AtLeastOnceState,
    /// No record is seen outside more often than it should, and what should be seen by now is.
    ExactlyOnceOutput,
    /// What should be seen outside by now is.
    AtLeastOnceOutput,
    /// The snapshot is complete ⇒ S* is reachable from before the first record, and the present from S*.
    Reachable,
    /// The snapshot is complete ⇒ what is stable and held before it holds in S*, and what does there now.
    StableProperty,
    /// The application does nothing here that it could not do alone, and nothing keeps it from a step.
    NonInterference,
    /// On every channel, at any time: nothing is lost, the marker lies where the record was, and what was sent
    /// before p's side of the cut is what was received before q's, then what is recorded and under way.
    ProofInvariant,
    /// Both ends of a channel have recorded, the receiver after a message from it.
    MessageBeforeCut,
    /// A message is in the recording of a closed channel whose ends have recorded.
    MessageInChannelState,
    /// A channel on which a message was sent before the record is closed, and both ends have recorded.
    ClosedAfterMessage,
    /// The snapshot is complete and some process had received a message before it recorded.
    CompleteAfterMessage,
    /// The coordinator declares the snapshot complete.
    CompletionDeclared,
    /// No step is enabled and the snapshot is complete.
    SnapshotCompletes,
    /// Some process has recorded, the snapshot is incomplete, and the application can take a step.
    ApplicationGoesOn,
    /// The algorithm blocks a channel.
    ChannelBlocked,
    /// A run ends in which the job failed over to a checkpoint.
    EndsAfterRecovery,
    /// The job failed over to a checkpoint, and something is seen outside.
    SeenAfterRecovery,
    /// The snapshot is complete, and the run did not pass through S*.
    RecordedNeverPassed,
    /// The snapshot is complete; there was a deadlock before it began, and there is one in S*.
    DeadlockFound,
    /// A marker lies in a channel behind a message.
    MarkerBehindMessage,
}

/// Whether a claim is about every reachable state or about some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// True in every reachable state.
    Safety,
    /// True in at least one.
    Witness,
}

/// What there is to know of a claim.
struct Info {
    name: &'static str,
    /// Of a safety claim.
    witness: Option<Claim>,
    statement: &'static str,
    source: &'static str,
}

const fn safety(
    name: &'static str,
    witness: Claim,
    statement: &'static str,
    source: &'static str,
) -> Info {
    Info { name, witness: Some(witness), statement, source }
}

const fn witness(name: &'static str, statement: &'static str, source: &'static str) -> Info {
    Info { name, witness: None, statement, source }
}

impl Claim {
    /// Every claim, the safety claims first.
    pub const ALL: [Self; 29] = [
        Self::ConsistentCut,
        Self::ExactChannelState,
        Self::MarkerArithmetic,
        Self::EmptyChannelState,
        Self::CompletionIsReal,
        Self::Terminates,
        Self::NeverBlocks,
        Self::Conserved,
        Self::ExactlyOnceState,
        Self::AtLeastOnceState,
        Self::ExactlyOnceOutput,
        Self::AtLeastOnceOutput,
        Self::Reachable,
        Self::StableProperty,
        Self::NonInterference,
        Self::ProofInvariant,
        Self::MessageBeforeCut,
        Self::MessageInChannelState,
        Self::ClosedAfterMessage,
        Self::CompleteAfterMessage,
        Self::CompletionDeclared,
        Self::SnapshotCompletes,
        Self::ApplicationGoesOn,
        Self::ChannelBlocked,
        Self::EndsAfterRecovery,
        Self::SeenAfterRecovery,
        Self::RecordedNeverPassed,
        Self::DeadlockFound,
        Self::MarkerBehindMessage,
    ];

    fn info(self) -> Info {
        match self {
            Self::ConsistentCut => safety(
                "consistent-cut",
                Claim::MessageBeforeCut,
                "p and q recorded ⇒ what q had received, p had sent: m ≤ n",
                "Chandy & Lamport 1985, section 3",
            ),
            Self::ExactChannelState => safety(
                "exact-channel-state",
                Claim::ClosedAfterMessage,
                "c closed, p and q recorded ⇒ the recording is messages m+1…n, in order",
                "Chandy & Lamport 1985, section 3",
            ),
            Self::MarkerArithmetic => safety(
                "marker-arithmetic",
                Claim::ClosedAfterMessage,
                "c closed, p and q recorded ⇒ n = n', m = m', n' ≥ m', and n' − m' messages recorded",
                "Chandy & Lamport 1985, section 3 (n, n', m, m')",
            ),
            Self::EmptyChannelState => safety(
                "empty-channel-state",
                Claim::CompleteAfterMessage,
                "complete ⇒ every recording is empty and n = m on every channel",
                "Carbone et al. 2015, section 4",
            ),
            Self::CompletionIsReal => safety(
                "completion-is-real",
                Claim::CompletionDeclared,
                "declared complete ⇒ all recorded and every recording closed",
                "the last step of every coordinated snapshot",
            ),
            Self::Terminates => safety(
                "terminates",
                Claim::SnapshotCompletes,
                "no step enabled ⇒ the snapshot is complete and no message is stuck",
                "Chandy & Lamport 1985, section 3.3",
            ),
            Self::NeverBlocks => safety(
                "never-blocks",
                Claim::ApplicationGoesOn,
                "every step that the application could take is enabled",
                "Chandy & Lamport 1985, section 1: no interference",
            ),
            Self::Conserved => safety(
                "conserved",
                Claim::CompleteAfterMessage,
                "complete ⇒ the amount recorded is the amount at the start",
                "Chandy & Lamport 1985, section 2: the tokens",
            ),
            Self::ExactlyOnceState => safety(
                "exactly-once-state",
                Claim::EndsAfterRecovery,
                "in the end, after failovers, each record had each effect on a state once",
                "Carbone et al. 2015, section 5",
            ),
            Self::AtLeastOnceState => safety(
                "at-least-once-state",
                Claim::EndsAfterRecovery,
                "in the end, after failovers, each record had each effect on a state once or more",
                "Carbone et al. 2015, section 5",
            ),
            Self::ExactlyOnceOutput => safety(
                "exactly-once-output",
                Claim::SeenAfterRecovery,
                "no record is seen twice, and all are seen that should be: in the end, or once committed",
                "Carbone et al. 2017, section 4.3",
            ),
            Self::AtLeastOnceOutput => safety(
                "at-least-once-output",
                Claim::SeenAfterRecovery,
                "all records are seen that should be: in the end, or once committed",
                "Carbone et al. 2017, section 4.3",
            ),
            Self::Reachable => safety(
                "reachable",
                Claim::RecordedNeverPassed,
                "complete ⇒ the state before leads to S*, and S* to the present one",
                "Chandy & Lamport 1985, theorem 1",
            ),
            Self::StableProperty => safety(
                "stable-property",
                Claim::DeadlockFound,
                "complete ⇒ deadlocked or terminated before, so in S*; if in S*, so now",
                "Chandy & Lamport 1985, section 5",
            ),
            Self::NonInterference => safety(
                "non-interference",
                Claim::ApplicationGoesOn,
                "the application could do the same alone; where nothing may block, it can do all it could",
                "Chandy & Lamport 1985, section 1: superimposed",
            ),
            Self::ProofInvariant => safety(
                "proof-invariant",
                Claim::MarkerBehindMessage,
                "per channel: sent by p's cut = received by q's, recorded, and ahead of the one marker",
                "invariant of the proofs (proofs/Universal.v)",
            ),
            Self::MessageBeforeCut => witness(
                "message-before-cut",
                "both ends recorded, the receiver after a message (m ≥ 1)",
                "beside consistent-cut",
            ),
            Self::MessageInChannelState => witness(
                "message-in-channel-state",
                "a closed recording holds a message",
                "what empty-channel-state rules out",
            ),
            Self::ClosedAfterMessage => witness(
                "closed-after-message",
                "closed, with a message sent before the record (n ≥ 1)",
                "beside exact-channel-state, marker-arithmetic",
            ),
            Self::CompleteAfterMessage => witness(
                "complete-after-message",
                "complete, with a message received before a record",
                "beside empty-channel-state, conserved",
            ),
            Self::CompletionDeclared => witness(
                "completion-declared",
                "the coordinator declares completion",
                "beside completion-is-real",
            ),
            Self::SnapshotCompletes => witness(
                "snapshot-completes",
                "no step is enabled and the snapshot is complete",
                "beside terminates",
            ),
            Self::ApplicationGoesOn => witness(
                "application-goes-on",
                "the application can take a step while the snapshot is taken",
                "beside never-blocks, non-interference",
            ),
            Self::ChannelBlocked => witness(
                "channel-blocked",
                "the algorithm blocks a channel",
                "what never-blocks rules out, if a message waits there",
            ),
            Self::EndsAfterRecovery => witness(
                "ends-after-recovery",
                "no step is enabled, and the job failed over to a checkpoint",
                "beside exactly-once-state, at-least-once-state",
            ),
            Self::SeenAfterRecovery => witness(
                "seen-after-recovery",
                "the job failed over to a checkpoint, and a record is seen",
                "beside exactly-once-output, at-least-once-output",
            ),
            Self::RecordedNeverPassed => witness(
                "recorded-never-passed",
                "complete, and the run did not pass through S*",
                "beside reachable",
            ),
            Self::DeadlockFound => witness(
                "deadlock-found",
                "complete; a deadlock from before is in S*",
                "beside stable-property",
            ),
            Self::MarkerBehindMessage => witness(
                "marker-behind-message",
                "a marker lies in a channel behind a message",
                "beside proof-invariant",
            ),
        }
    }

    /// The claim called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|claim| claim.name() == name)
    }

    /// The name used in instance files, on the command line and in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Safety claim or witness.
    #[must_use]
    pub fn kind(self) -> Kind {
        if self.witness().is_some() { Kind::Safety } else { Kind::Witness }
    }

    /// The witness that must exist for this safety claim not to hold vacuously.
    #[must_use]
    pub fn witness(self) -> Option<Self> {
        self.info().witness
    }

    /// The statement in one line.
    #[must_use]
    pub fn statement(self) -> &'static str {
        self.info().statement
    }

    /// Where the claim comes from; for a witness, what it is a witness for.
    #[must_use]
    pub fn source(self) -> &'static str {
        self.info().source
    }

    /// Whether it is judged only where somebody asks for it: an instance that expects something of it, or
    /// a user by its name. It takes long: with history, or in every state as a whole.
    #[must_use]
    pub fn on_request(self) -> bool {
        self.needs_history() || matches!(self, Self::ProofInvariant | Self::MarkerBehindMessage)
    }

    /// Whether it asks for more than a state shows: what was before, and what the application could do
    /// alone. Such claims are judged in a search of their own.
    #[must_use]
    pub fn needs_history(self) -> bool {
        matches!(
            self,
            Self::Reachable
                | Self::StableProperty
                | Self::NonInterference
                | Self::RecordedNeverPassed
                | Self::DeadlockFound
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_agree_with_serde() {
        for claim in Claim::ALL {
            assert_eq!(Claim::named(claim.name()), Some(claim));
        }
        assert_eq!(Claim::named("consistent-cuts"), None);
    }

    #[test]
    fn a_witness_is_no_safety_claim_and_the_safety_claims_come_first() {
        for claim in Claim::ALL {
            assert!(claim.witness().is_none_or(|witness| witness.kind() == Kind::Witness));
        }
        assert!(Claim::ALL.is_sorted_by_key(|claim| claim.kind() == Kind::Witness));
    }
}
