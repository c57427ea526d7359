//! A state in a few lines, for people who step through a run: each process, channel and recording.

use itertools::Itertools;

use super::Snapshot;
use super::actor::ActorState;
use super::model::{SystemModel, SystemState, flows};
use super::observer::Observer;
use crate::models::application::Application;
use crate::models::process::Signature;
use crate::models::process_state::Packet;
use crate::models::recording::{Message, Outcome};
use crate::models::topology::{Channel, ChannelId, ProcessId};

pub(super) fn describe<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    state: &SystemState<G, P, O>,
) -> String {
    let topology = &model.setup().topology;
    let mut lines = topology.processes().map(|p| process_line(model, state, p)).collect_vec();
    lines.extend(topology.channels().map(|c| channel_line(model, state, c)));
    if let Some(ActorState::Coordinator { state, .. }) =
        state.actors.actor_states.last().map(AsRef::as_ref)
    {
        let done = state.done.iter().map(|&p| topology.name(p)).join(", ");
        let declared = if state.declared { "; declared complete" } else { "" };
        lines.push(format!("coordinator: done from [{done}]{declared}"));
    }
    lines.join("\n")
}

fn process_line<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    state: &SystemState<G, P, O>,
    process: ProcessId,
) -> String {
    let application = model.host().application();
    let topology = &model.setup().topology;
    let own = state.process(process);
    let told = |words: String, sent: Vec<u16>, received: Vec<u16>| {
        let total = |counts: Vec<u16>| counts.into_iter().map(u32::from).sum::<u32>();
        let counts = format!("sent {}, received {}", total(sent), total(received));
        [words, counts].iter().filter(|part| !part.is_empty()).join(", ")
    };
    let live = told(
        application.describe_state(process, &own.application),
        own.outputs.iter().map(|output| output.sent).collect(),
        own.inputs.iter().map(|input| input.received).collect(),
    );
    let recorded = own.recorded.as_ref().map(|recorded| {
        told(
            application.describe_state(process, recorded),
            own.outputs.iter().filter_map(|output| output.sent_before_record).collect(),
            own.inputs.iter().filter_map(|input| input.received_before_record).collect(),
        )
    });
    let snapshot = match recorded {
        Some(recorded) => format!(" | recorded: {recorded}"),
        None if own.may_begin => " | may begin".to_owned(),
        None => String::new(),
    };
    format!("{}: {live}{snapshot}", topology.name(process))
}

fn channel_line<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    state: &SystemState<G, P, O>,
    channel: ChannelId,
) -> String {
    let topology = &model.setup().topology;
    let Channel { source, target } = topology.channel(channel);
    let input = &state.process(target).inputs[topology.input_position(channel)];
    let output = &state.process(source).outputs[topology.output_position(channel)];
    let in_flight = flows(&state.actors.network)
        .filter(|&((s, t), _)| model.channel(s, t) == Some(channel))
        .flat_map(|(_, packets)| packets)
        .map(|packet| match packet {
            Packet::Message(Message { number, .. }) => number.to_string(),
            Packet::Control(control) => control.to_string(),
            Packet::Start => "start".to_owned(),
            Packet::Done => "done".to_owned(),
        })
        .join(", ");
    let recording = input.recording.iter().chain(&output.recording).map(|m| m.number).join(", ");
    let status = match (state.process(target).has_recorded(), input.closed) {
        (false, false) => String::new(),
        (true, false) => format!(" | recording so far [{recording}]"),
        (_, true) => format!(" | recorded [{recording}]"),
    };
    let blocked = if input.blocked { " | BLOCKED" } else { "" };
    format!("{}: in flight [{in_flight}]{status}{blocked}", topology.channel_name(channel))
}

/// A snapshot in a line: what each process had sent and received, and what the channels hold.
pub(super) fn snapshot<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    outcome: &Outcome<P::State, P::Message>,
) -> Snapshot {
    let topology = &model.setup().topology;
    let application = model.host().application();
    let total = |counts: &[u16]| counts.iter().map(|&count| usize::from(count)).sum::<usize>();
    let processes = topology.processes().zip(&outcome.processes).map(|(process, recorded)| {
        let words = application.describe_state(process, &recorded.state);
        let (sent, received) = (total(&recorded.sent), total(&recorded.received));
        let words = [words, format!("sent {sent}, received {received}")];
        let words = words.iter().filter(|words| !words.is_empty()).join(", ");
        format!("{} {words}", topology.name(process))
    });
    let channels = topology.channels().zip(&outcome.channels);
    let channels = channels.filter(|(_, recording)| !recording.is_empty());
    let channels = channels.map(|(channel, recording)| {
        let numbers = recording.iter().map(|message| message.number).join(", ");
        format!("{} holds {numbers}", topology.channel_name(channel))
    });
    let counts = outcome.processes.iter();
    Snapshot {
        size: counts.map(|recorded| total(&recorded.sent) + total(&recorded.received)).sum(),
        key: format!("{outcome:?}"),
        words: processes.chain(channels).join("; "),
        in_channels: outcome.channels.iter().map(Vec::len).sum(),
    }
}
