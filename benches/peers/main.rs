//! The engines beside their peers, on the same state space: Chandy–Lamport on complete(N), K messages.
//!
//! ```sh
//! cargo bench --bench peers                        # complete(3), K = 2; needs spin and gcc
//! cargo bench --bench peers -- --messages 1        # smaller
//! cargo bench --bench peers -- --tlc tla2tools.jar # with TLC as well
//! cargo bench --bench peers -- --readme            # and write the table into the README
//! ```
//!
//! All exhaustive rows must agree on both counts; if not, the run fails. Times are medians of three runs,
//! or of one where a run takes more than a minute. Memory is the peak resident set of the process, as the
//! kernel reports it; of our own engines also what they account for themselves.

mod promela;
mod run;

use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use itertools::Itertools;

use run::{Measured, Peers};
use snapcheck::render::text::thousands;

#[derive(Parser)]
struct Arguments {
    /// Processes.
    #[arg(long, default_value_t = 3)]
    processes: usize,
    /// Messages on each channel.
    #[arg(long, default_value_t = 2)]
    messages: usize,
    /// TLC's jar, to run TLC as well.
    #[arg(long)]
    tlc: Option<PathBuf>,
    /// Leave out the searches of stateright, which take minutes.
    #[arg(long)]
    no_stateright: bool,
    /// Write the table into README.md.
    #[arg(long)]
    readme: bool,
    /// Cargo's own.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A row of the table.
struct Row {
    name: String,
    measured: Measured,
    /// Whether it explores the same states, so that its counts must agree.
    same: bool,
}

fn main() {
    let arguments = Arguments::parse();
    let rows = measure(&arguments);
    let reference = (rows[0].measured.unique, rows[0].measured.generated);
    for row in rows.iter().filter(|row| row.same) {
        let counts = (row.measured.unique, row.measured.generated);
        assert_eq!(counts, reference, "{} counts otherwise than {}", row.name, rows[0].name);
    }
    let table = table(&arguments, &rows);
    println!("{table}");
    if arguments.readme {
        write_readme(&table);
    }
}

fn measure(arguments: &Arguments) -> Vec<Row> {
    let (n, k) = (arguments.processes, arguments.messages);
    let peers = Peers::new(n, k);
    let mut rows = Vec::new();
    let mut row = |name: &str, same: bool, measured: Measured| {
        eprintln!("{name}: {} states in {:.2} s", measured.unique, measured.seconds);
        rows.push(Row { name: name.to_owned(), measured, same });
    };
    let graded = peers.snapcheck("collapse", 1);
    let full = peers.snapcheck("collapse-full", 1);
    let probes = graded.generated;
    let (graded_bytes, full_bytes) = (graded.own_bytes, full.own_bytes);
    row("snapcheck collapse", true, graded);
    row("snapcheck collapse, two threads", true, peers.snapcheck("collapse", 2));
    row("snapcheck collapse-full", true, full);
    row("snapcheck collapse-full, two threads", true, peers.snapcheck("collapse-full", 2));
    for (name, bytes) in [("levels", graded_bytes), ("full set", full_bytes)] {
        let name = format!("nothing but probes, table as large as collapse's {name}");
        row(&name, false, memory_bound(probes, bytes.unwrap_or_default()));
    }
    row("Spin, -O3 -DSAFETY -DNOREDUCE", true, peers.spin(&["-DNOREDUCE"]));
    row("Spin with its partial-order reduction", false, peers.spin(&[]));
    if let Some(jar) = &arguments.tlc {
        row("TLC", true, peers.tlc(jar));
    }
    if !arguments.no_stateright {
        row("stateright BFS, mimalloc", true, peers.snapcheck("bfs", 1));
        row("stateright DFS, mimalloc", true, peers.snapcheck("dfs", 1));
    }
    rows
}

/// Probes whose places are loaded together, as the engine loads them.
const BATCH: u64 = 64;

/// As many probes as there are generated states, of random distinct keys into a table of so many bytes,
/// and nothing else: what the memory alone would allow an engine that looks up every successor. The
/// places of a batch are independent of each other, and all are read before one is written, so that the
/// processor fetches them at the same time. An engine that takes fewer steps than there are may be faster.
fn memory_bound(probes: u64, bytes: u64) -> Measured {
    let slots = usize::try_from(bytes / 8).expect("a table fits in memory").max(1);
    let mut table = vec![0_u64; slots];
    let seconds = (0..3).map(|_| {
        let started = Instant::now();
        for first in (1..=probes).step_by(BATCH as usize) {
            let mut batch = [(0, 0); BATCH as usize];
            for (probe, place) in (first..=probes).zip(&mut batch) {
                // A bijection of the probes: distinct keys in random order.
                let key = probe.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let key = (key ^ (key >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                let slot = ((u128::from(key) * slots as u128) >> 64) as usize;
                *place = (slot, table[slot].max(key));
            }
            for (slot, key) in batch {
                table[slot] = table[slot].max(key);
            }
        }
        started.elapsed().as_secs_f64()
    });
    let seconds = run::median(seconds.collect_vec());
    std::hint::black_box(&table);
    Measured { unique: probes, generated: probes, seconds, resident_bytes: bytes, own_bytes: None }
}

fn table(arguments: &Arguments, rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "",
        "states",
        "seconds",
        "states/s",
        "bytes/state",
        "times stateright BFS",
        "times Spin",
    ]);
    let rate = |row: &Row| row.measured.unique as f64 / row.measured.seconds;
    let rate_of = |prefix: &str| rows.iter().find(|row| row.name.starts_with(prefix)).map(rate);
    let (stateright, spin) = (rate_of("stateright BFS"), rate_of("Spin, "));
    let times = |row: &Row, peer: Option<f64>| match peer {
        Some(peer) if row.same => format!("{:.1}", rate(row) / peer),
        _ => String::new(),
    };
    for row in rows {
        let measured = &row.measured;
        let per_state = |bytes: u64| bytes as f64 / measured.unique as f64;
        let bytes = match measured.own_bytes {
            Some(own) => format!(
                "{:.2} (resident {:.2})",
                per_state(own),
                per_state(measured.resident_bytes)
            ),
            None => format!("{:.1}", per_state(measured.resident_bytes)),
        };
        let probes = row.name.starts_with("nothing but");
        table.add_row([
            row.name.clone(),
            if probes {
                format!("{} probes", thousands(measured.unique))
            } else {
                thousands(measured.unique)
            },
            format!("{:.2}", measured.seconds),
            thousands(rate(row) as u64),
            if probes { String::new() } else { bytes },
            times(row, stateright),
            times(row, spin),
        ]);
    }
    format!(
        "Chandy–Lamport on complete({}), K = {}: {} unique, {} generated states.\n{}\n\n{table}\n",
        arguments.processes,
        arguments.messages,
        thousands(rows[0].measured.unique),
        thousands(rows[0].measured.generated),
        run::machine(),
    )
}

fn write_readme(table: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let text = std::fs::read_to_string(path).expect("the README can be read");
    let (begin, end) = ("<!-- measured: peers -->\n", "<!-- end: peers -->");
    let (before, rest) = text.split_once(begin).expect("the README has a place for the table");
    let (_, after) = rest.split_once(end).expect("the place has an end");
    let text = [before, begin, "\n", table, "\n", end, after].concat();
    std::fs::write(path, text).expect("the README can be written");
}
