//! `snapcheck check`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};

use super::outcomes::Outcomes;
use super::output::{Target, file_name};
use super::pages::{INDEX, Pages};
use super::progress::Line;
use super::selection::{AdHoc, Selection, default_instances, named};
use super::{Failure, Search, positive, save_trace, say};
use crate::check::{Options, Report, Status, Traces, check, irreducible};
use crate::claims;
use crate::claims::decisive;
use crate::diagnostic::{Diagnostic, Place};
use crate::engines::is_interrupted;
use crate::instance::{Field, Instance, find_claim};
use crate::models::claim::Claim;
use crate::picture::{Setting, SpaceTime, svg};
use crate::registry::Registry;
use crate::render::{explain, json, text};
use crate::simulation::Simulation;
use crate::system::{Reduction, Trace};

#[derive(Args)]
pub(super) struct Arguments {
    /// Instance files, folders of them, or names of bundled instances; by default all bundled ones.
    #[arg(value_name = "PATH", conflicts_with = "algorithm")]
    paths: Vec<String>,
    #[command(flatten)]
    ad_hoc: AdHoc,
    /// Judge only this claim; may be given several times.
    #[arg(long = "claim", value_name = "CLAIM")]
    claims: Vec<String>,
    /// Search fewer interleavings: every outcome and every terminal state, which decide most claims.
    #[arg(long)]
    reduce: bool,
    /// Search one of the states that differ only in the names of interchangeable processes.
    #[arg(long)]
    symmetry: bool,
    #[command(flatten)]
    random: Random,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write a space-time picture of each counterexample and example into this folder.
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    /// Write the shortest counterexample or example of the one claim on the one instance into this
    /// file, for `replay`.
    #[arg(long, value_name = "FILE")]
    save_trace: Option<PathBuf>,
    /// Write a page for each instance into this folder, with an index.html: claims, pictures, and runs to
    /// step through.
    #[arg(long, value_name = "FOLDER")]
    html: Option<PathBuf>,
    /// Write every distinct outcome of each instance into this file, as JSON Lines.
    #[arg(long, value_name = "FILE", conflicts_with = "simulate")]
    outcomes: Option<PathBuf>,
    #[command(flatten)]
    search: Search,
}

/// Random runs instead of a search.
#[derive(Args)]
struct Random {
    /// Take so many random runs instead of searching: for instances that are too large. What no run
    /// violates is inconclusive.
    #[arg(
        long,
        value_name = "RUNS",
        value_parser = positive,
        allow_negative_numbers = true,
        conflicts_with_all = ["reduce", "symmetry", "engine", "max_states"]
    )]
    simulate: Option<u64>,
    /// What the runs are drawn from: the same seed gives the same runs.
    #[arg(long, value_name = "SEED", default_value = "0", requires = "simulate")]
    seed: u64,
    /// The most steps of a random run.
    #[arg(
        long,
        value_name = "N",
        value_parser = positive,
        allow_negative_numbers = true,
        default_value = "10000",
        requires = "simulate"
    )]
    steps: u64,
}

