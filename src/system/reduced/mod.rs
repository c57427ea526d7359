//! The system with fewer states to search: fewer interleavings ([`persistent`]), and of states that
//! differ only in names of processes only one ([`symmetry`]). Trusted where `--reduce` or `--symmetry`
//! is given.
//!
//! Both together: every terminal state is still reached, up to renaming. By induction over the length n
//! of a run from a visited state s to a terminal one t: some first step, in the persistent set of s, leads
//! to a state u from which an image of t is n − 1 steps away; so from u's representative, which is
//! visited, another image is.

mod persistent;
mod symmetry;

use std::collections::BTreeSet;

use stateright::Model;

use self::persistent::Routes;
use super::describe::StateWords;
use super::model::{SystemAction, SystemModel, SystemState};
use super::specification::Specified;
use super::trace::Trace;
use super::view::{ChannelView, View};
use super::{Composed, Held, PartOf, ReactionOf, Recording, Snapshot, System, WrittenSnapshot};
use crate::models::application::Application;
use crate::models::renaming::Renaming;
use crate::models::topology::Topology;

/// How to search fewer states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Fewer interleavings: terminal states and outcomes are all found, others are not.
    pub interleavings: bool,
    /// One state of those that differ only in the names of interchangeable processes.
    pub symmetry: bool,
}

impl Reduction {
    /// Whether fewer states are searched at all.
    #[must_use]
    pub fn is_any(self) -> bool {
        self.interleavings || self.symmetry
    }
}

/// A system of which fewer states are searched, or all if neither way is asked for.
///
/// It has no observer: history may tell apart what is the same without it.
pub struct Reduced<P: Application> {
    system: SystemModel<P>,
    /// What may be sent where, if interleavings are left out.
    routes: Option<Routes>,
    /// The renamings under which nothing changes, but for the identity; none if all states are told
    /// apart.
    renamings: Vec<Renaming>,
}

impl<P: Application> Reduced<P> {
    /// The system, reduced.
    #[must_use]
    pub fn new(system: SystemModel<P>, reduction: Reduction) -> Self {
        let routes = reduction.interleavings.then(|| Routes::of(system.setup()));
        let renamings = if reduction.symmetry { system.symmetries() } else { Vec::new() };
        Self { system, routes, renamings }
    }

    /// The state that stands for `state` and its images.
    fn representative(&self, state: SystemState<P>) -> SystemState<P> {
        symmetry::representative(&self.system, &self.renamings, state)
    }
}

impl<P: Application> Model for Reduced<P> {
    type State = SystemState<P>;
    type Action = SystemAction<P>;

    fn init_states(&self) -> Vec<Self::State> {
        let states = self.system.init_states();
        states.into_iter().map(|state| self.representative(state)).collect()
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        let Some(routes) = &self.routes else {
            return self.system.actions(state, actions);
        };
        let mut enabled = Vec::new();
        self.system.actions(state, &mut enabled);
        if let Some(chosen) = routes.choose(&self.system, state, &enabled) {
            enabled.retain(|action| self.system.actor(action) == Some(chosen));
        }
        actions.append(&mut enabled);
    }

    fn next_state(&self, state: &Self::State, action: Self::Action) -> Option<Self::State> {
        let next = self.system.next_state(state, action)?;
        Some(self.representative(next))
    }

    fn format_action(&self, action: &Self::Action) -> String {
        self.system.format_action(action)
    }

    fn format_step(&self, state: &Self::State, action: Self::Action) -> Option<String> {
        self.system.format_step(state, action)
    }
}

impl<P: Application> Composed for Reduced<P> {
    type Local = <SystemModel<P> as Composed>::Local;
    type Packet = <SystemModel<P> as Composed>::Packet;

    /// Where states are left out, which steps of an actor are offered, and how processes are renamed,
    /// depends on all the others.
    fn steps_are_local(&self) -> bool {
        self.routes.is_none() && self.renamings.is_empty() && self.system.steps_are_local()
    }

    fn split(&self, state: &Self::State) -> Vec<PartOf<Self>> {
        self.system.split(state)
    }

    fn join(&self, parts: &[PartOf<Self>]) -> Self::State {
        self.system.join(parts)
    }

    fn own_steps(&self, part: usize, local: &Self::Local) -> Vec<ReactionOf<Self>> {
        self.system.own_steps(part, local)
    }

    fn receipt(
        &self,
        part: usize,
        local: &Self::Local,
        source: usize,
        packet: &Self::Packet,
    ) -> Option<ReactionOf<Self>> {
        self.system.receipt(part, local, source, packet)
    }

    fn actor(&self, action: &Self::Action) -> Option<usize> {
        self.system.actor(action)
    }

    fn are_alike(&self, one: &Self::Action, other: &Self::Action) -> bool {
        self.system.are_alike(one, other)
    }

    fn recording(&self, part: usize, local: &Self::Local) -> Recording<Self::Local> {
        self.system.recording(part, local)
    }

    fn end(&self, part: usize, other: usize, local: &Self::Local) -> Self::Local {
        self.system.end(part, other, local)
    }

    fn joined(&self) -> Vec<(usize, usize)> {
        self.system.joined()
    }

    fn held(&self, part: usize, local: &Self::Local) -> Held {
        self.system.held(part, local)
    }

    fn is_message(&self, packet: &Self::Packet) -> bool {
        self.system.is_message(packet)
    }
}

impl<P: Application> System for Reduced<P> {
    type Outcome = <SystemModel<P> as System>::Outcome;

    fn topology(&self) -> &Topology {
        self.system.topology()
    }

    fn views(&self, state: &Self::State) -> Vec<View> {
        self.system.views(state)
    }

    fn is_judged_whole(&self) -> bool {
        self.system.is_judged_whole()
    }

    fn channels(&self, ends: [(usize, &Self::Local); 2]) -> Vec<ChannelView> {
        self.system.channels(ends)
    }

    fn has_begun(&self, state: &Self::State) -> bool {
        self.system.has_begun(state)
    }

    fn control_messages_sent(
        &self,
        before: &Self::State,
        action: &Self::Action,
        after: &Self::State,
    ) -> u32 {
        self.system.control_messages_sent(before, action, after)
    }

    fn outcomes(&self, state: &Self::State) -> Vec<Self::Outcome> {
        self.system.outcomes(state)
    }

    fn stands_for(&self) -> usize {
        1 + self.renamings.len()
    }

    /// Those found, and their images.
    fn all_outcomes(&self, found: BTreeSet<Self::Outcome>) -> BTreeSet<Self::Outcome> {
        symmetry::images(self.topology(), &self.renamings, found)
    }

    fn is_consistent(&self, outcome: &Self::Outcome) -> bool {
        self.system.is_consistent(outcome)
    }

    fn snapshot(&self, outcome: &Self::Outcome) -> Snapshot {
        self.system.snapshot(outcome)
    }

    fn written(&self, outcome: &Self::Outcome) -> WrittenSnapshot {
        self.system.written(outcome)
    }

    fn describe(&self, state: &Self::State) -> StateWords {
        self.system.describe(state)
    }

    fn trace(&self, path: &[(Self::State, Option<Self::Action>)]) -> Trace {
        self.system.trace(path)
    }
}

impl<P: Application> Specified for Reduced<P> {
    type Specification = <SystemModel<P> as Specified>::Specification;

    fn specification(&self) -> Self::Specification {
        self.system.specification()
    }

    fn projected(
        &self,
        specification: &Self::Specification,
        state: &Self::State,
    ) -> <Self::Specification as Model>::State {
        self.system.projected(specification, state)
    }
}
