//! Running each peer as a process of its own, and reading its counts, time and memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use itertools::Itertools;

use crate::promela;

/// What one peer took.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) unique: u64,
    pub(crate) generated: u64,
    pub(crate) seconds: f64,
    /// Peak resident set of the process.
    pub(crate) resident_bytes: u64,
    /// What the engine accounts for itself.
    pub(crate) own_bytes: Option<u64>,
}

/// The middle one; the later of two.
pub(crate) fn median(values: Vec<f64>) -> f64 {
    let sorted = values.into_iter().sorted_by(f64::total_cmp).collect_vec();
    sorted[sorted.len() / 2]
}

/// Runs longer than this are not repeated.
const LONG: f64 = 60.0;

fn repeated(run: impl Fn() -> Measured) -> Measured {
    let first = run();
    if first.seconds > LONG {
        return first;
    }
    let others = [run(), run()];
    let seconds = others.iter().chain([&first]).map(|m| m.seconds).collect();
    Measured { seconds: median(seconds), ..first }
}

/// The peers on one instance.
pub(crate) struct Peers {
    processes: usize,
    messages: usize,
    folder: PathBuf,
}

impl Peers {
    pub(crate) fn new(processes: usize, messages: usize) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
        fs::create_dir_all(&folder).expect("the target folder can be written");
        Self { processes, messages, folder }
    }

    /// One of our own engines, claims on.
    pub(crate) fn snapcheck(&self, engine: &str, threads: usize) -> Measured {
        repeated(|| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_snapcheck"));
            command.args(["check", "--format", "json", "--algorithm", "chandy-lamport"]);
            command.args(["--topology", &format!("complete({})", self.processes)]);
            command.args(["--messages", &self.messages.to_string(), "--initiators", "p0"]);
            command.args(["--engine", engine, "--threads", &threads.to_string()]);
            let (output, resident_bytes, _) = finished(command);
            let report: serde_json::Value =
                serde_json::from_str(&output).expect("check prints JSON");
            let states = &report["states"];
            let number = |value: &serde_json::Value| value.as_u64().expect("a count");
            Measured {
                unique: number(&states["unique"]),
                generated: number(&states["generated"]),
                // The search alone; traces are looked for afterwards.
                seconds: number(&states["unique"]) as f64
                    / states["per_second"].as_f64().expect("a rate"),
                resident_bytes,
                own_bytes: report["memory"]["peak_bytes"].as_u64(),
            }
        })
    }

    /// Spin's verifier, compiled with further options.
    pub(crate) fn spin(&self, options: &[&str]) -> Measured {
        let text = promela::chandy_lamport(self.processes, self.messages);
        fs::write(self.folder.join("peer.pml"), text).expect("the target folder can be written");
        let tool = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command.args(arguments).current_dir(&self.folder);
            let status = command.stdout(Stdio::null()).status();
            let status = status.unwrap_or_else(|error| panic!("{program} is needed: {error}"));
            assert!(status.success(), "{program} failed");
        };
        tool("spin", &["-a", "peer.pml"]);
        let mut compile = vec!["-O3", "-DSAFETY", "-DMEMLIM=20000", "-w", "-o", "pan", "pan.c"];
        compile.extend(options);
        tool("gcc", &compile);
        repeated(|| {
            let mut command = Command::new(self.folder.join("pan"));
            // A hash table of 2^26 slots suits tens of millions of states.
            command.args(["-m1000000", "-w26"]).current_dir(&self.folder);
            let (output, resident_bytes, elapsed) = finished(command);
            assert!(output.contains("errors: 0"), "{output}");
            let unique = number_before(&output, "states, stored");
            let generated = number_before(&output, "transitions (= stored+matched)");
            let seconds = elapsed.as_secs_f64();
            Measured { unique, generated, seconds, resident_bytes, own_bytes: None }
        })
    }

    /// TLC from its jar.
    pub(crate) fn tlc(&self, jar: &Path) -> Measured {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/ChandyLamport.tla");
        fs::copy(source, self.folder.join("ChandyLamport.tla"))
            .expect("the specification is there");
        let config = format!(
            "SPECIFICATION Spec\nINVARIANT ExactSnapshot\nCONSTANTS\n  N = {}\n  K = {}\n",
            self.processes, self.messages
        );
        fs::write(self.folder.join("ChandyLamport.cfg"), config)
            .expect("the target folder can be written");
        let mut command = Command::new("java");
        command.arg("-cp").arg(jar).args(["tlc2.TLC", "-deadlock", "-workers", "1"]);
        command.arg("ChandyLamport").current_dir(&self.folder);
        let (output, resident_bytes, elapsed) = finished(command);
        let unique = number_before(&output, "distinct states found, 0 states left");
        let generated = number_before(&output, "states generated");
        let seconds = elapsed.as_secs_f64();
        Measured { unique, generated, seconds, resident_bytes, own_bytes: None }
    }
}

/// The last number that stands before these words.
fn number_before(output: &str, words: &str) -> u64 {
    let before = output.rfind(words).map(|end| output[..end].trim_end());
    let number = before.and_then(|text| text.rsplit(|c: char| c.is_whitespace()).next());
    let number = number.map(|number| number.replace(',', ""));
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no {words}: {output}"))
}

/// Runs a command to its end: what it printed, its peak resident set in bytes, and its time.
fn finished(mut command: Command) -> (String, u64, Duration) {
    let started = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the peer is installed");
    let stdout = child.stdout.take().expect("it is piped");
    let reader = std::thread::spawn(|| std::io::read_to_string(stdout));
    let mut peak = 0;
    while child.try_wait().expect("the child can be waited for").is_none() {
        peak = peak.max(resident(&child).unwrap_or_default());
        std::thread::sleep(Duration::from_millis(5));
    }
    let elapsed = started.elapsed();
    let output = reader.join().expect("the reader does not panic").expect("output is text");
    (output, peak, elapsed)
}

/// The highest resident set so far, in bytes.
fn resident(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// The machine, the day and the versions, in a line.
pub(crate) fn machine() -> String {
    let first_line = |program: &str, argument: &str| {
        let output = Command::new(program).arg(argument).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        text.lines().next().map(ToOwned::to_owned)
    };
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    [
        cpu.map(|cpu| format!("{cpu}, {cores} cores")),
        first_line("date", "+%F"),
        first_line("rustc", "--version"),
        Some("stateright 0.31.0".to_owned()),
        first_line("spin", "-V"),
        first_line("gcc", "--version"),
    ]
    .into_iter()
    .flatten()
    .join("; ")
}
