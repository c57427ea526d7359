//! What the claims may look at: a state as plain numbers, without algorithm, application or
//! stateright. Trusted: a claim is judged on this.

use std::collections::BTreeSet;

use crate::models::application::{Application, Effects, Record};
use crate::models::packet::{Packet, messages_in};
use crate::models::process_state::{
    CheckpointState, CheckpointStateOf, ProcessState, channel_recording,
};
use crate::models::setup::{Setup, Sinks};
use crate::models::topology::{Channel, ChannelId, ProcessId};

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
    /// The numbers of those, ascending, one that was received twice twice. None where channels are FIFO:
    /// then they are the first m.
    pub identities: Option<Vec<u16>>,
    /// Whether what is sent arrives in that order.
    pub keeps_order: bool,
    /// m': received before c's recording began, or before its first marker was consumed if that came
    /// first. None before either.
    pub left_out: Option<u16>,
    /// Whether c's recording has ended.
    pub closed: bool,
    /// Whether q does not read from c.
    pub blocked: bool,
    /// The numbers of the recorded messages, in order.
    pub recording: Vec<u16>,
    /// Sent by p so far.
    pub sent_now: u16,
    /// Received by q so far.
    pub received_now: u16,
    /// What is in the channel now, its queues included, the first to be received first: messages, and what
    /// markers there are of the checkpoint.
    pub queue: Vec<Queued>,
    /// Of the messages in it, those that q could read next, each after those before: where channels are
    /// buffered, what has arrived; else all.
    pub readable: usize,
}

/// What is in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    /// A message, by its number.
    Message(u16),
    /// A control message.
    Marker,
}

impl Queued {
    /// A packet as a checkpoint sees it, if it does.
    fn of<M>(packet: &Packet<M>, checkpoint: u16) -> Option<Self> {
        let marker = packet.is_control_of(checkpoint).then_some(Self::Marker);
        packet.message().map(|message| Self::Message(message.number)).or(marker)
    }

    /// The number of the message, if it is one.
    #[must_use]
    pub fn message(self) -> Option<u16> {
        match self {
            Self::Message(number) => Some(number),
            Self::Marker => None,
        }
    }
}

impl ChannelView {
    /// How many messages are in the channel now, its queues included.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.queue.iter().filter(|queued| queued.message().is_some()).count()
    }

    /// (n, m), once both ends have recorded.
    #[must_use]
    pub fn cut(&self) -> Option<(u16, u16)> {
        Some((self.sent_before_record?, self.received_before_record?))
    }

    /// The numbers of the messages received before q recorded, ascending, one that was received twice
    /// twice.
    #[must_use]
    pub fn received(&self) -> Vec<u16> {
        let first = || (1..=self.received_before_record.unwrap_or(0)).collect();
        self.identities.clone().unwrap_or_else(first)
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

/// What an input record has done at a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectView {
    /// Where.
    pub process: ProcessId,
    /// Which record.
    pub record: Record,
    /// How often it has its effect there in a run in which nothing fails.
    pub expected: u16,
    /// How often it has had it on the state.
    pub on_state: u16,
    /// What a sink has written of it; None if the process is none.
    pub output: Option<OutputView>,
}

/// What a sink has written of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputView {
    /// How often it can be seen outside.
    pub visible: u16,
    /// How often the sink had received it before the newest checkpoint whose completion it knows.
    pub covered: u16,
    /// Whether it becomes visible only by a commit.
    pub transactional: bool,
}

