//! Wrong algorithms, each caught by the claim that should catch it, where the right one passes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod scripted;
}

use snapcheck::check::{Options, Traces, check};
use snapcheck::models::algorithms::{
    Barrier, ChandyLamport, FlinkAligned, FlinkAlignedCyclic, General, Marker,
};
use snapcheck::models::claim::Claim;
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::topology::{Channel, ChannelId};
use snapcheck::registry::Registry;
use snapcheck::verdict::Verdict;
use support::scripted::scripted;

/// The mutant `A` of `twin` violates `claim` on a topology where its twin does not.
fn caught<A: SnapshotAlgorithm>(twin: AlgorithmInfo, claim: Claim, topology: &str, more: &str) {
    let registry = Registry::with_variant::<A>();
    let claims = vec![claim];
    let options = Options { traces: Traces::None, claims, ..Options::default() };
    let verdict = |algorithm| {
        let instance = scripted(&registry, algorithm, topology, 2, more);
        let report = check(&registry, &instance, &options, &|_| ());
        report.claims.iter().find(|report| report.claim == claim).unwrap().verdict
    };
    assert_eq!(verdict(twin.name), Verdict::Holds, "{} of {}", claim.name(), twin.name);
    assert_eq!(verdict(A::INFO.name), Verdict::Violated, "{} of {}", claim.name(), A::INFO.name);
}

const fn mutant(twin: AlgorithmInfo, name: &'static str) -> AlgorithmInfo {
    AlgorithmInfo { name, ..twin }
}

/// The rules that the mutants keep; each mutant below changes one.
mod right {
    use super::*;

    pub(super) fn begin<A: SnapshotAlgorithm<Control = Marker>>(process: &mut Process<'_, A>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    pub(super) fn marker<A: SnapshotAlgorithm<Control = Marker>>(
        process: &mut Process<'_, A>,
        channel: ChannelId,
    ) {
        if !process.has_recorded() {
            A::on_initiate(process);
        }
        process.close(channel);
    }

    pub(super) fn message<A: SnapshotAlgorithm>(process: &mut Process<'_, A>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }

    pub(super) fn checkpoint<A: SnapshotAlgorithm<Control = Barrier>>(
        process: &mut Process<'_, A>,
    ) {
        process.record_state();
        process.send_on_all_outputs(&Barrier);
        process.close_all_inputs();
        process.unblock_all_inputs();
    }

    pub(super) fn barrier<A: SnapshotAlgorithm<Control = Barrier>>(
        process: &mut Process<'_, A>,
        channel: ChannelId,
    ) {
        process.close(channel);
        process.block(channel);
        if process.all_inputs_closed() {
            A::on_initiate(process);
        }
    }

    pub(super) fn checkpoint_of_loops<A: SnapshotAlgorithm<Control = Barrier>>(
        process: &mut Process<'_, A>,
    ) {
        process.record_state();
        process.send_on_all_outputs(&Barrier);
        process.regular_inputs().for_each(|input| process.close(input));
        process.unblock_all_inputs();
    }

    pub(super) fn barrier_of_loops<A: SnapshotAlgorithm<Control = Barrier>>(
        process: &mut Process<'_, A>,
        channel: ChannelId,
    ) {
        process.close(channel);
        if !process.has_recorded() {
            process.block(channel);
            if process.regular_inputs().all(|input| process.is_closed(input)) {
                A::on_initiate(process);
            }
        }
    }
}

/// Markers go out in one step, and the record is taken in the next.
struct RecordsLate;

impl SnapshotAlgorithm for RecordsLate {
    type Control = Marker;
    /// Whether the markers are out.
    type State = bool;
    const INFO: AlgorithmInfo = mutant(ChandyLamport::INFO, "records-late");

