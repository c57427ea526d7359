//! An algorithm of one's own in one file, with the whole command line for free:
//!
//!     cargo run --release --example my_variant -- check
//!
//! This one is wrong on purpose. It is Chandy–Lamport by somebody who would rather record on the
//! second marker, to be sure that a snapshot is really being taken.

use std::process::ExitCode;

use snapcheck::cli;
use snapcheck::models::algorithms::{ChandyLamport, Marker};
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::topology::ChannelId;
use snapcheck::registry::Registry;

struct SecondMarker;

impl SnapshotAlgorithm for SecondMarker {
    type Control = Marker;
    /// What the process remembers: how many markers have come.
    type State = u8;

    /// The promises of Chandy–Lamport, to see which are kept.
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "second-marker",
        summary: "record by initiative or on the second marker",
        source: "examples/my_variant.rs",
        ..ChandyLamport::INFO
    };

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        *process.memory += 1;
        if *process.memory == 2 && !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.close(channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }
}

fn main() -> ExitCode {
    cli::main(&Registry::with_variant::<SecondMarker>())
}
