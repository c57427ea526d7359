//! A state of any system as a state of the specification, `universal`, over the same topology and
//! application. Trusted where it is said which algorithm refines which.
//!
//! What the two have in common is kept as it is: application states, counts, recordings, messages and
//! control messages in their channels. What the specification does not have is left out: coordinator,
//! instructions, "done", an algorithm's own memory and what it has messages carry. What it has as a consequence of the rest is put in:
//! a process may begin until it has recorded, and does not read, before that, behind a marker that it
//! has consumed.

use std::sync::Arc;

use stateright::Model;

use super::actor::ActorState;
use super::model::{SystemModel, SystemState};
use super::parts::{Composed, LocalState, Part};
use super::{System, parts::PartOf};
use crate::models::algorithms::{Marker, Universal};
use crate::models::application::Application;
use crate::models::packet::{Packet, PacketOf, Queues};
use crate::models::process_state::{
    CheckpointState, CheckpointStateOf, Input, Output, ProcessState, ProcessStateOf,
};
use crate::models::recording::{Colour, Message};
use crate::models::setup::{Coordinator, Setup};
use crate::models::value::{Control, Value};

/// A system that can be held against the specification.
pub trait Specified: System {
    /// What specifies it.
    type Specification: System;

    /// The specification on the topology and application of this system, where every process may
    /// begin by itself.
    fn specification(&self) -> Self::Specification;

    /// `state` as a state of the specification.
    fn projected(
        &self,
        specification: &Self::Specification,
        state: &Self::State,
    ) -> <Self::Specification as Model>::State;
}

impl<P: Application> Specified for SystemModel<P> {
    type Specification = Self;

    fn specification(&self) -> Self {
        let topology = self.setup().topology.clone();
        let initiators = topology.processes().collect();
        let setup = Setup::new(topology, initiators, Coordinator::None);
        Self::of::<Universal>(Arc::new(setup), self.host().shared_application())
    }

    fn projected(&self, specification: &Self, state: &Self::State) -> SystemState<P> {
        let processes = self.setup().topology.process_count();
        // The coordinator comes after the last process.
        let parts = self.split(state).into_iter().take(processes);
        let parts: Vec<_> = parts.map(|part| project::<P>(part, processes)).collect();
        specification.join(&parts)
    }
}

/// What one process and the channels to it are in the specification; actors from `processes` on are
/// no processes.
fn project<P: Application>(
    part: PartOf<SystemModel<P>>,
    processes: usize,
) -> PartOf<SystemModel<P>> {
    let LocalState::Actor(actor) = part.local else {
        unreachable!("nobody observes this system");
    };
    let from_processes = part.inputs.into_iter().filter(|(source, _)| *source < processes);
    let inputs = from_processes.map(|(source, packets)| {
        (source, packets.into_iter().filter_map(packet::<P>).collect::<Vec<_>>())
    });
    Part {
        local: LocalState::Actor(Arc::new(ActorState::Process(process::<P>(actor.process())))),
        inputs: inputs.filter(|(_, packets)| !packets.is_empty()).collect(),
    }
}

/// Every control message is a marker; what the coordinator sends and hears is not there.
fn packet<P: Application>(packet: PacketOf<P>) -> Option<PacketOf<P>> {
    match packet {
        Packet::Message(message) => Some(Packet::Message(colourless(message))),
        Packet::Control { checkpoint, .. } => {
            Some(Packet::Control { checkpoint, control: Control::new(Marker) })
        }
        _ => None,
    }
}

/// The specification does not colour messages.
fn colourless<M>(message: Message<M>) -> Message<M> {
    Message { colour: Colour::default(), ..message }
}

fn process<P: Application>(state: &ProcessStateOf<P>) -> ProcessStateOf<P> {
    ProcessState {
        application: state.application.clone(),
        sent: state.sent.clone(),
        received: state.received.clone(),
        // The specification's channels are FIFO.
        identities: Vec::new(),
        checkpoints: state.checkpoints.iter().map(checkpoint::<P>).collect(),
        may_instruct: false,
        sink: state.sink.clone(),
        queues: Queues::default(),
        ended: Vec::new(),
        finished: false,
    }
}

fn checkpoint<P: Application>(own: &CheckpointStateOf<P>) -> CheckpointStateOf<P> {
    let recorded = own.has_recorded();
    let colourless = |messages: &[Message<P::Message>]| -> Vec<_> {
        messages.iter().cloned().map(colourless).collect()
    };
    let output = |output: &Output<P::Message>| Output {
        recording: colourless(&output.recording),
        ..*output
    };
    let input = |input: &Input<P::Message>| Input {
        identities: Vec::new(),
        blocked: input.closed && !recorded,
        recording: colourless(&input.recording),
        ..*input
    };
    CheckpointState {
        algorithm: Value::new(()),
        outputs: own.outputs.iter().map(output).collect(),
        inputs: own.inputs.iter().map(input).collect(),
        recorded: own.recorded.clone(),
        may_begin: !recorded,
        paused: false,
        told_done: false,
        abandoned: own.abandoned,
        ended: Vec::new(),
        finished: false,
    }
}
