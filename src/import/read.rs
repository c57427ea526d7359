//! Reading a plan, whatever its shape: each error names its place in the JSON. What Flink prints beside
//! nodes, parallelism and edges is not looked at.

use std::path::Path;
use std::sync::Arc;

use itertools::Itertools;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::graph::build;
use super::names::unescaped;
use super::plan::{Note, Plan, Shape, Strategy};
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::instance::Field;
use crate::raw_json::Json;

/// What a plan is, for those who gave something else.
const PLANS: &str = "give what Flink prints: GET /jobs/:id/plan, GET /jobs/:id, getExecutionPlan(), or the \
                     stream graph";

#[derive(Deserialize)]
struct DocumentTable<'s> {
    #[serde(borrow)]
    name: Option<&'s RawValue>,
    nodes: Option<&'s RawValue>,
    plan: Option<&'s RawValue>,
}

#[derive(Deserialize)]
struct NodeTable<'s> {
    #[serde(borrow)]
    id: Option<&'s RawValue>,
    parallelism: Option<&'s RawValue>,
    description: Option<&'s RawValue>,
    contents: Option<&'s RawValue>,
    operator: Option<&'s RawValue>,
    inputs: Option<&'s RawValue>,
    predecessors: Option<&'s RawValue>,
    job_vertex_id: Option<&'s RawValue>,
}

#[derive(Deserialize)]
struct InputTable<'s> {
    #[serde(borrow)]
    id: Option<&'s RawValue>,
    ship_strategy: Option<&'s RawValue>,
}

/// An id: Flink writes them as text or as numbers.
#[derive(Deserialize)]
#[serde(untagged, expecting = "an id is a text or a whole number")]
enum Id {
    Text(String),
    Number(i64),
}

/// A node as it was read.
pub(super) struct ReadNode {
    pub(super) id: Field,
    pub(super) description: String,
    pub(super) parallelism: Field<u32>,
    /// The ids of the nodes that send to it, each with how it ships.
    pub(super) inputs: Vec<(Field, Field<Strategy>)>,
    /// The task that it has become part of, if the plan says so.
    pub(super) vertex: Option<String>,
}

/// Reads the plan at `path`, with what its reader should know.
///
/// # Errors
/// If the file cannot be read, or as [`parse`].
pub fn read(path: &Path) -> Result<(Plan, Vec<Note>), Diagnostic> {
    parse(&Source::read(path, PLANS)?)
}

/// Reads the text of a plan, with what its reader should know.
///
/// # Errors
/// The first thing that is wrong, with its place and a remedy.
pub fn parse(source: &Arc<Source>) -> Result<(Plan, Vec<Note>), Diagnostic> {
    let json = Json { source, remedy };
    let whole: &RawValue = json.document().map_err(|error: Diagnostic| {
        let message = match source.text.trim() {
            "" => "an empty file".to_owned(),
            _ => format!("this is no JSON: {}", error.message),
        };
        Diagnostic { message, ..error }
    })?;
    let mut document: DocumentTable<'_> = object(json, whole, "a plan")?;
    let name = text(json, document.name)?;
    let inside = document.plan.filter(|_| document.nodes.is_none());
    if let Some(plan) = inside {
        document = object(json, plan, "a plan")?;
    }
    let Some(raw) = document.nodes else {
        let place = start(&json.place_of(inside.unwrap_or(whole).get()));
        return Err(Diagnostic::at(&place, "no nodes: this is no plan", PLANS));
    };
    let tables = list(json, raw, "the nodes")?;
    if tables.is_empty() {
        let place = json.place_of(raw.get());
        return Err(Diagnostic::at(&place, "the plan has no nodes", PLANS));
    }
    let tables =
        tables.into_iter().map(|raw| Ok((raw, object::<NodeTable<'_>>(json, raw, "a node")?)));
    let tables = tables.collect::<Result<Vec<_>, Diagnostic>>()?;
    let shape = shape(&tables, inside.is_some());
    let nodes = tables.iter().map(|(raw, table)| node(json, raw, table));
    let nodes = nodes.collect::<Result<Vec<_>, _>>()?;
    let job = [name, text(json, document.name)?].into_iter().find(|name| !name.is_empty());
    build(job.unwrap_or_default(), shape, &nodes)
}

fn shape(tables: &[(&RawValue, NodeTable<'_>)], is_inside: bool) -> Shape {
    let any = |has: fn(&NodeTable<'_>) -> bool| tables.iter().any(|(_, table)| has(table));
    if any(|table| table.predecessors.is_some() || table.contents.is_some()) {
        Shape::ExecutionPlan
    } else if any(|table| table.job_vertex_id.is_some()) {
        Shape::StreamGraph
    } else if is_inside {
        Shape::Job
    } else {
        Shape::JobPlan
    }
}

fn remedy(message: &str) -> &'static str {
    if message.starts_with("invalid type") || message.contains("an id is") {
        "give a value of the expected kind"
    } else if message.starts_with("duplicate field") {
        "name each field once"
    } else {
        PLANS
    }
}

/// Reads what must be an object.
fn object<'s, T: Deserialize<'s>>(
    json: Json<'s>,
    raw: &'s RawValue,
    what: &str,
) -> Result<T, Diagnostic> {
    if raw.get().starts_with('{') {
        return json.read(raw);
    }
    let place = start(&json.place_of(raw.get()));
    Err(Diagnostic::at(&place, format!("{what} is an object, and this is none"), PLANS))
}

/// Reads what must be a list.
fn list<'s>(
    json: Json<'s>,
    raw: &'s RawValue,
    what: &str,
) -> Result<Vec<&'s RawValue>, Diagnostic> {
    if raw.get().starts_with('[') {
        return json.read(raw);
    }
    let place = start(&json.place_of(raw.get()));
    Err(Diagnostic::at(&place, format!("{what} are a list, and this is none"), PLANS))
}

/// Where something begins: the whole may be many lines.
fn start(place: &Place) -> Place {
    Place { source: Arc::clone(&place.source), span: place.span.start..place.span.start + 1 }
}

fn text<'s>(json: Json<'s>, raw: Option<&'s RawValue>) -> Result<String, Diagnostic> {
    Ok(raw.map(|raw| json.read::<String>(raw)).transpose()?.unwrap_or_default().trim().to_owned())
}

fn id<'s>(json: Json<'s>, raw: &'s RawValue) -> Result<Field, Diagnostic> {
    let Field { value, place }: Field<Id> = json.field(raw)?;
    let value = match value {
        Id::Text(text) => text,
        Id::Number(number) => number.to_string(),
    };
    Ok(Field { value, place })
}

fn node<'s>(
    json: Json<'s>,
    raw: &'s RawValue,
    table: &NodeTable<'s>,
) -> Result<ReadNode, Diagnostic> {
    let Some(id_of_node) = table.id else {
        let place = start(&json.place_of(raw.get()));
        return Err(Diagnostic::at(&place, "a node without an id", "give it an `id`"));
    };
    let id_of_node = id(json, id_of_node)?;
    let parallelism = parallelism(json, table.parallelism, &id_of_node)?;
    let mut description = String::new();
    for raw in [table.description, table.contents, table.operator] {
        if description.is_empty() {
            description = unescaped(&text(json, raw)?);
        }
    }
    if description.is_empty() {
        description = format!("node {}", id_of_node.value);
    }
    let mut inputs = Vec::new();
    for list in [table.inputs, table.predecessors].into_iter().flatten() {
        for input in self::list(json, list, "the inputs")? {
            inputs.push(self::input(json, input)?);
        }
    }
    let vertex = Some(text(json, table.job_vertex_id)?).filter(|vertex| !vertex.is_empty());
    Ok(ReadNode { id: id_of_node, description, parallelism, inputs, vertex })
}

