//! Progress on a terminal for searches that take longer than a second.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::engines::Progress;
use crate::render::text::thousands;

const QUIET: Duration = Duration::from_secs(1);

/// A line that is redrawn while a search runs, and gone when it ends.
pub(super) struct Line {
    bar: ProgressBar,
}

impl Line {
    /// A line for the instance called `name`; invisible unless a person watches both streams.
    pub(super) fn new(name: &str) -> Self {
        let watched = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        let target =
            if watched { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {prefix}: {msg}");
        bar.set_style(style.expect("the template is valid"));
        bar.set_prefix(name.to_owned());
        Self { bar }
    }

    /// Shows what is being done.
    pub(super) fn say(&self, what: &str) {
        self.bar.set_message(what.to_owned());
        self.bar.tick();
    }

    /// Shows how far the search is.
    pub(super) fn show(&self, progress: Progress) {
        if progress.elapsed < QUIET {
            return;
        }
        let rate = progress.judged as f64 / progress.elapsed.as_secs_f64();
        self.bar.set_message(format!(
            "{} states, {} per second, depth {}, {} s",
            thousands(progress.judged),
            thousands(rate as u64),
            progress.depth,
            progress.elapsed.as_secs(),
        ));
        self.bar.tick();
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
