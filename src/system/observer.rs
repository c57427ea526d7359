//! Observers: history that a claim or an oracle needs, beside the state and never inside it.

use crate::models::application::{Application, Data};
use crate::models::host::ProcessHost;
use crate::models::process::Signature;

use super::model::{ActorAction, ActorStates};

/// History kept beside the state of the system, present only in runs that ask for it. With `()` as
/// the observer the state space is that of the system alone.
pub trait Observer<G: Signature, P: Application>: Data {
    /// The history at the start.
    fn start(host: &ProcessHost<G, P>) -> Self;

    /// Takes note of a step.
    fn observe(
        &mut self,
        host: &ProcessHost<G, P>,
        before: &ActorStates<G, P>,
        action: &ActorAction<G, P>,
        after: &ActorStates<G, P>,
    );
}

impl<G: Signature, P: Application> Observer<G, P> for () {
    fn start(_: &ProcessHost<G, P>) -> Self {}

    fn observe(
        &mut self,
        _: &ProcessHost<G, P>,
        _: &ActorStates<G, P>,
        _: &ActorAction<G, P>,
        _: &ActorStates<G, P>,
    ) {
    }
}
