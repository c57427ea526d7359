//! An instance as it would be written: what a trace file must hold to build it again.

use std::collections::BTreeMap;

use serde::Serialize;

use super::script_notation::write_step;
use super::{ApplicationSpec, Instance, MAX_SCRIPT_STEPS};
use crate::models::applications::Script;
use crate::models::setup::Coordinator;
use crate::models::topology::Topology;

/// The values from which an instance is built, its expectations left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Name of the algorithm.
    pub algorithm: String,
    /// Notation of the topology.
    pub topology: String,
    /// Names of the initiators.
    pub initiators: Vec<String>,
    /// `none`, `central` or a process.
    pub coordinator: String,
    /// The application.
    pub application: WrittenApplication,
}

/// An application as it would be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum WrittenApplication {
    /// `script` with so many messages per channel.
    Messages {
        /// How many.
        messages: u16,
    },
    /// `script` with explicit steps.
    Steps {
        /// Steps per process.
        steps: BTreeMap<String, Vec<String>>,
        /// Initial assignments per process.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        initially: BTreeMap<String, Vec<String>>,
    },
}

impl Written {
    /// How `instance` would be written.
    #[must_use]
    pub fn of(instance: &Instance) -> Self {
        let topology = &instance.setup.topology;
        let name = |process| topology.name(process).to_owned();
        let ApplicationSpec::Script(script) = &instance.application;
        Self {
            name: instance.name.clone(),
            title: instance.title.clone(),
            algorithm: instance.algorithm.name.to_owned(),
            topology: instance.topology_text.clone(),
            initiators: instance.setup.initiators.iter().copied().map(name).collect(),
            coordinator: match instance.setup.coordinator {
                Coordinator::None => "none".to_owned(),
                Coordinator::Central => "central".to_owned(),
                Coordinator::Process(process) => name(process),
            },
            application: application(topology, script),
        }
    }
}

fn application(topology: &Topology, script: &Script) -> WrittenApplication {
    let longest = script.steps.iter().map(Vec::len).max().unwrap_or_default();
    let most = u16::try_from(longest).unwrap_or(MAX_SCRIPT_STEPS).min(MAX_SCRIPT_STEPS);
    let is_round_robin = |messages: &u16| Script::round_robin(topology, *messages) == *script;
    if let Some(messages) = (0..=most).find(is_round_robin) {
        return WrittenApplication::Messages { messages };
    }
    let per_process = |words: &dyn Fn(usize) -> Vec<String>| {
        let all = topology.processes().map(|p| (topology.name(p).to_owned(), words(p.index())));
        all.filter(|(_, words)| !words.is_empty()).collect()
    };
    WrittenApplication::Steps {
        steps: per_process(&|process| {
            script.steps[process].iter().map(|step| write_step(topology, step)).collect()
        }),
        initially: per_process(&|process| {
            let variables = script.initially[process].iter();
            variables.map(|(variable, value)| format!("{variable} := {value}")).collect()
        }),
    }
}
