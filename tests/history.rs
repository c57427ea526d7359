//! The claims that need history: facts about them, and an independent check of what they are judged on.
//!
//! The checker explores the application alone by its own rules. Here the same graph is got from the
//! host: a system in which nobody ever begins a snapshot is the application alone.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod alone;
    pub(crate) mod command;
    pub(crate) mod scripted;
    pub(crate) mod small;
}

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use stateright::Model;
use stateright::actor::ActorModelAction;

use snapcheck::application_graph::{ApplicationGraph, GlobalOf, StableProperty};
use snapcheck::check::{Options, Report, Traces, check};
use snapcheck::claims;
use snapcheck::engines::{Limits, Request};
use snapcheck::instance::{Instance, bundled};
use snapcheck::models::algorithms::{ChandyLamport, Clock};
use snapcheck::models::application::{Application, GlobalState};
use snapcheck::models::applications::{Requests, Script};
use snapcheck::models::claim::Claim;
use snapcheck::models::process::SnapshotAlgorithm;
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::Topology;
use snapcheck::registry::Registry;
use snapcheck::system::{
    Action, FirstRecordOf, History, Prevented, System, SystemModel, Timer, View, application_part,
};
use snapcheck::verdict::Verdict;
use support::alone::alone;
use support::command::{run, stdout};
use support::scripted::scripted;
use support::small::small_setups;

const HISTORY: [Claim; 3] = [Claim::Reachable, Claim::StableProperty, Claim::NonInterference];

fn judge(registry: &Registry, instance: &Instance, claims: &[Claim]) -> Report {
    let options = Options { claims: claims.to_vec(), traces: Traces::None, ..Options::default() };
    check(registry, instance, &options, &|_| ())
}

fn verdict(report: &Report, claim: Claim) -> Verdict {
    report.claims.iter().find(|found| found.claim == claim).unwrap().verdict
}

fn named(registry: &Registry, name: &str) -> Instance {
    let all = bundled::all(&registry.infos()).unwrap_or_else(|e| panic!("{}", e.render(false)));
    all.into_iter().find(|instance| instance.name == name).unwrap()
}

fn setup(topology: &Topology) -> Arc<Setup> {
    let topology = topology.clone();
    let initiators = topology.processes().collect();
    Arc::new(Setup::new(topology, initiators, Coordinator::None))
}

type Edges<P> = BTreeMap<GlobalOf<P>, BTreeSet<GlobalOf<P>>>;

/// What the application does where nobody begins, by the host's rules.
fn by_the_host<P: Application>(topology: &Topology, application: &Arc<P>) -> Edges<P> {
    let system = SystemModel::<P>::of::<Clock>(setup(topology), Arc::clone(application));
    let mut edges = Edges::<P>::new();
    let mut waiting = system.init_states();
    while let Some(state) = waiting.pop() {
        let part = application_part(topology, &state.actors);
        if edges.contains_key(&part) {
            continue;
        }
        let mut actions = Vec::new();
        system.actions(&state, &mut actions);
        actions.retain(|action| {
            !matches!(action, Action::Step(ActorModelAction::Timeout(_, Timer::Begin(_))))
        });
        let next = actions.into_iter().filter_map(|action| system.next_state(&state, action));
        let next: Vec<_> = next.collect();
        let parts = next.iter().map(|next| application_part(topology, &next.actors));
        edges.insert(part, parts.collect());
        waiting.extend(next);
    }
    edges
}

fn future<P: Application>(edges: &Edges<P>, from: &GlobalOf<P>) -> BTreeSet<GlobalOf<P>> {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(state) = waiting.pop() {
        if let Some(next) = edges.get(&state)
            && seen.insert(state)
        {
            waiting.extend(next.iter().cloned());
        }
    }
    seen
}

/// The same states, and the same ways between any two; how many there are.
fn agrees<P: Application>(topology: &Topology, application: &Arc<P>) -> usize {
    let graph = ApplicationGraph::explore(topology, &**application, usize::MAX).unwrap();
    let edges = by_the_host(topology, application);
    let states = edges.len();
    assert_eq!(graph.state_count(), states);
    for from in edges.keys() {
        let future = future::<P>(&edges, from);
        for to in edges.keys() {
            assert_eq!(graph.reaches(from, to), future.contains(to), "{from:?} to {to:?}");
        }
    }
    for property in StableProperty::ALL {
        let holds = |state: &GlobalOf<P>| property.holds(&**application, state);
        let stable = edges.iter().all(|(from, next)| !holds(from) || next.iter().all(holds));
        assert_eq!(graph.is_stable(property), stable, "{}", property.word());
    }
    let (too_few, enough) = (states - 1, states);
    assert!(ApplicationGraph::explore(topology, &**application, too_few).is_none());
    assert!(ApplicationGraph::explore(topology, &**application, enough).is_some());
    states
}

