//! Where the coordinator works: its instructions, what it is told, and its notices.

use super::FIRST;
use super::ProcessHost;
use crate::application::Application;
use crate::bookkeeper::{Destination, OutboxOf};
use crate::coordinator::CoordinatorState;
use crate::packet::{Packet, PacketOf};
use crate::process_state::ProcessStateOf;
use crate::setup::{Coordinator, Sinks};
use crate::topology::ProcessId;

impl<P: Application> ProcessHost<P> {
    /// Whether the coordinator, if it is an actor of its own, tells the processes to begin a checkpoint.
    #[must_use]
    pub fn may_instruct(&self, state: &CoordinatorState) -> bool {
        self.setup.coordinator == Coordinator::Central && state.may_begin(self.setup.checkpoints)
    }

    /// The processes that the coordinator tells of completion: those that wait for it.
    pub fn notified(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let commits = |process| {
            self.application.traits().counts_effects
                && self.setup.sinks == Sinks::Transactional
                && self.application.is_sink(process)
        };
        let waits = move |&process: &ProcessId| self.conduct.awaits_completion || commits(process);
        self.setup.topology.processes().filter(waits)
    }

    /// The coordinator, an actor of its own, tells processes to begin the next checkpoint.
    #[must_use]
    pub fn instruct_all(&self, state: &mut CoordinatorState) -> OutboxOf<P> {
        let told = state.begin(&self.setup);
        let begun = state.begun;
        let instruction = |process| (Destination::Process(process), Packet::Start(begun));
        // Where all have finished, there is nothing to wait for.
        let complete = state.checkpoint(begun).declared.then_some(begun);
        let notices = complete.into_iter().flat_map(|checkpoint| self.notices(checkpoint));
        told.into_iter().map(instruction).chain(notices).collect()
    }

    /// The notices of completion to those who wait for them.
    fn notices(
        &self,
        checkpoint: u16,
    ) -> impl Iterator<Item = (Destination, PacketOf<P>)> + use<'_, P> {
        self.notified().map(move |told| (Destination::Process(told), Packet::Notice(checkpoint)))
    }

    /// The coordinator ends a checkpoint before it is complete: every process is told.
    #[must_use]
    pub fn abort(&self, state: &mut CoordinatorState, checkpoint: u16) -> OutboxOf<P> {
        state.abort(checkpoint);
        let notice = |process| (Destination::Process(process), Packet::Abort(checkpoint));
        self.setup.topology.processes().map(notice).collect()
    }

    /// A process reports to the coordinator, which tells those who wait for it of what is complete now.
    #[must_use]
    pub fn report(
        &self,
        process: ProcessId,
        state: &mut CoordinatorState,
        packet: PacketOf<P>,
    ) -> OutboxOf<P> {
        let (topology, supersedes) = (&self.setup.topology, self.conduct.supersedes);
        let declared = match packet {
            Packet::Done(checkpoint) => {
                let declared = state.on_done(topology, process, checkpoint, supersedes);
                if declared { vec![checkpoint] } else { Vec::new() }
            }
            Packet::Finished { abandoned } => {
                state.on_finished(topology, process, &abandoned, supersedes)
            }
            _ => unreachable!("processes tell the coordinator only what they have done"),
        };
        declared.into_iter().flat_map(|checkpoint| self.notices(checkpoint)).collect()
    }

    /// The coordinating process tells the others to begin, and lets itself begin in a later step.
    pub fn instruct(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        outbox: &mut OutboxOf<P>,
    ) {
        state.may_instruct = false;
        for &told in &self.setup.initiators {
            let destination = match self.setup.topology.channel_between(process, told) {
                _ if told == process => {
                    state.checkpoint_mut(FIRST).may_begin = true;
                    continue;
                }
                Some(channel) => Destination::Channel(channel),
                None => Destination::Process(told),
            };
            outbox.push((destination, Packet::Start(FIRST)));
        }
    }
}
