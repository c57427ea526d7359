//! Costs over all runs, held against every run one by one: the survey sees a graph, this sees traces.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod lights;
}

use std::sync::Arc;

use snapcheck::engines::Limits;
use snapcheck::models::algorithms::{
    ChandyLamport, Clock, FlinkAligned, GeneralLiteral, Universal,
};
use snapcheck::models::applications::Script;
use snapcheck::models::process::SnapshotAlgorithm;
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::{ProcessId, Topology};
use snapcheck::survey::{Range, survey};
use snapcheck::system::{ActionKind, Effect, Reduced, Reduction, Sent, System, SystemModel, Trace};
use support::lights::Lights;

fn setup(topology: &str, initiators: &[usize], coordinator: Coordinator) -> Arc<Setup> {
    let initiators = initiators.iter().map(|&index| ProcessId::new(index)).collect();
    Arc::new(Setup::new(Topology::parse(topology).unwrap(), initiators, coordinator))
}

/// Steps from the beginning to the end of a run, and control messages sent in it.
fn costs(trace: &Trace) -> [u64; 2] {
    let begins = trace.steps.iter().position(|step| {
        let records = step.effects.iter().any(|effect| matches!(effect, Effect::Records { .. }));
        // Before the instruction of a coordinator nobody records.
        records || step.action == ActionKind::Instruct
    });
    let effects = trace.steps.iter().flat_map(|step| &step.effects);
    let control = effects.map(|effect| match effect {
        Effect::Sends { what: Sent::Control(_), to } => to.len(),
        _ => 0,
    });
    [(trace.steps.len() - begins.unwrap()) as u64, control.sum::<usize>() as u64]
}

type Run<S> = Vec<(<S as stateright::Model>::State, Option<<S as stateright::Model>::Action>)>;

/// Goes on with a run in every way until its snapshot is complete.
fn every_run<S: System>(system: &S, run: &mut Run<S>, found: &mut Vec<[u64; 2]>) {
    let state = run.last().unwrap().0.clone();
    let declared = system.views(&state)[0].declared;
    if declared.unwrap_or_else(|| !system.outcomes(&state).is_empty()) {
        found.push(costs(&system.trace(run)));
        return;
    }
    let mut actions = Vec::new();
    system.actions(&state, &mut actions);
    for action in actions {
        let Some(next) = system.next_state(&state, action.clone()) else { continue };
        run.last_mut().unwrap().1 = Some(action);
        run.push((next, None));
        every_run(system, run, found);
        run.pop();
    }
}

fn compare<A: SnapshotAlgorithm>(setup: &Arc<Setup>) -> [Option<Range>; 2] {
    let script = Arc::new(Script::round_robin(&setup.topology, 1));
    let system = SystemModel::of::<A>(Arc::clone(setup), script);
    let mut found = Vec::new();
    for state in stateright::Model::init_states(&system) {
        every_run(&system, &mut vec![(state, None)], &mut found);
    }
    let expected = [0, 1].map(|cost| {
        let values = || found.iter().map(|costs| costs[cost]);
        Some(Range { least: values().min()?, most: values().max() })
    });
    let whole = Reduced::new(system, Reduction::default());
    let survey = survey(&Arc::new(whole), Limits::default()).unwrap();
    let surveyed = [survey.steps_to_completion, survey.control_messages];
    assert_eq!(surveyed, expected, "{} on {:?}, {} runs", A::INFO.name, setup, found.len());
    surveyed
}

#[test]
fn the_least_and_the_most_are_those_of_all_runs() {
    for initiators in [&[0][..], &[0, 1]] {
        let setup = setup("complete(2)", initiators, Coordinator::None);
        compare::<ChandyLamport>(&setup);
        compare::<FlinkAligned>(&setup);
    }
    let fan_in = setup("fan-in(2)", &[0, 1], Coordinator::None);
    compare::<FlinkAligned>(&fan_in);
    compare::<ChandyLamport>(&fan_in);
    let line = setup("line(2)", &[0, 1], Coordinator::None);
    compare::<Universal>(&line);
    compare::<Clock>(&line);
    compare::<GeneralLiteral>(&line);
}

#[test]
fn with_a_coordinator_its_instruction_begins_and_its_declaration_ends() {
    let central = setup("line(2)", &[0, 1], Coordinator::Central);
    let [steps, _] = compare::<GeneralLiteral>(&central);
    // The instruction; both are told and say "done"; the marker.
    assert_eq!(steps.unwrap().least, 6);
    compare::<ChandyLamport>(&setup("line(2)", &[0], Coordinator::Central));
    compare::<Clock>(&central);
    let inside = Coordinator::Process(ProcessId::new(0));
    compare::<ChandyLamport>(&setup("line(2)", &[0], inside));
    compare::<GeneralLiteral>(&setup("line(2)", &[0, 1], inside));
}

#[test]
fn what_never_completes_costs_nothing() {
    let unreached = setup("p, q", &[0], Coordinator::None);
    assert_eq!(compare::<ChandyLamport>(&unreached), [None, None]);
}

#[test]
fn where_the_application_never_ends_steps_have_no_bound_but_control_messages_have() {
    let setup = setup("complete(2)", &[0], Coordinator::None);
    let system = SystemModel::<Lights>::of::<ChandyLamport>(setup, Arc::new(Lights));
    let survey = survey(&Arc::new(system), Limits::default()).unwrap();
    assert_eq!(survey.steps_to_completion, Some(Range { least: 3, most: None }));
    assert_eq!(survey.control_messages, Some(Range { least: 2, most: Some(2) }));
}

#[test]
fn a_limit_leaves_it_open() {
    let setup = setup("complete(2)", &[0], Coordinator::None);
    let script = Arc::new(Script::round_robin(&setup.topology, 1));
    let system = SystemModel::<Script>::of::<ChandyLamport>(setup, script);
    let system = Arc::new(Reduced::new(system, Reduction::default()));
    let limited = |max| survey(&system, Limits { max_states: Some(max), timeout: None }).is_some();
    assert!(!limited(64) && limited(65));
}
