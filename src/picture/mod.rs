//! Space-time pictures of a run: a line per process, arrows from the true send to the true receive, the
//! record points joined into the cut.
//!
//! [`SpaceTime`] says what is to be seen; [`svg`] and [`unicode`] draw it. Beside them stand the pictures of
//! a comparison, [`hasse`] and [`chart`]. All of it is a function of the
//! trace, so that the same trace gives the same picture.

pub mod chart;
pub mod hasse;
mod sheet;
pub mod svg;
pub mod unicode;

pub use sheet::{STYLE, Setting};

use std::collections::{BTreeMap, VecDeque};

use itertools::Itertools;

use crate::claims::judge_channel;
use crate::models::claim::Claim;
use crate::models::topology::Topology;
use crate::system::{ActionKind, ChannelView, Effect, Sent, Trace, TraceStep, View};

/// The name of the coordinator's line where it is an actor of its own.
const COORDINATOR: &str = "coordinator";

/// A point in the picture: which line, and at which step (from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Index of the line.
    pub line: usize,
    /// The step.
    pub step: usize,
}

/// How a message lies to the cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// On one side of it, or there is no cut yet.
    None,
    /// Sent before and not received before: part of the channel's state.
    Forward,
    /// Received before though not sent before: an orphan.
    Backward,
}

/// Something sent, with where and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// What is sent.
    pub what: Sent,
    /// Its send.
    pub from: Point,
    /// The line it goes to.
    pub to_line: usize,
    /// The step of its receive; none if it is still in flight at the end, or was lost.
    pub received: Option<usize>,
    /// The step in which it was lost.
    pub lost: Option<usize>,
    /// If it is a copy that the network made, the step in which it did.
    pub doubled: Option<usize>,
    /// How it lies to the cut.
    pub crossing: Crossing,
}

/// A local event that is neither sending nor receiving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Where and when.
    pub at: Point,
    /// What, in a word.
    pub label: String,
}

/// An interval in which a line does not read from a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The line.
    pub line: usize,
    /// The channel, as people write it.
    pub channel: String,
    /// From this step.
    pub from: usize,
    /// Until this one, or to the end.
    pub until: Option<usize>,
}

/// What is known of a channel in the last state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelNote {
    /// The channel, as people write it.
    pub channel: String,
    /// The numbers of the recorded messages; none before its receiver recorded.
    pub recording: Option<Vec<u16>>,
    /// n and m, once both ends have recorded.
    pub cut: Option<(u16, u16)>,
    /// Whether something had been received that had not been sent.
    pub orphan: bool,
}

impl ChannelNote {
    /// What is wrong with the cut, if anything is. Off FIFO the counts need not show it.
    fn alarm(&self) -> Option<&'static str> {
        let more = self.cut.is_some_and(|(n, m)| m > n);
        self.orphan.then_some(if more { "m > n" } else { "orphan" })
    }
}

/// What is to be seen of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceTime {
    /// Names of the lines: the coordinator, if it is an actor of its own, then the processes.
    pub lines: Vec<String>,
    /// How many steps there are.
    pub steps: usize,
    /// Everything sent, by step of its send.
    pub arrows: Vec<Arrow>,
    /// Local events, by step.
    pub events: Vec<Event>,
    /// Per line, the step in which it recorded.
    pub recorded: Vec<Option<usize>>,
    /// Blocked intervals.
    pub blocked: Vec<Blocked>,
    /// Steps in which the job fails over, each with what it goes back to.
    pub failovers: Vec<(usize, String)>,
    /// Every channel.
    pub channels: Vec<ChannelNote>,
}

impl SpaceTime {
    /// What is to be seen of `trace`; `shown` is the checkpoint whose cut is drawn, in its last state.
    #[must_use]
    pub fn of(trace: &Trace, shown: &View, topology: &Topology) -> Self {
        let coordinator = shown.declared.is_some().then(|| COORDINATOR.to_owned());
        let lines = coordinator.into_iter().chain(topology.names().map(ToOwned::to_owned));
        let mut builder = Builder::new(lines.collect(), trace.steps.len(), shown.checkpoint);
        for step in &trace.steps {
            builder.add(step);
        }
        let channels = shown.channels.iter().map(|channel| note(channel, topology)).collect();
        builder.finish(channels)
    }
}

