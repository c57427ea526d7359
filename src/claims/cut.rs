//! Claims about the cut and the channel states, on a channel c from p to q whose ends have recorded.
//! Chandy & Lamport 1985, section 3; the letters n, n', m, m' are theirs.

use crate::system::{ChannelView, View};

/// `consistent-cut`: what q had received from c when it recorded, p had sent when it recorded: m ≤ n.
///
/// Equivalently: if a happened before b and b is in the snapshot, then so is a. On FIFO channels the
/// numbers suffice, since what is received is always a first part of what is sent. `tests/oracles.rs`
/// holds this against vector clocks.
pub(super) fn consistent_cut(c: &ChannelView) -> bool {
    c.cut().is_none_or(|(n, m)| m <= n)
}

/// `exact-channel-state`: once c is closed, its recording is exactly the messages sent before p
/// recorded and not received before q did: numbers m+1 … n, in order.
///
/// Where m > n that range is empty, and so must be the recording: then only `consistent-cut` falls.
pub(super) fn exact_channel_state(c: &ChannelView) -> bool {
    c.cut().is_none_or(|(n, m)| !c.closed || c.recording.iter().copied().eq(m + 1..=n))
}

/// `marker-arithmetic`: once c is closed, n = n', m = m', n' ≥ m', and the recording has n' − m'
/// messages: the marker divides what was sent as the record does, and the recording begins where the
/// recorded state ends.
///
/// Where c's marker caused q's record, n = n' = m = m' is meant to follow. It does: then m' was
/// counted when the marker was consumed, and on a FIFO channel exactly n' messages had come before it.
pub(super) fn marker_arithmetic(c: &ChannelView) -> bool {
    let Some((n, m)) = c.cut() else { return true };
    !c.closed
        || (c.sent_before_marker == Some(n)
            && c.left_out == Some(m)
            && n >= m
            && c.recording.len() == usize::from(n - m))
}

/// `empty-channel-state`: in a complete snapshot every recording is empty and n = m on every channel.
/// "Aligned mode never needs channel state": Carbone et al. 2015.
pub(super) fn empty_channel_state(state: &View) -> bool {
    state.channels.iter().all(|c| c.recording.is_empty())
        && state.channels.iter().filter_map(ChannelView::cut).all(|(n, m)| n == m)
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
            left_out: Some(m),
            closed: true,
            blocked: false,
            recording: recording.to_vec(),
            in_flight: 0,
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
