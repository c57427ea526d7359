//! One process as its algorithm sees it: the verbs.

use super::{End, Host, SnapshotAlgorithm};
use crate::topology::{ChannelId, ProcessId, Topology};
use crate::value::Control;

/// One process as its algorithm sees it.
pub struct Process<'a, A: SnapshotAlgorithm> {
    /// The algorithm's own memory.
    pub memory: &'a mut A::State,
    topology: &'a Topology,
    id: ProcessId,
    host: &'a mut dyn Host,
    round: Round,
}

/// What tells whether an algorithm keeps to one round.
struct Round {
    /// Whether the process had recorded before this step.
    had_recorded: bool,
    /// Whether it has sent a control message in this step.
    sent: bool,
}

impl<'a, A: SnapshotAlgorithm> Process<'a, A> {
    pub(super) fn new(
        memory: &'a mut A::State,
        topology: &'a Topology,
        id: ProcessId,
        host: &'a mut dyn Host,
    ) -> Self {
        let round = Round { had_recorded: host.has_recorded(), sent: false };
        Self { memory, topology, id, host, round }
    }

    /// The same process under the rules of another algorithm with the same memory.
    pub fn under<B: SnapshotAlgorithm<State = A::State>>(&mut self) -> Process<'_, B> {
        Process::new(self.memory, self.topology, self.id, self.host)
    }

    pub(super) fn has_kept_to_one_round(&self, begins: bool) {
        self.keeps_to_one_round(
            self.has_recorded() || !begins && !self.round.sent,
            "begins or sends control messages without recording",
        );
    }

    /// Holds an algorithm to [`SnapshotAlgorithm::ONE_ROUND`].
    fn keeps_to_one_round(&self, kept: bool, otherwise: &str) {
        assert!(
            kept || !A::ONE_ROUND,
            "{} says that it takes one round, but {} {otherwise}",
            A::INFO.name,
            self.topology.name(self.id),
        );
    }

    /// Saves the local state, once: a second call changes nothing. From now on every input that is
    /// not closed is being recorded.
    pub fn record_state(&mut self) {
        if !self.has_recorded() {
            self.host.record_state();
        }
    }

    /// Whether the process has recorded.
    #[must_use]
    pub fn has_recorded(&self) -> bool {
        self.host.has_recorded()
    }

    /// Sends `control` on one output, behind the messages already sent there.
    pub fn send(&mut self, channel: ChannelId, control: A::Control) {
        self.keeps_to_one_round(!self.round.had_recorded, "sends control messages after recording");
        self.round.sent = true;
        self.host.send(channel, Control::new(control));
    }

    /// Sends `control` on every output, in the same step.
    pub fn send_on_all_outputs(&mut self, control: &A::Control) {
        for &channel in self.topology.outputs(self.id) {
            self.send(channel, control.clone());
        }
    }

    /// Sends `control` on one output, ahead of the messages that have not left the process; where channels
    /// are not buffered, there are none.
    pub fn send_ahead(&mut self, channel: ChannelId, control: A::Control) {
        self.keeps_to_one_round(!self.round.had_recorded, "sends control messages after recording");
        self.round.sent = true;
        self.host.send_ahead(channel, Control::new(control));
    }

    /// Adds the messages that are queued at an end of `channel` to its recording: those in front of this
    /// checkpoint's control message if that is queued too, else all.
    pub fn store_queued(&mut self, channel: ChannelId, end: End) {
        self.host.store_queued(channel, end);
    }

    /// Takes this checkpoint's control message out of the queue at an end of `channel`, if it is there.
    pub fn take_queued(&mut self, channel: ChannelId, end: End) -> Option<A::Control> {
        let control = self.host.take_queued(channel, end);
        control.map(|control| control.get::<A::Control>().clone())
    }

    /// Whether this checkpoint's control message is queued at an end of `channel`.
    #[must_use]
    pub fn has_queued(&self, channel: ChannelId, end: End) -> bool {
        self.host.has_queued(channel, end)
    }

    /// Whether the process has heard of this checkpoint: it has consumed a control message of it, or has
    /// recorded.
    #[must_use]
    pub fn has_heard(&self) -> bool {
        self.host.has_heard()
    }

    /// Takes no further part in this checkpoint.
    pub fn abandon(&mut self) {
        self.host.abandon();
    }

    /// Abandons this checkpoint, and goes on with what it kept waiting.
    pub fn let_go(&mut self) {
        self.abandon();
        self.unblock_all_inputs();
        self.resume();
    }

    /// Adds the message being received to the recording of `channel`.
    pub fn store(&mut self, channel: ChannelId) {
        let open = if self.topology.channel(channel).target == self.id {
            !self.is_closed(channel)
        } else {
            !self.round.had_recorded
        };
        self.keeps_to_one_round(open, "adds to a recording that has ended");
        self.host.store(channel);
    }

    /// How many messages the recording of `channel` holds.
    #[must_use]
    pub fn stored(&self, channel: ChannelId) -> usize {
        self.host.stored(channel)
    }

    /// Ends the recording of `channel`; before the record, there will be none.
    pub fn close(&mut self, channel: ChannelId) {
        self.host.close(channel);
    }

    /// Ends the recording of every input.
    pub fn close_all_inputs(&mut self) {
        for &channel in self.topology.inputs(self.id) {
            self.host.close(channel);
        }
    }

    /// Whether the recording of `channel` has ended.
    #[must_use]
    pub fn is_closed(&self, channel: ChannelId) -> bool {
        self.host.is_closed(channel)
    }

    /// Whether every input is closed; true where there is none.
    #[must_use]
    pub fn all_inputs_closed(&self) -> bool {
        self.inputs().iter().all(|&c| self.is_closed(c))
    }

    /// Whether messages from `channel` belong to its recording: recorded and not yet closed.
    #[must_use]
    pub fn is_recording(&self, channel: ChannelId) -> bool {
        self.has_recorded() && !self.is_closed(channel)
    }

    /// Stops reading from `channel`. Back-pressure: what is in the channel stays in it.
    pub fn block(&mut self, channel: ChannelId) {
        self.host.set_blocked(channel, true);
    }

    /// Reads from every input again.
    pub fn unblock_all_inputs(&mut self) {
        for &channel in self.topology.inputs(self.id) {
            self.host.set_blocked(channel, false);
        }
    }

    /// The application takes no step of its own from now on: it sends nothing, but receives.
    pub fn pause(&mut self) {
        self.host.set_paused(true);
    }

    /// The application goes on.
    pub fn resume(&mut self) {
        self.host.set_paused(false);
    }

    /// Whether the application is held back.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.host.is_paused()
    }

    /// How many messages the process has sent on an output: what an algorithm that counts would count.
    #[must_use]
    pub fn sent(&self, channel: ChannelId) -> u16 {
        self.host.sent(channel)
    }

    /// How many messages the process had received from an input when it recorded; 0 before.
    #[must_use]
    pub fn received_before_record(&self, channel: ChannelId) -> u16 {
        self.host.received_before_record(channel)
    }

    /// Whether the sender of the message being received had recorded when it sent it. Needs
    /// [`COLOURS_MESSAGES`](SnapshotAlgorithm::COLOURS_MESSAGES).
    #[must_use]
    pub fn message_is_red(&self) -> bool {
        self.host.message_is_red()
    }

    /// The number of the message being received, on its channel.
    #[must_use]
    pub fn message_number(&self) -> u16 {
        self.host.message_number()
    }

    /// The inputs that are no back-edges: see [`Topology::is_back_edge`]. Needs
    /// [`KNOWS_BACK_EDGES`](SnapshotAlgorithm::KNOWS_BACK_EDGES).
    ///
    /// # Panics
    /// If the algorithm does not say that it knows back-edges.
    pub fn regular_inputs(&self) -> impl Iterator<Item = ChannelId> + use<'a, A> {
        assert!(A::KNOWS_BACK_EDGES, "{} does not say that it knows back-edges", A::INFO.name);
        let topology = self.topology;
        self.inputs().iter().copied().filter(|&input| !topology.is_back_edge(input))
    }

    /// The channels the process receives from.
    #[must_use]
    pub fn inputs(&self) -> &'a [ChannelId] {
        self.topology.inputs(self.id)
    }

    /// The channels the process sends on.
    #[must_use]
    pub fn outputs(&self) -> &'a [ChannelId] {
        self.topology.outputs(self.id)
    }

    /// The topology it is part of.
    #[must_use]
    pub fn topology(&self) -> &'a Topology {
        self.topology
    }
}
