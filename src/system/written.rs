//! A snapshot written out: its numbers, and in words what the application adds to them, so that another
//! model of the same system can be held against it.

use serde::Serialize;

use super::model::SystemModel;
use super::observer::Observer;
use crate::models::application::Application;
use crate::models::recording::{Message, Outcome};

/// A complete snapshot, whatever the types of its application. Ordered by its numbers, process by process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct WrittenSnapshot {
    /// Per process, what it saved.
    pub processes: Vec<WrittenProcess>,
    /// Per channel, in the topology's order, the numbers of the messages saved as its state, in order.
    pub channels: Vec<Vec<u16>>,
    /// Per channel, what each of those messages carries, in words; empty where all are only messages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<Vec<String>>,
    /// Per channel, for which other checkpoints the sender of each of them had recorded; empty where no
    /// message says so of any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub red_for: Vec<Vec<Vec<u16>>>,
}

/// What one process saved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct WrittenProcess {
    /// Per output, in the topology's order, how many messages it had sent (n).
    pub sent: Vec<u16>,
    /// Per input, in the topology's order, how many it had received (m).
    pub received: Vec<u16>,
    /// Per input, the numbers of those, ascending; empty where channels are FIFO: then they are the first m.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identities: Vec<Vec<u16>>,
    /// What else its application had in it, in words; empty if nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub state: String,
}

pub(super) fn written<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    outcome: &Outcome<P::State, P::Message>,
) -> WrittenSnapshot {
    let application = model.host().application();
    let saved = model.setup().topology.processes().zip(&outcome.processes);
    let processes = saved.map(|(process, saved)| WrittenProcess {
        sent: saved.sent.clone(),
        received: saved.received.clone(),
        identities: saved.identities.clone(),
        state: application.describe_state(process, &saved.state),
    });
    let mut contents = per_message(outcome, |m| application.describe_message(&m.content));
    if contents.iter().flatten().all(String::is_empty) {
        contents.clear();
    }
    let checkpoints = 1..=model.setup().checkpoints.count;
    let red_for =
        |m: &Message<_>| checkpoints.clone().filter(|&c| m.colour.is_red_for(c)).collect();
    let mut red_for: Vec<Vec<Vec<u16>>> = per_message(outcome, red_for);
    if red_for.iter().flatten().all(Vec::is_empty) {
        red_for.clear();
    }
    WrittenSnapshot {
        processes: processes.collect(),
        channels: per_message(outcome, |message| message.number),
        contents,
        red_for,
    }
}

/// Something of each message in the channels.
fn per_message<S, M, T>(outcome: &Outcome<S, M>, told: impl Fn(&Message<M>) -> T) -> Vec<Vec<T>> {
    outcome.channels.iter().map(|held| held.iter().map(&told).collect()).collect()
}
