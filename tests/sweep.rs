//! `sweep`: exactly where claims hold on all small setups, which promises are broken, and that a killed
//! sweep goes on where it was.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
    pub(crate) mod scripted;
}

use std::path::Path;
use std::time::Duration;

use itertools::Itertools;
use serde_json::Value;

use snapcheck::check::{self, Status, Traces, check};
use snapcheck::engines::Limits;
use snapcheck::instance::Instance;
use snapcheck::models::algorithms::{ChandyLamport, Marker};
use snapcheck::models::claim::Claim;
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::topology::{Channel, ChannelId, ProcessId};
use snapcheck::registry::Registry;
use snapcheck::render::sweep::{json, text};
use snapcheck::sweep::{
    Among, ClaimReport, Failing, NamedSetup, Options, Promised, Report, Space, sweep,
};
use snapcheck::verdict::Verdict;
use support::command::{run, snapcheck, stdout};
use support::scripted::scripted;

fn options(registry: &Registry, names: &[&str], processes: usize) -> Options {
    let mut algorithms = registry.algorithms();
    algorithms.retain(|info| names.is_empty() || names.contains(&info.name));
    Options {
        algorithms,
        processes,
        self_channels: false,
        messages: 1,
        central: false,
        limits: Limits::default(),
        threads: 2,
    }
}

fn swept(names: &[&str], processes: usize) -> Report {
    let registry = Registry::bundled();
    sweep(&registry, &options(&registry, names, processes), None, &|_| ()).unwrap()
}

fn claim<'r>(report: &'r Report, algorithm: &str, claim: Claim) -> &'r ClaimReport {
    let own = report.algorithms.iter().find(|own| own.algorithm.name == algorithm).unwrap();
    own.claims.iter().find(|found| found.claim == claim).unwrap()
}

/// The class as (among, of, holds, verdict, words).
fn class(report: &ClaimReport) -> (Among, usize, usize, Verdict, String) {
    let class = report.class.as_ref().unwrap();
    let words = class.conditions.iter().map(|condition| condition.words).join(" & ");
    (class.among, class.of, class.holds, class.verdict, words)
}

fn place(report: &Report, failing: Failing) -> String {
    let named = report.space.setup(failing.case);
    format!("{} by {} in {:?}", named.topology, named.initiators().join(" "), failing.steps)
}

/// What must come out on topologies of any size.
fn facts(report: &Report) {
    let found = claim(report, "chandy-lamport", Claim::Terminates);
    let (among, .., verdict, words) = class(found);
    assert_eq!((among, verdict), (Among::All, Verdict::Holds));
    assert_eq!(words, "the initiators reach every process");
    assert!(matches!(found.promised, Promised::Exactly));

    let found = claim(report, "flink-aligned", Claim::EmptyChannelState);
    let (among, of, _, verdict, words) = class(found);
    assert_eq!((among, verdict), (Among::Terminating, Verdict::Holds));
    assert_eq!(words, "no initiator has an input");
    assert_eq!(of, claim(report, "flink-aligned", Claim::Terminates).holds);
    assert!(matches!(found.promised, Promised::ExactlyWhereItTerminates));
    assert_eq!(report.status(), Status::AsExpected);
}

#[test]
fn facts_on_two_processes() {
    let report = swept(&[], 2);
    assert_eq!((report.space.topologies, report.space.setups.len()), (3, 6));
    assert_eq!(report.space.cases().len(), 13 * 6);
    facts(&report);
    let terminates = claim(&report, "chandy-lamport", Claim::Terminates);
    assert_eq!((terminates.holds, terminates.violated), (5, 1));
    assert_eq!(place(&report, terminates.failing.unwrap()), "p0 -> p1 by p1 in Some(3)");
    let exact = claim(&report, "general-literal", Claim::ConsistentCut);
    assert!(matches!(exact.promised, Promised::Nowhere));
    assert!(exact.violated > 0 && exact.failing.is_some());
}

