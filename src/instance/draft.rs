//! A draft: an instance as it was written, each value with its place, before it is validated.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use itertools::Itertools;

use super::channels::{self, DraftChannels};
use super::network;
use super::recovery::{self, DraftRecovery};
use super::requests;
use super::script_notation::{known_processes, parse_assignment, parse_step};
use super::stream_notation::{DraftStream, build_stream};
use super::{ApplicationSpec, Expectations, Instance, MAX_SCRIPT_STEPS};
use crate::diagnostic::{Diagnostic, Place};
use crate::models::applications::bank::Account;
use crate::models::applications::{Bank, Script};
use crate::models::claim::Claim;
use crate::models::process::AlgorithmInfo;
use crate::models::setup::{Coordinator, DefaultInitiators, Setup};
use crate::models::topology::{ProcessId, Topology};
use crate::verdict::Expected;

/// What the coordinator is called in runs and pictures.
const COORDINATOR: &str = "coordinator";

/// A value and where it was written.
#[derive(Clone, Debug)]
pub struct Field<T = String> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub place: Place,
}

impl Field {
    /// The value of a command-line option.
    #[must_use]
    pub fn option(name: &str, value: &str) -> Self {
        Self { value: value.to_owned(), place: Place::option(name, value) }
    }
}

/// The steps of a script per process, as written.
pub type DraftSteps = Vec<(Field, Vec<Field>)>;

/// The application `requests` as it was written.
#[derive(Clone, Debug)]
pub struct DraftRequests {
    /// Whose resources each process wants; those of all neighbours if absent.
    pub wants: Option<DraftSteps>,
    /// How often each begins; once if absent.
    pub rounds: Option<Field<i64>>,
}

/// The application as it was written.
#[derive(Clone, Debug)]
pub enum DraftApplication {
    /// `script` with so many messages per channel.
    Messages(Field<i64>),
    /// `bank`.
    Bank {
        /// What each process holds at the start.
        balance: Field<i64>,
        /// What some hold instead.
        balances: Vec<(Field, Field<i64>)>,
        /// How often each may transfer.
        transfers: Field<i64>,
    },
    /// `stream`.
    Stream(DraftStream),
    /// `requests`.
    Requests(Field<DraftRequests>),
    /// `script` with explicit steps and initial assignments per process.
    Steps {
        /// Steps per process.
        steps: DraftSteps,
        /// Initial assignments per process.
        initially: DraftSteps,
    },
}

/// An instance as it was written.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Name of the instance.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Name of the algorithm.
    pub algorithm: Field,
    /// Notation of the topology.
    pub topology: Field,
    /// Names of the initiators; the algorithm's default if absent.
    pub initiators: Option<Field<Vec<Field>>>,
    /// `none`, `central` or a process; `none` if absent.
    pub coordinator: Option<Field>,
    /// The application.
    pub application: DraftApplication,
    /// Checkpoints and failures.
    pub recovery: DraftRecovery,
    /// How channels work; FIFO if absent.
    pub network: Option<Field>,
    /// Queues, and who may finish.
    pub channels: DraftChannels,
    /// Expected counts.
    pub counts: Expectations,
    /// Expected verdicts.
    pub claims: Vec<(Field, Field)>,
    /// Whether it is checked only when named.
    pub only_when_named: bool,
}

