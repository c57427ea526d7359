//! A Flink job as its plan tells it: tasks and the edges between them.

/// In which of its shapes Flink printed the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `GET /jobs/:id/plan`.
    JobPlan,
    /// `GET /jobs/:id`, which holds a plan among much else.
    Job,
    /// `getExecutionPlan()`: operators before chaining.
    ExecutionPlan,
    /// The stream graph: operators, some with the task that they have become part of.
    StreamGraph,
}

impl Shape {
    /// What prints it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::JobPlan => "Job plan (REST /jobs/:id/plan)",
            Self::Job => "Job with its plan (REST /jobs/:id)",
            Self::ExecutionPlan => "Execution plan (getExecutionPlan())",
            Self::StreamGraph => "Stream graph",
        }
    }

    /// Whether its nodes are operators, of which Flink may run several as one task.
    #[must_use]
    pub fn lists_operators(self) -> bool {
        matches!(self, Self::ExecutionPlan | Self::StreamGraph)
    }
}

/// A node of the plan: one operator, or a chain of them.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its id.
    pub id: String,
    /// What Flink says of it, unescaped.
    pub description: String,
}

/// A task: what runs as so many parallel subtasks.
#[derive(Clone, Debug)]
pub struct Task {
    /// A short name, unlike that of any other task, that can stand in a topology.
    pub name: String,
    /// The nodes that it is made of, upstream first; several if the plan says that they are one.
    pub nodes: Vec<Node>,
    /// How many subtasks; at least 1.
    pub parallelism: u32,
}

impl Task {
    /// What Flink says of it.
    #[must_use]
    pub fn description(&self) -> String {
        let words: Vec<_> = self.nodes.iter().map(|node| node.description.as_str()).collect();
        words.join(" -> ")
    }
}

/// How an edge ships records, as far as it can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// From each subtask to the one of the same number.
    Forward,
    /// By key, to one of all.
    Hash,
    /// Round robin, to one of all.
    Rebalance,
    /// Each record to all.
    Broadcast,
}

impl Strategy {
    /// Every one that can be checked.
    pub const ALL: [Self; 4] = [Self::Forward, Self::Hash, Self::Rebalance, Self::Broadcast];

    /// The name that Flink gives it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Forward => "FORWARD",
            Self::Hash => "HASH",
            Self::Rebalance => "REBALANCE",
            Self::Broadcast => "BROADCAST",
        }
    }
}

/// An edge from one task to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The task that sends, by its place among the tasks.
    pub source: usize,
    /// The task that receives.
    pub target: usize,
    /// How records are shipped.
    pub strategy: Strategy,
}

/// Something about the reading of a plan that its reader should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The nodes of these tasks are operators that Flink may yet chain.
    MayBeChained,
    /// Several nodes are one task.
    Chained {
        /// Which task.
        task: usize,
    },
    /// Fewer subtasks are checked than the plan has.
    Capped {
        /// Which tasks.
        tasks: Vec<usize>,
        /// At how many.
        at: u32,
    },
    /// Several edges lead from one task to another: all but one go through processes of their own.
    Several {
        /// The task that sends.
        source: usize,
        /// The task that receives.
        target: usize,
        /// How many edges.
        edges: usize,
    },
    /// Round robin is checked as if by key.
    RoundRobin,
}

/// A Flink job, acyclic, with at least one task.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The name of the job; empty if the plan does not say.
    pub name: String,
    /// In which shape it was read.
    pub shape: Shape,
    /// The tasks, each after those that send to it.
    pub tasks: Vec<Task>,
    /// The edges, in the order of the tasks that receive.
    pub edges: Vec<Edge>,
}

impl Plan {
    /// The edges into a task.
    pub fn inputs(&self, task: usize) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.target == task)
    }

    /// Whether a task has no inputs.
    #[must_use]
    pub fn is_source(&self, task: usize) -> bool {
        self.inputs(task).next().is_none()
    }
}
