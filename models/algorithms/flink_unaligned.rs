//! Flink's unaligned checkpoint: FLIP-76.
//!
//! A task records at once: at the trigger if it is a source, else when the first barrier arrives. Barriers
//! overtake: what they overtake in an output queue is part of the channel's state, and so is what lies in the
//! input queue of an input, and what still arrives there before its own barrier. Nothing blocks.
//!
//! Where channels are not buffered there is nothing to overtake, and this is Chandy and Lamport's algorithm.
//! With queues it is not: the rule is the same, but a barrier no longer says how far its channel has been
//! read, so that every consistent cut is possible.
//!
//! Assumes reliable FIFO wires.

use super::Barrier;
use crate::process::{AlgorithmInfo, End, Process, SnapshotAlgorithm, Supersedes};
use crate::promise::OF_CHANDY_LAMPORT;
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct FlinkUnaligned;

impl SnapshotAlgorithm for FlinkUnaligned {
    type Control = Barrier;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "flink-unaligned",
        summary: "record at the first barrier; barriers overtake what is queued",
        source: "FLIP-76; Flink unaligned checkpoints",
        default_initiators: DefaultInitiators::Sources,
        sends_markers: true,
        promises: OF_CHANDY_LAMPORT,
    };

    const ONE_ROUND: bool = true;

    const SUPERSEDES: Supersedes = Supersedes::WhenHeard;

    /// Trigger: record, and store what is queued on either side; barriers overtake it.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        for &input in process.inputs() {
            process.store_queued(input, End::Input);
        }
        for &output in process.outputs() {
            process.store_queued(output, End::Output);
            process.send_ahead(output, Barrier);
        }
    }

    /// A barrier never waits to be read.
    fn jumps_ahead(_: &Process<'_, Self>, Barrier: &Barrier) -> bool {
        true
    }

    /// Barrier: record at the first; it ends its channel's state.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.close(channel);
    }

    /// What arrives before its channel's barrier is part of that channel's state.
    fn on_arrival(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }

    /// What is read was stored before, if it is to be.
    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}
