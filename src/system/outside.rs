//! The model as the rest of the checker knows it.

use super::describe::{self, StateWords};
use super::model::SystemModel;
use super::observer::Observer;
use super::telling;
use super::trace::Trace;
use super::view::{ChannelView, View, channels_between, views};
use super::written::{WrittenSnapshot, written};
use super::{Snapshot, System};
use crate::models::application::Application;
use crate::models::process_state;
use crate::models::recording::Outcome;
use crate::models::setup::Coordinator;
use crate::models::topology::Topology;

impl<P: Application, O: Observer<P>> System for SystemModel<P, O> {
    type Outcome = Outcome<P::State, P::Message>;

    fn topology(&self) -> &Topology {
        &self.setup().topology
    }

    fn views(&self, state: &Self::State) -> Vec<View> {
        views(self, state)
    }

    fn is_judged_whole(&self) -> bool {
        !self.setup().is_plain()
    }

    fn has_begun(&self, state: &Self::State) -> bool {
        match (self.setup().coordinator, state.coordinator()) {
            (Coordinator::Central, Some(coordinator)) => coordinator.begun > 0,
            (Coordinator::Process(process), _) => !state.process(process).may_instruct,
            _ => {
                let mut processes = self.setup().topology.processes();
                processes.any(|p| state.process(p).checkpoints[0].has_recorded())
            }
        }
    }

    fn control_messages_sent(
        &self,
        before: &Self::State,
        action: &Self::Action,
        after: &Self::State,
    ) -> u32 {
        telling::control_messages_sent(self, before, action, after)
    }

    fn channels(&self, [(p, first), (q, second)]: [(usize, &Self::Local); 2]) -> Vec<ChannelView> {
        let (Some(first), Some(second)) = (first.process(), second.process()) else {
            return Vec::new();
        };
        channels_between(self.setup(), [(p, first), (q, second)])
    }

    fn outcomes(&self, state: &Self::State) -> Vec<Self::Outcome> {
        let checkpoints = 1..=self.setup().checkpoints.count;
        let outcome = |checkpoint| {
            let own = |process| state.process(process).checkpoint(checkpoint);
            process_state::outcome(&self.setup().topology, own)
        };
        checkpoints.filter_map(outcome).collect()
    }

    fn is_consistent(&self, outcome: &Self::Outcome) -> bool {
        outcome.is_consistent(&self.setup().topology)
    }

    fn snapshot(&self, outcome: &Self::Outcome) -> Snapshot {
        describe::snapshot(self, outcome)
    }

    fn written(&self, outcome: &Self::Outcome) -> WrittenSnapshot {
        written(self, outcome)
    }

    fn describe(&self, state: &Self::State) -> StateWords {
        describe::describe(self, state)
    }

    fn trace(&self, path: &[(Self::State, Option<Self::Action>)]) -> Trace {
        telling::trace(self, path)
    }
}
