//! The specification: every snapshot that markers on FIFO channels can make consistent.
//!
//! A process may record at any moment, once. The one rule: until it has recorded, it receives nothing
//! past a marker. A marker that comes first therefore blocks its channel, and the channel's state is
//! empty.
//!
//! Assumes reliable FIFO channels.

use super::Marker;
use crate::claim::Claim;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use crate::promise::{ALL_INITIATE, ALWAYS, TRANSACTIONAL_SINKS, promise};
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct Universal;

impl SnapshotAlgorithm for Universal {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "universal",
        summary: "record at any moment, but never receive past a marker before",
        source: "the specification that the others refine",
        default_initiators: DefaultInitiators::All,
        sends_markers: true,
        promises: &[
            promise(Claim::ConsistentCut, ALWAYS),
            promise(Claim::ExactChannelState, ALWAYS),
            promise(Claim::MarkerArithmetic, ALWAYS),
            promise(Claim::CompletionIsReal, ALWAYS),
            promise(Claim::Terminates, ALL_INITIATE),
            promise(Claim::Conserved, ALWAYS),
            promise(Claim::ExactlyOnceState, ALWAYS),
            promise(Claim::AtLeastOnceState, ALWAYS),
            promise(Claim::ExactlyOnceOutput, TRANSACTIONAL_SINKS),
            promise(Claim::AtLeastOnceOutput, ALWAYS),
            promise(Claim::Reachable, ALWAYS),
            promise(Claim::StableProperty, ALWAYS),
            promise(Claim::NonInterference, ALWAYS),
            promise(Claim::ProofInvariant, ALWAYS),
        ],
    };

    const ONE_ROUND: bool = true;

    /// Record, then a marker on every output before any further message; read from all inputs again.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
        process.unblock_all_inputs();
    }

    /// Marker: the channel's recording ends; before the record, so does reading from it.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        process.close(channel);
        if !process.has_recorded() {
            process.block(channel);
        }
    }

    /// Input while recording: part of the channel's state.
    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }
}
