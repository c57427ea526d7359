//! From a job to what is checked: each task becomes so many processes, each edge the channels between
//! them, and the job an application `stream` in which every source emits a few records.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;

use super::plan::{Note, Plan, Strategy, Task};
use crate::diagnostic::{Diagnostic, Place};
use crate::instance::{
    Draft, DraftApplication, DraftChannels, DraftRecovery, DraftStream, Expectations, Field,
    Instance,
};
use crate::models::applications::stream::Shipping;
use crate::models::process::AlgorithmInfo;
use crate::models::topology::{MAX_PROCESSES, ProcessId};

/// How large a job is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The most subtasks of a task.
    pub max_parallelism: u32,
    /// How many records each subtask of a source emits.
    pub records: u16,
}

/// A job as it is checked.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// How large it is checked.
    pub size: Size,
    /// Every process, with its task, in order.
    processes: Vec<(String, usize)>,
    channels: Vec<String>,
    /// How channels are shipped, but by default.
    ship: BTreeMap<String, String>,
    /// What the reader should know.
    pub notes: Vec<Note>,
}

impl Expansion {
    /// Expands a job.
    ///
    /// # Errors
    /// If it has more processes than can be checked.
    pub fn of(plan: &Plan, size: Size) -> Result<Self, Diagnostic> {
        let subtasks = plan.tasks.iter().map(|task| subtasks(task, size)).collect_vec();
        let of_tasks = subtasks.iter().enumerate();
        let of_tasks = of_tasks.flat_map(|(task, names)| names.iter().map(move |n| (n, task)));
        let mut expansion = Self {
            size,
            processes: of_tasks.map(|(name, task)| (name.clone(), task)).collect(),
            channels: Vec::new(),
            ship: BTreeMap::new(),
            notes: notes(plan, size),
        };
        for source in 0..plan.tasks.len() {
            expansion.add_outputs(plan, &subtasks, source);
        }
        if expansion.processes.len() > MAX_PROCESSES {
            return Err(Diagnostic::at(
                &Place::option("--max-parallelism", &size.max_parallelism.to_string()),
                format!("the job would have more than {MAX_PROCESSES} processes"),
                match plan.tasks.len() > MAX_PROCESSES {
                    true => format!("import a part of it: it has {} tasks", plan.tasks.len()),
                    false => "allow fewer subtasks of each task".to_owned(),
                },
            ));
        }
        Ok(expansion)
    }

    /// The channels from one task to others. From one process to another there is but one: a second edge
    /// between two tasks goes through a process of its own for each sender, which sends on what it gets,
    /// so that the two are one channel that is longer.
    fn add_outputs(&mut self, plan: &Plan, subtasks: &[Vec<String>], source: usize) {
        // Several tasks that share the records of this one by key do so each for itself.
        let mut sharing = 0;
        let mut reached = BTreeSet::new();
        let outputs = plan.edges.iter().filter(|edge| edge.source == source);
        let mut further = 1;
        for edge in outputs {
            let shared = matches!(edge.strategy, Strategy::Hash | Strategy::Rebalance);
            let shared = shared && subtasks[edge.target].len() > 1;
            let is_first = reached.insert(edge.target);
            further += u8::from(!is_first);
            sharing += u8::from(shared && is_first);
            let way = shared.then_some(Shipping::Hash(if is_first { sharing } else { 1 }));
            for (from, sender) in subtasks[source].iter().enumerate() {
                let mut sender = sender.clone();
                if !is_first {
                    let relay = format!("{sender}_edge{further}");
                    self.channels.push(format!("{sender} -> {relay}"));
                    self.processes.push((relay.clone(), source));
                    sender = relay;
                }
                for (to, receiver) in subtasks[edge.target].iter().enumerate() {
                    if edge.strategy == Strategy::Forward && from != to {
                        continue;
                    }
                    let channel = format!("{sender} -> {receiver}");
                    self.ship.extend(way.map(|way| (channel.clone(), way.name())));
                    self.channels.push(channel);
                }
            }
        }
    }

    /// The names of the processes of a task, relays left out.
    pub fn subtasks(&self, task: usize) -> impl Iterator<Item = &str> {
        let own = self.processes.iter().filter(move |(_, of)| *of == task);
        own.map(|(name, _)| name.as_str()).filter(|name| !name.contains("_edge"))
    }

    /// The instance on which `algorithm` is checked.
    ///
    /// # Errors
    /// If so many records cannot be checked.
    pub fn instance(
        &self,
        plan: &Plan,
        algorithm: &str,
        recovery: DraftRecovery,
        algorithms: &[AlgorithmInfo],
    ) -> Result<Instance, Diagnostic> {
        let records = self.size.records;
        let place = Place::option("--records", &records.to_string());
        // How it is shipped was derived, so that nothing is wrong with it.
        let ship = self
            .ship
            .iter()
            .map(|(channel, way)| (Field::option("plan", channel), Field::option("plan", way)));
        let fails = recovery.failovers.is_some();
        // Names come first, so that processes are in order, task by task.
        let names = self.processes.iter().map(|(name, _)| name);
        let topology = names.chain(&self.channels).join(", ");
        let draft = Draft {
            name: "import".to_owned(),
            title: match plan.name.as_str() {
                "" => "An imported job".to_owned(),
                name => name.to_owned(),
            },
            algorithm: Field::option("algorithm", algorithm),
            topology: Field::option("plan", &topology),
            initiators: None,
            coordinator: fails.then(|| Field::option("coordinator", "central")),
            application: DraftApplication::Stream(DraftStream {
                records: Field { value: i64::from(records), place: place.clone() },
                ship: ship.collect(),
                sources: None,
                place,
            }),
            recovery,
            network: None,
            channels: DraftChannels::default(),
            counts: Expectations::default(),
            claims: Vec::new(),
            only_when_named: false,
        };
        draft.build(algorithms)
    }

    /// The task of a process.
    #[must_use]
    pub fn task_of(&self, process: ProcessId) -> usize {
        self.processes[process.index()].1
    }
}

fn subtasks(task: &Task, size: Size) -> Vec<String> {
    match task.parallelism.min(size.max_parallelism) {
        1 => vec![task.name.clone()],
        // More than can be checked need not be named one by one.
        several => (1..=several.min(MAX_PROCESSES as u32 + 1))
            // Names of tasks have no underscore, so that none is like that of a subtask.
            .map(|number| format!("{}_{number}", task.name))
            .collect(),
    }
}

fn notes(plan: &Plan, size: Size) -> Vec<Note> {
    let at = size.max_parallelism;
    let capped = plan.tasks.iter().positions(|task| task.parallelism > at).collect_vec();
    let capped = (!capped.is_empty()).then_some(Note::Capped { tasks: capped, at });
    let pairs = plan.edges.iter().map(|edge| (edge.source, edge.target)).sorted();
    let several = pairs.dedup_with_count().filter(|(edges, _)| *edges > 1);
    let several = several.map(|(edges, (source, target))| Note::Several { source, target, edges });
    let round_robin = plan.edges.iter().any(|edge| edge.strategy == Strategy::Rebalance);
    let round_robin = round_robin.then_some(Note::RoundRobin);
    capped.into_iter().chain(several).chain(round_robin).collect()
}
