//! Lai and Yang, "On distributed snapshots", Information Processing Letters 25(3), 1987, with messages
//! counted so that it is known when a channel's recording has ended.
//!
//! Every message carries the colour of its sender: white before that has recorded, red after. A process
//! records before it receives a red message, and tells on each output how many white ones it has sent; who
//! gets that number records too, and closes the channel when so many have come. The state of a channel is
//! the white messages that come after the record. Assumes channels that lose and double nothing.

use std::collections::BTreeMap;

use super::Whites;
use crate::claim::Claim;
use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use crate::promise::{ALWAYS, INITIATORS_REACH_ALL, promise_in_any_order};
use crate::setup::DefaultInitiators;
use crate::topology::ChannelId;

/// See the [module](self).
pub struct LaiYang;

impl SnapshotAlgorithm for LaiYang {
    type Control = Whites;
    /// Per input, how many white messages were sent on it, once known.
    type State = BTreeMap<ChannelId, u16>;

    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "lai-yang",
        summary: "record by initiative, or before a red message or a count; white messages until all are in",
        source: "Lai & Yang 1987; counts as in Mattern 1993",
        default_initiators: DefaultInitiators::Sources,
        sends_markers: false,
        promises: &[
            promise_in_any_order(Claim::ConsistentCut, ALWAYS),
            promise_in_any_order(Claim::ExactChannelState, ALWAYS),
            promise_in_any_order(Claim::CompletionIsReal, ALWAYS),
            promise_in_any_order(Claim::Terminates, INITIATORS_REACH_ALL),
            promise_in_any_order(Claim::NeverBlocks, ALWAYS),
            promise_in_any_order(Claim::Conserved, ALWAYS),
        ],
    };

    const ONE_ROUND: bool = true;
    const COLOURS_MESSAGES: bool = true;

    /// Record, and tell on every output how many white messages went there; from now on all are red.
    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        for &channel in process.outputs() {
            process.send(channel, Whites(process.sent(channel)));
        }
    }

    /// A count: so many white messages come on this channel.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Whites(sent): Whites) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.memory.insert(channel, sent);
        close_if_all_are_in(process, channel);
    }

    /// A red message: record first. A white one after the record belongs to the channel's state.
    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.message_is_red() {
            if !process.has_recorded() {
                Self::on_initiate(process);
            }
        } else if process.is_recording(channel) {
            process.store(channel);
            close_if_all_are_in(process, channel);
        }
    }
}

fn close_if_all_are_in(process: &mut Process<'_, LaiYang>, channel: ChannelId) {
    let received = process.received_before_record(channel) as usize + process.stored(channel);
    if process.memory.get(&channel).is_some_and(|&sent| received >= usize::from(sent)) {
        process.close(channel);
    }
}
