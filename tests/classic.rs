//! The classic example, event by event: three processes, a self-channel, initiator P1.
//!
//! This order of events must be possible, and must end in this recording.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::sync::Arc;

use stateright::Model;

use snapcheck::instance::{ApplicationSpec, bundled};
use snapcheck::models::algorithms::ChandyLamport;
use snapcheck::models::applications::Script;
use snapcheck::models::applications::script::ScriptState;
use snapcheck::models::recording::{Colour, Message, RecordedProcess};
use snapcheck::registry::Registry;
use snapcheck::system::{System, SystemModel};

const RUN: [&str; 12] = [
    "P1 sends a message on P1→P1",
    "P2 sends a message on P2→P1",
    "P1 begins",
    "P3 consumes the marker on P1→P3",
    "P1 consumes the marker on P3→P1",
    "P2 consumes the marker on P3→P2",
    "P2 consumes the marker on P1→P2",
    "P1 receives message 1 from P1→P1",
    "P1 consumes the marker on P1→P1",
    "P1 receives message 1 from P2→P1",
    "P1 consumes the marker on P2→P1",
    "P3 consumes the marker on P2→P3",
];

#[test]
fn the_run_is_possible_and_ends_in_its_recording() {
    let registry = Registry::bundled();
    let instances = bundled::all(&registry.infos()).unwrap();
    let instance = instances.iter().find(|i| i.name == "chandy-lamport/classic-three").unwrap();
    let ApplicationSpec::Script(script) = &instance.application else {
        unreachable!("the classic example is a script")
    };
    let model =
        SystemModel::<Script>::of::<ChandyLamport>(Arc::clone(&instance.setup), Arc::clone(script));

    let mut state = model.init_states().remove(0);
    for event in RUN {
        let mut actions = Vec::new();
        model.actions(&state, &mut actions);
        let names: Vec<_> = actions.iter().map(|action| model.format_action(action)).collect();
        let index = names.iter().position(|name| name == event);
        let index = index.unwrap_or_else(|| panic!("`{event}` is not among {names:#?}"));
        state = model.next_state(&state, actions.swap_remove(index)).unwrap();
    }
    assert!(model.is_terminal(&state));

    let outcome = model.outcomes(&state).pop().expect("the snapshot is complete");
    // Outputs are listed by target, inputs by source; only P1 has a channel to itself.
    let recorded = |position, sent: &[u16], received: &[u16]| RecordedProcess {
        state: ScriptState { position, variables: BTreeMap::new() },
        sent: sent.to_vec(),
        received: received.to_vec(),
        identities: Vec::new(),
    };
    assert_eq!(outcome.processes[0], recorded(1, &[1, 0, 0], &[0, 0, 0]));
    assert_eq!(outcome.processes[1], recorded(1, &[1, 0], &[0, 0]));
    assert_eq!(outcome.processes[2], recorded(0, &[0, 0], &[0, 0]));

    let topology = &instance.setup.topology;
    let channels: Vec<_> = topology
        .channels()
        .map(|channel| {
            let recording = &outcome.channels[channel.index()];
            (topology.channel_name(channel), recording.iter().map(|m| m.number).collect())
        })
        .collect();
    let expected: [(&str, Vec<u16>); 7] = [
        ("P1→P1", vec![1]),
        ("P1→P2", vec![]),
        ("P1→P3", vec![]),
        ("P2→P1", vec![1]),
        ("P2→P3", vec![]),
        ("P3→P1", vec![]),
        ("P3→P2", vec![]),
    ];
    assert_eq!(channels, expected.map(|(name, recording)| (name.to_owned(), recording)));
    assert_eq!(
        outcome.channels[0],
        [Message { number: 1, colour: Colour::default(), content: None }]
    );
}
