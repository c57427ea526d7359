//! A run in the Informal Trace Format of Apalache and Quint, for their viewers:
//! <https://apalache-mc.org/docs/adr/015adr-trace.html>.
//!
//! | variable | in each state |
//! |---|---|
//! | `step` | the step that led here, in words |
//! | `sent`, `received` | per channel, messages so far |
//! | `in_flight` | per channel, and per flow of the coordinator that is not empty, what is under way |
//! | `recorded` | the processes that have recorded |
//! | `sent_before_record` | per channel whose source has recorded: n |
//! | `received_before_record` | per channel whose target has recorded: m |
//! | `recordings` | per channel, the numbers of the recorded messages |
//! | `closed`, `blocked` | the channels whose recording has ended, that are not read from |
//! | `declared` | whether the coordinator has declared completion, if there is one |

use std::collections::BTreeMap;

use itertools::Itertools;
use serde_json::{Map, Value, json};

use crate::claims::newest;
use crate::instance::Instance;
use crate::models::claim::Claim;
use crate::models::topology::{Channel, ChannelId, Topology};
use crate::picture::{Arrow, SpaceTime};
use crate::replay::Replay;
use crate::system::{ChannelView, Sent, View};
use crate::trace_file::shown_verdict;

/// The run as one JSON object. `claim` is what it was found for.
#[must_use]
pub fn trace(instance: &Instance, claim: Claim, replay: &Replay) -> String {
    let topology = &instance.setup.topology;
    let picture = SpaceTime::of(&replay.trace, newest(&replay.trace.last), topology);
    let told = replay.trace.steps.iter().map(ToString::to_string);
    let told = std::iter::once("the start".to_owned()).chain(told);
    let states = replay.views.iter().zip(told).enumerate().map(|(step, (views, words))| {
        let mut variables = vec![("step", json!(words))];
        variables.extend(moving(topology, &picture, step));
        variables.extend(recorded(topology, newest(views)));
        variables
    });
    let states = states.collect_vec();
    let names = states.first().into_iter().flatten().map(|(name, _)| *name).collect_vec();
    let with_index = |(index, variables): (usize, Vec<Variable>)| {
        let meta = ("#meta", json!({ "index": index }));
        let all = std::iter::once(meta).chain(variables);
        all.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>()
    };
    let description =
        format!("{} {} by {}", claim.name(), shown_verdict(claim), instance.algorithm.name);
    json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": instance.name,
            "description": description,
        },
        "vars": names,
        "states": states.into_iter().enumerate().map(with_index).collect_vec(),
    })
    .to_string()
}

/// A variable and its value in a state.
type Variable = (&'static str, Value);

/// What has been sent and received after so many steps.
fn moving(topology: &Topology, picture: &SpaceTime, step: usize) -> Vec<Variable> {
    let line = |line: usize| picture.lines[line].as_str();
    let is_sent = |arrow: &&Arrow| arrow.from.step <= step;
    let is_received = |arrow: &Arrow| arrow.received.is_some_and(|received| received <= step);
    let count = |channel: ChannelId, counts: &dyn Fn(&Arrow) -> bool| {
        let Channel { source, target } = topology.channel(channel);
        let ends = (topology.name(source), topology.name(target));
        let here = |arrow: &&Arrow| (line(arrow.from.line), line(arrow.to_line)) == ends;
        let messages = picture.arrows.iter().filter(is_sent).filter(here);
        let messages = messages.filter(|arrow| matches!(arrow.what, Sent::Message(_)));
        integer(messages.filter(|arrow| counts(arrow)).count())
    };
    let mut in_flight: BTreeMap<String, Vec<Value>> =
        topology.channels().map(|c| (topology.channel_name(c), Vec::new())).collect();
    let is_in_flight = |arrow: &&Arrow| {
        let lost = arrow.lost.is_some_and(|lost| lost <= step);
        let not_yet = arrow.doubled.is_some_and(|doubled| doubled > step);
        !is_received(arrow) && !lost && !not_yet
    };
    for arrow in picture.arrows.iter().filter(is_sent).filter(is_in_flight) {
        let flow = format!("{}→{}", line(arrow.from.line), line(arrow.to_line));
        in_flight.entry(flow).or_default().push(json!(arrow.what.to_string()));
    }
    let in_flight = in_flight.into_iter().map(|(flow, packets)| (flow, json!(packets)));
    vec![
        ("sent", per_channel(topology, |c| Some(count(c, &|arrow| arrow.doubled.is_none())))),
        ("received", per_channel(topology, |c| Some(count(c, &is_received)))),
        ("in_flight", map(in_flight)),
    ]
}

/// What has been recorded in a state.
fn recorded(topology: &Topology, view: &View) -> Vec<Variable> {
    let of = |channel: ChannelId| &view.channels[channel.index()];
    let named = |holds: fn(&ChannelView) -> bool| {
        let channels = view.channels.iter().filter(|channel| holds(channel));
        set(channels.map(|channel| topology.channel_name(channel.channel)))
    };
    let recording = |channel: ChannelId| {
        let numbers = of(channel).recording.iter().map(|&number| integer(number));
        Some(json!(numbers.collect_vec()))
    };
    let processes = topology.processes().filter(|process| view.recorded[process.index()]);
    let mut variables = vec![
        ("recorded", set(processes.map(|p| topology.name(p).to_owned()))),
        ("sent_before_record", per_channel(topology, |c| of(c).sent_before_record.map(integer))),
        (
            "received_before_record",
            per_channel(topology, |c| of(c).received_before_record.map(integer)),
        ),
        ("recordings", per_channel(topology, recording)),
        ("closed", named(|channel| channel.closed)),
        ("blocked", named(|channel| channel.blocked)),
    ];
    variables.extend(view.declared.map(|declared| ("declared", json!(declared))));
    variables
}

fn per_channel(topology: &Topology, value: impl Fn(ChannelId) -> Option<Value>) -> Value {
    map(topology.channels().filter_map(|c| Some((topology.channel_name(c), value(c)?))))
}

fn map(entries: impl Iterator<Item = (String, Value)>) -> Value {
    json!({ "#map": entries.collect_vec() })
}

fn set(elements: impl Iterator<Item = String>) -> Value {
    json!({ "#set": elements.collect_vec() })
}

fn integer(number: impl ToString) -> Value {
    json!({ "#bigint": number.to_string() })
}
