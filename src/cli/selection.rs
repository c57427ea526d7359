//! Which instances a command is about: paths, names of bundled instances, or options that describe
//! one.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::diagnostic::{Diagnostic, Place};
use crate::instance::{
    Draft, DraftApplication, DraftChannels, DraftRecovery, Expectations, Field, Instance, bundled,
    file, standard,
};
use crate::registry::Registry;

/// Describes an instance without a file.
#[derive(Args)]
pub(super) struct AdHoc {
    /// The algorithm, for an instance without a file.
    #[arg(long, requires = "topology", value_name = "NAME")]
    algorithm: Option<String>,
    /// Its topology: "complete(3)" or "p -> q, q -> p".
    #[arg(long, requires = "algorithm", value_name = "TOPOLOGY")]
    topology: Option<String>,
    #[command(flatten)]
    setup: AdHocSetup,
    #[command(flatten)]
    recovery: AdHocRecovery,
}

/// Checkpoints and failures.
#[derive(Args)]
struct AdHocRecovery {
    /// How many checkpoints are taken; more than one needs a central coordinator.
    #[arg(long, requires = "topology", value_name = "C", allow_negative_numbers = true)]
    checkpoints: Option<i64>,
    /// How many may be under way at a time.
    #[arg(long, requires = "topology", value_name = "N", allow_negative_numbers = true)]
    overlapping: Option<i64>,
    /// How many the coordinator may end before they are complete.
    #[arg(long, requires = "topology", value_name = "N", allow_negative_numbers = true)]
    aborts: Option<i64>,
    /// How often the whole job may fail over; needs a central coordinator.
    #[arg(long, requires = "topology", value_name = "F", allow_negative_numbers = true)]
    failovers: Option<i64>,
    /// How many notices of completion may be lost.
    #[arg(long, requires = "topology", value_name = "N", allow_negative_numbers = true)]
    lost_notices: Option<i64>,
    /// How the sinks of a stream write: plain or transactional.
    #[arg(long, requires = "topology", value_name = "KIND")]
    sinks: Option<String>,
}

impl AdHocRecovery {
    fn draft(&self) -> DraftRecovery {
        let number = |name: &str, value: Option<i64>| {
            let place = |value: i64| Place::option(name, &value.to_string());
            value.map(|value| Field { value, place: place(value) })
        };
        DraftRecovery {
            checkpoints: number("--checkpoints", self.checkpoints),
            overlapping: number("--overlapping", self.overlapping),
            aborts: number("--aborts", self.aborts),
            failovers: number("--failovers", self.failovers),
            lost_notices: number("--lost-notices", self.lost_notices),
            sinks: self.sinks.as_deref().map(|kind| Field::option("--sinks", kind)),
        }
    }
}

/// What there is beside algorithm and topology.
#[derive(Args)]
pub(super) struct AdHocSetup {
    /// Messages that each process sends on each of its outputs.
    #[arg(
        long,
        requires = "topology",
        value_name = "K",
        default_value = "1",
        allow_negative_numbers = true
    )]
    messages: String,
    /// What the processes do instead, as in an instance file: "bank = { balance = 1, transfers = 2 }"
    /// or "requests = {}".
    #[arg(long, requires = "topology", value_name = "TOML", conflicts_with = "messages")]
    application: Option<String>,
    /// Who may begin, separated by commas; by default as the algorithm says.
    #[arg(long, requires = "topology", value_name = "PROCESSES")]
    initiators: Option<String>,
    /// Who tells them to: none, central, or a process.
    #[arg(long, requires = "topology", value_name = "WHO")]
    coordinator: Option<String>,
    /// How channels work: fifo, unordered, lossy(D) or duplicating(D), with at most D faults.
    #[arg(long, requires = "topology", value_name = "NETWORK")]
    network: Option<String>,
    /// Gives every channel a queue at each end: what is sent waits to be put on the wire, what has arrived
    /// to be read.
    #[arg(long, requires = "topology")]
    buffers: bool,
    /// Bounds each queue to so many messages.
    #[arg(long, requires = "buffers", value_name = "MESSAGES", allow_negative_numbers = true)]
    capacity: Option<i64>,
    /// Who may finish when it has nothing left to do, separated by commas.
    #[arg(long, requires = "topology", value_name = "PROCESSES")]
    may_finish: Option<String>,
}

impl AdHoc {
    /// The instance that the options describe, if they do.
    pub(super) fn instance(&self, registry: &Registry) -> Result<Option<Instance>, Diagnostic> {
        let (Some(algorithm), Some(topology)) = (&self.algorithm, &self.topology) else {
            return Ok(None);
        };
        let recovery = self.recovery.draft();
        ad_hoc(registry, ("--algorithm", algorithm), topology, &self.setup, recovery).map(Some)
    }
}

