//! The application `requests`: resources are exclusive, only who takes them in contrary orders may
//! deadlock, and deadlock is what it says.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod alone;
    pub(crate) mod command;
}

use std::collections::BTreeMap;

use expect_test::expect;

use snapcheck::check::{Options, Traces, check};
use snapcheck::engines::EngineKind;
use snapcheck::instance::{ApplicationSpec, Instance, Written, WrittenApplication, file};
use snapcheck::models::application::Application;
use snapcheck::models::applications::Requests;
use snapcheck::models::applications::requests::{Letter, Move, Party, Phase};
use snapcheck::models::topology::{Channel, Topology};
use snapcheck::registry::Registry;
use snapcheck::system::Reduction;
use support::alone::{Global, Steps, alone, reachable};
use support::command::run;

/// Topologies with who wants what, how often each begins, and whether that may deadlock.
const CASES: [(&str, &str, bool); 8] = [
    ("p -> q, q -> p", "{ wants = { p = [\"q\"] } }", false),
    ("p -> q, q -> p", "{}", true),
    ("p -> q, q -> p", "{ rounds = 2 }", true),
    ("p -> q, q -> p", "{ wants = { p = [\"q\"] }, rounds = 3 }", false),
    ("complete(3)", "{ wants = { p0 = [\"p1\"], p1 = [\"p2\"] } }", false),
    ("complete(3)", "{ wants = { p0 = [\"p1\"], p1 = [\"p2\"], p2 = [\"p0\"] } }", true),
    ("complete(3)", "{ wants = { p0 = [\"p2\", \"p1\"], p1 = [\"p2\"] } }", true),
    ("complete(3)", "{ wants = { p0 = [\"p1\", \"p2\"], p1 = [\"p2\"] } }", false),
];

