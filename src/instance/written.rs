//! An instance as it would be written: what a trace file must hold to build it again.

use std::collections::BTreeMap;

use serde::Serialize;

use super::network::write_network;
use super::script_notation::write_step;
use super::{ApplicationSpec, Instance};
use crate::models::applications::{Bank, Script};
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
    /// How channels work, unless they are FIFO.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
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
    /// `bank`.
    Bank {
        /// Accounts.
        bank: WrittenBank,
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

/// The accounts of a bank as they would be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenBank {
    /// What a process holds at the start.
    pub balance: u16,
    /// What some hold instead.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub balances: BTreeMap<String, u16>,
    /// How often each may transfer.
    pub transfers: u16,
}

impl Written {
    /// How `instance` would be written.
    #[must_use]
    pub fn of(instance: &Instance) -> Self {
        let topology = &instance.setup.topology;
        let name = |process| topology.name(process).to_owned();
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
            application: match &instance.application {
                ApplicationSpec::Script(script) => written_script(topology, script),
                ApplicationSpec::Bank(bank) => written_bank(topology, bank),
            },
            network: Some(instance.setup.network)
                .filter(|network| !network.is_fifo())
                .map(write_network),
        }
    }
}

fn written_bank(topology: &Topology, bank: &Bank) -> WrittenApplication {
    // As in an instance file, all may transfer equally often.
    let first = bank.accounts[0];
    let accounts = topology.processes().zip(&bank.accounts);
    let others = accounts.filter(|(_, account)| account.balance != first.balance);
    let bank = WrittenBank {
        balance: first.balance,
        balances: others.map(|(p, held)| (topology.name(p).to_owned(), held.balance)).collect(),
        transfers: first.transfers,
    };
    WrittenApplication::Bank { bank }
}

fn written_script(topology: &Topology, script: &Script) -> WrittenApplication {
    // If it sends so many messages on every output, then also the first process that has outputs.
    let sender = topology.processes().find(|&p| !topology.outputs(p).is_empty());
    let messages = sender.map_or(0, |p| script.steps[p.index()].len() / topology.outputs(p).len());
    if let Ok(messages) = u16::try_from(messages)
        && Script::round_robin(topology, messages) == *script
    {
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
