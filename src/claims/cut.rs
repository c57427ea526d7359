//! Claims about the cut and the channel states, on a channel c from p to q whose ends have recorded.
//! Chandy & Lamport 1985, section 3; the letters n, n', m, m' are theirs.
//!
//! Messages are numbered in the order in which they were sent: what p sent before it recorded is always
//! 1 … n. What q received before it recorded is 1 … m on FIFO channels; else a set of numbers, in which one
//! is twice if it was received twice. The claims are stated over what was received, and so are the same for
//! all.

use crate::system::{ChannelView, View};

/// `consistent-cut`: what q had received from c when it recorded, p had sent when it recorded: on FIFO
/// channels m ≤ n.
///
/// Equivalently: if a happened before b and b is in the snapshot, then so is a. `tests/oracles.rs` holds
/// this against vector clocks.
pub(super) fn consistent_cut(c: &ChannelView) -> bool {
    c.cut().is_none_or(|(n, _)| c.received().iter().all(|&number| number <= n))
}

/// `exact-channel-state`: once c is closed, its recording is exactly the messages sent before p
/// recorded and not received before q did, in order if c keeps it: on FIFO channels m+1 … n.
///
/// That is: of what p sent before it recorded, everything is either received before q recorded or in the
/// recording, and once. So one that was lost on the way is missing, and one that was received or recorded
/// twice is there too often. What q received beyond that leaves the recording as it should be: then only
/// `consistent-cut` falls.
pub(super) fn exact_channel_state(c: &ChannelView) -> bool {
    let Some((n, _)) = c.cut() else { return true };
    let received = c.received().into_iter().filter(|&number| number <= n);
    let mut held: Vec<_> = received.chain(c.recording.iter().copied()).collect();
    held.sort_unstable();
    !c.closed || (held.into_iter().eq(1..=n) && (!c.keeps_order || c.recording.is_sorted()))
}

/// `marker-arithmetic`: once c is closed, n = n', m = m', n' ≥ m', and the recording has n' − m'
/// messages: the marker divides what was sent as the record does, and the recording begins where the
/// recorded state ends.
///
/// Where c's marker caused q's record, n = n' = m = m' is meant to follow. It does: then m' was
/// counted when the marker was consumed, and on a FIFO channel exactly n' messages had come before it.
///
/// Not applicable off FIFO, where a marker divides nothing.
pub(super) fn marker_arithmetic(c: &ChannelView) -> bool {
    let Some((n, m)) = c.cut() else { return true };
    !c.closed
        || (c.sent_before_marker == Some(n)
            && c.left_out == Some(m)
            && n >= m
            && c.recording.len() == usize::from(n - m))
}

/// `empty-channel-state`: in a complete snapshot every recording is empty, and what q had received from c
/// is what p had sent on it, each once: on FIFO channels n = m. "Aligned mode never needs channel state":
/// Carbone et al. 2015.
pub(super) fn empty_channel_state(state: &View) -> bool {
    state.channels.iter().all(is_empty)
}

fn is_empty(c: &ChannelView) -> bool {
    c.recording.is_empty() && c.cut().is_none_or(|(n, _)| c.received().into_iter().eq(1..=n))
}

/// `conserved`: a complete snapshot holds as much of what the application conserves as there was at the
/// start: nothing was lost or doubled. Chandy & Lamport 1985, section 2: the tokens.
///
/// Not applicable to applications that conserve nothing.
pub(super) fn conserved(state: &View) -> bool {
    state.amounts.is_none_or(|amounts| amounts.recorded == amounts.initial)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::topology::Topology;

    fn channel(n: u16, m: u16, recording: &[u16]) -> ChannelView {
        ChannelView {
            channel: Topology::parse("p -> q").unwrap().channels().next().unwrap(),
            sent_before_record: Some(n),
            sent_before_marker: Some(n),
            received_before_record: Some(m),
            identities: None,
            keeps_order: true,
            left_out: Some(m),
            closed: true,
            blocked: false,
            recording: recording.to_vec(),
            sent_now: n,
            received_now: m,
            queue: Vec::new(),
            readable: 0,
        }
    }

    #[test]
    fn the_cut_and_the_recording_fall_separately() {
        assert!(consistent_cut(&channel(2, 2, &[])));
        assert!(!consistent_cut(&channel(1, 2, &[])));
        assert!(exact_channel_state(&channel(1, 2, &[])), "only the cut falls where m > n");
        assert!(exact_channel_state(&channel(3, 1, &[2, 3])));
        for wrong in [&[][..], &[2], &[3, 2], &[2, 3, 3], &[1, 2, 3]] {
            assert!(!exact_channel_state(&channel(3, 1, wrong)), "{wrong:?}");
        }
    }

    /// A channel off FIFO: n, what was received before the record, and what was recorded.
    fn by_identity(n: u16, received: &[u16], recording: &[u16]) -> ChannelView {
        let m = u16::try_from(received.len()).unwrap();
        let identities = Some(received.to_vec());
        ChannelView { identities, keeps_order: false, ..channel(n, m, recording) }
    }

    #[test]
    fn off_fifo_it_is_told_which_messages_were_received() {
        assert!(consistent_cut(&by_identity(2, &[2], &[])));
        assert!(
            !consistent_cut(&by_identity(2, &[3], &[])),
            "m = 1 is less than n, but not message 3"
        );
        assert!(exact_channel_state(&by_identity(3, &[2], &[3, 1])), "in any order");
        let ordered = ChannelView { keeps_order: true, ..by_identity(3, &[2], &[3, 1]) };
        assert!(!exact_channel_state(&ordered), "but not where the channel keeps order");
        assert!(exact_channel_state(&by_identity(1, &[3], &[1])), "only the cut falls");
        let wrong: [(&[u16], &[u16]); 5] = [
            (&[2], &[3]),
            (&[2], &[1, 2, 3]),
            (&[2, 2], &[1, 3]),
            (&[2], &[1, 1, 3]),
            (&[4], &[1, 3]),
        ];
        for (received, recording) in wrong {
            let c = by_identity(3, received, recording);
            assert!(!exact_channel_state(&c), "{received:?} {recording:?}");
        }
    }

    #[test]
    fn nothing_is_empty_of_which_a_message_is_missing_or_doubled() {
        assert!(is_empty(&by_identity(2, &[1, 2], &[])));
        for received in [&[1][..], &[1, 3], &[1, 1], &[1, 2, 2], &[1, 2, 3]] {
            assert!(!is_empty(&by_identity(2, received, &[])), "{received:?}");
        }
        assert!(!is_empty(&by_identity(2, &[1], &[2])));
    }

    #[test]
    fn every_part_of_the_marker_arithmetic_counts() {
        assert!(marker_arithmetic(&channel(3, 1, &[2, 3])));
        let cases: [fn(&mut ChannelView); 5] = [
            |c| c.sent_before_marker = Some(2),
            |c| c.sent_before_marker = None,
            |c| c.left_out = Some(0),
            |c| c.recording = vec![2],
            |c| c.sent_before_record = Some(0),
        ];
        for spoil in cases {
            let mut spoilt = channel(3, 1, &[2, 3]);
            spoil(&mut spoilt);
            assert!(!marker_arithmetic(&spoilt), "{spoilt:?}");
            spoilt.closed = false;
            assert!(marker_arithmetic(&spoilt), "nothing is said of an open channel");
        }
    }
}
