//! `snapcheck explore`.

use std::net::TcpStream;
use std::time::{Duration, Instant};

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
    /// Open the first of the printed links in a browser.
    #[arg(long)]
    open: bool,
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
    let mut links = Vec::new();
    for found in &report.claims {
        if let Some(shown) = &found.shown {
            let link = link(&shown.explorer_path);
            say(format_args!("{}: {link}", found.claim.name()))?;
            links.push(link);
        }
    }
    let start = format!("http://{}/", arguments.address);
    say(format_args!("Explorer: {start} (end with Ctrl-C)"))?;
    if arguments.open {
        open_when_served(arguments.address.clone(), links.into_iter().next().unwrap_or(start));
    }
    let shown = Claim::ALL
        .into_iter()
        .filter(|&claim| !claim.on_request() && claims::is_applicable_to(claim, &instance))
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

/// How long the Explorer may take to listen.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens `link` in a browser as soon as the Explorer answers, which it does only while it is served.
fn open_when_served(address: String, link: String) {
    std::thread::spawn(move || {
        let started = Instant::now();
        while started.elapsed() < PATIENCE && TcpStream::connect(&address).is_err() {
            std::thread::sleep(Duration::from_millis(50));
        }
        if let Err(error) = open::that_detached(link) {
            eprintln!("no browser could be opened: {error}; follow the link above");
        }
    });
}

fn busy(address: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::at(
        &Place::option("--address", address),
        format!("the Explorer cannot be served here: {error}"),
        "choose another port, for example --address localhost:3001",
    )
}
