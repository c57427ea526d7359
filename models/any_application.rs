//! An application behind a pointer: a checker is compiled once for all of them.

use std::sync::Arc;

use crate::application::{
    ActionWords, Application, Data, Effects, GlobalState, Record, Sends, Traits,
};
use crate::renaming::{Renamed, Renaming};
use crate::topology::{ChannelId, ProcessId};
use crate::value::Value;

/// Any application.
#[derive(Clone)]
pub struct AnyApplication(Arc<dyn Erased>);

impl AnyApplication {
    /// Hides what kind of application it is.
    #[must_use]
    pub fn new<P: Application>(application: Arc<P>) -> Self {
        Self(application)
    }
}

/// [`Application`] without its types.
trait Erased: Send + Sync {
    fn traits(&self) -> Traits;
    fn start(&self, process: ProcessId) -> Value;
    fn enabled(&self, process: ProcessId, state: &Value) -> Vec<Value>;
    fn act(&self, process: ProcessId, state: &mut Value, action: &Value) -> Sends<Value>;
    fn receive(
        &self,
        process: ProcessId,
        state: &mut Value,
        channel: ChannelId,
        message: &Value,
    ) -> Sends<Value>;
    fn always_ends(&self) -> bool;
    fn may_send(&self, process: ProcessId, state: &Value, channel: ChannelId) -> bool;
    fn is_symmetric(&self, renaming: &Renaming) -> bool;
    fn amount_held(&self, state: &Value) -> u64;
    fn amount_carried(&self, message: &Value) -> u64;
    fn effects(&self, process: ProcessId, state: &Value) -> Effects;
    fn expected_effects(&self, process: ProcessId) -> Effects;
    fn is_sink(&self, process: ProcessId) -> bool;
    fn record_of(&self, message: &Value) -> Option<Record>;
    fn is_deadlocked(&self, global: &GlobalState<Value, Value>) -> bool;
    fn is_terminated(&self, global: &GlobalState<Value, Value>) -> bool;
    fn describe_state(&self, process: ProcessId, state: &Value) -> String;
    fn describe_message(&self, message: &Value) -> String;
    fn describe_action(&self, process: ProcessId, action: &Value) -> ActionWords;
}

/// What a step sent, its types hidden.
fn hidden<M: Data + Renamed>(sends: Sends<M>) -> Sends<Value> {
    sends.into_iter().map(|(channel, message)| (channel, Value::new(message))).collect()
}

/// A global state with its types.
fn shown<S: Data, M: Data>(global: &GlobalState<Value, Value>) -> GlobalState<S, M> {
    let channel = |channel: &Vec<Value>| channel.iter().map(|m| m.get::<M>().clone()).collect();
    GlobalState {
        processes: global.processes.iter().map(|state| state.get::<S>().clone()).collect(),
        channels: global.channels.iter().map(channel).collect(),
    }
}

impl<P: Application> Erased for P {
    fn traits(&self) -> Traits {
        Application::traits(self)
    }

    fn start(&self, process: ProcessId) -> Value {
        Value::new(Application::start(self, process))
    }

    fn enabled(&self, process: ProcessId, state: &Value) -> Vec<Value> {
        let enabled = Application::enabled(self, process, state.get());
        enabled.into_iter().map(Value::new).collect()
    }

    fn act(&self, process: ProcessId, state: &mut Value, action: &Value) -> Sends<Value> {
        let mut sends = Vec::new();
        state.change(|state| Application::act(self, process, state, action.get(), &mut sends));
        hidden(sends)
    }

    fn receive(
        &self,
        process: ProcessId,
        state: &mut Value,
        channel: ChannelId,
        message: &Value,
    ) -> Sends<Value> {
        let mut sends = Vec::new();
        state.change(|state| {
            Application::receive(self, process, state, channel, message.get(), &mut sends);
        });
        hidden(sends)
    }

    fn always_ends(&self) -> bool {
        Application::always_ends(self)
    }

