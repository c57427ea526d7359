//! How a run is told: from states and actions to the steps of a trace.

use itertools::Itertools;
use stateright::actor::{ActorModelAction, Id};

use super::System;
use super::actor::Timer;
use super::failure::Action;
use super::model::{ActorAction, Run, SystemAction, SystemModel, SystemState, actor_of, flows};
use super::observer::Observer;
use super::telling_failures::{commit_effects, failure_effects};
use super::trace::{ActionKind, Effect, Sent, Trace, TraceStep};
use crate::models::application::{ActionWords, Application};
use crate::models::process_state::{CheckpointStateOf, Input, Packet, PacketOf};
use crate::models::recording::Message;
use crate::models::topology::{ChannelId, ProcessId, Topology};
use crate::models::value::Control;

/// Who takes the step in which all return to a checkpoint.
const JOB: &str = "job";

fn ends(topology: &Topology, channel: ChannelId) -> [String; 2] {
    let ends = topology.channel(channel);
    [topology.name(ends.source).to_owned(), topology.name(ends.target).to_owned()]
}

/// A name for every actor.
pub(super) fn actor_name(topology: &Topology, id: Id) -> String {
    let index = usize::from(id);
    if index < topology.process_count() {
        topology.name(ProcessId::new(index)).to_owned()
    } else {
        "coordinator".to_owned()
    }
}

pub(super) fn trace<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    path: &Run<P, O>,
) -> Trace {
    let steps = path.iter().tuple_windows().enumerate();
    let steps = steps.filter_map(|(index, ((before, action), (after, _)))| {
        Some(step(model, index + 1, before, action.as_ref()?, after))
    });
    let (last, _) = path.last().expect("a path holds at least the initial state");
    Trace { steps: steps.collect(), last: model.views(last) }
}

/// The step by itself, without what else happens in it.
pub(super) fn describe_action<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    action: &SystemAction<P>,
) -> String {
    bare_step(model, 1, action).to_string()
}

/// The step with everything that happens in it.
pub(super) fn step<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    number: usize,
    before: &SystemState<P, O>,
    action: &SystemAction<P>,
    after: &SystemState<P, O>,
) -> TraceStep {
    let mut step = bare_step(model, number, action);
    match action.step() {
        Some(taken) => actor_effects(model, before, taken, after, &mut step),
        None => failure_effects(model, action, after, &mut step),
    }
    commit_effects(model, before, after, &mut step.effects);
    step
}

/// What happens in a step of an actor.
fn actor_effects<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    before: &SystemState<P, O>,
    taken: &ActorAction<P>,
    after: &SystemState<P, O>,
    step: &mut TraceStep,
) {
    let actor = actor_of::<P>(taken);
    let topology = &model.setup().topology;
    let mut sent = sent_packets(before, taken, after);
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
            for &channel in topology.inputs(process) {
                let position = topology.input_position(channel);
                let (before, after) = (&before.inputs[position], &after.inputs[position]);
                let channel = ends(topology, channel);
                input_effects(channel, checkpoint, before, after, &mut step.effects);
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

/// The number of a checkpoint, where there are several.
fn numbered<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    checkpoint: u16,
) -> Option<u16> {
    (model.setup().checkpoints.count > 1).then_some(checkpoint)
}

/// Which checkpoint, in words, where there are several.
fn checkpoint_words<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    checkpoint: u16,
) -> String {
    numbered(model, checkpoint).map_or(String::new(), |number| format!("checkpoint {number}"))
}

/// A control message in words.
pub(super) fn control_words<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    checkpoint: u16,
    control: &Control,
) -> String {
    match numbered(model, checkpoint) {
        Some(checkpoint) => format!("{control} {checkpoint}"),
        None => control.to_string(),
    }
}

/// What the actor put on its flows in this step, in the order of the flows.
fn sent_packets<P: Application, O: Observer<P>>(
    before: &SystemState<P, O>,
    action: &ActorAction<P>,
    after: &SystemState<P, O>,
) -> Vec<(Id, PacketOf<P>)> {
    let actor = actor_of::<P>(action);
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
    flows(&after.actors.network)
        .filter(|((source, _), _)| *source == actor)
        .flat_map(|(ends, packets)| {
            let mut stayed = stayed(ends);
            let sent = packets.iter().filter(move |packet| !take(&mut stayed, packet));
            sent.map(move |packet| (ends.1, packet.clone()))
        })
        .collect()
}

