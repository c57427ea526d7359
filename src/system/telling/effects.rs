//! What happens in a step of an actor beside the step itself.

use itertools::Itertools;
use stateright::actor::{ActorModelAction, Id};

use super::{actor_name, control_words, ends, numbered};
use crate::models::application::Application;
use crate::models::packet::{Packet, PacketOf};
use crate::models::process_state::{CheckpointStateOf, Input, ProcessState};
use crate::models::recording::Message;
use crate::models::topology::ProcessId;
use crate::system::model::{ActorAction, SystemAction, SystemModel, SystemState, actor_of, flows};
use crate::system::observer::Observer;
use crate::system::trace::{ActionKind, Effect, Sent, TraceStep};

/// What happens in a step of an actor.
pub(super) fn actor_effects<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    before: &SystemState<P, O>,
    taken: &ActorAction<P>,
    after: &SystemState<P, O>,
    step: &mut TraceStep,
) {
    let actor = actor_of::<P>(taken);
    let topology = &model.setup().topology;
    let mut sent = sent_packets(model, before, taken, after);
    if step.action == ActionKind::Send {
        // The step's own message; whatever else it sends is an effect.
        let own = sent.iter().position(|(_, packet)| matches!(packet, Packet::Message(_)));
        if let Some((_, Packet::Message(message))) = own.map(|index| sent.remove(index)) {
            step.message = Some(message.number);
        }
    }
    // "Done" is said last: it follows from the rest of the step.
    let (done, sent) = sent.into_iter().partition(|(_, packet)| matches!(packet, Packet::Done(_)));
    if usize::from(actor) < topology.process_count() {
        let process = ProcessId::new(usize::from(actor));
        let (before, after) = (before.process(process), after.process(process));
        if step.action == ActionKind::Arrive && arrived(after) <= arrived(before) {
            step.effects.push(Effect::JumpsAhead);
        }
        step.effects.extend(match (before.is_paused(), after.is_paused()) {
            (false, true) => Some(Effect::Pauses),
            (true, false) => Some(Effect::Resumes),
            _ => None,
        });
        let known = || (1..).zip(before.checkpoints.iter().zip(&after.checkpoints));
        for (checkpoint, (before, after)) in known() {
            if !before.has_recorded() && after.has_recorded() {
                let checkpoint = numbered(model, checkpoint);
                let state = recorded_words(model, process, after);
                step.effects.push(Effect::Records { checkpoint, state });
            }
        }
        send_effects(model, sent, &mut step.effects);
        for (checkpoint, (before, after)) in known() {
            let checkpoint = numbered(model, checkpoint);
            for &channel in topology.outputs(process) {
                let position = topology.output_position(channel);
                let recordings = [before, after].map(|own| &own.outputs[position].recording);
                let channel = ends(topology, channel);
                store_effects(&channel, checkpoint, recordings, &mut step.effects);
            }
            for &channel in topology.inputs(process) {
                let position = topology.input_position(channel);
                let (before, after) = (&before.inputs[position], &after.inputs[position]);
                let channel = ends(topology, channel);
                input_effects(channel, checkpoint, before, after, &mut step.effects);
            }
            if !before.abandoned && after.abandoned {
                step.effects.push(Effect::Abandons { checkpoint });
            }
        }
    } else {
        send_effects(model, sent, &mut step.effects);
    }
    send_effects(model, done, &mut step.effects);
    if let Some((before, after)) = before.coordinator().zip(after.coordinator()) {
        let known = (1..).zip(before.checkpoints.iter().zip(&after.checkpoints));
        let declared = known.filter(|(_, (before, after))| !before.declared && after.declared);
        step.effects.extend(
            declared.map(|(checkpoint, _)| Effect::Declares {
                checkpoint: numbered(model, checkpoint),
            }),
        );
    }
}

/// How much has arrived at a process and has not been read.
fn arrived<S, M>(state: &ProcessState<S, M>) -> usize {
    state.queues.inputs.iter().map(Vec::len).sum()
}

