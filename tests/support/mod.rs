//! What several tests need: an instance in a line.

use snapcheck::instance::{Instance, file};
use snapcheck::registry::Registry;

/// An instance from a few lines of TOML; title and table headers are added.
pub(crate) fn instance(registry: &Registry, toml: &str) -> Instance {
    let text = format!("title = \"\"\n{toml}");
    let built = file::parse("inline", text, "inline", &registry.infos());
    built.unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// The script application: `messages` on each channel.
pub(crate) fn scripted(
    registry: &Registry,
    algorithm: &str,
    topology: &str,
    messages: u16,
    more: &str,
) -> Instance {
    let toml = format!(
        "algorithm = \"{algorithm}\"\ntopology = \"{topology}\"\n{more}\n\
         [application]\nmessages = {messages}\n"
    );
    instance(registry, &toml)
}
