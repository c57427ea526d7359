//! `snapcheck explore`.

use clap::Args;

use super::check::run_one;
use super::selection::{AdHoc, named};
use super::{Failure, Search, say};
use crate::check::{Options, Status, Traces};
use crate::claims;
use crate::diagnostic::{Diagnostic, Place};
use crate::explorer;
use crate::instance::{Field, Instance, find_claim};
use crate::models::claim::{Claim, Kind};
use crate::registry::Registry;
use crate::render::text;

#[derive(Args)]
pub(super) struct Arguments {
    /// An instance file or the name of a bundled instance.
    #[arg(
        value_name = "INSTANCE",
        conflicts_with = "algorithm",
        required_unless_present = "algorithm"
    )]
    instance: Option<String>,
    #[command(flatten)]
    ad_hoc: AdHoc,
    /// Link to the shortest counterexample of this claim, or example of this witness.
    #[arg(long, value_name = "CLAIM")]
    claim: Option<String>,
    /// Where to serve.
    #[arg(long, value_name = "HOST:PORT", default_value = "localhost:3000")]
    address: String,
    #[command(flatten)]
    search: Search,
}

pub(super) fn run(registry: &Registry, arguments: &Arguments) -> Result<Status, Failure> {
    let claim = match &arguments.claim {
        Some(name) => Some(find_claim(&Field::option("--claim", name))?),
        None => None,
    };
    let witness = claim.filter(|claim| claim.kind() == Kind::Witness);
    let instance = select(registry, arguments)?;
    explorer::probe(&arguments.address).map_err(|error| busy(&arguments.address, &error))?;
    let options = Options {
        engine: arguments.search.engine.into(),
        threads: arguments.search.thread_count(),
        limits: arguments.search.limits(),
        claims: claim.into_iter().collect(),
        traces: if witness.is_some() { Traces::All } else { Traces::Counterexamples },
        ..Options::default()
    };
    let report = run_one(registry, &instance, &options);
    say(text::detail(&report))?;
    say("Verdicts come from this check; the Explorer only shows the runs.")?;

    let runner = registry.runner(&instance);
    let link = |path: &str| format!("http://{}/#/steps/{path}", arguments.address);
    for found in &report.claims {
        if let Some(shown) = &found.shown {
            say(format_args!("{}: {}", found.claim.name(), link(&shown.explorer_path)))?;
        }
    }
    say(format_args!("Explorer: http://{}/ (end with Ctrl-C)", arguments.address))?;
    let shown = Claim::ALL
        .into_iter()
        .filter(|&claim| claims::is_applicable_to(claim, &instance))
        .collect();
    runner
        .serve(&instance, shown, &arguments.address)
        .map_err(|error| busy(&arguments.address, &error))?;
    Ok(report.status())
}

fn select(registry: &Registry, arguments: &Arguments) -> Result<Instance, Diagnostic> {
    if let Some(instance) = arguments.ad_hoc.instance(registry)? {
        return Ok(instance);
    }
    let argument = arguments.instance.clone().unwrap_or_default();
    let mut instances = named(registry, std::slice::from_ref(&argument))?.instances;
    match (instances.pop(), instances.is_empty()) {
        (Some(instance), true) => Ok(instance),
        _ => Err(Diagnostic::general(
            format!("{argument} is not one instance"),
            "name a single instance; `snapcheck list instances` lists the bundled ones",
        )),
    }
}

fn busy(address: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::at(
        &Place::option("--address", address),
        format!("the Explorer cannot be served here: {error}"),
        "choose another port, for example --address localhost:3001",
    )
}
