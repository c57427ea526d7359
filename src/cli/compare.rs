//! `snapcheck compare`.

use std::path::PathBuf;

use clap::Args;

use super::check::Format;
use super::output::Target;
use super::progress::Line;
use super::selection::{AdHocSetup, ad_hoc};
use super::{Failure, Search, say};
use crate::check::{Options, Status, Traces};
use crate::compare::{Side, compare};
use crate::engines::is_interrupted;
use crate::instance::DraftRecovery;
use crate::picture::Setting;
use crate::registry::Registry;
use crate::render::{comparison, diagram, html};
use crate::verdict::Verdict;

#[derive(Args)]
pub(super) struct Arguments {
    /// The algorithms to compare, separated by commas; by default all.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    algorithms: Vec<String>,
    /// The topology: "complete(2)" or "s0 -> op, s1 -> op".
    #[arg(long, value_name = "TOPOLOGY")]
    topology: String,
    #[command(flatten)]
    setup: AdHocSetup,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write a page with table, diagram, chart, and runs to step through.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the diagram and the chart into this folder, as hasse.svg and chart.svg.
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    search: Search,
}

pub(super) fn run(registry: &Registry, arguments: &Arguments) -> Result<Status, Failure> {
    let all = registry.algorithms().into_iter().map(|info| info.name.to_owned());
    let names: Vec<_> = match arguments.algorithms.as_slice() {
        [] => all.collect(),
        named => named.iter().map(|name| name.trim().to_owned()).collect(),
    };
    let instances = names
        .iter()
        .map(|name| {
            let recovery = DraftRecovery::default();
            let named = ("--algorithms", name.as_str());
            ad_hoc(registry, named, &arguments.topology, &arguments.setup, recovery)
        })
        .collect::<Result<Vec<_>, _>>()?;
    let page = arguments.html.as_deref().map(|path| Target::file("--html", path)).transpose()?;
    let pictures =
        arguments.svg.as_deref().map(|path| Target::folder("--svg", path)).transpose()?;
    let options = Options {
        engine: arguments.search.engine.into(),
        threads: arguments.search.thread_count(),
        limits: arguments.search.limits(),
        traces: Traces::None,
        ..Options::default()
    };
    let line = Line::new("compare");
    let compared = compare(registry, instances, &options, &|i| line.say(i.algorithm.name));
    drop(line);
    match arguments.format {
        Format::Text => {
            say(comparison::text(&compared).trim_end())?;
            if is_interrupted() {
                say("\nINTERRUPTED: what is left out or marked ? is open.")?;
            }
        }
        Format::Json => say(comparison::json(&compared))?,
    }
    if let Some(page) = page {
        page.write(None, &html::comparison(&compared))?;
    }
    if let Some(folder) = pictures {
        folder.write(Some("hasse.svg"), &diagram::hasse(&compared, Setting::File))?;
        folder.write(Some("chart.svg"), &diagram::chart(&compared, Setting::File))?;
    }
    let settled =
        |side: &Side| side.survey.is_some() && side.refinement.verdict() != Verdict::Inconclusive;
    Ok(if compared.sides.iter().all(settled) { Status::AsExpected } else { Status::Inconclusive })
}