/// What the actor sent in this step, in the order of channels and flows: where channels are buffered, what
/// it put in its output queues.
fn sent_packets<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    before: &SystemState<P, O>,
    action: &ActorAction<P>,
    after: &SystemState<P, O>,
) -> Vec<(Id, PacketOf<P>)> {
    let actor = actor_of::<P>(action);
    let buffered = model.setup().buffers.is_some();
    // What was in a flow before and has stayed there.
    let stayed = |ends| {
        let flow = flows(&before.actors.network).find(|&(e, _)| e == ends);
        let mut packets: Vec<_> = flow.into_iter().flat_map(|(_, packets)| packets).collect();
        if let ActorModelAction::Deliver { src, dst, msg } = action
            && (*src, *dst) == ends
        {
            take(&mut packets, msg);
        }
        packets
    };
    let on_flows = flows(&after.actors.network)
        .filter(|((source, _), _)| *source == actor)
        .filter(|&((source, target), _)| !buffered || model.channel(source, target).is_none())
        .flat_map(|(ends, packets)| {
            let mut stayed = stayed(ends);
            let sent = packets.iter().filter(move |packet| !take(&mut stayed, packet));
            sent.map(move |packet| (ends.1, packet.clone()))
        });
    let topology = &model.setup().topology;
    let process =
        (usize::from(actor) < topology.process_count()).then(|| ProcessId::new(usize::from(actor)));
    let in_queues = process.into_iter().flat_map(|process| {
        let [before, after] = [before, after].map(|state| &state.process(process).queues.outputs);
        let queues = topology.outputs(process).iter().zip(before.iter().zip(after));
        queues.flat_map(|(&channel, (before, after))| {
            let mut stayed: Vec<_> = before.iter().collect();
            let target = Id::from(topology.channel(channel).target.index());
            let sent = after.iter().filter(move |packet| !take(&mut stayed, packet));
            sent.map(move |packet| (target, packet.clone()))
        })
    });
    in_queues.chain(on_flows).collect()
}

/// Takes one that is equal out of a list, if there is one.
fn take<M: PartialEq>(packets: &mut Vec<&M>, packet: &M) -> bool {
    let place = packets.iter().position(|other| *other == packet);
    place.map(|place| packets.remove(place)).is_some()
}

/// How many control messages `action` sends.
pub(in crate::system) fn control_messages_sent<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    before: &SystemState<P, O>,
    action: &SystemAction<P>,
    after: &SystemState<P, O>,
) -> u32 {
    let sent =
        action.step().map(|step| sent_packets(model, before, step, after)).unwrap_or_default();
    sent.iter().map(|(_, packet)| u32::from(matches!(packet, Packet::Control { .. }))).sum()
}

/// Equal packets to several receivers are told as one effect.
fn send_effects<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    sent: Vec<(Id, PacketOf<P>)>,
    effects: &mut Vec<Effect>,
) {
    for (receiver, packet) in sent {
        let sent = match packet {
            Packet::Message(message) => Sent::Message(message.number),
            Packet::Control { checkpoint, control } => {
                Sent::Control(control_words(model, checkpoint, &control))
            }
            Packet::Start(_) => Sent::Start,
            Packet::Done(_) => Sent::Done,
            Packet::Notice(_) => Sent::Notice,
            Packet::Abort(_) => Sent::Abort,
            Packet::End => Sent::End,
            Packet::Finished { .. } => Sent::Finished,
        };
        let receiver = actor_name(&model.setup().topology, receiver);
        match effects.last_mut() {
            Some(Effect::Sends { what, to }) if *what == sent => to.push(receiver),
            _ => effects.push(Effect::Sends { what: sent, to: vec![receiver] }),
        }
    }
}

fn store_effects<M>(
    channel: &[String; 2],
    checkpoint: Option<u16>,
    [before, after]: [&Vec<Message<M>>; 2],
    effects: &mut Vec<Effect>,
) {
    let stored = after.iter().skip(before.len());
    effects.extend(stored.map(|message| Effect::Stores {
        channel: channel.clone(),
        message: message.number,
        checkpoint,
    }));
}

fn input_effects<M>(
    channel: [String; 2],
    checkpoint: Option<u16>,
    before: &Input<M>,
    after: &Input<M>,
    effects: &mut Vec<Effect>,
) {
    store_effects(&channel, checkpoint, [&before.recording, &after.recording], effects);
    if !before.closed && after.closed {
        let recording = after.recording.iter().map(|message| message.number).collect();
        effects.push(Effect::Closes { checkpoint, channel: channel.clone(), recording });
    }
    match (before.blocked, after.blocked) {
        (false, true) => effects.push(Effect::Blocks { channel }),
        (true, false) => effects.push(Effect::Unblocks { channel }),
        _ => {}
    }
}

/// The recorded state in words: what the application says, and the counts on each channel.
fn recorded_words<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    process: ProcessId,
    own: &CheckpointStateOf<P>,
) -> String {
    let topology = &model.setup().topology;
    let words = own
        .recorded
        .as_ref()
        .map(|recorded| model.host().application().describe_state(process, recorded))
        .filter(|words| !words.is_empty());
    let saved = own.recorded_process();
    let (sent, received) =
        saved.map_or_else(Default::default, |saved| (saved.sent, saved.received));
    let sent = topology
        .outputs(process)
        .iter()
        .zip(sent)
        .map(|(&channel, sent)| format!("sent {sent} on {}", topology.channel_name(channel)));
    let received = topology.inputs(process).iter().zip(received).map(|(&channel, received)| {
        format!("received {received} from {}", topology.channel_name(channel))
    });
    words.into_iter().chain(sent).chain(received).join(", ")
}