fn parallelism<'s>(
    json: Json<'s>,
    raw: Option<&'s RawValue>,
    node: &Field,
) -> Result<Field<u32>, Diagnostic> {
    let Some(raw) = raw else {
        return Err(Diagnostic::at(
            &node.place,
            format!("node {} has no parallelism", node.value),
            "give it a `parallelism`: how many subtasks it has",
        ));
    };
    let (written, place) = (raw.get(), json.place_of(raw.get()));
    match written.parse() {
        Ok(value) if value > 0 => Ok(Field { value, place }),
        _ => Err(Diagnostic::at(
            &place,
            format!("node {} has parallelism {written}", node.value),
            "write how many subtasks it has, at least 1; Flink prints less where it has yet to decide",
        )),
    }
}

fn input<'s>(json: Json<'s>, raw: &'s RawValue) -> Result<(Field, Field<Strategy>), Diagnostic> {
    let table: InputTable<'_> = object(json, raw, "an input")?;
    let Some(from) = table.id else {
        let place = start(&json.place_of(raw.get()));
        let remedy = "give it the `id` of the node that it comes from";
        return Err(Diagnostic::at(&place, "an input without an id", remedy));
    };
    let from = id(json, from)?;
    let Some(strategy) = table.ship_strategy else {
        return Err(Diagnostic::at(
            &from.place,
            format!("the input from node {} has no ship_strategy", from.value),
            format!("give it a `ship_strategy`: {}", strategies()),
        ));
    };
    let Field { value, place }: Field = json.field(strategy)?;
    let known = Strategy::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(&value));
    let Some(known) = known else {
        return Err(Diagnostic::at(
            &place,
            format!("edges shipped by {value} cannot be checked"),
            unsupported(&value),
        ));
    };
    Ok((from, Field { value: known, place }))
}

fn strategies() -> String {
    Strategy::ALL.iter().map(|strategy| strategy.name()).join(", ")
}

/// What comes nearest to a strategy that cannot be checked.
fn unsupported(strategy: &str) -> String {
    match strategy.to_ascii_uppercase().as_str() {
        "RESCALE" => {
            "write REBALANCE: each subtask then has the channels to all subtasks, and not only to its share"
                .to_owned()
        }
        "SHUFFLE" | "CUSTOM" => "write REBALANCE: it has the same channels, and each record goes on \
                                 one of them"
            .to_owned(),
        "GLOBAL" => "write HASH, and give the receiving task parallelism 1".to_owned(),
        _ => format!("the strategies are {}", strategies()),
    }
}