fn note(channel: &ChannelView, topology: &Topology) -> ChannelNote {
    let recorded = channel.received_before_record.is_some();
    ChannelNote {
        channel: topology.channel_name(channel.channel),
        recording: recorded.then(|| channel.recording.clone()),
        cut: channel.cut(),
        orphan: !judge_channel(Claim::ConsistentCut, channel),
    }
}

struct Builder {
    picture: SpaceTime,
    /// The one whose records make the cut.
    checkpoint: u16,
    /// Per flow, the arrows that have not arrived, in order.
    in_flight: BTreeMap<(usize, usize), VecDeque<usize>>,
}

impl Builder {
    fn new(lines: Vec<String>, steps: usize, checkpoint: u16) -> Self {
        let recorded = vec![None; lines.len()];
        let picture = SpaceTime {
            lines,
            steps,
            arrows: Vec::new(),
            events: Vec::new(),
            recorded,
            blocked: Vec::new(),
            failovers: Vec::new(),
            channels: Vec::new(),
        };
        Self { picture, checkpoint, in_flight: BTreeMap::new() }
    }

    fn line(&self, name: &str) -> usize {
        let found = self.picture.lines.iter().position(|line| line == name);
        found.expect("a trace names only processes and the coordinator")
    }

    fn add(&mut self, step: &TraceStep) {
        match step.action {
            ActionKind::FailOver => return self.fail_over(step),
            ActionKind::LoseNotice => return self.lose(COORDINATOR, step),
            ActionKind::Lose => return self.lose(step.from.as_deref().unwrap_or_default(), step),
            ActionKind::Duplicate => return self.double(step),
            _ => {}
        }
        let at = Point { line: self.line(&step.process), step: step.step };
        let waits =
            step.action == ActionKind::Arrive && !step.effects.contains(&Effect::JumpsAhead);
        if let Some(from) = step.from.as_ref().or(sender(step)).filter(|_| !waits) {
            let arrow = self.arrive(from, step);
            self.picture.arrows[arrow].received = Some(at.step);
        }
        let label = match step.action {
            ActionKind::Begin => Some("begins".to_owned()),
            ActionKind::Internal | ActionKind::Turn => Some(step.content.clone()),
            ActionKind::Finish => Some("finishes".to_owned()),
            ActionKind::Abort => Some(format!("aborts {}", step.content).trim().to_owned()),
            ActionKind::Transmit => Some(format!("{} goes out", step.arrival())),
            ActionKind::Arrive if waits => Some(format!("{} is in", step.arrival())),
            _ => None,
        };
        self.picture.events.extend(label.map(|label| Event { at, label }));
        if let (ActionKind::Send, Some([_, target])) = (step.action, &step.channel) {
            self.send(at, target, Sent::Message(step.message.unwrap_or_default()));
        }
        for effect in &step.effects {
            self.effect(at, effect);
        }
    }

    /// All that is in flight is gone, and what was blocked is read again; channels hold what the
    /// checkpoint does.
    fn fail_over(&mut self, step: &TraceStep) {
        for arrow in std::mem::take(&mut self.in_flight).into_values().flatten() {
            self.picture.arrows[arrow].lost = Some(step.step);
        }
        let open = self.picture.blocked.iter_mut().filter(|blocked| blocked.until.is_none());
        open.for_each(|blocked| blocked.until = Some(step.step));
        for effect in &step.effects {
            match effect {
                Effect::Restores { checkpoint } => {
                    let to = match checkpoint {
                        0 => "the start".to_owned(),
                        number => format!("checkpoint {number}"),
                    };
                    self.picture.failovers.push((step.step, format!("FAILOVER to {to}")));
                }
                Effect::Replays { channel: [source, target], messages } => {
                    let from = Point { line: self.line(source), step: step.step };
                    for &message in messages {
                        self.send(from, target, Sent::Message(message));
                    }
                }
                Effect::Commits { sink, records } => {
                    let at = Point { line: self.line(sink), step: step.step };
                    self.commit(at, records);
                }
                _ => {}
            }
        }
    }

    fn commit(&mut self, at: Point, records: &[String]) {
        let label = format!("commits {}", records.iter().join(", "));
        self.picture.events.push(Event { at, label });
    }

    fn lose(&mut self, from: &str, step: &TraceStep) {
        let arrow = self.arrive(from, step);
        self.picture.arrows[arrow].lost = Some(step.step);
    }

