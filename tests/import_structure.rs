//! What follows from a plan alone, held against searches.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
    pub(crate) mod plans;
}

use std::sync::Arc;

use snapcheck::diagnostic::Source;
use snapcheck::engines::Limits;
use snapcheck::import::{Expansion, Size, held_back, instance, parse, with_several_inputs};
use snapcheck::instance::{ApplicationSpec, DraftRecovery};
use snapcheck::registry::Registry;
use support::plans::{Node, json, plan};

/// Jobs of every kind: chains, joins, fans, a diamond, layers, several edges, several ways to ship.
const JOBS: [&[Node]; 10] = [
    &[("s", 1, &[])],
    &[("s", 2, &[]), ("t", 2, &[("s", "FORWARD")]), ("u", 2, &[("t", "FORWARD")])],
    &[("s", 2, &[]), ("t", 1, &[("s", "HASH")]), ("u", 2, &[("t", "BROADCAST")])],
    &[("s", 1, &[]), ("r", 1, &[]), ("t", 2, &[("s", "HASH"), ("r", "BROADCAST")])],
    &[("s", 1, &[]), ("t", 2, &[("s", "HASH")]), ("u", 2, &[("t", "REBALANCE")])],
    &[
        ("s", 1, &[]),
        ("a", 1, &[("s", "FORWARD")]),
        ("b", 1, &[("s", "HASH")]),
        ("t", 1, &[("a", "HASH"), ("b", "HASH")]),
    ],
    &[("s", 1, &[]), ("a", 2, &[("s", "HASH")]), ("b", 2, &[("s", "HASH")])],
    &[("s", 1, &[]), ("t", 1, &[("s", "HASH"), ("s", "BROADCAST")])],
    &[
        ("s", 2, &[]),
        ("a", 1, &[("s", "HASH")]),
        ("r", 1, &[]),
        ("t", 1, &[("a", "FORWARD"), ("r", "FORWARD")]),
    ],
    &[
        ("q", 1, &[]),
        ("r", 1, &[]),
        ("t", 1, &[("q", "HASH"), ("r", "HASH")]),
        ("u", 1, &[("t", "FORWARD"), ("r", "HASH")]),
    ],
];

/// Where duplicates arise in a search is where the plan has several channels into a subtask.
#[test]
fn structure_and_search_agree() {
    for nodes in JOBS {
        let plan = plan(nodes);
        let found = json(&plan, &["--timeout", "60"]);
        let answer = &found["at_least_once"];
        assert_eq!(answer["duplicates_arise_at"], answer["several_inputs"], "{plan}");
        assert_eq!(answer["exact"], answer["several_inputs"].as_array().unwrap().is_empty());
        assert_eq!(answer["failover"]["exact"], answer["exact"], "{plan}");
        assert_eq!(found["aligned"]["completes"], "holds");
    }
}

/// The most that aligned checkpoints hold back, against a search of every state.
#[test]
fn what_is_held_back_is_what_a_search_finds() {
    let registry = Registry::bundled();
    let mut most = 0;
    for nodes in JOBS {
        for records in [1, 2] {
            let source = Arc::new(Source { name: "plan".to_owned(), text: plan(nodes) });
            let (plan, _) = parse(&source).unwrap();
            let expansion = Expansion::of(&plan, Size { max_parallelism: 2, records }).unwrap();
            let aligned = expansion.instance(
                &plan,
                "flink-aligned",
                DraftRecovery::default(),
                &registry.infos(),
            );
            let aligned = aligned.unwrap();
            let ApplicationSpec::Stream(stream) = &aligned.application else { panic!("no stream") };
            let held = held_back(&aligned.setup.topology, stream);
            let limits = Limits { max_states: Some(60_000), timeout: None };
            let Some(survey) = registry.runner(&aligned).survey(&aligned, limits) else { continue };
            assert_eq!(held, Some(survey.held), "{records} of {nodes:?}");
            most = most.max(survey.held);
            if survey.held > 0 {
                assert!(!with_several_inputs(&plan).is_empty());
            }
        }
    }
    assert!(most >= 4, "{most}");
}

/// Two tasks that each share the records of a third by key get every record, each once.
#[test]
fn each_of_several_consumers_gets_every_record() {
    let source = Arc::new(Source { name: "plan".to_owned(), text: plan(JOBS[6]) });
    let (plan, _) = parse(&source).unwrap();
    let expansion = Expansion::of(&plan, Size { max_parallelism: 2, records: 2 }).unwrap();
    let instance = instance(&Registry::bundled(), &plan, &expansion).unwrap();
    let topology = &instance.setup.topology;
    let ApplicationSpec::Stream(stream) = &instance.application else { panic!("no stream") };
    let carried = topology.channels().map(|c| (topology.channel_name(c), stream.carried(c)));
    let each = |name: &str| (name.to_owned(), 1);
    assert_eq!(
        carried.collect::<Vec<_>>(),
        [each("s→a_1"), each("s→a_2"), each("s→b_1"), each("s→b_2")]
    );
}
