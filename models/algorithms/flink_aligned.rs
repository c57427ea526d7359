//! Flink's aligned checkpoint, exactly-once: Carbone et al., "Lightweight Asynchronous Snapshots for
//! Distributed Dataflows", 2015, algorithm 1 (acyclic graphs).
//!
//! The sources begin. An operator does not read from an input whose barrier is in; when the barriers
//! of all inputs are in, it records, forwards the barrier and reads again. No channel has a state.
//!
//! Assumes reliable FIFO channels, an acyclic graph, and the sources as initiators. On a cycle an
//! operator waits for its own barrier; an initiator with an input loses what is in flight on it.

use super::Barrier;
use crate::claim::Claim;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm, Supersedes};
use crate::promise::{
    ALWAYS, BARRIERS_REACH_ALL, BEGUN_AT_SOURCES, INITIATORS_WITHOUT_INPUTS,
    TRANSACTIONAL_WITHOUT_INPUTS, promise,
};
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct FlinkAligned;

impl SnapshotAlgorithm for FlinkAligned {
    type Control = Barrier;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "flink-aligned",
        summary: "record when all barriers are in; an input whose barrier is in is not read",
        source: "Carbone et al. 2015, algorithm 1; Flink exactly-once",
        default_initiators: DefaultInitiators::Sources,
        sends_markers: true,
        promises: &[
            promise(Claim::ConsistentCut, ALWAYS),
            promise(Claim::ExactChannelState, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::MarkerArithmetic, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::EmptyChannelState, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::CompletionIsReal, ALWAYS),
            promise(Claim::Terminates, BARRIERS_REACH_ALL),
            promise(Claim::Conserved, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::ExactlyOnceState, BEGUN_AT_SOURCES),
            promise(Claim::AtLeastOnceState, BEGUN_AT_SOURCES),
            promise(Claim::ExactlyOnceOutput, TRANSACTIONAL_WITHOUT_INPUTS),
            promise(Claim::AtLeastOnceOutput, BEGUN_AT_SOURCES),
            promise(Claim::Reachable, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::StableProperty, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::NonInterference, ALWAYS),
            promise(Claim::ProofInvariant, INITIATORS_WITHOUT_INPUTS),
        ],
    };

    const ONE_ROUND: bool = true;

    const SUPERSEDES: Supersedes = Supersedes::WhenHeard;

    /// Checkpoint: record, barrier on every output; inputs have no state and are read again.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Barrier);
        process.close_all_inputs();
        process.unblock_all_inputs();
    }

    /// Barrier: block its input until the barriers of all inputs are in.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        if process.has_recorded() {
            return;
        }
        process.close(channel);
        process.block(channel);
        if process.all_inputs_closed() {
            Self::on_initiate(process);
        }
    }

    /// Records: nothing of a channel is ever stored.
    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}
