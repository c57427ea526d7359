//! A violated claim in one sentence: what went wrong in the last state of its counterexample.

use itertools::Itertools;

use crate::claims;
use crate::models::claim::{Claim, Kind};
use crate::models::topology::{Channel, Topology};
use crate::system::{
    Amounts, ChannelView, EffectView, History, OutputView, Prevented, PropertyHistory, Queued, View,
};

/// Says what in a state violates `claim`. None for witnesses and for states that do not violate it.
#[must_use]
pub fn explain(claim: Claim, checkpoints: &[View], topology: &Topology) -> Option<String> {
    let state = claims::decisive(claim, checkpoints);
    if claim.kind() == Kind::Witness || claims::judge(claim, state) {
        return None;
    }
    let culprit = || state.channels.iter().find(|c| !claims::judge_channel(claim, c));
    match claim {
        Claim::ConsistentCut => cut(topology, culprit()?),
        Claim::ExactChannelState => channel_state(topology, culprit()?),
        Claim::MarkerArithmetic => arithmetic(topology, culprit()?),
        Claim::EmptyChannelState => non_empty(topology, state),
        Claim::CompletionIsReal => {
            let missing = missing(topology, state)?;
            Some(format!("the coordinator declared the snapshot complete, but {missing}"))
        }
        Claim::Terminates => Some(stuck(topology, state)),
        Claim::Conserved => {
            let Amounts { initial, recorded } = state.amounts?;
            let change = if recorded < initial { "lost" } else { "doubled" };
            Some(format!(
                "the snapshot holds {recorded} in all, of {initial} there were: {} {change}",
                recorded.abs_diff(initial)
            ))
        }
        Claim::Reachable => {
            let recorded = state.history.as_ref()?.recorded.as_ref()?;
            let words = match recorded.is_reached {
                false => {
                    "the application cannot come from its state before the first record to the \
                          recorded one"
                }
                true => "the application cannot come from the recorded state to its present one",
            };
            Some(words.to_owned())
        }
        Claim::StableProperty => {
            let recorded = state.history.as_ref()?.recorded.as_ref()?;
            recorded.properties.iter().find_map(undetected)
        }
        Claim::NonInterference => Some(interference(topology, state.history.as_ref()?)),
        Claim::ProofInvariant => invariant(topology, culprit()?),
        Claim::NeverBlocks => {
            let Some(c) = state.channels.iter().find(|c| c.blocked && c.readable > 0) else {
                return withheld(topology, state);
            };
            let Channel { target, .. } = topology.channel(c.channel);
            Some(format!(
                "{} in {}, which {} does not read from",
                messages_that(c.readable, "waits", "wait"),
                topology.channel_name(c.channel),
                topology.name(target),
            ))
        }
        Claim::ExactlyOnceState | Claim::AtLeastOnceState => {
            let wrong = |e: &&EffectView| match claim {
                Claim::ExactlyOnceState => e.on_state != e.expected,
                _ => e.on_state < e.expected,
            };
            let effect = state.effects.iter().find(wrong)?;
            Some(format!(
                "in the end {} has been applied {} at {}, and not {}",
                record(topology, effect),
                times(effect.on_state),
                topology.name(effect.process),
                times(effect.expected),
            ))
        }
        Claim::ExactlyOnceOutput | Claim::AtLeastOnceOutput => output(topology, state),
        _ => None,
    }
}

