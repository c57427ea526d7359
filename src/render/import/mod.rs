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

/// Lines of text, each but the first a little further in.
fn wrapped(text: &str, indent: &str) -> String {
    let further = format!("{indent}  ");
    let options = textwrap::Options::new(WIDTH).initial_indent(indent).subsequent_indent(&further);
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
