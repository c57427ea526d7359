//! A run as data and in words: who does what, and what of the snapshot happens in that step.

use std::fmt;

use itertools::Itertools;
use serde::{Deserialize, Serialize, Serializer};

use super::view::View;

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
    /// What the message carries, the control message's name, the label of an internal step, or which
    /// checkpoint the coordinator's word is about where there are several.
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
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(number) => write!(f, "message {number}"),
            Self::Control(name) => f.write_str(name),
            Self::Start => f.write_str("the start instruction"),
            Self::Done => f.write_str("\"done\""),
            Self::Notice => f.write_str("the notice of completion"),
        }
    }
}

impl Serialize for Sent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
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
            // Control messages have names of their own; only an instruction has none.
            _ if self.content.is_empty() => Sent::Start,
            _ => Sent::Control(self.content.clone()),
        }
    }

    /// What is lost or doubled, in words.
    fn carried(&self) -> String {
        match self.arrival() {
            Sent::Control(name) => format!("the {name}"),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let process = &self.process;
        let channel = self.channel.as_ref().map(arrow).unwrap_or_default();
        let carried = match self.content.as_str() {
            "" => String::new(),
            content => format!(" ({content})"),
        };
        // A send described without its state has no number yet.
        let message = match self.message {
            Some(number) => format!("message {number}{carried}"),
            None => format!("a message{carried}"),
        };
        match self.action {
            ActionKind::Send => write!(f, "{process} sends {message} on {channel}")?,
            ActionKind::Internal => write!(f, "{process} takes the step {}", self.content)?,
            ActionKind::Receive => {
                write!(f, "{process} receives {message} from {channel}")?;
            }
            ActionKind::ReceiveControl => {
                write!(f, "{process} consumes the {} on {channel}", self.content)?;
            }
            ActionKind::Begin => write!(f, "{process} begins")?,
            ActionKind::Instruct => write!(f, "{process} gives the instruction to begin")?,
            ActionKind::ReceiveNotice => {
                let what = match self.content.as_str() {
                    "" => "the snapshot",
                    checkpoint => checkpoint,
                };
                write!(f, "{process} hears that {what} is complete")?;
            }
            ActionKind::LoseNotice => {
                write!(f, "the notice of completion to {process} is lost")?;
            }
            ActionKind::FailOver => write!(f, "the {process} FAILS OVER")?,
            ActionKind::Lose => write!(f, "{} on {channel} is LOST", self.carried())?,
            ActionKind::Duplicate => write!(f, "{} on {channel} is DOUBLED", self.carried())?,
            ActionKind::ReceiveStart => {
                write!(f, "{process} receives the start instruction{}", about(&self.content))?;
            }
            ActionKind::ReceiveDone => {
                let from = self.from.as_deref().unwrap_or_default();
                write!(f, "{process} hears \"done\"{} from {from}", about(&self.content))?;
            }
        }
        for (index, effect) in self.effects.iter().enumerate() {
            write!(f, "{}{effect}", if index == 0 { ": " } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Records { checkpoint, state } => {
                write!(f, "RECORDS{}", of(*checkpoint))?;
                if !state.is_empty() {
                    write!(f, " [{state}]")?;
                }
                Ok(())
            }
            Self::Sends { what, to } => write!(f, "sends {what} to {}", to.join(", ")),
            Self::Stores { channel, message, checkpoint } => {
                write!(f, "stores message {message} of {}{}", arrow(channel), of(*checkpoint))
            }
            Self::Closes { checkpoint, channel, recording } => {
                write!(f, "closes {}{} ", arrow(channel), of(*checkpoint))?;
                match recording.as_slice() {
                    [] => write!(f, "as empty"),
                    numbers => write!(f, "with {}", messages(numbers)),
                }
            }
            Self::Blocks { channel } => write!(f, "blocks {}", arrow(channel)),
            Self::Unblocks { channel } => write!(f, "unblocks {}", arrow(channel)),
            Self::Pauses => f.write_str("PAUSES"),
            Self::Resumes => f.write_str("goes on"),
            Self::Declares { checkpoint: None } => write!(f, "DECLARES the snapshot complete"),
            Self::Declares { checkpoint: Some(checkpoint) } => {
                write!(f, "DECLARES checkpoint {checkpoint} complete")
            }
            Self::Restores { checkpoint: 0 } => write!(f, "everything is as at the start"),
            Self::Restores { checkpoint } => {
                write!(f, "everything is as at checkpoint {checkpoint}")
            }
            Self::Replays { channel, messages: numbers } => {
                let are = if numbers.len() == 1 { "is" } else { "are" };
                write!(f, "{} {are} in {} again", messages(numbers), arrow(channel))
            }
            Self::Commits { sink, records } => {
                write!(f, "{sink} COMMITS {}", records.iter().join(", "))
            }
        }
    }
}

/// About which checkpoint a word is, if it says so.
fn about(checkpoint: &str) -> String {
    if checkpoint.is_empty() { String::new() } else { format!(" for {checkpoint}") }
}

/// For which checkpoint something is, if there are several.
fn of(checkpoint: Option<u16>) -> String {
    checkpoint.map_or(String::new(), |checkpoint| format!(" for checkpoint {checkpoint}"))
}

fn messages(numbers: &[u16]) -> String {
    let plural = if numbers.len() == 1 { "message" } else { "messages" };
    format!("{plural} {}", numbers.iter().join(", "))
}

fn arrow([source, target]: &[String; 2]) -> String {
    format!("{source}→{target}")
}
