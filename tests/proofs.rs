//! The proofs as far as they can be held without Coq: what is named exists, what is claimed is promised, nothing
//! is assumed. `.ci/run` has Coq check them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod scripted;
}

use std::path::{Path, PathBuf};

use itertools::Itertools;
use snapcheck::check::{Options, check};
use snapcheck::instance::bundled;
use snapcheck::models::algorithms::{ChandyLamport, Marker};
use snapcheck::models::claim::Kind;
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::proof::{PROOFS, proved_of};
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::{ChannelId, Topology};
use snapcheck::registry::Registry;
use snapcheck::render::json;
use snapcheck::verdict::Verdict;
use support::scripted::scripted;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs")
}

fn text(file: &str) -> String {
    std::fs::read_to_string(folder().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// The names of the files of the proofs, without their ending.
fn files() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files = names.filter_map(|name| name.strip_suffix(".v").map(ToOwned::to_owned));
    // Written and removed by the makefile.
    files.filter(|name| name != "Assumptions").sorted().collect()
}

/// What stands in comments taken out; they may be nested.
fn code(text: &str) -> String {
    let (mut depth, mut code) = (0, String::new());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = if rest.starts_with("(*") {
            depth += 1;
            2
        } else if rest.starts_with("*)") {
            depth -= 1;
            2
        } else {
            if depth == 0 {
                code.push(first);
            }
            first.len_utf8()
        };
        rest = &rest[taken..];
    }
    code
}

/// What stands in backticks in the proofs' README in the form `File.theorem`.
fn named() -> Vec<(String, String)> {
    let readme = text("README.md");
    let spans = readme.split('`').skip(1).step_by(2);
    let pairs = spans.filter_map(|span| span.split_once('.'));
    let theorems = pairs.filter(|(file, name)| {
        file.starts_with(|c: char| c.is_ascii_uppercase()) && !["v", "md"].contains(name)
    });
    theorems.map(|(file, name)| (file.to_owned(), name.to_owned())).collect()
}

#[test]
fn every_theorem_that_is_named_exists() {
    let named = named();
    assert!(named.len() > 60, "{} theorems are named", named.len());
    assert!(named.iter().all_unique(), "{:?}", named.iter().duplicates().collect_vec());
    for (file, theorem) in named {
        let code = code(&text(&format!("{file}.v")));
        let mut words = code.split_whitespace().tuple_windows();
        let stated = words.any(|(keyword, name)| {
            ["Theorem", "Corollary", "Lemma"].contains(&keyword)
                && name.trim_end_matches(':') == theorem
        });
        assert!(stated, "{file}.v does not state {theorem}");
    }
}

/// What is not worth a line there is a lemma.
#[test]
fn every_theorem_is_named() {
    let named = named();
    for file in files() {
        let code = code(&text(&format!("{file}.v")));
        let words = code.split_whitespace().tuple_windows();
        let theorems = words.filter(|(word, _)| ["Theorem", "Corollary"].contains(word));
        for (_, name) in theorems {
            let theorem = (file.clone(), name.trim_end_matches(':').to_owned());
            assert!(named.contains(&theorem), "{}.{} is not in the README", theorem.0, theorem.1);
        }
    }
}

#[test]
fn every_proof_is_in_the_readme_and_of_a_promise() {
    let (named, registry) = (named(), Registry::bundled());
    for proof in &PROOFS {
        let (file, theorem) = proof.theorem.split_once('.').unwrap();
        assert!(named.contains(&(file.to_owned(), theorem.to_owned())), "{}", proof.theorem);
        let info = registry.algorithms().into_iter().find(|info| info.name == proof.algorithm);
        let info = info.unwrap_or_else(|| panic!("no algorithm {}", proof.algorithm));
        for claim in proof.claims {
            let promise = info.promises.iter().find(|promise| promise.claim == *claim);
            assert!(promise.is_some(), "{} does not promise {claim:?}", proof.algorithm);
            assert_eq!(claim.kind(), Kind::Safety);
        }
    }
    assert_eq!(proved_of(PROOFS[0].claims[0]).count(), 5);
}

/// Where something is proved it is promised: on all setups with up to three processes, whoever begins.
#[test]
fn what_is_proved_is_promised() {
    let registry = Registry::bundled();
    let algorithms = registry.algorithms();
    let mut met = vec![0; PROOFS.len()];
    for topology in small_topologies() {
        for initiators in topology.processes().powerset().filter(|set| !set.is_empty()) {
            for coordinator in [Coordinator::None, Coordinator::Central] {
                let initiators = initiators.iter().copied().collect();
                let setup = Setup::new(topology.clone(), initiators, coordinator);
                for (proof, met) in PROOFS.iter().zip(&mut met) {
                    let info = algorithms.iter().find(|info| info.name == proof.algorithm).unwrap();
                    if !(proof.condition.holds)(&setup) {
                        continue;
                    }
                    *met += 1;
                    for claim in proof.claims {
                        let promise = info.promises.iter().find(|p| p.claim == *claim).unwrap();
                        assert!(promise.applies_to(&setup), "{}, {claim:?}", proof.algorithm);
                    }
                }
            }
        }
    }
    assert!(met.iter().all(|&times| times > 0), "a condition that nothing meets: {met:?}");
}

