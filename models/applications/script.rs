//! The application `script`: each process takes the steps of its script in order, each at a moment of
//! its own, and receives at any time. A message may assign a variable at its receiver.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::application::{ActionWords, Application, Sends};
use crate::renaming::{Renamed, Renaming};
use crate::topology::{ChannelId, ProcessId, Topology};

/// `variable := value`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Assignment {
    /// The variable's name.
    pub variable: Arc<str>,
    /// Its new value.
    pub value: i64,
}

impl Renamed for Assignment {}

impl std::fmt::Display for Assignment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} := {}", self.variable, self.value)
    }
}

/// One step of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send a message, which may assign a variable at the receiver.
    Send(ChannelId, Option<Assignment>),
    /// Assign an own variable.
    Assign(Assignment),
    /// A step that shows only in the script's position.
    Internal(Arc<str>),
}

impl Renamed for Step {
    fn renamed(&self, renaming: &Renaming) -> Self {
        match self {
            Self::Send(channel, content) => Self::Send(channel.renamed(renaming), content.clone()),
            other => other.clone(),
        }
    }
}

/// The local state: how far the script is, and the variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScriptState {
    /// Steps taken.
    pub position: u16,
    /// The variables that have a value.
    pub variables: BTreeMap<Arc<str>, i64>,
}

impl Renamed for ScriptState {}

/// The next step of the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NextStep {
    /// Steps taken before.
    pub position: u16,
}

impl Renamed for NextStep {}

/// A script for every process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Per process, its steps.
    pub steps: Vec<Vec<Step>>,
    /// Per process, the variables that have a value at the start.
    pub initially: Vec<BTreeMap<Arc<str>, i64>>,
}

impl Script {
    /// Each process sends `messages` messages on each of its outputs, in round-robin order of its
    /// outputs as listed.
    #[must_use]
    pub fn round_robin(topology: &Topology, messages: u16) -> Self {
        let round = |p| topology.outputs(p).iter().map(|&c| Step::Send(c, None));
        Self {
            steps: topology
                .processes()
                .map(|p| (0..messages).flat_map(|_| round(p)).collect())
                .collect(),
            initially: vec![BTreeMap::new(); topology.process_count()],
        }
    }

    fn step(&self, process: ProcessId, position: u16) -> Option<&Step> {
        self.steps[process.index()].get(usize::from(position))
    }
}

impl Application for Script {
    type State = ScriptState;
    type Message = Option<Assignment>;
    type Action = NextStep;

    fn start(&self, process: ProcessId) -> ScriptState {
        ScriptState { position: 0, variables: self.initially[process.index()].clone() }
    }

    fn enabled(&self, process: ProcessId, state: &ScriptState) -> Vec<NextStep> {
        self.step(process, state.position)
            .map(|_| NextStep { position: state.position })
            .into_iter()
            .collect()
    }

    fn act(
        &self,
        process: ProcessId,
        state: &mut ScriptState,
        action: &NextStep,
        sends: &mut Sends<Option<Assignment>>,
    ) {
        let step = self.step(process, action.position).expect("only enabled steps are taken");
        state.position += 1;
        match step {
            Step::Send(channel, content) => sends.push((*channel, content.clone())),
            Step::Assign(Assignment { variable, value }) => {
                state.variables.insert(Arc::clone(variable), *value);
            }
            Step::Internal(_) => {}
        }
    }

    fn receive(
        &self,
        _: ProcessId,
        state: &mut ScriptState,
        _: ChannelId,
        message: &Option<Assignment>,
        _: &mut Sends<Option<Assignment>>,
    ) {
        if let Some(Assignment { variable, value }) = message {
            state.variables.insert(Arc::clone(variable), *value);
        }
    }

    /// A script is finite.
    fn always_ends(&self) -> bool {
        true
    }

    /// Only steps send, so that the rest of the script tells.
    fn may_send(&self, process: ProcessId, state: &ScriptState, channel: ChannelId) -> bool {
        let left = &self.steps[process.index()][usize::from(state.position)..];
        left.iter().any(|step| matches!(step, Step::Send(on, _) if *on == channel))
    }

    /// Scripts of processes that are interchanged must be alike, the order of their steps included.
    fn is_symmetric(&self, renaming: &Renaming) -> bool {
        renaming.permuted(self.steps.renamed(renaming)) == self.steps
            && renaming.permuted(self.initially.iter()) == self.initially.iter().collect::<Vec<_>>()
    }

    fn describe_state(&self, process: ProcessId, state: &ScriptState) -> String {
        let taken = &self.steps[process.index()][..usize::from(state.position)];
        let labels = taken.iter().filter_map(|step| match step {
            Step::Internal(label) => Some(format!("after \"{label}\"")),
            _ => None,
        });
        let variables = state.variables.iter().map(|(name, value)| format!("{name} = {value}"));
        variables.chain(labels).collect::<Vec<_>>().join(", ")
    }

    fn describe_message(&self, message: &Option<Assignment>) -> String {
        message.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    fn describe_action(&self, process: ProcessId, action: &NextStep) -> ActionWords {
        match self.step(process, action.position).expect("only steps of the script are enabled") {
            Step::Send(channel, content) => {
                ActionWords::Send { channel: *channel, message: self.describe_message(content) }
            }
            Step::Assign(assignment) => ActionWords::Internal(assignment.to_string()),
            Step::Internal(label) => ActionWords::Internal(format!("\"{label}\"")),
        }
    }
}
