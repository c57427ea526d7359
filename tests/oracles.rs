//! A second, independent oracle for `consistent-cut`: vector clocks, and closure under
//! happened-before, over the application's events in an instrumented model.
//!
//! The claim compares counts on each channel. The oracle counts nothing: it keeps every event with its
//! vector clock and its direct causes, and asks whether the events in the recorded past are closed
//! under happened-before. Where every process has recorded, all three must agree.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use stateright::actor::ActorModelAction;
use stateright::{Checker, Model, Property};

use snapcheck::claims;
use snapcheck::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, FlinkAtLeastOnce, General, GeneralLiteral,
    GeneralLiteralForgetful, Universal,
};
use snapcheck::models::application::Application;
use snapcheck::models::applications::Script;
use snapcheck::models::claim::Claim;
use snapcheck::models::host::ProcessHost;
use snapcheck::models::packet::Packet;
use snapcheck::models::process::SnapshotAlgorithm;
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::{ProcessId, Topology};
use snapcheck::system::{
    ActorAction, ActorStates, Observer, System, SystemAction, SystemModel, SystemState, Timer,
};

/// An event of the application: (process, position among its events).
type EventId = (usize, usize);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Event {
    /// Per process, how many of its events happened before this one or are this one.
    clock: Vec<usize>,
    /// The previous event of the process and, for a receive, the send.
    causes: Vec<EventId>,
}

/// Every event so far, and the cut.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct History {
    events: Vec<Vec<Event>>,
    /// Per process, how many of its events happened before it recorded.
    cut: Vec<Option<usize>>,
    /// Per channel, the sends of the messages in it.
    in_flight: Vec<VecDeque<EventId>>,
}

impl History {
    fn happen(&mut self, process: usize, send: Option<EventId>) -> EventId {
        let position = self.events[process].len();
        let previous = position.checked_sub(1).map(|previous| (process, previous));
        let causes: Vec<_> = previous.into_iter().chain(send).collect();
        let mut clock = vec![0; self.events.len()];
        for &(p, index) in &causes {
            for (own, cause) in clock.iter_mut().zip(&self.events[p][index].clock) {
                *own = (*own).max(*cause);
            }
        }
        clock[process] = position + 1;
        self.events[process].push(Event { clock, causes });
        (process, position)
    }

    /// Events in the cut know of no event beyond it, by their clocks.
    fn is_consistent_by_clocks(&self) -> bool {
        let inside = |(process, cut): (usize, &Option<usize>)| {
            cut.unwrap_or_default().checked_sub(1).map(|last| &self.events[process][last].clock)
        };
        self.cut.iter().enumerate().filter_map(inside).all(|clock| {
            clock.iter().zip(&self.cut).all(|(known, cut)| cut.is_none_or(|cut| *known <= cut))
        })
    }

    /// Everything that happened before an event in the cut is in the cut, by walking the causes.
    fn is_closed(&self) -> bool {
        let in_cut = |&(p, i): &EventId| self.cut[p].is_some_and(|cut| i < cut);
        let beyond = |&(p, i): &EventId| self.cut[p].is_some_and(|cut| i >= cut);
        let all = (0..self.events.len())
            .flat_map(|process| (0..self.events[process].len()).map(move |index| (process, index)));
        let mut frontier: Vec<_> = all.filter(in_cut).collect();
        let mut seen: BTreeSet<_> = frontier.iter().copied().collect();
        while let Some((process, index)) = frontier.pop() {
            for &cause in &self.events[process][index].causes {
                if seen.insert(cause) {
                    frontier.push(cause);
                }
            }
        }
        !seen.iter().any(beyond)
    }
}

impl<P: Application> Observer<P> for History {
    fn start(host: &ProcessHost<P>) -> Self {
        let topology = &host.setup().topology;
        Self {
            events: vec![Vec::new(); topology.process_count()],
            cut: vec![None; topology.process_count()],
            in_flight: vec![VecDeque::new(); topology.channel_count()],
        }
    }

