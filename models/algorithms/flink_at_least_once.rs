//! Flink's at-least-once checkpoint: barriers are counted and nothing blocks.
//!
//! The sources begin. An operator records when the barriers of all inputs are in, and until then goes
//! on reading behind those that came first: what it reads there is in its state although the sender
//! sent it after recording, and recovery processes it again.
//!
//! Assumes reliable FIFO channels, an acyclic graph, and the sources as initiators.

use super::Barrier;
use crate::claim::Claim;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm, Supersedes};
use crate::promise::{
    ALWAYS, BARRIERS_REACH_ALL, INITIATORS_WITHOUT_INPUTS, SINGLE_INPUTS,
    SINGLE_INPUTS_BELOW_SOURCES, TRANSACTIONAL_BELOW_SOURCES, promise,
};
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct FlinkAtLeastOnce;

impl SnapshotAlgorithm for FlinkAtLeastOnce {
    type Control = Barrier;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "flink-at-least-once",
        summary: "record when all barriers are in; nothing blocks",
        source: "Flink at-least-once",
        default_initiators: DefaultInitiators::Sources,
        sends_markers: true,
        promises: &[
            promise(Claim::ConsistentCut, SINGLE_INPUTS),
            promise(Claim::ExactChannelState, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::MarkerArithmetic, SINGLE_INPUTS_BELOW_SOURCES),
            promise(Claim::EmptyChannelState, SINGLE_INPUTS_BELOW_SOURCES),
            promise(Claim::CompletionIsReal, ALWAYS),
            promise(Claim::Terminates, BARRIERS_REACH_ALL),
            promise(Claim::NeverBlocks, ALWAYS),
            promise(Claim::Conserved, SINGLE_INPUTS_BELOW_SOURCES),
            promise(Claim::ExactlyOnceState, SINGLE_INPUTS_BELOW_SOURCES),
            promise(Claim::AtLeastOnceState, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::ExactlyOnceOutput, TRANSACTIONAL_BELOW_SOURCES),
            promise(Claim::AtLeastOnceOutput, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::Reachable, SINGLE_INPUTS_BELOW_SOURCES),
            promise(Claim::StableProperty, SINGLE_INPUTS_BELOW_SOURCES),
            promise(Claim::NonInterference, ALWAYS),
            promise(Claim::ProofInvariant, SINGLE_INPUTS_BELOW_SOURCES),
        ],
    };

    const ONE_ROUND: bool = true;

    const SUPERSEDES: Supersedes = Supersedes::WhenRecorded;

    /// Checkpoint: record, barrier on every output; inputs have no state.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Barrier);
        process.close_all_inputs();
    }

    /// Barrier: count it, record at the last.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        if process.has_recorded() {
            return;
        }
        process.close(channel);
        if process.all_inputs_closed() {
            Self::on_initiate(process);
        }
    }

    /// Records: nothing of a channel is ever stored.
    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}
