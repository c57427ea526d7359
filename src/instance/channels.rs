//! The table `channels` of an instance, and who may finish: what there is of a dataflow runtime around the
//! algorithm.

use std::collections::BTreeSet;

use super::draft::{Field, find_processes, within};
use crate::diagnostic::{Diagnostic, Place};
use crate::models::setup::{Buffers, Coordinator, Setup};

/// The most messages for which a queue can be given room.
const MOST: u16 = 1000;

/// What was written; what is absent is as in an instance without it.
#[derive(Clone, Debug, Default)]
pub struct DraftChannels {
    /// Whether there are queues at the ends of channels.
    pub buffers: Option<Field<bool>>,
    /// How many messages a queue has room for.
    pub capacity: Option<Field<i64>>,
    /// Who may finish.
    pub may_finish: Option<Field<Vec<Field>>>,
}

impl DraftChannels {
    /// Adds what it says to a setup.
    pub(super) fn apply(&self, setup: &mut Setup) -> Result<(), Diagnostic> {
        let buffered = self.buffers.as_ref().filter(|field| field.value);
        let capacity = match &self.capacity {
            Some(field) => Some(within(field, "messages in a queue", 1..=MOST)?),
            None => None,
        };
        match (buffered, &self.capacity) {
            (Some(field), _) => {
                self.allow(&field.place, "channels have queues", setup)?;
                setup.buffers = Some(Buffers { capacity });
            }
            (None, Some(field)) => {
                return Err(Diagnostic::at(
                    &field.place,
                    "there are no queues that could be full",
                    "write buffers = true beside it, or leave this out",
                ));
            }
            (None, None) => {}
        }
        if let Some(field) = &self.may_finish {
            setup.ending = find_processes(field, &setup.topology, "process")?;
            if !setup.ending.is_empty() {
                self.allow(&field.place, "processes finish", setup)?;
            }
        }
        Ok(())
    }

    /// The runtime of a dataflow has FIFO channels, and a coordinator of its own or none.
    fn allow(&self, place: &Place, what: &str, setup: &Setup) -> Result<(), Diagnostic> {
        if matches!(setup.coordinator, Coordinator::Process(_)) {
            return Err(Diagnostic::at(
                place,
                format!("where {what}, no process of the topology can be the coordinator"),
                "write coordinator = \"central\", or leave it out",
            ));
        }
        if !setup.network.is_fifo() {
            return Err(Diagnostic::at(
                place,
                format!("where {what}, channels are FIFO"),
                "leave the network out",
            ));
        }
        Ok(())
    }
}

/// What a setup says of this, in a few words; empty if nothing.
pub(super) fn words(setup: &Setup) -> String {
    let queues = setup.buffers.map(|buffers| match buffers.capacity {
        Some(capacity) => format!("queues of {capacity}"),
        None => "queues".to_owned(),
    });
    let names = |ending: &BTreeSet<_>| {
        let names = ending.iter().map(|&process| setup.topology.name(process));
        names.collect::<Vec<_>>().join(", ")
    };
    let finish =
        Some(&setup.ending).filter(|ending| !ending.is_empty()).map(|e| names(e) + " may finish");
    queues.into_iter().chain(finish).collect::<Vec<_>>().join(", ")
}
