//! The general asynchronous snapshot, taken literally.
//!
//! A process records when it is told to start, and only then. A marker ends the recording of its
//! input, so one that comes before the instruction is remembered: that input's recording will be
//! empty. But a message behind the early marker is received before the record, although its sender
//! sent it after recording: the cut is not consistent.
//!
//! Assumes reliable FIFO channels. They do not help.

use super::Marker;
use crate::claim::Claim;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use crate::promise::{ALL_INITIATE, ALWAYS, promise};
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct GeneralLiteral;

impl SnapshotAlgorithm for GeneralLiteral {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "general-literal",
        summary: "record on the start instruction only; an early marker just closes its channel",
        source: "the general asynchronous snapshot, taken literally",
        default_initiators: DefaultInitiators::All,
        sends_markers: true,
        promises: &[
            promise(Claim::ExactChannelState, ALWAYS),
            promise(Claim::CompletionIsReal, ALWAYS),
            promise(Claim::Terminates, ALL_INITIATE),
            promise(Claim::NeverBlocks, ALWAYS),
            promise(Claim::NonInterference, ALWAYS),
        ],
    };

    const ONE_ROUND: bool = true;

    /// Start instruction: record, then a marker on every output before any further message.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    /// Marker: the end of this input's recording, also before it began.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        process.close(channel);
    }

    /// Input while recording: part of the channel's state.
    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }
}
