//! The HTML pages of a check: one for each instance, and one that lists them.

use std::collections::BTreeSet;
use std::path::Path;

use super::output::{Target, file_name};
use crate::check::Report;
use crate::diagnostic::Diagnostic;
use crate::render::html;

/// The page that lists the instances.
pub(super) const INDEX: &str = "index.html";

/// Pages in a folder.
pub(super) struct Pages<'p> {
    folder: Target<'p>,
    files: BTreeSet<String>,
    entries: Vec<html::Entry>,
}

impl<'p> Pages<'p> {
    /// No pages yet, in a folder that can be written to.
    pub(super) fn into_folder(folder: &'p Path) -> Result<Self, Diagnostic> {
        let folder = Target::folder("--html", folder)?;
        Ok(Self { folder, files: BTreeSet::from([INDEX.to_owned()]), entries: Vec::new() })
    }

    /// Writes the page of an instance.
    pub(super) fn add(&mut self, report: &Report) -> Result<(), Diagnostic> {
        let name = file_name(&report.instance.name);
        // Instances of different folders can come to the same name.
        let numbered = (2..).map(|number| format!("{name}-{number}.html"));
        let mut names = std::iter::once(format!("{name}.html")).chain(numbered);
        let file = names.find(|file| !self.files.contains(file)).unwrap_or_default();
        self.folder.write(Some(&file), &html::instance(report, INDEX))?;
        self.entries.push(html::Entry::of(report, &file));
        self.files.insert(file);
        Ok(())
    }

    /// Writes the page that lists them.
    pub(super) fn finish(&self) -> Result<(), Diagnostic> {
        self.folder.write(Some(INDEX), &html::index(&self.entries))
    }
}
