//! The application `stream` as it is written: `stream = { records = 2, ship = { "p -> q" = "hash" } }`.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;

use super::draft::{Field, bounded, find_processes};
use super::script_notation::known_processes;
use crate::diagnostic::{Diagnostic, Place};
use crate::models::applications::Stream;
use crate::models::applications::stream::{MAX_ARRIVALS, Shipping, Unfit};
use crate::models::topology::{Channel, ChannelId, ProcessId, Topology};

/// A stream as it was written.
#[derive(Clone, Debug)]
pub struct DraftStream {
    /// How many records each source emits.
    pub records: Field<i64>,
    /// How some channels are shipped.
    pub ship: Vec<(Field, Field)>,
    /// The sources; by default the processes without inputs, where there are none the initiators.
    pub sources: Option<Field<Vec<Field>>>,
    /// Where it was written.
    pub place: Place,
}

/// Builds a stream, and says in a few words what it is.
pub(super) fn build_stream(
    draft: &DraftStream,
    topology: &Topology,
    initiators: &BTreeSet<ProcessId>,
) -> Result<(Stream, String), Diagnostic> {
    let records = bounded(&draft.records, "records")?;
    let mut shipping = BTreeMap::new();
    for (channel, how) in &draft.ship {
        let found = find_channel(channel, topology)?;
        if shipping.insert(found, find_shipping(how)?).is_some() {
            return Err(Diagnostic::at(
                &channel.place,
                format!("{} is named twice", topology.channel_name(found)),
                "name each channel once",
            ));
        }
    }
    let sources = match &draft.sources {
        Some(field) => find_sources(field, topology)?,
        None if topology.sources().is_empty() => initiators.clone(),
        None => topology.sources(),
    };
    let stream = Stream::new(topology, records, &shipping, sources);
    let stream = stream.map_err(|unfit| refusal(unfit, draft, topology))?;
    let words = words(&stream, topology);
    Ok((stream, words))
}

fn find_channel(field: &Field, topology: &Topology) -> Result<ChannelId, Diagnostic> {
    let Some((source, target)) = field.value.split_once("->") else {
        return Err(Diagnostic::at(
            &field.place,
            format!("`{}` is no channel", field.value),
            "write a channel as \"p -> q\"",
        ));
    };
    let ends = [source.trim(), target.trim()];
    if let Some(name) = ends.iter().find(|name| topology.process_named(name).is_none()) {
        return Err(Diagnostic::at(
            &field.place,
            format!("unknown process `{name}`"),
            known_processes(topology),
        ));
    }
    let [source, target] = ends.map(|name| topology.process_named(name));
    let channel = source.zip(target).and_then(|(p, q)| topology.channel_between(p, q));
    channel.ok_or_else(|| {
        Diagnostic::at(
            &field.place,
            format!("there is no channel {}→{}", ends[0], ends[1]),
            format!("add `{} -> {}` to the topology, or ship another channel", ends[0], ends[1]),
        )
    })
}

fn find_shipping(field: &Field) -> Result<Shipping, Diagnostic> {
    Shipping::named(&field.value).ok_or_else(|| {
        Diagnostic::at(
            &field.place,
            format!("`{}` is no way to ship", field.value),
            "write forward, hash or broadcast, or hash 2 and so on for further groups that share",
        )
    })
}

fn find_sources(
    field: &Field<Vec<Field>>,
    topology: &Topology,
) -> Result<BTreeSet<ProcessId>, Diagnostic> {
    let sources = find_processes(field, topology, "source")?;
    if sources.is_empty() {
        return Err(Diagnostic::at(
            &field.place,
            "no sources: no record would ever be emitted",
            format!("name at least one; {}", known_processes(topology)),
        ));
    }
    Ok(sources)
}

/// Why there is no such stream, and what to do about it.
fn refusal(unfit: Unfit, draft: &DraftStream, topology: &Topology) -> Diagnostic {
    let of_sources = draft.sources.as_ref().map_or(&draft.place, |field| &field.place);
    match unfit {
        Unfit::ForwardBesideOthers(channel) => {
            let process = topology.name(topology.channel(channel).source);
            let written = draft.ship.iter().find(|(written, _)| {
                find_channel(written, topology).is_ok_and(|found| found == channel)
            });
            Diagnostic::at(
                written.map_or(&draft.place, |(_, how)| &how.place),
                format!(
                    "{} is shipped forward, but {process} has another output",
                    topology.channel_name(channel)
                ),
                format!("ship the outputs of {process} by hash or broadcast"),
            )
        }
        Unfit::Circles(process) => {
            let name = topology.name(process);
            Diagnostic::at(
                of_sources,
                format!("records would circle for ever: a cycle through {name} has no source"),
                format!("name a process of each cycle among the sources, for example {name}"),
            )
        }
        Unfit::TooManyArrivals(process) => Diagnostic::at(
            &draft.records.place,
            format!("more than {MAX_ARRIVALS} records would come to {}", topology.name(process)),
            "let the sources emit fewer, or ship by hash what is broadcast",
        ),
    }
}

fn words(stream: &Stream, topology: &Topology) -> String {
    let plural = if stream.records() == 1 { "" } else { "s" };
    let sources = stream.sources().iter().map(|&source| topology.name(source)).join(", ");
    let ways = topology.channels().map(|channel| stream.shipping(channel));
    let ways = ways.filter(|way| matches!(way, Shipping::Hash(_))).sorted().dedup();
    let hashed = ways.map(|way| {
        let sharing = topology.channels().filter(|&channel| stream.shipping(channel) == way);
        format!(", {} on {}", way.name(), sharing.map(|c| topology.channel_name(c)).join(", "))
    });
    let hashed = hashed.collect::<String>();
    format!("stream, {} record{plural} of {sources}{hashed}", stream.records())
}

/// How a channel is named among those that are shipped.
pub(super) fn write_channel(topology: &Topology, channel: ChannelId) -> String {
    let Channel { source, target } = topology.channel(channel);
    format!("{} -> {}", topology.name(source), topology.name(target))
}
