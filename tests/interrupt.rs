//! Ctrl-C: what is known is told, with exit code 3; a second one ends the program at once.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use snapcheck::render::text::thousands;
use support::command::{run, snapcheck};

/// So large that no search of it comes to an end in a day.
const ENDLESS: [&str; 6] =
    ["--algorithm", "chandy-lamport", "--topology", "complete(5)", "--messages", "9"];

/// A command, and its end if the test fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(arguments: &[&str]) -> Running {
    Running(snapcheck(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

impl Running {
    fn press_ctrl_c(&self) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    }

    /// Waits until Ctrl-C is listened to: the signal, number 2, is among those caught.
    fn wait_until_it_listens(&self) {
        let status = format!("/proc/{}/status", self.0.id());
        wait_until(|| {
            let status = std::fs::read_to_string(&status).unwrap();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
            u64::from_str_radix(caught.trim(), 16).unwrap() & 0b10 != 0
        });
    }

    /// The exit code, and what it printed that was not read before.
    fn end(mut self) -> (Option<i32>, String) {
        let mut told = String::new();
        if let Some(mut output) = self.0.stdout.take() {
            output.read_to_string(&mut told).unwrap();
        }
        (self.0.wait().unwrap().code(), told)
    }
}

fn wait_until(condition: impl Fn() -> bool) {
    while !condition() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn interrupted(arguments: &[&str]) -> (Option<i32>, String) {
    let running = start(arguments);
    running.wait_until_it_listens();
    running.press_ctrl_c();
    running.end()
}

#[test]
fn every_engine_stops_and_tells_what_it_knows() {
    for engine in ["collapse", "collapse-full", "bfs", "dfs"] {
        for threads in ["1", "2"] {
            let options = ["--engine", engine, "--threads", threads];
            let (code, told) = interrupted(&[&["check"], &ENDLESS[..], &options].concat());
            assert_eq!(code, Some(3), "{engine}, {threads}: {told}");
            assert!(told.contains("; INTERRUPTED"), "{told}");
            assert!(told.contains("?  consistent-cut "), "{told}");
            assert!(told.contains("Inconclusive: interrupted before all was settled."), "{told}");
        }
    }
}

#[test]
fn a_simulation_stops_and_tells_what_it_knows() {
    let runs = ["--simulate", "1000000000"];
    let (code, told) = interrupted(&[&["check"], &ENDLESS[..], &runs].concat());
    assert_eq!(code, Some(3));
    assert!(told.contains(" of 1,000,000,000, INTERRUPTED, from seed 0"), "{told}");
}

#[test]
fn a_list_stops_after_the_instance_that_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        let topology = if name == "a" { "p -> q" } else { "complete(5)" };
        let text = format!(
            "title = \"\"\nalgorithm = \"chandy-lamport\"\ntopology = \"{topology}\"\n\
             [application]\nmessages = 9\n"
        );
        std::fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    }
    let folder = folder.path().to_str().unwrap();
    // The first instance is told before the second, which does not end, begins.
    let first_line = |arguments: &[&str], first: &str| {
        let mut running = start(arguments);
        let mut output = BufReader::new(running.0.stdout.take().unwrap());
        let mut line = String::new();
        while !line.starts_with(first) {
            line.clear();
            assert_ne!(output.read_line(&mut line).unwrap(), 0);
        }
        // Between two instances it would stop before the second.
        std::thread::sleep(Duration::from_millis(300));
        running.press_ctrl_c();
        let mut told = String::new();
        output.read_to_string(&mut told).unwrap();
        assert_eq!(running.end().0, Some(3), "{told}");
        told
    };
    let told = first_line(&["check", folder], "ok ");
    assert!(told.starts_with("??   b "), "{told}");
    assert!(told.contains("1 of 2 instances are inconclusive"), "{told}");
    assert!(told.contains("; 1 not checked: INTERRUPTED"), "{told}");

    let told = first_line(&["check", folder, "--format", "json"], "{\"instance\":\"a\"");
    let second: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(second["instance"], "b");
    assert_eq!((&second["interrupted"], &second["complete"]), (&true.into(), &false.into()));
}

#[test]
fn a_comparison_tells_of_those_that_are_done() {
    let rest = &ENDLESS[2..];
    let algorithms = ["--algorithms", "chandy-lamport,general"];
    let (code, told) = interrupted(&[&["compare"][..], &algorithms, rest].concat());
    assert_eq!(code, Some(3));
    assert!(told.contains("INTERRUPTED: what is left out or marked ? is open."), "{told}");
}

/// An interrupted sweep keeps only what is settled, and goes on from it.
#[test]
fn a_sweep_goes_on_from_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results.jsonl");
    let results = results.to_str().unwrap();
    let lines = || {
        let text = std::fs::read_to_string(Path::new(results)).unwrap_or_default();
        text.lines().skip(1).map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    let sweep = ["sweep", "--processes", "4", "--results", results];
    let one = ["--algorithms", "chandy-lamport"];
    let running = start(&[&sweep[..], &one].concat());
    wait_until(|| lines().len() >= 5);
    running.press_ctrl_c();
    let (code, told) = running.end();
    assert_eq!(code, Some(3), "{told}");
    let kept = lines();
    let unjudged = thousands(2_698 - kept.len() as u64);
    let unjudged = format!("INTERRUPTED: {unjudged} instances are not judged");
    assert!(told.contains(&unjudged), "{told}");
    assert!(kept.iter().all(|line| !line.contains("inconclusive")), "{kept:?}");
    let again = run(&[&sweep[..], &one, &["--max-states", "1"]].concat());
    assert_eq!(again.status.code(), Some(2), "other limits make another sweep");

    let running = start(&[&sweep[..], &one].concat());
    wait_until(|| lines().len() > kept.len());
    running.press_ctrl_c();
    let (_, told) = running.end();
    let before = format!("{} of them judged before", thousands(kept.len() as u64));
    assert!(told.contains(&before), "{told}");
    assert_eq!(lines()[..kept.len()], kept);
}

/// A command that waits for its input does not hear the first Ctrl-C.
#[test]
fn a_second_ctrl_c_ends_the_program_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("never-written.toml");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let mut running = start(&["check", path.to_str().unwrap()]);
    running.wait_until_it_listens();
    let mut code = None;
    while code.is_none() {
        // Two at the same time may come as one.
        running.press_ctrl_c();
        std::thread::sleep(Duration::from_millis(20));
        code = running.0.try_wait().unwrap();
    }
    assert_eq!(code.unwrap().code(), Some(130));
}
