//! Bugs of the aligned checkpoint, and of the coordinator beside it.

use super::Mutant;
use crate::algorithms::{Barrier, FlinkAligned};
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm, Supersedes};
use crate::topology::ChannelId;

/// An input that has ended is not counted as aligned: the task waits for a barrier that never comes.
pub struct EndedInputWaits;

impl Mutant for EndedInputWaits {
    type Of = FlinkAligned;
    const NAME: &'static str = "aligned-ended-input-waits";
    const SUMMARY: &'static str = "as flink-aligned, but an input that has ended is waited for";

    fn on_end(_: &mut Process<'_, FlinkAligned>, _: ChannelId) {}
}

/// An input whose barrier is in is read on: what is behind the barrier is in the record.
pub struct DoesNotBlock;

impl Mutant for DoesNotBlock {
    type Of = FlinkAligned;
    const NAME: &'static str = "aligned-does-not-block";
    const SUMMARY: &'static str = "as flink-aligned, but an input is read on behind its barrier";

    fn on_control(process: &mut Process<'_, FlinkAligned>, channel: ChannelId, barrier: Barrier) {
        FlinkAligned::on_control(process, channel, barrier);
        process.unblock_all_inputs();
    }
}

/// An aborted checkpoint leaves the inputs blocked whose barriers were in.
pub struct AbortKeepsBlocked;

impl Mutant for AbortKeepsBlocked {
    type Of = FlinkAligned;
    const NAME: &'static str = "aligned-abort-keeps-blocked";
    const SUMMARY: &'static str = "as flink-aligned, but an abort leaves inputs blocked";

    fn on_abort(process: &mut Process<'_, FlinkAligned>) {
        process.abandon();
    }
}

/// A barrier of a checkpoint that the task has given up blocks its input, and nothing unblocks it.
pub struct LateBarrierBlocks;

impl Mutant for LateBarrierBlocks {
    type Of = FlinkAligned;
    const NAME: &'static str = "aligned-late-barrier-blocks";
    const SUMMARY: &'static str = "as flink-aligned, but an obsolete barrier blocks its input";

    fn on_late_control(process: &mut Process<'_, FlinkAligned>, channel: ChannelId) {
        process.block(channel);
    }
}

/// The notice of an abort that comes before trigger and barriers is forgotten: the task then aligns for a
/// checkpoint that nobody else takes.
pub struct ForgetsEarlyAbort;

impl Mutant for ForgetsEarlyAbort {
    type Of = FlinkAligned;
    const NAME: &'static str = "aligned-forgets-early-abort";
    const SUMMARY: &'static str =
        "as flink-aligned, but an abort that comes before the barrier is forgotten";

    fn on_abort(process: &mut Process<'_, FlinkAligned>) {
        if process.has_heard() {
            process.let_go();
        }
    }
}

/// What a crashed worker has not acknowledged is taken as given: the job goes back to a checkpoint that is
/// not complete.
pub struct PresumedAcknowledged;

impl Mutant for PresumedAcknowledged {
    type Of = FlinkAligned;
    const NAME: &'static str = "aligned-presumed-acknowledged";
    const SUMMARY: &'static str = "as flink-aligned, but a failover completes what is pending";
    const PRESUMES_DONE: bool = true;
}

/// When the last barrier is in, its input is read on before the task has recorded: the message behind the
/// barrier is handed over first.
pub struct HandsOverFirst;

impl SnapshotAlgorithm for HandsOverFirst {
    type Control = Barrier;
    /// Whether all barriers are in.
    type State = bool;

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "aligned-hands-over-first",
        summary: "as flink-aligned, but the task records in a step after the last barrier",
        promises: &[],
        ..FlinkAligned::INFO
    };
    const SUPERSEDES: Supersedes = FlinkAligned::SUPERSEDES;
    const TURN: Option<&'static str> = Some("gets round to recording");

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Barrier);
        process.close_all_inputs();
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        process.close(channel);
        process.block(channel);
        if process.all_inputs_closed() {
            process.unblock_all_inputs();
            *process.memory = true;
        }
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}

    fn may_turn(process: &Process<'_, Self>) -> bool {
        *process.memory && !process.has_recorded()
    }

    fn on_turn(process: &mut Process<'_, Self>) {
        Self::on_initiate(process);
    }
}
