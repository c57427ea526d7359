//! `snapcheck sweep`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use itertools::Itertools;

use super::check::Format;
use super::progress::Line;
use super::{Bounds, Failure, positive, say, threads};
use crate::check::Status;
use crate::diagnostic::Diagnostic;
use crate::instance::{Field, MAX_SCRIPT_STEPS, find_algorithm};
use crate::models::classes::MAX_ENUMERATED;
use crate::models::process::AlgorithmInfo;
use crate::registry::Registry;
use crate::render::sweep as render;
use crate::render::text::thousands;
use crate::sweep::{Options, Standing, sweep};

#[derive(Args)]
pub(super) struct Arguments {
    /// The algorithms, separated by commas; by default all, or a user's own.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    algorithms: Vec<String>,
    /// The most processes of a topology.
    #[arg(long, value_name = "N", default_value = "3", value_parser = processes, allow_negative_numbers = true)]
    processes: usize,
    /// Messages that each process sends on each of its outputs.
    #[arg(long, value_name = "K", default_value = "1", value_parser = messages, allow_negative_numbers = true)]
    messages: u16,
    /// Also topologies in which processes have channels to themselves.
    #[arg(long)]
    self_channels: bool,
    /// Who tells the initiators to begin.
    #[arg(long, value_enum, value_name = "WHO", default_value = "none")]
    coordinator: CoordinatorName,
    /// Keep results in this file as they come, and go on from those that it holds. It knows algorithms
    /// by name: after changing one, begin another file.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Instances that are searched at a time; by default as many as there are cores.
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    threads: Option<u64>,
    #[command(flatten)]
    bounds: Bounds,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CoordinatorName {
    /// Nobody: they begin by themselves.
    None,
    /// An actor of its own.
    Central,
}

fn processes(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MAX_ENUMERATED).contains(number));
    number.ok_or_else(|| format!("give a number from 1 to {MAX_ENUMERATED}"))
}

fn messages(text: &str) -> Result<u16, String> {
    let number = text.parse().ok().filter(|&number| number <= MAX_SCRIPT_STEPS);
    number.ok_or_else(|| format!("give a number from 0 to {MAX_SCRIPT_STEPS}"))
}

pub(super) fn run(registry: &Registry, arguments: &Arguments) -> Result<Status, Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let options = Options {
        algorithms: algorithms(registry, &arguments.algorithms)?,
        processes: arguments.processes,
        self_channels: arguments.self_channels,
        messages: arguments.messages,
        central: arguments.coordinator == CoordinatorName::Central,
        limits: arguments.bounds.limits(),
        threads: threads(arguments.threads.unwrap_or_else(cores)),
    };
    let line = Line::new("sweep");
    let show = |standing: Standing| {
        line.say(&format!(
            "{} of {} instances, {} states",
            thousands(standing.done as u64),
            thousands(standing.total as u64),
            thousands(standing.states)
        ));
    };
    let report = sweep(registry, &options, arguments.results.as_deref(), &show)?;
    drop(line);
    match arguments.format {
        Format::Text => say(render::text(&report).trim_end())?,
        Format::Json => say(render::json(&report))?,
    }
    Ok(report.status())
}

fn algorithms(registry: &Registry, named: &[String]) -> Result<Vec<AlgorithmInfo>, Diagnostic> {
    let infos = registry.infos();
    match (named, registry.variant()) {
        ([], Some(own)) => Ok(vec![own]),
        ([], None) => Ok(registry.algorithms()),
        (named, _) => {
            let fields = named.iter().map(|name| Field::option("--algorithms", name.trim()));
            let found = fields.map(|field| find_algorithm(&field, &infos));
            let found = found.collect::<Result<Vec<_>, _>>()?;
            Ok(found.into_iter().unique_by(|info| info.name).collect())
        }
    }
}
