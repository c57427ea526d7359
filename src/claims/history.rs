//! Claims that need history: what the recorded state S* has to do with the run in which it was recorded,
//! and the run with what the application does when nobody takes a snapshot. Chandy & Lamport 1985,
//! sections 4 and 5.

use crate::application_graph::StableProperty;
use crate::system::{PropertyHistory, RecordedHistory, View};

fn recorded(state: &View) -> Option<&RecordedHistory> {
    state.history.as_ref()?.recorded.as_ref()
}

/// `reachable`: S* can be reached from the application's state before the first record, and its present
/// state from S*, by steps of the application alone. Theorem 1.
pub(super) fn reachable(state: &View) -> bool {
    recorded(state).is_none_or(|recorded| recorded.is_reached && recorded.reaches_present)
}

/// `stable-property`: what is stable and held before the first record holds in S*, and what holds in S*
/// holds now. That it is stable is no matter of the snapshot, but without it this says nothing.
pub(super) fn stable_property(state: &View) -> bool {
    recorded(state).is_none_or(|recorded| recorded.properties.iter().all(is_detected))
}

/// Whether a property is stable, found where it held, and holds where it is found.
pub(crate) fn is_detected(y: &PropertyHistory) -> bool {
    y.is_stable && (!y.before || y.recorded) && (!y.recorded || y.present)
}

/// `non-interference`: the application can come to its present state also when nobody takes a snapshot;
/// and, where `never-blocks` is promised, each step that it could then take it can take here after
/// control messages at most.
pub(super) fn non_interference(state: &View) -> bool {
    let history = state.history.as_ref();
    history.is_none_or(|history| history.is_possible_alone && history.prevented.is_none())
}

/// `recorded-never-passed`, beside `reachable`: S* is no state that the run passed through, so that
/// reachability was no matter of course.
pub(super) fn recorded_never_passed(state: &View) -> bool {
    recorded(state).is_some_and(|recorded| recorded.never_passed)
}

/// `deadlock-found`, beside `stable-property`: there was a deadlock before the first record, and S* has it.
///
/// Not applicable to applications without deadlocks.
pub(super) fn deadlock_found(state: &View) -> bool {
    let found =
        |y: &PropertyHistory| y.property == StableProperty::Deadlocked && y.before && y.recorded;
    recorded(state).is_some_and(|recorded| recorded.properties.iter().any(found))
}
