//! Buffered channels: what a process sends waits in a queue until it is put on the wire, what arrives in
//! another until it is read.

use super::ProcessHost;
use crate::application::Application;
use crate::bookkeeper::{Destination, OutboxOf};
use crate::packet::{Packet, PacketOf, messages_in};
use crate::process_state::ProcessStateOf;
use crate::topology::{ChannelId, ProcessId};

impl<P: Application> ProcessHost<P> {
    /// What goes out on channels waits in their queues, if they have any.
    pub(super) fn queue(&self, state: &mut ProcessStateOf<P>, outbox: &mut OutboxOf<P>) {
        if self.setup.buffers.is_none() {
            return;
        }
        for (destination, packet) in std::mem::take(outbox) {
            match destination {
                Destination::Channel(channel) => {
                    let position = self.setup.topology.output_position(channel);
                    state.queues.outputs[position].push(packet);
                }
                other => outbox.push((other, packet)),
            }
        }
    }

    /// The outputs on which something waits to be put on the wire.
    pub fn transmittable<'s>(
        &'s self,
        process: ProcessId,
        state: &'s ProcessStateOf<P>,
    ) -> impl Iterator<Item = ChannelId> + 's {
        let queues = self.setup.topology.outputs(process).iter().zip(&state.queues.outputs);
        queues.filter(|(_, queue)| !queue.is_empty()).map(|(&channel, _)| channel)
    }

    /// The first of an output queue is put on the wire.
    pub fn transmit(
        &self,
        state: &mut ProcessStateOf<P>,
        channel: ChannelId,
        outbox: &mut OutboxOf<P>,
    ) {
        let position = self.setup.topology.output_position(channel);
        let packet = state.queues.outputs[position].remove(0);
        outbox.push((Destination::Channel(channel), packet));
    }

    /// What has arrived waits to be read, unless the algorithm lets it jump ahead.
    pub(super) fn queue_up(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        channel: ChannelId,
        packet: PacketOf<P>,
        outbox: &mut OutboxOf<P>,
    ) {
        let position = self.setup.topology.input_position(channel);
        match packet {
            Packet::Control { checkpoint, control }
                if self.jumps_ahead(process, state, checkpoint, &control) =>
            {
                self.consume(process, state, channel, checkpoint, control, outbox);
                self.queue(state, outbox);
            }
            waits => state.queues.inputs[position].push(waits),
        }
    }

    /// The inputs from which the process can read: something waits, the algorithm lets it, and what it
    /// would send on finds room.
    pub fn readable<'s>(
        &'s self,
        process: ProcessId,
        state: &'s ProcessStateOf<P>,
    ) -> impl Iterator<Item = ChannelId> + 's {
        let queues = self.setup.topology.inputs(process).iter().zip(&state.queues.inputs);
        let open = queues.enumerate().filter(|(position, _)| !state.is_blocked(*position));
        let first = open.filter_map(|(_, (&channel, queue))| Some((channel, queue.first()?)));
        let has_room = move |(channel, packet): &(ChannelId, &PacketOf<P>)| {
            self.has_room(state, |application| {
                let mut sends = Vec::new();
                if let Packet::Message(message) = packet {
                    let mut state = state.application.clone();
                    let content = &message.content;
                    application.receive(process, &mut state, *channel, content, &mut sends);
                }
                sends
            })
        };
        first.filter(has_room).map(|(channel, _)| channel)
    }

    /// The first of an input queue is read.
    pub fn read(
        &self,
        process: ProcessId,
        state: &mut ProcessStateOf<P>,
        channel: ChannelId,
        outbox: &mut OutboxOf<P>,
    ) {
        let position = self.setup.topology.input_position(channel);
        let packet = state.queues.inputs[position].remove(0);
        self.take_in(process, state, channel, packet, outbox);
        self.queue(state, outbox);
    }

    /// Whether the wire delivers no message to an input, since what has arrived there fills its queue.
    #[must_use]
    pub fn is_full(&self, state: &ProcessStateOf<P>, input: usize) -> bool {
        let capacity = self.setup.buffers.and_then(|buffers| buffers.capacity);
        capacity.is_some_and(|capacity| {
            messages_in(&state.queues.inputs[input]) >= usize::from(capacity)
        })
    }

    /// The steps that the application can take by itself, each of which finds room for what it sends.
    pub fn possible<'s>(
        &'s self,
        process: ProcessId,
        state: &'s ProcessStateOf<P>,
    ) -> impl Iterator<Item = P::Action> + 's {
        let enabled = self.application.enabled(process, &state.application).into_iter();
        enabled.filter(move |action| {
            self.has_room(state, |application| {
                let (mut state, mut sends) = (state.application.clone(), Vec::new());
                application.act(process, &mut state, action, &mut sends);
                sends
            })
        })
    }

    /// Whether the output queues have room for what a step would send.
    fn has_room(
        &self,
        state: &ProcessStateOf<P>,
        step: impl FnOnce(&P) -> Vec<(ChannelId, P::Message)>,
    ) -> bool {
        let Some(capacity) = self.setup.buffers.and_then(|buffers| buffers.capacity) else {
            return true;
        };
        let full = |channel| {
            let queue = &state.queues.outputs[self.setup.topology.output_position(channel)];
            messages_in(queue) >= usize::from(capacity)
        };
        !step(&self.application).into_iter().any(|(channel, _)| full(channel))
    }
}
