//! Names for tasks that can stand in a topology, from what Flink says of them.

/// The longest name; whole words are kept while they fit.
const LONGEST: usize = 24;

/// What runs and topologies call something else.
const TAKEN: [&str; 3] = ["coordinator", "job", "diamond"];

/// A description as it was before Flink made it fit for a page.
pub(super) fn unescaped(description: &str) -> String {
    let text = html_escape::decode_html_entities(description);
    text.replace("<br/>", " ").trim().to_owned()
}

/// A name for each description, no two alike: `Source: orders -> Calc` is called `orders`.
pub(super) fn names(descriptions: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for description in descriptions {
        let short = short(description);
        let numbered = (2..).map(|number| format!("{short}-{number}"));
        let free =
            std::iter::once(short.clone()).chain(numbered).find(|name| !names.contains(name));
        names.extend(free);
    }
    names
}

/// The first operator of a chain, without what kind of end it is, its number and its arguments.
fn short(description: &str) -> String {
    let first = description.split("->").map(str::trim).find(|part| !part.is_empty());
    let mut name = first.unwrap_or_default();
    loop {
        let bare = ["Source:", "Sink:"].iter().find_map(|kind| name.strip_prefix(kind));
        let bare = bare.or_else(|| name.strip_prefix('[')?.split_once("]:").map(|(_, rest)| rest));
        match bare.map(str::trim_start) {
            Some(bare) => name = bare,
            None => break,
        }
    }
    let head = name.split(['(', '[']).next().unwrap_or_default();
    let letters = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let head: String = head.chars().map(letters).collect();
    let mut short = String::new();
    for word in head.split_whitespace() {
        if !short.is_empty() && short.len() + 1 + word.len() > LONGEST {
            break;
        }
        if !short.is_empty() {
            short.push('-');
        }
        short.push_str(word);
    }
    short.truncate(LONGEST);
    if !short.starts_with(|c: char| c.is_ascii_alphabetic()) || TAKEN.contains(&short.as_str()) {
        let separator = if short.is_empty() { "" } else { "-" };
        return format!("task{separator}{short}");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_unlike_each_other() {
        let named = |descriptions: &[&str]| {
            names(&descriptions.iter().map(|&text| unescaped(text)).collect::<Vec<_>>())
        };
        assert_eq!(
            named(&["Source: orders -&gt; Calc", "Window(tumbling) -&gt; Count", "Sink: pages"]),
            ["orders", "window", "pages"],
        );
        assert_eq!(named(&["Map", "Map", "Map"]), ["map", "map-2", "map-3"]);
        assert_eq!(named(&["Source: Map-2", "Map", "Map"]), ["map-2", "map", "map-3"]);
        assert_eq!(
            named(&["[7]:Join(joinType=[InnerJoin])", "Keyed Reduce<br/>+- more"]),
            ["join", "keyed-reduce-more"],
        );
        assert_eq!(
            named(&["", "42", "Coordinator", "Überlauf"]),
            ["task", "task-42", "task-coordinator", "berlauf"]
        );
        assert_eq!(
            named(&["Source: a source with a name that goes on and on"]),
            ["a-source-with-a-name"],
        );
        assert_eq!(named(&["X".repeat(40).as_str()]), ["x".repeat(LONGEST)]);
    }

    #[test]
    fn descriptions_are_unescaped() {
        assert_eq!(unescaped("A -&gt; B &amp; C&#92;d<br/>e"), "A -> B & C\\d e");
    }
}
