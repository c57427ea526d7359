//! A violated claim in one sentence: what went wrong in the last state of its counterexample.

use itertools::Itertools;

use crate::claims;
use crate::models::claim::{Claim, Kind};
use crate::models::topology::{Channel, Topology};
use crate::system::{Amounts, ChannelView, View};

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
        Claim::NeverBlocks => {
            let Some(c) = state.channels.iter().find(|c| c.blocked && c.in_flight > 0) else {
                return withheld(topology, state);
            };
            let Channel { target, .. } = topology.channel(c.channel);
            Some(format!(
                "{} in {}, which {} does not read from",
                messages_that(c.in_flight, "waits", "wait"),
                topology.channel_name(c.channel),
                topology.name(target),
            ))
        }
        _ => None,
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
    let what = if let Some(missing) = missing(topology, state) {
        missing
    } else if let Some(c) = state.channels.iter().find(|c| c.in_flight > 0) {
        format!(
            "{} in {}",
            messages_that(c.in_flight, "is stuck", "are stuck"),
            topology.channel_name(c.channel)
        )
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