    fn observe(
        &mut self,
        host: &ProcessHost<P>,
        before: &ActorStates<P>,
        action: &ActorAction<P>,
        after: &ActorStates<P>,
    ) {
        let topology = &host.setup().topology;
        let (actor, source, is_event) = match action {
            ActorModelAction::Deliver { src, dst, msg } => {
                (usize::from(*dst), Some(usize::from(*src)), matches!(msg, Packet::Message(_)))
            }
            ActorModelAction::Timeout(id, timer) => {
                (usize::from(*id), None, matches!(timer, Timer::Application(_)))
            }
            _ => unreachable!("a system only delivers and times out"),
        };
        if actor >= topology.process_count() {
            return;
        }
        let old = before.actor_states[actor].process();
        let new = after.actor_states[actor].process();
        // The algorithm's part of a step comes before the application's.
        if !old.checkpoint(1).has_recorded() && new.checkpoint(1).has_recorded() {
            self.cut[actor] = Some(self.events[actor].len());
        }
        if !is_event {
            return;
        }
        let process = ProcessId::new(actor);
        let send = source.and_then(|source| {
            let channel = topology.channel_between(ProcessId::new(source), process)?;
            self.in_flight[channel.index()].pop_front()
        });
        let event = self.happen(actor, send);
        for (&channel, (old, new)) in
            topology.outputs(process).iter().zip(old.sent.iter().zip(&new.sent))
        {
            for _ in *old..*new {
                self.in_flight[channel.index()].push_back(event);
            }
        }
    }
}

type State<O> = SystemState<Script, O>;

type Properties<O> = fn() -> Vec<Property<Watched<O>>>;

/// A system with an observer, and properties of what it sees.
struct Watched<O: Observer<Script>> {
    model: SystemModel<Script, O>,
    properties: Properties<O>,
}

impl<O: Observer<Script>> Model for Watched<O> {
    type State = State<O>;
    type Action = SystemAction<Script>;

    fn init_states(&self) -> Vec<Self::State> {
        self.model.init_states()
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        self.model.actions(state, actions);
    }

    fn next_state(&self, state: &Self::State, action: Self::Action) -> Option<Self::State> {
        self.model.next_state(state, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        (self.properties)()
    }
}

fn explore<A: SnapshotAlgorithm, O: Observer<Script>>(
    topology: &str,
    messages: u16,
    coordinator: Coordinator,
    properties: Properties<O>,
) -> impl Checker<Watched<O>> {
    let topology = Topology::parse(topology).unwrap();
    let script = Script::round_robin(&topology, messages);
    let initiators = A::INFO.default_initiators.on(&topology);
    let setup = Setup::new(topology, initiators, coordinator);
    let model = SystemModel::<_, O>::of::<A>(Arc::new(setup), Arc::new(script));
    Watched { model, properties }.checker().spawn_bfs().join()
}

fn agreement() -> Vec<Property<Watched<History>>> {
    fn by_claim(watched: &Watched<History>, state: &State<History>) -> bool {
        claims::judge_state(Claim::ConsistentCut, &watched.model.views(state))
    }
    vec![
        Property::always("the oracles agree", |watched, state: &State<History>| {
            let claim = by_claim(watched, state);
            let clocks = state.observer.is_consistent_by_clocks();
            let closure = state.observer.is_closed();
            let all_recorded = state.observer.cut.iter().all(Option::is_some);
            // Before all have recorded, an orphan may show only through a third process.
            clocks == closure && (claim || !clocks) && (claim == clocks || !all_recorded)
        }),
        Property::sometimes("inconsistent by the claim", |w, state| !by_claim(w, state)),
        Property::sometimes("inconsistent by the clocks", |_, state: &State<History>| {
            !state.observer.is_consistent_by_clocks()
        }),
        Property::sometimes("every process has recorded", |_, state: &State<History>| {
            state.observer.cut.iter().all(Option::is_some)
        }),
    ]
}

/// Holds the oracles against each other; tells whether they found an inconsistent cut.
fn agree<A: SnapshotAlgorithm>(topology: &str, messages: u16, coordinator: Coordinator) -> bool {
    let checker = explore::<A, _>(topology, messages, coordinator, agreement);
    assert!(checker.discovery("the oracles agree").is_none(), "{}", A::INFO.name);
    assert!(checker.discovery("every process has recorded").is_some(), "{}", A::INFO.name);
    let by_claim = checker.discovery("inconsistent by the claim").is_some();
    assert_eq!(by_claim, checker.discovery("inconsistent by the clocks").is_some());
    by_claim
}

fn agree_everywhere<A: SnapshotAlgorithm>() -> bool {
    let inconsistent = [
        agree::<A>("line(2)", 2, Coordinator::None),
        agree::<A>("line(2)", 1, Coordinator::Central),
        agree::<A>("line(3)", 1, Coordinator::None),
        agree::<A>("fan-in(2)", 1, Coordinator::None),
        agree::<A>("diamond", 1, Coordinator::None),
    ];
    inconsistent.contains(&true)
}

#[test]
fn clocks_and_claim_agree_where_the_cut_is_consistent() {
    assert!(!agree_everywhere::<ChandyLamport>());
    assert!(!agree::<ChandyLamport>("complete(2)", 2, Coordinator::None));
    assert!(!agree::<ChandyLamport>("complete(2), p0 -> p0", 1, Coordinator::None));
    assert!(!agree_everywhere::<General>());
    assert!(!agree::<General>("complete(2)", 1, Coordinator::Process(ProcessId::new(0))));
    assert!(!agree_everywhere::<Universal>());
    assert!(!agree_everywhere::<FlinkAligned>());
}

#[test]
fn clocks_and_claim_agree_where_it_is_not() {
    assert!(agree_everywhere::<GeneralLiteral>());
    assert!(agree::<GeneralLiteral>("complete(2)", 1, Coordinator::Process(ProcessId::new(0))));
    assert!(agree_everywhere::<GeneralLiteralForgetful>());
    assert!(agree_everywhere::<FlinkAtLeastOnce>());
    assert!(agree_everywhere::<Clock>());
}

/// Watches whether a record that a channel's marker caused finds n = n' = m = m' there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CausedRecords {
    seen: bool,
    wrong: bool,
}

