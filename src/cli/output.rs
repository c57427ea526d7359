//! What a command writes into files beside what it prints.

use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Place};

/// A folder or file that an option names, and is written to.
pub(super) struct Target<'t> {
    option: &'static str,
    path: &'t Path,
}

impl<'t> Target<'t> {
    /// The folder that `option` names; made if need be, so that a search is not in vain.
    pub(super) fn folder(option: &'static str, path: &'t Path) -> Result<Self, Diagnostic> {
        let target = Self { option, path };
        target.written(std::fs::create_dir_all(path))?;
        Ok(target)
    }

    /// The file that `option` names, left as it is for now.
    pub(super) fn file(option: &'static str, path: &'t Path) -> Result<Self, Diagnostic> {
        let target = Self { option, path };
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
        target.written(opened)?;
        Ok(target)
    }

    /// Writes the file, or a file in the folder if it is given a name.
    pub(super) fn write(&self, name: Option<&str>, text: &str) -> Result<(), Diagnostic> {
        let path = name.map_or(PathBuf::from(self.path), |name| self.path.join(name));
        self.written(std::fs::write(path, text))
    }

    fn written<T>(&self, result: io::Result<T>) -> Result<T, Diagnostic> {
        result.map_err(|error| {
            Diagnostic::at(
                &Place::option(self.option, &self.path.to_string_lossy()),
                format!("nothing can be written here: {error}"),
                "name a place that you may write to",
            )
        })
    }
}

/// The name of an instance as that of a file, without ending.
pub(super) fn file_name(instance: &str) -> String {
    instance.replace(['/', '\\', ' '], "-")
}
