//! `snapcheck import`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::RangedI64ValueParser;

use super::check::Format;
use super::output::Target;
use super::progress::Line;
use super::{Failure, positive, say, threads};
use crate::check::Status;
use crate::diagnostic::Diagnostic;
use crate::engines::{Limits, is_interrupted};
use crate::import::{Expansion, Options, Plan, Size, ask, instance, read};
use crate::instance::{Instance, MAX_SCRIPT_STEPS, Written};
use crate::registry::Registry;
use crate::render;

#[derive(Args)]
pub(super) struct Arguments {
    /// The plan, as Flink prints it: REST /jobs/:id/plan or /jobs/:id, getExecutionPlan(), or the stream
    /// graph.
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Check at most so many subtasks of each task.
    #[arg(long, value_name = "N", default_value = "2", value_parser = positive, allow_negative_numbers = true)]
    max_parallelism: u64,
    /// Records that each subtask of a source emits.
    #[arg(long, value_name = "N", default_value = "1", value_parser = record_count(), allow_negative_numbers = true)]
    records: u16,
    /// Write the instance into this file; by default beside the plan, unless there is something else.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Threads of each search.
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive, allow_negative_numbers = true)]
    threads: u64,
    /// Stop each search after this many distinct states; what is then open is inconclusive.
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    max_states: Option<u64>,
    /// Stop each search after this many seconds; what is then open is inconclusive.
    #[arg(long, value_name = "SECONDS", default_value = "6", value_parser = positive, allow_negative_numbers = true)]
    timeout: u64,
}

fn record_count() -> RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=i64::from(MAX_SCRIPT_STEPS))
}

pub(super) fn run(registry: &Registry, arguments: &Arguments) -> Result<Status, Failure> {
    let started = Instant::now();
    let (plan, notes) = read(&arguments.plan)?;
    let size = Size {
        max_parallelism: u32::try_from(arguments.max_parallelism).unwrap_or(u32::MAX),
        records: arguments.records,
    };
    let expansion = Expansion::of(&plan, size)?;
    let instance = instance(registry, &plan, &expansion)?;
    let (file, written) = write(arguments, &plan, &instance)?;
    let is_text = arguments.format == Format::Text;
    if is_text {
        say(render::import::job(&plan, &notes, &expansion, &instance))?;
    }
    let options = Options {
        limits: Limits {
            max_states: arguments.max_states,
            timeout: Some(Duration::from_secs(arguments.timeout)),
        },
        threads: threads(arguments.threads),
    };
    let line = Line::new("import");
    let answers = ask(registry, &plan, &expansion, options, &|what| line.say(what))?;
    drop(line);
    if is_text {
        say(render::import::answers(&plan, &answers))?;
        if is_interrupted() {
            say("INTERRUPTED: what was not yet searched is open.\n")?;
        }
        say(format_args!("{written}\nAnswered in {:.1} s.", started.elapsed().as_secs_f64()))?;
    } else {
        say(render::import::json(&plan, &notes, &expansion, &instance, file.as_deref(), &answers))?;
    }
    Ok(answers.status())
}

/// Writes the instance, and says where it is, or why it is nowhere. What somebody else may have written is left as it is,
/// unless its file is named.
fn write(
    arguments: &Arguments,
    plan: &Plan,
    instance: &Instance,
) -> Result<(Option<PathBuf>, String), Diagnostic> {
    let nowhere = |why| Ok((None, why));
    let text = file(&arguments.plan, plan, instance);
    let path = match &arguments.output {
        Some(path) => {
            Target::file("--output", path)?.write(None, &text)?;
            path.clone()
        }
        None => {
            let path = arguments.plan.with_extension("toml");
            match std::fs::read_to_string(&path) {
                Ok(there) if there == text => {}
                Ok(_) => {
                    return nowhere(format!(
                        "{} holds something else and was left as it is; --output FILE writes the instance.",
                        path.display()
                    ));
                }
                Err(_) => {
                    if let Err(error) = std::fs::write(&path, &text) {
                        return nowhere(format!(
                            "The instance cannot be written to {}: {error}; --output FILE writes it elsewhere.",
                            path.display()
                        ));
                    }
                }
            }
            path
        }
    };
    let shown = path.display();
    let words = format!("The instance is in {shown}; `snapcheck check {shown}` checks it.");
    Ok((Some(path), words))
}

/// The instance as a file that says what stands for what.
fn file(path: &Path, plan: &Plan, instance: &Instance) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut text = format!("# Imported from {name}.\n#\n");
    for task in &plan.tasks {
        let description: String =
            task.description().split_whitespace().collect::<Vec<_>>().join(" ");
        text += &format!("# {}: {description}, parallelism {}\n", task.name, task.parallelism);
    }
    text += "#\n# Other checkpoints: algorithm = \"flink-aligned\", or \"flink-unaligned\".\n\n";
    text + &Written::of(instance).to_toml()
}
