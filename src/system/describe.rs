//! A state in words, for people who step through a run: each process, channel and recording.

use std::fmt;

use itertools::Itertools;

use super::Snapshot;
use super::model::{SystemModel, SystemState, flows};
use super::observer::Observer;
use super::telling::control_words;
use crate::models::application::Application;
use crate::models::packet::{Packet, PacketOf};
use crate::models::recording::{Message, Outcome};
use crate::models::topology::{Channel, ChannelId, ProcessId};

/// A process in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessWords {
    /// Its name.
    pub name: String,
    /// Its state now.
    pub now: String,
    /// The state that it recorded, if it has.
    pub recorded: Option<String>,
    /// Whether it may begin by itself.
    pub may_begin: bool,
    /// Whether its application is held back.
    pub paused: bool,
    /// Whether it has finished.
    pub finished: bool,
}

/// The recording of a channel in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingWords {
    /// The recorded messages.
    pub messages: String,
    /// Whether the recording has ended.
    pub closed: bool,
}

/// A channel in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelWords {
    /// Source and target.
    pub name: String,
    /// What is in it, the first to be received first.
    pub in_flight: String,
    /// Its recording, once that has begun or ended.
    pub recording: Option<RecordingWords>,
    /// Whether its target does not read from it.
    pub blocked: bool,
}

/// The coordinator in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoordinatorWords {
    /// Who has said "done".
    pub done: String,
    /// Whether it has declared the snapshot complete.
    pub declared: bool,
}

/// A state in words; as text, a line for each part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateWords {
    /// The processes.
    pub processes: Vec<ProcessWords>,
    /// The channels.
    pub channels: Vec<ChannelWords>,
    /// The coordinator, if there is one.
    pub coordinator: Option<CoordinatorWords>,
}

impl fmt::Display for StateWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let processes = self.processes.iter().map(ToString::to_string);
        let channels = self.channels.iter().map(ToString::to_string);
        let coordinator = self.coordinator.iter().map(ToString::to_string);
        write!(f, "{}", processes.chain(channels).chain(coordinator).format("\n"))
    }
}

impl fmt::Display for ProcessWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.now)?;
        match &self.recorded {
            Some(recorded) => write!(f, " | recorded: {recorded}")?,
            None if self.may_begin => f.write_str(" | may begin")?,
            None => {}
        }
        f.write_str(if self.paused { " | PAUSED" } else { "" })?;
        f.write_str(if self.finished { " | FINISHED" } else { "" })
    }
}

impl fmt::Display for ChannelWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: in flight [{}]", self.name, self.in_flight)?;
        match &self.recording {
            None => {}
            Some(RecordingWords { messages, closed: false }) => {
                write!(f, " | recording so far [{messages}]")?;
            }
            Some(RecordingWords { messages, closed: true }) => {
                write!(f, " | recorded [{messages}]")?;
            }
        }
        f.write_str(if self.blocked { " | BLOCKED" } else { "" })
    }
}

impl fmt::Display for CoordinatorWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let declared = if self.declared { "; declared complete" } else { "" };
        write!(f, "coordinator: done from [{}]{declared}", self.done)
    }
}

pub(super) fn describe<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    state: &SystemState<P, O>,
) -> StateWords {
    let topology = &model.setup().topology;
    let coordinator = state.coordinator().map(|known| {
        // Of several checkpoints the newest that has begun.
        let newest = known.checkpoint(known.begun.max(1));
        CoordinatorWords {
            done: newest.done.iter().map(|&p| topology.name(p)).join(", "),
            declared: newest.declared,
        }
    });
    StateWords {
        processes: topology.processes().map(|p| process_words(model, state, p)).collect(),
        channels: topology.channels().map(|c| channel_words(model, state, c)).collect(),
        coordinator,
    }
}

