//! The command line: reads arguments, runs jobs, prints what they return.
//!
//! A user's own algorithm gets all of it: `main(&Registry::with_variant::<MyAlgorithm>())`.

mod assumptions;
mod check;
mod compare;
mod explore;
mod import;
mod interrupt;
mod list;
mod outcomes;
mod output;
mod pages;
mod progress;
mod replay;
mod save_trace;
mod selection;
mod sweep;

use std::fmt;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::check::Status;
use crate::diagnostic::Diagnostic;
use crate::engines::{EngineKind, Limits, is_interrupted};
use crate::registry::Registry;

/// A model checker for global snapshot and checkpoint algorithms.
#[derive(Parser)]
#[command(name = "snapcheck", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Explore every interleaving of instances and hold the verdicts against what is expected.
    Check(check::Arguments),
    /// Check one instance, then step through it in stateright's Explorer.
    Explore(explore::Arguments),
    /// Compare algorithms on one topology: states, verdicts, costs, and whose snapshots include whose.
    Compare(compare::Arguments),
    /// Replay a saved trace, and tell whether it still decides its claim.
    Replay(replay::Arguments),
    /// Check algorithms on every small topology: exactly where does each claim hold?
    Sweep(sweep::Arguments),
    /// Break one assumption on channels at a time: which of the promised claims fall?
    Assumptions(assumptions::Arguments),
    /// Read the plan of a Flink job, and answer what its checkpoints do: are they exact, can they get stuck,
    /// what do they hold back and keep?
    Import(import::Arguments),
    /// List what there is.
    List(list::Arguments),
}

/// How to search.
#[derive(Args)]
struct Search {
    /// What explores the state space.
    #[arg(long, value_enum, default_value = "collapse")]
    engine: EngineName,
    /// Threads of each search.
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive, allow_negative_numbers = true)]
    threads: u64,
    #[command(flatten)]
    bounds: Bounds,
}

impl Search {
    fn limits(&self) -> Limits {
        self.bounds.limits()
    }

    fn thread_count(&self) -> usize {
        threads(self.threads)
    }
}

/// How far to search.
#[derive(Args)]
struct Bounds {
    /// Stop each instance after this many distinct states; what is then open is inconclusive.
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    max_states: Option<u64>,
    /// Stop each instance after this many seconds; what is then open is inconclusive.
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_negative_numbers = true)]
    timeout: Option<u64>,
}

impl Bounds {
    fn limits(&self) -> Limits {
        Limits { max_states: self.max_states, timeout: self.timeout.map(Duration::from_secs) }
    }
}

/// More threads than this only wait for each other.
const MAX_THREADS: usize = 256;

fn threads(wanted: u64) -> usize {
    usize::try_from(wanted).unwrap_or(MAX_THREADS).min(MAX_THREADS)
}

#[derive(Clone, Copy, ValueEnum)]
enum EngineName {
    /// Our own search over collapsed states.
    Collapse,
    /// The same, keeping every state even where levels could be forgotten.
    CollapseFull,
    /// Stateright's breadth-first search.
    Bfs,
    /// Stateright's depth-first search.
    Dfs,
}

impl From<EngineName> for EngineKind {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Collapse => Self::Collapse,
            EngineName::CollapseFull => Self::CollapseFull,
            EngineName::Bfs => Self::Bfs,
            EngineName::Dfs => Self::Dfs,
        }
    }
}

fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("a bound of zero allows nothing; give at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("give a whole number of at least 1".to_owned()),
    }
}

/// Why a command came to nothing.
enum Failure {
    /// The user's input is at fault: exit code 2.
    Input(Diagnostic),
    /// Standard output is gone, as when piped into `head`: nobody is there to be told.
    Output,
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Input(diagnostic)
    }
}

/// Prints a line to standard output.
fn say(line: impl fmt::Display) -> Result<(), Failure> {
    writeln!(std::io::stdout(), "{line}").map_err(|_| Failure::Output)
}

/// Runs the command that the process was started with.
///
/// Exit codes: 0 everything is as expected; 1 some verdict or count is not; 2 bad usage or input;
/// 3 inconclusive, or interrupted.
#[must_use]
pub fn main(registry: &Registry) -> ExitCode {
    let command = Arguments::parse().command;
    if matches!(
        command,
        Command::Check(_) | Command::Compare(_) | Command::Sweep(_) | Command::Import(_)
    ) {
        interrupt::listen();
    }
    let result = match command {
        Command::Check(arguments) => check::run(registry, &arguments),
        Command::Explore(arguments) => explore::run(registry, &arguments),
        Command::Compare(arguments) => compare::run(registry, &arguments),
        Command::Replay(arguments) => replay::run(registry, &arguments),
        Command::Sweep(arguments) => sweep::run(registry, &arguments),
        Command::Assumptions(arguments) => assumptions::run(registry, &arguments),
        Command::Import(arguments) => import::run(registry, &arguments),
        Command::List(arguments) => list::run(registry, &arguments),
    };
    // What was not done for want of time may not be as expected.
    let at_best = if is_interrupted() { Status::Inconclusive } else { Status::AsExpected };
    match result.map(|status| status.max(at_best)) {
        Ok(Status::AsExpected) => ExitCode::SUCCESS,
        Ok(Status::Deviates) => ExitCode::from(1),
        Ok(Status::Inconclusive) => ExitCode::from(3),
        Err(Failure::Input(diagnostic)) => {
            let styled = std::io::stderr().is_terminal();
            let _ = writeln!(std::io::stderr(), "{}", diagnostic.render(styled));
            ExitCode::from(2)
        }
        Err(Failure::Output) => ExitCode::from(1),
    }
}
