//! The named shapes: families of topologies that papers and instances refer to by name.

use itertools::Itertools;

use super::MAX_PROCESSES;

/// A named family of topologies; the number is the one written in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `line(n)`: p0→p1→…→p(n−1).
    Line(usize),
    /// `ring(n)`: the line, closed by p(n−1)→p0. `ring(1)` is one process with a self-channel.
    Ring(usize),
    /// `complete(n)`: a channel for every ordered pair of different processes.
    Complete(usize),
    /// `star(n)`: hub p0 to each of n leaves.
    Star(usize),
    /// `fan-in(n)`: sources p0…p(n−1), each to operator pn.
    FanIn(usize),
    /// `diamond`: p0→p1, p0→p2, p1→p3, p2→p3.
    Diamond,
}

impl Shape {
    /// How the shapes are written, each with what it means, for listings and messages.
    pub const NOTATIONS: [(&'static str, &'static str); 6] = [
        ("line(n)", "p0→p1→…→p(n−1)"),
        ("ring(n)", "the line, closed by p(n−1)→p0"),
        ("complete(n)", "every ordered pair of n processes"),
        ("star(n)", "hub p0 to each of n leaves"),
        ("fan-in(n)", "n sources p0…p(n−1), each to operator pn"),
        ("diamond", "p0→p1, p0→p2, p1→p3, p2→p3"),
    ];

    /// The shape called `name` with parameter `n`, whatever the size.
    #[must_use]
    pub fn named(name: &str, n: Option<usize>) -> Option<Self> {
        match (name, n) {
            ("line", Some(n)) => Some(Self::Line(n)),
            ("ring", Some(n)) => Some(Self::Ring(n)),
            ("complete", Some(n)) => Some(Self::Complete(n)),
            ("star", Some(n)) => Some(Self::Star(n)),
            ("fan-in", Some(n)) => Some(Self::FanIn(n)),
            ("diamond", None) => Some(Self::Diamond),
            _ => None,
        }
    }

    /// Whether the parameter is at least one and the processes at most [`MAX_PROCESSES`].
    #[must_use]
    pub fn has_legal_size(self) -> bool {
        let parameter = match self {
            Self::Line(n) | Self::Ring(n) | Self::Complete(n) | Self::Star(n) | Self::FanIn(n) => n,
            Self::Diamond => 4,
        };
        parameter >= 1 && self.process_count() <= MAX_PROCESSES
    }

    /// How many processes it has.
    #[must_use]
    pub fn process_count(self) -> usize {
        match self {
            Self::Line(n) | Self::Ring(n) | Self::Complete(n) => n,
            Self::Star(n) | Self::FanIn(n) => n.saturating_add(1),
            Self::Diamond => 4,
        }
    }

    /// Its channels as pairs (source, target) of process positions.
    #[must_use]
    pub fn edges(self) -> Vec<(usize, usize)> {
        match self {
            Self::Line(n) => (1..n).map(|i| (i - 1, i)).collect(),
            Self::Ring(n) => (0..n).map(|i| (i, (i + 1) % n)).collect(),
            Self::Complete(n) => (0..n).cartesian_product(0..n).filter(|(p, q)| p != q).collect(),
            Self::Star(n) => (1..=n).map(|leaf| (0, leaf)).collect(),
            Self::FanIn(n) => (0..n).map(|source| (source, n)).collect(),
            Self::Diamond => vec![(0, 1), (0, 2), (1, 3), (2, 3)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_the_shapes() {
        assert_eq!(Shape::Line(3).edges(), [(0, 1), (1, 2)]);
        assert_eq!(Shape::Ring(3).edges(), [(0, 1), (1, 2), (2, 0)]);
        assert_eq!(Shape::Ring(1).edges(), [(0, 0)]);
        assert_eq!(Shape::Complete(2).edges(), [(0, 1), (1, 0)]);
        assert_eq!(Shape::Star(2).edges(), [(0, 1), (0, 2)]);
        assert_eq!(Shape::FanIn(2).edges(), [(0, 2), (1, 2)]);
        assert_eq!(Shape::Diamond.edges().len(), 4);
    }
}
