//! The system: an algorithm over an application as a stateright actor model.
//!
//! [`SystemModel`] is what checkers and Explorer run. Everything else in the checker knows it only
//! through the trait [`System`].

mod actor;
mod describe;
mod model;
mod observer;
mod reduced;
mod trace;
mod view;

pub use actor::{ActorState, SystemActor, Timer};
pub use model::{ActorAction, ActorStates, SystemModel, SystemOf, SystemState};
pub use observer::Observer;
pub use reduced::Reduced;
pub use trace::{ActionKind, Effect, Trace, TraceStep};
pub use view::{ChannelView, View};

use std::fmt::Debug;
use std::hash::Hash;

use stateright::Model;

use crate::models::application::Data;

/// A stateright model whose states hold a snapshot that can be judged.
pub trait System:
    Model<State: StateData, Action: Clone + Debug + PartialEq + Send + Sync> + Send + Sync + 'static
{
    /// A complete snapshot.
    type Outcome: Data;

    /// What the claims need to know of `state`.
    fn view(&self, state: &Self::State) -> View;

    /// The snapshot of `state`, if it is complete.
    fn outcome(&self, state: &Self::State) -> Option<Self::Outcome>;

    /// Whether the cut of `outcome` is consistent.
    fn is_consistent(&self, outcome: &Self::Outcome) -> bool;

    /// The state in a few lines: each process, channel and recording.
    fn describe(&self, state: &Self::State) -> String;

    /// The steps of a run, told in words and data. `path` is what [`stateright::Path`] gives.
    fn trace(&self, path: &[(Self::State, Option<Self::Action>)]) -> Trace;
}

/// What stateright asks of a state.
pub trait StateData: Clone + Debug + PartialEq + Hash + Send + Sync + 'static {}
impl<T: Clone + Debug + PartialEq + Hash + Send + Sync + 'static> StateData for T {}
