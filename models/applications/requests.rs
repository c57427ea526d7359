//! The application `requests`: each process owns one resource and wants those of others. It takes its
//! own, asks for the others one after the other, waits for each, and releases all of them when it has
//! them. It holds what it has while it waits, so that processes that take them in contrary orders may
//! deadlock.
//! Chandy & Lamport 1985, section 1: deadlock as a stable property.

use std::collections::BTreeSet;

use crate::application::{ActionWords, Application, GlobalState, Sends, Traits};
use crate::renaming::{Renamed, Renaming};
use crate::topology::{Channel, ChannelId, ProcessId, Topology};

/// How far a process is with what it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// It has not taken its own resource.
    Idle,
    /// It has its own resource, and so many others.
    Holds(u16),
    /// The same, and it has asked for the next.
    Waits(u16),
}

/// The local state of a process, which is also the owner of a resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Party {
    /// How far it is.
    pub phase: Phase,
    /// How often it still begins, the present time included.
    pub rounds: u16,
    /// The channel to the process that has its resource, if another has.
    pub lent: Option<ChannelId>,
    /// The channels to the processes that have asked for its resource and wait.
    pub asked: BTreeSet<ChannelId>,
}

impl Party {
    /// Whether the resource can be taken or granted.
    fn is_free(&self) -> bool {
        self.phase == Phase::Idle && self.lent.is_none()
    }
}

impl Renamed for Party {
    fn renamed(&self, renaming: &Renaming) -> Self {
        Self {
            lent: self.lent.renamed(renaming),
            asked: self.asked.renamed(renaming),
            ..self.clone()
        }
    }
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Letter {
    /// May I have your resource?
    Request,
    /// Yes.
    Grant,
    /// Here it is again.
    Release,
}

impl Renamed for Letter {}

/// A step that a process takes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// It takes its own resource.
    Take,
    /// It asks the owner at the end of the channel.
    Ask(ChannelId),
    /// It has all that it wants, and releases all.
    Release,
    /// It grants its resource to the process at the end of the channel.
    Grant(ChannelId),
}

impl Renamed for Move {
    fn renamed(&self, renaming: &Renaming) -> Self {
        match self {
            Self::Take | Self::Release => *self,
            Self::Ask(channel) => Self::Ask(channel.renamed(renaming)),
            Self::Grant(channel) => Self::Grant(channel.renamed(renaming)),
        }
    }
}

/// What every process wants, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requests {
    /// Per process, the channels to the owners of what it wants, in order.
    pub wants: Vec<Vec<ChannelId>>,
    /// How often a process that wants something begins.
    pub rounds: u16,
    topology: Topology,
}

impl Requests {
    /// Each process wants what `wants` says, the channels to the owners in order; from each channel
    /// there must be one back.
    #[must_use]
    pub fn new(topology: &Topology, wants: Vec<Vec<ChannelId>>, rounds: u16) -> Self {
        assert_eq!(wants.len(), topology.process_count(), "there is a list per process");
        Self { wants, rounds, topology: topology.clone() }
    }

    /// What processes want when nobody says: of each process the resources of all that it has channels
    /// with both ways, as its outputs are listed.
    #[must_use]
    pub fn of_neighbours(topology: &Topology) -> Vec<Vec<ChannelId>> {
        let both_ways = |&channel: &ChannelId| {
            let Channel { source, target } = topology.channel(channel);
            source != target && topology.channel_between(target, source).is_some()
        };
        let wanted = |p| topology.outputs(p).iter().copied().filter(both_ways).collect();
        topology.processes().map(wanted).collect()
    }

    fn wanted(&self, process: ProcessId) -> &[ChannelId] {
        &self.wants[process.index()]
    }

    fn target(&self, channel: ChannelId) -> ProcessId {
        self.topology.channel(channel).target
    }

    /// The channel in the other direction.
    fn back(&self, channel: ChannelId) -> ChannelId {
        let Channel { source, target } = self.topology.channel(channel);
        let back = self.topology.channel_between(target, source);
        back.expect("there are channels both ways between who asks and who is asked")
    }

    /// The channel to the owner of what a process waits for.
    fn awaited(&self, process: ProcessId, state: &Party) -> Option<ChannelId> {
        match state.phase {
            Phase::Waits(held) => self.wanted(process).get(usize::from(held)).copied(),
            Phase::Idle | Phase::Holds(_) => None,
        }
    }

    /// Whether `process` waits for a resource that another of `stuck` has, and neither its release nor
    /// the grant is under way.
    fn waits_for_one_of(
        &self,
        stuck: &BTreeSet<ProcessId>,
        process: ProcessId,
        global: &GlobalState<Party, Letter>,
    ) -> bool {
        let Some(asked) = self.awaited(process, global.process(process)) else { return false };
        let owner = self.target(asked);
        let holder = match global.process(owner).lent {
            Some(lent) => self.target(lent),
            None => owner,
        };
        let released = holder != owner
            && self
                .topology
                .channel_between(holder, owner)
                .is_some_and(|returns| global.channel(returns).contains(&Letter::Release));
        let granted = global.channel(self.back(asked)).contains(&Letter::Grant);
        holder != process && stuck.contains(&holder) && !released && !granted
    }
}

impl Application for Requests {
    type State = Party;
    type Message = Letter;
    type Action = Move;

    fn traits(&self) -> Traits {
        Traits { may_deadlock: true, ..Traits::default() }
    }

