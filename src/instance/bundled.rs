//! The instances that come with snapcheck, compiled into it.

use include_dir::{Dir, DirEntry, include_dir};

use super::{Instance, file};
use crate::diagnostic::Diagnostic;
use crate::models::process::AlgorithmInfo;

static INSTANCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/models/instances");

/// All bundled instances, ordered by name.
///
/// # Errors
/// If one is not valid: then this build of snapcheck is broken.
pub fn all(algorithms: &[AlgorithmInfo]) -> Result<Vec<Instance>, Diagnostic> {
    let mut paths = Vec::new();
    collect(&INSTANCES, &mut paths);
    paths.sort_unstable();
    paths
        .into_iter()
        .map(|(name, text)| {
            let path = format!("models/instances/{name}.toml");
            file::parse(&path, text.to_owned(), &name, algorithms)
        })
        .collect()
}

fn collect<'d>(dir: &'d Dir<'d>, found: &mut Vec<(String, &'d str)>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(dir) => collect(dir, found),
            DirEntry::File(file) => {
                let name = file.path().with_extension("").to_string_lossy().replace('\\', "/");
                found.push((name, file.contents_utf8().unwrap_or_default()));
            }
        }
    }
}
