//! `snapcheck list`.

use clap::{Args, ValueEnum};

use super::{Failure, say};
use crate::check::Status;
use crate::instance::{bundled, standard};
use crate::registry::Registry;
use crate::render::tables::{self, Look};

#[derive(Args)]
pub(super) struct Arguments {
    /// What to list.
    #[arg(value_enum)]
    what: What,
    /// As a Markdown table.
    #[arg(long)]
    markdown: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The algorithms and what each promises.
    Algorithms,
    /// The claims and their witnesses.
    Claims,
    /// The notations for topologies.
    Topologies,
    /// The applications.
    Applications,
    /// The bundled instances, or the standard ones of a user's own algorithm.
    Instances,
}

pub(super) fn run(registry: &Registry, arguments: &Arguments) -> Result<Status, Failure> {
    let look = if arguments.markdown { Look::Markdown } else { Look::Plain };
    let infos = registry.algorithms();
    let table = match arguments.what {
        What::Algorithms => {
            let promises = tables::promises(&infos, look);
            let bugs = tables::bugs(&registry.bugs(), look);
            format!(
                "{}\n\nPromises\n\n{promises}\n\nKnown bugs\n\n{bugs}",
                tables::algorithms(&infos, look)
            )
        }
        What::Claims => tables::claims(look),
        What::Topologies => tables::topologies(look),
        What::Applications => tables::applications(look),
        What::Instances => match registry.variant() {
            Some(info) => tables::instances(&standard::of(info), look),
            None => tables::instances(&bundled::all(&registry.infos())?, look),
        },
    };
    say(table)?;
    Ok(Status::AsExpected)
}
