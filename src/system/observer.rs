//! Observers: history that a claim or an oracle needs, beside the state and never inside it.

use crate::models::application::{Application, Data};
use crate::models::host::ProcessHost;

use super::model::{ActorAction, ActorStates};

/// History kept beside the state of the system, present only in runs that ask for it. With `()` as
/// the observer the state space is that of the system alone.
pub trait Observer<P: Application>: Data {
    /// The history at the start.
    fn start(host: &ProcessHost<P>) -> Self;

    /// Takes note of a step.
    fn observe(
        &mut self,
        host: &ProcessHost<P>,
        before: &ActorStates<P>,
        action: &ActorAction<P>,
        after: &ActorStates<P>,
    );
}

impl<P: Application> Observer<P> for () {
    fn start(_: &ProcessHost<P>) -> Self {}

    fn observe(
        &mut self,
        _: &ProcessHost<P>,
        _: &ActorStates<P>,
        _: &ActorAction<P>,
        _: &ActorStates<P>,
    ) {
    }
}