#[test]
fn facts_on_three_processes() {
    let report = swept(&[], 3);
    assert_eq!((report.space.topologies, report.space.setups.len()), (16, 79));
    facts(&report);
    let setups = report.space.setups.iter().map(|named| &named.setup);
    let reach = setups.filter(|setup| setup.initiators_reach_every_process()).count();
    assert_eq!(claim(&report, "chandy-lamport", Claim::Terminates).holds, reach);
    let blocks = claim(&report, "flink-aligned", Claim::NeverBlocks);
    assert_eq!(class(blocks).4, "no process waits between two barriers");
    // Every claim has its class, and one promise is not exact even where the algorithm terminates.
    let mut narrow = Vec::new();
    for own in &report.algorithms {
        for found in &own.claims {
            let place = (own.algorithm.name, found.claim);
            assert!(found.class.is_some(), "{place:?}");
            assert_eq!(found.holds + found.violated, 79, "{place:?}");
            if let Promised::Narrowly { more, vacuous } = found.promised {
                narrow.push((place, more, vacuous));
            }
        }
    }
    // A process alone, without channels, waits for nobody to tell it that the world may go on.
    let cut = (("flink-at-least-once", Claim::ConsistentCut), 17, 14);
    assert_eq!(narrow, [cut, (("stop-the-world", Claim::Terminates), 1, 0)]);
    let cut = claim(&report, "flink-at-least-once", Claim::ConsistentCut);
    assert_eq!(class(cut).4, "no process waits between two barriers");
}

/// A script serves outputs in the order of their targets, which other names would change.
#[test]
fn other_names_give_the_same_verdicts() {
    let registry = Registry::bundled();
    let names = ["flink-aligned", "flink-at-least-once", "universal", "chandy-lamport"];
    let space = Space::of(&options(&registry, &names, 3));
    let check_options = check::Options { traces: Traces::None, ..check::Options::default() };
    let verdicts = |instance: &Instance| {
        let report = check(&registry, instance, &check_options, &|_| ());
        report.claims.iter().map(|found| (found.claim, found.verdict)).collect_vec()
    };
    let mut renamed = 0;
    for case in space.cases() {
        let instance = space.instance(case);
        let topology = &instance.setup.topology;
        if topology.process_count() < 3 || topology.channel_count() > 4 {
            continue;
        }
        let expected = verdicts(&instance);
        for images in (0..3).permutations(3).skip(1) {
            let image = |process: ProcessId| format!("p{}", images[process.index()]);
            let channels = topology.channels().map(|channel| {
                let Channel { source, target } = topology.channel(channel);
                format!("{} -> {}", image(source), image(target))
            });
            // Named first, so that they are numbered by their names.
            let text = ["p0, p1, p2".to_owned()].into_iter().chain(channels).join(", ");
            let initiators = instance.setup.initiators.iter().map(|&p| image(p));
            let initiators = format!("initiators = {:?}", initiators.collect_vec());
            let other = scripted(&registry, instance.algorithm.name, &text, 1, &initiators);
            assert_eq!(verdicts(&other), expected, "{} as {text}", instance.name);
            renamed += 1;
        }
    }
    assert!(renamed > 1000, "{renamed}");
}

/// Which channel of a ring is the back-edge depends on the order of the processes, and with it who begins like a
/// source: a sweep has one of the two. The promise tells them apart.
#[test]
fn other_names_give_other_back_edges() {
    let registry = Registry::bundled();
    let options = check::Options { traces: Traces::None, ..check::Options::default() };
    let exact = |initiator: &str| {
        let more = format!("initiators = [\"{initiator}\"]");
        let ring = scripted(&registry, "flink-aligned-cyclic", "ring(2)", 1, &more);
        let report = check(&registry, &ring, &options, &|_| ());
        let found = report.claims.iter().find(|c| c.claim == Claim::ExactChannelState).unwrap();
        (found.promised, found.verdict)
    };
    assert_eq!(exact("p0"), (true, Verdict::Holds));
    assert_eq!(exact("p1"), (false, Verdict::Violated));
    let space = Space::of(&self::options(&registry, &["flink-aligned-cyclic"], 2));
    let rings = space.setups.iter().filter(|named| named.setup.topology.channel_count() == 2);
    assert_eq!(rings.map(NamedSetup::initiators).collect_vec(), [vec!["p0"], vec!["p0", "p1"]]);
}

#[test]
fn a_coordinator_tells_all_where_all_begin() {
    let registry = Registry::bundled();
    let some = options(&registry, &["general", "chandy-lamport"], 2);
    let report = sweep(&registry, &Options { central: true, ..some }, None, &|_| ()).unwrap();
    let setups = report.algorithms.iter().map(|own| (own.algorithm.name, own.setups)).collect_vec();
    assert_eq!(setups, [("general", 3), ("chandy-lamport", 6)]);
    let real = claim(&report, "general", Claim::CompletionIsReal);
    assert_eq!((real.holds, real.vacuous, real.violated), (3, 0, 0));
    // Without a coordinator the claim says nothing.
    let without = swept(&["general"], 2);
    assert!(without.algorithms[0].claims.iter().all(|c| c.claim != Claim::CompletionIsReal));
}

