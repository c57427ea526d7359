//! Chandy and Lamport, "Distributed Snapshots: Determining Global States of Distributed Systems",
//! ACM TOCS 3(1), 1985, section 3.1.
//!
//! Any non-empty set of processes may begin. A process records by its own initiative or when the
//! first marker comes; the channel of that marker is empty, every other input is recorded until its
//! marker.
//!
//! Assumes reliable FIFO channels; terminates where the initiators reach every process.

use super::Marker;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use crate::promise::OF_CHANDY_LAMPORT;
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct ChandyLamport;

impl SnapshotAlgorithm for ChandyLamport {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "chandy-lamport",
        summary: "record by initiative or on the first marker; each input until its marker",
        source: "Chandy & Lamport 1985, section 3.1",
        default_initiators: DefaultInitiators::Sources,
        sends_markers: true,
        promises: OF_CHANDY_LAMPORT,
    };

    const ONE_ROUND: bool = true;

    /// Marker-sending rule: record, then a marker on every output before any further message.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    /// Marker-receiving rule: without a recorded state, record it and the channel as empty; with one,
    /// the channel's state is what was received since.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.close(channel);
    }

    /// Marker-receiving rule, second half: "the sequence of messages received along c after q's state
    /// was recorded and before q received the marker along c".
    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }
}