impl Random {
    fn simulation(&self) -> Option<Simulation> {
        let max_steps = usize::try_from(self.steps).unwrap_or(usize::MAX);
        self.simulate.map(|runs| Simulation { runs, seed: self.seed, max_steps })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// JSON Lines: one object per instance.
    Json,
}

pub(super) fn run(registry: &Registry, arguments: &Arguments) -> Result<Status, Failure> {
    let mut claims = Vec::new();
    for name in &arguments.claims {
        claims.push(find_claim(&Field::option("--claim", name))?);
    }
    let mut selection = match arguments.ad_hoc.instance(registry)? {
        Some(instance) => Selection { instances: vec![instance], skipped: 0 },
        None if arguments.paths.is_empty() => default_instances(registry)?,
        None => named(registry, &arguments.paths)?,
    };
    if arguments.random.simulation().is_some()
        && let Some(claim) = claims.iter().find(|claim| claim.needs_history())
    {
        return Err(Diagnostic::at(
            &Place::option("--claim", claim.name()),
            format!("random runs cannot judge {}: it needs a search with history", claim.name()),
            "search without --simulate, or judge another claim",
        )
        .into());
    }
    let mut unreduced = 0;
    if arguments.reduce {
        if arguments.paths.is_empty() && selection.instances.len() > 1 {
            // Of all there are, those that can be.
            let all = selection.instances.len();
            selection.instances.retain(|instance| irreducible(registry, instance).is_none());
            unreduced = all - selection.instances.len();
        }
        refuse_reduction(registry, &arguments.claims, &selection.instances)?;
    }
    if let Some(path) = &arguments.save_trace {
        save_trace::refuse(path, claims.len(), &selection.instances)?;
    }
    let mut files = Files {
        svg: arguments.svg.as_deref().map(|path| Target::folder("--svg", path)).transpose()?,
        html: arguments.html.as_deref().map(Pages::into_folder).transpose()?,
        outcomes: arguments.outcomes.as_deref().map(Outcomes::into_file).transpose()?,
    };
    let alone = selection.instances.len() == 1;
    let options = Options {
        engine: arguments.search.engine.into(),
        threads: arguments.search.thread_count(),
        limits: arguments.search.limits(),
        claims,
        traces: match alone || arguments.format == Format::Json {
            _ if files.show_traces() || arguments.save_trace.is_some() => Traces::All,
            true => Traces::Counterexamples,
            false => Traces::None,
        },
        reduction: Reduction { interleavings: arguments.reduce, symmetry: arguments.symmetry },
        simulation: arguments.random.simulation(),
        outcomes: arguments.outcomes.is_some(),
    };
    let status = match (arguments.format, selection.instances.as_slice()) {
        (Format::Json, instances) => {
            let reports = unless_interrupted(instances).map(|instance| {
                let report = run_one(registry, instance, &options);
                files.write(&report)?;
                say(json::report(&report))?;
                save(&report, arguments, &mut std::io::stderr())?;
                Ok(report.status())
            });
            worst(reports.collect::<Result<Vec<_>, Failure>>()?)
        }
        (Format::Text, [instance]) => {
            let report = run_one(registry, instance, &options);
            files.write(&report)?;
            say(text::detail(&report).trim_end())?;
            save(&report, arguments, &mut std::io::stdout())?;
            report.status()
        }
        (Format::Text, _) => run_list(registry, &selection, &options, &mut files)?,
    };
    files.finish()?;
    if let (Format::Text, 1..) = (arguments.format, unreduced) {
        say(format_args!("{unreduced} instances cannot be reduced and were left out."))?;
    }
    if let (Format::Text, Some(folder)) = (arguments.format, &arguments.html) {
        say(format_args!("\nPages: {}", folder.join(INDEX).display()))?;
    }
    Ok(status)
}

/// What is written beside what is printed.
struct Files<'f> {
    svg: Option<Target<'f>>,
    html: Option<Pages<'f>>,
    outcomes: Option<Outcomes<'f>>,
}

impl Files<'_> {
    /// Whether some of them show the runs that decide the claims.
    fn show_traces(&self) -> bool {
        self.svg.is_some() || self.html.is_some()
    }

    fn write(&mut self, report: &Report) -> Result<(), Diagnostic> {
        if let Some(folder) = &self.svg {
            draw(report, folder)?;
        }
        if let Some(outcomes) = &mut self.outcomes {
            outcomes.add(report);
        }
        self.html.as_mut().map_or(Ok(()), |pages| pages.add(report))
    }

    fn finish(&self) -> Result<(), Diagnostic> {
        if let Some(outcomes) = &self.outcomes {
            outcomes.finish()?;
        }
        self.html.as_ref().map_or(Ok(()), Pages::finish)
    }
}

