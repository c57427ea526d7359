//! The rules of the algorithm, applied for each checkpoint at its time.

use super::FIRST;
use super::ProcessHost;
use crate::application::Application;
use crate::bookkeeper::{Bookkeeper, Destination, OutboxOf};
use crate::packet::Packet;
use crate::process::{Occasion, Supersedes};
use crate::process_state::ProcessStateOf;
use crate::recording::Message;
use crate::topology::{ChannelId, ProcessId};
use crate::value::Control;

impl<P: Application> ProcessHost<P> {
    /// The process begins a checkpoint, by itself or because it is told to; without effect once it has
    /// recorded.
    pub fn begin(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        checkpoint: u16,
        outbox: &mut OutboxOf<P>,
    ) {
        let own = state.checkpoint(checkpoint);
        if own.has_recorded() || own.abandoned {
            return;
        }
        if self.can_begin(process, state) {
            self.supersede(process, state, checkpoint, Supersedes::WhenHeard, outbox);
            self.apply(Occasion::Initiate, process, state, checkpoint, None, outbox);
            self.queue(state, outbox);
        } else {
            state.checkpoint_mut(checkpoint).may_begin = true;
        }
    }

    /// Whether the process can begin as it is: one that is told in the place of those that have finished
    /// first reads what they have left.
    #[must_use]
    pub fn can_begin(&self, process: ProcessId, state: &ProcessStateOf<P>) -> bool {
        self.setup.initiators.contains(&process) || state.all_inputs_ended()
    }

    /// Older checkpoints under way at the process are ended if the algorithm has a newer one take their
    /// place at this moment.
    pub(super) fn supersede(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        checkpoint: u16,
        moment: Supersedes,
        outbox: &mut OutboxOf<P>,
    ) {
        if self.conduct.supersedes != moment {
            return;
        }
        for older in FIRST..checkpoint {
            let own = state.checkpoint(older);
            if !own.abandoned && !own.is_complete() {
                self.apply(Occasion::Abort, process, state, older, None, outbox);
            }
        }
    }

    /// Whether the algorithm can take a step of its own for a checkpoint.
    #[must_use]
    pub fn may_turn(&self, process: ProcessId, state: &ProcessStateOf<P>, checkpoint: u16) -> bool {
        let own = state.checkpoint(checkpoint);
        self.conduct.turn.is_some() && !own.abandoned && !state.finished && {
            let mut state = state.clone();
            let memory = own.algorithm.clone();
            let mut outbox = Vec::new();
            let mut host = self.bookkeeper(process, &mut state, checkpoint, None, &mut outbox);
            self.rules.may_turn(&self.setup.topology, process, &memory, &mut host)
        }
    }

    /// The algorithm takes a step of its own.
    pub fn turn(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        checkpoint: u16,
        outbox: &mut OutboxOf<P>,
    ) {
        self.supersede(process, state, checkpoint, Supersedes::WhenHeard, outbox);
        self.apply(Occasion::Turn, process, state, checkpoint, None, outbox);
        self.queue(state, outbox);
    }

    /// Applies a rule about a message in every checkpoint in which the process takes part.
    pub(super) fn apply_to_all(
        &self,
        occasion: Occasion,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        message: &Message<P::Message>,
        outbox: &mut OutboxOf<P>,
    ) {
        for checkpoint in self.checkpoints() {
            if !state.checkpoint(checkpoint).abandoned {
                let occasion = occasion.clone();
                self.apply(occasion, process, state, checkpoint, Some(message), outbox);
            }
        }
    }

    /// The process consumes a control message.
    pub(super) fn consume(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        channel: ChannelId,
        checkpoint: u16,
        control: Control,
        outbox: &mut OutboxOf<P>,
    ) {
        let checkpoint = match self.conduct.confuses_checkpoints {
            true => self.newest_heard(state).max(checkpoint),
            false => checkpoint,
        };
        if state.checkpoint(checkpoint).abandoned {
            let occasion = Occasion::LateControl(channel);
            return self.apply(occasion, process, state, checkpoint, None, outbox);
        }
        self.supersede(process, state, checkpoint, Supersedes::WhenHeard, outbox);
        let position = self.setup.topology.input_position(channel);
        let received = state.received[position];
        let input = &mut state.checkpoint_mut(checkpoint).inputs[position];
        input.left_out.get_or_insert(received);
        let occasion = Occasion::Control(channel, control);
        self.apply(occasion, process, state, checkpoint, None, outbox);
    }

    /// The newest checkpoint of which the process has heard; 0 if of none.
    pub(super) fn newest_heard(&self, state: &ProcessStateOf<P>) -> u16 {
        let heard = |&checkpoint: &u16| state.checkpoint(checkpoint).has_heard();
        self.checkpoints().rev().find(heard).unwrap_or(0)
    }

    /// Whether a control message that comes off the wire is consumed at once.
    pub(super) fn jumps_ahead(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        checkpoint: u16,
        control: &Control,
    ) -> bool {
        let memory = state.checkpoint(checkpoint).algorithm.clone();
        let mut outbox = Vec::new();
        let mut host = self.bookkeeper(process, state, checkpoint, None, &mut outbox);
        self.rules.jumps_ahead(control, &self.setup.topology, process, &memory, &mut host)
    }

    /// Applies the algorithm's rule; `current` is the message being received, if one is.
    pub(super) fn apply(
        &self,
        occasion: Occasion,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        checkpoint: u16,
        current: Option<&Message<P::Message>>,
        outbox: &mut OutboxOf<P>,
    ) {
        let topology = &self.setup.topology;
        let mut memory = state.checkpoint(checkpoint).algorithm.clone();
        let had_recorded = state.checkpoint(checkpoint).has_recorded();
        let mut host = self.bookkeeper(process, state, checkpoint, current, outbox);
        let done = self.rules.apply(occasion, topology, process, &mut memory, &mut host);
        let own = state.checkpoint_mut(checkpoint);
        own.algorithm = memory;
        if own.has_recorded() || own.paused || own.abandoned {
            own.may_begin = false;
        }
        if done && !own.told_done && !own.abandoned && self.setup.has_coordinator() {
            own.told_done = true;
            outbox.push((Destination::Coordinator, Packet::Done(checkpoint)));
        }
        if !had_recorded && own.has_recorded() {
            self.supersede(process, state, checkpoint, Supersedes::WhenRecorded, outbox);
        }
    }

    pub(super) fn bookkeeper<'a>(
        &'a self,
        process: ProcessId,
        state: &'a mut ProcessStateOf<P>,
        checkpoint: u16,
        current: Option<&'a Message<P::Message>>,
        outbox: &'a mut OutboxOf<P>,
    ) -> Bookkeeper<'a, P> {
        Bookkeeper { topology: &self.setup.topology, process, state, checkpoint, outbox, current }
    }
}