fn requests(topology: &Topology, wants: &[(usize, &[usize])], rounds: u16) -> Arc<Requests> {
    let mut lists = vec![Vec::new(); topology.process_count()];
    let processes: Vec<_> = topology.processes().collect();
    for (process, owners) in wants {
        let channel = |&owner: &usize| {
            topology.channel_between(processes[*process], processes[owner]).unwrap()
        };
        lists[*process] = owners.iter().map(channel).collect();
    }
    Arc::new(Requests::new(topology, lists, rounds))
}

#[test]
fn the_graph_is_the_application_alone() {
    let two = Topology::parse("complete(2)").unwrap();
    let diamond = Topology::parse("diamond").unwrap();
    let three = Topology::parse("complete(3)").unwrap();
    let each_other: &[(usize, &[usize])] = &[(0, &[1]), (1, &[0])];
    let found = [
        agrees(&two, &Arc::new(Script::round_robin(&two, 2))),
        agrees(&diamond, &Arc::new(Script::round_robin(&diamond, 1))),
        agrees(&two, &requests(&two, each_other, 1)),
        agrees(&two, &requests(&two, each_other, 2)),
        agrees(&three, &requests(&three, &[(0, &[1]), (1, &[2]), (2, &[0])], 1)),
    ];
    assert_eq!(found, [36, 63, 37, 129, 233]);
}

/// Without counts the states are those that a third exploration finds, which knows no host.
#[test]
fn the_graph_has_the_states_that_brute_force_finds() {
    let topology = Topology::parse("complete(3)").unwrap();
    let application = requests(&topology, &[(0, &[2, 1]), (1, &[2])], 1);
    let edges = by_the_host(&topology, &application);
    let without_counts = edges.keys().map(|state| GlobalState {
        processes: state.processes.iter().map(|process| process.state.clone()).collect(),
        channels: state
            .channels
            .iter()
            .map(|channel| channel.iter().map(|message| message.content).collect())
            .collect(),
    });
    let found: BTreeSet<_> = without_counts.collect();
    assert!(found.into_iter().eq(alone(&topology, &*application).into_keys()));
}

/// A system that remembers, each state with its history; recomputed by brute force.
fn recomputed<A: SnapshotAlgorithm, P: Application>(
    topology: &str,
    application: impl Fn(&Topology) -> P,
) -> [usize; 3] {
    let topology = Topology::parse(topology).unwrap();
    let application = Arc::new(application(&topology));
    let watched =
        SystemModel::<P, FirstRecordOf<P>>::of::<A>(setup(&topology), Arc::clone(&application));
    let graph = ApplicationGraph::explore(&topology, &*application, usize::MAX).unwrap();
    let edges = by_the_host(&topology, &application);
    let futures: BTreeMap<_, _> =
        edges.keys().map(|state| (state, future::<P>(&edges, state))).collect();
    let reaches = |from: &GlobalOf<P>, to: &GlobalOf<P>| {
        futures.get(from).is_some_and(|future| future.contains(to))
    };
    let mut seen = Vec::new();
    let mut waiting = watched.init_states();
    let (mut complete, mut right) = (0, 0);
    while let Some(state) = waiting.pop() {
        if seen.contains(&state) {
            continue;
        }
        let history = History::of(&watched, &graph, &state, true);
        let present = application_part(&topology, &state.actors);
        assert!(history.is_possible_alone && edges.contains_key(&present));
        assert_eq!(history.prevented, None, "nothing blocks here");
        let outcome = watched.outcomes(&state).pop();
        assert_eq!(history.recorded.is_some(), outcome.is_some());
        if let (Some(found), Some(recorded)) = (history.recorded, outcome) {
            let before = state.observer.before().unwrap();
            assert!(reaches(before, &present), "time goes forward");
            assert_eq!(found.is_reached, reaches(before, &recorded));
            assert_eq!(found.reaches_present, reaches(&recorded, &present));
            complete += 1;
            right += usize::from(found.is_reached && found.reaches_present);
        }
        waiting.extend(watched.next_steps(&state).into_iter().map(|(_, next)| next));
        seen.push(state);
    }
    [seen.len(), complete, right]
}

