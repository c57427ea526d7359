//! A run that can be stepped through: its picture, its steps in words, and the state after each.

use maud::{Markup, PreEscaped, html};

use crate::claims::newest;
use crate::explored::Shown;
use crate::models::topology::Topology;
use crate::picture::{Setting, SpaceTime, svg};
use crate::system::{ChannelWords, ProcessWords, StateWords};

/// The run; `name` is its own on the page, `caption` says what the picture shows.
pub(super) fn run(name: &str, caption: &str, shown: &Shown, topology: &Topology) -> Markup {
    let picture = SpaceTime::of(&shown.trace, newest(&shown.trace.last), topology);
    let picture = svg::draw(&picture, caption, Setting::Page(name));
    let steps = shown.trace.steps.len();
    html! {
        div.run id=(name) tabindex="0" role="group" aria-label=(format!("{caption}, step by step"))
            data-steps=(steps) {
            figure { (PreEscaped(picture)) }
            div.controls {
                button type="button" data-go="first" title="Home" { "⇤ Start" }
                button type="button" data-go="back" title="Left arrow" { "← Back" }
                output aria-live="polite" { "All " (steps) " steps" }
                button type="button" data-go="next" title="Right arrow" { "Next →" }
                button type="button" data-go="last" title="End" { "End ⇥" }
                span.hint { "Arrow keys, Home and End step too; so does a click on a step." }
            }
            div.beside {
                ol {
                    @for step in &shown.trace.steps {
                        li data-step=(step.step) { (step) }
                    }
                }
                div {
                    @for (step, state) in shown.states.iter().enumerate() {
                        div data-state=(step) hidden[step != steps] {
                            (table(step, state, step.checked_sub(1).map(|s| &shown.states[s])))
                        }
                    }
                }
            }
        }
    }
}

/// A state; what `before` had otherwise is brought out.
fn table(step: usize, state: &StateWords, before: Option<&StateWords>) -> Markup {
    let changed = |index: usize, process: &ProcessWords| {
        before.is_some_and(|before| before.processes[index] != *process)
    };
    let channel_changed = |index: usize, channel: &ChannelWords| {
        before.is_some_and(|before| before.channels[index] != *channel)
    };
    html! {
        table {
            caption { @if step == 0 { "At the start" } @else { "After step " (step) } }
            thead { tr { th { "process" } th { "state now" } th { "recorded state" } } }
            tbody {
                @for (index, process) in state.processes.iter().enumerate() {
                    tr.changed[changed(index, process)] {
                        th scope="row" { (process.name) }
                        td { (process.now) }
                        td { (recorded(process)) }
                    }
                }
                @if let Some(coordinator) = &state.coordinator {
                    tr.changed[before.is_some_and(|before| before.coordinator != state.coordinator)] {
                        th scope="row" { "coordinator" }
                        td colspan="2" {
                            "“done” from: " (or_nobody(&coordinator.done))
                            @if coordinator.declared { "; declared the snapshot complete" }
                        }
                    }
                }
            }
            thead { tr { th { "channel" } th { "in flight" } th { "recording" } } }
            tbody {
                @for (index, channel) in state.channels.iter().enumerate() {
                    tr.changed[channel_changed(index, channel)] {
                        th scope="row" { (channel.name) }
                        td {
                            (or_dash(&channel.in_flight))
                            @if channel.blocked { " " strong { "BLOCKED" } }
                        }
                        td { (recording(channel)) }
                    }
                }
            }
        }
    }
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "–" } else { text }
}

fn or_nobody(text: &str) -> &str {
    if text.is_empty() { "nobody" } else { text }
}

fn recorded(process: &ProcessWords) -> &str {
    match &process.recorded {
        Some(recorded) => recorded,
        None if process.may_begin => "– (may begin)",
        None => "–",
    }
}

fn recording(channel: &ChannelWords) -> String {
    match &channel.recording {
        None => "–".to_owned(),
        Some(recording) => {
            let so_far = if recording.closed { "closed" } else { "open" };
            format!("[{}] {so_far}", recording.messages)
        }
    }
}
