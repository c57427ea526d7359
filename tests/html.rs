//! The HTML pages of `check` as files: what is in them, that they are always the same, and that no text
//! breaks out of its place. How they behave, `tests/browser.rs` tells.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use expect_test::expect;
use support::command::{run, stdout};

/// The pages of a check, by name.
fn pages(arguments: &[&str]) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let output =
        run(&[&["check"], arguments, &["--html", folder.path().to_str().unwrap()]].concat());
    assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let index = format!("Pages: {}/index.html\n", folder.path().display());
    assert!(stdout(&output).ends_with(&index));
    read(folder.path())
}

fn read(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    entries.map(|path| (name(&path), std::fs::read_to_string(path).unwrap())).collect()
}

/// What a person reads, a line for each piece.
fn text(page: &str) -> String {
    let (_, body) = page.split_once("<main>").unwrap();
    let (body, _) = body.split_once("<svg").unwrap();
    let pieces = body.split('<').filter_map(|piece| piece.split_once('>'));
    let pieces = pieces.map(|(_, text)| text.trim()).filter(|text| !text.is_empty());
    pieces.flat_map(|piece| [piece, "\n"]).collect()
}

#[test]
fn a_page_says_what_was_checked_and_what_is_wrong() {
    let pages = pages(&["general-literal/manager-apart", "--claim", "consistent-cut"]);
    assert_eq!(
        pages.keys().collect::<Vec<_>>(),
        ["general-literal-manager-apart.html", "index.html"]
    );
    expect![[r#"
        A marker and a later message overtake the start instruction
        All instances
        Instance
        general-literal/manager-apart
        Algorithm
        general-literal
        : record on the start instruction only; an early marker just closes its channel (the general asynchronous snapshot, taken literally)
        Topology
        p -&gt; q
        Application
        script, K = 1
        Snapshot
        a central coordinator tells p, q
        Explored
        60 states, 107 generated, depth 9
        Outcomes
        4 different snapshots, 3 with a consistent cut
        Everything is as the instance expects.
        ✗
        marks what general-literal does not keep here. The runs below show how it comes to that; what it does not promise is no mistake of its own.
        Claims
        claim
        verdict
        expected
        promise
        statement
        ✗
        consistent-cut
        violated
        violated in 6 steps
        not promised
        p and q recorded ⇒ what q had received, p had sent: m ≤ n
        No message is recorded as received that is not recorded as sent: restoring the snapshot delivers no message twice.
        On a channel c from p to q:
        n
        messages were sent before p recorded,
        n'
        before p put its marker on c;
        m
        were received before q recorded,
        m'
        before c's recording began or c's marker was consumed. A message is an
        orphan
        if it was received before q recorded and sent after p did: m &gt; n.
        ✗
        consistent-cut is violated after 6 steps
        The claim: No message is recorded as received that is not recorded as sent: restoring the snapshot delivers no message twice.
        In the end q recorded after receiving message 1 from p→q, which p sent only after it recorded (m = 1 &gt; n = 0).
    "#]].assert_eq(&text(&pages["general-literal-manager-apart.html"]));
}

#[test]
fn the_index_lists_every_instance() {
    let pages = pages(&["flink-aligned"]);
    assert_eq!(pages.len(), 19);
    let index = &pages["index.html"];
    for page in pages.keys().filter(|name| *name != "index.html") {
        assert!(index.contains(&format!("<a href=\"{page}\">")), "{page}");
    }
    assert!(index.contains("18 of 18 instances are as expected"));
    // No coordinator; a bank; a stream in which something fails; one whose sources finish too.
    let not_applicable = 10 + 15 + 4 * 12 + 2;
    assert_eq!(index.matches("aria-label=\"not applicable\"").count(), not_applicable);
}

#[test]
fn pages_are_the_same_every_time() {
    let once = pages(&["general", "clock"]);
    assert_eq!(once.len(), 18);
    assert_eq!(once, pages(&["general", "clock"]));
}

#[test]
fn every_identifier_of_a_page_is_unique_and_every_reference_leads_somewhere() {
    for (name, page) in pages(&["chandy-lamport/fan-in-2"]) {
        let values = |attribute: &str, end: char| -> Vec<String> {
            let parts = page.split(attribute).skip(1);
            parts.map(|rest| rest.split(end).next().unwrap().to_owned()).collect()
        };
        let identifiers = values(" id=\"", '"');
        let unique: BTreeSet<_> = identifiers.iter().collect();
        assert_eq!(unique.len(), identifiers.len(), "{name}");
        for reference in values("url(#", ')').iter().chain(&values("href=\"#", '"')) {
            assert!(unique.contains(reference), "{name}: {reference}");
        }
    }
}

#[test]
fn text_cannot_break_out_of_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a<b>&\"c.toml");
    let hostile = "</title><script>alert(1)</script>";
    let text = format!(
        "title = '{hostile}'\nalgorithm = 'chandy-lamport'\ntopology = 'p -> q'\n\
         [application]\nsteps.p = ['internal \"<img src=x onerror=alert(2)>\"', 'send q']\n"
    );
    std::fs::write(&file, text).unwrap();
    let pages = pages(&[file.to_str().unwrap()]);
    assert_eq!(pages.len(), 2);
    for page in pages.values() {
        assert!(page.contains("&lt;/title&gt;&lt;script&gt;alert(1)"), "{page}");
        assert!(!page.contains("<script>alert") && !page.contains("<img"), "{page}");
        assert_eq!(page.matches("<script").count(), 1);
    }
}

#[test]
fn instances_of_the_same_name_get_pages_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "title = 't'\nalgorithm = 'clock'\ntopology = 'p -> q'\n[application]\nmessages = 1\n";
    std::fs::create_dir(folder.path().join("a")).unwrap();
    for name in ["a/b.toml", "a-b.toml", "index.toml"] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let pages = pages(&[folder.path().to_str().unwrap()]);
    let names: Vec<_> = pages.keys().map(String::as_str).collect();
    assert_eq!(names, ["a-b-2.html", "a-b.html", "index-2.html", "index.html"]);
}

#[test]
fn pages_pictures_and_json_go_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let options = ["--format", "json", "--html", path, "--svg", path];
    let output = run(&[&["check", "clock/two-clocks"], &options[..]].concat());
    assert_eq!(output.status.code(), Some(0));
    let printed = stdout(&output);
    assert_eq!(printed.lines().count(), 1, "{printed}");
    assert!(serde_json::from_str::<serde_json::Value>(&printed).is_ok());
    let files = read(folder.path());
    assert!(files.contains_key("clock-two-clocks.html") && files.contains_key("index.html"));
    assert!(files.contains_key("clock-two-clocks.consistent-cut.svg"));
}

#[test]
fn a_place_that_cannot_be_written_to_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "here").unwrap();
    let file = file.to_str().unwrap();
    let below = format!("{file}/below");
    let compare = ["compare", "--topology", "p -> q"];
    for (command, option, place) in [
        (&["check", "clock/two-clocks"][..], "--html", file),
        (&["check", "clock/two-clocks"], "--svg", &below),
        (&compare, "--html", &below),
        (&compare, "--html", folder.path().to_str().unwrap()),
        (&compare, "--svg", file),
    ] {
        let output = run(&[command, &[option, place]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?} {option} {place}");
        assert_eq!(stdout(&output), "", "it is said before anything is explored");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("nothing can be written here"), "{error}");
        assert!(error.contains(option) && error.contains(place), "{error}");
        assert!(error.contains("name a place that you may write to"), "{error}");
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), "here");
}
