//! Claims about the end of the snapshot, and about what it does to the application meanwhile.

use crate::system::View;

/// `completion-is-real`: when the coordinator declares the snapshot complete, every process has
/// recorded and every recording is closed. The last step of every coordinated snapshot.
pub(super) fn completion_is_real(state: &View) -> bool {
    state.declared != Some(true) || state.is_complete()
}

/// `terminates`: where no step is enabled, the snapshot is complete, and declared so if there is a
/// coordinator; no message is stuck in a channel, and no step of the application is withheld for good.
/// Chandy & Lamport 1985, section 3.3.
///
/// Initiators may begin at any moment, so that nothing has ended before a snapshot was taken. If the
/// application can run for ever, this says only that there is no deadlock.
///
/// A checkpoint that was ended need not be complete, but nobody may go on waiting for it.
pub(super) fn terminates(state: &View) -> bool {
    let ends = state.is_complete() && state.declared != Some(false);
    (ends || state.abandoned)
        && state.channels.iter().all(|c| c.in_flight() == 0 && !c.blocked)
        && !state.withheld.contains(&true)
}

/// `never-blocks`: every step that the application could take now is enabled: a step of its own, such as
/// sending, at once; a receive at latest when the control messages before it in its channel have been
/// consumed. A snapshot must not stop the application.
///
/// Control messages are always consumed where a channel is read, and one that blocks its channel
/// leaves it blocked in the state after it. So the claim falls exactly if some reachable state has a
/// message to be read in a blocked channel, or a process whose application is not let take a step of its own.
pub(super) fn never_blocks(state: &View) -> bool {
    state.channels.iter().all(|c| !c.blocked || c.readable == 0) && !state.withheld.contains(&true)
}
