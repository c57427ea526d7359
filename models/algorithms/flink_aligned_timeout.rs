//! Flink's aligned checkpoint with timeout: FLINK-19681 and FLINK-27251.
//!
//! A checkpoint begins aligned, and from when the first barrier is in a task may lose patience, at any
//! moment: then it goes on unaligned. It records at once, stores what is queued, lets barriers that wait in its input queues
//! take effect, and its own overtake. An unaligned barrier does the same to the task at which it arrives. A
//! task that has recorded aligned may still lose patience with barriers of its own that have not gone out:
//! they overtake too. So barriers of both kinds are under way at once.
//!
//! Assumes reliable FIFO wires, and that an initiator has no inputs.

use super::TimedBarrier::{self, Aligned, Unaligned};
use crate::claim::Claim;
use crate::process::{AlgorithmInfo, End, Process, SnapshotAlgorithm, Supersedes};
use crate::promise::{
    ALWAYS, BEGUN_AT_SOURCES, INITIATORS_REACH_ALL, INITIATORS_WITHOUT_INPUTS,
    TRANSACTIONAL_WITHOUT_INPUTS, promise,
};
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct FlinkAlignedTimeout;

impl SnapshotAlgorithm for FlinkAlignedTimeout {
    type Control = TimedBarrier;
    /// Whether the task has lost patience.
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
            promise(Claim::Terminates, INITIATORS_REACH_ALL),
            promise(Claim::Conserved, INITIATORS_WITHOUT_INPUTS),
            promise(Claim::ExactlyOnceState, BEGUN_AT_SOURCES),
            promise(Claim::AtLeastOnceState, BEGUN_AT_SOURCES),
            promise(Claim::ExactlyOnceOutput, TRANSACTIONAL_WITHOUT_INPUTS),
            promise(Claim::AtLeastOnceOutput, BEGUN_AT_SOURCES),
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
        process.send_on_all_outputs(&Aligned);
        process.close_all_inputs();
        process.unblock_all_inputs();
    }

    /// An unaligned barrier never waits to be read; an aligned one does not where the task has recorded.
    fn jumps_ahead(process: &Process<'_, Self>, barrier: &TimedBarrier) -> bool {
        *barrier == Unaligned || process.has_recorded()
    }

    /// Barrier: block its input until those of all inputs are in; an unaligned one, lose patience.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, barrier: TimedBarrier) {
        if barrier == Unaligned && !process.has_recorded() {
            Self::on_turn(process);
        }
        process.close(channel);
        if !process.has_recorded() {
            process.block(channel);
            if process.all_inputs_closed() {
                Self::on_initiate(process);
            }
        }
    }

    /// A barrier has come in and it has not recorded, or a barrier of its own waits to go out.
    fn may_turn(process: &Process<'_, Self>) -> bool {
        let is_in = |&input: &ChannelId| process.has_queued(input, End::Input);
        let heard = process.has_heard() || process.inputs().iter().any(is_in);
        let aligns = heard && !process.has_recorded();
        !*process.memory && (aligns || process.outputs().iter().any(|&c| waits(process, c)))
    }

    /// Timeout: record what is queued, and let barriers overtake.
    fn on_turn(process: &mut Process<'_, Self>) {
        *process.memory = true;
        let aligned = process.has_recorded();
        process.record_state();
        for &input in process.inputs().iter().filter(|_| !aligned) {
            if !process.is_closed(input) {
                process.store_queued(input, End::Input);
                if process.take_queued(input, End::Input).is_some() {
                    process.close(input);
                }
            }
        }
        process.unblock_all_inputs();
        for &output in process.outputs() {
            if !aligned || waits(process, output) {
                process.store_queued(output, End::Output);
                process.take_queued(output, End::Output);
                process.send_ahead(output, Unaligned);
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

    /// The task is done when no barrier of its own can overtake any more.
    fn is_done(process: &Process<'_, Self>) -> bool {
        let settled = *process.memory || !process.outputs().iter().any(|&c| waits(process, c));
        process.has_recorded() && process.all_inputs_closed() && settled
    }
}

/// Whether the task's barrier on an output waits to go out.
fn waits(process: &Process<'_, FlinkAlignedTimeout>, output: ChannelId) -> bool {
    process.has_queued(output, End::Output)
}