/// What of the output is wrong: something seen too often, or not seen that should be.
fn output(topology: &Topology, state: &View) -> Option<String> {
    let outputs = || state.effects.iter().filter_map(|effect| Some((effect, effect.output?)));
    if let Some((effect, output)) = outputs().find(|(e, output)| output.visible > e.expected) {
        return Some(format!(
            "{} is seen {} at {}, and should be {}",
            record(topology, effect),
            times(output.visible),
            topology.name(effect.process),
            times(effect.expected),
        ));
    }
    let missing = |(effect, output): &(&EffectView, OutputView)| match output.transactional {
        true => output.visible < output.covered,
        false => output.visible < effect.expected,
    };
    let (effect, output) = outputs().find(missing)?;
    let why = match output.transactional {
        true => "though a checkpoint covers it that the sink knows to be complete",
        false => "and no step is possible any more",
    };
    let (record, sink) = (record(topology, effect), topology.name(effect.process));
    Some(format!("{record} is seen {} at {sink}, {why}", times(output.visible)))
}

fn record(topology: &Topology, effect: &EffectView) -> String {
    format!("record {} of {}", effect.record.number, topology.name(effect.record.source))
}

fn times(count: u16) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

/// What is wrong with what a snapshot tells of a stable property, if anything is.
fn undetected(y: &PropertyHistory) -> Option<String> {
    let word = y.property.word();
    if !y.is_stable {
        Some(format!("a step of the application leads from a {word} state to one that is not"))
    } else if y.before && !y.recorded {
        Some(format!("the application was {word} before the first record, but is not as recorded"))
    } else if y.recorded && !y.present {
        Some(format!("the application is {word} as recorded, but is not"))
    } else {
        None
    }
}

fn interference(topology: &Topology, history: &History) -> String {
    match history.prevented {
        None => "the application by itself does not come to this state".to_owned(),
        Some(Prevented::Act(process)) => {
            format!("{} cannot take a step that it could take by itself", topology.name(process))
        }
        Some(Prevented::Receive(channel)) => {
            let Channel { target, .. } = topology.channel(channel);
            let (process, channel) = (topology.name(target), topology.channel_name(channel));
            format!("{process} cannot receive what is in {channel}, as it could by itself")
        }
    }
}

fn cut(topology: &Topology, c: &ChannelView) -> Option<String> {
    let (n, m) = c.cut()?;
    let Channel { source, target } = topology.channel(c.channel);
    let orphans = c.received().into_iter().filter(|&number| number > n).dedup().collect_vec();
    let (orphans, counts) = match c.identities {
        None => (numbers(n + 1, m), format!("m = {m} > n = {n}")),
        Some(_) => (recorded(&orphans), format!("n = {n}")),
    };
    Some(format!(
        "{} recorded after receiving {orphans} from {}, which {} sent only after it recorded ({counts})",
        topology.name(target),
        topology.channel_name(c.channel),
        topology.name(source),
    ))
}

fn channel_state(topology: &Topology, c: &ChannelView) -> Option<String> {
    let (n, m) = c.cut()?;
    let Channel { source, target } = topology.channel(c.channel);
    let received = c.received();
    let held = received.iter().chain(&c.recording).filter(|&&number| number <= n);
    if let Some(twice) = held.duplicates().next() {
        return Some(format!(
            "message {twice} of {} is twice in what {} had received when it recorded and in the recording",
            topology.channel_name(c.channel),
            topology.name(target),
        ));
    }
    let missing = (1..=n).filter(|number| !received.contains(number)).collect_vec();
    let should = match c.identities {
        None if n > m => numbers(m + 1, n),
        _ => recorded(&missing),
    };
    Some(format!(
        "the recording of {} is closed with {} but should hold {should}: what {} sent before it \
         recorded and {} had not received when it did",
        topology.channel_name(c.channel),
        recorded(&c.recording),
        topology.name(source),
        topology.name(target),
    ))
}

fn arithmetic(topology: &Topology, c: &ChannelView) -> Option<String> {
    let (n, m) = c.cut()?;
    let shown = |count: Option<u16>| count.map_or("none".to_owned(), |count| count.to_string());
    Some(format!(
        "on {}: n = {n}, n' = {}, m = {m}, m' = {}, and {} recorded",
        topology.channel_name(c.channel),
        shown(c.sent_before_marker),
        shown(c.left_out),
        messages(c.recording.len()),
    ))
}

