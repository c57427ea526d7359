//! The architecture and the documents, held to what they say: the import rule, module headers, file
//! lengths, and generated tables.
//!
//! `UPDATE_EXPECT=1 cargo test --test architecture` renews the tables.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use itertools::Itertools;

use snapcheck::instance::bundled;
use snapcheck::registry::Registry;
use snapcheck::render::tables::{self, Look};
use snapcheck::verdict::Verdict;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &str) -> Vec<PathBuf> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    collect(&root().join(folder), &mut files);
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The top-level modules in the order in which `lib.rs` lists them: from what depends on nothing.
fn modules(lib: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(lib)).unwrap();
    let listed = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    listed.map(ToOwned::to_owned).collect()
}

/// The module that a file belongs to.
fn module_of(file: &Path, source: &Path) -> String {
    let below = file.strip_prefix(source).unwrap();
    let first = below.components().next().unwrap().as_os_str();
    Path::new(first).file_stem().unwrap().to_string_lossy().into_owned()
}

/// A file uses only modules listed above its own.
fn violations(folder: &str, lib: &str) -> Vec<String> {
    let order = modules(lib);
    let position = |module: &str| order.iter().position(|listed| listed == module);
    let source = root().join(folder);
    let mut violations = Vec::new();
    for file in rust_files(folder) {
        let Some(own) = position(&module_of(&file, &source)) else { continue };
        let text = std::fs::read_to_string(&file).unwrap();
        for (_, used) in text.match_indices("crate::").map(|(at, _)| text[at..].split_at(7)) {
            let name: String =
                used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if position(&name).is_some_and(|used| used > own) {
                violations.push(format!("{} uses {name}", file.display()));
            }
        }
    }
    violations
}

#[test]
fn a_file_uses_only_what_stands_above_it() {
    assert_eq!(violations("src", "src/lib.rs"), Vec::<String>::new());
    assert_eq!(violations("models", "models/lib.rs"), Vec::<String>::new());
    assert!(modules("src/lib.rs").len() >= 10, "the lists are read");
}

#[test]
fn the_models_know_nothing_of_the_checker() {
    for file in rust_files("models") {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains("stateright"), "{}", file.display());
        assert!(!text.contains("snapcheck::"), "{}", file.display());
    }
}

#[test]
fn algorithms_touch_neither_counters_nor_properties() {
    for file in rust_files("models/algorithms") {
        let text = std::fs::read_to_string(&file).unwrap();
        for forbidden in ["crate::host", "crate::recording", "crate::coordinator"] {
            assert!(!text.contains(forbidden), "{} uses {forbidden}", file.display());
        }
    }
}

#[test]
fn every_file_has_a_header_and_can_be_read_in_one_sitting() {
    for folder in ["src", "models", "tests", "examples"] {
        for file in rust_files(folder) {
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(text.starts_with("//!"), "{} has no header", file.display());
            let lines = text.lines().count();
            let most = if folder == "tests" { 450 } else { 400 };
            assert!(lines <= most, "{} has {lines} lines: look for the seam", file.display());
        }
    }
    for file in rust_files("models/algorithms") {
        let lines = std::fs::read_to_string(&file).unwrap().lines().count();
        // With a timeout the protocol is two in one.
        let most = if file.ends_with("flink_aligned_timeout.rs") { 135 } else { 85 };
        assert!(lines <= most, "{} has {lines} lines", file.display());
    }
}

#[test]
fn every_dependency_is_justified() {
    let architecture = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for manifest in ["Cargo.toml", "models/Cargo.toml"] {
        let text = std::fs::read_to_string(root().join(manifest)).unwrap();
        let mut inside = false;
        for line in text.lines() {
            if line.starts_with('[') {
                inside = line.contains("dependencies") && !line.contains("workspace");
            } else if inside && line.contains('=') {
                let name = line.split(['=', '.', ' ']).next().unwrap();
                if name != "snapcheck-models" {
                    assert!(architecture.contains(&format!("`{name}`")), "{name}");
                }
            }
        }
    }
}

/// Compares what stands between the markers for `name` with `expected`, or renews it.
fn generated(document: &str, name: &str, expected: &str) {
    let path = root().join(document);
    let text = std::fs::read_to_string(&path).unwrap();
    let begin = format!("<!-- generated: {name} -->\n");
    let end = format!("<!-- end: {name} -->");
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("no {name}"));
    let (found, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no end of {name}"));
    let wanted = format!("\n{}\n\n", expected.trim_end());
    if found == wanted {
        return;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, [before, &begin, &wanted, &end, after].concat()).unwrap();
    } else {
        panic!("{name} in {document} is stale; run with UPDATE_EXPECT=1\n{wanted}");
    }
}

