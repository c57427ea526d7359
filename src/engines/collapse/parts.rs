//! The parts of a system, each kept once, and its steps, each taken once.
//!
//! A **view** is all that one part contributes to a global state: its local state and the contents of
//! its inputs. Views, local states and contents have numbers. The model's own rules run once for each
//! local state with each thing that can happen to it; views are composed from the results.

use std::sync::Arc;

use hashbrown::HashMap;
use itertools::Itertools;

use super::interner::Interner;
use crate::system::{Part, PartOf, System};

/// A step of an actor in a local state, whatever else is under way to it.
#[derive(Clone)]
struct LocalStep {
    /// The local state after it.
    local: u32,
    /// To whom it sends, and what: the number of a sequence of packets.
    sends: Vec<(usize, u32)>,
}

/// A step of an actor in a view.
pub(super) struct ViewStep {
    /// The view after it.
    pub(super) view: u32,
    /// To which other parts it sends, and what.
    pub(super) sends: Vec<(usize, u32)>,
    /// What it receives, if anything.
    pub(super) receipt: Option<Receipt>,
    /// Whether the snapshot shows it.
    pub(super) shows: bool,
}

/// A packet is taken from the head of a flow.
pub(super) struct Receipt {
    /// Who has sent it.
    pub(super) source: usize,
    /// How many packets wait on the flow, itself included.
    pub(super) waiting: usize,
}

/// The contents of a flow: sequences of packets, by number.
struct Sequences<P> {
    packets: Interner<P>,
    sequences: Interner<Vec<u32>>,
    joined: HashMap<(u32, u32), u32>,
    popped: HashMap<u32, u32>,
}

/// Nothing is under way.
const EMPTY: u32 = 0;

impl<P: Clone + Eq + std::hash::Hash> Sequences<P> {
    fn new() -> Self {
        let mut sequences = Interner::default();
        let empty = sequences.intern(&Vec::new());
        debug_assert_eq!(empty, EMPTY);
        Self {
            packets: Interner::default(),
            sequences,
            joined: HashMap::new(),
            popped: HashMap::new(),
        }
    }

    fn intern(&mut self, packets: &[P]) -> u32 {
        let sequence: Vec<_> = packets.iter().map(|p| self.packets.intern(p)).collect();
        self.sequences.intern(&sequence)
    }

    fn packets(&self, sequence: u32) -> Vec<P> {
        let packets = self.sequences.get(sequence).iter();
        packets.map(|&packet| self.packets.get(packet).clone()).collect()
    }

    fn head(&self, sequence: u32) -> u32 {
        self.sequences.get(sequence)[0]
    }

    fn pop(&mut self, sequence: u32) -> u32 {
        let sequences = &mut self.sequences;
        *self.popped.entry(sequence).or_insert_with(|| {
            let rest = sequences.get(sequence)[1..].to_vec();
            sequences.intern(&rest)
        })
    }

    fn join(&mut self, first: u32, second: u32) -> u32 {
        let sequences = &mut self.sequences;
        *self.joined.entry((first, second)).or_insert_with(|| {
            let both = [sequences.get(first).as_slice(), sequences.get(second)].concat();
            sequences.intern(&both)
        })
    }
}

/// What is known of one part.
struct Known<S: System> {
    locals: Interner<S::Local>,
    /// Per local state, how many steps lead to it, if that depends on nothing else.
    taken: Vec<u32>,
    /// Per local state, what the actor can do by itself.
    own: HashMap<u32, Vec<(S::Action, LocalStep)>>,
    /// Per local state, sender and packet, what the actor can do on receiving it: at most one step,
    /// and none while it does not read.
    receipts: HashMap<(u32, usize, u32), Vec<LocalStep>>,
    /// Per view, the local state, and by sender the contents of the inputs.
    views: Interner<Vec<u32>>,
}

/// See the [module](self).
pub(super) struct Parts<S: System> {
    system: Arc<S>,
    /// The parts of the initial state, with nothing under way.
    idle: Vec<PartOf<S>>,
    sequences: Sequences<S::Packet>,
    known: Vec<Known<S>>,
    graded: bool,
}

