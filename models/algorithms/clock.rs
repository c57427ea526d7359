//! The naive snapshot at an agreed clock time.
//!
//! Every process records when its own clock strikes, and nothing else happens. No two clocks strike at
//! the same moment, so a message may leave after its sender's strike and arrive before its receiver's;
//! and what is in flight is lost.

use super::NoControl;
use crate::claim::Claim;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use crate::promise::{ALL_INITIATE, ALWAYS, promise};
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct Clock;

impl SnapshotAlgorithm for Clock {
    type Control = NoControl;
    type State = ();

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "clock",
        summary: "record when the own clock strikes; no markers, no channel state",
        source: "the naive snapshot at an agreed clock time",
        default_initiators: DefaultInitiators::All,
        sends_markers: false,
        promises: &[
            promise(Claim::CompletionIsReal, ALWAYS),
            promise(Claim::Terminates, ALL_INITIATE),
            promise(Claim::NeverBlocks, ALWAYS),
            promise(Claim::NonInterference, ALWAYS),
        ],
    };

    const ONE_ROUND: bool = true;

    /// The clock strikes: record. Without markers every input is closed at once.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.close_all_inputs();
    }

    /// There are no control messages.
    fn on_control(_: &mut Process<'_, Self>, _: ChannelId, control: NoControl) {
        match control {}
    }

    /// Messages are nothing to the clock.
    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}