impl Draft {
    /// Validates the draft against the algorithms there are.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place and a remedy.
    pub fn build(self, algorithms: &[AlgorithmInfo]) -> Result<Instance, Diagnostic> {
        let algorithm = find_algorithm(&self.algorithm, algorithms)?;
        let topology = Topology::parse(&self.topology.value).map_err(|error| {
            let place = self.topology.place.within(&self.topology.value, error.span.clone());
            Diagnostic::at(&place, error.message, error.remedy)
        })?;
        let coordinator = match &self.coordinator {
            Some(field) => find_coordinator(field, &topology)?,
            None => Coordinator::None,
        };
        if coordinator != Coordinator::None && topology.process_named(COORDINATOR).is_some() {
            return Err(Diagnostic::at(
                &self.topology.place,
                format!("a process is called `{COORDINATOR}` beside the coordinator"),
                "give the process another name",
            ));
        }
        let initiators = match &self.initiators {
            Some(field) => find_initiators(field, &topology, &algorithm, coordinator)?,
            None => algorithm.default_initiators.on(&topology),
        };
        let (application, application_text) =
            build_application(&self.application, &topology, &initiators)?;
        let mut setup = Setup::new(topology, initiators, coordinator);
        self.recovery.apply(&mut setup)?;
        if let Some(field) = &self.network {
            setup.network = network::find_network(field)?;
        }
        self.channels.apply(&mut setup)?;
        let mut expect = self.counts;
        expect.claims = self.claims.iter().map(build_expected).collect::<Result<_, _>>()?;
        Ok(Instance {
            name: self.name,
            title: self.title,
            about: String::new(),
            algorithm,
            topology_text: self.topology.value,
            application_text: [
                application_text,
                recovery::words(&setup),
                network::words(setup.network),
                channels::words(&setup),
            ]
            .iter()
            .filter(|words| !words.is_empty())
            .join("; "),
            setup: Arc::new(setup),
            application,
            expect,
            only_when_named: self.only_when_named,
        })
    }
}

/// The algorithm that a user named.
///
/// # Errors
/// If there is none of that name.
pub fn find_algorithm(
    field: &Field,
    algorithms: &[AlgorithmInfo],
) -> Result<AlgorithmInfo, Diagnostic> {
    // A user's own algorithm comes last and hides a bundled one of the same name.
    algorithms.iter().rev().find(|info| info.name == field.value).copied().ok_or_else(|| {
        // Known bugs promise nothing, and are too many to be named.
        let promising = algorithms.iter().filter(|info| !info.promises.is_empty());
        let names: Vec<_> = promising.map(|info| info.name).collect();
        let all = "`snapcheck list algorithms` shows known bugs too";
        Diagnostic::at(
            &field.place,
            format!("unknown algorithm `{}`", field.value),
            format!("the algorithms are {}; {all}", names.join(", ")),
        )
    })
}

pub(super) fn find_process(field: &Field, topology: &Topology) -> Result<ProcessId, Diagnostic> {
    topology.process_named(&field.value).ok_or_else(|| {
        Diagnostic::at(
            &field.place,
            format!("unknown process `{}`", field.value),
            known_processes(topology),
        )
    })
}

/// The processes that are named as `role`, each once.
pub(super) fn find_processes(
    field: &Field<Vec<Field>>,
    topology: &Topology,
    role: &str,
) -> Result<BTreeSet<ProcessId>, Diagnostic> {
    let mut processes = BTreeSet::new();
    for name in &field.value {
        if !processes.insert(find_process(name, topology)?) {
            return Err(Diagnostic::at(
                &name.place,
                format!("{role} `{}` is named twice", name.value),
                format!("name each {role} once"),
            ));
        }
    }
    Ok(processes)
}

fn find_coordinator(field: &Field, topology: &Topology) -> Result<Coordinator, Diagnostic> {
    match field.value.as_str() {
        "none" => Ok(Coordinator::None),
        "central" => Ok(Coordinator::Central),
        name => match topology.process_named(name) {
            Some(process) => Ok(Coordinator::Process(process)),
            None => Err(Diagnostic::at(
                &field.place,
                format!("unknown coordinator `{name}`"),
                format!("write none, central or a process; {}", known_processes(topology)),
            )),
        },
    }
}

fn find_initiators(
    field: &Field<Vec<Field>>,
    topology: &Topology,
    algorithm: &AlgorithmInfo,
    coordinator: Coordinator,
) -> Result<BTreeSet<ProcessId>, Diagnostic> {
    let initiators = find_processes(field, topology, "initiator")?;
    if initiators.is_empty() {
        return Err(Diagnostic::at(
            &field.place,
            "no initiators: no snapshot would ever begin",
            format!("name at least one; {}", known_processes(topology)),
        ));
    }
    let all_are_told = algorithm.default_initiators == DefaultInitiators::All;
    let all = initiators.len() == topology.process_count();
    if coordinator != Coordinator::None && all_are_told && !all {
        return Err(Diagnostic::at(
            &field.place,
            format!("the coordinator of `{}` tells every process to begin", algorithm.name),
            "leave the initiators out, or the coordinator",
        ));
    }
    Ok(initiators)
}

