//! The conditions by which a sweep tries to say where a claim holds: fixed, the plainer ones first.

use crate::models::promise::{
    ALL_INITIATE, ALWAYS, BARRIERS_REACH_ALL, Condition, INITIATORS_REACH_ALL,
    INITIATORS_WITHOUT_INPUTS, SINGLE_INPUTS,
};
use crate::models::setup::Setup;
use crate::models::topology::ProcessId;

const fn condition(words: &'static str, holds: fn(&Setup) -> bool) -> Condition {
    Condition { words, holds }
}

/// They are tried one by one, each also as what the exceptions have in common, and then in pairs.
pub(super) const CANDIDATES: [Condition; 22] = [
    ALWAYS,
    INITIATORS_REACH_ALL,
    ALL_INITIATE,
    INITIATORS_WITHOUT_INPUTS,
    SINGLE_INPUTS,
    BARRIERS_REACH_ALL,
    condition("no channel joins two initiators", Setup::no_channel_joins_initiators),
    condition("no process waits between two barriers", Setup::nobody_waits_between_barriers),
    condition(
        "no process waits between two barriers, back-edges not waited for",
        Setup::nobody_waits_but_for_back_edges,
    ),
    condition("every source is an initiator", Setup::sources_are_initiators),
    condition("there is one initiator", |setup| setup.initiators.len() == 1),
    condition("there is no channel", |setup| setup.topology.channel_count() == 0),
    condition("there is no cycle", |setup| setup.topology.is_acyclic()),
    condition("every process reaches every other", |setup| setup.topology.is_strongly_connected()),
    condition("no initiator has an output", |setup| {
        setup.initiators.iter().all(|&process| setup.topology.outputs(process).is_empty())
    }),
    condition("only initiators have inputs", |setup| {
        others(setup).all(|process| setup.topology.inputs(process).is_empty())
    }),
    condition("there is a channel", |setup| setup.topology.channel_count() > 0),
    condition("some process is no initiator", |setup| !setup.every_process_is_an_initiator()),
    condition("some initiator has an input", |setup| !setup.initiators_have_no_inputs()),
    condition("some process has two inputs", |setup| !setup.inputs_are_single()),
    condition("some process waits between two barriers", |setup| {
        !setup.nobody_waits_between_barriers()
    }),
    condition("there is a cycle", |setup| !setup.topology.is_acyclic()),
];

/// The processes that are no initiators.
fn others(setup: &Setup) -> impl Iterator<Item = ProcessId> {
    setup.topology.processes().filter(|process| !setup.initiators.contains(process))
}
