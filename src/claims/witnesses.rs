//! Witnesses: what must be possible for the safety claims not to hold for want of a case.

use crate::system::{ChannelView, Queued, View};

/// `message-before-cut`, beside `consistent-cut`: q recorded after a message from c, so that m ≤ n
/// could have failed.
pub(super) fn message_before_cut(c: &ChannelView) -> bool {
    c.cut().is_some_and(|(_, m)| m >= 1)
}

/// `closed-after-message`, beside `exact-channel-state` and `marker-arithmetic`: a channel is closed on
/// which a message was sent before p recorded, so that its recording could have been wrong.
pub(super) fn closed_after_message(c: &ChannelView) -> bool {
    c.closed && c.cut().is_some_and(|(n, _)| n >= 1)
}

/// `message-in-channel-state`: a closed recording holds a message, which `empty-channel-state` rules
/// out.
pub(super) fn message_in_channel_state(c: &ChannelView) -> bool {
    c.closed && !c.recording.is_empty()
}

/// `complete-after-message`, beside `empty-channel-state`: a complete snapshot with a message before
/// the cut, so that n = m was not 0 = 0.
pub(super) fn complete_after_message(state: &View) -> bool {
    state.channels.iter().any(message_before_cut)
}

/// `completion-declared`, beside `completion-is-real`.
pub(super) fn completion_declared(state: &View) -> bool {
    state.declared == Some(true)
}

/// `snapshot-completes`, beside `terminates`: some run ends with the snapshot complete.
pub(super) fn snapshot_completes(state: &View) -> bool {
    state.is_complete()
}

/// `application-goes-on`, beside `never-blocks`: the application can take a step while the snapshot
/// is being taken, so that there was something to block.
pub(super) fn application_goes_on(state: &View) -> bool {
    state.has_begun() && !state.is_complete() && state.application_can_step
}

/// `ends-after-recovery`, beside `exactly-once-state` and `at-least-once-state`: some run ends in which
/// the job went back to a checkpoint, and not only to the start.
pub(super) fn ends_after_recovery(state: &View) -> bool {
    state.restored.is_some_and(|checkpoint| checkpoint > 0)
}

/// `seen-after-recovery`, beside `exactly-once-output` and `at-least-once-output`: the job went back to
/// a checkpoint, and a record can be seen outside.
pub(super) fn seen_after_recovery(state: &View) -> bool {
    let mut outputs = state.effects.iter().filter_map(|effect| effect.output);
    ends_after_recovery(state) && outputs.any(|output| output.visible > 0)
}

/// `channel-blocked`: the algorithm does block a channel at times.
pub(super) fn channel_blocked(c: &ChannelView) -> bool {
    c.blocked
}

/// `marker-behind-message`, beside `proof-invariant`: a marker lies in c behind a message, which the cut
/// takes for one that is under way.
pub(super) fn marker_behind_message(c: &ChannelView) -> bool {
    let before = c.queue.iter().take_while(|&&queued| queued != Queued::Marker).count();
    0 < before && before < c.queue.len()
}
