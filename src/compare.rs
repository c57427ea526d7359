//! The job of `compare`: algorithms side by side on one topology and application, and which can record
//! every snapshot of which; and which refine the specification step by step.

use std::collections::BTreeSet;

use itertools::Itertools;

use crate::check::{ClaimReport, Options, check};
use crate::explored::{Explored, Shown};
use crate::instance::Instance;
use crate::refinement::Refinement;
use crate::registry::Registry;
use crate::survey::Survey;
use crate::system::Snapshot;

/// One algorithm in the comparison.
#[derive(Clone, Debug)]
pub struct Side {
    /// The algorithm on the common topology and application.
    pub instance: Instance,
    /// Counts.
    pub explored: Explored,
    /// Verdicts, without traces.
    pub claims: Vec<ClaimReport>,
    /// Its snapshots and costs; none if a limit did not allow it.
    pub survey: Option<Survey>,
    /// Whether its every step is a few steps of `universal`.
    pub refinement: Refinement,
}

/// All snapshots of one algorithm are snapshots of another.
#[derive(Clone, Debug)]
pub struct Inclusion {
    /// The one with fewer, by its place among the sides.
    pub smaller: usize,
    /// The one with more.
    pub larger: usize,
    /// A snapshot that only the larger can record, if there is one: then the inclusion is strict.
    pub witness: Option<Witness>,
    /// Whether no third algorithm lies strictly between the two.
    pub covers: bool,
}

/// A snapshot that one algorithm can record and another cannot.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The snapshot, one with the fewest messages before the cut.
    pub snapshot: Snapshot,
    /// A shortest run that records it.
    pub shown: Option<Shown>,
}

/// Algorithms side by side.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The algorithms.
    pub sides: Vec<Side>,
    /// Every inclusion between two of them; equal sets include each other.
    pub inclusions: Vec<Inclusion>,
}

/// Compares instances that differ in nothing but the algorithm. `note` hears of each that begins.
#[must_use]
pub fn compare(
    registry: &Registry,
    instances: Vec<Instance>,
    options: &Options,
    note: &dyn Fn(&Instance),
) -> Comparison {
    let side = |instance: Instance| {
        note(&instance);
        let report = check(registry, &instance, options, &|_| ());
        let runner = registry.runner(&instance);
        let survey = runner.survey(&instance, options.limits);
        let refinement = runner.refine(&instance, options.limits);
        Side { instance, explored: report.explored, claims: report.claims, survey, refinement }
    };
    let sides = instances.into_iter().map(side).collect_vec();
    let pairs = (0..sides.len()).cartesian_product(0..sides.len()).filter(|(a, b)| a != b);
    let inclusions = pairs.filter_map(|(smaller, larger)| {
        let (few, many) = (snapshots(&sides[smaller])?, snapshots(&sides[larger])?);
        few.is_subset(many).then(|| Inclusion {
            smaller,
            larger,
            witness: witness(registry, &sides[larger], few, many, options),
            covers: !between(&sides, few, many),
        })
    });
    Comparison { inclusions: inclusions.collect(), sides }
}

fn snapshots(side: &Side) -> Option<&BTreeSet<Snapshot>> {
    side.survey.as_ref().map(|survey| &survey.snapshots)
}

/// Whether the snapshots of a third algorithm lie strictly between.
fn between(sides: &[Side], few: &BTreeSet<Snapshot>, many: &BTreeSet<Snapshot>) -> bool {
    let strict = |a: &BTreeSet<_>, b: &BTreeSet<_>| a.len() < b.len() && a.is_subset(b);
    sides.iter().filter_map(snapshots).any(|third| strict(few, third) && strict(third, many))
}

fn witness(
    registry: &Registry,
    larger: &Side,
    few: &BTreeSet<Snapshot>,
    many: &BTreeSet<Snapshot>,
    options: &Options,
) -> Option<Witness> {
    let snapshot = many.difference(few).next()?.clone();
    let instance = &larger.instance;
    let runner = registry.runner(instance);
    let shown = runner.shortest_to_snapshot(instance, &snapshot.key, options.limits);
    Some(Witness { snapshot, shown })
}
