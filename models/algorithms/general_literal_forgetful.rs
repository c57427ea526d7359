//! The general asynchronous snapshot, taken literally by a forgetful process.
//!
//! As `general-literal`, but a marker that comes before the start instruction is ignored instead of
//! remembered. Its channel is then recorded for ever, so the snapshot need not complete; and the cut
//! is inconsistent before anyone could wait for completion.
//!
//! Assumes reliable FIFO channels. They do not help.

use super::Marker;
use crate::claim::Claim;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use crate::promise::{ALWAYS, NOBODY_FINISHES, promise};
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct GeneralLiteralForgetful;

impl SnapshotAlgorithm for GeneralLiteralForgetful {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "general-literal-forgetful",
        summary: "record on the start instruction only; an early marker is ignored",
        source: "the general asynchronous snapshot, taken literally",
        default_initiators: DefaultInitiators::All,
        sends_markers: true,
        promises: &[
            promise(Claim::ExactChannelState, NOBODY_FINISHES),
            promise(Claim::MarkerArithmetic, ALWAYS),
            promise(Claim::CompletionIsReal, ALWAYS),
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

    /// Marker: the end of this input's recording, if that has begun.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        if process.is_recording(channel) {
            process.close(channel);
        }
    }

    /// Input while recording: part of the channel's state.
    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }
}
