//! An application that is not graded and does not end.

use snapcheck::models::application::{ActionWords, Application, Sends};
use snapcheck::models::topology::{ChannelId, ProcessId};

/// An application without grading, and without an end: a light at every process that is switched on
/// and off.
pub(crate) struct Lights;

impl Application for Lights {
    type State = bool;
    type Message = ();
    type Action = bool;

    fn start(&self, _: ProcessId) -> bool {
        false
    }

    fn enabled(&self, _: ProcessId, state: &bool) -> Vec<bool> {
        vec![!state]
    }

    fn act(&self, _: ProcessId, state: &mut bool, action: &bool, _: &mut Sends<()>) {
        *state = *action;
    }

    fn receive(&self, _: ProcessId, _: &mut bool, _: ChannelId, (): &(), _: &mut Sends<()>) {}

    fn always_ends(&self) -> bool {
        false
    }

    fn describe_state(&self, _: ProcessId, _: &bool) -> String {
        String::new()
    }

    fn describe_message(&self, (): &()) -> String {
        String::new()
    }

    fn describe_action(&self, _: ProcessId, _: &bool) -> ActionWords {
        ActionWords::Internal("switch".to_owned())
    }
}
