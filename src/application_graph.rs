//! The application by itself: every state that it can reach when nobody takes a snapshot, and which can
//! be reached from which. Trusted by the claims that need history.

use std::collections::VecDeque;
use std::sync::OnceLock;

use hashbrown::HashMap;

use crate::models::application::{Application, GlobalState, Sends};
use crate::models::recording::{Colour, Message, Outcome, RecordedProcess};
use crate::models::topology::{ProcessId, Topology};

/// A state of the application as a whole. It is what a snapshot would hold that everybody took at once.
pub type GlobalOf<P> = Outcome<<P as Application>::State, <P as Application>::Message>;

/// A property that stays once it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StableProperty {
    /// Some processes wait for each other for ever.
    Deadlocked,
    /// All is done.
    Terminated,
}

impl StableProperty {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::Deadlocked, Self::Terminated];

    /// What a state is in which it holds.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Deadlocked => "deadlocked",
            Self::Terminated => "terminated",
        }
    }

    /// Whether it holds in a state of an application.
    #[must_use]
    pub fn holds<P: Application>(self, application: &P, state: &GlobalOf<P>) -> bool {
        let contents = |channel: &Vec<Message<P::Message>>| {
            channel.iter().map(|message| message.content.clone()).collect()
        };
        let global = GlobalState {
            processes: state.processes.iter().map(|process| process.state.clone()).collect(),
            channels: state.channels.iter().map(contents).collect(),
        };
        match self {
            Self::Deadlocked => application.is_deadlocked(&global),
            Self::Terminated => application.is_terminated(&global),
        }
    }
}

/// The graph of the application's states. Number 0 is the initial state.
pub struct ApplicationGraph<P: Application> {
    numbers: HashMap<GlobalOf<P>, usize>,
    /// Per state, those that one step leads to.
    steps: Vec<Vec<usize>>,
    /// Per state, a bit for each that can be reached from it; found when first asked for.
    futures: Vec<OnceLock<Vec<u64>>>,
    unstable: Vec<StableProperty>,
}

impl<P: Application> ApplicationGraph<P> {
    /// Explores the graph. None if it has more than `most` states.
    #[must_use]
    pub fn explore(topology: &Topology, application: &P, most: usize) -> Option<Self> {
        let mut numbers = HashMap::new();
        let mut waiting = VecDeque::from([start(topology, application)]);
        numbers.insert(start(topology, application), 0);
        let mut steps = Vec::new();
        let holds = |state: &GlobalOf<P>| StableProperty::ALL.map(|y| y.holds(application, state));
        let mut unstable = Vec::new();
        while let Some(state) = waiting.pop_front() {
            let mut next = Vec::new();
            let before = holds(&state);
            for successor in successors(topology, application, &state) {
                let after = holds(&successor);
                let ended = |&at: &usize| before[at] && !after[at];
                unstable.extend((0..before.len()).filter(ended).map(|at| StableProperty::ALL[at]));
                let number = numbers.len();
                next.push(*numbers.entry(successor.clone()).or_insert(number));
                if numbers.len() > number {
                    waiting.push_back(successor);
                }
            }
            if numbers.len() > most {
                return None;
            }
            steps.push(next);
        }
        unstable.sort_unstable();
        unstable.dedup();
        let futures = steps.iter().map(|_| OnceLock::new()).collect();
        Some(Self { numbers, steps, futures, unstable })
    }

    /// How many states there are.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.steps.len()
    }

    /// Whether the application can come to `state`.
    #[must_use]
    pub fn contains(&self, state: &GlobalOf<P>) -> bool {
        self.numbers.contains_key(state)
    }

    /// Whether the application can come to `from` and from there, in none or more steps, to `to`.
    #[must_use]
    pub fn reaches(&self, from: &GlobalOf<P>, to: &GlobalOf<P>) -> bool {
        let (Some(&from), Some(&to)) = (self.numbers.get(from), self.numbers.get(to)) else {
            return false;
        };
        let future = self.futures[from].get_or_init(|| self.future(from));
        future[to / 64] >> (to % 64) & 1 != 0
    }

    /// Whether no step from a reachable state ends a property.
    #[must_use]
    pub fn is_stable(&self, property: StableProperty) -> bool {
        !self.unstable.contains(&property)
    }

    fn future(&self, from: usize) -> Vec<u64> {
        let mut seen = vec![0_u64; self.steps.len().div_ceil(64)];
        let mut waiting = vec![from];
        while let Some(state) = waiting.pop() {
            let (word, bit) = (state / 64, 1 << (state % 64));
            if seen[word] & bit == 0 {
                seen[word] |= bit;
                waiting.extend(&self.steps[state]);
            }
        }
        seen
    }
}

fn start<P: Application>(topology: &Topology, application: &P) -> GlobalOf<P> {
    let process = |process: ProcessId| RecordedProcess {
        state: application.start(process),
        sent: vec![0; topology.outputs(process).len()],
        received: vec![0; topology.inputs(process).len()],
        identities: Vec::new(),
    };
    Outcome {
        processes: topology.processes().map(process).collect(),
        channels: vec![Vec::new(); topology.channel_count()],
    }
}

/// The states that one step of the application leads to: of a process by itself, or a message received.
fn successors<P: Application>(
    topology: &Topology,
    application: &P,
    from: &GlobalOf<P>,
) -> Vec<GlobalOf<P>> {
    let mut found = Vec::new();
    for process in topology.processes() {
        for action in application.enabled(process, &from.processes[process.index()].state) {
            let (mut next, mut sends) = (from.clone(), Sends::new());
            let state = &mut next.processes[process.index()].state;
            application.act(process, state, &action, &mut sends);
            send::<P>(topology, &mut next, sends);
            found.push(next);
        }
    }
    for channel in topology.channels().filter(|c| !from.channels[c.index()].is_empty()) {
        let (mut next, mut sends) = (from.clone(), Sends::new());
        let message = next.channels[channel.index()].remove(0);
        let target = topology.channel(channel).target;
        let process = &mut next.processes[target.index()];
        process.received[topology.input_position(channel)] += 1;
        let state = &mut process.state;
        application.receive(target, state, channel, &message.content, &mut sends);
        send::<P>(topology, &mut next, sends);
        found.push(next);
    }
    found
}

fn send<P: Application>(topology: &Topology, state: &mut GlobalOf<P>, sends: Sends<P::Message>) {
    for (channel, content) in sends {
        let source = &mut state.processes[topology.channel(channel).source.index()];
        let sent = &mut source.sent[topology.output_position(channel)];
        *sent += 1;
        state.channels[channel.index()].push(Message {
            number: *sent,
            colour: Colour::default(),
            content,
        });
    }
}
