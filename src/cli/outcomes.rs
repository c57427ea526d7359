//! `snapcheck check --outcomes`.

use std::io::Write;
use std::path::Path;

use super::output::Target;
use crate::check::Report;
use crate::diagnostic::Diagnostic;
use crate::render::outcomes;

/// The outcomes of the instances, for one file.
pub(super) struct Outcomes<'o> {
    file: Target<'o>,
    lines: String,
}

impl<'o> Outcomes<'o> {
    /// None yet, for a file that can be written to.
    pub(super) fn into_file(path: &'o Path) -> Result<Self, Diagnostic> {
        Ok(Self { file: Target::file("--outcomes", path)?, lines: String::new() })
    }

    /// Adds those of an instance. Says so if there may be more of them.
    pub(super) fn add(&mut self, report: &Report) {
        self.lines.push_str(&outcomes::lines(report));
        if !report.explored.complete {
            let found = report.outcomes.as_ref().map_or(0, Vec::len);
            let name = &report.instance.name;
            let note = format_args!(
                "{name}: the search was cut off; the outcomes found until then ({found}) are \
                 written, and there may be more"
            );
            // Nobody need be there to read it: each line says so too.
            let _ = writeln!(std::io::stderr(), "{note}");
        }
    }

    /// Writes the file.
    pub(super) fn finish(&self) -> Result<(), Diagnostic> {
        self.file.write(None, &self.lines)
    }
}
