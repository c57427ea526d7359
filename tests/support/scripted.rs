//! An instance in a line.

use snapcheck::instance::{Instance, file};
use snapcheck::registry::Registry;

/// An algorithm on a topology with so many messages per channel; `more` is further TOML.
pub(crate) fn scripted(
    registry: &Registry,
    algorithm: &str,
    topology: &str,
    messages: u16,
    more: &str,
) -> Instance {
    let text = format!(
        "title = \"\"\nalgorithm = \"{algorithm}\"\ntopology = \"{topology}\"\n{more}\n\
         [application]\nmessages = {messages}\n"
    );
    let built = file::parse("inline", text, "inline", &registry.infos());
    built.unwrap_or_else(|error| panic!("{}", error.render(false)))
}
