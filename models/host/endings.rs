//! Finished processes: one that has nothing left to do may finish, and so may each that receives only from
//! processes that have. What it then has is its part of every later checkpoint: it will not change again.

use super::ProcessHost;
use crate::application::Application;
use crate::bookkeeper::{Destination, OutboxOf};
use crate::packet::Packet;
use crate::process::{Host, Occasion};
use crate::process_state::ProcessStateOf;
use crate::topology::{ChannelId, ProcessId};

impl<P: Application> ProcessHost<P> {
    /// Whether the process may finish now.
    #[must_use]
    pub fn may_finish(&self, process: ProcessId, state: &ProcessStateOf<P>) -> bool {
        // Who has inputs follows when all have ended, named or not.
        let may = self.setup.ending.contains(&process) || !state.ended.is_empty();
        let is_idle = || self.application.enabled(process, &state.application).is_empty();
        may && !state.finished && state.all_inputs_ended() && !state.is_paused() && is_idle()
    }

    /// The process finishes, and says so on every output and to the coordinator.
    pub fn finish(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        outbox: &mut OutboxOf<P>,
    ) {
        state.finished = true;
        let abandoned = self.fill_later_checkpoints(process, state);
        let outputs = self.setup.topology.outputs(process);
        outbox.extend(outputs.iter().map(|&c| (Destination::Channel(c), Packet::End)));
        if self.setup.has_coordinator() {
            outbox.push((Destination::Coordinator, Packet::Finished { abandoned }));
        }
        self.queue(state, outbox);
    }

    /// The state in which a process has finished is what it has of every checkpoint for which it has not
    /// recorded, but for those that it has abandoned, which are returned.
    pub(super) fn fill_later_checkpoints(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
    ) -> Vec<u16> {
        let mut abandoned = Vec::new();
        for checkpoint in self.checkpoints() {
            let own = state.checkpoint(checkpoint);
            if own.abandoned {
                abandoned.push(checkpoint);
            } else if !own.has_recorded() {
                let mut nothing = Vec::new();
                let mut host = self.bookkeeper(process, state, checkpoint, None, &mut nothing);
                host.record_state();
                for &input in self.setup.topology.inputs(process) {
                    host.close(input);
                    host.set_blocked(input, false);
                }
                let own = state.checkpoint_mut(checkpoint);
                own.may_begin = false;
                own.told_done = true;
            }
        }
        abandoned
    }

    /// After a failover: of inputs that have ended, checkpoints to come are told.
    pub(super) fn end_again(&self, process: ProcessId, state: &mut ProcessStateOf<P>) {
        let inputs = self.setup.topology.inputs(process).iter().zip(state.ended.clone());
        let ended: Vec<_> = inputs.filter_map(|(&input, ended)| ended.then_some(input)).collect();
        for checkpoint in self.checkpoints() {
            let own = state.checkpoint(checkpoint);
            if own.abandoned || own.has_recorded() {
                continue;
            }
            for &input in &ended {
                // Nobody has heard of it, so that nothing is sent.
                let mut nothing = Vec::new();
                let occasion = Occasion::End(input);
                self.apply(occasion, process, state, checkpoint, None, &mut nothing);
            }
        }
    }

    /// The end of a channel is read.
    pub(super) fn end(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        channel: ChannelId,
        outbox: &mut OutboxOf<P>,
    ) {
        state.ended[self.setup.topology.input_position(channel)] = true;
        for checkpoint in self.checkpoints() {
            if !state.checkpoint(checkpoint).abandoned {
                self.apply(Occasion::End(channel), process, state, checkpoint, None, outbox);
            }
        }
    }
}
