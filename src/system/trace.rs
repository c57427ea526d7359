//! A run told step by step: who does what, and what of the snapshot happens in that step.

use std::fmt;

use itertools::Itertools;
use serde::{Serialize, Serializer};
use stateright::actor::{ActorModelAction, Id};

use super::actor::Timer;
use super::model::{ActorAction, Run, SystemModel, SystemState, flows};
use super::observer::Observer;
use super::view::{View, view};
use crate::models::application::{ActionWords, Application};
use crate::models::host::{Input, Packet, PacketOf, ProcessStateOf};
use crate::models::process::Signature;
use crate::models::recording::Message;
use crate::models::topology::{ChannelId, ProcessId, Topology};

/// A run from the initial state.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Its steps.
    pub steps: Vec<TraceStep>,
    /// The last state as the claims see it.
    pub last: View,
}

/// What kind of step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionKind {
    /// The application sends.
    Send,
    /// The application takes a step that sends nothing.
    Internal,
    /// The application receives a message.
    Receive,
    /// A control message is consumed.
    ReceiveControl,
    /// A process begins by its own initiative.
    Begin,
    /// The coordinator tells processes to begin.
    Instruct,
    /// A process receives the coordinator's instruction.
    ReceiveStart,
    /// The coordinator receives a "done".
    ReceiveDone,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceStep {
    /// From 1.
    pub step: usize,
    /// Who takes it: a process, or `coordinator`.
    pub process: String,
    /// What kind of step.
    pub action: ActionKind,
    /// Who sent what is received in this step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The channel used, as source and target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<[String; 2]>,
    /// The number of the message on its channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<u16>,
    /// What the message carries, the control message's name, or the label of an internal step.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub content: String,
    /// What else happens in the step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
}

/// Something that happens within a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "effect", rename_all = "kebab-case")]
pub enum Effect {
    /// The process records its state.
    Records {
        /// The recorded local state in words.
        state: String,
    },
    /// A packet is sent that is not the step's own message.
    Sends {
        /// What is sent.
        what: Sent,
        /// To whom.
        to: Vec<String>,
    },
    /// A message is added to a channel's recording.
    Stores {
        /// The channel, as source and target.
        channel: [String; 2],
        /// The number of the message.
        message: u16,
    },
    /// A channel's recording ends.
    Closes {
        /// The channel, as source and target.
        channel: [String; 2],
        /// The numbers of the recorded messages.
        recording: Vec<u16>,
    },
    /// The process stops reading from a channel.
    Blocks {
        /// The channel, as source and target.
        channel: [String; 2],
    },
    /// The process reads from a channel again.
    Unblocks {
        /// The channel, as source and target.
        channel: [String; 2],
    },
    /// The coordinator declares the snapshot complete.
    Declares,
}

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// A message, by its number on its channel.
    Message(u16),
    /// A control message, by its name.
    Control(String),
    /// The coordinator's instruction.
    Start,
    /// A process's "done".
    Done,
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(number) => write!(f, "message {number}"),
            Self::Control(name) => f.write_str(name),
            Self::Start => f.write_str("the start instruction"),
            Self::Done => f.write_str("\"done\""),
        }
    }
}

impl Serialize for Sent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let process = &self.process;
        let channel = self.channel.as_ref().map(arrow).unwrap_or_default();
        let carried = match self.content.as_str() {
            "" => String::new(),
            content => format!(" ({content})"),
        };
        // A send described without its state has no number yet.
        let message = match self.message {
            Some(number) => format!("message {number}{carried}"),
            None => format!("a message{carried}"),
        };
        match self.action {
            ActionKind::Send => write!(f, "{process} sends {message} on {channel}")?,
            ActionKind::Internal => write!(f, "{process} takes the step {}", self.content)?,
            ActionKind::Receive => {
                write!(f, "{process} receives {message} from {channel}")?;
            }
            ActionKind::ReceiveControl => {
                write!(f, "{process} consumes the {} on {channel}", self.content)?;
            }
            ActionKind::Begin => write!(f, "{process} begins")?,
            ActionKind::Instruct => write!(f, "{process} gives the instruction to begin")?,
            ActionKind::ReceiveStart => write!(f, "{process} receives the start instruction")?,
            ActionKind::ReceiveDone => {
                let from = self.from.as_deref().unwrap_or_default();
                write!(f, "{process} hears \"done\" from {from}")?;
            }
        }
        for (index, effect) in self.effects.iter().enumerate() {
            write!(f, "{}{effect}", if index == 0 { ": " } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Records { state } if state.is_empty() => write!(f, "RECORDS"),
            Self::Records { state } => write!(f, "RECORDS [{state}]"),
            Self::Sends { what, to } => write!(f, "sends {what} to {}", to.join(", ")),
            Self::Stores { channel, message } => {
                write!(f, "stores message {message} of {}", arrow(channel))
            }
            Self::Closes { channel, recording } if recording.is_empty() => {
                write!(f, "closes {} as empty", arrow(channel))
            }
            Self::Closes { channel, recording } => {
                let plural = if recording.len() == 1 { "message" } else { "messages" };
                write!(f, "closes {} with {plural} {}", arrow(channel), recording.iter().join(", "))
            }
            Self::Blocks { channel } => write!(f, "blocks {}", arrow(channel)),
            Self::Unblocks { channel } => write!(f, "unblocks {}", arrow(channel)),
            Self::Declares => write!(f, "DECLARES the snapshot complete"),
        }
    }
}

fn arrow([source, target]: &[String; 2]) -> String {
    format!("{source}→{target}")
}

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