#[test]
fn histories_are_what_brute_force_says() {
    let script = |topology: &Topology| Script::round_robin(topology, 1);
    let cycle = |topology: &Topology| Requests::new(topology, Requests::of_neighbours(topology), 1);
    let found = [
        recomputed::<ChandyLamport, _>("complete(2)", script),
        recomputed::<Clock, _>("complete(2)", script),
        recomputed::<ChandyLamport, _>("complete(2)", cycle),
        recomputed::<Clock, _>("complete(2)", cycle),
    ];
    assert_eq!(found, [[281, 47, 47], [173, 92, 24], [2191, 695, 695], [2331, 1658, 392]]);
}

/// Where every snapshot completes, theorem 1 holds exactly where the cut is consistent and channel
/// states are exact; promises are kept; what is promised of stable properties follows.
#[test]
fn promises_are_kept_and_reachable_means_consistent_and_exact() {
    let registry = Registry::bundled();
    let claims = [Claim::ConsistentCut, Claim::ExactChannelState, Claim::Terminates];
    let request = Request { claims: HISTORY.to_vec(), limits: Limits::default(), threads: 1 };
    let mut fallen = 0;
    let setups = small_setups();
    let few = |(topology, _): &&(String, String)| topology.matches("->").count() <= 2;
    for (topology, initiators) in setups.iter().filter(few) {
        for info in registry.algorithms() {
            let instance = scripted(&registry, info.name, topology, 1, initiators);
            let report = judge(&registry, &instance, &claims);
            let remembered = registry.runner(&instance).remember(&instance, &request, &|_| ());
            let verdicts = [remembered.verdicts, report.explored.verdicts].concat();
            let holds = |claim: Claim| verdicts.contains(&(claim, Verdict::Holds));
            let place = format!("{} on {topology}, {initiators}", info.name);
            for claim in HISTORY {
                assert!(holds(claim) || !instance.promises(claim), "{}: {place}", claim.name());
            }
            let consistent = holds(Claim::ConsistentCut) && holds(Claim::ExactChannelState);
            assert!(holds(Claim::Reachable) || !consistent, "{place}");
            assert!(holds(Claim::StableProperty) || !holds(Claim::Reachable), "{place}");
            if holds(Claim::Terminates) {
                assert_eq!(holds(Claim::Reachable), consistent, "{place}");
            }
            fallen += usize::from(!holds(Claim::Reachable));
        }
    }
    assert!(fallen > 100, "only {fallen} fall");
}

/// A deadlock from before is found and none is told of that is not there, by those that record
/// consistently; the clocks tell of one that never was.
#[test]
fn deadlocks_are_found_and_phantoms_are_not() {
    let registry = Registry::bundled();
    for name in ["chandy-lamport/requests", "general/requests"] {
        let report = judge(&registry, &named(&registry, name), &[]);
        assert_eq!(verdict(&report, Claim::StableProperty), Verdict::Holds, "{name}");
        assert_eq!(verdict(&report, Claim::DeadlockFound), Verdict::Holds, "{name}");
    }
    let report =
        check(&registry, &named(&registry, "clock/requests"), &Options::default(), &|_| ());
    let found = report.claims.iter().find(|found| found.claim == Claim::StableProperty).unwrap();
    let last = &found.shown.as_ref().unwrap().trace.last;
    let recorded = last[0].history.as_ref().unwrap().recorded.as_ref().unwrap();
    let [deadlocked, terminated] = recorded.properties[..] else { unreachable!("there are two") };
    assert_eq!(deadlocked.property, StableProperty::Deadlocked);
    assert!(!deadlocked.before && deadlocked.recorded && !deadlocked.present, "a phantom");
    assert!(!terminated.recorded);
}