/// An instance from options; `algorithm` is its option and its name.
pub(super) fn ad_hoc(
    registry: &Registry,
    algorithm: (&str, &str),
    topology: &str,
    setup: &AdHocSetup,
    recovery: DraftRecovery,
) -> Result<Instance, Diagnostic> {
    let draft = Draft {
        name: "ad hoc".to_owned(),
        title: String::new(),
        algorithm: Field::option(algorithm.0, algorithm.1),
        topology: Field::option("--topology", topology),
        initiators: setup.initiators.as_deref().map(|text| processes("--initiators", text)),
        coordinator: setup.coordinator.as_deref().map(|c| Field::option("--coordinator", c)),
        application: application(setup)?,
        recovery,
        network: setup.network.as_deref().map(|network| Field::option("--network", network)),
        channels: channels(setup),
        counts: Expectations::default(),
        claims: Vec::new(),
        only_when_named: false,
    };
    draft.build(&registry.infos())
}

fn application(setup: &AdHocSetup) -> Result<DraftApplication, Diagnostic> {
    if let Some(text) = &setup.application {
        return file::application("--application", text);
    }
    let place = Place::option("--messages", &setup.messages);
    let Ok(value) = setup.messages.trim().parse() else {
        return Err(Diagnostic::at(
            &place,
            format!("`{}` is no number of messages", setup.messages),
            "give a whole number, for example --messages 2",
        ));
    };
    Ok(DraftApplication::Messages(Field { value, place }))
}

fn channels(setup: &AdHocSetup) -> DraftChannels {
    let buffers =
        setup.buffers.then(|| Field { value: true, place: Place::option("--buffers", "") });
    let capacity = setup.capacity.map(|value| {
        let place = Place::option("--capacity", &value.to_string());
        Field { value, place }
    });
    let may_finish = setup.may_finish.as_deref().map(|text| processes("--may-finish", text));
    DraftChannels { buffers, capacity, may_finish }
}

/// The processes that an option names.
fn processes(option: &str, text: &str) -> Field<Vec<Field>> {
    let place = Place::option(option, text);
    let mut names = Vec::new();
    let mut start = 0;
    for part in text.split(',') {
        let name = part.trim();
        let offset = start + (part.len() - part.trim_start().len());
        let span = offset..offset + name.len();
        if !name.is_empty() {
            names.push(Field {
                value: name.to_owned(),
                place: Place { source: place.source.clone(), span },
            });
        }
        start += part.len() + 1;
    }
    Field { value: names, place }
}

/// The instances to check, and how many were left out because they are checked only when named.
pub(super) struct Selection {
    pub(super) instances: Vec<Instance>,
    pub(super) skipped: usize,
}

/// What is checked when nothing is named.
pub(super) fn default_instances(registry: &Registry) -> Result<Selection, Diagnostic> {
    match registry.variant() {
        Some(info) => Ok(Selection { instances: standard::of(info), skipped: 0 }),
        None => Ok(without_large(bundled::all(&registry.infos())?)),
    }
}

fn without_large(all: Vec<Instance>) -> Selection {
    let (large, instances): (Vec<_>, Vec<_>) = all.into_iter().partition(|i| i.only_when_named);
    Selection { instances, skipped: large.len() }
}

/// The instances that `arguments` name: files, folders of files, bundled instances or folders.
pub(super) fn named(registry: &Registry, arguments: &[String]) -> Result<Selection, Diagnostic> {
    let mut selection = Selection { instances: Vec::new(), skipped: 0 };
    for argument in arguments {
        let Selection { instances, skipped } = one_named(registry, argument)?;
        selection.instances.extend(instances);
        selection.skipped += skipped;
    }
    Ok(selection)
}

fn one_named(registry: &Registry, argument: &str) -> Result<Selection, Diagnostic> {
    let infos = registry.infos();
    let path = Path::new(argument);
    if path.is_dir() {
        let mut files = Vec::new();
        collect(path, &mut files)?;
        files.sort_unstable();
        if files.is_empty() {
            return Err(Diagnostic::general(
                format!("{argument} holds no instance files"),
                "instance files end in .toml",
            ));
        }
        let read = |file: &PathBuf| file::read(file, &name_below(path, file), &infos);
        return Ok(without_large(files.iter().map(read).collect::<Result<_, _>>()?));
    }
    if !path.exists() {
        let mut known = registry.variant().map(standard::of).unwrap_or_default();
        known.extend(bundled::all(&infos)?);
        let known = known_named(known, argument);
        if !known.instances.is_empty() {
            return Ok(known);
        }
    }
    let name = path.with_extension("").to_string_lossy().into_owned();
    Ok(Selection { instances: vec![file::read(path, &name, &infos)?], skipped: 0 })
}

/// A single known instance, or all in a folder of them.
fn known_named(all: Vec<Instance>, name: &str) -> Selection {
    let name = name.strip_suffix(".toml").unwrap_or(name).trim_end_matches('/');
    let folder = format!("{name}/");
    if let Some(instance) = all.iter().find(|instance| instance.name == name) {
        return Selection { instances: vec![instance.clone()], skipped: 0 };
    }
    without_large(all.into_iter().filter(|i| i.name.starts_with(&folder)).collect())
}

fn name_below(folder: &Path, file: &Path) -> String {
    let below = file.strip_prefix(folder).unwrap_or(file);
    below.with_extension("").to_string_lossy().replace('\\', "/")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Diagnostic> {
    let unreadable = |error: std::io::Error| {
        Diagnostic::general(
            format!("{} cannot be read: {error}", folder.display()),
            "give a folder that you may read",
        )
    };
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
