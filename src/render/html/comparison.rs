//! A comparison of algorithms as a page.

use maud::{Markup, PreEscaped, html};

use super::run::run;
use super::{mark, page};
use crate::compare::Comparison;
use crate::order::{Cover, Order};
use crate::picture::Setting;
use crate::refinement::Refinement;
use crate::render::comparison::{COSTS, costs, name};
use crate::render::diagram;
use crate::render::refinements::{SPECIFICATION, answer, failing_step};
use crate::render::text::{COLUMNS, thousands};

/// The page of a comparison.
#[must_use]
pub fn comparison(comparison: &Comparison) -> String {
    let order = Order::of(comparison);
    let setting = comparison.sides.first().map(|side| &side.instance);
    let main = html! {
        @if let Some(instance) = setting {
            dl {
                dt { "Topology" } dd { (instance.topology_text) }
                dt { "Application" } dd { (instance.application_text) }
            }
        }
        (table(comparison))
        h2 { "The algorithms" }
        dl.notes {
            @for side in &comparison.sides {
                dt { (side.instance.algorithm.name) }
                dd { (side.instance.algorithm.summary) " (" (side.instance.algorithm.source) ")" }
            }
        }
        h2 { "Channel state against messages held back" }
        p {
            "An algorithm that lets messages cross the cut must record them; one that does not must hold \
             others back. One that does neither duplicates messages or loses them."
        }
        figure #chart { (PreEscaped(diagram::chart(comparison, Setting::Page("chart")))) }
        h2 { "Whose snapshots include whose" }
        p {
            "Algorithms in one box can record exactly the same snapshots. Every set includes those that \
             lines join to it from below, and more: each line is a strict inclusion, with a witness below."
        }
        figure #hasse { (PreEscaped(diagram::hasse(comparison, Setting::Page("hasse")))) }
        @for cover in &order.covers { section { (witness(comparison, &order, cover)) } }
        h2 { "Which refine " (SPECIFICATION) ", step by step" }
        p {
            "An algorithm refines the specification if each of its steps is none, one or two of the \
             specification's that end in the same state: application, counts, recordings, and messages \
             and markers in the channels. Then it records nothing that the specification cannot."
        }
        (refinements(comparison))
    };
    page("Snapshot algorithms compared", &main)
}

fn table(comparison: &Comparison) -> Markup {
    html! {
        div.wide {
            table.list {
                thead {
                    tr {
                        th { "algorithm" }
                        @for (claim, _) in COLUMNS { th.slanted { span { (claim.name()) } } }
                        @for (heading, note) in COSTS { th.number title=(note) { (heading) } }
                    }
                }
                tbody {
                    @for side in &comparison.sides {
                        tr {
                            th scope="row" { (side.instance.algorithm.name) }
                            @for (claim, _) in COLUMNS {
                                @let found = side.claims.iter().find(|report| report.claim == claim);
                                td.verdict { (mark(found.map(|report| report.verdict))) }
                            }
                            @for cost in costs(side) { td.number { (cost) } }
                        }
                    }
                }
            }
        }
        dl.notes {
            @for (heading, note) in COSTS {
                @if !note.is_empty() { dt { (heading) } dd { (note) } }
            }
        }
    }
}

fn refinements(comparison: &Comparison) -> Markup {
    html! {
        dl.notes {
            @for side in &comparison.sides {
                dt { (mark(Some(side.refinement.verdict()))) " " (side.instance.algorithm.name) }
                dd {
                    (match &side.refinement {
                        Refinement::Fails(failure) => failing_step(failure),
                        other => answer(other),
                    })
                }
            }
        }
    }
}

fn witness(comparison: &Comparison, order: &Order<'_>, cover: &Cover<'_>) -> Markup {
    let [smaller, larger] = [cover.smaller, cover.larger].map(|class| &order.classes[class]);
    let [few, many] =
        [smaller, larger].map(|class| class.sides.iter().map(|&side| name(comparison, side)));
    let [few, many] = [few, many].map(|names| names.collect::<Vec<_>>().join(" = "));
    let side = cover.inclusion.larger;
    let topology = &comparison.sides[side].instance.setup.topology;
    let id = format!("{}-in-{}", name(comparison, cover.inclusion.smaller), name(comparison, side));
    html! {
        h2 { (few) " ⊂ " (many) }
        p {
            (thousands(smaller.snapshots)) " of " (thousands(larger.snapshots)) " snapshots. Only "
            (name(comparison, side)) " can record this one:"
        }
        @if let Some(witness) = &cover.inclusion.witness {
            p.so { (witness.snapshot.words) }
            @if let Some(shown) = &witness.shown {
                (run(&id, &format!("only {} records this", name(comparison, side)), shown, topology))
            }
        }
    }
}
