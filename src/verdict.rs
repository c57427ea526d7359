//! Verdicts, and what an instance expects of them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What the search says of a claim. For a witness, `holds` means that an example was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// True, and every reachable state was seen (for a witness: an example was seen).
    Holds,
    /// False: there is a counterexample (for a witness: every state was seen, none is an example).
    Violated,
    /// A bound was hit before the question was settled.
    Inconclusive,
    /// The claim says nothing about this algorithm or setup.
    NotApplicable,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 4] =
        [Self::Holds, Self::Violated, Self::Inconclusive, Self::NotApplicable];

    /// The word for it in files and output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Inconclusive => "inconclusive",
            Self::NotApplicable => "not-applicable",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The verdict that an instance expects, and perhaps the length of the shortest trace that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The verdict.
    pub verdict: Verdict,
    /// Steps of the shortest counterexample, or for a witness of the shortest example.
    pub steps: Option<usize>,
}

impl Expected {
    /// Reads `holds`, `violated`, `not-applicable`, or with a length: `violated in 6 steps`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<_> = text.split_whitespace().collect();
        let (verdict, steps) = match words[..] {
            [verdict] => (verdict, None),
            [verdict, "in", steps, "step" | "steps"] => (verdict, Some(steps.parse().ok()?)),
            _ => return None,
        };
        let verdict = Verdict::ALL.into_iter().find(|v| v.word() == verdict)?;
        (verdict != Verdict::Inconclusive).then_some(Self { verdict, steps })
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.steps {
            Some(1) => write!(f, "{} in 1 step", self.verdict),
            Some(steps) => write!(f, "{} in {steps} steps", self.verdict),
            None => write!(f, "{}", self.verdict),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_read_what_they_write() {
        for text in ["holds", "violated", "not-applicable", "violated in 6 steps"] {
            assert_eq!(Expected::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "inconclusive", "fails", "violated in six steps", "violated in 6"] {
            assert_eq!(Expected::parse(text), None, "{text}");
        }
    }
}