    /// A second arrow begins where the first does, and arrives next.
    fn double(&mut self, step: &TraceStep) {
        let from = step.from.as_deref().unwrap_or_default();
        let arrow = self.arrive(from, step);
        let copy = self.picture.arrows.len();
        let doubled = Some(step.step);
        self.picture.arrows.push(Arrow { doubled, ..self.picture.arrows[arrow].clone() });
        let flow = self.in_flight.entry((self.line(from), self.line(&step.process))).or_default();
        flow.push_front(copy);
        flow.push_front(arrow);
    }

    /// The arrow that ends in this step: of those that show what the step is about, the first that was
    /// sent. No longer in flight.
    fn arrive(&mut self, from: &str, step: &TraceStep) -> usize {
        let lines = (self.line(from), self.line(&step.process));
        let what = step.arrival();
        let flow = self.in_flight.entry(lines).or_default();
        let place = flow.iter().position(|&arrow| self.picture.arrows[arrow].what == what);
        place.and_then(|place| flow.remove(place)).expect("what arrives was sent")
    }

    fn send(&mut self, from: Point, to: &str, what: Sent) {
        let to_line = self.line(to);
        let (received, lost, doubled, crossing) = (None, None, None, Crossing::None);
        let arrow = Arrow { what, from, to_line, received, lost, doubled, crossing };
        self.in_flight
            .entry((from.line, to_line))
            .or_default()
            .push_back(self.picture.arrows.len());
        self.picture.arrows.push(arrow);
    }

    fn effect(&mut self, at: Point, effect: &Effect) {
        let name = |[source, target]: &[String; 2]| format!("{source}→{target}");
        match effect {
            Effect::Records { checkpoint, .. } if checkpoint.unwrap_or(1) == self.checkpoint => {
                self.picture.recorded[at.line] = Some(at.step);
            }
            Effect::Records { checkpoint, .. } => {
                let label = format!("records {}", checkpoint.unwrap_or(1));
                self.picture.events.push(Event { at, label });
            }
            Effect::Commits { records, .. } => self.commit(at, records),
            Effect::Pauses | Effect::Resumes => {
                self.picture.events.push(Event { at, label: effect.to_string() });
            }
            Effect::Sends { what, to } => {
                for receiver in to {
                    self.send(at, receiver, what.clone());
                }
            }
            Effect::Blocks { channel } => self.picture.blocked.push(Blocked {
                line: at.line,
                channel: name(channel),
                from: at.step,
                until: None,
            }),
            Effect::Unblocks { channel } => {
                let name = name(channel);
                let mut open = self.picture.blocked.iter_mut();
                if let Some(open) = open.find(|b| b.until.is_none() && b.channel == name) {
                    open.until = Some(at.step);
                }
            }
            Effect::Declares { checkpoint } => {
                let number = checkpoint.map(|number| format!(" of {number}")).unwrap_or_default();
                let label = format!("declares completion{number}");
                self.picture.events.push(Event { at, label });
            }
            Effect::Stores { .. }
            | Effect::Closes { .. }
            | Effect::JumpsAhead
            | Effect::Abandons { .. }
            | Effect::Restores { .. }
            | Effect::Replays { .. } => {}
        }
    }

    fn finish(mut self, channels: Vec<ChannelNote>) -> SpaceTime {
        let recorded = self.picture.recorded.clone();
        for arrow in &mut self.picture.arrows {
            if matches!(arrow.what, Sent::Message(_)) {
                arrow.crossing = crossing(arrow, &recorded);
            }
        }
        self.picture.arrows.sort_by_key(|arrow| arrow.from.step);
        self.picture.channels = channels;
        self.picture
    }
}

/// Who sent what a step reads from a queue.
fn sender(step: &TraceStep) -> Option<&String> {
    let reads = matches!(
        step.action,
        ActionKind::Receive | ActionKind::ReceiveControl | ActionKind::ReceiveEnd
    );
    step.channel.as_ref().filter(|_| reads).map(|[source, _]| source)
}

fn crossing(arrow: &Arrow, recorded: &[Option<usize>]) -> Crossing {
    let (Some(source), Some(target)) = (recorded[arrow.from.line], recorded[arrow.to_line]) else {
        return Crossing::None;
    };
    let sent_before = arrow.from.step < source;
    // What arrives in the step of the record is not in it: the algorithm's part of a step is first.
    let received_before = arrow.received.is_some_and(|step| step < target);
    match (sent_before, received_before) {
        (true, false) => Crossing::Forward,
        (false, true) => Crossing::Backward,
        _ => Crossing::None,
    }
}

/// The numbers of recorded messages, as a list.
fn listed(recording: &[u16]) -> String {
    recording.iter().join(", ")
}
