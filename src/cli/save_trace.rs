//! `snapcheck check --save-trace`.

use std::path::Path;

use super::output::Target;
use crate::check::Report;
use crate::diagnostic::{Diagnostic, Place};
use crate::instance::Instance;
use crate::models::claim::Kind;
use crate::trace_file;
use crate::verdict::Verdict;

const OPTION: &str = "--save-trace";

fn error(path: &Path, message: impl Into<String>, remedy: &str) -> Diagnostic {
    Diagnostic::at(&Place::option(OPTION, &path.to_string_lossy()), message, remedy)
}

/// Refuses what would be more or less than one trace.
pub(super) fn refuse(path: &Path, claims: usize, instances: &[Instance]) -> Result<(), Diagnostic> {
    if claims != 1 {
        return Err(error(
            path,
            format!("one trace is saved, but {claims} claims are named"),
            "name the claim that it is to decide: --claim consistent-cut",
        ));
    }
    if instances.len() != 1 {
        return Err(error(
            path,
            format!("one trace is saved, but {} instances are selected", instances.len()),
            "name a single instance; `snapcheck list instances` lists the bundled ones",
        ));
    }
    Ok(())
}

/// Writes the trace of a report on one claim, and says so; or says why there is none.
pub(super) fn save(path: &Path, report: &Report) -> Result<String, Diagnostic> {
    let [found] = report.claims.as_slice() else {
        return Ok("No trace is saved: the claim was not judged.".to_owned());
    };
    let name = found.claim.name();
    let Some(shown) = &found.shown else {
        let why = match (found.claim.kind(), found.verdict) {
            (Kind::Safety, Verdict::Holds) => "holds, there is no counterexample".to_owned(),
            (Kind::Witness, Verdict::Violated) => "has no example".to_owned(),
            (_, Verdict::Inconclusive) => "is inconclusive".to_owned(),
            (_, Verdict::NotApplicable) => "is not applicable".to_owned(),
            (_, verdict) => format!("is {verdict}, but no run was found within the limits"),
        };
        return Ok(format!("No trace is saved: {name} {why}."));
    };
    let text = trace_file::write(&report.instance, found.claim, &shown.trace);
    Target::file(OPTION, path)?.write(None, &text)?;
    Ok(format!("Trace saved; `snapcheck replay {}` replays it.", path.display()))
}
