//! What is to be seen of a run, gathered step by step.

use std::collections::{BTreeMap, VecDeque};

use itertools::Itertools;

use super::{Arrow, Blocked, COORDINATOR, ChannelNote, Crossing, Event, Point, SpaceTime};
use crate::system::{ActionKind, Effect, Sent, TraceStep};

/// A picture in the making.
pub(super) struct Builder {
    picture: SpaceTime,
    /// The one whose records make the cut.
    checkpoint: u16,
    /// Per flow, the arrows that have not arrived, in order.
    in_flight: BTreeMap<(usize, usize), VecDeque<usize>>,
}

impl Builder {
    pub(super) fn new(lines: Vec<String>, steps: usize, checkpoint: u16) -> Self {
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

    pub(super) fn add(&mut self, step: &TraceStep) {
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
        if let (ActionKind::Transmit, Some([_, target])) = (step.action, &step.channel) {
            let lines = (at.line, self.line(target));
            self.waiting(lines, &step.arrival(), |arrow| &mut arrow.out, at.step);
        }
        if let Some(from) = step.from.as_ref().filter(|_| waits) {
            let lines = (self.line(from), at.line);
            self.waiting(lines, &step.arrival(), |arrow| &mut arrow.arrived, at.step);
        }
        let label = match step.action {
            ActionKind::Begin => Some("begins".to_owned()),
            ActionKind::Internal | ActionKind::Turn => Some(step.content.clone()),
            ActionKind::Finish => Some("finishes".to_owned()),
            ActionKind::Abort => Some(format!("aborts {}", step.content).trim().to_owned()),
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

    /// The first of what shows `what` that has no such moment has it now.
    fn waiting(
        &mut self,
        lines: (usize, usize),
        what: &Sent,
        moment: impl Fn(&mut Arrow) -> &mut Option<usize>,
        step: usize,
    ) {
        let arrows = &mut self.picture.arrows;
        for &arrow in self.in_flight.entry(lines).or_default().iter() {
            let arrow = &mut arrows[arrow];
            if arrow.what == *what && moment(arrow).is_none() {
                *moment(arrow) = Some(step);
                return;
            }
        }
    }

    fn send(&mut self, from: Point, to: &str, what: Sent) {
        let to_line = self.line(to);
        let (out, arrived, received, lost, doubled) = (None, None, None, None, None);
        let crossing = Crossing::None;
        let arrow = Arrow { what, from, to_line, out, arrived, received, lost, doubled, crossing };
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
            Effect::Abandons { checkpoint } => {
                let number = checkpoint.map(|number| format!(" {number}")).unwrap_or_default();
                self.picture.events.push(Event { at, label: format!("abandons{number}") });
            }
            Effect::Stores { .. }
            | Effect::Closes { .. }
            | Effect::JumpsAhead
            | Effect::Restores { .. }
            | Effect::Replays { .. } => {}
        }
    }

    pub(super) fn finish(mut self, channels: Vec<ChannelNote>) -> SpaceTime {
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
