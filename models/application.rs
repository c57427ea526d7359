//! The application: the computation under observation. It is what processes do when nobody takes a
//! snapshot, and it never learns whether somebody does.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;

use crate::renaming::{Renamed, Renaming};
use crate::topology::{ChannelId, ProcessId};

/// Data that can be part of a state: compared exactly, hashed completely, ordered for display.
pub trait Data: Clone + Debug + Eq + Ord + Hash + Send + Sync + 'static {}
impl<T: Clone + Debug + Eq + Ord + Hash + Send + Sync + 'static> Data for T {}

/// What a process sends in one step: messages with the channel of each, in order.
pub type Sends<M> = Vec<(ChannelId, M)>;

/// A record that a source reads in: the unit of which "exactly once" speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    /// Who reads it in.
    pub source: ProcessId,
    /// From 1, in the order in which its source reads.
    pub number: u16,
}

impl Renamed for Record {
    fn renamed(&self, renaming: &Renaming) -> Self {
        Self { source: renaming.process(self.source), number: self.number }
    }
}

/// How often each record has had its effect; those without are absent.
pub type Effects = BTreeMap<Record, u16>;

/// A step of the application in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionWords {
    /// It sends a message.
    Send {
        /// Where.
        channel: ChannelId,
        /// What the message carries; empty if it is only a message.
        message: String,
    },
    /// It sends nothing; the label says what it does.
    Internal(String),
}

/// A state of the application as a whole: of every process, and what is in every channel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalState<S, M> {
    /// Per process, its local state.
    pub processes: Vec<S>,
    /// Per channel, what is in it, the first to be received first.
    pub channels: Vec<Vec<M>>,
}

impl<S, M> GlobalState<S, M> {
    /// The local state of a process.
    #[must_use]
    pub fn process(&self, process: ProcessId) -> &S {
        &self.processes[process.index()]
    }

    /// What is in a channel.
    #[must_use]
    pub fn channel(&self, channel: ChannelId) -> &[M] {
        &self.channels[channel.index()]
    }
}

/// What there is to ask about of an application, beyond what every one has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Whether there is an amount that no step changes in sum: what processes hold and messages carry.
    /// `conserved` applies only if so.
    pub conserves: bool,
    /// Whether effects of input records can be counted. "Exactly once" applies only if so.
    pub counts_effects: bool,
    /// Whether processes may wait for each other for ever, as [`Application::is_deadlocked`] says.
    /// `deadlock-found` applies only if so.
    pub may_deadlock: bool,
}

/// A computation distributed over the processes of a topology.
///
/// Handlers are deterministic; nondeterminism is a choice between enabled actions.
pub trait Application: Send + Sync + 'static {
    /// The local state of one process.
    type State: Data + Renamed;
    /// What a message carries.
    type Message: Data + Renamed;
    /// A step that a process takes by itself: sending, or computing.
    type Action: Data + Renamed;

    /// What there is to ask about.
    fn traits(&self) -> Traits {
        Traits::default()
    }

    /// The state in which `process` starts.
    fn start(&self, process: ProcessId) -> Self::State;

    /// The steps that `process` could take by itself in `state`, in a fixed order.
    fn enabled(&self, process: ProcessId, state: &Self::State) -> Vec<Self::Action>;

    /// Takes an enabled step; what it sends goes to `sends`.
    fn act(
        &self,
        process: ProcessId,
        state: &mut Self::State,
        action: &Self::Action,
        sends: &mut Sends<Self::Message>,
    );

    /// Receives a message; what it sends in the same step goes to `sends`.
    fn receive(
        &self,
        process: ProcessId,
        state: &mut Self::State,
        channel: ChannelId,
        message: &Self::Message,
        sends: &mut Sends<Self::Message>,
    );

    /// Whether every run of the application ends. If not, `terminates` is only "no deadlock".
    fn always_ends(&self) -> bool;

    /// Whether `process`, being in `state`, may send on `channel` in this or any later step, whatever
    /// it receives until then. A reduced search relies on "no"; "yes" is never wrong.
    fn may_send(&self, process: ProcessId, state: &Self::State, channel: ChannelId) -> bool {
        let _ = (process, state, channel);
        true
    }

    /// Whether processes do the same when they are renamed: in a renamed state every process does what
    /// its original does, renamed. A search up to symmetry relies on "yes"; "no" is never wrong.
    fn is_symmetric(&self, renaming: &Renaming) -> bool {
        renaming.is_identity()
    }

    /// How much of the conserved amount a process in `state` holds.
    fn amount_held(&self, state: &Self::State) -> u64 {
        let _ = state;
        0
    }

    /// How much of it a message carries.
    fn amount_carried(&self, message: &Self::Message) -> u64 {
        let _ = message;
        0
    }

    /// How often each input record has had its effect on a state.
    fn effects(&self, process: ProcessId, state: &Self::State) -> Effects {
        let _ = (process, state);
        Effects::new()
    }

    /// How often each will have had it at the end of a run in which nothing fails.
    fn expected_effects(&self, process: ProcessId) -> Effects {
        let _ = process;
        Effects::new()
    }

    /// Whether a process writes what it receives to the outside.
    fn is_sink(&self, process: ProcessId) -> bool {
        let _ = process;
        false
    }

    /// The input record that a message brings.
    fn record_of(&self, message: &Self::Message) -> Option<Record> {
        let _ = message;
        None
    }

    /// Whether some processes wait for each other for ever. Must be stable: once true, true after every
    /// step. Any state may be asked about, since what a snapshot records need not be reachable.
    fn is_deadlocked(&self, global: &GlobalState<Self::State, Self::Message>) -> bool {
        let _ = global;
        false
    }

    /// Whether all is done: no process can take a step by itself, and nothing is under way. Must be
    /// stable.
    fn is_terminated(&self, global: &GlobalState<Self::State, Self::Message>) -> bool {
        let states = global.processes.iter().enumerate();
        let mut enabled = states.map(|(index, state)| self.enabled(ProcessId::new(index), state));
        enabled.all(|actions| actions.is_empty()) && global.channels.iter().all(Vec::is_empty)
    }

    /// The local state in a few words, without what the host shows by itself: the numbers of messages
    /// sent and received. Empty if there is nothing to add.
    fn describe_state(&self, process: ProcessId, state: &Self::State) -> String;

    /// What a message carries, in a word; empty if it is only a message.
    fn describe_message(&self, message: &Self::Message) -> String;

    /// A step that a process takes by itself. Of the steps enabled in one state no two have the same
    /// words, so that a written run can be replayed.
    fn describe_action(&self, process: ProcessId, action: &Self::Action) -> ActionWords;
}
