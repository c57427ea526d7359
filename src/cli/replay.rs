//! `snapcheck replay`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::check::caption;
use super::output::Target;
use super::{Failure, say};
use crate::check::Status;
use crate::claims::decisive;
use crate::diagnostic::Diagnostic;
use crate::picture::{Setting, SpaceTime, svg};
use crate::registry::Registry;
use crate::render::{itf, replay, shiviz};
use crate::replay::Replay;
use crate::trace_file::{self, TraceFile};

#[derive(Args)]
pub(super) struct Arguments {
    /// A file that `check --save-trace` wrote.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write a space-time picture of the run into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
    /// The trace format of Apalache and Quint, for their viewers.
    Itf,
    /// A log for ShiViz; give it the parser (?<host>\S*) (?<clock>{.*})\n(?<event>.*)
    Shiviz,
}

pub(super) fn run(registry: &Registry, arguments: &Arguments) -> Result<Status, Failure> {
    let file = trace_file::read(&arguments.file, &registry.infos())?;
    let steps: Vec<_> = file.steps.iter().map(|step| step.value.clone()).collect();
    let runner = registry.runner(&file.instance);
    let replayed = match file.claim.needs_history() {
        true => runner.recall(&file.instance, &steps).ok_or_else(|| too_large(&file))?,
        false => runner.replay(&file.instance, &steps),
    };
    let replayed = replayed.map_err(|stuck| file.stuck(&stuck))?;
    if let Some(path) = &arguments.svg {
        draw(&file, &replayed, path)?;
    }
    match arguments.format {
        Format::Text => say(replay::text(&file, &replayed))?,
        Format::Json => say(replay::json(&file, &replayed))?,
        Format::Itf => say(itf::trace(&file.instance, file.claim, &replayed))?,
        Format::Shiviz => {
            say(shiviz::log(&file.instance.setup.topology, &replayed).trim_end())?;
        }
    }
    Ok(if replayed.decides(file.claim) { Status::AsExpected } else { Status::Deviates })
}

fn too_large(file: &TraceFile) -> Diagnostic {
    Diagnostic::general(
        format!("{} cannot be judged: the application has too many states", file.claim.name()),
        "give it fewer messages or processes",
    )
}

fn draw(file: &TraceFile, replayed: &Replay, path: &Path) -> Result<(), Diagnostic> {
    let topology = &file.instance.setup.topology;
    let caption = caption(file.claim, &replayed.trace, &file.instance);
    let picture = svg::draw(
        &SpaceTime::of(&replayed.trace, decisive(file.claim, &replayed.trace.last), topology),
        &caption,
        Setting::File,
    );
    Target::file("--svg", path)?.write(None, &picture)
}
