//! The order of the sets of snapshots that a comparison found: which are equal, and which lie directly
//! above which.

use itertools::Itertools;

use crate::compare::{Comparison, Inclusion};

/// The algorithms that can record the same snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The algorithms, by their places among the sides.
    pub sides: Vec<usize>,
    /// How many snapshots they can record.
    pub snapshots: u64,
}

/// A strict inclusion with nothing between.
#[derive(Clone, Copy, Debug)]
pub struct Cover<'c> {
    /// The class with fewer snapshots, by its place among the classes.
    pub smaller: usize,
    /// The class with more.
    pub larger: usize,
    /// The inclusion between the first algorithms of the two, with its witness.
    pub inclusion: &'c Inclusion,
}

/// Classes of equal sets and the inclusions between them.
#[derive(Clone, Debug)]
pub struct Order<'c> {
    /// The classes, in the order of their first algorithms. Algorithms whose snapshots are not known
    /// are in none.
    pub classes: Vec<Class>,
    /// The strict inclusions with nothing between.
    pub covers: Vec<Cover<'c>>,
}

impl<'c> Order<'c> {
    /// The order that a comparison found.
    #[must_use]
    pub fn of(comparison: &'c Comparison) -> Self {
        let equals = |side: usize| {
            let same = comparison.inclusions.iter();
            let same = same.filter(|i| i.smaller == side && i.witness.is_none());
            same.map(|inclusion| inclusion.larger).chain([side]).sorted().collect_vec()
        };
        let known = comparison.sides.iter().positions(|side| side.survey.is_some());
        let classes = known
            .map(equals)
            .unique()
            .map(|sides| Class { snapshots: comparison.sides[sides[0]].explored.outcomes, sides });
        let classes = classes.collect_vec();
        let class_of = |side| classes.iter().position(|class| class.sides[0] == side);
        let strict = comparison.inclusions.iter().filter(|i| i.witness.is_some() && i.covers);
        // Of algorithms with equal sets the first stands for all.
        let covers = strict.filter_map(|inclusion| {
            let (smaller, larger) = (class_of(inclusion.smaller)?, class_of(inclusion.larger)?);
            Some(Cover { smaller, larger, inclusion })
        });
        Self { covers: covers.collect(), classes }
    }

    /// The classes that no other includes.
    pub fn maximal(&self) -> impl Iterator<Item = usize> {
        (0..self.classes.len()).filter(|&class| !self.covers.iter().any(|c| c.smaller == class))
    }

    /// The classes directly below one.
    pub fn below(&self, class: usize) -> impl Iterator<Item = usize> {
        self.covers.iter().filter(move |cover| cover.larger == class).map(|cover| cover.smaller)
    }
}
