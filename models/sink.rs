//! What sinks write to the outside. It is not part of the job: a failover takes nothing back that was
//! seen.
//!
//! A transactional sink writes into a transaction, pre-commits it when it records, and commits it when
//! it hears that the checkpoint is complete: two-phase commit, with the coordinator of checkpoints as
//! that of transactions. P. Carbone et al., "State Management in Apache Flink", VLDB 2017, section 4.3.

use std::collections::BTreeMap;

use crate::application::{Effects, Record};
use crate::renaming::{Renamed, Renaming};
use crate::setup::Sinks;

/// What one sink has written.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SinkState {
    /// How often each record can be seen outside.
    pub visible: Effects,
    /// Per checkpoint whose completion it does not know, what it has pre-committed.
    pub pending: BTreeMap<u16, Effects>,
    /// What it has written since it recorded last.
    pub open: Effects,
    /// The newest checkpoint whose completion it knows, by notice or by recovery; 0 if none.
    pub known: u16,
}

impl SinkState {
    /// A record comes.
    pub fn write(&mut self, record: Record, sinks: Sinks) {
        let written = match sinks {
            Sinks::Plain => &mut self.visible,
            Sinks::Transactional => &mut self.open,
        };
        *written.entry(record).or_default() += 1;
    }

    /// The sink records for a checkpoint: what it has written until now is covered by it.
    pub fn pre_commit(&mut self, checkpoint: u16) {
        let covered = std::mem::take(&mut self.open);
        if !covered.is_empty() {
            self.pending.insert(checkpoint, covered);
        }
    }

    /// A checkpoint is known to be complete: everything pre-committed up to it is committed. What was
    /// pre-committed for an earlier one that never completed goes with it.
    pub fn commit(&mut self, checkpoint: u16) {
        let later = self.pending.split_off(&(checkpoint + 1));
        for (record, times) in std::mem::replace(&mut self.pending, later).into_values().flatten() {
            *self.visible.entry(record).or_default() += times;
        }
        self.known = self.known.max(checkpoint);
    }

    /// The job goes back to a checkpoint: what that covers is committed, the rest is rolled back.
    pub fn recover(&mut self, checkpoint: u16) {
        self.commit(checkpoint);
        self.pending.clear();
        self.open.clear();
    }
}

impl Renamed for SinkState {
    fn renamed(&self, renaming: &Renaming) -> Self {
        Self {
            visible: self.visible.renamed(renaming),
            pending: self.pending.renamed(renaming),
            open: self.open.renamed(renaming),
            known: self.known,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::ProcessId;

    fn record(number: u16) -> Record {
        Record { source: ProcessId::new(0), number }
    }

    #[test]
    fn what_a_checkpoint_covers_is_committed_once() {
        let mut sink = SinkState::default();
        sink.write(record(1), Sinks::Transactional);
        sink.pre_commit(1);
        sink.write(record(2), Sinks::Transactional);
        sink.pre_commit(2);
        sink.write(record(3), Sinks::Transactional);
        assert!(sink.visible.is_empty());
        // The notice of 1 was lost; 2 commits both, and a late notice of 1 nothing.
        sink.commit(2);
        sink.commit(1);
        assert_eq!(sink.visible, Effects::from([(record(1), 1), (record(2), 1)]));
        assert_eq!(sink.known, 2);
        sink.recover(2);
        assert_eq!(sink.visible.len(), 2, "what no checkpoint covers is rolled back");
        assert!(sink.open.is_empty());
    }

    #[test]
    fn a_plain_sink_takes_nothing_back() {
        let mut sink = SinkState::default();
        sink.write(record(1), Sinks::Plain);
        sink.recover(0);
        sink.write(record(1), Sinks::Plain);
        assert_eq!(sink.visible, Effects::from([(record(1), 2)]));
    }
}