#[test]
fn what_is_cut_off_never_counts_as_holding() {
    let registry = Registry::bundled();
    let limits = Limits { max_states: Some(30), timeout: None };
    let bounded = Options { limits, ..options(&registry, &["chandy-lamport"], 2) };
    let report = sweep(&registry, &bounded, None, &|_| ()).unwrap();
    assert_eq!(report.status(), Status::Inconclusive);
    let whole = swept(&["chandy-lamport"], 2);
    assert!(!report.cut_off.is_empty() && report.cut_off.len() < 6);
    for found in &report.algorithms[0].claims {
        let all = claim(&whole, "chandy-lamport", found.claim);
        assert_eq!(found.holds + found.violated + found.inconclusive, 6);
        assert!(found.holds <= all.holds && found.violated <= all.violated);
    }
    let cut = claim(&report, "chandy-lamport", Claim::ConsistentCut);
    assert_eq!(cut.inconclusive, report.cut_off.len());
    assert!(
        text(&report).contains("cut off, so inconclusive: chandy-lamport on p0 -> p1, p1 -> p0")
    );
    assert!(text(&report).contains("exact, as far as settled"));
    // Where nothing is settled, nothing is said.
    let limits = Limits { max_states: Some(1), timeout: None };
    let report = sweep(&registry, &Options { limits, ..bounded }, None, &|_| ()).unwrap();
    let open = claim(&report, "chandy-lamport", Claim::ConsistentCut);
    assert!(open.class.is_none() && matches!(open.promised, Promised::Open));
    assert_eq!((open.holds, open.violated, open.inconclusive), (0, 0, 6));
    let output = run(&["sweep", "--processes", "2", "--max-states", "30"]);
    assert_eq!(output.status.code(), Some(3));
}

/// Chandy–Lamport, but the recording of the other inputs is never started.
struct RecordsNoInput;

impl SnapshotAlgorithm for RecordsNoInput {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = AlgorithmInfo { name: "records-no-input", ..ChandyLamport::INFO };

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
        process.close_all_inputs();
    }

    fn on_control(process: &mut Process<'_, Self>, _: ChannelId, Marker: Marker) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

#[test]
fn a_broken_promise_is_reported_with_the_smallest_topology() {
    let registry = Registry::with_variant::<RecordsNoInput>();
    let own = options(&registry, &["records-no-input"], 3);
    let report = sweep(&registry, &own, None, &|_| ()).unwrap();
    assert_eq!(report.status(), Status::Deviates);
    let exact = claim(&report, "records-no-input", Claim::ExactChannelState);
    let Promised::Broken { on, smallest } = exact.promised else { panic!("{exact:?}") };
    assert_eq!(on, exact.violated);
    assert_eq!(place(&report, smallest), "p0 -> p1 by p0 p1 in Some(3)");
    // The other promises are kept, and so is this one where there is nothing to record.
    let kept = claim(&report, "records-no-input", Claim::ConsistentCut);
    assert!(matches!(kept.promised, Promised::Exactly) && kept.violated == 0);
    let text = text(&report);
    assert!(text.contains("records-no-input BREAKS its promise of exact-channel-state"), "{text}");
    assert!(text.contains("--topology \"p0 -> p1\" --initiators p0,p1"), "{text}");
    let json: Value = serde_json::from_str(&json(&report)).unwrap();
    assert_eq!((json["ok"].clone(), json["inconclusive"].clone()), (false.into(), false.into()));
    let claims = json["algorithms"][0]["claims"].as_array().unwrap();
    let exact = claims.iter().find(|found| found["claim"] == "exact-channel-state").unwrap();
    let smallest = &exact["promise"]["broken"]["smallest"];
    assert_eq!(smallest["initiators"], serde_json::json!(["p0", "p1"]));
    assert_eq!(smallest["steps"], 3);
}

/// The instances that a file of results holds, with how often each.
fn instances(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'));
    let lines = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let names = lines.map(|l| format!("{} {} {}", l["algorithm"], l["topology"], l["initiators"]));
    names.sorted().dedup_with_count().collect()
}

#[test]
fn a_torn_file_is_taken_up_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let registry = Registry::bundled();
    let all = options(&registry, &[], 2);
    let first = sweep(&registry, &all, Some(&path), &|_| ()).unwrap();
    assert_eq!(first.resumed, 0);
    let whole = std::fs::read(&path).unwrap();
    let ends = whole.iter().positions(|&byte| byte == b'\n').collect_vec();
    assert_eq!(ends.len(), 1 + 78);
    // Torn within the header, within its end, within a line, before the end of one, and whole.
    for (length, kept) in [
        (5, 0),
        (ends[0], 0),
        (ends[0] + 1, 0),
        (ends[20] + 30, 20),
        (ends[21], 20),
        (ends[78] + 1, 78),
    ] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let again = sweep(&registry, &all, Some(&path), &|_| ()).unwrap();
        assert_eq!(again.resumed, kept, "of {length} bytes");
        assert_eq!(json(&again), json(&first));
        let after = std::fs::read(&path).unwrap();
        let start = ends[kept] + 1;
        assert_eq!(after[..start], whole[..start], "what was written is not touched");
        assert_eq!(instances(&path).len(), 78);
        assert!(instances(&path).iter().all(|(times, _)| *times == 1));
    }
}