impl<S: System> Parts<S> {
    pub(super) fn new(system: &Arc<S>) -> Self {
        let initial = system.init_states();
        let parts = initial.first().map_or_else(Vec::new, |state| system.split(state));
        let idle: Vec<_> = parts.into_iter().map(|part| Part::idle(part.local)).collect();
        let known = idle.iter().map(|_| Known {
            locals: Interner::default(),
            taken: Vec::new(),
            own: HashMap::new(),
            receipts: HashMap::new(),
            views: Interner::default(),
        });
        Self {
            system: Arc::clone(system),
            sequences: Sequences::new(),
            known: known.collect(),
            graded: initial.len() == 1 && system.steps_are_local(),
            idle,
        }
    }

    pub(super) fn system(&self) -> &S {
        &self.system
    }

    /// How many parts a state has.
    pub(super) fn count(&self) -> usize {
        self.idle.len()
    }

    /// How many views of a part are known.
    pub(super) fn views(&self, part: usize) -> usize {
        self.known[part].views.len()
    }

    /// Whether every step found so far adds one to the number of steps that lead to its actor's local
    /// state. Then the depth of a state is the sum over its parts, and no state is found at two depths.
    pub(super) fn graded(&self) -> bool {
        self.graded
    }

    /// The views of a state.
    pub(super) fn split(&mut self, state: &S::State) -> Vec<u32> {
        let parts = self.system.split(state);
        let views = parts.iter().enumerate();
        views.map(|(index, part)| self.intern(index, part)).collect()
    }

    /// The state of these views.
    pub(super) fn join(&self, views: &[u32]) -> S::State {
        let parts: Vec<_> =
            views.iter().enumerate().map(|(part, &view)| self.part(part, view)).collect();
        self.system.join(&parts)
    }

    /// The local state of a view.
    pub(super) fn local(&self, part: usize, view: u32) -> u32 {
        self.known[part].views.get(view)[0]
    }

    pub(super) fn local_state(&self, part: usize, local: u32) -> &S::Local {
        self.known[part].locals.get(local)
    }

    /// The state in which some parts are as given, and the others as at the start.
    pub(super) fn stage(&self, given: impl IntoIterator<Item = (usize, PartOf<S>)>) -> S::State {
        let mut parts = self.idle.clone();
        for (index, part) in given {
            parts[index] = part;
        }
        self.system.join(&parts)
    }

    pub(super) fn part(&self, part: usize, view: u32) -> PartOf<S> {
        let known = &self.known[part];
        let (local, inputs) =
            known.views.get(view).split_first().expect("a view has a local state");
        let inputs = inputs.iter().enumerate().filter(|(_, flow)| **flow != EMPTY);
        Part {
            local: known.locals.get(*local).clone(),
            inputs: inputs.map(|(source, &flow)| (source, self.sequences.packets(flow))).collect(),
        }
    }

    fn intern(&mut self, index: usize, part: &PartOf<S>) -> u32 {
        let mut view = vec![EMPTY; 1 + self.idle.len()];
        for (source, packets) in &part.inputs {
            view[1 + source] = self.sequences.intern(packets);
        }
        // How many steps lead to a part given from outside is of no importance: it is not graded, or
        // it is initial.
        view[0] = self.intern_local(index, &part.local, 0);
        self.known[index].views.intern(&view)
    }

    fn intern_local(&mut self, part: usize, local: &S::Local, taken: u32) -> u32 {
        let known = &mut self.known[part];
        let number = known.locals.intern(local);
        if number as usize == known.taken.len() {
            known.taken.push(taken);
        }
        number
    }

    /// The steps that an actor can take in a view.
    pub(super) fn steps(&mut self, part: usize, view: u32) -> Vec<ViewStep> {
        let view = self.known[part].views.get(view).clone();
        self.take_own_steps(part, view[0]);
        let own = self.known[part].own[&view[0]].iter();
        let own: Vec<_> = own.map(|(_, step)| step.clone()).collect();
        let mut steps: Vec<_> =
            own.iter().map(|step| self.compose(part, &view, step, None)).collect();
        for source in (0..self.idle.len()).filter(|source| view[1 + source] != EMPTY) {
            let mut view = view.clone();
            let waiting = self.packets(view[1 + source]);
            let head = self.sequences.head(view[1 + source]);
            view[1 + source] = self.sequences.pop(view[1 + source]);
            for step in self.receipts(part, view[0], source, head) {
                let receipt = Some(Receipt { source, waiting });
                steps.push(self.compose(part, &view, &step, receipt));
            }
        }
        steps
    }

