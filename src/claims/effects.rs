//! Claims about what recovery is for: what input records have done, after any failovers. P. Carbone et
//! al., "Lightweight Asynchronous Snapshots", 2015; "State Management in Apache Flink", VLDB 2017.
//!
//! What a record should do at a process is what it does in a run in which nothing fails: as many effects
//! as there are ways for it to the process. An effect on a state can be undone by going back to a
//! checkpoint; one on the outside cannot.

use crate::system::{EffectView, OutputView, View};

/// `exactly-once-state`: where no step is enabled, every record has had its effect on the state of every
/// process as often as it should, and what should have none has none.
pub(super) fn exactly_once_state(state: &View) -> bool {
    state.effects.iter().all(|effect| effect.on_state == effect.expected)
}

/// `at-least-once-state`: where no step is enabled, it has had it as often or more.
pub(super) fn at_least_once_state(state: &View) -> bool {
    state.effects.iter().all(|effect| effect.on_state >= effect.expected)
}

/// `exactly-once-output`: in every state, no record can be seen more often than it should, and what
/// should be seen by now is.
pub(super) fn exactly_once_output(state: &View) -> bool {
    at_least_once_output(state)
        && outputs(state).all(|(effect, output)| output.visible <= effect.expected)
}

/// `at-least-once-output`: what should be seen by now is: of a plain sink, where no step is enabled,
/// everything; of a transactional one, in every state, what is covered by the newest checkpoint whose
/// completion it knows, by notice or by recovery.
pub(super) fn at_least_once_output(state: &View) -> bool {
    outputs(state).all(|(effect, output)| output.visible >= due(state, effect, output))
}

/// How often a record should be seen by now.
fn due(state: &View, effect: &EffectView, output: OutputView) -> u16 {
    match (output.transactional, state.terminal) {
        (true, _) => output.covered,
        (false, true) => effect.expected,
        (false, false) => 0,
    }
}

fn outputs(state: &View) -> impl Iterator<Item = (&EffectView, OutputView)> {
    state.effects.iter().filter_map(|effect| Some((effect, effect.output?)))
}
