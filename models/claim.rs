//! The names of the claims and of their witnesses, what each says, and what an algorithm promises.
//!
//! Only names and statements stand here; how a state is judged is the checker's business. On a
//! channel c from p to q, n is the number of messages sent before p recorded, n' before p put its
//! marker on c; m is the number received before q recorded, m' before c's recording began, or before
//! its marker was consumed if that came first.

use serde::{Deserialize, Serialize};

use crate::network::Network;
use crate::setup::{Coordinator, Setup};

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

impl Claim {
    /// Every claim, the safety claims first.
    pub const ALL: [Self; 16] = [
        Self::ConsistentCut,
        Self::ExactChannelState,
        Self::MarkerArithmetic,
        Self::EmptyChannelState,
        Self::CompletionIsReal,
        Self::Terminates,
        Self::NeverBlocks,
        Self::Conserved,
        Self::MessageBeforeCut,
        Self::MessageInChannelState,
        Self::ClosedAfterMessage,
        Self::CompleteAfterMessage,
        Self::CompletionDeclared,
        Self::SnapshotCompletes,
        Self::ApplicationGoesOn,
        Self::ChannelBlocked,
    ];

    /// The claim called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|claim| claim.name() == name)
    }

    /// The name used in instance files, on the command line and in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ConsistentCut => "consistent-cut",
            Self::ExactChannelState => "exact-channel-state",
            Self::MarkerArithmetic => "marker-arithmetic",
            Self::EmptyChannelState => "empty-channel-state",
            Self::CompletionIsReal => "completion-is-real",
            Self::Terminates => "terminates",
            Self::NeverBlocks => "never-blocks",
            Self::Conserved => "conserved",
            Self::MessageBeforeCut => "message-before-cut",
            Self::MessageInChannelState => "message-in-channel-state",
            Self::ClosedAfterMessage => "closed-after-message",
            Self::CompleteAfterMessage => "complete-after-message",
            Self::CompletionDeclared => "completion-declared",
            Self::SnapshotCompletes => "snapshot-completes",
            Self::ApplicationGoesOn => "application-goes-on",
            Self::ChannelBlocked => "channel-blocked",
        }
    }

    /// Safety claim or witness.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Self::ConsistentCut
            | Self::ExactChannelState
            | Self::MarkerArithmetic
            | Self::EmptyChannelState
            | Self::CompletionIsReal
            | Self::Terminates
            | Self::NeverBlocks
            | Self::Conserved => Kind::Safety,
            Self::MessageBeforeCut
            | Self::MessageInChannelState
            | Self::ClosedAfterMessage
            | Self::CompleteAfterMessage
            | Self::CompletionDeclared
            | Self::SnapshotCompletes
            | Self::ApplicationGoesOn
            | Self::ChannelBlocked => Kind::Witness,
        }
    }

    /// The witness that must exist for this safety claim not to hold vacuously.
    #[must_use]
    pub fn witness(self) -> Option<Self> {
        match self {
            Self::ConsistentCut => Some(Self::MessageBeforeCut),
            Self::ExactChannelState | Self::MarkerArithmetic => Some(Self::ClosedAfterMessage),
            Self::EmptyChannelState | Self::Conserved => Some(Self::CompleteAfterMessage),
            Self::CompletionIsReal => Some(Self::CompletionDeclared),
            Self::Terminates => Some(Self::SnapshotCompletes),
            Self::NeverBlocks => Some(Self::ApplicationGoesOn),
            _ => None,
        }
    }

    /// The statement in one line.
    #[must_use]
    pub fn statement(self) -> &'static str {
        match self {
            Self::ConsistentCut => "p and q recorded ⇒ what q had received, p had sent: m ≤ n",
            Self::ExactChannelState => {
                "c closed, p and q recorded ⇒ the recording is messages m+1…n, in order"
            }
            Self::MarkerArithmetic => {
                "c closed, p and q recorded ⇒ n = n', m = m', n' ≥ m', and n' − m' messages recorded"
            }
            Self::EmptyChannelState => {
                "complete ⇒ every recording is empty and n = m on every channel"
            }
            Self::CompletionIsReal => "declared complete ⇒ all recorded and every recording closed",
            Self::Terminates => {
                "no step enabled ⇒ the snapshot is complete and no message is stuck"
            }
            Self::NeverBlocks => "every step that the application could take is enabled",
            Self::Conserved => "complete ⇒ the amount recorded is the amount at the start",
            Self::MessageBeforeCut => "both ends recorded, the receiver after a message (m ≥ 1)",
            Self::MessageInChannelState => "a closed recording holds a message",
            Self::ClosedAfterMessage => "closed, with a message sent before the record (n ≥ 1)",
            Self::CompleteAfterMessage => "complete, with a message received before a record",
            Self::CompletionDeclared => "the coordinator declares completion",
            Self::SnapshotCompletes => "no step is enabled and the snapshot is complete",
            Self::ApplicationGoesOn => {
                "the application can take a step while the snapshot is taken"
            }
            Self::ChannelBlocked => "the algorithm blocks a channel",
        }
    }

    /// Where the claim comes from; for a witness, what it is a witness for.
    #[must_use]
    pub fn source(self) -> &'static str {
        match self {
            Self::ConsistentCut | Self::ExactChannelState => "Chandy & Lamport 1985, section 3",
            Self::MarkerArithmetic => "Chandy & Lamport 1985, section 3 (n, n', m, m')",
            Self::EmptyChannelState => "Carbone et al. 2015, section 4",
            Self::CompletionIsReal => "the last step of every coordinated snapshot",
            Self::Terminates => "Chandy & Lamport 1985, section 3.3",
            Self::NeverBlocks => "Chandy & Lamport 1985, section 1: no interference",
            Self::Conserved => "Chandy & Lamport 1985, section 2: the tokens",
            Self::MessageBeforeCut => "beside consistent-cut",
            Self::MessageInChannelState => "what empty-channel-state rules out",
            Self::ClosedAfterMessage => "beside exact-channel-state, marker-arithmetic",
            Self::CompleteAfterMessage => "beside empty-channel-state, conserved",
            Self::CompletionDeclared => "beside completion-is-real",
            Self::SnapshotCompletes => "beside terminates",
            Self::ApplicationGoesOn => "beside never-blocks",
            Self::ChannelBlocked => "what never-blocks rules out, if a message waits there",
        }
    }
}