/// Says what cannot be answered by a reduced search.
fn refuse_reduction(
    registry: &Registry,
    names: &[String],
    instances: &[Instance],
) -> Result<(), Diagnostic> {
    let passing = |name: &&String| Claim::named(name).is_some_and(|c| !claims::is_lasting(c));
    if let Some(name) = names.iter().find(passing) {
        let why = match Claim::named(name).is_some_and(Claim::needs_history) {
            true => "it asks for what was before",
            false => "it speaks of states that pass",
        };
        return Err(Diagnostic::at(
            &Place::option("--claim", name),
            format!("a reduced search cannot judge {name}: {why}"),
            "search without --reduce, or judge another claim",
        ));
    }
    match instances {
        [instance] => irreducible(registry, instance).map_or(Ok(()), Err),
        // Of several, those that cannot be reduced are searched whole.
        _ => Ok(()),
    }
}

fn run_list(
    registry: &Registry,
    selection: &Selection,
    options: &Options,
    files: &mut Files<'_>,
) -> Result<Status, Failure> {
    let started = Instant::now();
    let widths = text::Widths::of(&selection.instances);
    say(text::list_header(widths))?;
    let mut reports = Vec::new();
    for instance in unless_interrupted(&selection.instances) {
        let report = run_one(registry, instance, options);
        files.write(&report)?;
        say(text::list_line(&report, widths))?;
        reports.push(report);
    }
    let unchecked = selection.instances.len() - reports.len();
    let closing = text::closing_line(&reports, selection.skipped, unchecked, started.elapsed());
    say(format_args!("\n{closing}"))?;
    Ok(worst(reports.iter().map(Report::status)))
}

/// The instances, one by one as long as nobody interrupts.
fn unless_interrupted(instances: &[Instance]) -> impl Iterator<Item = &Instance> {
    instances.iter().take_while(|_| !is_interrupted())
}

/// Saves the trace that was asked for, and tells `listener` of it.
fn save(report: &Report, arguments: &Arguments, listener: &mut dyn Write) -> Result<(), Failure> {
    let Some(path) = &arguments.save_trace else { return Ok(()) };
    let saved = save_trace::save(path, report)?;
    writeln!(listener, "{saved}").map_err(|_| Failure::Output)
}

/// Writes `INSTANCE.CLAIM.svg` for every trace of the report.
fn draw(report: &Report, folder: &Target<'_>) -> Result<(), Diagnostic> {
    let instance = &report.instance;
    let topology = &instance.setup.topology;
    for found in &report.claims {
        let Some(shown) = &found.shown else { continue };
        let claim = found.claim;
        let caption = caption(claim, &shown.trace, instance);
        let picture = svg::draw(
            &SpaceTime::of(&shown.trace, decisive(claim, &shown.trace.last), topology),
            &caption,
            Setting::File,
        );
        let name = format!("{}.{}.svg", file_name(&instance.name), claim.name());
        folder.write(Some(&name), &picture)?;
    }
    Ok(())
}

/// What a picture shows, in a sentence.
pub(super) fn caption(claim: Claim, trace: &Trace, instance: &Instance) -> String {
    let words = match explain(claim, &trace.last, &instance.setup.topology) {
        Some(words) => words,
        None => claim.statement().to_owned(),
    };
    format!("{} · {}: {words}", instance.algorithm.name, claim.name())
}

/// Checks one instance, showing progress meanwhile.
pub(super) fn run_one(registry: &Registry, instance: &Instance, options: &Options) -> Report {
    let line = Line::new(&instance.name);
    let mut options = options.clone();
    options.reduction.interleavings &= irreducible(registry, instance).is_none();
    check(registry, instance, &options, &|progress| line.show(progress))
}

fn worst(statuses: impl IntoIterator<Item = Status>) -> Status {
    statuses.into_iter().max().unwrap_or(Status::AsExpected)
}
