//! The trait of snapshot algorithms, and the verbs in which a paper states one: record the state,
//! send markers, store a message, close a channel, block an input.
//!
//! An algorithm is a set of pure rules. It keeps no counters for the oracle and stores no recordings:
//! it only says "record now", "store this message", "this channel is finished", and the host obeys.

use std::fmt::Display;
use std::marker::PhantomData;

use crate::application::Data;
use crate::promise::Promise;
use crate::renaming::Renamed;
use crate::setup::DefaultInitiators;
use crate::topology::{ChannelId, ProcessId, Topology};
use crate::value::{Control, Value};

/// What is known of an algorithm without running it.
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmInfo {
    /// The name used in instance files, on the command line and in output.
    pub name: &'static str,
    /// When a process records and what it stores, in one line.
    pub summary: &'static str,
    /// The paper or manual that states it.
    pub source: &'static str,
    /// Who begins when nobody is named. Where it is [`DefaultInitiators::All`], a coordinator tells
    /// every process.
    pub default_initiators: DefaultInitiators,
    /// Whether it sends markers (or barriers). `marker-arithmetic` applies only if so.
    pub sends_markers: bool,
    /// The safety claims it promises, and where.
    pub promises: &'static [Promise],
}

/// A snapshot algorithm: what each process does, laid over any application.
///
/// The application's part of a step follows the algorithm's: a state recorded while a message arrives
/// does not include that message.
///
/// No rule may tell processes apart but by their channels, nor channels unless it
/// [knows back-edges](Self::KNOWS_BACK_EDGES): a search up to symmetry relies on it.
pub trait SnapshotAlgorithm: Send + Sync + Sized + 'static {
    /// Its control messages.
    type Control: Data + Renamed + Display;
    /// What a process remembers beyond what the host does for it.
    type State: Data + Renamed + Default;

    /// Name, source and promises.
    const INFO: AlgorithmInfo;

    /// Whether a process takes part in one round: it records when it begins; sends control messages
    /// only in the step in which it records; adds nothing to a recording that is closed, nor to that
    /// of an output once it has recorded.
    ///
    /// A reduced search relies on it, and [`Process`] panics if it is said and not true.
    const ONE_ROUND: bool = false;

    /// Whether every message carries for which checkpoints its sender had recorded, to be asked for with
    /// [`Process::message_is_red`].
    const COLOURS_MESSAGES: bool = false;

    /// Whether the rules tell back-edges from other channels, to be asked for with
    /// [`Process::regular_inputs`]. Processes are then interchangeable only if their back-edges are.
    const KNOWS_BACK_EDGES: bool = false;

    /// Whether every process is told when the coordinator has declared the snapshot complete.
    const AWAITS_COMPLETION: bool = false;

    /// The process begins: by its own initiative or told by the coordinator. Called only while it has
    /// not recorded.
    fn on_initiate(process: &mut Process<'_, Self>);

    /// A control message has come to the head of `channel` and is consumed.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, control: Self::Control);

    /// A message has come to the head of `channel`; afterwards the application receives it.
    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId);

    /// The process hears that the snapshot is complete, if it waits for that.
    fn on_complete(process: &mut Process<'_, Self>) {
        let _ = process;
    }

    /// Whether the process has done its part, so that it tells the coordinator.
    fn is_done(process: &Process<'_, Self>) -> bool {
        process.has_recorded() && process.all_inputs_closed()
    }
}

/// Something that an algorithm has a rule for.
#[derive(Clone, Debug)]
pub enum Occasion {
    /// The process begins.
    Initiate,
    /// A control message has come.
    Control(ChannelId, Control),
    /// A message has come.
    Message(ChannelId),
    /// The snapshot is complete.
    Complete,
}

/// The rules of an algorithm behind a pointer: a checker is compiled once, not for each algorithm.
pub trait Rules: Send + Sync {
    /// What a process remembers before its first step.
    fn initial_memory(&self) -> Value;

    /// Applies the rule for `occasion`, then tells whether the process is done.
    fn apply(
        &self,
        occasion: Occasion,
        topology: &Topology,
        process: ProcessId,
        memory: &mut Value,
        host: &mut dyn Host,
    ) -> bool;

    /// [`SnapshotAlgorithm::ONE_ROUND`].
    fn one_round(&self) -> bool;

    /// [`SnapshotAlgorithm::COLOURS_MESSAGES`].
    fn colours_messages(&self) -> bool;

    /// [`SnapshotAlgorithm::KNOWS_BACK_EDGES`].
    fn knows_back_edges(&self) -> bool;

