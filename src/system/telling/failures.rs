//! How a run is told where something fails, and what becomes visible outside.

use super::actor_name;
use crate::models::application::{Application, Record};
use crate::models::packet::Packet;
use crate::models::setup::Sinks;
use crate::models::topology::Topology;
use crate::system::failure::Action;
use crate::system::model::{SystemAction, SystemModel, SystemState, flows};
use crate::system::observer::Observer;
use crate::system::trace::{Effect, TraceStep};

/// What happens in a failure.
pub(super) fn failure_effects<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    action: &SystemAction<P>,
    after: &SystemState<P, O>,
    step: &mut TraceStep,
) {
    if *action != Action::FailOver {
        return;
    }
    let topology = &model.setup().topology;
    step.effects.push(Effect::Restores { checkpoint: after.incidents.restored });
    for ((source, target), packets) in flows(&after.actors.network) {
        let messages = packets.iter().filter_map(|packet| match packet {
            Packet::Message(message) => Some(message.number),
            _ => None,
        });
        let channel = [source, target].map(|actor| actor_name(topology, actor));
        step.effects.push(Effect::Replays { channel, messages: messages.collect() });
    }
}

/// What becomes visible by a commit.
pub(super) fn commit_effects<P: Application, O: Observer<P>>(
    model: &SystemModel<P, O>,
    before: &SystemState<P, O>,
    after: &SystemState<P, O>,
    effects: &mut Vec<Effect>,
) {
    if model.setup().sinks == Sinks::Plain {
        return;
    }
    let topology = &model.setup().topology;
    for process in topology.processes() {
        let sinks = [before, after].map(|state| state.process(process).sink.as_ref());
        let [Some(before), Some(after)] = sinks else { continue };
        let new = after.visible.iter().flat_map(|(record, &times)| {
            let known = before.visible.get(record).copied().unwrap_or(0);
            (known..times).map(|_| record_words(topology, *record))
        });
        let records: Vec<_> = new.collect();
        if !records.is_empty() {
            effects.push(Effect::Commits { sink: topology.name(process).to_owned(), records });
        }
    }
}

/// A record in words.
fn record_words(topology: &Topology, record: Record) -> String {
    format!("record {} of {}", record.number, topology.name(record.source))
}
