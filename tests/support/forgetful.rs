//! An algorithm of a user's own, wrong on purpose.

use snapcheck::models::algorithms::{ChandyLamport, Marker};
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::topology::ChannelId;

/// Chandy–Lamport that records no messages.
pub(crate) struct Forgetful;

impl SnapshotAlgorithm for Forgetful {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo { name: "forgetful", ..ChandyLamport::INFO };

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.close(channel);
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}
