//! Bugs of the unaligned checkpoint.

use std::collections::BTreeMap;
use std::fmt;

use super::Mutant;
use crate::algorithms::{Barrier, FlinkUnaligned};
use crate::process::{AlgorithmInfo, End, Process, SnapshotAlgorithm, Supersedes};
use crate::renaming::Renamed;
use crate::topology::{ChannelId, Topology};

/// A barrier: `record` at the first; it ends its channel's state.
fn end_recording<A: SnapshotAlgorithm>(
    process: &mut Process<'_, A>,
    channel: ChannelId,
    record: fn(&mut Process<'_, A>),
) {
    if !process.has_recorded() {
        record(process);
    }
    process.close(channel);
}

/// What the barriers overtake in the output queues is not stored.
pub struct OutputQueueDropped;

impl Mutant for OutputQueueDropped {
    type Of = FlinkUnaligned;
    const NAME: &'static str = "unaligned-output-queue-dropped";
    const SUMMARY: &'static str = "as flink-unaligned, but what barriers overtake is not stored";
    const JUMPS_AHEAD: bool = true;

    fn on_initiate(process: &mut Process<'_, FlinkUnaligned>) {
        process.record_state();
        for &input in process.inputs() {
            process.store_queued(input, End::Input);
        }
        for &output in process.outputs() {
            process.send_ahead(output, Barrier);
        }
    }

    fn on_control(process: &mut Process<'_, FlinkUnaligned>, channel: ChannelId, _: Barrier) {
        end_recording(process, channel, Self::on_initiate);
    }
}

/// What lies in the input queues when the task records is not stored.
pub struct InputQueueDropped;

impl Mutant for InputQueueDropped {
    type Of = FlinkUnaligned;
    const NAME: &'static str = "unaligned-input-queue-dropped";
    const SUMMARY: &'static str =
        "as flink-unaligned, but what lies in the input queues is not stored";
    const JUMPS_AHEAD: bool = true;

    fn on_initiate(process: &mut Process<'_, FlinkUnaligned>) {
        process.record_state();
        for &output in process.outputs() {
            process.store_queued(output, End::Output);
            process.send_ahead(output, Barrier);
        }
    }

    fn on_control(process: &mut Process<'_, FlinkUnaligned>, channel: ChannelId, _: Barrier) {
        end_recording(process, channel, Self::on_initiate);
    }
}

/// A message in flight is stored when it arrives, and again when it is read.
pub struct StoredTwice;

impl Mutant for StoredTwice {
    type Of = FlinkUnaligned;
    const NAME: &'static str = "unaligned-stored-twice";
    const SUMMARY: &'static str =
        "as flink-unaligned, but what arrives is stored again when it is read";
    const JUMPS_AHEAD: bool = true;

    fn on_message(process: &mut Process<'_, FlinkUnaligned>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }
}

/// A late barrier of an aborted checkpoint is taken for one of the next, and ends its recording.
pub struct LateBarrierCounts;

impl Mutant for LateBarrierCounts {
    type Of = FlinkUnaligned;
    const NAME: &'static str = "unaligned-late-barrier-counts";
    const SUMMARY: &'static str =
        "as flink-unaligned, but a late barrier counts for the newest checkpoint";
    const CONFUSES_CHECKPOINTS: bool = true;
    const JUMPS_AHEAD: bool = true;
}

/// The state of a channel is restored into every channel of its sender, as if each receiver of a broadcast
/// had to have what one of them had not read.
pub struct RestoredToAll;

impl Mutant for RestoredToAll {
    type Of = FlinkUnaligned;
    const NAME: &'static str = "unaligned-restored-to-all";
    const SUMMARY: &'static str =
        "as flink-unaligned, but a channel's state goes to every receiver";
    const JUMPS_AHEAD: bool = true;

    fn restored_to(topology: &Topology, channel: ChannelId) -> Vec<ChannelId> {
        topology.outputs(topology.channel(channel).source).to_vec()
    }
}

/// The barriers go out in a step after the record.
pub struct BarrierAfterRecord;

impl SnapshotAlgorithm for BarrierAfterRecord {
    type Control = Barrier;
    /// Whether barriers have still to be sent.
    type State = bool;

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "unaligned-barrier-after-record",
        summary: "as flink-unaligned, but the barriers go out in a step after the record",
        promises: &[],
        ..FlinkUnaligned::INFO
    };
    const SUPERSEDES: Supersedes = FlinkUnaligned::SUPERSEDES;
    const TURN: Option<&'static str> = Some("gets round to sending its barriers");

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        for &input in process.inputs() {
            process.store_queued(input, End::Input);
        }
        *process.memory = true;
    }

    fn may_turn(process: &Process<'_, Self>) -> bool {
        *process.memory
    }

    fn on_turn(process: &mut Process<'_, Self>) {
        *process.memory = false;
        for &output in process.outputs() {
            process.store_queued(output, End::Output);
            process.send_ahead(output, Barrier);
        }
    }

    fn jumps_ahead(_: &Process<'_, Self>, Barrier: &Barrier) -> bool {
        true
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        end_recording(process, channel, Self::on_initiate);
    }

    fn on_arrival(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

/// Messages are numbered when they are emitted, and a barrier carries how many were: so the receiver takes
/// those that it overtook for some that are still to come, and stores them too.
pub struct NumberedWhenEmitted;

/// A barrier that says how many messages were emitted before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NumberedBarrier(pub u16);

impl Renamed for NumberedBarrier {}

impl fmt::Display for NumberedBarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "barrier after {}", self.0)
    }
}

impl SnapshotAlgorithm for NumberedWhenEmitted {
    type Control = NumberedBarrier;
    /// Of inputs whose barrier is in, the number of the last message that is waited for.
    type State = BTreeMap<ChannelId, u16>;

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "unaligned-numbered-when-emitted",
        summary: "as flink-unaligned, but what was emitted before a barrier is waited for behind it",
        promises: &[],
        ..FlinkUnaligned::INFO
    };
    const SUPERSEDES: Supersedes = FlinkUnaligned::SUPERSEDES;

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        for &input in process.inputs() {
            process.store_queued(input, End::Input);
        }
        for &output in process.outputs() {
            process.store_queued(output, End::Output);
            process.send_ahead(output, NumberedBarrier(process.sent(output)));
        }
    }

    fn jumps_ahead(_: &Process<'_, Self>, _: &NumberedBarrier) -> bool {
        true
    }

    fn on_control(
        process: &mut Process<'_, Self>,
        channel: ChannelId,
        NumberedBarrier(emitted): NumberedBarrier,
    ) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        let here = usize::from(process.received_before_record(channel)) + process.stored(channel);
        if here < usize::from(emitted) {
            process.memory.insert(channel, emitted);
        } else {
            process.close(channel);
        }
    }

    fn on_arrival(process: &mut Process<'_, Self>, channel: ChannelId) {
        if !process.is_recording(channel) {
            return;
        }
        process.store(channel);
        if process.memory.get(&channel) == Some(&process.message_number()) {
            process.memory.remove(&channel);
            process.close(channel);
        }
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}