fn invariant(topology: &Topology, c: &ChannelView) -> Option<String> {
    let broken = claims::INVARIANT.iter().find(|condition| !(condition.holds)(c))?;
    let queued = |queued: &Queued| queued.message().map_or("marker".to_owned(), |n| n.to_string());
    let side = |now: u16, cut: Option<u16>| {
        cut.map_or(now.to_string(), |cut| format!("{now}, {cut} before the record"))
    };
    Some(format!(
        "on {} this is not true: {} (sent {}; received {}; in the channel [{}]; {} [{}])",
        topology.channel_name(c.channel),
        broken.words,
        side(c.sent_now, c.sent_before_record),
        side(c.received_now, c.received_before_record),
        c.queue.iter().map(queued).join(", "),
        if c.closed { "recorded and closed" } else { "recorded so far" },
        c.recording.iter().join(", "),
    ))
}

fn non_empty(topology: &Topology, state: &View) -> Option<String> {
    if let Some(c) = state.channels.iter().find(|c| !c.recording.is_empty()) {
        let name = topology.channel_name(c.channel);
        return Some(format!("the recording of {name} holds {}", recorded(&c.recording)));
    }
    let unequal = |c: &&ChannelView| {
        c.cut().is_some_and(|(n, m)| n != m || !c.received().into_iter().eq(1..=n))
    };
    let c = state.channels.iter().find(unequal)?;
    let (n, m) = c.cut()?;
    let Channel { source, target } = topology.channel(c.channel);
    Some(format!(
        "on {} nothing was recorded, but {} had sent {n} and {} received {m} when they recorded",
        topology.channel_name(c.channel),
        topology.name(source),
        topology.name(target),
    ))
}

/// What an incomplete snapshot lacks.
fn missing(topology: &Topology, state: &View) -> Option<String> {
    let unrecorded = topology.processes().find(|p| !state.recorded[p.index()]);
    if let Some(process) = unrecorded {
        return Some(format!("{} has not recorded", topology.name(process)));
    }
    let open = state.channels.iter().find(|c| !c.closed)?;
    Some(format!("the recording of {} is not closed", topology.channel_name(open.channel)))
}

/// Whose application is held back, if anybody's is.
fn withheld(topology: &Topology, state: &View) -> Option<String> {
    let process = topology.processes().find(|p| state.withheld[p.index()])?;
    Some(format!("{} is paused, and may not take the step that it could", topology.name(process)))
}

fn stuck(topology: &Topology, state: &View) -> String {
    // What was ended need not be complete; but nobody may wait for it.
    let missing = missing(topology, state).filter(|_| !state.abandoned);
    let what = if let Some(missing) = missing {
        missing
    } else if let Some(c) = state.channels.iter().find(|c| c.in_flight() > 0) {
        format!(
            "{} in {}",
            messages_that(c.in_flight(), "is stuck", "are stuck"),
            topology.channel_name(c.channel)
        )
    } else if let Some(c) = state.channels.iter().find(|c| c.blocked) {
        format!("{} stays blocked", topology.channel_name(c.channel))
    } else if let Some(withheld) = withheld(topology, state) {
        withheld
    } else {
        "the coordinator has not declared the snapshot complete".to_owned()
    };
    format!("no step is possible any more, but {what}")
}

fn messages(count: usize) -> String {
    format!("{count} message{}", if count == 1 { "" } else { "s" })
}

fn messages_that(count: usize, one: &str, several: &str) -> String {
    format!("{} {}", messages(count), if count == 1 { one } else { several })
}

fn numbers(first: u16, last: u16) -> String {
    if first == last { format!("message {first}") } else { format!("messages {first} to {last}") }
}

fn recorded(recording: &[u16]) -> String {
    match recording {
        [] => "nothing".to_owned(),
        [one] => format!("message {one}"),
        several => format!("messages {}", several.iter().join(", ")),
    }
}
