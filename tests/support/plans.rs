//! Plans of Flink jobs, and `import` run on them.

use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use super::command::{snapcheck, stdout};

/// A folder with one plan in it.
pub(crate) fn folder(name: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    folder
}

pub(crate) fn import(folder: &TempDir, arguments: &[&str]) -> Output {
    let all = [&["import"][..], arguments].concat();
    snapcheck(&all).current_dir(folder.path()).output().unwrap()
}

/// The answers as data.
pub(crate) fn json(plan: &str, more: &[&str]) -> Value {
    let folder = folder("plan.json", plan);
    let output = import(&folder, &[&["plan.json", "--format", "json"][..], more].concat());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// A node of a plan: id, parallelism and inputs, each as id and strategy.
#[allow(dead_code, reason = "not every test makes plans")]
pub(crate) type Node = (&'static str, u32, &'static [(&'static str, &'static str)]);

/// A plan from its nodes.
#[allow(dead_code, reason = "not every test makes plans")]
pub(crate) fn plan(nodes: &[Node]) -> String {
    let node = |(id, parallelism, inputs): &Node| {
        let input = |(id, strategy): &(&str, &str)| {
            format!("{{\"id\": \"{id}\", \"ship_strategy\": \"{strategy}\"}}")
        };
        let inputs = inputs.iter().map(input).collect::<Vec<_>>().join(", ");
        format!(
            "{{\"id\": \"{id}\", \"parallelism\": {parallelism}, \"description\": \"{id}\", \
             \"inputs\": [{inputs}]}}"
        )
    };
    format!("{{\"nodes\": [{}]}}", nodes.iter().map(node).collect::<Vec<_>>().join(",\n"))
}
