//! What channels do to what is sent on them: nothing, or they break one of the assumptions that snapshot
//! algorithms make.
//!
//! One at a time, so that it can be told which assumption a claim rests on. (Stateright's own
//! unordered, duplicating network breaks three at once.) The flows of a coordinator are no channels and stay
//! reliable and FIFO.

/// How the channels of the topology work, for messages and control messages alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Everything arrives, once, in the order in which it was sent.
    #[default]
    Fifo,
    /// Everything arrives, once, in any order.
    Unordered,
    /// What arrives does so once and in order; so many packets at most, on all channels together, are
    /// lost.
    Lossy(u16),
    /// Everything arrives in order; so many packets at most, on all channels together, arrive once more.
    Duplicating(u16),
}

impl Network {
    /// Whether channels are reliable and FIFO: numbers of messages say which they are.
    #[must_use]
    pub fn is_fifo(self) -> bool {
        self == Self::Fifo
    }

    /// Whether what arrives does so in the order in which it was sent.
    #[must_use]
    pub fn keeps_order(self) -> bool {
        self != Self::Unordered
    }

    /// Whether it does things by itself, of which there may be so many.
    #[must_use]
    pub fn acts(self) -> bool {
        matches!(self, Self::Lossy(_) | Self::Duplicating(_))
    }

    /// The name used in instance files, on the command line and in output; of those with a bound,
    /// without it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::Unordered => "unordered",
            Self::Lossy(_) => "lossy",
            Self::Duplicating(_) => "duplicating",
        }
    }
}
