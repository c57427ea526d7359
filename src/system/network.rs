//! Channels that break an assumption: out of order, with losses, with duplicates. Trusted where an
//! instance names such a network.
//!
//! What is under way stays in stateright's FIFO flows. Out of order, everything in a channel can be
//! delivered, and it is kept sorted, so that equal contents are equal states. A loss takes away the head of a
//! channel; a duplicate puts a second copy behind it, which arrives next. Anything can come to be the head,
//! so that anything can be lost or doubled; and what is left arrives in order. Both are steps of the network
//! alone: what processes do is what they always do.

use std::collections::VecDeque;

use stateright::actor::{ActorModelAction, Id, Network as Carrier};

use super::failure::Action;
use super::model::{
    ActorAction, ActorStates, SystemAction, SystemModel, SystemState, flows, flows_mut,
};
use super::observer::Observer;
use crate::models::application::Application;
use crate::models::network::Network;
use crate::models::packet::PacketOf;

impl<P: Application, O: Observer<P>> SystemModel<P, O> {
    /// Adds the deliveries of what is not at the head of its channel, where that is possible; of equal
    /// packets one.
    pub(super) fn deliveries_out_of_order(
        &self,
        state: &SystemState<P, O>,
        steps: &mut Vec<ActorAction<P>>,
    ) {
        if self.setup().network.keeps_order() {
            return;
        }
        for ((src, dst), packets) in self.channel_flows(state) {
            let others = packets.iter().zip(packets.iter().skip(1));
            let others = others.filter(|(before, packet)| before != packet);
            steps.extend(others.map(|(_, packet)| ActorModelAction::Deliver {
                src,
                dst,
                msg: packet.clone(),
            }));
        }
    }

    /// Adds what the network may do by itself, each time to the head of a channel.
    pub(super) fn possible_faults(
        &self,
        state: &SystemState<P, O>,
        actions: &mut Vec<SystemAction<P>>,
    ) {
        let (most, fault): (u16, fn(ActorAction<P>) -> _) = match self.setup().network {
            Network::Fifo | Network::Unordered => return,
            Network::Lossy(most) => (most, Action::Lose),
            Network::Duplicating(most) => (most, Action::Duplicate),
        };
        if state.incidents.faults < most {
            let heads = self.channel_flows(state).filter_map(|((src, dst), packets)| {
                Some(ActorModelAction::Deliver { src, dst, msg: packets.front()?.clone() })
            });
            actions.extend(heads.map(fault));
        }
    }

    /// What can be received next in a flow that can be read.
    pub(super) fn deliverable<'s>(
        &self,
        (source, target): (Id, Id),
        packets: &'s VecDeque<PacketOf<P>>,
    ) -> impl Iterator<Item = &'s PacketOf<P>> {
        let in_order = self.setup().network.keeps_order() || self.channel(source, target).is_none();
        packets.iter().take(if in_order { 1 } else { packets.len() })
    }

    /// Equal contents of channels are made equal states.
    pub(super) fn settled(&self, mut states: ActorStates<P>) -> ActorStates<P> {
        if self.setup().network.keeps_order() {
            return states;
        }
        for (&(source, target), packets) in flows_mut(&mut states.network) {
            if self.channel(source, target).is_some() {
                packets.make_contiguous().sort();
            }
        }
        states
    }

    fn channel_flows<'s>(
        &'s self,
        state: &'s SystemState<P, O>,
    ) -> impl Iterator<Item = ((Id, Id), &'s VecDeque<PacketOf<P>>)> {
        flows(&state.actors.network)
            .filter(|&((source, target), _)| self.channel(source, target).is_some())
    }
}

/// Puts a second copy of the head of a flow behind it.
pub(super) fn double_next<M: Clone + Eq + std::hash::Hash>(
    network: &mut Carrier<M>,
    flow: (Id, Id),
) {
    let packets = flows_mut(network).get_mut(&flow).expect("only what is in flight is doubled");
    packets.extend(packets.front().cloned());
    packets.rotate_right(1);
}
