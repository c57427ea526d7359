//! A run in words.

use std::fmt;

use itertools::Itertools;
use serde::{Serialize, Serializer};

use super::trace::{ActionKind, Effect, Sent, TraceStep};

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(number) => write!(f, "message {number}"),
            Self::Control(name) => f.write_str(name),
            Self::Start => f.write_str("the start instruction"),
            Self::Done => f.write_str("\"done\""),
            Self::Notice => f.write_str("the notice of completion"),
            Self::Abort => f.write_str("the notice of the abort"),
            Self::End => f.write_str("its end"),
            Self::Finished => f.write_str("\"finished\""),
        }
    }
}

impl Serialize for Sent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl TraceStep {
    /// What is moved, lost or doubled, in words.
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
                write!(f, "{process} hears that {} is complete", snapshot(&self.content))?;
            }
            ActionKind::LoseNotice => {
                write!(f, "the notice of completion to {process} is lost")?;
            }
            ActionKind::Transmit => {
                write!(f, "{process} puts {} on the wire of {channel}", self.carried())?;
            }
            ActionKind::Arrive => {
                write!(f, "{} arrives at {process} on {channel}", self.carried())?;
            }
            ActionKind::ReceiveEnd => write!(f, "{process} reads the end of {channel}")?,
            ActionKind::Turn => write!(f, "{process} {}", self.content)?,
            ActionKind::Finish => write!(f, "{process} FINISHES")?,
            ActionKind::ReceiveFinished => {
                let from = self.from.as_deref().unwrap_or_default();
                write!(f, "{process} hears that {from} has finished")?;
            }
            ActionKind::Abort => write!(f, "{process} ABORTS {}", snapshot(&self.content))?,
            ActionKind::ReceiveAbort => {
                write!(f, "{process} hears that {} is aborted", snapshot(&self.content))?;
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
            Self::JumpsAhead => f.write_str("JUMPS AHEAD"),
            Self::Abandons { checkpoint } => match checkpoint {
                Some(number) => write!(f, "abandons checkpoint {number}"),
                None => f.write_str("abandons the snapshot"),
            },
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

/// Which snapshot, where there may be several.
fn snapshot(checkpoint: &str) -> &str {
    if checkpoint.is_empty() { "the snapshot" } else { checkpoint }
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
