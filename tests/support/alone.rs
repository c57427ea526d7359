//! An application by itself, explored by brute force: no hosts, no algorithm, no engine.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use snapcheck::models::application::{Application, GlobalState, Sends};
use snapcheck::models::topology::Topology;

pub(crate) type Global<P> = GlobalState<<P as Application>::State, <P as Application>::Message>;

/// Every reachable state with those that one step leads to.
pub(crate) type Steps<P> = BTreeMap<Global<P>, BTreeSet<Global<P>>>;

fn send<P: Application>(state: &mut Global<P>, sends: Sends<P::Message>) {
    for (channel, message) in sends {
        state.channels[channel.index()].push(message);
    }
}

fn successors<P: Application>(
    topology: &Topology,
    app: &P,
    from: &Global<P>,
) -> BTreeSet<Global<P>> {
    let mut found = BTreeSet::new();
    for process in topology.processes() {
        for action in app.enabled(process, from.process(process)) {
            let (mut next, mut sends) = (from.clone(), Vec::new());
            app.act(process, &mut next.processes[process.index()], &action, &mut sends);
            send::<P>(&mut next, sends);
            found.insert(next);
        }
    }
    for channel in topology.channels().filter(|&channel| !from.channel(channel).is_empty()) {
        let (mut next, mut sends) = (from.clone(), Vec::new());
        let message = next.channels[channel.index()].remove(0);
        let target = topology.channel(channel).target;
        let state = &mut next.processes[target.index()];
        app.receive(target, state, channel, &message, &mut sends);
        send::<P>(&mut next, sends);
        found.insert(next);
    }
    found
}

/// The whole graph.
pub(crate) fn alone<P: Application>(topology: &Topology, app: &P) -> Steps<P> {
    let start = Global::<P> {
        processes: topology.processes().map(|process| app.start(process)).collect(),
        channels: vec![Vec::new(); topology.channel_count()],
    };
    let (mut steps, mut waiting) = (Steps::<P>::new(), vec![start]);
    while let Some(state) = waiting.pop() {
        if let Entry::Vacant(unseen) = steps.entry(state) {
            let next = successors(topology, app, unseen.key());
            waiting.extend(next.iter().cloned());
            unseen.insert(next);
        }
    }
    steps
}

/// All that can be reached from a state, itself included.
#[allow(dead_code, reason = "not every test asks for it")]
pub(crate) fn reachable<P: Application>(steps: &Steps<P>, from: &Global<P>) -> BTreeSet<Global<P>> {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(state) = waiting.pop() {
        if seen.insert(state.clone()) {
            waiting.extend(steps[&state].iter().cloned());
        }
    }
    seen
}
