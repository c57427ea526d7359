//! The bookkeeper: carries out the verbs of an algorithm at one process, counts for the oracle and stores
//! recordings.

use crate::application::Application;
use crate::process::Host;
use crate::process_state::{
    CheckpointStateOf, Input, Output, Packet, PacketOf, ProcessState, ProcessStateOf,
};
use crate::recording::Message;
use crate::topology::{ChannelId, ProcessId, Topology};
use crate::value::Control;

/// Where a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Along a channel of the topology.
    Channel(ChannelId),
    /// To a process on the coordinator's flow, which is no channel of the topology.
    Process(ProcessId),
    /// To the coordinator.
    Coordinator,
}

/// The packets of one step, in order.
pub type OutboxOf<P> = Vec<(Destination, PacketOf<P>)>;

/// Carries out the verbs of an algorithm in a checkpoint and keeps the counts of the oracle.
pub(crate) struct Bookkeeper<'a, P: Application> {
    pub(crate) topology: &'a Topology,
    pub(crate) process: ProcessId,
    pub(crate) state: &'a mut ProcessStateOf<P>,
    pub(crate) checkpoint: u16,
    pub(crate) outbox: &'a mut OutboxOf<P>,
    /// The message being received, in a rule for messages.
    pub(crate) current: Option<&'a Message<P::Message>>,
}

impl<P: Application> Bookkeeper<'_, P> {
    fn own(&self) -> &CheckpointStateOf<P> {
        self.state.checkpoint(self.checkpoint)
    }

    fn own_mut(&mut self) -> &mut CheckpointStateOf<P> {
        self.state.checkpoint_mut(self.checkpoint)
    }

    fn input(&mut self, channel: ChannelId) -> &mut Input<P::Message> {
        self.check_end(channel, self.topology.channel(channel).target);
        let position = self.topology.input_position(channel);
        &mut self.own_mut().inputs[position]
    }

    fn output(&mut self, channel: ChannelId) -> &mut Output<P::Message> {
        self.check_end(channel, self.topology.channel(channel).source);
        let position = self.topology.output_position(channel);
        &mut self.own_mut().outputs[position]
    }

    /// An algorithm that names a channel of other processes is no algorithm of this process.
    fn check_end(&self, channel: ChannelId, end: ProcessId) {
        assert!(
            end == self.process,
            "the algorithm at {} uses {} at the wrong end",
            self.topology.name(self.process),
            self.topology.channel_name(channel),
        );
    }
}

impl<P: Application> Host for Bookkeeper<'_, P> {
    fn record_state(&mut self) {
        let ProcessState { application, sent, received, identities, checkpoints, sink, .. } =
            &mut *self.state;
        let own = &mut checkpoints[usize::from(self.checkpoint) - 1];
        own.recorded = Some(application.clone());
        for (output, &sent) in own.outputs.iter_mut().zip(&*sent) {
            output.sent_before_record = Some(sent);
        }
        for (input, &received) in own.inputs.iter_mut().zip(&*received) {
            input.received_before_record = Some(received);
            input.left_out.get_or_insert(received);
        }
        for (input, numbers) in own.inputs.iter_mut().zip(&*identities) {
            input.identities.clone_from(numbers);
        }
        if let Some(sink) = sink {
            sink.pre_commit(self.checkpoint);
        }
    }

    fn has_recorded(&self) -> bool {
        self.own().has_recorded()
    }

    fn send(&mut self, channel: ChannelId, control: Control) {
        let sent = self.state.sent[self.topology.output_position(channel)];
        self.output(channel).sent_before_marker.get_or_insert(sent);
        let packet = Packet::Control { checkpoint: self.checkpoint, control };
        self.outbox.push((Destination::Channel(channel), packet));
    }

    fn store(&mut self, channel: ChannelId) {
        let message = self.current.expect("only a message being received can be stored").clone();
        if self.topology.channel(channel).target == self.process {
            self.input(channel).recording.push(message);
        } else {
            self.output(channel).recording.push(message);
        }
    }

    fn stored(&self, channel: ChannelId) -> usize {
        if self.topology.channel(channel).target == self.process {
            self.own().inputs[self.topology.input_position(channel)].recording.len()
        } else {
            self.own().outputs[self.topology.output_position(channel)].recording.len()
        }
    }

    fn close(&mut self, channel: ChannelId) {
        self.input(channel).closed = true;
    }

    fn is_closed(&self, channel: ChannelId) -> bool {
        self.own().inputs[self.topology.input_position(channel)].closed
    }

    fn set_blocked(&mut self, channel: ChannelId, blocked: bool) {
        self.input(channel).blocked = blocked;
    }

    fn set_paused(&mut self, paused: bool) {
        self.own_mut().paused = paused;
    }

    fn is_paused(&self) -> bool {
        self.own().paused
    }

    fn sent(&self, channel: ChannelId) -> u16 {
        self.state.sent[self.topology.output_position(channel)]
    }

    fn received_before_record(&self, channel: ChannelId) -> u16 {
        let input = &self.own().inputs[self.topology.input_position(channel)];
        input.received_before_record.unwrap_or(0)
    }

    fn message_is_red(&self) -> bool {
        let message = self.current.expect("only a message being received has a colour");
        message.colour.is_red_for(self.checkpoint)
    }
}