/// A command and what it prints, but for lines that hold `timed`: times differ from run to run.
fn shown(arguments: &[&str], timed: &str) -> String {
    shown_in(root(), arguments, timed)
}

/// The same of a command that is run in some folder.
fn shown_in(folder: &Path, arguments: &[&str], timed: &str) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_snapcheck"));
    let output = command.args(arguments).current_dir(folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let timeless = text.lines().filter(|line| !line.contains(timed)).join("\n");
    format!("```text\n$ snapcheck {}\n{}\n```", arguments.join(" "), timeless.trim_end())
}

/// One test for all parts of a document, so that no two write it at once.
#[test]
fn the_readme_is_current() {
    let registry = Registry::bundled();
    let infos = registry.algorithms();
    let instances = bundled::all(&registry.infos()).unwrap();
    generated("README.md", "algorithms", &tables::algorithms(&infos, Look::Markdown));
    generated("README.md", "bugs", &tables::bugs(&registry.bugs(), Look::Markdown));
    generated("README.md", "promises", &tables::promises(&infos, Look::Markdown));
    generated("README.md", "claims", &tables::claims(Look::Markdown));
    generated("README.md", "proofs", &tables::proofs(Look::Markdown));
    generated("README.md", "instances", &tables::instances(&instances, Look::Markdown));
    let variant = std::fs::read_to_string(root().join("examples/my_variant.rs")).unwrap();
    generated("README.md", "my_variant", &format!("```rust\n{}\n```", variant.trim_end()));
    let arguments = ["check", "general-literal/manager-apart", "--claim", "consistent-cut"];
    generated("README.md", "counterexample", &shown(&arguments, " s with "));
    generated("README.md", "assumptions", &shown(&["assumptions"], "no line is timed"));
    let arguments = ["sweep", "--processes", "3", "--algorithms", "chandy-lamport,flink-aligned"];
    generated("README.md", "sweep", &shown(&arguments, " states, in "));
    // The instance is written beside the plan.
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.json");
    std::fs::copy(root().join("tests/plans/join.json"), plan).unwrap();
    let imported = shown_in(folder.path(), &["import", "plan.json"], "Answered in ");
    generated("README.md", "import", &imported);
}

/// Each known bug is in the table, with a claim that its instance expects to fall and a picture.
#[test]
fn the_document_on_flink_is_current() {
    let registry = Registry::bundled();
    let (bugs, instances) = (registry.bugs(), bundled::all(&registry.infos()).unwrap());
    for (bug, _) in &bugs {
        let own = instances.iter().filter(|instance| instance.algorithm.name == bug.name);
        let own = own.exactly_one().unwrap_or_else(|_| panic!("not one instance of {}", bug.name));
        let claim = own.caught_by().unwrap_or_else(|| panic!("{} names no claim", own.name));
        assert_eq!(own.expect.claims[&claim].verdict, Verdict::Violated, "{}", own.name);
        let name = own.name.strip_prefix("flink-bugs/").unwrap();
        assert!(
            root().join(format!("docs/flink-bugs/{name}.svg")).exists(),
            "{name} has no picture"
        );
    }
    generated("docs/flink.md", "bugs", &tables::caught_bugs(&bugs, &instances));
    let pictures = tables::bug_pictures(&bugs, &instances, "flink-bugs");
    generated("docs/flink.md", "pictures", &pictures);
    let sets = ["line(2)", "fan-in(2)", "line(3)"].map(snapshots_with_queues).join("\n\n");
    generated("docs/flink.md", "snapshots", &format!("```text\n{sets}\n```"));
}

/// How many snapshots algorithms take with queues: the command, and the table that it prints.
fn snapshots_with_queues(topology: &str) -> String {
    let algorithms = "chandy-lamport,flink-aligned,flink-unaligned,universal";
    let arguments = ["--messages", "2", "--buffers", "--algorithms", algorithms];
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_snapcheck"))
        .args(["compare", "--topology", topology])
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let from_header = text.lines().skip_while(|line| !line.starts_with(" algorithm"));
    let table = from_header.take_while(|line| !line.is_empty()).join("\n");
    assert_eq!(table.lines().count(), 5, "{text}");
    format!("$ snapcheck compare --topology \"{topology}\" {}\n{table}", arguments.join(" "))
}

/// The example is short enough to be read on the front page.
#[test]
fn the_example_is_short() {
    let text = std::fs::read_to_string(root().join("examples/my_variant.rs")).unwrap();
    assert!(text.lines().count() < 60);
}
