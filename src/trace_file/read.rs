//! Reading a trace file: each error names its place.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{FORMAT, TraceFile, VERSION, shown_verdict};
use crate::claims;
use crate::diagnostic::{Diagnostic, Source};
use crate::instance::{
    Draft, DraftApplication, DraftChannels, DraftRecovery, DraftRequests, DraftSteps, DraftStream,
    Expectations, Field, find_claim,
};
use crate::models::process::AlgorithmInfo;
use crate::raw_json::Json;
use crate::system::{ActionKind, TraceStep};

/// What every version has.
#[derive(Deserialize)]
struct Header<'s> {
    #[serde(borrow)]
    format: &'s RawValue,
    version: &'s RawValue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'s> {
    #[serde(borrow, rename = "format")]
    _format: &'s RawValue,
    #[serde(rename = "version")]
    _version: &'s RawValue,
    instance: &'s RawValue,
    claim: &'s RawValue,
    verdict: &'s RawValue,
    steps: Vec<&'s RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InstanceTable<'s> {
    name: String,
    title: String,
    #[serde(borrow)]
    algorithm: &'s RawValue,
    topology: &'s RawValue,
    initiators: &'s RawValue,
    coordinator: &'s RawValue,
    application: &'s RawValue,
    recovery: Option<&'s RawValue>,
    network: Option<&'s RawValue>,
    channels: Option<&'s RawValue>,
    #[serde(rename = "may-finish")]
    may_finish: Option<&'s RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChannelsTable<'s> {
    #[serde(borrow)]
    buffers: Option<&'s RawValue>,
    capacity: Option<&'s RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RecoveryTable<'s> {
    #[serde(borrow)]
    checkpoints: Option<&'s RawValue>,
    overlapping: Option<&'s RawValue>,
    aborts: Option<&'s RawValue>,
    failovers: Option<&'s RawValue>,
    lost_notices: Option<&'s RawValue>,
    sinks: Option<&'s RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ApplicationTable<'s> {
    #[serde(borrow)]
    messages: Option<&'s RawValue>,
    bank: Option<&'s RawValue>,
    stream: Option<&'s RawValue>,
    requests: Option<&'s RawValue>,
    steps: Option<&'s RawValue>,
    initially: Option<&'s RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BankTable<'s> {
    #[serde(borrow)]
    balance: &'s RawValue,
    #[serde(default)]
    balances: BTreeMap<String, &'s RawValue>,
    transfers: &'s RawValue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StreamTable<'s> {
    #[serde(borrow)]
    records: &'s RawValue,
    #[serde(default)]
    ship: BTreeMap<String, &'s RawValue>,
    sources: Option<&'s RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestsTable<'s> {
    #[serde(borrow)]
    wants: Option<&'s RawValue>,
    rounds: Option<&'s RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    process: String,
    action: ActionKind,
    from: Option<String>,
    channel: Option<[String; 2]>,
    message: Option<u16>,
    #[serde(default)]
    content: String,
    /// For the reader of the file.
    #[serde(default, rename = "words")]
    _words: String,
}

/// Reads the trace file at `path`.
///
/// # Errors
/// If the file cannot be read, or as [`parse`].
pub fn read(path: &Path, algorithms: &[AlgorithmInfo]) -> Result<TraceFile, Diagnostic> {
    let remedy = "give a file that `snapcheck check --save-trace` wrote";
    parse(Source::read(path, remedy)?, algorithms)
}

/// Reads the text of a trace file.
///
/// # Errors
/// The first thing that is wrong, with its place and a remedy.
pub fn parse(source: Arc<Source>, algorithms: &[AlgorithmInfo]) -> Result<TraceFile, Diagnostic> {
    let json = Json { source: &source, remedy };
    check_header(json)?;
    let document: Document<'_> = json.document()?;
    let instance = instance(json, document.instance)?.build(algorithms)?;
    let name = json.field(document.claim)?;
    let claim = find_claim(&name)?;
    if !claims::is_applicable_to(claim, &instance) {
        return Err(Diagnostic::at(
            &name.place,
            format!("{} says nothing about this instance", claim.name()),
            "name another claim, or correct the instance",
        ));
    }
    let verdict: Field = json.field(document.verdict)?;
    let shown = shown_verdict(claim).word();
    if verdict.value != shown {
        return Err(Diagnostic::at(
            &verdict.place,
            format!("a run cannot show that {} is `{}`", claim.name(), verdict.value),
            format!("write \"{shown}\""),
        ));
    }
    let steps = document.steps.iter().enumerate();
    let steps = steps.map(|(index, raw)| step(json, index + 1, raw)).collect::<Result<_, _>>()?;
    Ok(TraceFile { instance, claim, steps, source: Arc::clone(&source) })
}

fn check_header(json: Json<'_>) -> Result<(), Diagnostic> {
    let header: Header<'_> = json.document()?;
    let format: Field = json.field(header.format)?;
    if format.value != FORMAT {
        return Err(Diagnostic::at(
            &format.place,
            format!("`{}` is no trace of snapcheck", format.value),
            format!("a trace file has \"format\": \"{FORMAT}\""),
        ));
    }
    let version: Field<u64> = json.field(header.version)?;
    if version.value != VERSION {
        return Err(Diagnostic::at(
            &version.place,
            format!("version {} of the trace format is unknown", version.value),
            format!("this snapcheck reads version {VERSION}; save the trace anew with it"),
        ));
    }
    Ok(())
}

fn instance<'s>(json: Json<'s>, raw: &'s RawValue) -> Result<Draft, Diagnostic> {
    let table: InstanceTable<'_> = json.read(raw)?;
    Ok(Draft {
        name: table.name,
        title: table.title,
        algorithm: json.field(table.algorithm)?,
        topology: json.field(table.topology)?,
        initiators: Some(listed(json, table.initiators)?),
        coordinator: Some(json.field(table.coordinator)?),
        application: application(json, table.application)?,
        recovery: table.recovery.map_or_else(|| Ok(<_>::default()), |raw| recovery(json, raw))?,
        network: table.network.map(|raw| json.field(raw)).transpose()?,
        channels: channels(json, table.channels, table.may_finish)?,
        counts: Expectations::default(),
        claims: Vec::new(),
        only_when_named: false,
    })
}

fn channels<'s>(
    json: Json<'s>,
    table: Option<&'s RawValue>,
    may_finish: Option<&'s RawValue>,
) -> Result<DraftChannels, Diagnostic> {
    let may_finish = may_finish.map(|raw| listed(json, raw)).transpose()?;
    let Some(raw) = table else { return Ok(DraftChannels { may_finish, ..<_>::default() }) };
    let table: ChannelsTable<'_> = json.read(raw)?;
    Ok(DraftChannels {
        buffers: table.buffers.map(|raw| json.field(raw)).transpose()?,
        capacity: table.capacity.map(|raw| json.field(raw)).transpose()?,
        may_finish,
    })
}

fn listed<'s>(json: Json<'s>, raw: &'s RawValue) -> Result<Field<Vec<Field>>, Diagnostic> {
    let list: Field<Vec<&RawValue>> = json.field(raw)?;
    Ok(Field { value: texts(json, &list.value)?, place: list.place })
}

fn texts<'s>(json: Json<'s>, raws: &[&'s RawValue]) -> Result<Vec<Field>, Diagnostic> {
    raws.iter().map(|raw| json.field(raw)).collect()
}

fn recovery<'s>(json: Json<'s>, raw: &'s RawValue) -> Result<DraftRecovery, Diagnostic> {
    let table: RecoveryTable<'_> = json.read(raw)?;
    let number = |raw: Option<&'s RawValue>| raw.map(|raw| json.field(raw)).transpose();
    Ok(DraftRecovery {
        checkpoints: number(table.checkpoints)?,
        overlapping: number(table.overlapping)?,
        aborts: number(table.aborts)?,
        failovers: number(table.failovers)?,
        lost_notices: number(table.lost_notices)?,
        sinks: table.sinks.map(|raw| json.field(raw)).transpose()?,
    })
}

fn application<'s>(json: Json<'s>, raw: &'s RawValue) -> Result<DraftApplication, Diagnostic> {
    let table: Field<ApplicationTable<'_>> = json.field(raw)?;
    let ApplicationTable { messages, bank, stream, requests, steps, initially } = table.value;
    match (messages, bank, stream, requests, steps) {
        (Some(messages), None, None, None, None) if initially.is_none() => {
            Ok(DraftApplication::Messages(json.field(messages)?))
        }
        (None, Some(bank), None, None, None) if initially.is_none() => draft_bank(json, bank),
        (None, None, Some(stream), None, None) if initially.is_none() => draft_stream(json, stream),
        (None, None, None, Some(requests), None) if initially.is_none() => {
            draft_requests(json, requests)
        }
        (None, None, None, None, Some(steps)) => {
            let initially = initially.map(|raw| step_table(json, raw)).transpose()?;
            Ok(DraftApplication::Steps {
                steps: step_table(json, steps)?,
                initially: initially.unwrap_or_default(),
            })
        }
        _ => Err(Diagnostic::at(
            &table.place,
            "an application has either messages, steps, a bank, a stream or requests",
            "write \"messages\": 1, or a bank with balance and transfers, or a stream with records, or \
             \"requests\": {}, or an object of steps per process (then also of initially)",
        )),
    }
}

fn draft_bank<'s>(json: Json<'s>, raw: &'s RawValue) -> Result<DraftApplication, Diagnostic> {
    let Field { value, place }: Field<BankTable<'_>> = json.field(raw)?;
    let balances = value.balances.into_iter().map(|(process, balance)| {
        Ok((Field { value: process, place: place.clone() }, json.field(balance)?))
    });
    Ok(DraftApplication::Bank {
        balance: json.field(value.balance)?,
        balances: balances.collect::<Result<_, Diagnostic>>()?,
        transfers: json.field(value.transfers)?,
    })
}

fn draft_stream<'s>(json: Json<'s>, raw: &'s RawValue) -> Result<DraftApplication, Diagnostic> {
    let Field { value, place }: Field<StreamTable<'_>> = json.field(raw)?;
    let ship = value.ship.into_iter().map(|(channel, how)| {
        Ok((Field { value: channel, place: place.clone() }, json.field(how)?))
    });
    Ok(DraftApplication::Stream(DraftStream {
        records: json.field(value.records)?,
        ship: ship.collect::<Result<_, Diagnostic>>()?,
        sources: value.sources.map(|raw| listed(json, raw)).transpose()?,
        place: place.clone(),
    }))
}