/// Chandy & Lamport 1985, section 4: what is recorded need never have been.
#[test]
fn a_recorded_state_need_not_have_been_passed_through() {
    let registry = Registry::bundled();
    let instance = named(&registry, "chandy-lamport/complete-2-k2");
    let report = check(&registry, &instance, &Options::default(), &|_| ());
    let found = report.claims.iter().find(|found| found.claim == Claim::RecordedNeverPassed);
    let steps = &found.unwrap().shown.as_ref().unwrap().trace.steps;
    let recalled = registry.runner(&instance).recall(&instance, steps).unwrap().unwrap();
    assert_eq!(recalled.first_deciding(Claim::RecordedNeverPassed), Some(6));
    assert!(recalled.decides(Claim::RecordedNeverPassed));
    // Where nothing is sent there is only one state to be in.
    let still = scripted(&registry, "chandy-lamport", "complete(2)", 0, "");
    let report = judge(&registry, &still, &[Claim::Reachable, Claim::RecordedNeverPassed]);
    assert_eq!(verdict(&report, Claim::RecordedNeverPassed), Verdict::Violated);
    assert!(report.claims[0].vacuous, "and theorem 1 says nothing");
}

#[test]
fn interference_is_seen_in_what_a_state_shows() {
    let registry = Registry::bundled();
    let instance = named(&registry, "chandy-lamport/complete-2-k2");
    let report = check(&registry, &instance, &Options::default(), &|_| ());
    let found = report.claims.iter().find(|found| found.claim == Claim::RecordedNeverPassed);
    let view: View = found.unwrap().shown.as_ref().unwrap().trace.last[0].clone();
    let judged = |spoil: &dyn Fn(&mut History)| {
        let mut spoilt = view.clone();
        spoil(spoilt.history.as_mut().unwrap());
        claims::judge(Claim::NonInterference, &spoilt)
    };
    let process = instance.setup.topology.processes().next().unwrap();
    assert!(judged(&|_| ()));
    assert!(!judged(&|history| history.is_possible_alone = false));
    assert!(!judged(&|history| history.prevented = Some(Prevented::Act(process))));
}

#[test]
fn only_who_asks_gets_history_and_counts_stay() {
    let registry = Registry::bundled();
    let asks = named(&registry, "chandy-lamport/requests");
    let mut silent = asks.clone();
    silent.expect.claims.retain(|claim, _| !claim.needs_history());
    let (asks, silent) = (judge(&registry, &asks, &[]), judge(&registry, &silent, &[]));
    assert!(asks.history.is_some() && silent.history.is_none());
    assert_eq!(asks.claims.len(), silent.claims.len() + 5);
    assert!(silent.claims.iter().all(|found| !found.claim.needs_history()));
    let counts = |report: &Report| (report.explored.unique, report.explored.generated);
    assert_eq!(counts(&asks), counts(&silent));
}

#[test]
fn limits_leave_history_open() {
    let registry = Registry::bundled();
    let instance = named(&registry, "chandy-lamport/requests");
    let limits = Limits { max_states: Some(10), timeout: None };
    let options = Options { claims: HISTORY.to_vec(), limits, ..Options::default() };
    let report = check(&registry, &instance, &options, &|_| ());
    assert!(report.claims.iter().all(|found| found.verdict == Verdict::Inconclusive));
    // An application with too many states of its own is not explored, however high the limits.
    let large = scripted(&registry, "chandy-lamport", "complete(2)", 100, "");
    let request = Request { claims: HISTORY.to_vec(), limits: Limits::default(), threads: 1 };
    let remembered = registry.runner(&large).remember(&large, &request, &|_| ());
    assert_eq!((remembered.alone, remembered.judged), (None, 0));
    assert!(remembered.verdicts.iter().all(|(_, verdict)| *verdict == Verdict::Inconclusive));
}

#[test]
fn the_command_line_shows_saves_and_replays_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("phantom.json");
    let path = path.to_str().unwrap();
    let ask = ["check", "clock/requests", "--claim", "stable-property"];
    let output = run(&[&ask[..], &["--save-trace", path]].concat());
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.contains("So the application is deadlocked as recorded, but is not."), "{text}");
    let replayed = run(&["replay", path]);
    assert_eq!(replayed.status.code(), Some(0));
    let text = stdout(&replayed);
    assert!(text.contains("stable-property is violated in the last state."), "{text}");

    let output = stdout(&run(&[&ask[..], &["--format", "json"]].concat()));
    let json: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(json["history"]["application_states"], 37);
    assert_eq!(json["claims"][0]["trace"].as_array().unwrap().len(), 11);
    assert_eq!(
        json["claims"][0]["explanation"],
        "the application is deadlocked as recorded, but is not"
    );
    let refused = run(&["check", "clock/requests", "--reduce", "--claim", "reachable"]);
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(error.contains("cannot judge reachable: it asks for what was before"), "{error}");
}
