//! The file of results: JSON Lines, one for each instance, below a line that says of which sweep. It
//! grows as instances are judged, so that a sweep that was killed goes on where it was.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use super::{Case, Judgement, Options, Space};
use crate::diagnostic::{Diagnostic, Place, Source};

/// The first line: what the results are of. Threads make no difference to them.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    /// Version of snapcheck.
    snapcheck: String,
    sweep: Swept,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Swept {
    algorithms: Vec<String>,
    processes: usize,
    self_channels: bool,
    messages: u16,
    central: bool,
    max_states: Option<u64>,
    timeout_ms: Option<u128>,
}

impl Header {
    fn of(options: &Options) -> Self {
        Self {
            snapcheck: env!("CARGO_PKG_VERSION").to_owned(),
            sweep: Swept {
                algorithms: options.algorithms.iter().map(|info| info.name.to_owned()).collect(),
                processes: options.processes,
                self_channels: options.self_channels,
                messages: options.messages,
                central: options.central,
                max_states: options.limits.max_states,
                timeout_ms: options.limits.timeout.map(|timeout| timeout.as_millis()),
            },
        }
    }
}

/// Any other line.
#[derive(Serialize, Deserialize)]
struct Line {
    algorithm: String,
    topology: String,
    initiators: Vec<String>,
    #[serde(flatten)]
    judgement: Judgement,
}

/// What a line calls its instance.
type Name = (String, String, Vec<String>);

fn name(space: &Space, case: Case) -> Name {
    let named = space.setup(case);
    let initiators = named.initiators().into_iter().map(str::to_owned).collect();
    (space.algorithms[case.algorithm].name.to_owned(), named.topology.clone(), initiators)
}

/// A file of results to which more can be added.
pub(super) struct Results {
    file: File,
    path: String,
}

impl Results {
    /// Adds what came out for an instance, in one piece.
    pub(super) fn add(
        &mut self,
        space: &Space,
        case: Case,
        judgement: &Judgement,
    ) -> Result<(), Diagnostic> {
        let (algorithm, topology, initiators) = name(space, case);
        self.write(&Line { algorithm, topology, initiators, judgement: judgement.clone() })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), Diagnostic> {
        let text = line_text(line);
        self.file.write_all(text.as_bytes()).map_err(|error| {
            Diagnostic::general(
                format!("results cannot be written to {}: {error}", self.path),
                "see to it that there is space, and start again: what was written counts",
            )
        })
    }
}

fn line_text(line: &impl Serialize) -> String {
    let json = serde_json::to_string(line).expect("names, numbers and claims can be written");
    format!("{json}\n")
}

/// Opens or begins the file of results at `path`, and reads what is there. A last line without its end
/// was being written when the sweep was killed: it is taken away.
pub(super) fn open(
    path: &Path,
    options: &Options,
    space: &Space,
) -> Result<(BTreeMap<Case, Judgement>, Results), Diagnostic> {
    let shown = path.display().to_string();
    let unusable = |error: std::io::Error| {
        Diagnostic::general(
            format!("{shown} cannot be used for results: {error}"),
            "give a file that you may write to",
        )
    };
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = file.map_err(unusable)?;
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(Diagnostic::general(
            format!("another sweep is writing to {shown}"),
            "wait for its end, or give another file",
        ));
    }
    let mut bytes = Vec::new();
    (&file).read_to_end(&mut bytes).map_err(unusable)?;
    let header = Header::of(options);
    // Nothing is lost with a header that was being written; anything else without an end is not ours.
    let kept = match bytes.iter().rposition(|&byte| byte == b'\n') {
        Some(end) => end + 1,
        None if line_text(&header).as_bytes().starts_with(&bytes) => 0,
        None => bytes.len(),
    };
    let torn = bytes.len() > kept;
    bytes.truncate(kept);
    let text = String::from_utf8(bytes).map_err(|_| {
        let error = std::io::Error::other("it is no text");
        unusable(error)
    })?;
    let judged = read(&Arc::new(Source { name: shown.clone(), text }), &header, space)?;
    if torn {
        file.set_len(kept as u64).map_err(unusable)?;
    }
    let mut results = Results { file, path: shown };
    if kept == 0 {
        results.write(&header)?;
    }
    Ok((judged, results))
}

/// What the lines of a file say.
fn read(
    source: &Arc<Source>,
    header: &Header,
    space: &Space,
) -> Result<BTreeMap<Case, Judgement>, Diagnostic> {
    let names: BTreeMap<Name, Case> =
        space.cases().into_iter().map(|case| (name(space, case), case)).collect();
    let mut judged = BTreeMap::new();
    let mut start = 0;
    for (index, line) in source.text.lines().enumerate() {
        let place = Place { source: Arc::clone(source), span: start..start + line.len() };
        start += line.len() + 1;
        if index == 0 {
            agree(line, header, &place)?;
            continue;
        }
        let read: Line = serde_json::from_str(line).map_err(|error| {
            Diagnostic::at(
                &place,
                format!("this is no result of a sweep: {error}"),
                "take the line away, and its instance is searched again",
            )
        })?;
        let Some(&case) = names.get(&(read.algorithm, read.topology, read.initiators)) else {
            return Err(Diagnostic::at(
                &place,
                "this instance is not part of the sweep",
                "take the line away, or give another file",
            ));
        };
        judged.insert(case, read.judgement);
    }
    Ok(judged)
}

/// Whether the first line is the header of this very sweep.
fn agree(line: &str, header: &Header, place: &Place) -> Result<(), Diagnostic> {
    let Ok(found) = serde_json::from_str::<Header>(line) else {
        return Err(Diagnostic::at(
            place,
            "this is no file of results of a sweep",
            "give a new file, or one that `sweep --results` began",
        ));
    };
    if found == *header {
        return Ok(());
    }
    let differing = differences(&found, header).join(", ");
    Err(Diagnostic::at(
        place,
        format!("these are the results of another sweep, which differs in {differing}"),
        "sweep with the same options, or give another file",
    ))
}

/// What differs, by the names of the options.
fn differences(found: &Header, wanted: &Header) -> Vec<&'static str> {
    let (a, b) = (&found.sweep, &wanted.sweep);
    let parts = [
        ("the version of snapcheck", found.snapcheck != wanted.snapcheck),
        ("--algorithms", a.algorithms != b.algorithms),
        ("--processes", a.processes != b.processes),
        ("--self-channels", a.self_channels != b.self_channels),
        ("--messages", a.messages != b.messages),
        ("--coordinator", a.central != b.central),
        ("--max-states", a.max_states != b.max_states),
        ("--timeout", a.timeout_ms != b.timeout_ms),
    ];
    parts.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect_vec()
}
