//! Known bugs of checkpointing in dataflow systems, each as the protocol with one rule changed, so that what
//! the rule is for can be seen. `docs/flink.md` tells of them.

pub mod aligned;
pub mod unaligned;

use std::marker::PhantomData;

use crate::process::{AlgorithmInfo, Process, SnapshotAlgorithm, Supersedes};
use crate::topology::{ChannelId, Topology};

/// An algorithm with a rule changed; the others are those of [`Self::Of`].
pub trait Mutant: Send + Sync + Sized + 'static {
    /// The algorithm that does it right.
    type Of: SnapshotAlgorithm;

    /// The name used in instance files.
    const NAME: &'static str;
    /// What it does wrong, in one line.
    const SUMMARY: &'static str;
    /// See [`SnapshotAlgorithm::CONFUSES_CHECKPOINTS`].
    const CONFUSES_CHECKPOINTS: bool = false;
    /// See [`SnapshotAlgorithm::PRESUMES_DONE`].
    const PRESUMES_DONE: bool = false;
    /// Whether control messages jump ahead.
    const JUMPS_AHEAD: bool = false;

    /// See [`SnapshotAlgorithm::on_initiate`].
    fn on_initiate(process: &mut Process<'_, Self::Of>) {
        Self::Of::on_initiate(process);
    }

    /// See [`SnapshotAlgorithm::on_control`].
    fn on_control(
        process: &mut Process<'_, Self::Of>,
        channel: ChannelId,
        control: <Self::Of as SnapshotAlgorithm>::Control,
    ) {
        Self::Of::on_control(process, channel, control);
    }

    /// See [`SnapshotAlgorithm::on_message`].
    fn on_message(process: &mut Process<'_, Self::Of>, channel: ChannelId) {
        Self::Of::on_message(process, channel);
    }

    /// See [`SnapshotAlgorithm::on_end`].
    fn on_end(process: &mut Process<'_, Self::Of>, channel: ChannelId) {
        Self::Of::on_end(process, channel);
    }

    /// See [`SnapshotAlgorithm::on_abort`].
    fn on_abort(process: &mut Process<'_, Self::Of>) {
        Self::Of::on_abort(process);
    }

    /// See [`SnapshotAlgorithm::on_late_control`].
    fn on_late_control(process: &mut Process<'_, Self::Of>, channel: ChannelId) {
        Self::Of::on_late_control(process, channel);
    }

    /// See [`SnapshotAlgorithm::restored_to`].
    fn restored_to(topology: &Topology, channel: ChannelId) -> Vec<ChannelId> {
        Self::Of::restored_to(topology, channel)
    }
}

/// A mutant as an algorithm. It promises nothing.
pub struct Bug<M>(PhantomData<fn() -> M>);

impl<M: Mutant> SnapshotAlgorithm for Bug<M> {
    type Control = <M::Of as SnapshotAlgorithm>::Control;
    type State = <M::Of as SnapshotAlgorithm>::State;

    const INFO: AlgorithmInfo =
        AlgorithmInfo { name: M::NAME, summary: M::SUMMARY, promises: &[], ..M::Of::INFO };
    const SUPERSEDES: Supersedes = M::Of::SUPERSEDES;
    const CONFUSES_CHECKPOINTS: bool = M::CONFUSES_CHECKPOINTS;
    const PRESUMES_DONE: bool = M::PRESUMES_DONE;

    fn on_initiate(process: &mut Process<'_, Self>) {
        M::on_initiate(&mut process.under());
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, control: Self::Control) {
        M::on_control(&mut process.under(), channel, control);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        M::on_message(&mut process.under(), channel);
    }

    fn on_arrival(process: &mut Process<'_, Self>, channel: ChannelId) {
        M::Of::on_arrival(&mut process.under(), channel);
    }

    fn jumps_ahead(_: &Process<'_, Self>, _: &Self::Control) -> bool {
        M::JUMPS_AHEAD
    }

    fn on_end(process: &mut Process<'_, Self>, channel: ChannelId) {
        M::on_end(&mut process.under(), channel);
    }

    fn on_abort(process: &mut Process<'_, Self>) {
        M::on_abort(&mut process.under());
    }

    fn on_late_control(process: &mut Process<'_, Self>, channel: ChannelId) {
        M::on_late_control(&mut process.under(), channel);
    }

    fn restored_to(topology: &Topology, channel: ChannelId) -> Vec<ChannelId> {
        M::restored_to(topology, channel)
    }
}