#[test]
fn a_killed_sweep_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let file = path.to_str().unwrap();
    let some =
        ["sweep", "--algorithms", "flink-aligned,clock", "--format", "json", "--threads", "2"];
    let with_file = [&some[..], &["--results", file]].concat();
    let mut child = snapcheck(&with_file).stdout(std::process::Stdio::null()).spawn().unwrap();
    let lines = || std::fs::read(&path).map_or(0, |bytes| line_count(&bytes));
    while lines() < 20 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let written = lines();
    let again = run(&with_file);
    assert_eq!(again.status.code(), Some(0));
    assert_eq!(stdout(&again), stdout(&run(&some)));
    assert_eq!(lines(), 1 + 2 * 79, "{written} lines were there");
    assert!(instances(&path).iter().all(|(times, _)| *times == 1));
}

fn line_count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// What `sweep` says of a file of results that it cannot use, and leaves as it is.
fn refused(path: &Path, more: &[&str]) -> String {
    let before = std::fs::read(path).unwrap();
    let arguments = ["sweep", "--processes", "2", "--algorithms", "clock", "--results"];
    let output = run(&[&arguments[..], &[path.to_str().unwrap()], more].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert_eq!(std::fs::read(path).unwrap(), before);
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn another_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let registry = Registry::bundled();
    sweep(&registry, &options(&registry, &["clock"], 2), Some(&path), &|_| ()).unwrap();
    let good = std::fs::read_to_string(&path).unwrap();

    let error = refused(&path, &["--messages", "2", "--max-states", "9"]);
    assert!(error.contains("another sweep, which differs in --messages, --max-states"), "{error}");
    assert!(error.contains("results.jsonl:1:1"), "{error}");

    let (header, lines) = good.split_once('\n').unwrap();
    std::fs::write(&path, format!("{header}\n{{}}\n{lines}")).unwrap();
    let error = refused(&path, &[]);
    assert!(error.contains("this is no result of a sweep") && error.contains(":2:1"), "{error}");

    std::fs::write(&path, good.replace("p0 -> p1", "p0 -> p9")).unwrap();
    let error = refused(&path, &[]);
    assert!(error.contains("this instance is not part of the sweep"), "{error}");

    for foreign in ["my thesis", "my thesis\n", "{\n}\n"] {
        std::fs::write(&path, foreign).unwrap();
        let error = refused(&path, &[]);
        assert!(error.contains("this is no file of results of a sweep"), "{error}");
    }
    std::fs::write(&path, b"\xff\xfe\n").unwrap();
    assert!(refused(&path, &[]).contains("it is no text"));
    let output = run(&["sweep", "--results", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn two_sweeps_do_not_write_to_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    std::fs::write(&path, "").unwrap();
    let held = std::fs::File::open(&path).unwrap();
    held.lock().unwrap();
    assert!(refused(&path, &[]).contains("another sweep is writing to"));
    held.unlock().unwrap();
    let file = path.to_str().unwrap();
    let output = run(&["sweep", "--processes", "1", "--results", file]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn options_out_of_range_are_refused() {
    for arguments in [
        ["--processes", "0"],
        ["--processes", "6"],
        ["--messages", "1001"],
        ["--threads", "0"],
        ["--algorithms", "clok"],
        ["--coordinator", "p0"],
    ] {
        let output = run(&[&["sweep"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}
