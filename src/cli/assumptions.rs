//! `snapcheck assumptions`.

use clap::Args;

use super::check::Format;
use super::progress::Line;
use super::{Bounds, Failure, say};
use crate::assumptions::{NETWORKS, Options, TOPOLOGIES, assumptions};
use crate::check::Status;
use crate::diagnostic::{Diagnostic, Place};
use crate::instance::{Field, MAX_SCRIPT_STEPS, find_algorithm, find_network};
use crate::models::topology::Topology;
use crate::registry::Registry;
use crate::render::assumptions as render;

#[derive(Args)]
pub(super) struct Arguments {
    /// Only this algorithm, with its counterexamples; may be given several times.
    #[arg(long = "algorithm", value_name = "NAME")]
    algorithms: Vec<String>,
    /// Only this network: fifo, unordered, lossy(D) or duplicating(D); may be given several times.
    #[arg(long = "network", value_name = "NETWORK")]
    networks: Vec<String>,
    /// The topology: "complete(2)" or "p -> q"; may be given several times. A claim is shown where it
    /// falls in the fewest steps.
    #[arg(long = "topology", value_name = "TOPOLOGY", default_values = TOPOLOGIES)]
    topologies: Vec<String>,
    /// Messages that each process sends on each of its outputs.
    #[arg(
        long,
        value_name = "K",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(0..=i64::from(MAX_SCRIPT_STEPS)),
        allow_negative_numbers = true
    )]
    messages: u16,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    bounds: Bounds,
}

pub(super) fn run(registry: &Registry, arguments: &Arguments) -> Result<Status, Failure> {
    let infos = registry.infos();
    let algorithm = |name: &String| find_algorithm(&Field::option("--algorithm", name), &infos);
    let network = |name: &String| find_network(&Field::option("--network", name));
    let named = arguments.algorithms.iter().map(algorithm).collect::<Result<Vec<_>, _>>()?;
    let networks = arguments.networks.iter().map(network).collect::<Result<Vec<_>, _>>()?;
    let runs = !named.is_empty();
    let options = Options {
        algorithms: if runs { named } else { registry.algorithms() },
        topologies: arguments
            .topologies
            .iter()
            .map(|text| topology(text))
            .collect::<Result<_, _>>()?,
        networks: if networks.is_empty() { NETWORKS.to_vec() } else { networks },
        messages: arguments.messages,
        limits: arguments.bounds.limits(),
    };
    let line = Line::new("assumptions");
    let matrix = assumptions(registry, &options, &|instance| line.say(&instance.name));
    drop(line);
    match arguments.format {
        Format::Text => say(render::text(&matrix, runs).trim_end())?,
        Format::Json => say(render::json(&matrix))?,
    }
    Ok(matrix.status())
}

fn topology(text: &str) -> Result<(String, Topology), Diagnostic> {
    let topology = Topology::parse(text).map_err(|error| {
        let place = Place::option("--topology", text).within(text, error.span.clone());
        Diagnostic::at(&place, error.message, error.remedy)
    })?;
    Ok((text.to_owned(), topology))
}
