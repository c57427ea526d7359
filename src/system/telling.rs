//! How a run is told: from states and actions to the steps of a trace.

use std::fmt;

use itertools::Itertools;
use stateright::actor::{ActorModelAction, Id};

use super::actor::Timer;
use super::model::{ActorAction, Run, SystemModel, SystemState, flows};
use super::observer::Observer;
use super::trace::{ActionKind, Effect, Sent, Trace, TraceStep};
use super::view::view;
use crate::models::application::{ActionWords, Application};
use crate::models::process::Signature;
use crate::models::process_state::{Input, Packet, PacketOf, ProcessStateOf};
use crate::models::recording::Message;
use crate::models::topology::{ChannelId, ProcessId, Topology};

fn ends(topology: &Topology, channel: ChannelId) -> [String; 2] {
    let ends = topology.channel(channel);
    [topology.name(ends.source).to_owned(), topology.name(ends.target).to_owned()]
}

/// A name for every actor.
fn actor_name(topology: &Topology, id: Id) -> String {
    let index = usize::from(id);
    if index < topology.process_count() {
        topology.name(ProcessId::new(index)).to_owned()
    } else {
        "coordinator".to_owned()
    }
}

pub(super) fn trace<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    path: &Run<G, P, O>,
) -> Trace {
    let steps = path.iter().tuple_windows().enumerate();
    let steps = steps.filter_map(|(index, ((before, action), (after, _)))| {
        Some(step(model, index + 1, before, action.as_ref()?, after))
    });
    let (last, _) = path.last().expect("a path holds at least the initial state");
    Trace { steps: steps.collect(), last: view(model, last) }
}

/// The step by itself, without what else happens in it.
pub(super) fn describe_action<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    action: &ActorAction<G, P>,
) -> String {
    bare_step(model, 1, action).to_string()
}

/// The step with everything that happens in it.
pub(super) fn step<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    number: usize,
    before: &SystemState<G, P, O>,
    action: &ActorAction<G, P>,
    after: &SystemState<G, P, O>,
) -> TraceStep {
    let mut step = bare_step(model, number, action);
    let actor = actor_of::<G, P>(action);
    let topology = &model.setup().topology;
    let mut sent = sent_packets(actor, before, action, after);
    if step.action == ActionKind::Send {
        // The step's own message; whatever else it sends is an effect.
        let own = sent.iter().position(|(_, packet)| matches!(packet, Packet::Message(_)));
        if let Some((_, Packet::Message(message))) = own.map(|index| sent.remove(index)) {
            step.message = Some(message.number);
        }
    }
    // "Done" is said last: it follows from the rest of the step.
    let (done, sent) = sent.into_iter().partition(|(_, packet)| *packet == Packet::Done);
    if usize::from(actor) < topology.process_count() {
        let process = ProcessId::new(usize::from(actor));
        let (before, after) = (before.process(process), after.process(process));
        if !before.has_recorded() && after.has_recorded() {
            let state = recorded_words(model, process, after);
            step.effects.push(Effect::Records { state });
        }
        send_effects(topology, sent, &mut step.effects);
        for &channel in topology.inputs(process) {
            let position = topology.input_position(channel);
            let (before, after) = (&before.inputs[position], &after.inputs[position]);
            input_effects(ends(topology, channel), before, after, &mut step.effects);
        }
    } else {
        send_effects(topology, sent, &mut step.effects);
    }
    send_effects(topology, done, &mut step.effects);
    if before.declared() == Some(false) && after.declared() == Some(true) {
        step.effects.push(Effect::Declares);
    }
    step
}

/// What `actor` put on its flows in this step, in the order of the flows.
fn sent_packets<G: Signature, P: Application, O: Observer<G, P>>(
    actor: Id,
    before: &SystemState<G, P, O>,
    action: &ActorAction<G, P>,
    after: &SystemState<G, P, O>,
) -> Vec<(Id, PacketOf<G, P>)> {
    let taken_from = match action {
        ActorModelAction::Deliver { src, dst, .. } => Some((*src, *dst)),
        _ => None,
    };
    let length_before = |ends| {
        let flow = flows(&before.actors.network).find(|&(e, _)| e == ends);
        flow.map_or(0, |(_, packets)| packets.len()) - usize::from(taken_from == Some(ends))
    };
    flows(&after.actors.network)
        .filter(|((source, _), _)| *source == actor)
        .flat_map(|(ends, packets)| {
            packets.iter().skip(length_before(ends)).map(move |packet| (ends.1, packet.clone()))
        })
        .collect()
}

