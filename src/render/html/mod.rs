//! Reports as HTML pages that need nothing beside themselves: no network, no other files.

mod comparison;
mod index;
mod instance;
mod run;

pub use comparison::comparison;
pub use index::{Entry, index};
pub use instance::instance;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::picture;
use crate::verdict::Verdict;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("stepper.js");

/// Whatever a page names, it may load nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// A page; `main` stands below its title.
fn page(title: &str, main: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (title) " · snapcheck" }
                style { (PreEscaped(picture::STYLE)) (PreEscaped(STYLE)) }
            }
            body {
                main { h1 { (title) } (main) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string() + "\n"
}

/// A verdict as a symbol in its colour, with the word for those who do not see it.
fn mark(verdict: Option<Verdict>) -> Markup {
    let (symbol, class, word) = match verdict {
        Some(Verdict::Holds) => ('✓', "holds", "holds"),
        Some(Verdict::Violated) => ('✗', "violated", "violated"),
        Some(Verdict::Inconclusive) => ('?', "inconclusive", "inconclusive"),
        Some(Verdict::NotApplicable) => ('–', "none", "not applicable"),
        None => ('·', "none", "not asked"),
    };
    html! { span class={ "mark " (class) } role="img" aria-label=(word) title=(word) { (symbol) } }
}
