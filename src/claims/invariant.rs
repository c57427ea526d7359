//! The inductive invariant by which the proofs go, on a channel c from p to q: what is true of it at any time,
//! before the snapshot, while it is taken, and after.
//!
//! `consistent-cut` and `exact-channel-state` follow from it at once: if p and q have recorded, what q received
//! before is the beginning of what p sent before (4); if c is closed too, the rest is the recording.
//!
//! Messages are numbered in the order in which they were sent. **p's side of the cut** is what p had sent when it
//! recorded or, while it has not, what it has sent now; **q's side** is what q had received, likewise.

use crate::system::{ChannelView, Queued};

/// A condition on a channel.
pub struct Condition {
    /// In words.
    pub words: &'static str,
    /// Whether the channel fulfils it.
    pub holds: fn(&ChannelView) -> bool,
}

/// The four conditions, all of which `proof-invariant` asks for.
pub const INVARIANT: [Condition; 4] = [
    Condition {
        words: "what was sent is what was received and then what is in the channel",
        holds: nothing_is_lost,
    },
    Condition {
        words: "one marker is sent at the record, and lies in the channel until it is consumed",
        holds: one_marker,
    },
    Condition {
        words: "nothing is recorded of a channel before its target has recorded",
        holds: nothing_is_recorded_early,
    },
    Condition {
        words: "what was sent before the cut is what was received before it, then what is recorded, then \
                what lies before the marker",
        holds: cut_is_exact,
    },
];

/// `proof-invariant`.
pub(super) fn proof_invariant(c: &ChannelView) -> bool {
    INVARIANT.iter().all(|condition| (condition.holds)(c))
}

/// (1) What p has sent is what q has received and then the messages in c, in order.
fn nothing_is_lost(c: &ChannelView) -> bool {
    (1..=c.received_now).chain(messages(&c.queue)).eq(1..=c.sent_now)
}

/// (2) The marker is sent when p records, once, and is in c until q consumes it, which closes c.
fn one_marker(c: &ChannelView) -> bool {
    let in_queue = c.queue.iter().filter(|&&queued| queued == Queued::Marker).count();
    in_queue + usize::from(c.closed) == usize::from(c.sent_before_record.is_some())
}

/// (3) Before q has recorded, nothing of c is recorded.
fn nothing_is_recorded_early(c: &ChannelView) -> bool {
    c.received_before_record.is_some() || c.recording.is_empty()
}

/// (4) What was sent on p's side of the cut is what was received on q's and then what is in flight over it: what
/// is recorded, and as long as c is not closed what lies before its marker, or all if there is none.
fn cut_is_exact(c: &ChannelView) -> bool {
    let sent = c.sent_before_record.unwrap_or(c.sent_now);
    let received = c.received_before_record.unwrap_or(c.received_now);
    let before_marker = c.queue.split(|&queued| queued == Queued::Marker).next();
    let still_to_come = before_marker.filter(|_| !c.closed).unwrap_or(&[]);
    let in_flight = c.recording.iter().copied().chain(messages(still_to_come));
    (1..=received).chain(in_flight).eq(1..=sent)
}

/// The numbers of the messages among what is queued.
fn messages(queue: &[Queued]) -> impl Iterator<Item = u16> {
    queue.iter().filter_map(|queued| queued.message())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::topology::Topology;

    /// Of four messages sent, two before p recorded, one was received and recorded, the second is on its way
    /// before the marker, and two behind it.
    fn channel() -> ChannelView {
        let message = Queued::Message;
        ChannelView {
            channel: Topology::parse("p -> q").unwrap().channels().next().unwrap(),
            sent_before_record: Some(2),
            sent_before_marker: Some(2),
            received_before_record: Some(0),
            identities: None,
            keeps_order: true,
            left_out: Some(0),
            closed: false,
            blocked: false,
            recording: vec![1],
            sent_now: 4,
            received_now: 1,
            queue: vec![message(2), Queued::Marker, message(3), message(4)],
            readable: 3,
        }
    }

    /// Which conditions fall.
    fn broken(spoil: impl FnOnce(&mut ChannelView)) -> Vec<usize> {
        let mut c = channel();
        spoil(&mut c);
        let falls =
            |(number, condition): (usize, &Condition)| (!(condition.holds)(&c)).then_some(number);
        let broken: Vec<_> = (1..).zip(&INVARIANT).filter_map(falls).collect();
        assert_eq!(proof_invariant(&c), broken.is_empty());
        broken
    }

    #[test]
    fn each_condition_falls_by_itself() {
        assert_eq!(broken(|_| ()), [] as [usize; 0]);
        // Lost behind the marker, out of order there, one too many.
        assert_eq!(broken(|c| c.queue.retain(|queued| *queued != Queued::Message(3))), [1]);
        assert_eq!(broken(|c| c.queue.swap(2, 3)), [1]);
        assert_eq!(broken(|c| c.sent_now = 3), [1]);
        // Two markers; and none.
        assert_eq!(broken(|c| c.queue.push(Queued::Marker)), [2]);
        let not_sent = |c: &mut ChannelView| {
            c.queue.truncate(1);
            c.sent_now = 2;
        };
        assert_eq!(broken(not_sent), [2]);
        // Recorded before q has recorded: of the first message there is then one too many, too.
        let early = |c: &mut ChannelView| c.received_before_record = None;
        assert_eq!(broken(early), [3, 4]);
        // Not recorded, recorded twice, the marker too late and too early.
        assert_eq!(broken(|c| c.recording.clear()), [4]);
        assert_eq!(broken(|c| c.recording = vec![1, 1]), [4]);
        assert_eq!(broken(|c| c.queue.swap(1, 2)), [4]);
        assert_eq!(broken(|c| c.queue.swap(0, 1)), [4]);
        // More was received before the cut than was sent.
        let orphan = |c: &mut ChannelView| {
            c.received_before_record = Some(3);
            c.received_now = 3;
            c.recording.clear();
            c.closed = true;
            c.queue = vec![Queued::Message(4)];
        };
        assert_eq!(broken(orphan), [4]);
    }

    #[test]
    fn it_holds_from_before_the_record_to_the_end() {
        let before = |c: &mut ChannelView| {
            (c.sent_before_record, c.received_before_record) = (None, None);
            c.recording.clear();
            c.queue.retain(|queued| *queued != Queued::Marker);
        };
        assert!(broken(before).is_empty());
        let only_target = |c: &mut ChannelView| {
            c.sent_before_record = None;
            c.queue.retain(|queued| *queued != Queued::Marker);
        };
        assert!(broken(only_target).is_empty());
        let end = |c: &mut ChannelView| {
            c.queue.clear();
            c.recording = vec![1, 2];
            (c.closed, c.received_now) = (true, 4);
        };
        assert!(broken(end).is_empty());
    }
}