    /// How many packets are in a sequence.
    pub(super) fn packets(&self, sequence: u32) -> usize {
        self.sequences.sequences.get(sequence).len()
    }

    /// What arrives at a part behind its inputs.
    pub(super) fn arrive(&mut self, part: usize, view: u32, source: usize, sent: u32) -> u32 {
        let mut view = self.known[part].views.get(view).clone();
        view[1 + source] = self.sequences.join(view[1 + source], sent);
        self.known[part].views.intern(&view)
    }

    /// A step in a view, from which what the step consumes is taken already.
    fn compose(
        &mut self,
        part: usize,
        view: &[u32],
        step: &LocalStep,
        receipt: Option<Receipt>,
    ) -> ViewStep {
        let mut view = view.to_vec();
        view[0] = step.local;
        let mut sends = step.sends.clone();
        // What an actor sends to itself arrives in the same view.
        sends.retain(|&(target, sent)| {
            if target == part {
                view[1 + part] = self.sequences.join(view[1 + part], sent);
            }
            target != part
        });
        ViewStep { view: self.known[part].views.intern(&view), sends, receipt, shows: true }
    }

    fn take_own_steps(&mut self, part: usize, local: u32) {
        if self.known[part].own.contains_key(&local) {
            return;
        }
        let state = self.known[part].locals.get(local).clone();
        let staged = self.stage([(part, Part::idle(state))]);
        let steps = self.actions(part, &staged).into_iter().filter_map(|action| {
            let step = self.take(part, local, &staged, &action)?;
            Some((action, step))
        });
        let steps = steps.collect();
        self.known[part].own.insert(local, steps);
    }

    fn receipts(&mut self, part: usize, local: u32, source: usize, packet: u32) -> Vec<LocalStep> {
        if let Some(steps) = self.known[part].receipts.get(&(local, source, packet)) {
            return steps.clone();
        }
        let staged = self.stage([(
            part,
            Part {
                local: self.known[part].locals.get(local).clone(),
                inputs: vec![(source, vec![self.sequences.packets.get(packet).clone()])],
            },
        )]);
        let mut actions = self.actions(part, &staged);
        let own = &self.known[part].own[&local];
        actions.retain(|action| !own.iter().any(|(own, _)| own == action));
        let steps = actions.iter().filter_map(|action| self.take(part, local, &staged, action));
        let steps = steps.collect_vec();
        let known = &mut self.known[part];
        known.receipts.insert((local, source, packet), steps.clone());
        steps
    }

    /// The actions of one actor.
    fn actions(&self, part: usize, state: &S::State) -> Vec<S::Action> {
        let mut actions = Vec::new();
        self.system.actions(state, &mut actions);
        actions.retain(|action| self.system.actor(action) == part);
        actions
    }

    /// Takes a step in a staged state, and notes whether it is graded.
    fn take(
        &mut self,
        part: usize,
        local: u32,
        staged: &S::State,
        action: &S::Action,
    ) -> Option<LocalStep> {
        let next = self.system.next_state(staged, action.clone())?;
        let parts = self.system.split(&next);
        let mut sends = Vec::new();
        for (target, arrived) in parts.iter().enumerate() {
            for (source, packets) in &arrived.inputs {
                assert_eq!(*source, part, "a step sends in the name of its own actor");
                sends.push((target, self.sequences.intern(packets)));
            }
        }
        let taken = self.known[part].taken[local as usize] + 1;
        let local = self.intern_local(part, &parts[part].local, taken);
        self.graded &= self.known[part].taken[local as usize] == taken;
        Some(LocalStep { local, sends })
    }

    /// The states after a state, by the model's own rules: for systems whose steps are not local.
    pub(super) fn successors(&mut self, views: &[u32]) -> Vec<Vec<u32>> {
        let state = self.join(views);
        let next = self.system.next_states(&state);
        next.iter().map(|state| self.split(state)).collect()
    }

    /// Bytes held, as far as they are known here.
    pub(super) fn bytes(&self) -> usize {
        let view = (1 + self.idle.len()) * size_of::<u32>();
        let known = self.known.iter().map(|known| {
            let receipt = size_of::<((u32, usize, u32), Vec<LocalStep>)>();
            known.locals.bytes()
                + known.views.bytes()
                + known.views.len() * view
                + known.receipts.capacity() * receipt
        });
        known.sum()
    }
}
