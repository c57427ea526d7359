//! The list of checked instances as a page.

use maud::html;

use super::{mark, page};
use crate::check::{Report, Status};
use crate::models::claim::Claim;
use crate::render::text::{COLUMNS, thousands};
use crate::verdict::Verdict;

/// An instance in the list.
#[derive(Clone, Debug)]
pub struct Entry {
    file: String,
    instance: String,
    title: String,
    topology: String,
    status: Status,
    verdicts: Vec<(Claim, Verdict)>,
    states: u64,
    outcomes: u64,
}

impl Entry {
    /// The instance of `report`, whose page is in `file`.
    #[must_use]
    pub fn of(report: &Report, file: &str) -> Self {
        Self {
            file: file.to_owned(),
            instance: report.instance.name.clone(),
            title: report.instance.title.clone(),
            topology: report.instance.topology_text.clone(),
            status: report.status(),
            verdicts: report.claims.iter().map(|claim| (claim.claim, claim.verdict)).collect(),
            states: report.explored.unique,
            outcomes: report.explored.outcomes,
        }
    }

    fn verdict(&self, claim: Claim) -> Option<Verdict> {
        self.verdicts.iter().find(|(asked, _)| *asked == claim).map(|(_, verdict)| *verdict)
    }
}

fn status_words(status: Status) -> &'static str {
    match status {
        Status::AsExpected => "as expected",
        Status::Inconclusive => "inconclusive",
        Status::Deviates => "NOT AS EXPECTED",
    }
}

/// The page that lists instances.
#[must_use]
pub fn index(entries: &[Entry]) -> String {
    let count = |status| entries.iter().filter(|entry| entry.status == status).count();
    let main = html! {
        p.conclusion {
            (count(Status::AsExpected)) " of " (entries.len()) " instances are as expected"
            @if count(Status::Inconclusive) > 0 {
                ", " (count(Status::Inconclusive)) " are inconclusive"
            }
            @if count(Status::Deviates) > 0 {
                ", " strong { (count(Status::Deviates)) " are not" }
            }
            "."
        }
        p { "✓ holds   ✗ violated   – not applicable   ? inconclusive   · not asked" }
        div.wide {
            table.list {
                thead {
                    tr {
                        th { "instance" } th { "what it shows" } th { "topology" }
                        @for (claim, _) in COLUMNS { th.slanted { span { (claim.name()) } } }
                        th.number { "states" } th.number { "outcomes" } th { "result" }
                    }
                }
                tbody {
                    @for entry in entries {
                        tr {
                            th scope="row" { a href=(entry.file) { (entry.instance) } }
                            td { (entry.title) }
                            td { (entry.topology) }
                            @for (claim, _) in COLUMNS { td.verdict { (mark(entry.verdict(claim))) } }
                            td.number { (thousands(entry.states)) }
                            td.number { (thousands(entry.outcomes)) }
                            td { (status_words(entry.status)) }
                        }
                    }
                }
            }
        }
    };
    page("Checked instances", &main)
}