/// Takes one that is equal out of a list, if there is one.
fn take<M: PartialEq>(packets: &mut Vec<&M>, packet: &M) -> bool {
    let place = packets.iter().position(|other| *other == packet);
    place.map(|place| packets.remove(place)).is_some()
}

/// How many control messages `action` sends.
pub(super) fn control_messages_sent<P: Application, O: Observer<P>>(
    before: &SystemState<P, O>,
    action: &SystemAction<P>,
    after: &SystemState<P, O>,
) -> u32 {
    let sent = action.step().map(|step| sent_packets(before, step, after)).unwrap_or_default();
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
        };
        let receiver = actor_name(&model.setup().topology, receiver);
        match effects.last_mut() {
            Some(Effect::Sends { what, to }) if *what == sent => to.push(receiver),
            _ => effects.push(Effect::Sends { what: sent, to: vec![receiver] }),
        }
    }
}

fn input_effects<M>(
    channel: [String; 2],
    checkpoint: Option<u16>,
    before: &Input<M>,
    after: &Input<M>,
    effects: &mut Vec<Effect>,
) {
    if let Some(message) = after.recording.get(before.recording.len()) {
        let (channel, message) = (channel.clone(), message.number);
        effects.push(Effect::Stores { channel, message, checkpoint });
    }
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

fn bare_step<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    number: usize,
    action: &SystemAction<P>,
) -> TraceStep {
    let topology = &model.setup().topology;
    let application = model.host().application();
    let mut step = TraceStep {
        step: number,
        process: JOB.to_owned(),
        action: ActionKind::FailOver,
        from: None,
        channel: None,
        message: None,
        content: String::new(),
        effects: Vec::new(),
    };
    let taken = match action {
        Action::Step(taken) => taken,
        Action::FailOver => return step,
        Action::LoseNotice(process) => {
            step.process = topology.name(*process).to_owned();
            step.action = ActionKind::LoseNotice;
            return step;
        }
        Action::Lose(delivery) => {
            let lost = bare_step(model, number, &Action::Step(delivery.clone()));
            return TraceStep { action: ActionKind::Lose, ..lost };
        }
        Action::Duplicate(delivery) => {
            let doubled = bare_step(model, number, &Action::Step(delivery.clone()));
            return TraceStep { action: ActionKind::Duplicate, ..doubled };
        }
    };
    step.process = actor_name(topology, actor_of::<P>(taken));
    match taken {
        ActorModelAction::Deliver { src, dst, msg } => {
            step.from = Some(actor_name(topology, *src));
            step.channel = model.channel(*src, *dst).map(|channel| ends(topology, channel));
            match msg {
                Packet::Message(Message { number, content, .. }) => {
                    step.action = ActionKind::Receive;
                    step.message = Some(*number);
                    step.content = application.describe_message(content);
                }
                Packet::Control { checkpoint, control } => {
                    step.action = ActionKind::ReceiveControl;
                    step.content = control_words(model, *checkpoint, control);
                }
                Packet::Start(checkpoint) => {
                    step.action = ActionKind::ReceiveStart;
                    step.content = checkpoint_words(model, *checkpoint);
                }
                Packet::Notice(checkpoint) => {
                    step.action = ActionKind::ReceiveNotice;
                    step.content = checkpoint_words(model, *checkpoint);
                }
                Packet::Done(checkpoint) => {
                    step.action = ActionKind::ReceiveDone;
                    step.content = checkpoint_words(model, *checkpoint);
                    step.channel = None;
                }
            }
        }
        ActorModelAction::Timeout(_, Timer::Begin(_)) => step.action = ActionKind::Begin,
        ActorModelAction::Timeout(_, Timer::Instruct) => step.action = ActionKind::Instruct,
        ActorModelAction::Timeout(id, Timer::Application(action)) => {
            let process = ProcessId::new(usize::from(*id));
            match application.describe_action(process, action) {
                ActionWords::Send { channel, message } => {
                    step.action = ActionKind::Send;
                    step.channel = Some(ends(topology, channel));
                    step.content = message;
                }
                ActionWords::Internal(label) => {
                    step.action = ActionKind::Internal;
                    step.content = label;
                }
            }
        }
        _ => unreachable!("actors neither drop, crash nor choose at random"),
    }
    step
}
