//! Observers: history that a claim or an oracle needs, beside the state and never inside it.

use crate::models::application::{Application, Data};
use crate::models::host::ProcessHost;
use crate::models::process::SnapshotAlgorithm;

use super::model::{ActorAction, ActorStates};

/// History kept beside the state of the system, present only in runs that ask for it. With `()` as
/// the observer the state space is that of the system alone.
pub trait Observer<A: SnapshotAlgorithm, P: Application>: Data {
    /// The history at the start.
    fn start(host: &ProcessHost<A, P>) -> Self;

    /// Takes note of a step.
    fn observe(
        &mut self,
        host: &ProcessHost<A, P>,
        before: &ActorStates<A, P>,
        action: &ActorAction<A, P>,
        after: &ActorStates<A, P>,
    );
}

impl<A: SnapshotAlgorithm, P: Application> Observer<A, P> for () {
    fn start(_: &ProcessHost<A, P>) -> Self {}

    fn observe(
        &mut self,
        _: &ProcessHost<A, P>,
        _: &ActorStates<A, P>,
        _: &ActorAction<A, P>,
        _: &ActorStates<A, P>,
    ) {
    }
}