fn draft_requests<'s>(json: Json<'s>, raw: &'s RawValue) -> Result<DraftApplication, Diagnostic> {
    let Field { value, place }: Field<RequestsTable<'_>> = json.field(raw)?;
    let value = DraftRequests {
        wants: value.wants.map(|raw| step_table(json, raw)).transpose()?,
        rounds: value.rounds.map(|raw| json.field(raw)).transpose()?,
    };
    Ok(DraftApplication::Requests(Field { value, place }))
}

fn step_table<'s>(json: Json<'s>, raw: &'s RawValue) -> Result<DraftSteps, Diagnostic> {
    let table: Field<BTreeMap<String, Vec<&RawValue>>> = json.field(raw)?;
    let per_process = table.value.into_iter().map(|(process, steps)| {
        let process = Field { value: process, place: table.place.clone() };
        Ok((process, texts(json, &steps)?))
    });
    per_process.collect()
}

fn step<'s>(
    json: Json<'s>,
    number: usize,
    raw: &'s RawValue,
) -> Result<Field<TraceStep>, Diagnostic> {
    let Field { value, place }: Field<Step> = json.field(raw)?;
    let step = TraceStep {
        step: number,
        process: value.process,
        action: value.action,
        from: value.from,
        channel: value.channel,
        message: value.message,
        content: value.content,
        effects: Vec::new(),
    };
    Ok(Field { value: step, place })
}

fn remedy(message: &str) -> &'static str {
    if message.starts_with("unknown field") {
        "remove the field or correct its spelling"
    } else if message.starts_with("missing field") {
        "a trace file has format, version, instance, claim, verdict and steps; save it anew with \
         `snapcheck check INSTANCE --claim CLAIM --save-trace FILE`"
    } else if message.starts_with("invalid type")
        || message.starts_with("invalid value")
        || message.starts_with("invalid length")
        || message.starts_with("unknown variant")
    {
        "give a value of the expected kind"
    } else {
        "correct the JSON at this place, or save the trace anew with \
         `snapcheck check INSTANCE --claim CLAIM --save-trace FILE`"
    }
}