/// How many control messages `action` sends.
pub(super) fn control_messages_sent<G: Signature, P: Application, O: Observer<G, P>>(
    before: &SystemState<G, P, O>,
    action: &ActorAction<G, P>,
    after: &SystemState<G, P, O>,
) -> u32 {
    let sent = sent_packets(actor_of::<G, P>(action), before, action, after);
    sent.iter().map(|(_, packet)| u32::from(matches!(packet, Packet::Control(_)))).sum()
}

/// Equal packets to several receivers are told as one effect.
fn send_effects<C: fmt::Display, M>(
    topology: &Topology,
    sent: Vec<(Id, Packet<C, M>)>,
    effects: &mut Vec<Effect>,
) {
    for (receiver, packet) in sent {
        let sent = match packet {
            Packet::Message(message) => Sent::Message(message.number),
            Packet::Control(control) => Sent::Control(control.to_string()),
            Packet::Start => Sent::Start,
            Packet::Done => Sent::Done,
        };
        let receiver = actor_name(topology, receiver);
        match effects.last_mut() {
            Some(Effect::Sends { what, to }) if *what == sent => to.push(receiver),
            _ => effects.push(Effect::Sends { what: sent, to: vec![receiver] }),
        }
    }
}

fn input_effects<M>(
    channel: [String; 2],
    before: &Input<M>,
    after: &Input<M>,
    effects: &mut Vec<Effect>,
) {
    if let Some(message) = after.recording.get(before.recording.len()) {
        effects.push(Effect::Stores { channel: channel.clone(), message: message.number });
    }
    if !before.closed && after.closed {
        let recording = after.recording.iter().map(|message| message.number).collect();
        effects.push(Effect::Closes { channel: channel.clone(), recording });
    }
    match (before.blocked, after.blocked) {
        (false, true) => effects.push(Effect::Blocks { channel }),
        (true, false) => effects.push(Effect::Unblocks { channel }),
        _ => {}
    }
}

/// The recorded state in words: what the application says, and the counts on each channel.
fn recorded_words<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    process: ProcessId,
    state: &ProcessStateOf<G, P>,
) -> String {
    let topology = &model.setup().topology;
    let words = state
        .recorded
        .as_ref()
        .map(|recorded| model.host().application().describe_state(process, recorded))
        .filter(|words| !words.is_empty());
    let sent = topology.outputs(process).iter().zip(&state.outputs).map(|(&channel, output)| {
        format!("sent {} on {}", output.sent, topology.channel_name(channel))
    });
    let received = topology.inputs(process).iter().zip(&state.inputs).map(|(&channel, input)| {
        format!("received {} from {}", input.received, topology.channel_name(channel))
    });
    words.into_iter().chain(sent).chain(received).join(", ")
}

fn actor_of<G: Signature, P: Application>(action: &ActorAction<G, P>) -> Id {
    match action {
        ActorModelAction::Deliver { dst, .. } => *dst,
        ActorModelAction::Timeout(id, _) => *id,
        _ => unreachable!("a system neither drops, crashes nor chooses at random"),
    }
}

fn bare_step<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    number: usize,
    action: &ActorAction<G, P>,
) -> TraceStep {
    let topology = &model.setup().topology;
    let application = model.host().application();
    let actor = actor_of::<G, P>(action);
    let mut step = TraceStep {
        step: number,
        process: actor_name(topology, actor),
        action: ActionKind::Internal,
        from: None,
        channel: None,
        message: None,
        content: String::new(),
        effects: Vec::new(),
    };
    match action {
        ActorModelAction::Deliver { src, dst, msg } => {
            step.from = Some(actor_name(topology, *src));
            step.channel = model.channel(*src, *dst).map(|channel| ends(topology, channel));
            match msg {
                Packet::Message(Message { number, content }) => {
                    step.action = ActionKind::Receive;
                    step.message = Some(*number);
                    step.content = application.describe_message(content);
                }
                Packet::Control(control) => {
                    step.action = ActionKind::ReceiveControl;
                    step.content = control.to_string();
                }
                Packet::Start => step.action = ActionKind::ReceiveStart,
                Packet::Done => {
                    step.action = ActionKind::ReceiveDone;
                    step.channel = None;
                }
            }
        }
        ActorModelAction::Timeout(_, Timer::Begin) => step.action = ActionKind::Begin,
        ActorModelAction::Timeout(_, Timer::Instruct) => step.action = ActionKind::Instruct,
        ActorModelAction::Timeout(id, Timer::Application(action)) => {
            let process = ProcessId::new(usize::from(*id));
            match application.describe_action(process, action) {
                ActionWords::Send { channel, message } => {
                    step.action = ActionKind::Send;
                    step.channel = Some(ends(topology, channel));
                    step.content = message;
                }
                ActionWords::Internal(label) => step.content = label,
            }
        }
        _ => unreachable!("a system neither drops, crashes nor chooses at random"),
    }
    step
}