/// A state as the claims see it: one checkpoint, and what goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Which checkpoint, from 1.
    pub checkpoint: u16,
    /// Whether the checkpoint was ended before it was complete: by a failover, by the coordinator, or at
    /// some process by a newer one.
    pub abandoned: bool,
    /// Every channel, in the topology's order.
    pub channels: Vec<ChannelView>,
    /// Per process, whether it has recorded.
    pub recorded: Vec<bool>,
    /// Per process, whether the application there has a step of its own that the algorithm withholds.
    pub withheld: Vec<bool>,
    /// Whether the coordinator has declared the snapshot complete; None without a coordinator.
    pub declared: Option<bool>,
    /// What the application conserves; None if nothing.
    pub amounts: Option<Amounts>,
    /// What the input records have done; empty if the application does not count it.
    pub effects: Vec<EffectView>,
    /// The checkpoint to which the job has failed over last, 0 being the start; None if it has not.
    pub restored: Option<u16>,
    /// Whether no step is enabled, failures apart.
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

/// A view for each checkpoint.
pub(super) fn views<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    state: &SystemState<P, O>,
) -> Vec<View> {
    let topology = &model.setup().topology;
    let mut on_wire = vec![None; topology.channel_count()];
    for ((source, target), packets) in flows(&state.actors.network) {
        if let Some(channel) = model.channel(source, target) {
            on_wire[channel.index()] = Some(packets);
        }
    }
    let present = |channel: ChannelId, checkpoint| {
        let Channel { source, target } = topology.channel(channel);
        let (from, to) = (state.process(source), state.process(target));
        let (output, input) = (topology.output_position(channel), topology.input_position(channel));
        let wire = on_wire[channel.index()].into_iter().flatten();
        let arrived = to.queues.inputs.get(input);
        let waiting = from.queues.outputs.get(output);
        let packets = arrived.into_iter().flatten().chain(wire.clone());
        let packets = packets.chain(waiting.into_iter().flatten());
        let readable = match arrived {
            Some(arrived) => messages_in(arrived),
            None => wire.filter(|packet| packet.message().is_some()).count(),
        };
        Present {
            sent: from.sent[output],
            received: to.received[input],
            queue: packets.filter_map(|packet| Queued::of(packet, checkpoint)).collect(),
            readable,
        }
    };
    let withholds = |process| model.withholds(process, state.process(process));
    let withheld: Vec<_> = topology.processes().map(withholds).collect();
    let effects = if model.host().application().traits().counts_effects {
        effects(model, state)
    } else {
        Vec::new()
    };
    let terminal = model.is_terminal(state);
    let application_can_step = model.application_can_step(state);
    let view = |checkpoint| {
        let own = |process| state.process(process).checkpoint(checkpoint);
        let channel_view = |channel: ChannelId| {
            let Channel { source, target } = topology.channel(channel);
            let ends = [own(source), own(target)];
            channel_view(model.setup(), channel, ends, present(channel, checkpoint))
        };
        let known = state.coordinator().map(|known| known.checkpoint(checkpoint));
        View {
            checkpoint,
            abandoned: known.is_some_and(|known| known.abandoned)
                || topology
                    .processes()
                    .any(|process| is_superseded(state.process(process), checkpoint)),
            channels: topology.channels().map(channel_view).collect(),
            recorded: topology.processes().map(|process| own(process).has_recorded()).collect(),
            withheld: withheld.clone(),
            declared: known.map(|known| known.declared),
            amounts: model.host().application().traits().conserves.then(|| amounts(model, own)),
            effects: effects.clone(),
            restored: (state.incidents.failovers > 0).then_some(state.incidents.restored),
            terminal,
            application_can_step,
            history: None,
        }
    };
    (1..=model.setup().checkpoints.count).map(view).collect()
}

fn amounts<'s, P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    own: impl Fn(ProcessId) -> &'s CheckpointStateOf<P>,
) -> Amounts {
    let application = model.host().application();
    let topology = &model.setup().topology;
    let processes = || topology.processes();
    let held = processes().filter_map(|process| own(process).recorded.as_ref());
    let held: u64 = held.map(|recorded| application.amount_held(recorded)).sum();
    let messages = topology.channels().flat_map(|c| channel_recording(topology, c, &own));
    let carried: u64 = messages.map(|m| application.amount_carried(&m.content)).sum();
    Amounts {
        initial: processes().map(|p| application.amount_held(&application.start(p))).sum(),
        recorded: held + carried,
    }
}

