//! An imported job and the answers to what is asked of it, in plain words and as JSON.

mod answers;
mod job;
mod json;

pub use answers::answers;
pub use job::job;
pub use json::json;

use super::text::thousands;

/// How wide text is.
const WIDTH: usize = 100;

/// Lines of text, of which the first begins with `first` and the others with `others`.
fn wrapped(text: &str, first: &str, others: &str) -> String {
    let options = textwrap::Options::new(WIDTH).initial_indent(first).subsequent_indent(others);
    let whole = textwrap::WordSplitter::NoHyphenation;
    textwrap::fill(text, options.break_words(false).word_splitter(whole)) + "\n"
}

fn count(number: usize, what: &str) -> String {
    let ending = match (number, what.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {what}{ending}", thousands(number as u64))
}

fn listed(names: &[&str]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        names => names.join(""),
    }
}
