//! Stop the world: the group photograph. Everybody holds still, and then the picture is taken.
//!
//! The coordinator tells every process to pause. A paused process takes no step of its own, but receives;
//! it sends a marker behind everything on each output. When the markers of all inputs are in, the channels
//! to it are drained: it records. When the coordinator has declared the snapshot complete, all go on.
//!
//! Assumes reliable FIFO channels, and an application that sends only by steps of its own. Without a
//! coordinator nobody tells the processes to go on: the world stays stopped.

use super::Marker;
use crate::claim::Claim;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use crate::promise::{ALWAYS, COORDINATED_AND_REACHED, promise};
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct StopTheWorld;

impl SnapshotAlgorithm for StopTheWorld {
    type Control = Marker;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "stop-the-world",
        summary: "pause everybody, drain the channels, record, go on when all have",
        source: "the group photograph; Chandy & Lamport 1985, section 1",
        default_initiators: DefaultInitiators::All,
        sends_markers: true,
        promises: &[
            promise(Claim::ConsistentCut, ALWAYS),
            promise(Claim::ExactChannelState, ALWAYS),
            promise(Claim::MarkerArithmetic, ALWAYS),
            promise(Claim::EmptyChannelState, ALWAYS),
            promise(Claim::CompletionIsReal, ALWAYS),
            promise(Claim::Terminates, COORDINATED_AND_REACHED),
            promise(Claim::Conserved, ALWAYS),
        ],
    };

    const AWAITS_COMPLETION: bool = true;

    /// Pause, and a marker on every output; who has no input has nothing to wait for.
    fn on_initiate(process: &mut Process<'_, Self>) {
        if !process.is_paused() {
            process.pause();
            process.send_on_all_outputs(&Marker);
            record_if_drained(process);
        }
    }

    /// Marker: this input is drained. Before the instruction it acts as one.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.close(channel);
        record_if_drained(process);
    }

    /// An input that has ended is drained.
    fn on_end(process: &mut Process<'_, Self>, channel: ChannelId) {
        process.close(channel);
        if process.is_paused() {
            record_if_drained(process);
        }
    }

    /// What comes while the channels are drained is received as ever.
    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}

    /// All have recorded: go on.
    fn on_complete(process: &mut Process<'_, Self>) {
        process.resume();
    }
}

fn record_if_drained(process: &mut Process<'_, StopTheWorld>) {
    if process.all_inputs_closed() {
        process.record_state();
    }
}