    /// [`SnapshotAlgorithm::AWAITS_COMPLETION`].
    fn awaits_completion(&self) -> bool;
}

/// The rules of algorithm `A`.
pub struct RulesOf<A>(PhantomData<fn() -> A>);

impl<A> Default for RulesOf<A> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<A: SnapshotAlgorithm> Rules for RulesOf<A> {
    fn initial_memory(&self) -> Value {
        Value::new(A::State::default())
    }

    fn apply(
        &self,
        occasion: Occasion,
        topology: &Topology,
        id: ProcessId,
        memory: &mut Value,
        host: &mut dyn Host,
    ) -> bool {
        memory.change(|memory| {
            let round = Round { had_recorded: host.has_recorded(), sent: false };
            let mut process = Process::<A> { memory, topology, id, host, round };
            let begins = matches!(occasion, Occasion::Initiate);
            match occasion {
                Occasion::Initiate => A::on_initiate(&mut process),
                Occasion::Control(channel, control) => {
                    A::on_control(&mut process, channel, control.get::<A::Control>().clone());
                }
                Occasion::Message(channel) => A::on_message(&mut process, channel),
                Occasion::Complete => A::on_complete(&mut process),
            }
            process.keeps_to_one_round(
                process.has_recorded() || !begins && !process.round.sent,
                "begins or sends control messages without recording",
            );
            A::is_done(&process)
        })
    }

    fn one_round(&self) -> bool {
        A::ONE_ROUND
    }

    fn colours_messages(&self) -> bool {
        A::COLOURS_MESSAGES
    }

    fn knows_back_edges(&self) -> bool {
        A::KNOWS_BACK_EDGES
    }

    fn awaits_completion(&self) -> bool {
        A::AWAITS_COMPLETION
    }
}

/// What the host does for an algorithm; the algorithms themselves speak to [`Process`].
pub trait Host {
    /// Saves the application's local state.
    fn record_state(&mut self);
    /// Whether the state has been saved.
    fn has_recorded(&self) -> bool;
    /// Sends a control message, behind everything already sent on `channel`.
    fn send(&mut self, channel: ChannelId, control: Control);
    /// Adds the message being received to the recording of `channel`.
    fn store(&mut self, channel: ChannelId);
    /// How many messages the recording of `channel` holds.
    fn stored(&self, channel: ChannelId) -> usize;
    /// Ends the recording of `channel`.
    fn close(&mut self, channel: ChannelId);
    /// Whether the recording of `channel` has ended.
    fn is_closed(&self, channel: ChannelId) -> bool;
    /// Stops or resumes reading from `channel`; meanwhile messages stay in it.
    fn set_blocked(&mut self, channel: ChannelId, blocked: bool);
    /// Holds the application back from steps of its own, or no longer.
    fn set_paused(&mut self, paused: bool);
    /// Whether it is held back.
    fn is_paused(&self) -> bool;
    /// How many messages the process has sent on `channel`.
    fn sent(&self, channel: ChannelId) -> u16;
    /// How many messages the process had received from `channel` when it recorded.
    fn received_before_record(&self, channel: ChannelId) -> u16;
    /// Whether the sender of the message being received had recorded when it sent it.
    fn message_is_red(&self) -> bool;
}

/// One process as its algorithm sees it.
pub struct Process<'a, A: SnapshotAlgorithm> {
    /// The algorithm's own memory.
    pub memory: &'a mut A::State,
    topology: &'a Topology,
    id: ProcessId,
    host: &'a mut dyn Host,
    round: Round,
}

/// What tells whether an algorithm keeps to one round.
struct Round {
    /// Whether the process had recorded before this step.
    had_recorded: bool,
    /// Whether it has sent a control message in this step.
    sent: bool,
}

impl<'a, A: SnapshotAlgorithm> Process<'a, A> {
    /// Holds an algorithm to [`SnapshotAlgorithm::ONE_ROUND`].
    fn keeps_to_one_round(&self, kept: bool, otherwise: &str) {
        assert!(
            kept || !A::ONE_ROUND,
            "{} says that it takes one round, but {} {otherwise}",
            A::INFO.name,
            self.topology.name(self.id),
        );
    }

    /// Saves the local state, once: a second call changes nothing. From now on every input that is
    /// not closed is being recorded.
    pub fn record_state(&mut self) {
        if !self.has_recorded() {
            self.host.record_state();
        }
    }

    /// Whether the process has recorded.
    #[must_use]
    pub fn has_recorded(&self) -> bool {
        self.host.has_recorded()
    }