    fn on_initiate(process: &mut Process<'_, Self>) {
        if *process.memory {
            process.record_state();
        } else {
            process.send_on_all_outputs(&Marker);
            *process.memory = true;
        }
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        if !*process.memory {
            process.send_on_all_outputs(&Marker);
            *process.memory = true;
        }
        process.record_state();
        process.close(channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        right::message(process, channel);
    }
}

#[test]
fn markers_before_the_record_break_the_marker_arithmetic() {
    let both = "initiators = [\"p0\", \"p1\"]";
    caught::<RecordsLate>(ChandyLamport::INFO, Claim::MarkerArithmetic, "complete(2)", both);
    caught::<RecordsLate>(ChandyLamport::INFO, Claim::ExactChannelState, "complete(2)", both);
    caught::<RecordsLate>(ChandyLamport::INFO, Claim::Reachable, "complete(2)", both);
}

/// The recording of the other inputs is never started.
struct RecordsNoInput;

impl SnapshotAlgorithm for RecordsNoInput {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(ChandyLamport::INFO, "records-no-input");

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
fn recording_not_started_breaks_the_channel_state() {
    caught::<RecordsNoInput>(ChandyLamport::INFO, Claim::ExactChannelState, "fan-in(2)", "");
    caught::<RecordsNoInput>(ChandyLamport::INFO, Claim::Reachable, "fan-in(2)", "");
    // What is on its way and not recorded seems to be none: the application seems to have ended.
    caught::<RecordsNoInput>(ChandyLamport::INFO, Claim::StableProperty, "fan-in(2)", "");
}

/// The recording stops one message early: of two in flight, one is kept.
struct StopsEarly;

impl SnapshotAlgorithm for StopsEarly {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(ChandyLamport::INFO, "stops-early");

