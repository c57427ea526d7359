//! Space-time pictures of a run: a line per process, arrows from the true send to the true receive, the
//! record points joined into the cut.
//!
//! [`SpaceTime`] says what is to be seen; [`svg`] and [`unicode`] draw it. Beside them stand the pictures of
//! a comparison, [`hasse`] and [`chart`]. All of it is a function of the
//! trace, so that the same trace gives the same picture.

mod builder;
pub mod chart;
pub mod hasse;
mod labels;
mod route;
mod sheet;
pub mod svg;
pub mod unicode;

pub use sheet::{STYLE, Setting};

use itertools::Itertools;

use self::builder::Builder;
use crate::claims::judge_channel;
use crate::models::claim::Claim;
use crate::models::topology::Topology;
use crate::system::{ChannelView, Sent, Trace, View};

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
    /// The step in which it is put on the wire, if it waits in an output queue before.
    pub out: Option<usize>,
    /// The step in which it comes off the wire, if it waits in an input queue then.
    pub arrived: Option<usize>,
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

/// The numbers of recorded messages, as a list.
fn listed(recording: &[u16]) -> String {
    recording.iter().join(", ")
}