/// Those with two and three processes and any channels between them.
fn small_topologies() -> Vec<Topology> {
    let of = |names: &[&str]| {
        let pairs = names.iter().cartesian_product(names);
        let channels = pairs.map(|(source, target)| format!("{source} -> {target}")).collect_vec();
        let sets = channels.into_iter().powerset().filter(|set| !set.is_empty());
        sets.map(|set| Topology::parse(&set.join(", ")).unwrap()).collect_vec()
    };
    [of(&["p", "q"]), of(&["p", "q", "r"])].concat()
}

/// No bundled instance expects that what is proved of it falls; and something is proved of many.
#[test]
fn what_is_proved_falls_nowhere() {
    let registry = Registry::bundled();
    let mut proved = 0;
    for instance in bundled::all(&registry.infos()).unwrap() {
        for (&claim, expected) in &instance.expect.claims {
            if registry.proof(claim, &instance).is_some() {
                proved += 1;
                let kept = [Verdict::Holds, Verdict::NotApplicable].contains(&expected.verdict);
                assert!(kept, "{}, {claim:?}: {expected}", instance.name);
            }
        }
    }
    assert!(proved > 200, "{proved} verdicts");
}

/// What `check` says is proved: of bundled algorithms, where the theorems speak of the setup.
#[test]
fn a_verdict_names_its_theorem() {
    let theorem = |registry: &Registry, algorithm: &str, more: &str| {
        let instance = scripted(registry, algorithm, "complete(2)", 1, more);
        let report = check(registry, &instance, &Options::default(), &|_| ());
        let json: serde_json::Value = serde_json::from_str(&json::report(&report)).unwrap();
        let claims = json["claims"].as_array().unwrap();
        let cut = claims.iter().find(|found| found["claim"] == "consistent-cut").unwrap();
        cut["proved"].as_str().map(ToOwned::to_owned)
    };
    let bundled = Registry::bundled();
    let right = Some("Refinement.chandy_lamport_is_right".to_owned());
    assert_eq!(theorem(&bundled, "chandy-lamport", ""), right);
    assert_eq!(theorem(&bundled, "chandy-lamport", "coordinator = \"central\""), right);
    for outside in [
        "coordinator = \"p0\"",
        "network = \"unordered\"",
        "coordinator = \"central\"\n[recovery]\nfailovers = 1",
        "[channels]\nbuffers = true",
    ] {
        assert_eq!(theorem(&bundled, "chandy-lamport", outside), None, "{outside}");
    }
    assert_eq!(theorem(&bundled, "general-literal", ""), None);
    // On this graph everybody has an input, so that nobody is to begin.
    assert_eq!(theorem(&bundled, "flink-aligned", ""), None);
    let own = Registry::with_variant::<Namesake>();
    assert_eq!(theorem(&own, "chandy-lamport", ""), None);
    assert!(theorem(&own, "universal", "").is_some());
}

/// A user's own algorithm under the name of a bundled one.
struct Namesake;

impl SnapshotAlgorithm for Namesake {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = AlgorithmInfo { promises: &[], ..ChandyLamport::INFO };

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        process.close(channel);
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

#[test]
fn nothing_is_assumed() {
    let words = [
        "Axiom",
        "Axioms",
        "Parameter",
        "Parameters",
        "Conjecture",
        "Admitted",
        "admit",
        "Abort",
        "Unset",
        "bypass_check",
    ];
    for file in files() {
        let code = code(&text(&format!("{file}.v")));
        let mut found = code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let assumed = found.find(|word| words.contains(word));
        assert_eq!(assumed, None, "in {file}.v");
        // From the standard library comes nothing classical.
        assert!(
            !code.contains("Classical") && !code.contains("FunctionalExtensionality"),
            "{file}.v"
        );
    }
}

#[test]
fn every_file_says_what_it_proves_and_can_be_read_in_one_sitting() {
    let readme = text("README.md");
    for file in files() {
        let text = text(&format!("{file}.v"));
        assert!(text.starts_with(&format!("(** * {file}: ")), "{file}.v has no header");
        assert!(text.lines().count() <= 400, "{file}.v: look for the seam");
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{file}.v has long lines");
        assert!(readme.contains(&format!("`{file}.v`")), "{file}.v is not in the README");
    }
}
