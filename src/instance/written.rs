//! An instance as it would be written: what a trace file must hold to build it again.

use std::collections::BTreeMap;

use serde::Serialize;

use super::network::write_network;
use super::script_notation::write_step;
use super::stream_notation::write_channel;
use super::{ApplicationSpec, Instance};
use crate::models::applications::stream::Shipping;
use crate::models::applications::{Bank, Requests, Script, Stream};
use crate::models::setup::{Checkpoints, Coordinator, Setup, Sinks};
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
    /// Checkpoints and failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<WrittenRecovery>,
    /// How channels work, unless they are FIFO.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// Queues, if channels have any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels: Option<WrittenChannels>,
    /// Names of those who may finish.
    #[serde(rename = "may-finish", skip_serializing_if = "Vec::is_empty")]
    pub may_finish: Vec<String>,
}

/// The queues of channels as they would be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenChannels {
    /// Whether there are any.
    pub buffers: bool,
    /// How many messages one has room for, if that is bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u16>,
}

/// The same as an instance file, values before tables.
#[derive(Serialize)]
struct WrittenFile<'w> {
    title: &'w str,
    algorithm: &'w str,
    topology: &'w str,
    initiators: &'w [String],
    coordinator: &'w str,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<&'w str>,
    application: &'w WrittenApplication,
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery: Option<&'w WrittenRecovery>,
}

/// Checkpoints and failures as they would be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct WrittenRecovery {
    /// How many checkpoints are taken.
    pub checkpoints: u16,
    /// How many may be under way at a time.
    pub overlapping: u16,
    /// How many the coordinator may end before they are complete, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aborts: Option<u16>,
    /// How often the job may fail over.
    pub failovers: u16,
    /// How many notices of completion may be lost.
    pub lost_notices: u16,
    /// `plain` or `transactional`.
    pub sinks: String,
}

impl WrittenRecovery {
    fn of(setup: &Setup) -> Option<Self> {
        let plain = setup.checkpoints == Checkpoints::default()
            && !setup.failures.are_possible()
            && setup.sinks == Sinks::Plain;
        (!plain).then(|| Self {
            checkpoints: setup.checkpoints.count,
            overlapping: setup.checkpoints.overlapping,
            aborts: Some(setup.checkpoints.aborts).filter(|&aborts| aborts > 0),
            failovers: setup.failures.failovers,
            lost_notices: setup.failures.lost_notices,
            sinks: match setup.sinks {
                Sinks::Plain => "plain".to_owned(),
                Sinks::Transactional => "transactional".to_owned(),
            },
        })
    }
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
    /// `stream`.
    Stream {
        /// Records, shipping and sources.
        stream: WrittenStream,
    },
    /// `requests`.
    Requests {
        /// Who wants what.
        requests: WrittenRequests,
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

/// A stream as it would be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenStream {
    /// How many records each source emits.
    pub records: u16,
    /// How channels are shipped, but by default.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub ship: BTreeMap<String, String>,
    /// Names of the sources.
    pub sources: Vec<String>,
}

/// The application `requests` as it would be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenRequests {
    /// Whose resources each process wants, in order.
    pub wants: BTreeMap<String, Vec<String>>,
    /// How often each begins.
    pub rounds: u16,
}

impl Written {
    /// As an instance file, which has its name from its path.
    ///
    /// # Panics
    /// Never: no value of an instance is beyond TOML.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let Self { name: _, title, algorithm, topology, initiators, coordinator, .. } = self;
        let file = WrittenFile {
            title,
            algorithm,
            topology,
            initiators,
            coordinator,
            network: self.network.as_deref(),
            application: &self.application,
            recovery: self.recovery.as_ref(),
        };
        toml::to_string(&file).expect("an instance has nothing that TOML has not")
    }

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
            recovery: WrittenRecovery::of(&instance.setup),
            application: match &instance.application {
                ApplicationSpec::Script(script) => written_script(topology, script),
                ApplicationSpec::Bank(bank) => written_bank(topology, bank),
                ApplicationSpec::Stream(stream) => written_stream(topology, stream),
                ApplicationSpec::Requests(requests) => written_requests(topology, requests),
            },
            network: Some(instance.setup.network)
                .filter(|network| !network.is_fifo())
                .map(write_network),
            channels: instance
                .setup
                .buffers
                .map(|buffers| WrittenChannels { buffers: true, capacity: buffers.capacity }),
            may_finish: instance.setup.ending.iter().copied().map(name).collect(),
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

fn written_stream(topology: &Topology, stream: &Stream) -> WrittenApplication {
    let by_default = |&c: &_| stream.shipping(c) == Shipping::default_of(topology, c);
    let shipped = topology.channels().filter(|channel| !by_default(channel));
    let shipped =
        shipped.map(|c| (write_channel(topology, c), stream.shipping(c).name())).collect();
    let sources = stream.sources().iter();
    let stream = WrittenStream {
        records: stream.records(),
        ship: shipped,
        sources: sources.map(|&source| topology.name(source).to_owned()).collect(),
    };
    WrittenApplication::Stream { stream }
}

fn written_requests(topology: &Topology, requests: &Requests) -> WrittenApplication {
    let owner = |&channel| topology.name(topology.channel(channel).target).to_owned();
    let listed = topology.processes().zip(&requests.wants).filter(|(_, wants)| !wants.is_empty());
    let wants = listed.map(|(process, wants)| {
        (topology.name(process).to_owned(), wants.iter().map(owner).collect())
    });
    let requests = WrittenRequests { wants: wants.collect(), rounds: requests.rounds };
    WrittenApplication::Requests { requests }
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