/// A condition on the setup, in words and as a predicate.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// For tables: completes "promised where …". Empty where there is no condition.
    pub words: &'static str,
    /// Whether the setup fulfils it.
    pub holds: fn(&Setup) -> bool,
}

/// No condition.
pub const ALWAYS: Condition = Condition { words: "", holds: |_| true };
/// The initiators reach every process.
pub const INITIATORS_REACH_ALL: Condition = Condition {
    words: "the initiators reach every process",
    holds: Setup::initiators_reach_every_process,
};
/// Every process is an initiator.
pub const ALL_INITIATE: Condition = Condition {
    words: "every process is an initiator",
    holds: Setup::every_process_is_an_initiator,
};
/// There is a coordinator, and the initiators reach every process.
pub const COORDINATED_AND_REACHED: Condition = Condition {
    words: "there is a coordinator and the initiators reach every process",
    holds: |setup| setup.coordinator != Coordinator::None && setup.initiators_reach_every_process(),
};
/// No initiator has an input.
pub const INITIATORS_WITHOUT_INPUTS: Condition =
    Condition { words: "no initiator has an input", holds: Setup::initiators_have_no_inputs };
/// No process has two inputs.
pub const SINGLE_INPUTS: Condition =
    Condition { words: "no process has two inputs", holds: Setup::inputs_are_single };
/// No process has two inputs and no initiator has one.
pub const SINGLE_INPUTS_BELOW_SOURCES: Condition = Condition {
    words: "no process has two inputs, no initiator has one",
    holds: |setup| setup.inputs_are_single() && setup.initiators_have_no_inputs(),
};
/// Every source is an initiator and every cycle passes through one.
pub const BARRIERS_REACH_ALL: Condition = Condition {
    words: "every source is an initiator and every cycle passes through one",
    holds: Setup::barriers_reach_every_input,
};

/// A safety claim that an algorithm promises, and where.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// What is promised.
    pub claim: Claim,
    /// On which setups.
    pub condition: Condition,
    /// Whether it is kept also where channels do not keep the order in which things were sent.
    pub in_any_order: bool,
}

impl Promise {
    /// Whether it is made on a setup. None is made where channels lose or double anything.
    #[must_use]
    pub fn applies_to(&self, setup: &Setup) -> bool {
        let network = setup.network;
        let assumed = network.is_fifo() || (self.in_any_order && network == Network::Unordered);
        assumed && (self.condition.holds)(setup)
    }
}

/// A promise on FIFO channels, for the tables of the algorithms.
#[must_use]
pub const fn promise(claim: Claim, condition: Condition) -> Promise {
    Promise { claim, condition, in_any_order: false }
}

/// A promise on channels that lose and double nothing, in whatever order things arrive.
#[must_use]
pub const fn promise_in_any_order(claim: Claim, condition: Condition) -> Promise {
    Promise { claim, condition, in_any_order: true }
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
    fn every_safety_claim_has_a_witness_and_only_those() {
        for claim in Claim::ALL {
            let witness = claim.witness();
            assert_eq!(claim.kind() == Kind::Safety, witness.is_some(), "{}", claim.name());
            assert!(witness.is_none_or(|w| w.kind() == Kind::Witness));
        }
    }
}
