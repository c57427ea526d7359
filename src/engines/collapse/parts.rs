//! The parts of a system, each kept once, and its steps, each taken once.
//!
//! A **view** is all that one part contributes to a global state: its local state and the contents of
//! its inputs. Views, local states and contents have numbers. The model's own rules run once for each
//! local state with each thing that can happen to it; views are composed from the results.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashMap;

use super::interner::{Interner, Tuples};
use super::sequences::{EMPTY, Sequences};
use crate::system::{Part, PartOf, ReactionOf, System};

/// To whom a step sends, and what: the number of a sequence of packets.
type Sends = Rc<[(usize, u32)]>;

/// A step of an actor in a local state, whatever else is under way to it.
#[derive(Clone)]
struct LocalStep {
    /// The local state after it.
    local: u32,
    /// What it sends to its own actor.
    back: u32,
    /// What it sends to others.
    sends: Sends,
}

/// A step of an actor in a view.
pub(super) struct ViewStep {
    /// The view after it.
    pub(super) view: u32,
    /// To which other parts it sends, and what.
    pub(super) sends: Sends,
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

/// What is known of one part.
struct Known<S: System> {
    locals: Interner<S::Local>,
    /// Per local state, how many steps lead to it, if that depends on nothing else.
    taken: Vec<u32>,
    /// Per local state, what the actor can do by itself.
    own: HashMap<u32, Rc<[LocalStep]>>,
    /// Per local state, sender and packet, the step that the actor takes on receiving it; none while it
    /// does not read.
    receipts: HashMap<(u32, usize, u32), Option<LocalStep>>,
    /// Per view, the local state, and by sender the contents of the inputs.
    views: Tuples,
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
        let length = 1 + idle.len();
        let known = idle.iter().map(|_| Known {
            locals: Interner::default(),
            taken: Vec::new(),
            own: HashMap::new(),
            receipts: HashMap::new(),
            views: Tuples::new(length),
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
            view[1 + source] = self.sequences.intern(packets, |p| self.system.is_message(p));
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
        let mut view = self.known[part].views.get(view).to_vec();
        let local = view[0];
        let own = self.own_steps(part, local);
        let mut steps = Vec::with_capacity(own.len() + self.idle.len());
        steps.extend(own.iter().map(|step| self.compose(part, &mut view, step, None)));
        for source in 0..self.idle.len() {
            let flow = view[1 + source];
            if flow == EMPTY {
                continue;
            }
            let waiting = self.packets(flow);
            view[1 + source] = self.sequences.pop(flow);
            if let Some(step) = self.receipt(part, local, source, self.sequences.head(flow)) {
                let receipt = Some(Receipt { source, waiting });
                steps.push(self.compose(part, &mut view, &step, receipt));
            }
            view[1 + source] = flow;
        }
        steps
    }

    /// By sender, how many messages of the application are under way to a view's part.
    pub(super) fn in_flight(&self, part: usize, view: u32) -> impl Iterator<Item = u32> + '_ {
        let inputs = &self.known[part].views.get(view)[1..];
        inputs.iter().map(|&flow| self.sequences.messages(flow))
    }

    /// How many packets are in a sequence.
    pub(super) fn packets(&self, sequence: u32) -> usize {
        self.sequences.len(sequence)
    }

    /// What arrives at a part behind its inputs.
    pub(super) fn arrive(&mut self, part: usize, view: u32, source: usize, sent: u32) -> u32 {
        let mut view = self.known[part].views.get(view).to_vec();
        view[1 + source] = self.sequences.join(view[1 + source], sent);
        self.known[part].views.intern(&view)
    }

    /// A step in a view, from which what the step consumes is taken already; the view is as before in
    /// the end.
    fn compose(
        &mut self,
        part: usize,
        view: &mut [u32],
        step: &LocalStep,
        receipt: Option<Receipt>,
    ) -> ViewStep {
        let (local, looped) = (view[0], view[1 + part]);
        view[0] = step.local;
        // What an actor sends to itself arrives in the same view.
        if step.back != EMPTY {
            view[1 + part] = self.sequences.join(looped, step.back);
        }
        let after = self.known[part].views.intern(view);
        (view[0], view[1 + part]) = (local, looped);
        ViewStep { view: after, sends: Rc::clone(&step.sends), receipt, shows: true }
    }

    fn own_steps(&mut self, part: usize, local: u32) -> Rc<[LocalStep]> {
        if let Some(steps) = self.known[part].own.get(&local) {
            return Rc::clone(steps);
        }
        let steps = self.system.own_steps(part, self.local_state(part, local));
        let steps = steps.into_iter().map(|step| self.note(part, local, step));
        let steps: Rc<[_]> = steps.collect();
        self.known[part].own.insert(local, Rc::clone(&steps));
        steps
    }

    fn receipt(
        &mut self,
        part: usize,
        local: u32,
        source: usize,
        packet: u32,
    ) -> Option<LocalStep> {
        if let Some(step) = self.known[part].receipts.get(&(local, source, packet)) {
            return step.clone();
        }
        let state = self.local_state(part, local);
        let step = self.system.receipt(part, state, source, self.sequences.packet(packet));
        let step = step.map(|step| self.note(part, local, step));
        self.known[part].receipts.insert((local, source, packet), step.clone());
        step
    }

    /// Numbers what comes of a step in a local state, and notes whether it is graded.
    fn note(&mut self, part: usize, local: u32, step: ReactionOf<S>) -> LocalStep {
        let (mut sends, mut back) = (Vec::new(), EMPTY);
        for (target, packets) in by_target(step.sends) {
            let sent = self.sequences.intern(&packets, |p| self.system.is_message(p));
            if target == part {
                back = sent;
            } else {
                sends.push((target, sent));
            }
        }
        let taken = self.known[part].taken[local as usize] + 1;
        let local = self.intern_local(part, &step.local, taken);
        self.graded &= self.known[part].taken[local as usize] == taken;
        LocalStep { local, back, sends: sends.into() }
    }

    /// The states after a state, by the model's own rules: for systems whose steps are not local.
    pub(super) fn successors(&mut self, views: &[u32]) -> Vec<Vec<u32>> {
        let state = self.join(views);
        let next = self.system.next_states(&state);
        next.iter().map(|state| self.split(state)).collect()
    }

    /// Bytes held, as far as they are known here.
    pub(super) fn bytes(&self) -> usize {
        let known = self.known.iter().map(|known| {
            let receipt = size_of::<((u32, usize, u32), Option<LocalStep>)>();
            known.locals.bytes() + known.views.bytes() + known.receipts.capacity() * receipt
        });
        known.sum()
    }
}

/// What is sent, in order, to each target.
fn by_target<M>(sends: Vec<(usize, M)>) -> Vec<(usize, Vec<M>)> {
    let mut targets: Vec<(usize, Vec<M>)> = Vec::new();
    for (target, packet) in sends {
        match targets.iter_mut().find(|(known, _)| *known == target) {
            Some((_, packets)) => packets.push(packet),
            None => targets.push((target, vec![packet])),
        }
    }
    targets.sort_unstable_by_key(|&(target, _)| target);
    targets
}
