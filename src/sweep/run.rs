//! Searches the instances of a sweep, several at a time, and hands over what comes out as it comes.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};

use itertools::Itertools;

use super::{Case, Judgement, Options, Space, Standing};
use crate::check::{self, Traces, check};
use crate::diagnostic::Diagnostic;
use crate::engines::{Limits, PROGRESS_INTERVAL, Progress, is_interrupted};
use crate::instance::Instance;
use crate::models::claim::{Claim, Kind};
use crate::registry::Registry;

/// Judges all `cases`, or as many as it can until it is interrupted. `keep` is told of each on the calling thread; if it fails, those in progress
/// come to their end and are lost.
pub(super) fn all(
    registry: &Registry,
    options: &Options,
    space: &Space,
    cases: &[Case],
    note: &dyn Fn(Standing),
    keep: &mut dyn FnMut(Case, Judgement) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let next = AtomicUsize::new(0);
    let in_progress = (0..options.threads).map(|_| AtomicU64::new(0)).collect_vec();
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        for states in &in_progress {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let progress =
                    |progress: Progress| states.store(progress.judged, Ordering::Relaxed);
                while let Some(&case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let judgement =
                        judge(registry, &space.instance(case), options.limits, &progress);
                    states.store(0, Ordering::Relaxed);
                    // Searched again, it is not cut off.
                    if is_interrupted() && judgement.is_cut_off() {
                        break;
                    }
                    // Nobody listens any more if a result could not be kept.
                    if sender.send((case, judgement)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut done, mut states) = (0, 0);
        loop {
            match receiver.recv_timeout(PROGRESS_INTERVAL) {
                Ok((case, judgement)) => {
                    done += 1;
                    states += judgement.states;
                    keep(case, judgement)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            let searched = in_progress.iter().map(|states| states.load(Ordering::Relaxed));
            note(Standing { done, total: cases.len(), states: states + searched.sum::<u64>() });
        }
    })
}

fn judge(
    registry: &Registry,
    instance: &Instance,
    limits: Limits,
    progress: &dyn Fn(Progress),
) -> Judgement {
    let safety = Claim::ALL.into_iter().filter(|claim| claim.kind() == Kind::Safety);
    let safety = safety.filter(|claim| !claim.on_request());
    let options = check::Options {
        limits,
        claims: safety.collect(),
        traces: Traces::None,
        ..check::Options::default()
    };
    let report = check(registry, instance, &options, progress);
    let vacuous = report.claims.iter().filter(|found| found.vacuous);
    Judgement {
        states: report.explored.unique,
        vacuous: vacuous.map(|found| found.claim).collect(),
        verdicts: report.claims.iter().map(|found| (found.claim, found.verdict)).collect(),
    }
}
