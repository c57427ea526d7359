//! What an algorithm promises: safety claims, each with the setups on which it holds.

use crate::claim::Claim;
use crate::network::Network;
use crate::setup::{Coordinator, Setup, Sinks};

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
/// Nobody finishes: no recording ends but by a control message.
pub const NOBODY_FINISHES: Condition =
    Condition { words: "nobody finishes", holds: |setup| setup.ending.is_empty() };
/// No initiator has an input.
pub const INITIATORS_WITHOUT_INPUTS: Condition =
    Condition { words: "no initiator has an input", holds: Setup::initiators_have_no_inputs };
/// There is no cycle, and the initiators are the sources: no record is left behind a barrier for good.
pub const BEGUN_AT_SOURCES: Condition = Condition {
    words: "there is no cycle, the initiators are the sources",
    holds: |setup| setup.topology.is_acyclic() && setup.initiators == setup.topology.sources(),
};
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
/// No initiator has an input but back-edges.
pub const BEGUN_LIKE_SOURCES: Condition = Condition {
    words: "no initiator has an input but back-edges",
    holds: Setup::initiators_have_back_edges_only,
};
/// The initiators are the processes without inputs but back-edges.
pub const BEGUN_EVERYWHERE: Condition = Condition {
    words: "the initiators are the processes without inputs but back-edges",
    holds: |setup| {
        setup.initiators_have_back_edges_only() && setup.barriers_reach_past_back_edges()
    },
};
/// There is no cycle, and no initiator has an input.
pub const ACYCLIC_BELOW_SOURCES: Condition = Condition {
    words: "there is no cycle, no initiator has an input",
    holds: |setup| setup.topology.is_acyclic() && setup.initiators_have_no_inputs(),
};
/// Barriers reach every process, back-edges not waited for.
pub const BARRIERS_PASS_LOOPS: Condition = Condition {
    words: "barriers reach every process, back-edges not waited for",
    holds: Setup::barriers_reach_past_back_edges,
};

/// Sinks are transactional.
pub const TRANSACTIONAL_SINKS: Condition = Condition {
    words: "sinks are transactional",
    holds: |setup| setup.sinks == Sinks::Transactional,
};
/// No initiator has an input, and sinks are transactional.
pub const TRANSACTIONAL_WITHOUT_INPUTS: Condition = Condition {
    words: "no initiator has an input, sinks are transactional",
    holds: |setup| setup.initiators_have_no_inputs() && setup.sinks == Sinks::Transactional,
};
/// No initiator has an input but back-edges, and sinks are transactional.
pub const TRANSACTIONAL_LIKE_SOURCES: Condition = Condition {
    words: "no initiator has an input but back-edges, sinks are transactional",
    holds: |setup| setup.initiators_have_back_edges_only() && setup.sinks == Sinks::Transactional,
};
/// No process has two inputs and no initiator has one, and sinks are transactional.
pub const TRANSACTIONAL_BELOW_SOURCES: Condition = Condition {
    words: "no process has two inputs, no initiator has one, sinks are transactional",
    holds: |setup| {
        (SINGLE_INPUTS_BELOW_SOURCES.holds)(setup) && setup.sinks == Sinks::Transactional
    },
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

/// What Chandy and Lamport's algorithm promises, and each with its rule.
pub const OF_CHANDY_LAMPORT: &[Promise] = &[
    promise(Claim::ConsistentCut, ALWAYS),
    promise(Claim::ExactChannelState, ALWAYS),
    promise(Claim::MarkerArithmetic, ALWAYS),
    promise(Claim::CompletionIsReal, ALWAYS),
    promise(Claim::Terminates, INITIATORS_REACH_ALL),
    promise(Claim::NeverBlocks, ALWAYS),
    promise(Claim::Conserved, ALWAYS),
    promise(Claim::ExactlyOnceState, ALWAYS),
    promise(Claim::AtLeastOnceState, ALWAYS),
    promise(Claim::ExactlyOnceOutput, TRANSACTIONAL_SINKS),
    promise(Claim::AtLeastOnceOutput, ALWAYS),
    promise(Claim::Reachable, ALWAYS),
    promise(Claim::StableProperty, ALWAYS),
    promise(Claim::NonInterference, ALWAYS),
    promise(Claim::ProofInvariant, ALWAYS),
];
