//! Reports as JSON, one object per instance.

use itertools::Itertools;
use serde::Serialize;

use crate::check::{ClaimReport, Report, Status};
use crate::models::claim::{Claim, Kind};
use crate::models::topology::Topology;
use crate::system::TraceStep;
use crate::verdict::Verdict;

#[derive(Serialize)]
struct ReportJson<'r> {
    instance: &'r str,
    title: &'r str,
    algorithm: &'r str,
    topology: TopologyJson<'r>,
    initiators: Vec<&'r str>,
    application: &'r str,
    engine: &'static str,
    reduced: bool,
    symmetries: usize,
    #[serde(flatten)]
    simulation: Option<SimulationJson>,
    states: States,
    memory: Memory,
    outcomes: u64,
    consistent_outcomes: u64,
    complete: bool,
    seconds: f64,
    claims: Vec<ClaimJson<'r>>,
    /// Null where no claim needed history.
    history: Option<HistoryJson>,
    wrong_counts: &'r [String],
    ok: bool,
    inconclusive: bool,
    interrupted: bool,
}

/// Only of a simulation.
#[derive(Serialize)]
struct SimulationJson {
    runs: u64,
    seed: u64,
    max_steps: usize,
    runs_taken: u64,
    runs_ended: u64,
}

#[derive(Serialize)]
struct TopologyJson<'r> {
    processes: Vec<&'r str>,
    channels: Vec<[&'r str; 2]>,
}

#[derive(Serialize)]
struct States {
    unique: u64,
    generated: u64,
    depth: usize,
    per_second: u64,
}

#[derive(Serialize)]
struct HistoryJson {
    judged: u64,
    /// Null if they are too many.
    application_states: Option<usize>,
}

#[derive(Serialize)]
struct Memory {
    /// By the engine's own account; null if it keeps none.
    peak_bytes: Option<u64>,
}

#[derive(Serialize)]
struct ClaimJson<'r> {
    claim: Claim,
    kind: Kind,
    verdict: Verdict,
    promised: bool,
    /// The theorem in `proofs/` that says so of every such system.
    proved: Option<&'static str>,
    expected: Option<Verdict>,
    expected_steps: Option<usize>,
    vacuous: bool,
    /// Only of a simulation: the run of which the trace is what is left after shortening.
    #[serde(skip_serializing_if = "Option::is_none")]
    shortened_run: Option<u64>,
    trace: Option<&'r [TraceStep]>,
    explanation: Option<String>,
}

/// The report as one line of JSON.
#[must_use]
pub fn report(report: &Report) -> String {
    let instance = &report.instance;
    let topology = &instance.setup.topology;
    let explored = &report.explored;
    let json = ReportJson {
        instance: &instance.name,
        title: &instance.title,
        algorithm: instance.algorithm.name,
        topology: topology_json(topology),
        initiators: instance.setup.initiators.iter().map(|&p| topology.name(p)).collect(),
        application: &instance.application_text,
        engine: report.engine_name(),
        reduced: report.reduction.interleavings,
        symmetries: explored.symmetries,
        simulation: report.runs.map(|runs| SimulationJson {
            runs: runs.simulation.runs,
            seed: runs.simulation.seed,
            max_steps: runs.simulation.max_steps,
            runs_taken: runs.taken,
            runs_ended: runs.ended,
        }),
        states: States {
            unique: explored.unique,
            generated: explored.generated,
            depth: explored.depth,
            per_second: explored.states_per_second() as u64,
        },
        memory: Memory { peak_bytes: explored.peak_bytes },
        outcomes: explored.outcomes,
        consistent_outcomes: explored.consistent_outcomes,
        complete: explored.complete,
        seconds: report.elapsed.as_secs_f64(),
        claims: report.claims.iter().map(|claim| claim_json(claim, topology)).collect(),
        history: report.history.as_ref().map(|history| HistoryJson {
            judged: history.judged,
            application_states: history.alone,
        }),
        wrong_counts: &report.wrong_counts,
        ok: report.status() == Status::AsExpected,
        inconclusive: report.status() == Status::Inconclusive,
        interrupted: report.interrupted,
    };
    serde_json::to_string(&json).expect("a report has no maps and no unusual numbers")
}

fn topology_json(topology: &Topology) -> TopologyJson<'_> {
    let ends = |channel| {
        let ends = topology.channel(channel);
        [topology.name(ends.source), topology.name(ends.target)]
    };
    TopologyJson {
        processes: topology.names().collect_vec(),
        channels: topology.channels().map(ends).collect(),
    }
}

fn claim_json<'r>(report: &'r ClaimReport, topology: &Topology) -> ClaimJson<'r> {
    let trace = report.shown.as_ref().map(|shown| &shown.trace);
    ClaimJson {
        claim: report.claim,
        kind: report.claim.kind(),
        verdict: report.verdict,
        promised: report.promised,
        proved: report.proof.map(|proof| proof.theorem),
        expected: report.expected.map(|expected| expected.verdict),
        expected_steps: report.expected.and_then(|expected| expected.steps),
        vacuous: report.vacuous,
        shortened_run: report.run.filter(|_| trace.is_some()),
        trace: trace.map(|trace| trace.steps.as_slice()),
        explanation: trace.and_then(|trace| super::explain(report.claim, &trace.last, topology)),
    }
}
