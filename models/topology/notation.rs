//! The notation for topologies: `complete(3)`, `p -> q, q -> p`, `s0 -> op, s1 -> op`, or a mixture
//! such as `complete(3), p0 -> p0`. Processes are numbered in order of their first appearance.

use std::collections::BTreeSet;
use std::ops::Range;

use itertools::Itertools;

use super::{MAX_PROCESSES, Shape, Topology};

/// Why a notation is no topology.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// Where in the text, in bytes.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

impl std::fmt::Display for NotationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.message, self.remedy)
    }
}

impl std::error::Error for NotationError {}

/// A part of the notation that remembers where it stands.
#[derive(Clone, Copy)]
struct Part<'t> {
    text: &'t str,
    start: usize,
}

impl<'t> Part<'t> {
    fn split(self, separator: &'t str) -> impl Iterator<Item = Self> {
        self.text.split(separator).scan(self.start, move |position, text| {
            let part = Part { text, start: *position };
            *position += text.len() + separator.len();
            Some(part)
        })
    }

    fn trim(self) -> Self {
        let start = self.start + (self.text.len() - self.text.trim_start().len());
        Part { text: self.text.trim(), start }
    }

    fn error(self, message: impl Into<String>, remedy: impl Into<String>) -> NotationError {
        NotationError {
            span: self.start..self.start + self.text.len().max(1),
            message: message.into(),
            remedy: remedy.into(),
        }
    }
}

#[derive(Default)]
struct Builder {
    names: Vec<String>,
    edges: BTreeSet<(usize, usize)>,
}

impl Builder {
    fn process(&mut self, part: Part<'_>, name: &str) -> Result<usize, NotationError> {
        if let Some(index) = self.names.iter().position(|n| n == name) {
            return Ok(index);
        }
        if self.names.len() == MAX_PROCESSES {
            return Err(too_large(part));
        }
        self.names.push(name.to_owned());
        Ok(self.names.len() - 1)
    }

    fn edge(&mut self, part: Part<'_>, source: usize, target: usize) -> Result<(), NotationError> {
        if self.edges.insert((source, target)) {
            return Ok(());
        }
        Err(part.error(
            format!("duplicate channel {}→{}", self.names[source], self.names[target]),
            "name each channel once: at most one per ordered pair of processes",
        ))
    }

    fn shape(&mut self, part: Part<'_>, shape: Shape) -> Result<(), NotationError> {
        if !shape.has_legal_size() {
            return Err(too_large(part));
        }
        let indices: Vec<_> = (0..shape.process_count())
            .map(|i| self.process(part, &format!("p{i}")))
            .try_collect()?;
        for (source, target) in shape.edges() {
            self.edge(part, indices[source], indices[target])?;
        }
        Ok(())
    }

    fn chain(&mut self, part: Part<'_>) -> Result<(), NotationError> {
        let mut previous = None;
        for link in part.split("->").map(Part::trim) {
            if !is_name(link.text) {
                return Err(bad_name(link));
            }
            let process = self.process(link, link.text)?;
            if let Some(previous) = previous {
                self.edge(part, previous, process)?;
            }
            previous = Some(process);
        }
        Ok(())
    }
}

pub(super) fn parse(text: &str) -> Result<Topology, NotationError> {
    let whole = Part { text, start: 0 };
    if text.trim().is_empty() {
        return Err(whole.error(
            "empty topology",
            "give at least one process, for example \"p -> q\" or \"complete(2)\"",
        ));
    }
    let mut builder = Builder::default();
    for item in whole.split(",").map(Part::trim) {
        match shape_of(item)? {
            Some(shape) => builder.shape(item, shape)?,
            None => builder.chain(item)?,
        }
    }
    Ok(Topology::from_parts(builder.names, &builder.edges))
}

fn shape_of(item: Part<'_>) -> Result<Option<Shape>, NotationError> {
    let Some((name, rest)) = item.text.split_once('(') else {
        return Ok(Shape::named(item.text, None));
    };
    let parameter = rest.strip_suffix(')').map(str::trim).unwrap_or_default();
    if parameter.is_empty() || !parameter.chars().all(|c| c.is_ascii_digit()) {
        return Err(item.error(
            "a shape takes one whole number in parentheses",
            format!("write one of {}", shape_notations()),
        ));
    }
    // A number too long for usize is too large, not malformed.
    let n = parameter.parse().unwrap_or(usize::MAX);
    match Shape::named(name.trim(), Some(n)) {
        Some(shape) => Ok(Some(shape)),
        None => Err(item.error(
            format!("unknown shape `{}`", name.trim()),
            format!("the shapes are {}", shape_notations()),
        )),
    }
}

fn shape_notations() -> String {
    Shape::NOTATIONS.iter().map(|(notation, _)| *notation).join(", ")
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

fn bad_name(link: Part<'_>) -> NotationError {
    if link.text.is_empty() {
        return link.error(
            "a process name is missing here",
            "write channels as \"p -> q\", separated by commas",
        );
    }
    link.error(
        format!("`{}` is no process name", link.text),
        "a name starts with a letter and goes on with letters, digits, `-` and `_`",
    )
}

fn too_large(part: Part<'_>) -> NotationError {
    part.error(
        format!("`{}` makes a topology of no process or of more than {MAX_PROCESSES}", part.text),
        format!("choose a size from 1 to {MAX_PROCESSES} processes"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(text: &str) -> Vec<String> {
        let topology = parse(text).unwrap();
        topology.channels().map(|c| topology.channel_name(c)).collect()
    }

    #[test]
    fn shapes_edges_chains_and_mixtures() {
        assert_eq!(edges("p -> q, q -> p"), ["p→q", "q→p"]);
        assert_eq!(edges("a->b->c"), ["a→b", "b→c"]);
        assert_eq!(edges("complete(2), p0 -> p0"), ["p0→p0", "p0→p1", "p1→p0"]);
        assert_eq!(edges("fan-in(2)"), ["p0→p2", "p1→p2"]);
        assert_eq!(edges("diamond").len(), 4);
        assert_eq!(parse("solo").unwrap().process_count(), 1);
    }

    #[test]
    fn errors_point_at_their_place() {
        for (text, place, message) in [
            ("", "", "empty topology"),
            ("p -> q, p -> q", "p -> q", "duplicate channel p→q"),
            ("p -> q, r -> ", "", "a process name is missing here"),
            ("p -> 1q", "1q", "`1q` is no process name"),
            ("mesh(3)", "mesh(3)", "unknown shape `mesh`"),
            ("complete(x)", "complete(x)", "a shape takes one whole number in parentheses"),
            ("complete(0)", "complete(0)", "`complete(0)` makes a topology of no process"),
            ("star(99999999999999999999)", "star(99999999999999999999)", "`star(9999"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.message.starts_with(message), "{text}: {error}");
            let end = error.span.end.min(text.len());
            assert_eq!(text[error.span.start..end].trim(), place, "{text}");
        }
        assert_eq!(parse("p -> q, p -> q").unwrap_err().span, 8..14);
    }
}