fn process_words<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    state: &SystemState<P, O>,
    process: ProcessId,
) -> ProcessWords {
    let application = model.host().application();
    let topology = &model.setup().topology;
    let own = state.process(process);
    let told = |words: String, sent: &[u16], received: &[u16]| {
        let total = |counts: &[u16]| counts.iter().copied().map(u32::from).sum::<u32>();
        let counts = format!("sent {}, received {}", total(sent), total(received));
        [words, counts].iter().filter(|part| !part.is_empty()).join(", ")
    };
    let recorded = own.checkpoints.iter().map(|own| {
        let saved = own.recorded_process()?;
        let words = application.describe_state(process, &saved.state);
        Some(told(words, &saved.sent, &saved.received))
    });
    let now = application.describe_state(process, &own.application);
    ProcessWords {
        name: topology.name(process).to_owned(),
        now: told(now, &own.sent, &own.received),
        recorded: numbered(recorded),
        may_begin: own.checkpoints.iter().any(|own| own.may_begin),
        paused: own.is_paused(),
        finished: own.finished,
    }
}

/// What there is of each checkpoint, with its number where there are several.
fn numbered(words: impl ExactSizeIterator<Item = Option<String>>) -> Option<String> {
    let several = words.len() > 1;
    let mut known = (1..).zip(words).filter_map(|(checkpoint, words)| {
        let words = words?;
        Some(if several { format!("{checkpoint}: {words}") } else { words })
    });
    let known = known.join("; ");
    (!known.is_empty()).then_some(known)
}

fn channel_words<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    state: &SystemState<P, O>,
    channel: ChannelId,
) -> ChannelWords {
    let topology = &model.setup().topology;
    let Channel { source, target } = topology.channel(channel);
    let position = topology.input_position(channel);
    let words = |packet: &PacketOf<P>| match packet {
        Packet::Message(Message { number, .. }) => number.to_string(),
        Packet::Control { checkpoint, control } => control_words(model, *checkpoint, control),
        Packet::Start(_) => "start".to_owned(),
        Packet::Done(_) => "done".to_owned(),
        Packet::Notice(_) => "notice".to_owned(),
        Packet::Abort(_) => "abort".to_owned(),
        Packet::End => "end".to_owned(),
        Packet::Finished { .. } => "finished".to_owned(),
    };
    let on_wire = flows(&state.actors.network)
        .filter(|&((s, t), _)| model.channel(s, t) == Some(channel))
        .flat_map(|(_, packets)| packets)
        .map(words)
        .join(", ");
    let (from, to) = (state.process(source), state.process(target));
    let in_flight = if model.setup().buffers.is_some() {
        let input = to.queues.inputs[position].iter().map(words).join(", ");
        let output = &from.queues.outputs[topology.output_position(channel)];
        let output = output.iter().map(words).join(", ");
        let places = [("to be read", input), ("on the wire", on_wire), ("to go out", output)];
        let filled = places.into_iter().filter(|(_, packets)| !packets.is_empty());
        filled.map(|(place, packets)| format!("{place}: {packets}")).join("; ")
    } else {
        on_wire
    };
    let recordings = from.checkpoints.iter().zip(&to.checkpoints).map(|(from, to)| {
        let input = &to.inputs[position];
        let output = &from.outputs[topology.output_position(channel)];
        let numbers = input.recorded(output).map(|message| message.number).join(", ");
        let begun = to.has_recorded() || input.closed;
        begun.then_some(RecordingWords { messages: numbers, closed: input.closed })
    });
    ChannelWords {
        name: topology.channel_name(channel),
        in_flight,
        recording: newest(recordings),
        blocked: to.is_blocked(position),
    }
}

/// The recording for the newest checkpoint that has one.
fn newest(
    recordings: impl DoubleEndedIterator<Item = Option<RecordingWords>>,
) -> Option<RecordingWords> {
    recordings.rev().flatten().next()
}

/// A snapshot in a line: what each process had sent and received, and what the channels hold.
pub(super) fn snapshot<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
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
        inconsistent: outcome.inconsistent_channels(topology).collect(),
    }
}