/// What every record has done at every process where it does or should do anything.
fn effects<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    state: &SystemState<P, O>,
) -> Vec<EffectView> {
    let application = model.host().application();
    let setup = model.setup();
    let at = |process: ProcessId| {
        let own = state.process(process);
        let expected = application.expected_effects(process);
        let on_state = application.effects(process, &own.application);
        let (visible, covered) = own.sink.as_ref().map_or_else(Default::default, |sink| {
            let known = (sink.known > 0).then(|| own.checkpoint(sink.known));
            let saved = known.and_then(|known| known.recorded.as_ref());
            let covered = saved.map(|saved| application.effects(process, saved));
            (sink.visible.clone(), covered.unwrap_or_default())
        });
        let records: BTreeSet<_> =
            [&expected, &on_state, &visible].into_iter().flat_map(Effects::keys).collect();
        let view = |&record: &Record| EffectView {
            process,
            record,
            expected: times(&expected, record),
            on_state: times(&on_state, record),
            output: own.sink.as_ref().map(|_| OutputView {
                visible: times(&visible, record),
                covered: times(&covered, record),
                transactional: setup.sinks == Sinks::Transactional,
            }),
        };
        records.into_iter().map(view).collect::<Vec<_>>()
    };
    setup.topology.processes().flat_map(at).collect()
}

fn times(effects: &Effects, record: Record) -> u16 {
    effects.get(&record).copied().unwrap_or(0)
}

/// Whether a process has given up a checkpoint for a newer one: it has heard of one.
fn is_superseded<S, M>(state: &ProcessState<S, M>, checkpoint: u16) -> bool {
    let newer = &state.checkpoints[usize::from(checkpoint)..];
    state.checkpoint(checkpoint).abandoned && newer.iter().any(CheckpointState::has_heard)
}

/// What there is of a channel at present.
#[derive(Default)]
struct Present {
    sent: u16,
    received: u16,
    queue: Vec<Queued>,
    readable: usize,
}

/// A channel in a checkpoint, between two processes, the source and the target.
fn channel_view<S, M>(
    setup: &Setup,
    channel: ChannelId,
    [source, target]: [&CheckpointState<S, M>; 2],
    Present { sent, received, queue, readable }: Present,
) -> ChannelView {
    let Setup { topology, network, .. } = setup;
    let output = &source.outputs[topology.output_position(channel)];
    let input = &target.inputs[topology.input_position(channel)];
    ChannelView {
        channel,
        sent_before_record: output.sent_before_record,
        sent_before_marker: output.sent_before_marker,
        received_before_record: input.received_before_record,
        identities: (!network.is_fifo()).then(|| input.identities.clone()),
        keeps_order: network.keeps_order(),
        left_out: input.left_out,
        closed: input.closed,
        blocked: input.blocked,
        recording: input.recorded(output).map(|message| message.number).collect(),
        sent_now: sent,
        received_now: received,
        queue,
        readable,
    }
}

/// The channels between two processes, in both directions; of one process with itself, its own. Each is
/// seen once for every checkpoint.
pub(super) fn channels_between<S, M>(
    setup: &Setup,
    ends: [(usize, &ProcessState<S, M>); 2],
) -> Vec<ChannelView> {
    let ends = ends.map(|(index, state)| (ProcessId::new(index), state));
    let ways = [ends, [ends[1], ends[0]]];
    let ways = ways.into_iter().take(if ends[0].0 == ends[1].0 { 1 } else { 2 });
    let channels =
        ways.filter_map(|[(source, from), (target, to)]| {
            let channel = setup.topology.channel_between(source, target)?;
            let both = from.checkpoints.iter().zip(&to.checkpoints);
            Some(both.map(move |(from, to)| {
                channel_view(setup, channel, [from, to], Present::default())
            }))
        });
    channels.flatten().collect()
}