    fn on_initiate(process: &mut Process<'_, Self>) {
        right::begin(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        right::marker(process, channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.stored(channel) < 1 {
            right::message(process, channel);
        }
    }
}

#[test]
fn recording_stopped_early_breaks_the_channel_state() {
    caught::<StopsEarly>(ChandyLamport::INFO, Claim::ExactChannelState, "complete(2)", "");
}

/// What comes in on p→q is stored as the state of q→p.
struct StoresReversed;

impl SnapshotAlgorithm for StoresReversed {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(ChandyLamport::INFO, "stores-reversed");

    fn on_initiate(process: &mut Process<'_, Self>) {
        right::begin(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        right::marker(process, channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        let Channel { source, target } = process.topology().channel(channel);
        if process.is_recording(channel) {
            let reverse = process.topology().channel_between(target, source).unwrap();
            process.store(reverse);
        }
    }
}

#[test]
fn recording_for_the_reverse_channel_breaks_the_channel_state() {
    caught::<StoresReversed>(ChandyLamport::INFO, Claim::ExactChannelState, "complete(2)", "");
}

/// One output gets no marker.
struct ForgetsAMarker;

impl SnapshotAlgorithm for ForgetsAMarker {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(ChandyLamport::INFO, "forgets-a-marker");

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        for &channel in process.outputs().iter().skip(1) {
            process.send(channel, Marker);
        }
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        right::marker(process, channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        right::message(process, channel);
    }
}

#[test]
fn a_missing_marker_breaks_termination() {
    caught::<ForgetsAMarker>(ChandyLamport::INFO, Claim::Terminates, "star(2)", "");
}

/// "Done" is sent when the state is recorded, channels or not.
struct DoneEarly;

impl SnapshotAlgorithm for DoneEarly {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(General::INFO, "done-early");

    fn on_initiate(process: &mut Process<'_, Self>) {
        right::begin(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        right::marker(process, channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        right::message(process, channel);
    }

    fn is_done(process: &Process<'_, Self>) -> bool {
        process.has_recorded()
    }
}

#[test]
fn done_too_early_makes_completion_unreal() {
    for coordinator in ["coordinator = \"central\"", "coordinator = \"p0\""] {
        caught::<DoneEarly>(General::INFO, Claim::CompletionIsReal, "complete(2)", coordinator);
    }
}

/// Alignment gives up when a message comes on another input.
struct UnblocksEarly;

impl SnapshotAlgorithm for UnblocksEarly {
    type Control = Barrier;
    type State = ();
    const INFO: AlgorithmInfo = mutant(FlinkAligned::INFO, "unblocks-early");

    fn on_initiate(process: &mut Process<'_, Self>) {
        right::checkpoint(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        right::barrier(process, channel);
    }

    fn on_message(process: &mut Process<'_, Self>, _: ChannelId) {
        process.unblock_all_inputs();
    }
}

#[test]
fn unblocking_too_early_breaks_the_cut() {
    caught::<UnblocksEarly>(FlinkAligned::INFO, Claim::ConsistentCut, "fan-in(2)", "");
    caught::<UnblocksEarly>(FlinkAligned::INFO, Claim::EmptyChannelState, "fan-in(2)", "");
}

/// Alignment never ends: a barrier blocks its channel for good.
struct NeverUnblocks;

impl SnapshotAlgorithm for NeverUnblocks {
    type Control = Barrier;
    type State = ();
    const INFO: AlgorithmInfo = mutant(FlinkAligned::INFO, "never-unblocks");

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Barrier);
        process.close_all_inputs();
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        right::barrier(process, channel);
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

#[test]
fn a_channel_left_blocked_leaves_messages_stuck() {
    caught::<NeverUnblocks>(FlinkAligned::INFO, Claim::Terminates, "line(2)", "");
}

/// Nothing of a back-edge is kept.
struct KeepsNoLog;

impl SnapshotAlgorithm for KeepsNoLog {
    type Control = Barrier;
    type State = ();
    const INFO: AlgorithmInfo = mutant(FlinkAlignedCyclic::INFO, "keeps-no-log");
    const KNOWS_BACK_EDGES: bool = true;

    fn on_initiate(process: &mut Process<'_, Self>) {
        right::checkpoint_of_loops(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        right::barrier_of_loops(process, channel);
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

/// An operator waits for the barriers of its back-edges, too.
struct WaitsForBackEdges;

impl SnapshotAlgorithm for WaitsForBackEdges {
    type Control = Barrier;
    type State = ();
    const INFO: AlgorithmInfo = mutant(FlinkAlignedCyclic::INFO, "waits-for-back-edges");

    fn on_initiate(process: &mut Process<'_, Self>) {
        right::checkpoint(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        right::barrier(process, channel);
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

/// A back-edge is read behind a barrier that comes before the record.
struct ReadsBehindBackEdges;

impl SnapshotAlgorithm for ReadsBehindBackEdges {
    type Control = Barrier;
    type State = ();
    const INFO: AlgorithmInfo = mutant(FlinkAlignedCyclic::INFO, "reads-behind-back-edges");
    const KNOWS_BACK_EDGES: bool = true;

    fn on_initiate(process: &mut Process<'_, Self>) {
        right::checkpoint_of_loops(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        right::barrier_of_loops(process, channel);
        process.unblock_all_inputs();
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        right::message(process, channel);
    }
}

#[test]
fn a_loop_needs_its_log_and_is_not_waited_for_and_blocks() {
    let (twin, cycle) = (FlinkAlignedCyclic::INFO, "s -> p, p -> q, q -> p");
    caught::<KeepsNoLog>(twin, Claim::ExactChannelState, cycle, "");
    caught::<KeepsNoLog>(twin, Claim::Reachable, cycle, "");
    caught::<WaitsForBackEdges>(twin, Claim::Terminates, cycle, "");
    let both = "initiators = [\"s\", \"q\"]";
    caught::<ReadsBehindBackEdges>(twin, Claim::ConsistentCut, cycle, both);
}

/// Chandy–Lamport that stops reading from a channel once its marker is in.
struct BlocksAfterMarker;

impl SnapshotAlgorithm for BlocksAfterMarker {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(ChandyLamport::INFO, "blocks-after-marker");

    fn on_initiate(process: &mut Process<'_, Self>) {
        right::begin(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        right::marker(process, channel);
        process.block(channel);
        if process.all_inputs_closed() {
            process.unblock_all_inputs();
        }
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        right::message(process, channel);
    }
}

#[test]
fn needless_blocking_is_noticed() {
    caught::<BlocksAfterMarker>(ChandyLamport::INFO, Claim::NeverBlocks, "fan-in(2)", "");
    caught::<BlocksAfterMarker>(ChandyLamport::INFO, Claim::NonInterference, "fan-in(2)", "");
}
