//! Instance files: TOML with unknown keys refused.
//!
//! ```toml
//! title = "A marker and a later message overtake the start instruction"
//! algorithm = "general-literal"
//! topology = "p -> q"
//! coordinator = "central"
//!
//! [application]
//! messages = 1
//!
//! [expect.claims]
//! consistent-cut = "violated in 6 steps"
//! ```

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::{
    Draft, DraftApplication, DraftChannels, DraftRecovery, DraftRequests, DraftStream,
    Expectations, Field, Instance,
};
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::models::process::AlgorithmInfo;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Document {
    title: Spanned<String>,
    /// Prose for the reader of the file.
    #[serde(default)]
    about: String,
    algorithm: Spanned<String>,
    topology: Spanned<String>,
    initiators: Option<Spanned<Vec<Spanned<String>>>>,
    coordinator: Option<Spanned<String>>,
    network: Option<Spanned<String>>,
    #[serde(default)]
    channels: ChannelsTable,
    may_finish: Option<Spanned<Vec<Spanned<String>>>>,
    application: Spanned<ApplicationTable>,
    #[serde(default)]
    recovery: RecoveryTable,
    #[serde(default)]
    expect: ExpectTable,
    #[serde(default)]
    only_when_named: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ApplicationTable {
    messages: Option<Spanned<i64>>,
    bank: Option<BankTable>,
    stream: Option<Spanned<StreamTable>>,
    requests: Option<Spanned<RequestsTable>>,
    steps: Option<StepTable>,
    #[serde(default)]
    initially: StepTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BankTable {
    balance: Spanned<i64>,
    #[serde(default)]
    balances: BTreeMap<Spanned<String>, Spanned<i64>>,
    transfers: Spanned<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct StreamTable {
    records: Spanned<i64>,
    #[serde(default)]
    ship: BTreeMap<Spanned<String>, Spanned<String>>,
    sources: Option<Spanned<Vec<Spanned<String>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RequestsTable {
    wants: Option<StepTable>,
    rounds: Option<Spanned<i64>>,
}

type StepTable = BTreeMap<Spanned<String>, Vec<Spanned<String>>>;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RecoveryTable {
    checkpoints: Option<Spanned<i64>>,
    overlapping: Option<Spanned<i64>>,
    aborts: Option<Spanned<i64>>,
    failovers: Option<Spanned<i64>>,
    lost_notices: Option<Spanned<i64>>,
    sinks: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ChannelsTable {
    buffers: Option<Spanned<bool>>,
    capacity: Option<Spanned<i64>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ExpectTable {
    unique: Option<u64>,
    generated: Option<u64>,
    outcomes: Option<u64>,
    consistent_outcomes: Option<u64>,
    #[serde(default)]
    claims: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// Reads the instance file at `path`; `name` is what the instance is called.
///
/// # Errors
/// If the file cannot be read, or as [`parse`].
pub fn read(path: &Path, name: &str, algorithms: &[AlgorithmInfo]) -> Result<Instance, Diagnostic> {
    let remedy = "give an instance file, a folder of them, or the name of a bundled instance";
    build(Source::read(path, remedy)?, name, algorithms)
}

/// Reads the text of an instance file. `path` is for messages.
///
/// # Errors
/// The first thing that is wrong, with its place and a remedy.
pub fn parse(
    path: &str,
    text: String,
    name: &str,
    algorithms: &[AlgorithmInfo],
) -> Result<Instance, Diagnostic> {
    build(Arc::new(Source { name: path.to_owned(), text }), name, algorithms)
}

fn build(
    source: Arc<Source>,
    name: &str,
    algorithms: &[AlgorithmInfo],
) -> Result<Instance, Diagnostic> {
    if source.text.trim().is_empty() {
        return Err(Diagnostic::at(
            &Place { source, span: 0..0 },
            "empty instance file",
            "an instance needs title, algorithm, topology and [application]",
        ));
    }
    let mut document: Document =
        toml::from_str(&source.text).map_err(|error| malformed(&source, &error))?;
    let about = std::mem::take(&mut document.about).trim().to_owned();
    Ok(Instance { about, ..draft(document, &source, name)?.build(algorithms)? })
}

fn remedy(message: &str) -> &'static str {
    if message.starts_with("unknown field") {
        "remove the key or correct its spelling"
    } else if message.starts_with("missing field `records`") {
        "a stream needs records, for example stream = { records = 2 }"
    } else if message.starts_with("missing field") {
        "an instance needs title, algorithm, topology and [application]"
    } else if message.starts_with("invalid type") || message.starts_with("invalid value") {
        "give a value of the expected kind"
    } else {
        "correct the TOML at this place"
    }
}

fn draft(document: Document, source: &Arc<Source>, name: &str) -> Result<Draft, Diagnostic> {
    let text = |spanned: Spanned<String>| field(source, spanned);
    let texts = |list: Vec<Spanned<String>>| list.into_iter().map(text).collect();
    let at = |span| Place { source: Arc::clone(source), span };

    let place = at(document.application.span());
    let application = draft_application(document.application.into_inner(), source, &place)?;
    let names = |list: Spanned<Vec<Spanned<String>>>| {
        let place = at(list.span());
        Field { value: texts(list.into_inner()), place }
    };
    let initiators = document.initiators.map(names);
    let ExpectTable { unique, generated, outcomes, consistent_outcomes, claims } = document.expect;
    Ok(Draft {
        name: name.to_owned(),
        title: document.title.into_inner(),
        algorithm: text(document.algorithm),
        topology: text(document.topology),
        initiators,
        coordinator: document.coordinator.map(text),
        application,
        recovery: draft_recovery(document.recovery, source),
        network: document.network.map(text),
        channels: DraftChannels {
            buffers: document.channels.buffers.map(|spanned| field(source, spanned)),
            capacity: document.channels.capacity.map(|spanned| field(source, spanned)),
            may_finish: document.may_finish.map(names),
        },
        counts: Expectations {
            unique,
            generated,
            outcomes,
            consistent_outcomes,
            claims: BTreeMap::new(),
        },
        claims: claims.into_iter().map(|(claim, verdict)| (text(claim), text(verdict))).collect(),
        only_when_named: document.only_when_named,
    })
}

fn draft_recovery(table: RecoveryTable, source: &Arc<Source>) -> DraftRecovery {
    let number = |spanned: Option<_>| spanned.map(|spanned| field(source, spanned));
    DraftRecovery {
        checkpoints: number(table.checkpoints),
        overlapping: number(table.overlapping),
        aborts: number(table.aborts),
        failovers: number(table.failovers),
        lost_notices: number(table.lost_notices),
        sinks: table.sinks.map(|spanned| field(source, spanned)),
    }
}

fn draft_application(
    table: ApplicationTable,
    source: &Arc<Source>,
    place: &Place,
) -> Result<DraftApplication, Diagnostic> {
    let ApplicationTable { messages, bank, stream, requests, steps, initially } = table;
    let text = |spanned: Spanned<String>| field(source, spanned);
    let listed = |table: StepTable| {
        let texts = |list: Vec<_>| list.into_iter().map(text).collect();
        table.into_iter().map(|(process, steps)| (text(process), texts(steps))).collect()
    };
    match (messages, bank, stream, requests, steps) {
        (Some(messages), None, None, None, None) if initially.is_empty() => {
            Ok(DraftApplication::Messages(field(source, messages)))
        }
        (None, Some(bank), None, None, None) if initially.is_empty() => {
            let balances = bank.balances.into_iter();
            Ok(DraftApplication::Bank {
                balance: field(source, bank.balance),
                balances: balances.map(|(p, units)| (text(p), field(source, units))).collect(),
                transfers: field(source, bank.transfers),
            })
        }
        (None, None, Some(stream), None, None) if initially.is_empty() => {
            Ok(DraftApplication::Stream(draft_stream(stream, source)))
        }
        (None, None, None, Some(requests), None) if initially.is_empty() => {
            let place = Place { source: Arc::clone(source), span: requests.span() };
            let RequestsTable { wants, rounds } = requests.into_inner();
            let rounds = rounds.map(|rounds| field(source, rounds));
            let value = DraftRequests { wants: wants.map(listed), rounds };
            Ok(DraftApplication::Requests(Field { value, place }))
        }
        (None, None, None, None, Some(steps)) => {
            Ok(DraftApplication::Steps { steps: listed(steps), initially: listed(initially) })
        }
        _ => Err(Diagnostic::at(
            place,
            "an application has either messages, steps, a bank, a stream or requests",
            "write messages = 1, or bank = { balance = 1, transfers = 2 }, or stream = { records = 2 }, \
             or requests = {}, or a table of steps per process (then also of initially)",
        )),
    }
}

fn draft_stream(table: Spanned<StreamTable>, source: &Arc<Source>) -> DraftStream {
    let text = |spanned: Spanned<String>| field(source, spanned);
    let Field { value: StreamTable { records, ship, sources }, place } = field(source, table);
    let listed = |list: Spanned<Vec<_>>| {
        let Field { value, place } = field(source, list);
        Field { value: value.into_iter().map(text).collect(), place }
    };
    DraftStream {
        records: field(source, records),
        ship: ship.into_iter().map(|(channel, how)| (text(channel), text(how))).collect(),
        sources: sources.map(listed),
        place,
    }
}

/// Reads the table of an application, written as the value of the option `name`.
///
/// # Errors
/// The first thing that is wrong, with its place and a remedy.
pub fn application(name: &str, text: &str) -> Result<DraftApplication, Diagnostic> {
    let whole = Place::option(name, text);
    let source = &whole.source;
    let table = toml::from_str(text).map_err(|error| malformed(source, &error))?;
    draft_application(table, source, &whole)
}

fn malformed(source: &Arc<Source>, error: &toml::de::Error) -> Diagnostic {
    let place = Place { source: Arc::clone(source), span: error.span().unwrap_or(0..0) };
    Diagnostic::at(&place, error.message(), remedy(error.message()))
}

fn field<T>(source: &Arc<Source>, spanned: Spanned<T>) -> Field<T> {
    let place = Place { source: Arc::clone(source), span: spanned.span() };
    Field { value: spanned.into_inner(), place }
}
