//! Flink's aligned checkpoint with timeout: `aligned-checkpoint-timeout`, FLINK-19681 and FLINK-27251.
//!
//! A checkpoint begins aligned, and as long as a task aligns it may lose patience, at any moment: then it
//! goes on unaligned. It records at once, stores what is queued, lets barriers that wait in its input queues
//! take effect, and its own overtake. An unaligned barrier does the same to the task at which it arrives. A
//! task that has recorded aligned may still lose patience with barriers of its own that have not gone out:
//! they overtake too. So barriers of both kinds are under way at once.
//!
//! Assumes reliable FIFO wires, an acyclic graph, and the sources as initiators.

use std::fmt;

use crate::claim::Claim;
use crate::process::{AlgorithmInfo, End, Process, SnapshotAlgorithm, Supersedes};
use crate::promise::{
    ALWAYS, BARRIERS_REACH_ALL, INITIATORS_WITHOUT_INPUTS, TRANSACTIONAL_WITHOUT_INPUTS, promise,
};
use crate::renaming::Renamed;
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct FlinkAlignedTimeout;

/// A barrier that may be of either kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimedBarrier {
    /// Whether it overtakes.
    pub unaligned: bool,
}

impl Renamed for TimedBarrier {}

impl fmt::Display for TimedBarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.unaligned { "unaligned barrier" } else { "barrier" })
    }
}

const ALIGNED: TimedBarrier = TimedBarrier { unaligned: false };
const UNALIGNED: TimedBarrier = TimedBarrier { unaligned: true };

impl SnapshotAlgorithm for FlinkAlignedTimeout {
    type Control = TimedBarrier;
    /// Whether the task has gone on unaligned.
    type State = bool;

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "flink-aligned-timeout",
        summary: "begin aligned; whoever loses patience goes on unaligned",
        source: "Flink aligned checkpoint timeout",
        default_initiators: DefaultInitiators::Sources,
        sends_markers: true,
        promises: &[
            promise(Claim::ConsistentCut, ALWAYS),
            promise(Claim::ExactChannelState, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::MarkerArithmetic, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::CompletionIsReal, ALWAYS),
            promise(Claim::Terminates, BARRIERS_REACH_ALL),
            promise(Claim::Conserved, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::ExactlyOnceState, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::AtLeastOnceState, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::ExactlyOnceOutput, TRANSACTIONAL_WITHOUT_INPUTS),
            promise(Claim::AtLeastOnceOutput, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::Reachable, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::StableProperty, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::NonInterference, ALWAYS),
        ],
    };

    const SUPERSEDES: Supersedes = Supersedes::WhenHeard;

    const TURN: Option<&'static str> = Some("loses patience");

    /// Trigger, or all barriers are in: record; the barriers queue up.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&ALIGNED);
        process.close_all_inputs();
        process.unblock_all_inputs();
    }

    /// An unaligned barrier never waits to be read; an aligned one does not where the task is unaligned.
    fn jumps_ahead(process: &Process<'_, Self>, barrier: &TimedBarrier) -> bool {
        barrier.unaligned || process.has_recorded()
    }

    /// Barrier: block its input until those of all inputs are in; an unaligned one, go on unaligned.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, barrier: TimedBarrier) {
        if barrier.unaligned && !process.has_recorded() {
            go_on_unaligned(process);
        }
        process.close(channel);
        if process.has_recorded() {
            return;
        }
        process.block(channel);
        if process.all_inputs_closed() {
            Self::on_initiate(process);
        }
    }

    /// An input that has ended is as good as aligned.
    fn on_end(process: &mut Process<'_, Self>, channel: ChannelId) {
        process.close(channel);
        if process.has_heard() && process.all_inputs_closed() && !process.has_recorded() {
            Self::on_initiate(process);
        }
    }

    /// It aligns, or a barrier of its own waits to go out.
    fn may_turn(process: &Process<'_, Self>) -> bool {
        let waits = |&output: &ChannelId| process.has_queued(output, End::Output);
        let aligns = process.has_heard() && !process.has_recorded();
        !*process.memory && (aligns || process.outputs().iter().any(waits))
    }

    /// The timeout.
    fn on_turn(process: &mut Process<'_, Self>) {
        if !process.has_recorded() {
            return go_on_unaligned(process);
        }
        *process.memory = true;
        for &output in process.outputs() {
            if process.has_queued(output, End::Output) {
                process.store_queued(output, End::Output);
                process.take_queued(output, End::Output);
                process.send_ahead(output, UNALIGNED);
            }
        }
    }

    /// What arrives before its channel's barrier is part of that channel's state, once unaligned.
    fn on_arrival(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }

    /// Records that are read are part of nothing.
    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}

    /// The task is done when its channels' states are known: no barrier can overtake any more.
    fn is_done(process: &Process<'_, Self>) -> bool {
        let waits = |&output: &ChannelId| process.has_queued(output, End::Output);
        process.has_recorded()
            && process.all_inputs_closed()
            && (*process.memory || !process.outputs().iter().any(waits))
    }
}

/// Records, with what is queued; barriers that wait to be read take effect, and the task's own overtake.
fn go_on_unaligned(process: &mut Process<'_, FlinkAlignedTimeout>) {
    *process.memory = true;
    process.record_state();
    for &input in process.inputs() {
        if !process.is_closed(input) {
            process.store_queued(input, End::Input);
            if process.take_queued(input, End::Input).is_some() {
                process.close(input);
            }
        }
    }
    process.unblock_all_inputs();
    for &output in process.outputs() {
        process.store_queued(output, End::Output);
        process.send_ahead(output, UNALIGNED);
    }
}
