//! The trait of snapshot algorithms, and the verbs in which a paper states one: record the state,
//! send markers, store a message, close a channel, block an input.
//!
//! An algorithm is a set of pure rules. It keeps no counters for the oracle and stores no recordings:
//! it only says "record now", "store this message", "this channel is finished", and the host obeys.

mod rules;
mod verbs;

use std::fmt::Display;

pub use rules::{Conduct, End, Host, Occasion, Rules, RulesOf};
pub use verbs::Process;

use crate::application::Data;
use crate::promise::Promise;
use crate::renaming::Renamed;
use crate::setup::DefaultInitiators;
use crate::topology::{ChannelId, Topology};

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

/// When a checkpoint takes the place of older ones that are under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supersedes {
    /// Never: each goes on by itself.
    Never,
    /// When the process first hears of the newer one.
    WhenHeard,
    /// When the process has recorded for the newer one.
    WhenRecorded,
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

    /// When a checkpoint takes the place of those before it at a process.
    const SUPERSEDES: Supersedes = Supersedes::Never;

    /// Whether a control message is taken for one of the newest checkpoint of which the process has heard,
    /// whichever it belongs to.
    const CONFUSES_CHECKPOINTS: bool = false;

    /// Whether the coordinator, where the job fails over, takes for given what processes have not said.
    const PRESUMES_DONE: bool = false;

    /// What the process does in a step of the algorithm's own, as in "p …"; none if it takes none.
    const TURN: Option<&'static str> = None;

    /// The process begins: by its own initiative or told by the coordinator. Called only while it has
    /// not recorded.
    fn on_initiate(process: &mut Process<'_, Self>);

    /// A control message has come to the head of `channel` and is consumed.
    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, control: Self::Control);

    /// A message has come to the head of `channel`; afterwards the application receives it.
    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId);

    /// A message has come off the wire. Where channels are buffered it waits behind others until it is
    /// read; else it is read at once.
    fn on_arrival(process: &mut Process<'_, Self>, channel: ChannelId) {
        let _ = (process, channel);
    }

    /// Whether a control message that comes off the wire is consumed at once, ahead of all that waits to be
    /// read.
    fn jumps_ahead(process: &Process<'_, Self>, control: &Self::Control) -> bool {
        let _ = (process, control);
        false
    }

    /// The end of what `channel` will ever carry has come to its head: it is as good as a control message.
    /// So a process that has heard of the snapshot and waits for no other input need wait no longer.
    fn on_end(process: &mut Process<'_, Self>, channel: ChannelId) {
        process.close(channel);
        if process.has_heard() && !process.has_recorded() && Self::is_aligned(process) {
            Self::on_initiate(process);
        }
    }

    /// Whether no input is waited for before the process records.
    fn is_aligned(process: &Process<'_, Self>) -> bool {
        process.all_inputs_closed()
    }

    /// The checkpoint is ended before it is complete: by the coordinator, or since a newer one takes its
    /// place.
    fn on_abort(process: &mut Process<'_, Self>) {
        process.let_go();
    }

    /// A control message of a checkpoint that the process has abandoned is consumed.
    fn on_late_control(process: &mut Process<'_, Self>, channel: ChannelId) {
        let _ = (process, channel);
    }

    /// Whether the algorithm can take a step of its own.
    fn may_turn(process: &Process<'_, Self>) -> bool {
        let _ = process;
        false
    }

    /// It takes it.
    fn on_turn(process: &mut Process<'_, Self>) {
        let _ = process;
    }

    /// The process hears that the snapshot is complete, if it waits for that.
    fn on_complete(process: &mut Process<'_, Self>) {
        let _ = process;
    }

    /// The channels that hold, after a failover, what a checkpoint has as the state of `channel`.
    fn restored_to(topology: &Topology, channel: ChannelId) -> Vec<ChannelId> {
        let _ = topology;
        vec![channel]
    }

    /// Whether the process has done its part, so that it tells the coordinator.
    fn is_done(process: &Process<'_, Self>) -> bool {
        process.has_recorded() && process.all_inputs_closed()
    }
}
