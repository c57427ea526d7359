//! From a job to what is checked: each task becomes so many processes, each edge the channels between
//! them, and the job an application `stream` in which every source emits a few records.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::plan::{Note, Plan, Strategy};
use crate::diagnostic::{Diagnostic, Place};
use crate::instance::{
    Draft, DraftApplication, DraftRecovery, DraftStream, Expectations, Field, Instance,
};
use crate::models::applications::stream::Shipping;
use crate::models::process::AlgorithmInfo;
use crate::models::topology::{MAX_PROCESSES, ProcessId, Topology};

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
    /// The topology in its notation.
    topology: String,
    /// How channels are shipped, but by default.
    ship: BTreeMap<String, String>,
    /// Per task, the names of its processes.
    pub subtasks: Vec<Vec<String>>,
    /// What the reader should know.
    pub notes: Vec<Note>,
}

impl Expansion {
    /// Expands a job.
    ///
    /// # Errors
    /// If it has more processes than can be checked, or two edges between the same tasks ship differently.
    pub fn of(plan: &Plan, size: Size) -> Result<Self, Diagnostic> {
        let subtasks = subtasks(plan, size)?;
        let merged = merged(plan)?;
        let mut channels = Vec::new();
        let mut ship = BTreeMap::new();
        for source in 0..plan.tasks.len() {
            let outputs = merged.iter().filter(|edge| edge.source == source);
            // Several tasks that share the records of this one by key do so each for itself.
            let mut sharing = 0;
            for edge in outputs {
                let shared = edge.shares() && subtasks[edge.target].len() > 1;
                sharing += u8::from(shared);
                for (from, sender) in subtasks[edge.source].iter().enumerate() {
                    for (to, receiver) in subtasks[edge.target].iter().enumerate() {
                        if edge.strategy == Strategy::Forward && from != to {
                            continue;
                        }
                        let channel = format!("{sender} -> {receiver}");
                        if shared {
                            ship.insert(channel.clone(), Shipping::Hash(sharing).name());
                        }
                        channels.push(channel);
                    }
                }
            }
        }
        // Names come first, so that processes are numbered task by task.
        let names = subtasks.iter().flatten().cloned();
        let topology = names.chain(channels).join(", ");
        let notes = notes(plan, size, &merged);
        Ok(Self { size, topology, ship, subtasks, notes })
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
        let topology = Topology::parse(&self.topology).map_or_else(
            |_| self.topology.clone(),
            // As short as the notation allows.
            |topology| topology.notation(),
        );
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
            counts: Expectations::default(),
            claims: Vec::new(),
            only_when_named: false,
        };
        draft.build(algorithms)
    }

    /// The task of a process.
    #[must_use]
    pub fn task_of(&self, topology: &Topology, process: ProcessId) -> usize {
        let name = topology.name(process);
        let has = |subtasks: &Vec<String>| subtasks.iter().any(|subtask| subtask == name);
        self.subtasks.iter().position(has).unwrap_or_default()
    }
}

/// The edges from one task to another, as one.
struct MergedEdge {
    source: usize,
    target: usize,
    strategy: Strategy,
    edges: usize,
}

impl MergedEdge {
    /// Whether each record goes on one channel of several.
    fn shares(&self) -> bool {
        matches!(self.strategy, Strategy::Hash | Strategy::Rebalance)
    }
}

fn subtasks(plan: &Plan, size: Size) -> Result<Vec<Vec<String>>, Diagnostic> {
    let capped = |parallelism: u32| parallelism.min(size.max_parallelism);
    let total: u64 = plan.tasks.iter().map(|task| u64::from(capped(task.parallelism))).sum();
    if total > MAX_PROCESSES as u64 {
        let place = Place::option("--max-parallelism", &size.max_parallelism.to_string());
        let least = plan.tasks.len();
        return Err(Diagnostic::at(
            &place,
            format!("the job would have {total} processes; at most {MAX_PROCESSES} can be checked"),
            match least > MAX_PROCESSES {
                true => format!("import a part of the job: it has {least} tasks"),
                false => "allow fewer subtasks of each task".to_owned(),
            },
        ));
    }
    let names = plan.tasks.iter().map(|task| match capped(task.parallelism) {
        1 => vec![task.name.clone()],
        // Names of tasks have no underscore, so that none is like that of a subtask.
        several => (1..=several).map(|number| format!("{}_{number}", task.name)).collect(),
    });
    Ok(names.collect())
}

fn merged(plan: &Plan) -> Result<Vec<MergedEdge>, Diagnostic> {
    let mut merged: Vec<MergedEdge> = Vec::new();
    for edge in &plan.edges {
        let ends = (edge.source, edge.target);
        match merged.iter_mut().find(|known| (known.source, known.target) == ends) {
            None => merged.push(MergedEdge {
                source: edge.source,
                target: edge.target,
                strategy: edge.strategy,
                edges: 1,
            }),
            Some(known) if known.strategy == edge.strategy => known.edges += 1,
            Some(known) => {
                return Err(Diagnostic::at(
                    &edge.place,
                    format!(
                        "two edges from {} to {} ship by {} and by {}",
                        plan.tasks[edge.source].name,
                        plan.tasks[edge.target].name,
                        known.strategy.name(),
                        edge.strategy.name()
                    ),
                    "ship both alike: they are checked as one, since from one process to another there is \
                     one channel",
                ));
            }
        }
    }
    Ok(merged)
}

fn notes(plan: &Plan, size: Size, merged: &[MergedEdge]) -> Vec<Note> {
    let at = size.max_parallelism;
    let capped = plan.tasks.iter().positions(|task| task.parallelism > at).collect_vec();
    let capped = (!capped.is_empty()).then_some(Note::Capped { tasks: capped, at });
    let several = merged.iter().filter(|edge| edge.edges > 1);
    let several = several.map(|edge| Note::Merged {
        source: edge.source,
        target: edge.target,
        edges: edge.edges,
    });
    let round_robin = plan.edges.iter().any(|edge| edge.strategy == Strategy::Rebalance);
    let round_robin = round_robin.then_some(Note::RoundRobin);
    capped.into_iter().chain(several).chain(round_robin).collect()
}
