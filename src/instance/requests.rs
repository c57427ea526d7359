//! The application `requests` as it is written: who wants whose resource.

use std::sync::Arc;

use itertools::Itertools;

use super::ApplicationSpec;
use super::draft::{DraftRequests, Field, bounded, find_process};
use crate::diagnostic::Diagnostic;
use crate::models::applications::Requests;
use crate::models::topology::{ChannelId, ProcessId, Topology};

/// Validates the draft; the application with what it is in a few words.
pub(super) fn build(
    draft: &Field<DraftRequests>,
    topology: &Topology,
) -> Result<(ApplicationSpec, String), Diagnostic> {
    let rounds = draft.value.rounds.as_ref().map_or(Ok(1), |field| bounded(field, "rounds"))?;
    let mut wants = vec![Vec::new(); topology.process_count()];
    match &draft.value.wants {
        None => wants = Requests::of_neighbours(topology),
        Some(lists) => {
            for (process, owners) in lists {
                let process = find_process(process, topology)?;
                for owner in owners {
                    let channel = wanted(topology, process, owner)?;
                    let own: &mut Vec<_> = &mut wants[process.index()];
                    if own.contains(&channel) {
                        return Err(Diagnostic::at(
                            &owner.place,
                            format!("`{}` is wanted twice", owner.value),
                            "name each once",
                        ));
                    }
                    own.push(channel);
                }
            }
        }
    }
    if wants.iter().all(Vec::is_empty) {
        return Err(Diagnostic::at(
            &draft.place,
            "no process wants anything",
            "say who wants whose resource, as in requests = { wants = { p = [\"q\"], q = [\"p\"] } }; \
             they need channels both ways",
        ));
    }
    let words = words(topology, &wants, rounds);
    Ok((ApplicationSpec::Requests(Arc::new(Requests::new(topology, wants, rounds))), words))
}

/// The channel to the owner of what `process` wants.
fn wanted(topology: &Topology, process: ProcessId, owner: &Field) -> Result<ChannelId, Diagnostic> {
    let target = find_process(owner, topology)?;
    if target == process {
        return Err(Diagnostic::at(
            &owner.place,
            format!("`{}` takes its own resource first in any case", owner.value),
            "name others only",
        ));
    }
    let channel = |source, target: ProcessId| {
        topology.channel_between(source, target).ok_or_else(|| {
            let ends = [source, target].map(|end| topology.name(end));
            Diagnostic::at(
                &owner.place,
                format!("there is no channel {}→{}", ends[0], ends[1]),
                format!(
                    "add `{} -> {}` to the topology: requests need channels both ways",
                    ends[0], ends[1]
                ),
            )
        })
    };
    channel(target, process)?;
    channel(process, target)
}

fn words(topology: &Topology, wants: &[Vec<ChannelId>], rounds: u16) -> String {
    let owner = |&channel: &ChannelId| topology.name(topology.channel(channel).target);
    let listed = topology.processes().zip(wants).filter(|(_, wanted)| !wanted.is_empty());
    let wants = listed.map(|(process, wanted)| {
        format!("{} wants {}", topology.name(process), wanted.iter().map(owner).join(", then "))
    });
    let rounds = match rounds {
        1 => String::new(),
        rounds => format!(", {rounds} rounds"),
    };
    format!("requests, {}{rounds}", { wants }.join(", "))
}
