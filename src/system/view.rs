//! What the claims may look at: a state as plain numbers, without algorithm, application or
//! stateright. Trusted: a claim is judged on this.

use crate::models::application::Application;
use crate::models::process::Signature;
use crate::models::process_state::{Packet, ProcessState};
use crate::models::topology::{Channel, ChannelId, ProcessId, Topology};

use super::history::History;
use super::model::{SystemModel, SystemState, flows};
use super::observer::Observer;

/// A channel c from p to q. Numbers count messages of the application on c.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelView {
    /// Which channel.
    pub channel: ChannelId,
    /// n: sent before p recorded. None while p has not recorded.
    pub sent_before_record: Option<u16>,
    /// n': sent before p put its first marker on c. None while it has not.
    pub sent_before_marker: Option<u16>,
    /// m: received before q recorded. None while q has not recorded.
    pub received_before_record: Option<u16>,
    /// m': received before c's recording began, or before its first marker was consumed if that came
    /// first. None before either.
    pub left_out: Option<u16>,
    /// Whether c's recording has ended.
    pub closed: bool,
    /// Whether q does not read from c.
    pub blocked: bool,
    /// The numbers of the recorded messages, in order.
    pub recording: Vec<u16>,
    /// Messages in the channel now.
    pub in_flight: usize,
}

impl ChannelView {
    /// (n, m), once both ends have recorded.
    #[must_use]
    pub fn cut(&self) -> Option<(u16, u16)> {
        Some((self.sent_before_record?, self.received_before_record?))
    }
}

/// The sums of what the application conserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amounts {
    /// At the start.
    pub initial: u64,
    /// In the process states and messages recorded so far.
    pub recorded: u64,
}

/// A state as the claims see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Every channel, in the topology's order.
    pub channels: Vec<ChannelView>,
    /// Per process, whether it has recorded.
    pub recorded: Vec<bool>,
    /// Whether the coordinator has declared the snapshot complete; None without a coordinator.
    pub declared: Option<bool>,
    /// What the application conserves; None if nothing.
    pub amounts: Option<Amounts>,
    /// Whether no step is enabled.
    pub terminal: bool,
    /// Whether the application can take a step now.
    pub application_can_step: bool,
    /// What was before, and what the application could do alone; None unless somebody asks.
    pub history: Option<History>,
}

impl View {
    /// Whether every process has recorded and every recording is closed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.recorded.iter().all(|&recorded| recorded) && self.channels.iter().all(|c| c.closed)
    }

    /// Whether some process has recorded.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.recorded.contains(&true)
    }
}

pub(super) fn view<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    state: &SystemState<G, P, O>,
) -> View {
    let topology = &model.setup().topology;
    let mut in_flight = vec![0; topology.channel_count()];
    for ((source, target), packets) in flows(&state.actors.network) {
        if let Some(channel) = model.channel(source, target) {
            let messages = packets.iter().filter(|packet| matches!(packet, Packet::Message(_)));
            in_flight[channel.index()] = messages.count();
        }
    }
    let channel_view = |channel: ChannelId| {
        let Channel { source, target } = topology.channel(channel);
        let ends = [source, target].map(|process| state.process(process));
        channel_view(topology, channel, ends, in_flight[channel.index()])
    };
    View {
        channels: topology.channels().map(channel_view).collect(),
        recorded: topology
            .processes()
            .map(|p| state.process(p))
            .map(ProcessState::has_recorded)
            .collect(),
        declared: state.declared(),
        amounts: P::CONSERVES.then(|| amounts(model, state)),
        terminal: model.is_terminal(state),
        application_can_step: model.application_can_step(state),
        history: None,
    }
}

fn amounts<G: Signature, P: Application, O: Observer<G, P>>(
    model: &SystemModel<G, P, O>,
    state: &SystemState<G, P, O>,
) -> Amounts {
    let application = model.host().application();
    let processes = || model.setup().topology.processes();
    let recorded = processes().map(|process| {
        let state = state.process(process);
        let received = state.inputs.iter().flat_map(|input| &input.recording);
        let overtaken = state.outputs.iter().flat_map(|output| &output.recording);
        let messages = received.chain(overtaken);
        state.recorded.as_ref().map_or(0, |recorded| application.amount_held(recorded))
            + messages.map(|message| application.amount_carried(&message.content)).sum::<u64>()
    });
    Amounts {
        initial: processes().map(|p| application.amount_held(&application.start(p))).sum(),
        recorded: recorded.sum(),
    }
}
/// A channel between two processes, the source and the target.
fn channel_view<A, S, M>(
    topology: &Topology,
    channel: ChannelId,
    [source, target]: [&ProcessState<A, S, M>; 2],
    in_flight: usize,
) -> ChannelView {
    let output = &source.outputs[topology.output_position(channel)];
    let input = &target.inputs[topology.input_position(channel)];
    let recording = input.recording.iter().chain(&output.recording);
    ChannelView {
        channel,
        sent_before_record: output.sent_before_record,
        sent_before_marker: output.sent_before_marker,
        received_before_record: input.received_before_record,
        left_out: input.left_out,
        closed: input.closed,
        blocked: input.blocked,
        recording: recording.map(|message| message.number).collect(),
        in_flight,
    }
}

/// The channels between two processes, in both directions; of one process with itself, its own.
pub(super) fn channels_between<A, S, M>(
    topology: &Topology,
    ends: [(usize, &ProcessState<A, S, M>); 2],
) -> Vec<ChannelView> {
    let ends = ends.map(|(index, state)| (ProcessId::new(index), state));
    let ways = [ends, [ends[1], ends[0]]];
    let ways = ways.into_iter().take(if ends[0].0 == ends[1].0 { 1 } else { 2 });
    let channels = ways.filter_map(|[(source, from), (target, to)]| {
        let channel = topology.channel_between(source, target)?;
        Some(channel_view(topology, channel, [from, to], 0))
    });
    channels.collect()
}