impl<P: Application> Observer<P> for CausedRecords {
    fn start(_: &ProcessHost<P>) -> Self {
        Self::default()
    }

    fn observe(
        &mut self,
        host: &ProcessHost<P>,
        before: &ActorStates<P>,
        action: &ActorAction<P>,
        after: &ActorStates<P>,
    ) {
        let ActorModelAction::Deliver { src, dst, msg: Packet::Control { .. } } = action else {
            return;
        };
        let (source, target) = (usize::from(*src), usize::from(*dst));
        let old = before.actor_states[target].process();
        let new = after.actor_states[target].process();
        let (old, own) = (old.checkpoint(1), new.checkpoint(1));
        if old.has_recorded() || !own.has_recorded() {
            return;
        }
        let topology = &host.setup().topology;
        let ends = (ProcessId::new(source), ProcessId::new(target));
        let channel = topology.channel_between(ends.0, ends.1).unwrap();
        let sender = after.actor_states[source].process();
        let output = &sender.checkpoint(1).outputs[topology.output_position(channel)];
        let position = topology.input_position(channel);
        let (input, received) = (&own.inputs[position], new.received[position]);
        let numbers = [
            output.sent_before_record,
            output.sent_before_marker,
            input.received_before_record,
            input.left_out,
        ];
        self.seen |= received > 0;
        self.wrong |= numbers.iter().any(|number| *number != Some(received));
    }
}

/// The last clause of `marker-arithmetic`, which the claim leaves to the FIFO order.
#[test]
fn a_record_caused_by_a_marker_finds_all_four_numbers_equal() {
    fn equal<A: SnapshotAlgorithm>(topology: &str) {
        let checker = explore::<A, CausedRecords>(topology, 2, Coordinator::None, || {
            vec![
                Property::always("equal", |_, state: &State<CausedRecords>| !state.observer.wrong),
                Property::sometimes("seen", |_, state: &State<CausedRecords>| state.observer.seen),
            ]
        });
        assert!(checker.discovery("equal").is_none(), "{} on {topology}", A::INFO.name);
        assert!(checker.discovery("seen").is_some(), "{} on {topology}", A::INFO.name);
    }
    for topology in ["complete(2)", "line(3)", "fan-in(2)"] {
        equal::<ChandyLamport>(topology);
        equal::<General>(topology);
    }
    equal::<FlinkAligned>("line(3)");
}
