//! The system: an algorithm over an application as a stateright actor model.
//!
//! [`SystemModel`] is what checkers and Explorer run. Everything else in the checker knows it only
//! through the trait [`System`].

mod actor;
mod describe;
mod failure;
mod history;
mod model;
mod network;
mod observer;
mod outside;
mod parts;
mod reduced;
mod specification;
mod telling;
mod trace;
mod trace_words;
mod view;
mod written;

pub use actor::{ActorState, SystemActor, Timer};
pub use describe::{ChannelWords, CoordinatorWords, ProcessWords, RecordingWords, StateWords};
pub use failure::{Action, Incidents};
pub use history::{
    FirstRecord, FirstRecordOf, History, Prevented, PropertyHistory, RecordedHistory,
    application_part,
};
pub use model::{ActorAction, ActorStates, SystemAction, SystemModel, SystemState};
pub use observer::Observer;
pub use parts::{Composed, Held, LocalState, Part, PartOf, Reaction, ReactionOf, Recording};
pub use reduced::{Reduced, Reduction};
pub use specification::Specified;
pub use trace::{ActionKind, Effect, Sent, Trace, TraceStep};
pub use view::{Amounts, ChannelView, EffectView, OutputView, Queued, View};
pub use written::{WrittenProcess, WrittenSnapshot};

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::hash::Hash;

use crate::models::application::Data;
use crate::models::topology::{ChannelId, Topology};

/// A stateright model whose states hold a snapshot that can be judged.
pub trait System: Composed {
    /// A complete snapshot.
    type Outcome: Data;

    /// Processes and channels.
    fn topology(&self) -> &Topology;

    /// What the claims need to know of `state`: a view for each checkpoint.
    fn views(&self, state: &Self::State) -> Vec<View>;

    /// Whether a state must be judged as a whole, and not by what its parts show.
    fn is_judged_whole(&self) -> bool;

    /// Whether the snapshot has begun: with a coordinator by its instruction, else by a first record.
    fn has_begun(&self, state: &Self::State) -> bool;

    /// How many control messages are sent in the step from `before` by `action` to `after`.
    fn control_messages_sent(
        &self,
        before: &Self::State,
        action: &Self::Action,
        after: &Self::State,
    ) -> u32;

    /// What of it they need to know of the channels between two parts in these local states, while
    /// nothing is under way.
    fn channels(&self, ends: [(usize, &Self::Local); 2]) -> Vec<ChannelView>;

    /// The complete snapshots in `state`.
    fn outcomes(&self, state: &Self::State) -> Vec<Self::Outcome>;

    /// All the outcomes that those found stand for.
    fn all_outcomes(&self, found: BTreeSet<Self::Outcome>) -> BTreeSet<Self::Outcome> {
        found
    }

    /// How many states one that is searched may stand for.
    fn stands_for(&self) -> usize {
        1
    }

    /// Whether the cut of `outcome` is consistent.
    fn is_consistent(&self, outcome: &Self::Outcome) -> bool;

    /// What `outcome` holds, comparable between algorithms over one application.
    fn snapshot(&self, outcome: &Self::Outcome) -> Snapshot;

    /// `outcome` written out.
    fn written(&self, outcome: &Self::Outcome) -> WrittenSnapshot;

    /// The state in words: each process, channel and recording.
    fn describe(&self, state: &Self::State) -> StateWords;

    /// The steps of a run, told in words and data. `path` is what [`stateright::Path`] gives.
    fn trace(&self, path: &[(Self::State, Option<Self::Action>)]) -> Trace;
}

/// A complete snapshot, whatever the types of its application. Small ones come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Snapshot {
    /// Messages that the processes had sent and received when they recorded.
    pub size: usize,
    /// All that it holds; equal only for equal snapshots.
    pub key: String,
    /// All that it holds, for people.
    pub words: String,
    /// Messages recorded as the state of channels.
    pub in_channels: usize,
    /// The channels from which something had been received that had not been sent: none if the cut is
    /// consistent.
    pub inconsistent: Vec<ChannelId>,
}

/// What stateright asks of a state.
pub trait StateData: Clone + Debug + PartialEq + Hash + Send + Sync + 'static {}
impl<T: Clone + Debug + PartialEq + Hash + Send + Sync + 'static> StateData for T {}

/// What stateright asks of a step.
pub trait StateAction: Clone + Debug + PartialEq + Send + Sync {}
impl<T: Clone + Debug + PartialEq + Send + Sync> StateAction for T {}
