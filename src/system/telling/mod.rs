//! How a run is told: from states and actions to the steps of a trace.

mod effects;
mod failures;

use itertools::Itertools;
use stateright::actor::{ActorModelAction, Id};

use self::effects::actor_effects;
pub(super) use self::effects::control_messages_sent;
use self::failures::{commit_effects, failure_effects};
use super::System;
use super::actor::Timer;
use super::failure::Action;
use super::model::{Run, SystemAction, SystemModel, SystemState, actor_of};
use super::observer::Observer;
use super::trace::{ActionKind, END, Trace, TraceStep};
use crate::models::application::{ActionWords, Application};
use crate::models::packet::{Packet, PacketOf};
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

/// What a packet is, and what it is to receive it.
fn tell_packet<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    packet: &PacketOf<P>,
    step: &mut TraceStep,
) {
    step.action = match packet {
        Packet::Message(Message { number, content, .. }) => {
            step.message = Some(*number);
            step.content = model.host().application().describe_message(content);
            ActionKind::Receive
        }
        Packet::Control { checkpoint, control } => {
            step.content = control_words(model, *checkpoint, control);
            ActionKind::ReceiveControl
        }
        Packet::End => {
            step.content = END.to_owned();
            ActionKind::ReceiveEnd
        }
        Packet::Start(checkpoint) => {
            step.content = checkpoint_words(model, *checkpoint);
            ActionKind::ReceiveStart
        }
        Packet::Notice(checkpoint) => {
            step.content = checkpoint_words(model, *checkpoint);
            ActionKind::ReceiveNotice
        }
        Packet::Abort(checkpoint) => {
            step.content = checkpoint_words(model, *checkpoint);
            ActionKind::ReceiveAbort
        }
        Packet::Done(checkpoint) => {
            step.content = checkpoint_words(model, *checkpoint);
            ActionKind::ReceiveDone
        }
        Packet::Finished { .. } => ActionKind::ReceiveFinished,
    };
}

/// What a step takes out of a queue is known only with the state.
fn tell_first_queued<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    before: &SystemState<P, O>,
    action: &SystemAction<P>,
    step: &mut TraceStep,
) {
    let Some(ActorModelAction::Timeout(_, timer)) = action.step() else { return };
    let topology = &model.setup().topology;
    match timer {
        Timer::Transmit(channel) => {
            let queues = &before.process(topology.channel(*channel).source).queues.outputs;
            tell_packet(model, &queues[topology.output_position(*channel)][0], step);
            step.action = ActionKind::Transmit;
        }
        Timer::Read(channel) => {
            let queues = &before.process(topology.channel(*channel).target).queues.inputs;
            tell_packet(model, &queues[topology.input_position(*channel)][0], step);
        }
        _ => {}
    }
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
    tell_first_queued(model, before, action, &mut step);
    match action.step() {
        Some(taken) => actor_effects(model, before, taken, after, &mut step),
        None => failure_effects(model, action, after, &mut step),
    }
    commit_effects(model, before, after, &mut step.effects);
    step
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
            tell_packet(model, msg, &mut step);
            match (model.setup().buffers, &step.channel) {
                (Some(_), Some(_)) => step.action = ActionKind::Arrive,
                _ if matches!(msg, Packet::Done(_) | Packet::Finished { .. }) => {
                    step.channel = None;
                }
                _ => {}
            }
        }
        ActorModelAction::Timeout(_, Timer::Begin(_)) => step.action = ActionKind::Begin,
        ActorModelAction::Timeout(_, Timer::Instruct) => step.action = ActionKind::Instruct,
        ActorModelAction::Timeout(_, Timer::Finish) => step.action = ActionKind::Finish,
        ActorModelAction::Timeout(_, Timer::Turn(checkpoint)) => {
            step.action = ActionKind::Turn;
            step.content = model.host().conduct().turn.unwrap_or_default().to_owned();
            let number = numbered(model, *checkpoint);
            step.content.extend(number.map(|number| format!(" for checkpoint {number}")));
        }
        ActorModelAction::Timeout(_, Timer::Abort(checkpoint)) => {
            step.action = ActionKind::Abort;
            step.content = checkpoint_words(model, *checkpoint);
        }
        ActorModelAction::Timeout(_, Timer::Transmit(channel)) => {
            step.action = ActionKind::Transmit;
            step.channel = Some(ends(topology, *channel));
        }
        ActorModelAction::Timeout(_, Timer::Read(channel)) => {
            step.action = ActionKind::Receive;
            step.channel = Some(ends(topology, *channel));
        }
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