fn instance(topology: &str, algorithm: &str, requests: &str) -> Instance {
    let text = format!(
        "title = \"\"\nalgorithm = \"{algorithm}\"\ntopology = \"{topology}\"\n\n\
         [application]\nrequests = {requests}\n"
    );
    let built = file::parse("inline", text, "inline", &Registry::bundled().infos());
    built.unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn requests(topology: &str, wants: &str) -> (Topology, Requests) {
    let instance = instance(topology, "clock", wants);
    let ApplicationSpec::Requests(requests) = &instance.application else { unreachable!() };
    (instance.setup.topology.clone(), Requests::clone(requests))
}

fn graph(topology: &str, wants: &str) -> (Topology, Requests, Steps<Requests>) {
    let (topology, requests) = requests(topology, wants);
    let steps = alone(&topology, &requests);
    (topology, requests, steps)
}

/// Per process, how many have its resource, or are about to, or have just released it.
fn holders(topology: &Topology, app: &Requests, state: &Global<Requests>) -> Vec<usize> {
    let mut holders = vec![0; topology.process_count()];
    for process in topology.processes() {
        let held = match state.process(process).phase {
            Phase::Idle => continue,
            Phase::Holds(held) | Phase::Waits(held) => usize::from(held),
        };
        holders[process.index()] += 1;
        for &channel in &app.wants[process.index()][..held] {
            holders[topology.channel(channel).target.index()] += 1;
        }
    }
    for channel in topology.channels() {
        let Channel { source, target } = topology.channel(channel);
        let letters = |wanted| state.channel(channel).iter().filter(|&&l| l == wanted).count();
        holders[source.index()] += letters(Letter::Grant);
        holders[target.index()] += letters(Letter::Release);
    }
    holders
}

#[test]
fn a_resource_is_one_process_s_at_a_time() {
    for (topology, wants, _) in CASES {
        let (topology, app, steps) = graph(topology, wants);
        for state in steps.keys() {
            let holders = holders(&topology, &app, state);
            assert!(holders.iter().all(|&count| count <= 1), "{wants}: {state:?}");
            for (process, &count) in topology.processes().zip(&holders) {
                let Party { phase, lent, .. } = state.process(process);
                let busy = *phase != Phase::Idle || lent.is_some();
                assert_eq!(count == 1, busy, "{wants}: the owner knows, {state:?}");
            }
        }
    }
}

/// Where two take resources in contrary orders, and only there, a deadlock is possible; then exactly the
/// ends that are no termination are deadlocks.
#[test]
fn contrary_orders_may_deadlock_and_others_not() {
    for (topology, wants, may_deadlock) in CASES {
        let (_, app, steps) = graph(topology, wants);
        let ends = || steps.iter().filter(|(_, next)| next.is_empty()).map(|(state, _)| state);
        for end in ends() {
            assert_eq!(app.is_terminated(end), !app.is_deadlocked(end), "{wants}: {end:?}");
        }
        assert_eq!(ends().any(|end| app.is_deadlocked(end)), may_deadlock, "{wants}");
        assert!(ends().any(|end| !app.is_deadlocked(end)), "{wants}: it may always go well");
    }
}

/// Who is deadlocked now has then what it has now, in every state to come; and deadlock is stable.
#[test]
fn a_deadlock_is_for_ever() {
    for (topology, wants, _) in CASES {
        let (_, app, steps) = graph(topology, wants);
        let mut early = 0;
        for (state, next) in steps.iter().filter(|(state, _)| app.is_deadlocked(state)) {
            assert!(next.iter().all(|next| app.is_deadlocked(next)), "{wants}: {state:?}");
            early += usize::from(!next.is_empty());
            let future = reachable::<Requests>(&steps, state);
            let stuck = state.processes.iter().enumerate().filter(|(index, now)| {
                let same = |later: &Global<Requests>| later.processes[*index].phase == now.phase;
                matches!(now.phase, Phase::Waits(_)) && future.iter().all(same)
            });
            assert!(stuck.count() >= 2, "{wants}: {state:?}");
        }
        let deadlocks = steps.keys().any(|state| app.is_deadlocked(state));
        assert_eq!(early > 0, deadlocks, "{wants}: with requests under way it is one already");
    }
}

#[test]
fn who_may_not_send_never_does() {
    for (topology, wants, _) in CASES {
        let (topology, app, steps) = graph(topology, wants);
        let mut silent = 0;
        for state in steps.keys() {
            for channel in topology.channels() {
                let source = topology.channel(channel).source;
                if app.may_send(source, state.process(source), channel) {
                    continue;
                }
                silent += 1;
                for later in reachable::<Requests>(&steps, state) {
                    let enabled = app.enabled(source, later.process(source));
                    let sends = |action: &Move| match action {
                        Move::Ask(on) | Move::Grant(on) => *on == channel,
                        Move::Release => app.wants[source.index()].contains(&channel),
                        Move::Take => false,
                    };
                    assert!(!enabled.iter().any(sends), "{wants}: {state:?}");
                }
            }
        }
        assert!(silent > 0 || wants.starts_with("{}") || wants.contains("rounds"), "{wants}");
    }
}

#[test]
fn every_search_finds_the_same() {
    let registry = Registry::bundled();
    let ring = "{ wants = { p0 = [\"p1\"], p1 = [\"p0\"] } }";
    for (algorithm, wants) in [("chandy-lamport", ring), ("general", ring), ("clock", "{}")] {
        let instance = instance("complete(2)", algorithm, wants);
        let found = |engine, reduction| {
            let options = Options { engine, reduction, traces: Traces::None, ..Options::default() };
            let report = check(&registry, &instance, &options, &|_| ());
            let verdicts: BTreeMap<_, _> = report.explored.verdicts.into_iter().collect();
            (report.explored.outcomes, report.explored.symmetries, verdicts)
        };
        let (outcomes, _, verdicts) = found(EngineKind::Bfs, Reduction::default());
        for (interleavings, symmetry) in
            [(false, false), (true, false), (false, true), (true, true)]
        {
            let reduction = Reduction { interleavings, symmetry };
            let (found, symmetries, others) = found(EngineKind::Collapse, reduction);
            assert_eq!(found, outcomes, "{algorithm}");
            assert!(others.iter().all(|(claim, verdict)| verdicts[claim] == *verdict));
            let alike = symmetry && algorithm != "chandy-lamport";
            assert_eq!(symmetries, if alike { 2 } else { 1 }, "{algorithm}");
        }
    }
}

#[test]
fn what_is_written_is_read_as_the_same() {
    for (topology, wants, _) in CASES {
        let original = instance(topology, "clock", wants);
        let WrittenApplication::Requests { requests } = Written::of(&original).application else {
            unreachable!("requests are written as requests")
        };
        let list = |(process, owners): (&String, &Vec<String>)| format!("{process} = {owners:?}");
        let lists = requests.wants.iter().map(list).collect::<Vec<_>>().join(", ");
        let text = format!("{{ wants = {{ {lists} }}, rounds = {} }}", requests.rounds);
        let again = instance(topology, "clock", &text);
        let (ApplicationSpec::Requests(a), ApplicationSpec::Requests(b)) =
            (&original.application, &again.application)
        else {
            unreachable!("both are requests")
        };
        assert_eq!(a, b);
        assert_eq!(original.application_text, again.application_text);
    }
}

#[test]
fn errors_point_at_their_place() {
    let error = |application: &str| {
        let ad_hoc = ["check", "--algorithm", "clock", "--topology", "p -> q, q -> p, p -> r"];
        let output = run(&[&ad_hoc[..], &["--application", application]].concat());
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    expect![[r#"
        error: there is no channel r→p
         --> --application:1:29
          |
        1 | requests = { wants = { p = ["r"] } }
          |                             ^^^
          |
          = help: add `r -> p` to the topology: requests need channels both ways
    "#]]
    .assert_eq(&error("requests = { wants = { p = [\"r\"] } }"));
    expect![[r#"
        error: there is no channel r→p
         --> --application:1:29
          |
        1 | requests = { wants = { r = ["p"] } }
          |                             ^^^
          |
          = help: add `r -> p` to the topology: requests need channels both ways
    "#]]
    .assert_eq(&error("requests = { wants = { r = [\"p\"] } }"));
    expect![[r#"
        error: `q` is wanted twice
         --> --application:1:34
          |
        1 | requests = { wants = { p = ["q", "q"] } }
          |                                  ^^^
          |
          = help: name each once
    "#]]
    .assert_eq(&error("requests = { wants = { p = [\"q\", \"q\"] } }"));
    expect![[r#"
        error: `p` takes its own resource first in any case
         --> --application:1:29
          |
        1 | requests = { wants = { p = ["p"] } }
          |                             ^^^
          |
          = help: name others only
    "#]]
    .assert_eq(&error("requests = { wants = { p = [\"p\"] } }"));
    expect![[r#"
        error: unknown process `s`
         --> --application:1:29
          |
        1 | requests = { wants = { p = ["s"] } }
          |                             ^^^
          |
          = help: the processes are p, q, r
    "#]]
    .assert_eq(&error("requests = { wants = { p = [\"s\"] } }"));
    expect![[r#"
        error: no process wants anything
         --> --application:1:12
          |
        1 | requests = { wants = {}, rounds = 1 }
          |            ^^^^^^^^^^^^^^^^^^^^^^^^^^
          |
          = help: say who wants whose resource, as in requests = { wants = { p = ["q"], q = ["p"] } }; they need channels both ways
    "#]].assert_eq(&error("requests = { wants = {}, rounds = 1 }"));
    expect![[r#"
        error: 1001 rounds cannot be checked
         --> --application:1:23
          |
        1 | requests = { rounds = 1001 }
          |                       ^^^^
          |
          = help: choose a number from 0 to 1000
    "#]]
    .assert_eq(&error("requests = { rounds = 1001 }"));
    expect![[r#"
        error: unknown field `round`, expected `wants` or `rounds`
         --> --application:1:14
          |
        1 | requests = { round = 1 }
          |              ^^^^^
          |
          = help: remove the key or correct its spelling
    "#]]
    .assert_eq(&error("requests = { round = 1 }"));
    expect![[r#"
        error: an application has either messages, steps, a bank, a stream or requests
         --> --application:1:1
          |
        1 | / requests = {}
        2 | | messages = 1
          | |____________^
          |
          = help: write messages = 1, or bank = { balance = 1, transfers = 2 }, or stream = { records = 2 }, or requests = {}, or a table of steps per process (then also of initially)
    "#]].assert_eq(&error("requests = {}\nmessages = 1"));
}
