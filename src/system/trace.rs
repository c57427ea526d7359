//! A run as data: who does what, and what of the snapshot happens in that step.

use serde::{Deserialize, Serialize};

use super::view::View;

/// The content of a step that moves the end of a channel.
pub(super) const END: &str = "end";

/// A run from the initial state.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Its steps.
    pub steps: Vec<TraceStep>,
    /// The last state as the claims see it, for each checkpoint.
    pub last: Vec<View>,
}

/// What kind of step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionKind {
    /// The application sends.
    Send,
    /// The application takes a step that sends nothing.
    Internal,
    /// The application receives a message.
    Receive,
    /// A control message is consumed.
    ReceiveControl,
    /// A process begins by its own initiative.
    Begin,
    /// The coordinator tells processes to begin.
    Instruct,
    /// A process receives the coordinator's instruction.
    ReceiveStart,
    /// The coordinator receives a "done".
    ReceiveDone,
    /// A process hears that a checkpoint is complete.
    ReceiveNotice,
    /// What waits in an output queue is put on the wire.
    Transmit,
    /// What was on the wire arrives.
    Arrive,
    /// The end of a channel is read.
    ReceiveEnd,
    /// The algorithm takes a step of its own.
    Turn,
    /// A process finishes.
    Finish,
    /// The coordinator hears that a process has finished.
    ReceiveFinished,
    /// The coordinator ends a checkpoint before it is complete.
    Abort,
    /// A process hears of that.
    ReceiveAbort,
    /// A notice of completion is lost.
    LoseNotice,
    /// The job fails over.
    FailOver,
    /// The network loses what is at the head of a channel.
    Lose,
    /// The network doubles what is at the head of a channel.
    Duplicate,
}

impl ActionKind {
    /// Whether a process or the coordinator takes it; else it befalls them.
    #[must_use]
    pub fn is_taken(self) -> bool {
        !matches!(self, Self::LoseNotice | Self::FailOver | Self::Lose | Self::Duplicate)
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceStep {
    /// From 1.
    pub step: usize,
    /// Who takes it: a process, `coordinator`, or `job` if it fails over; of what is lost or doubled, to
    /// whom it goes.
    pub process: String,
    /// What kind of step.
    pub action: ActionKind,
    /// Who sent what is received, lost or doubled in this step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The channel used, as source and target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<[String; 2]>,
    /// The number of the message on its channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<u16>,
    /// What the message carries, the control message's name, the label of an internal step or of one of
    /// the algorithm, or which checkpoint the coordinator's word is about where there are several.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub content: String,
    /// What else happens in the step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
}

/// Something that happens within a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "effect", rename_all = "kebab-case")]
pub enum Effect {
    /// The process records its state.
    Records {
        /// For which checkpoint, if there are several.
        #[serde(skip_serializing_if = "Option::is_none")]
        checkpoint: Option<u16>,
        /// The recorded local state in words.
        state: String,
    },
    /// A packet is sent that is not the step's own message.
    Sends {
        /// What is sent.
        what: Sent,
        /// To whom.
        to: Vec<String>,
    },
    /// A message is added to a channel's recording.
    Stores {
        /// The channel, as source and target.
        channel: [String; 2],
        /// The number of the message.
        message: u16,
        /// For which checkpoint, if there are several.
        #[serde(skip_serializing_if = "Option::is_none")]
        checkpoint: Option<u16>,
    },
    /// A channel's recording ends.
    Closes {
        /// For which checkpoint, if there are several.
        #[serde(skip_serializing_if = "Option::is_none")]
        checkpoint: Option<u16>,
        /// The channel, as source and target.
        channel: [String; 2],
        /// The numbers of the recorded messages.
        recording: Vec<u16>,
    },
    /// What arrives is consumed at once, ahead of what waits.
    JumpsAhead,
    /// The process takes no further part in a checkpoint.
    Abandons {
        /// Which, if there are several.
        #[serde(skip_serializing_if = "Option::is_none")]
        checkpoint: Option<u16>,
    },
    /// The process stops reading from a channel.
    Blocks {
        /// The channel, as source and target.
        channel: [String; 2],
    },
    /// The process reads from a channel again.
    Unblocks {
        /// The channel, as source and target.
        channel: [String; 2],
    },
    /// The application is held back from steps of its own.
    Pauses,
    /// The application goes on.
    Resumes,
    /// The coordinator declares a snapshot complete.
    Declares {
        /// Which checkpoint, if there are several.
        #[serde(skip_serializing_if = "Option::is_none")]
        checkpoint: Option<u16>,
    },
    /// Every process is as it was at a checkpoint; what was in flight is gone.
    Restores {
        /// Which; 0 for the start.
        checkpoint: u16,
    },
    /// Messages that a checkpoint holds are in their channel again.
    Replays {
        /// The channel, as source and target.
        channel: [String; 2],
        /// Their numbers.
        messages: Vec<u16>,
    },
    /// Records become visible outside.
    Commits {
        /// The sink.
        sink: String,
        /// The records in words.
        records: Vec<String>,
    },
}

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// A message, by its number on its channel.
    Message(u16),
    /// A control message, by its name.
    Control(String),
    /// The coordinator's instruction.
    Start,
    /// A process's "done".
    Done,
    /// The coordinator's notice of completion.
    Notice,
    /// The coordinator's notice of an abort.
    Abort,
    /// The end of a channel.
    End,
    /// A process's word that it has finished.
    Finished,
}

impl TraceStep {
    /// Whether both are the same action, whatever happens in it: of the steps enabled in one state no
    /// two are.
    #[must_use]
    pub fn is_same_action(&self, other: &Self) -> bool {
        let bare = |step: &Self| Self { step: 0, effects: Vec::new(), ..step.clone() };
        bare(self) == bare(other)
    }

    /// What is received, lost or doubled in this step.
    #[must_use]
    pub fn arrival(&self) -> Sent {
        match (self.action, self.message) {
            (_, Some(number)) => Sent::Message(number),
            (ActionKind::ReceiveStart, _) => Sent::Start,
            (ActionKind::ReceiveDone, _) => Sent::Done,
            (ActionKind::ReceiveNotice | ActionKind::LoseNotice, _) => Sent::Notice,
            (ActionKind::ReceiveAbort, _) => Sent::Abort,
            (ActionKind::ReceiveFinished, _) => Sent::Finished,
            (ActionKind::ReceiveEnd, _) => Sent::End,
            (ActionKind::Transmit | ActionKind::Arrive, _) if self.content == END => Sent::End,
            // Control messages have names of their own; only an instruction has none.
            _ if self.content.is_empty() => Sent::Start,
            _ => Sent::Control(self.content.clone()),
        }
    }
}