    fn start(&self, process: ProcessId) -> Party {
        let rounds = if self.wanted(process).is_empty() { 0 } else { self.rounds };
        Party { phase: Phase::Idle, rounds, lent: None, asked: BTreeSet::new() }
    }

    fn enabled(&self, process: ProcessId, state: &Party) -> Vec<Move> {
        let take = (state.is_free() && state.rounds > 0).then_some(Move::Take);
        let proceed = match state.phase {
            Phase::Holds(held) => match self.wanted(process).get(usize::from(held)) {
                Some(&channel) => Some(Move::Ask(channel)),
                None => Some(Move::Release),
            },
            Phase::Idle | Phase::Waits(_) => None,
        };
        let asked = state.asked.iter().filter(|_| state.is_free());
        take.into_iter().chain(proceed).chain(asked.map(|&c| Move::Grant(c))).collect()
    }

    fn act(&self, process: ProcessId, state: &mut Party, action: &Move, sends: &mut Sends<Letter>) {
        match (*action, state.phase) {
            (Move::Take, _) => state.phase = Phase::Holds(0),
            (Move::Ask(channel), Phase::Holds(held)) => {
                state.phase = Phase::Waits(held);
                sends.push((channel, Letter::Request));
            }
            (Move::Ask(_), _) => unreachable!("only who holds asks for more"),
            (Move::Release, _) => {
                state.phase = Phase::Idle;
                state.rounds -= 1;
                sends.extend(self.wanted(process).iter().map(|&c| (c, Letter::Release)));
            }
            (Move::Grant(channel), _) => {
                state.asked.remove(&channel);
                state.lent = Some(channel);
                sends.push((channel, Letter::Grant));
            }
        }
    }

    fn receive(
        &self,
        _: ProcessId,
        state: &mut Party,
        channel: ChannelId,
        message: &Letter,
        _: &mut Sends<Letter>,
    ) {
        match (message, state.phase) {
            (Letter::Request, _) => {
                state.asked.insert(self.back(channel));
            }
            (Letter::Grant, Phase::Waits(held)) => state.phase = Phase::Holds(held + 1),
            (Letter::Grant, _) => unreachable!("only who waits is granted something"),
            (Letter::Release, _) => state.lent = None,
        }
    }

    /// Each process begins only so often.
    fn always_ends(&self) -> bool {
        true
    }

    /// Who has a round left asks and releases; whoever is wanted may be asked, and grants.
    fn may_send(&self, process: ProcessId, state: &Party, channel: ChannelId) -> bool {
        let asks = state.rounds > 0 && self.wanted(process).contains(&channel);
        let other = self.target(channel);
        asks || self.wanted(other).iter().any(|&wanted| self.target(wanted) == process)
    }

    /// Interchanged processes must want the same, in the same order.
    fn is_symmetric(&self, renaming: &Renaming) -> bool {
        renaming.permuted(self.wants.renamed(renaming)) == self.wants
    }

    /// Some processes wait, each for what another of them has, and no grant or release is under way
    /// between them: the largest such set is not empty.
    fn is_deadlocked(&self, global: &GlobalState<Party, Letter>) -> bool {
        let mut stuck: BTreeSet<_> = self.topology.processes().collect();
        loop {
            let waits = |&p: &ProcessId| self.waits_for_one_of(&stuck, p, global);
            let left: BTreeSet<_> = stuck.iter().copied().filter(waits).collect();
            if left.len() == stuck.len() {
                return !stuck.is_empty();
            }
            stuck = left;
        }
    }

    /// Nobody waits in vain either.
    fn is_terminated(&self, global: &GlobalState<Party, Letter>) -> bool {
        let finished = |party: &Party| party.phase == Phase::Idle && party.rounds == 0;
        global.processes.iter().all(finished) && global.channels.iter().all(Vec::is_empty)
    }

    fn describe_state(&self, process: ProcessId, state: &Party) -> String {
        let name = |channel: ChannelId| self.topology.name(self.target(channel));
        let held = match state.phase {
            Phase::Idle => None,
            Phase::Holds(held) | Phase::Waits(held) => {
                let others = self.wanted(process).iter().take(usize::from(held)).map(|&c| name(c));
                let all = std::iter::once(self.topology.name(process)).chain(others);
                Some(format!("holds {}", all.collect::<Vec<_>>().join(" and ")))
            }
        };
        let awaited = self.awaited(process, state).map(|c| format!("waits for {}", name(c)));
        let lent = state.lent.map(|c| format!("lent to {}", name(c)));
        let asked = state.asked.iter().map(|&c| format!("asked by {}", name(c)));
        held.into_iter().chain(awaited).chain(lent).chain(asked).collect::<Vec<_>>().join(", ")
    }

    fn describe_message(&self, message: &Letter) -> String {
        match message {
            Letter::Request => "request",
            Letter::Grant => "grant",
            Letter::Release => "release",
        }
        .to_owned()
    }

    fn describe_action(&self, _: ProcessId, action: &Move) -> ActionWords {
        let send = |channel, letter| ActionWords::Send {
            channel,
            message: self.describe_message(&letter),
        };
        match *action {
            Move::Take => ActionWords::Internal("\"take\"".to_owned()),
            Move::Ask(channel) => send(channel, Letter::Request),
            Move::Release => ActionWords::Internal("\"release all\"".to_owned()),
            Move::Grant(channel) => send(channel, Letter::Grant),
        }
    }
}
