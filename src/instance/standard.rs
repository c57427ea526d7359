//! The standard instances: small topologies on which any algorithm should be looked at. A user's own
//! algorithm is checked on them when nothing is named.

use std::sync::Arc;

use super::{ApplicationSpec, Expectations, Instance};
use crate::models::applications::Script;
use crate::models::process::AlgorithmInfo;
use crate::models::setup::{Coordinator, Setup};
use crate::models::topology::Topology;

/// Topologies with the messages per channel that keep them small, one for each thing that can go
/// wrong: relay, both directions, several inputs, several paths, a cycle, a self-channel.
const TOPOLOGIES: [(&str, u16); 8] = [
    ("line(2)", 2),
    ("line(3)", 1),
    ("complete(2)", 2),
    ("star(2)", 1),
    ("fan-in(2)", 2),
    ("diamond", 1),
    ("ring(3)", 1),
    ("complete(2), p0 -> p0", 1),
];

/// The standard instances of an algorithm: each topology without and with a central coordinator.
#[must_use]
pub fn of(algorithm: AlgorithmInfo) -> Vec<Instance> {
    let mut instances = Vec::new();
    for (text, messages) in TOPOLOGIES {
        for coordinator in [Coordinator::None, Coordinator::Central] {
            let topology = Topology::parse(text).expect("the standard topologies are valid");
            let (suffix, how) = match coordinator {
                Coordinator::None => ("", "by initiators"),
                _ => (" central", "by a central coordinator"),
            };
            instances.push(Instance {
                name: format!("{text}{suffix}"),
                title: format!("{} on {text}, begun {how}", algorithm.name),
                about: String::new(),
                algorithm,
                topology_text: text.to_owned(),
                application_text: format!("script, K = {messages}"),
                application: ApplicationSpec::Script(Arc::new(Script::round_robin(
                    &topology, messages,
                ))),
                setup: {
                    let initiators = algorithm.default_initiators.on(&topology);
                    Arc::new(Setup::new(topology, initiators, coordinator))
                },
                expect: Expectations::default(),
                only_when_named: false,
            });
        }
    }
    instances
}