fn build_application(
    draft: &DraftApplication,
    topology: &Topology,
    initiators: &BTreeSet<ProcessId>,
) -> Result<(ApplicationSpec, String), Diagnostic> {
    match draft {
        DraftApplication::Messages(field) => {
            let messages = bounded(field, "messages per channel")?;
            let script = Script::round_robin(topology, messages);
            Ok((ApplicationSpec::Script(Arc::new(script)), format!("script, K = {messages}")))
        }
        DraftApplication::Bank { balance, balances, transfers } => {
            let transfers = bounded(transfers, "transfers")?;
            let account = Account { balance: bounded(balance, "units")?, transfers };
            let mut accounts = vec![account; topology.process_count()];
            for (process, balance) in balances {
                let process = find_process(process, topology)?;
                accounts[process.index()].balance = bounded(balance, "units")?;
            }
            let total: u64 = accounts.iter().map(|account| u64::from(account.balance)).sum();
            let plural = |count| if count == 1 { "" } else { "s" };
            let text = format!(
                "bank, {total} unit{}, {transfers} transfer{} each",
                plural(total),
                plural(u64::from(transfers))
            );
            Ok((ApplicationSpec::Bank(Arc::new(Bank::new(topology, accounts))), text))
        }
        DraftApplication::Stream(stream) => {
            let (stream, text) = build_stream(stream, topology, initiators)?;
            Ok((ApplicationSpec::Stream(Arc::new(stream)), text))
        }
        DraftApplication::Requests(draft) => requests::build(draft, topology),
        DraftApplication::Steps { steps, initially } => {
            let mut script = Script::round_robin(topology, 0);
            each_step(steps, topology, |process, text| {
                let step = parse_step(topology, process, text)?;
                let own = &mut script.steps[process.index()];
                if own.len() == usize::from(MAX_SCRIPT_STEPS) {
                    return Err((
                        "the script of this process is too long".to_owned(),
                        format!("at most {MAX_SCRIPT_STEPS} steps can be checked"),
                    ));
                }
                own.push(step);
                Ok(())
            })?;
            each_step(initially, topology, |process, text| {
                let assignment = parse_assignment(text)?;
                script.initially[process.index()].insert(assignment.variable, assignment.value);
                Ok(())
            })?;
            Ok((ApplicationSpec::Script(Arc::new(script)), "script".to_owned()))
        }
    }
}

/// A number of something of which there is only so much.
pub(super) fn bounded(field: &Field<i64>, what: &str) -> Result<u16, Diagnostic> {
    within(field, what, 0..=MAX_SCRIPT_STEPS)
}

/// A number of something, in a range.
pub(super) fn within(
    field: &Field<i64>,
    what: &str,
    range: RangeInclusive<u16>,
) -> Result<u16, Diagnostic> {
    let number = u16::try_from(field.value).ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        Diagnostic::at(
            &field.place,
            format!("{} {what} cannot be checked", field.value),
            format!("choose a number from {} to {}", range.start(), range.end()),
        )
    })
}

fn each_step(
    lists: &DraftSteps,
    topology: &Topology,
    mut take: impl FnMut(ProcessId, &str) -> Result<(), (String, String)>,
) -> Result<(), Diagnostic> {
    for (process, texts) in lists {
        let process = find_process(process, topology)?;
        for text in texts {
            take(process, &text.value)
                .map_err(|(message, remedy)| Diagnostic::at(&text.place, message, remedy))?;
        }
    }
    Ok(())
}

fn build_expected((claim, expected): &(Field, Field)) -> Result<(Claim, Expected), Diagnostic> {
    let found = find_claim(claim)?;
    match Expected::parse(&expected.value) {
        Some(expected) => Ok((found, expected)),
        None => Err(Diagnostic::at(
            &expected.place,
            format!("`{}` is no verdict", expected.value),
            "write holds, violated, not-applicable, or with a length: violated in 6 steps",
        )),
    }
}

/// The claim that a user named.
///
/// # Errors
/// If there is none of that name.
pub fn find_claim(field: &Field) -> Result<Claim, Diagnostic> {
    Claim::named(&field.value).ok_or_else(|| {
        let names: Vec<_> = Claim::ALL.iter().map(|claim| claim.name()).collect();
        Diagnostic::at(
            &field.place,
            format!("unknown claim `{}`", field.value),
            format!("the claims are {}", names.join(", ")),
        )
    })
}
