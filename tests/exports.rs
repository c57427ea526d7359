//! Replayed runs in the formats of other tools, held against the runs themselves.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use serde::Deserialize;

use snapcheck::check::{Options, Traces, check};
use snapcheck::instance::{Instance, bundled};
use snapcheck::models::claim::Claim;
use snapcheck::models::topology::{Channel, ChannelId};
use snapcheck::registry::Registry;
use snapcheck::render::{itf, shiviz};
use snapcheck::replay::Replay;
use snapcheck::system::{ActionKind, Effect, Sent, TraceStep};
use support::command::{run, stdout};

/// Every trace of a few instances, with and without a coordinator, replayed.
fn runs() -> Vec<(Instance, Claim, Replay)> {
    let registry = Registry::bundled();
    let named = [
        "general-literal/manager-apart",
        "general/manager-inside",
        "chandy-lamport/classic-three",
        "chandy-lamport/complete-2-k2",
        "flink-aligned/diamond",
        "flink-at-least-once/fan-in-2",
        "clock/in-flight",
    ];
    let instances = bundled::all(&registry.infos()).unwrap();
    let mut runs = Vec::new();
    for instance in instances.into_iter().filter(|i| named.contains(&i.name.as_str())) {
        let options = Options { traces: Traces::All, ..Options::default() };
        for found in check(&registry, &instance, &options, &|_| ()).claims {
            let Some(shown) = found.shown else { continue };
            let runner = registry.runner(&instance);
            let replayed = runner.replay(&instance, &shown.trace.steps).unwrap();
            runs.push((instance.clone(), found.claim, replayed));
        }
    }
    assert!(runs.len() > 30);
    runs
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Itf {
    #[serde(rename = "#meta")]
    meta: BTreeMap<String, String>,
    vars: Vec<String>,
    states: Vec<State>,
}

#[derive(Deserialize)]
struct Index {
    index: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    #[serde(rename = "#meta")]
    meta: Index,
    step: String,
    sent: Map<Integer>,
    received: Map<Integer>,
    in_flight: Map<Vec<String>>,
    recorded: Set,
    sent_before_record: Map<Integer>,
    received_before_record: Map<Integer>,
    recordings: Map<Vec<Integer>>,
    closed: Set,
    blocked: Set,
    declared: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Map<T> {
    #[serde(rename = "#map")]
    entries: Vec<(String, T)>,
}

impl<T> Map<T> {
    fn get(&self, key: &str) -> Option<&T> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    #[serde(rename = "#set")]
    elements: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Integer {
    #[serde(rename = "#bigint")]
    digits: String,
}

impl Integer {
    fn number(&self) -> u16 {
        self.digits.parse().unwrap()
    }
}

#[test]
fn itf_states_say_what_the_run_does() {
    for (instance, claim, replay) in runs() {
        let itf: Itf = serde_json::from_str(&itf::trace(&instance, claim, &replay)).unwrap();
        assert_eq!(itf.meta["format"], "ITF");
        assert_eq!(itf.meta["source"], instance.name);
        assert_eq!(itf.states.len(), replay.trace.steps.len() + 1);
        assert_eq!(itf.vars[0], "step");
        assert_eq!(itf.vars.len(), 10 + usize::from(replay.trace.last[0].declared.is_some()));
        for (index, state) in itf.states.iter().enumerate() {
            assert_eq!(state.meta.index, index);
            let words = index.checked_sub(1).map(|step| replay.trace.steps[step].to_string());
            assert_eq!(state.step, words.unwrap_or("the start".to_owned()));
            assert_eq!(state.declared, replay.views[index][0].declared);
            for channel in instance.setup.topology.channels() {
                one_channel(&instance, &replay, index, state, channel);
            }
        }
    }
}

/// Counts by the steps, contents by the counts, recordings by the view.
fn one_channel(
    instance: &Instance,
    replay: &Replay,
    index: usize,
    state: &State,
    channel: ChannelId,
) {
    let topology = &instance.setup.topology;
    let name = topology.channel_name(channel);
    let Channel { source, target } = topology.channel(channel);
    let view = &replay.views[index][0].channels[channel.index()];
    let ends = [topology.name(source).to_owned(), topology.name(target).to_owned()];
    let count = |kind| {
        let taken = replay.trace.steps[..index].iter();
        taken.filter(|step| step.action == kind && step.channel.as_ref() == Some(&ends)).count()
    };
    let (sent, received) = (state.sent.get(&name).unwrap(), state.received.get(&name).unwrap());
    assert_eq!(usize::from(sent.number()), count(ActionKind::Send));
    assert_eq!(usize::from(received.number()), count(ActionKind::Receive));
    let in_flight = state.in_flight.get(&name).unwrap();
    let messages = in_flight.iter().filter_map(|packet| packet.strip_prefix("message "));
    let messages: Vec<u16> = messages.map(|number| number.parse().unwrap()).collect();
    assert!(messages.iter().copied().eq(received.number() + 1..=sent.number()), "{name}");
    assert_eq!(messages.len(), view.in_flight());

    let number = |map: &Map<Integer>| map.get(&name).map(Integer::number);
    assert_eq!(number(&state.sent_before_record), view.sent_before_record);
    assert_eq!(number(&state.received_before_record), view.received_before_record);
    let recording = state.recordings.get(&name).unwrap().iter().map(Integer::number);
    assert!(recording.eq(view.recording.iter().copied()));
    assert_eq!(state.closed.elements.contains(&name), view.closed);
    assert_eq!(state.blocked.elements.contains(&name), view.blocked);
    let recorded = replay.views[index][0].recorded[source.index()];
    assert_eq!(state.recorded.elements.contains(topology.name(source)), recorded);
}

struct Event {
    host: String,
    clock: BTreeMap<String, u64>,
}

/// The log as ShiViz reads it by its two-line expression.
fn events(log: &str, steps: &[TraceStep]) -> Vec<Event> {
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines.len(), 2 * steps.len());
    let pairs = lines.chunks(2).zip(steps).map(|(pair, step)| {
        let (host, clock) = pair[0].split_once(' ').unwrap();
        assert_eq!((host, pair[1]), (step.process.as_str(), step.to_string().as_str()));
        Event { host: host.to_owned(), clock: serde_json::from_str(clock).unwrap() }
    });
    pairs.collect()
}

/// What a step sends: to whom, and what.
fn sends(step: &TraceStep) -> Vec<(String, Sent)> {
    let own = (step.action == ActionKind::Send)
        .then(|| (step.channel.clone().unwrap()[1].clone(), Sent::Message(step.message.unwrap())));
    let effects = step.effects.iter().flat_map(|effect| match effect {
        Effect::Sends { what, to } => to.iter().map(|to| (to.clone(), what.clone())).collect(),
        _ => Vec::new(),
    });
    own.into_iter().chain(effects).collect()
}

/// What a step receives: from whom, and what.
fn receives(step: &TraceStep) -> Option<(String, Sent)> {
    let what = match step.action {
        ActionKind::Receive => Sent::Message(step.message.unwrap()),
        ActionKind::ReceiveControl => Sent::Control(step.content.clone()),
        ActionKind::ReceiveStart => Sent::Start,
        ActionKind::ReceiveDone => Sent::Done,
        _ => return None,
    };
    Some((step.from.clone().unwrap(), what))
}

#[test]
fn shiviz_clocks_follow_the_messages() {
    let mut received = 0;
    for (instance, _, replay) in runs() {
        let steps = &replay.trace.steps;
        let events = events(&shiviz::log(&instance.setup.topology, &replay), steps);
        let mut last: BTreeMap<&str, &BTreeMap<String, u64>> = BTreeMap::new();
        for (index, event) in events.iter().enumerate() {
            let none = BTreeMap::new();
            let before = last.insert(&event.host, &event.clock).unwrap_or(&none);
            let of = |clock: &BTreeMap<String, u64>, host: &str| {
                clock.get(host).copied().unwrap_or_default()
            };
            assert_eq!(of(&event.clock, &event.host), of(before, &event.host) + 1);
            assert!(before.iter().all(|(host, count)| of(&event.clock, host) >= *count));

            // In these runs nothing is sent twice on one flow, so that what is sent tells which it is.
            let sender = receives(&steps[index]).map(|(from, what)| {
                let wanted = (steps[index].process.clone(), what);
                let is_send =
                    |step: &TraceStep| step.process == from && sends(step).contains(&wanted);
                let mut sends = (0..index).filter(|&earlier| is_send(&steps[earlier]));
                let send = sends.next().unwrap();
                assert_eq!(sends.next(), None);
                &events[send].clock
            });
            received += usize::from(sender.is_some());
            let least = sender.unwrap_or(&none);
            for (host, &count) in &event.clock {
                // Nothing is known but from the own past and from what is received.
                let known = of(before, host).max(of(least, host));
                let own = u64::from(*host == event.host);
                assert!(count == known.max(of(before, host) + own), "{host} in {}", instance.name);
            }
            assert!(least.iter().all(|(host, count)| of(&event.clock, host) >= *count));
        }
    }
    assert!(received > 100);
}

#[test]
fn the_front_page_as_a_log() {
    let saved = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces/overtaken.json");
    let output = run(&["replay", saved, "--format", "shiviz"]);
    assert_eq!(output.status.code(), Some(0));
    expect![[r#"
        coordinator {"coordinator":1}
        coordinator gives the instruction to begin: sends the start instruction to p, q
        p {"coordinator":1,"p":1}
        p receives the start instruction: RECORDS [sent 0 on p→q], sends marker to q, sends "done" to coordinator
        q {"coordinator":1,"p":1,"q":1}
        q consumes the marker on p→q: closes p→q as empty
        p {"coordinator":1,"p":2}
        p sends message 1 on p→q
        q {"coordinator":1,"p":2,"q":2}
        q receives message 1 from p→q
        q {"coordinator":1,"p":2,"q":3}
        q receives the start instruction: RECORDS [received 1 from p→q], sends "done" to coordinator
    "#]].assert_eq(&stdout(&output));
    let help = stdout(&run(&["replay", "--help"]));
    assert!(help.contains(shiviz::PARSER), "{help}");
    let itf = stdout(&run(&["replay", saved, "--format", "itf"]));
    assert_eq!(serde_json::from_str::<Itf>(&itf).unwrap().states.len(), 7);
}
