//! The rules of an algorithm behind a pointer, and what they ask of their host.

use std::marker::PhantomData;

use super::{Process, SnapshotAlgorithm, Supersedes};
use crate::topology::{ChannelId, ProcessId, Topology};
use crate::value::{Control, Value};

/// Something that an algorithm has a rule for.
#[derive(Clone, Debug)]
pub enum Occasion {
    /// The process begins.
    Initiate,
    /// A control message has come.
    Control(ChannelId, Control),
    /// A message has come off the wire.
    Arrival(ChannelId),
    /// A message has come to the head of its channel.
    Message(ChannelId),
    /// A channel has ended.
    End(ChannelId),
    /// The checkpoint is ended before it is complete.
    Abort,
    /// A control message of an abandoned checkpoint has come.
    LateControl(ChannelId),
    /// A step of the algorithm's own.
    Turn,
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

    /// [`SnapshotAlgorithm::jumps_ahead`].
    fn jumps_ahead(
        &self,
        control: &Control,
        topology: &Topology,
        process: ProcessId,
        memory: &Value,
        host: &mut dyn Host,
    ) -> bool;

    /// [`SnapshotAlgorithm::may_turn`].
    fn may_turn(
        &self,
        topology: &Topology,
        process: ProcessId,
        memory: &Value,
        host: &mut dyn Host,
    ) -> bool;

    /// [`SnapshotAlgorithm::restored_to`].
    fn restored_to(&self, topology: &Topology, channel: ChannelId) -> Vec<ChannelId>;

    /// What the algorithm says of itself.
    fn conduct(&self) -> Conduct;
}

/// What an algorithm says of itself, beyond its rules; see the constants of [`SnapshotAlgorithm`].
#[derive(Clone, Copy, Debug)]
pub struct Conduct {
    /// [`SnapshotAlgorithm::ONE_ROUND`].
    pub one_round: bool,
    /// [`SnapshotAlgorithm::COLOURS_MESSAGES`].
    pub colours_messages: bool,
    /// [`SnapshotAlgorithm::KNOWS_BACK_EDGES`].
    pub knows_back_edges: bool,
    /// [`SnapshotAlgorithm::AWAITS_COMPLETION`].
    pub awaits_completion: bool,
    /// [`SnapshotAlgorithm::SUPERSEDES`].
    pub supersedes: Supersedes,
    /// [`SnapshotAlgorithm::CONFUSES_CHECKPOINTS`].
    pub confuses_checkpoints: bool,
    /// [`SnapshotAlgorithm::PRESUMES_DONE`].
    pub presumes_done: bool,
    /// [`SnapshotAlgorithm::TURN`].
    pub turn: Option<&'static str>,
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
            let mut process = Process::<A>::new(memory, topology, id, host);
            let begins = matches!(occasion, Occasion::Initiate);
            match occasion {
                Occasion::Initiate => A::on_initiate(&mut process),
                Occasion::Control(channel, control) => {
                    A::on_control(&mut process, channel, control.get::<A::Control>().clone());
                }
                Occasion::Arrival(channel) => A::on_arrival(&mut process, channel),
                Occasion::Message(channel) => A::on_message(&mut process, channel),
                Occasion::End(channel) => A::on_end(&mut process, channel),
                Occasion::Abort => A::on_abort(&mut process),
                Occasion::LateControl(channel) => A::on_late_control(&mut process, channel),
                Occasion::Turn => A::on_turn(&mut process),
                Occasion::Complete => A::on_complete(&mut process),
            }
            process.has_kept_to_one_round(begins);
            A::is_done(&process)
        })
    }

    fn jumps_ahead(
        &self,
        control: &Control,
        topology: &Topology,
        id: ProcessId,
        memory: &Value,
        host: &mut dyn Host,
    ) -> bool {
        let mut memory = memory.get::<A::State>().clone();
        A::jumps_ahead(&Process::new(&mut memory, topology, id, host), control.get())
    }

    fn may_turn(
        &self,
        topology: &Topology,
        id: ProcessId,
        memory: &Value,
        host: &mut dyn Host,
    ) -> bool {
        let mut memory = memory.get::<A::State>().clone();
        A::may_turn(&Process::new(&mut memory, topology, id, host))
    }

    fn restored_to(&self, topology: &Topology, channel: ChannelId) -> Vec<ChannelId> {
        A::restored_to(topology, channel)
    }

    fn conduct(&self) -> Conduct {
        Conduct {
            one_round: A::ONE_ROUND,
            colours_messages: A::COLOURS_MESSAGES,
            knows_back_edges: A::KNOWS_BACK_EDGES,
            awaits_completion: A::AWAITS_COMPLETION,
            supersedes: A::SUPERSEDES,
            confuses_checkpoints: A::CONFUSES_CHECKPOINTS,
            presumes_done: A::PRESUMES_DONE,
            turn: A::TURN,
        }
    }
}

/// An end of a buffered channel, where there is a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The sender's: what has been sent and has not left.
    Output,
    /// The receiver's: what has arrived and has not been read.
    Input,
}

/// What the host does for an algorithm; the algorithms themselves speak to [`Process`].
pub trait Host {
    /// Saves the application's local state.
    fn record_state(&mut self);
    /// Whether the state has been saved.
    fn has_recorded(&self) -> bool;
    /// Sends a control message, behind everything already sent on `channel`.
    fn send(&mut self, channel: ChannelId, control: Control);
    /// Sends a control message ahead of the messages that have not left the process.
    fn send_ahead(&mut self, channel: ChannelId, control: Control);
    /// Adds the messages that are queued at an end of `channel` to its recording, as far as this
    /// checkpoint's control message if that is queued too.
    fn store_queued(&mut self, channel: ChannelId, end: End);
    /// Takes this checkpoint's control message out of the queue at an end of `channel`, if it is there.
    fn take_queued(&mut self, channel: ChannelId, end: End) -> Option<Control>;
    /// Whether it is there.
    fn has_queued(&self, channel: ChannelId, end: End) -> bool;
    /// Whether the process has heard of this checkpoint: a control message of it was consumed, or it has
    /// recorded.
    fn has_heard(&self) -> bool;
    /// From now on the process takes no part in this checkpoint.
    fn abandon(&mut self);
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
    /// The number of the message being received.
    fn message_number(&self) -> u16;
}