    fn may_send(&self, process: ProcessId, state: &Value, channel: ChannelId) -> bool {
        Application::may_send(self, process, state.get(), channel)
    }

    fn is_symmetric(&self, renaming: &Renaming) -> bool {
        Application::is_symmetric(self, renaming)
    }

    fn amount_held(&self, state: &Value) -> u64 {
        Application::amount_held(self, state.get())
    }

    fn amount_carried(&self, message: &Value) -> u64 {
        Application::amount_carried(self, message.get())
    }

    fn effects(&self, process: ProcessId, state: &Value) -> Effects {
        Application::effects(self, process, state.get())
    }

    fn expected_effects(&self, process: ProcessId) -> Effects {
        Application::expected_effects(self, process)
    }

    fn is_sink(&self, process: ProcessId) -> bool {
        Application::is_sink(self, process)
    }

    fn record_of(&self, message: &Value) -> Option<Record> {
        Application::record_of(self, message.get())
    }

    fn is_deadlocked(&self, global: &GlobalState<Value, Value>) -> bool {
        Application::is_deadlocked(self, &shown(global))
    }

    fn is_terminated(&self, global: &GlobalState<Value, Value>) -> bool {
        Application::is_terminated(self, &shown(global))
    }

    fn describe_state(&self, process: ProcessId, state: &Value) -> String {
        Application::describe_state(self, process, state.get())
    }

    fn describe_message(&self, message: &Value) -> String {
        Application::describe_message(self, message.get())
    }

    fn describe_action(&self, process: ProcessId, action: &Value) -> ActionWords {
        Application::describe_action(self, process, action.get())
    }
}

impl Application for AnyApplication {
    type State = Value;
    type Message = Value;
    type Action = Value;

    fn traits(&self) -> Traits {
        self.0.traits()
    }

    fn start(&self, process: ProcessId) -> Value {
        self.0.start(process)
    }

    fn enabled(&self, process: ProcessId, state: &Value) -> Vec<Value> {
        self.0.enabled(process, state)
    }

    fn act(&self, process: ProcessId, state: &mut Value, action: &Value, sends: &mut Sends<Value>) {
        sends.extend(self.0.act(process, state, action));
    }

    fn receive(
        &self,
        process: ProcessId,
        state: &mut Value,
        channel: ChannelId,
        message: &Value,
        sends: &mut Sends<Value>,
    ) {
        sends.extend(self.0.receive(process, state, channel, message));
    }

    fn always_ends(&self) -> bool {
        self.0.always_ends()
    }

    fn may_send(&self, process: ProcessId, state: &Value, channel: ChannelId) -> bool {
        self.0.may_send(process, state, channel)
    }

    fn is_symmetric(&self, renaming: &Renaming) -> bool {
        self.0.is_symmetric(renaming)
    }

    fn amount_held(&self, state: &Value) -> u64 {
        self.0.amount_held(state)
    }

    fn amount_carried(&self, message: &Value) -> u64 {
        self.0.amount_carried(message)
    }

    fn effects(&self, process: ProcessId, state: &Value) -> Effects {
        self.0.effects(process, state)
    }

    fn expected_effects(&self, process: ProcessId) -> Effects {
        self.0.expected_effects(process)
    }

    fn is_sink(&self, process: ProcessId) -> bool {
        self.0.is_sink(process)
    }

    fn record_of(&self, message: &Value) -> Option<Record> {
        self.0.record_of(message)
    }

    fn is_deadlocked(&self, global: &GlobalState<Value, Value>) -> bool {
        self.0.is_deadlocked(global)
    }

    fn is_terminated(&self, global: &GlobalState<Value, Value>) -> bool {
        self.0.is_terminated(global)
    }

    fn describe_state(&self, process: ProcessId, state: &Value) -> String {
        self.0.describe_state(process, state)
    }

    fn describe_message(&self, message: &Value) -> String {
        self.0.describe_message(message)
    }

    fn describe_action(&self, process: ProcessId, action: &Value) -> ActionWords {
        self.0.describe_action(process, action)
    }
}
