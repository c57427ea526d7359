//! Flink's aligned checkpoint on cyclic graphs: Carbone et al., "Lightweight Asynchronous Snapshots for
//! Distributed Dataflows", 2015, algorithm 2.
//!
//! The sources begin. An operator aligns the barriers of its inputs but for back-edges, records and forwards
//! the barrier; what comes over a back-edge from then until the barrier has gone round is logged. These
//! logs are the only channel states. With back-edges only, a process begins, or records at any barrier.
//!
//! Assumes reliable FIFO channels, and initiators without inputs but back-edges: others lose messages.

use super::Barrier;
use crate::claim::Claim;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use crate::promise::{
    ACYCLIC_BELOW_SOURCES, ALWAYS, BARRIERS_PASS_LOOPS, BEGUN_EVERYWHERE, BEGUN_LIKE_SOURCES,
    TRANSACTIONAL_LIKE_SOURCES, promise,
};
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct FlinkAlignedCyclic;

impl SnapshotAlgorithm for FlinkAlignedCyclic {
    type Control = Barrier;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "flink-aligned-cyclic",
        summary: "record when all barriers but those of back-edges are in; back-edges until theirs",
        source: "Carbone et al. 2015, algorithm 2",
        default_initiators: DefaultInitiators::Sources,
        sends_markers: true,
        promises: &[
            promise(Claim::ConsistentCut, ALWAYS),
            promise(Claim::ExactChannelState, BEGUN_LIKE_SOURCES),
            promise(Claim::MarkerArithmetic, BEGUN_LIKE_SOURCES),
            promise(Claim::EmptyChannelState, ACYCLIC_BELOW_SOURCES),
            promise(Claim::CompletionIsReal, ALWAYS),
            promise(Claim::Terminates, BARRIERS_PASS_LOOPS),
            promise(Claim::Conserved, BEGUN_LIKE_SOURCES),
            promise(Claim::ExactlyOnceState, BEGUN_EVERYWHERE),
            promise(Claim::AtLeastOnceState, BEGUN_EVERYWHERE),
            promise(Claim::ExactlyOnceOutput, TRANSACTIONAL_LIKE_SOURCES),
            promise(Claim::AtLeastOnceOutput, BEGUN_EVERYWHERE),
            promise(Claim::Reachable, BEGUN_LIKE_SOURCES),
            promise(Claim::StableProperty, BEGUN_LIKE_SOURCES),
            promise(Claim::NonInterference, ALWAYS),
        ],
    };

    const ONE_ROUND: bool = true;
    const KNOWS_BACK_EDGES: bool = true;

    /// Checkpoint: record, barrier on every output; only back-edges have a state; read from all inputs.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Barrier);
        process.regular_inputs().for_each(|input| process.close(input));
        process.unblock_all_inputs();
    }

    /// Barrier: before the record, block its input until the regular inputs are in; after, the log ends.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        process.close(channel);
        if !process.has_recorded() {
            process.block(channel);
            if Self::is_aligned(process) {
                Self::on_initiate(process);
            }
        }
    }

    /// Back-edges are not waited for.
    fn is_aligned(process: &Process<'_, Self>) -> bool {
        process.regular_inputs().all(|input| process.is_closed(input))
    }

    /// Records: those that come over a back-edge between the own barrier and its return are logged.
    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }
}
