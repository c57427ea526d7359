//! The bookkeeper: carries out the verbs of an algorithm at one process, counts for the oracle and stores
//! recordings.

use crate::application::Application;
use crate::packet::{Packet, PacketOf};
use crate::process::{End, Host};
use crate::process_state::{CheckpointStateOf, Input, Output, ProcessState, ProcessStateOf};
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

    fn is_input(&self, channel: ChannelId) -> bool {
        self.topology.channel(channel).target == self.process
    }

    /// What waits at an end of a channel; nothing where channels are not buffered.
    fn queue(&self, channel: ChannelId, end: End) -> &[PacketOf<P>] {
        let queues = &self.state.queues;
        let queue = match end {
            End::Output => queues.outputs.get(self.topology.output_position(channel)),
            End::Input => queues.inputs.get(self.topology.input_position(channel)),
        };
        queue.map_or(&[], Vec::as_slice)
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
        let ProcessState {
            application,
            sent,
            received,
            identities,
            checkpoints,
            sink,
            ended,
            finished,
            ..
        } = &mut *self.state;
        let own = &mut checkpoints[usize::from(self.checkpoint) - 1];
        own.recorded = Some(application.clone());
        own.ended.clone_from(ended);
        own.finished = *finished;
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

    fn send_ahead(&mut self, channel: ChannelId, control: Control) {
        let position = self.topology.output_position(channel);
        let Some(queue) = self.state.queues.outputs.get_mut(position) else {
            return self.send(channel, control);
        };
        // Behind other control messages that have jumped ahead.
        let behind = queue.iter().take_while(|packet| packet.message().is_none()).count();
        queue.insert(behind, Packet::Control { checkpoint: self.checkpoint, control });
        let sent = self.state.sent[position];
        self.output(channel).sent_before_marker.get_or_insert(sent);
    }

    fn store_queued(&mut self, channel: ChannelId, end: End) {
        let checkpoint = self.checkpoint;
        let before = self.queue(channel, end).iter();
        let before = before.take_while(|packet| !packet.is_control_of(checkpoint));
        let messages: Vec<_> = before.filter_map(Packet::message).cloned().collect();
        match end {
            End::Output => self.output(channel).recording.extend(messages),
            End::Input => self.input(channel).recording.extend(messages),
        }
    }

    fn take_queued(&mut self, channel: ChannelId, end: End) -> Option<Control> {
        let checkpoint = self.checkpoint;
        let mut queue = self.queue(channel, end).iter();
        let place = queue.position(|packet| packet.is_control_of(checkpoint))?;
        let queues = &mut self.state.queues;
        let packet = match end {
            End::Output => queues.outputs[self.topology.output_position(channel)].remove(place),
            End::Input => queues.inputs[self.topology.input_position(channel)].remove(place),
        };
        match packet {
            Packet::Control { control, .. } => Some(control),
            _ => unreachable!("a control message stood there"),
        }
    }

    fn has_queued(&self, channel: ChannelId, end: End) -> bool {
        self.queue(channel, end).iter().any(|packet| packet.is_control_of(self.checkpoint))
    }

    fn has_heard(&self) -> bool {
        self.own().has_heard()
    }

    fn abandon(&mut self) {
        self.own_mut().abandoned = true;
    }

    fn store(&mut self, channel: ChannelId) {
        let message = self.current.expect("only a message being received can be stored").clone();
        if self.is_input(channel) {
            self.input(channel).recording.push(message);
        } else {
            self.output(channel).recording.push(message);
        }
    }

    fn stored(&self, channel: ChannelId) -> usize {
        if self.is_input(channel) {
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

    fn message_number(&self) -> u16 {
        self.current.expect("only a message being received has a number").number
    }
}