    /// Sends `control` on one output, behind the messages already sent there.
    pub fn send(&mut self, channel: ChannelId, control: A::Control) {
        self.keeps_to_one_round(!self.round.had_recorded, "sends control messages after recording");
        self.round.sent = true;
        self.host.send(channel, Control::new(control));
    }

    /// Sends `control` on every output, in the same step.
    pub fn send_on_all_outputs(&mut self, control: &A::Control) {
        for &channel in self.topology.outputs(self.id) {
            self.send(channel, control.clone());
        }
    }

    /// Adds the message being received to the recording of `channel`.
    pub fn store(&mut self, channel: ChannelId) {
        let open = if self.topology.channel(channel).target == self.id {
            !self.is_closed(channel)
        } else {
            !self.round.had_recorded
        };
        self.keeps_to_one_round(open, "adds to a recording that has ended");
        self.host.store(channel);
    }

    /// How many messages the recording of `channel` holds.
    #[must_use]
    pub fn stored(&self, channel: ChannelId) -> usize {
        self.host.stored(channel)
    }

    /// Ends the recording of `channel`; before the record, there will be none.
    pub fn close(&mut self, channel: ChannelId) {
        self.host.close(channel);
    }

    /// Ends the recording of every input.
    pub fn close_all_inputs(&mut self) {
        for &channel in self.topology.inputs(self.id) {
            self.host.close(channel);
        }
    }

    /// Whether the recording of `channel` has ended.
    #[must_use]
    pub fn is_closed(&self, channel: ChannelId) -> bool {
        self.host.is_closed(channel)
    }

    /// Whether every input is closed; true where there is none.
    #[must_use]
    pub fn all_inputs_closed(&self) -> bool {
        self.inputs().iter().all(|&c| self.is_closed(c))
    }

    /// Whether messages from `channel` belong to its recording: recorded and not yet closed.
    #[must_use]
    pub fn is_recording(&self, channel: ChannelId) -> bool {
        self.has_recorded() && !self.is_closed(channel)
    }

    /// Stops reading from `channel`. Back-pressure: what is in the channel stays in it.
    pub fn block(&mut self, channel: ChannelId) {
        self.host.set_blocked(channel, true);
    }

    /// Reads from every input again.
    pub fn unblock_all_inputs(&mut self) {
        for &channel in self.topology.inputs(self.id) {
            self.host.set_blocked(channel, false);
        }
    }

    /// The application takes no step of its own from now on: it sends nothing, but receives.
    pub fn pause(&mut self) {
        self.host.set_paused(true);
    }

    /// The application goes on.
    pub fn resume(&mut self) {
        self.host.set_paused(false);
    }

    /// Whether the application is held back.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.host.is_paused()
    }

    /// How many messages the process has sent on an output: what an algorithm that counts would count.
    #[must_use]
    pub fn sent(&self, channel: ChannelId) -> u16 {
        self.host.sent(channel)
    }

    /// How many messages the process had received from an input when it recorded; 0 before.
    #[must_use]
    pub fn received_before_record(&self, channel: ChannelId) -> u16 {
        self.host.received_before_record(channel)
    }

    /// Whether the sender of the message being received had recorded when it sent it. Needs
    /// [`COLOURS_MESSAGES`](SnapshotAlgorithm::COLOURS_MESSAGES).
    #[must_use]
    pub fn message_is_red(&self) -> bool {
        self.host.message_is_red()
    }

    /// The inputs that are no back-edges: see [`Topology::is_back_edge`]. Needs
    /// [`KNOWS_BACK_EDGES`](SnapshotAlgorithm::KNOWS_BACK_EDGES).
    ///
    /// # Panics
    /// If the algorithm does not say that it knows back-edges.
    pub fn regular_inputs(&self) -> impl Iterator<Item = ChannelId> + use<'a, A> {
        assert!(A::KNOWS_BACK_EDGES, "{} does not say that it knows back-edges", A::INFO.name);
        let topology = self.topology;
        self.inputs().iter().copied().filter(|&input| !topology.is_back_edge(input))
    }

    /// The channels the process receives from.
    #[must_use]
    pub fn inputs(&self) -> &'a [ChannelId] {
        self.topology.inputs(self.id)
    }

    /// The channels the process sends on.
    #[must_use]
    pub fn outputs(&self) -> &'a [ChannelId] {
        self.topology.outputs(self.id)
    }

    /// The topology it is part of.
    #[must_use]
    pub fn topology(&self) -> &'a Topology {
        self.topology
    }
}
