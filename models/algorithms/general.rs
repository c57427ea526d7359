//! The general asynchronous snapshot, made safe.
//!
//! A manager tells every process to start. Each process records its state, sends a marker on every
//! output, and records every input until that input's marker. Where a marker overtakes the start
//! instruction, it acts as one; `general-literal` shows why it must. Without a coordinator every
//! process may begin by itself, which is Chandy–Lamport with all processes as initiators.
//!
//! Assumes reliable FIFO channels.

use super::Marker;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use crate::promise::OF_CHANDY_LAMPORT;
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct General;

impl SnapshotAlgorithm for General {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "general",
        summary: "record on the start instruction or the first marker; each input until its marker",
        source: "the general asynchronous snapshot, made safe",
        default_initiators: DefaultInitiators::All,
        sends_markers: true,
        promises: OF_CHANDY_LAMPORT,
    };

    const ONE_ROUND: bool = true;

    /// Start instruction: record, then a marker on every output before any further message.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    /// Marker: the end of this input's recording; an early one is a start instruction first.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.close(channel);
    }

    /// Input while recording: part of the channel's state.
    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }
}
