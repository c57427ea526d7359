//! Recovery: what a process is after a failover.

use super::ProcessHost;
use crate::application::Application;
use crate::coordinator::CoordinatorState;
use crate::process_state::{CheckpointState, ProcessStateOf};
use crate::topology::ProcessId;

impl<P: Application> ProcessHost<P> {
    /// The process goes back to the newest checkpoint that the coordinator knows to be complete, or to the
    /// start if there is none; also if that was declared too early and holds nothing of the process. What
    /// it has of checkpoints that are not complete is lost.
    pub fn recover(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        coordinator: &CoordinatorState,
    ) {
        for (own, known) in state.checkpoints.iter_mut().zip(&coordinator.checkpoints) {
            own.paused = false;
            if !known.declared {
                *own = CheckpointState { abandoned: known.abandoned, ..self.nothing(process) };
            }
        }
        let to = coordinator.newest_complete();
        let start = self.start(process);
        (state.application, state.sent, state.received, state.identities) =
            (start.application, start.sent, start.received, start.identities);
        (state.queues, state.ended, state.finished) = (start.queues, start.ended, start.finished);
        let saved = self.checkpoints().contains(&to).then(|| state.checkpoint(to));
        if let Some(saved) = saved.and_then(CheckpointState::recorded_process) {
            (state.application, state.sent, state.received) =
                (saved.state, saved.sent, saved.received);
            for (numbers, saved) in state.identities.iter_mut().zip(saved.identities) {
                *numbers = saved;
            }
            let own = state.checkpoint(to);
            (state.ended, state.finished) = (own.ended.clone(), own.finished);
        }
        if state.finished {
            self.fill_later_checkpoints(process, state);
        }
        self.end_again(process, state);
        if let Some(sink) = &mut state.sink {
            sink.recover(to);
        }
    }
}
