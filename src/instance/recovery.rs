//! The table `recovery` of an instance: how many checkpoints are taken, what can fail, and how sinks
//! write.

use super::draft::{Field, within};
use crate::diagnostic::{Diagnostic, Place};
use crate::models::setup::{Checkpoints, Coordinator, Failures, Setup, Sinks};

/// The most checkpoints or failures that can be asked for: a message's colour tells so many checkpoints
/// apart.
const MOST: u16 = 64;

/// The table as it was written; what is absent is as in an instance without it.
#[derive(Clone, Debug, Default)]
pub struct DraftRecovery {
    /// How many checkpoints are taken.
    pub checkpoints: Option<Field<i64>>,
    /// How many may be under way at a time.
    pub overlapping: Option<Field<i64>>,
    /// How many checkpoints the coordinator may end before they are complete.
    pub aborts: Option<Field<i64>>,
    /// How often the job may fail over.
    pub failovers: Option<Field<i64>>,
    /// How many notices of completion may be lost.
    pub lost_notices: Option<Field<i64>>,
    /// `plain` or `transactional`.
    pub sinks: Option<Field>,
}

impl DraftRecovery {
    /// Adds what it says to a setup.
    pub(super) fn apply(&self, setup: &mut Setup) -> Result<(), Diagnostic> {
        let number = |field: &Option<Field<i64>>, least, what| match field {
            Some(field) => within(field, what, least..=MOST).map(Some),
            None => Ok(None),
        };
        let count = number(&self.checkpoints, 1, "checkpoints")?.unwrap_or(1);
        let overlapping = number(&self.overlapping, 1, "checkpoints at a time")?.unwrap_or(1);
        let aborts = number(&self.aborts, 0, "aborted checkpoints")?.unwrap_or(0);
        setup.checkpoints = Checkpoints { count, overlapping, aborts };
        setup.failures = Failures {
            failovers: number(&self.failovers, 0, "failovers")?.unwrap_or(0),
            lost_notices: number(&self.lost_notices, 0, "lost notices")?.unwrap_or(0),
        };
        if let Some(field) = &self.sinks {
            setup.sinks = sinks(field)?;
        }
        self.check(setup)
    }

    fn check(&self, setup: &Setup) -> Result<(), Diagnostic> {
        let Checkpoints { count, overlapping, .. } = setup.checkpoints;
        if let Some(field) = &self.overlapping
            && overlapping > count
        {
            return Err(Diagnostic::at(
                &field.place,
                format!("{overlapping} checkpoints at a time, of {count}"),
                "take more checkpoints, or fewer at a time",
            ));
        }
        if let Some(field) = &self.lost_notices
            && setup.sinks == Sinks::Plain
            && setup.failures.lost_notices > 0
        {
            return Err(Diagnostic::at(
                &field.place,
                "no notices are sent that could be lost: plain sinks do not wait for any",
                "write sinks = \"transactional\", or leave this out",
            ));
        }
        let transactional = setup.sinks == Sinks::Transactional;
        if setup.coordinator == Coordinator::Central || setup.is_plain() && !transactional {
            return Ok(());
        }
        let more = self.checkpoints.as_ref().filter(|_| count > 1).map(|field| &field.place);
        let fails = self.failovers.as_ref().filter(|field| field.value > 0).map(|f| &f.place);
        let sinks = self.sinks.as_ref().map(|field| &field.place);
        let aborts = self.aborts.as_ref().map(|field| &field.place);
        let place: Option<&Place> = more.or(fails).or(sinks).or(aborts);
        let place = place.expect("a setup is other than plain because something says so");
        Err(Diagnostic::at(
            place,
            "nobody could tell which checkpoint is complete",
            "write coordinator = \"central\"",
        ))
    }
}

fn sinks(field: &Field) -> Result<Sinks, Diagnostic> {
    match field.value.as_str() {
        "plain" => Ok(Sinks::Plain),
        "transactional" => Ok(Sinks::Transactional),
        other => Err(Diagnostic::at(
            &field.place,
            format!("unknown kind of sinks `{other}`"),
            "write plain or transactional",
        )),
    }
}

/// What a setup says beyond topology, initiators and coordinator, in a few words; empty if nothing.
#[must_use]
pub(super) fn words(setup: &Setup) -> String {
    let Checkpoints { count, overlapping, aborts } = setup.checkpoints;
    let plural = |number: u16| if number == 1 { "" } else { "s" };
    let mut words = Vec::new();
    if count > 1 {
        let at_a_time = match overlapping {
            1 => "one after another".to_owned(),
            several => format!("{several} at a time"),
        };
        words.push(format!("{count} checkpoints, {at_a_time}"));
    }
    if aborts > 0 {
        words.push(format!("at most {aborts} aborted"));
    }
    let Failures { failovers, lost_notices } = setup.failures;
    if failovers > 0 {
        words.push(format!("at most {failovers} failover{}", plural(failovers)));
    }
    if lost_notices > 0 {
        words.push(format!("at most {lost_notices} lost notice{}", plural(lost_notices)));
    }
    if setup.sinks == Sinks::Transactional {
        words.push("transactional sinks".to_owned());
    }
    words.join(", ")
}
