//! The invariant of the proofs: who keeps it and where, what follows from it, and what breaks it alone.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod scripted;
    pub(crate) mod small;
}

use snapcheck::check::{ClaimReport, Options, Report, Traces, check};
use snapcheck::engines::EngineKind;
use snapcheck::instance::{Instance, bundled};
use snapcheck::models::algorithms::{Barrier, ChandyLamport, FlinkAligned, Marker, Universal};
use snapcheck::models::claim::{Claim, Kind};
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::setup::{DefaultInitiators, Setup};
use snapcheck::models::topology::ChannelId;
use snapcheck::registry::Registry;
use snapcheck::verdict::{Expected, Verdict};
use support::scripted::scripted;
use support::small::small_setups;

fn judge(registry: &Registry, instance: &Instance, claims: &[Claim]) -> Report {
    let options = Options { traces: Traces::None, claims: claims.to_vec(), ..Options::default() };
    check(registry, instance, &options, &|_| ())
}

fn verdict(report: &Report, claim: Claim) -> Verdict {
    report.claims.iter().find(|found| found.claim == claim).unwrap().verdict
}

#[test]
fn every_instance_on_which_it_is_promised_expects_it() {
    let registry = Registry::bundled();
    let mut instances = bundled::all(&registry.infos()).unwrap();
    instances.retain(|i| i.setup.is_simple() && i.promises(Claim::ProofInvariant));
    for instance in &instances {
        let expected = instance.expect.claims.get(&Claim::ProofInvariant);
        let name = &instance.name;
        assert_eq!(expected.map(|e| e.verdict), Some(Verdict::Holds), "{name}");
        assert!(instance.expect.claims.contains_key(&Claim::MarkerBehindMessage), "{name}");
    }
    assert!(instances.len() >= 45, "only {} instances", instances.len());
}

#[test]
fn it_is_judged_only_where_somebody_asks_and_it_applies() {
    let registry = Registry::bundled();
    let is_asked = |instance: &Instance| {
        let report = judge(&registry, instance, &[]);
        report.claims.iter().any(|found| found.claim.on_request())
    };
    let mut instance = scripted(&registry, "universal", "line(2)", 1, "");
    assert!(!is_asked(&instance));
    let holds = Expected { verdict: Verdict::Holds, steps: None };
    instance.expect.claims.insert(Claim::ProofInvariant, holds);
    assert!(is_asked(&instance));
    for (algorithm, more) in [
        ("universal", "network = \"unordered\""),
        ("universal", "[channels]\nbuffers = true"),
        ("universal", "may-finish = [\"p0\"]"),
        ("universal", "coordinator = \"central\"\n[recovery]\ncheckpoints = 2"),
        ("universal", "coordinator = \"central\"\n[recovery]\naborts = 1"),
        ("clock", ""),
    ] {
        let instance = scripted(&registry, algorithm, "line(2)", 1, more);
        let report = judge(&registry, &instance, &[Claim::ProofInvariant]);
        let found = verdict(&report, Claim::ProofInvariant);
        assert_eq!(found, Verdict::NotApplicable, "{algorithm} {more}");
    }
}

/// Where an algorithm keeps it, exactly; none where no condition is known. More keep it than promise it:
/// the proofs are of some.
fn is_kept(algorithm: &str, setup: &Setup) -> Option<bool> {
    match algorithm {
        "general" | "universal" | "chandy-lamport" | "flink-unaligned" => Some(true),
        "flink-aligned" | "flink-aligned-timeout" => Some(setup.initiators_have_no_inputs()),
        "flink-aligned-cyclic" => Some(setup.initiators_have_back_edges_only()),
        "flink-at-least-once" => {
            Some(setup.initiators_have_no_inputs() && setup.inputs_are_single())
        }
        _ => None,
    }
}

/// What is judged on every small setup: the invariant, and what follows from it.
const FOLLOWING: [Claim; 3] =
    [Claim::ProofInvariant, Claim::ConsistentCut, Claim::ExactChannelState];

/// How often each algorithm keeps it, of how many setups.
fn surveyed(messages: u16, more: &str, most: usize) -> Vec<(&'static str, usize, usize)> {
    let registry = Registry::bundled();
    let markers = registry.algorithms().into_iter().filter(|info| info.sends_markers);
    let survey = markers.map(|info| {
        let (mut kept, mut setups) = (0, 0);
        for (topology, initiators) in &small_setups() {
            if topology.matches("->").count() > most {
                continue;
            }
            // A coordinator of some tells every process to begin, whoever it might be else.
            let all = info.default_initiators == DefaultInitiators::All && !more.is_empty();
            let initiators = if all { "" } else { initiators };
            let more = format!("{initiators}\n{more}");
            let instance = scripted(&registry, info.name, topology, messages, &more);
            let report = judge(&registry, &instance, &FOLLOWING);
            let [holds, cut, exact] =
                FOLLOWING.map(|claim| verdict(&report, claim) == Verdict::Holds);
            let place = format!("{} on {topology}, {more}", info.name);
            assert!(!holds || (cut && exact), "{place}: the rest follows");
            assert!(holds || !instance.promises(Claim::ProofInvariant), "{place}: promised");
            if let Some(condition) = is_kept(info.name, &instance.setup) {
                assert_eq!(holds, condition, "{place}");
            }
            kept += usize::from(holds);
            setups += 1;
        }
        (info.name, kept, setups)
    });
    survey.collect()
}

#[test]
fn who_keeps_it_and_where_on_every_small_setup() {
    let found = surveyed(1, "", 4);
    let kept = |name| found.iter().find(|(found, ..)| *found == name).unwrap().1;
    assert_eq!(found[0].2, small_setups().len());
    // A part only, where no condition is known, or where one is.
    for name in ["general-literal", "general-literal-forgetful", "stop-the-world"] {
        assert!(0 < kept(name) && kept(name) < found[0].2, "{name}");
    }
    assert_eq!(kept("flink-aligned"), kept("flink-aligned-timeout"));
    assert!(kept("flink-at-least-once") < kept("flink-aligned"));
    assert!(kept("flink-aligned") < kept("flink-aligned-cyclic"));
    assert_eq!(kept("universal"), found[0].2);
}

#[test]
fn it_is_kept_with_more_messages_and_with_any_coordinator() {
    surveyed(2, "", 2);
    surveyed(1, "coordinator = \"central\"", 2);
    surveyed(1, "coordinator = \"p0\"", 2);
}

#[test]
fn every_engine_judges_it_alike() {
    let registry = Registry::bundled();
    for (algorithm, topology, initiators) in [
        ("chandy-lamport", "p0 -> p0, p0 -> p1", "\"p0\", \"p1\""),
        ("general", "complete(2)", "\"p0\", \"p1\""),
        ("flink-aligned", "fan-in(2)", "\"p0\", \"p1\""),
        ("flink-aligned", "ring(3)", "\"p0\""),
        ("general-literal", "line(2)", "\"p0\", \"p1\""),
        ("stop-the-world", "complete(2)", "\"p0\", \"p1\""),
    ] {
        let more = format!("initiators = [{initiators}]\ncoordinator = \"p1\"");
        let instance = scripted(&registry, algorithm, topology, 1, &more);
        let verdicts = EngineKind::ALL.map(|engine| {
            let claims = vec![Claim::ProofInvariant, Claim::MarkerBehindMessage];
            let options = Options { engine, claims, traces: Traces::None, ..Options::default() };
            let report = check(&registry, &instance, &options, &|_| ());
            report.claims.iter().map(|found| (found.claim, found.verdict)).collect::<Vec<_>>()
        });
        assert!(verdicts.iter().all(|found| *found == verdicts[0]), "{algorithm}: {verdicts:?}");
        assert!(verdicts[0].iter().all(|(_, verdict)| *verdict != Verdict::NotApplicable));
    }
}

const fn mutant(twin: AlgorithmInfo, name: &'static str) -> AlgorithmInfo {
    AlgorithmInfo { name, ..twin }
}

/// The safety claims of which a mutant and its twin, which keeps the invariant, give other verdicts.
fn fallen<A: SnapshotAlgorithm>(twin: AlgorithmInfo, topology: &str, more: &str) -> Vec<Claim> {
    let registry = Registry::with_variant::<A>();
    let report = |algorithm| {
        let instance = scripted(&registry, algorithm, topology, 2, more);
        judge(&registry, &instance, &Claim::ALL)
    };
    let (right, wrong) = (report(twin.name), report(A::INFO.name));
    assert_eq!(verdict(&right, Claim::ProofInvariant), Verdict::Holds, "{}", twin.name);
    let safety = right.claims.iter().filter(|found| found.claim.kind() == Kind::Safety);
    let differs = |found: &&ClaimReport| found.verdict != verdict(&wrong, found.claim);
    safety.filter(differs).map(|found| found.claim).collect()
}

/// Chandy–Lamport as the mutants keep it; each changes one rule.
fn begin<A: SnapshotAlgorithm<Control = Marker>>(process: &mut Process<'_, A>) {
    process.record_state();
    process.send_on_all_outputs(&Marker);
}

fn marker<A: SnapshotAlgorithm<Control = Marker>>(
    process: &mut Process<'_, A>,
    channel: ChannelId,
) {
    if !process.has_recorded() {
        A::on_initiate(process);
    }
    process.close(channel);
}

fn message<A: SnapshotAlgorithm>(process: &mut Process<'_, A>, channel: ChannelId) {
    if process.is_recording(channel) {
        process.store(channel);
    }
}

/// The marker goes out twice; the second changes nothing any more.
struct SendsTwice;

impl SnapshotAlgorithm for SendsTwice {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(ChandyLamport::INFO, "sends-twice");

    fn on_initiate(process: &mut Process<'_, Self>) {
        begin(process);
        process.send_on_all_outputs(&Marker);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        marker(process, channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        message(process, channel);
    }
}

/// What comes before the record is stored, too.
struct StoresEarly;

impl SnapshotAlgorithm for StoresEarly {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(ChandyLamport::INFO, "stores-early");

    fn on_initiate(process: &mut Process<'_, Self>) {
        begin(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        marker(process, channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if !process.is_closed(channel) {
            process.store(channel);
        }
    }
}

/// Of each channel one message is kept at most.
struct KeepsOne;

impl SnapshotAlgorithm for KeepsOne {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(ChandyLamport::INFO, "keeps-one");

    fn on_initiate(process: &mut Process<'_, Self>) {
        begin(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        marker(process, channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.stored(channel) == 0 {
            message(process, channel);
        }
    }
}

/// No other claim sees these: of the marker they ask only where the first is, and of a recording only what
/// it holds in the end, which it has not where nobody closes it.
#[test]
fn some_mistakes_break_nothing_but_the_invariant() {
    let only = [Claim::ProofInvariant];
    assert_eq!(fallen::<SendsTwice>(ChandyLamport::INFO, "complete(2)", ""), only);
    assert_eq!(fallen::<SendsTwice>(ChandyLamport::INFO, "line(2)", ""), only);
    let at_the_end = "initiators = [\"p1\"]";
    assert_eq!(fallen::<StoresEarly>(ChandyLamport::INFO, "line(2)", at_the_end), only);
    assert_eq!(fallen::<KeepsOne>(ChandyLamport::INFO, "line(2)", at_the_end), only);
    // Where it is closed, they are seen.
    for fallen in [
        fallen::<StoresEarly>(ChandyLamport::INFO, "complete(2)", ""),
        fallen::<KeepsOne>(ChandyLamport::INFO, "complete(2)", ""),
    ] {
        let both = [Claim::ExactChannelState, Claim::ProofInvariant];
        assert!(both.iter().all(|claim| fallen.contains(claim)), "{fallen:?}");
    }
}

/// The specification without its one rule: it is read on behind a marker before the record.
struct ReadsOn;

impl SnapshotAlgorithm for ReadsOn {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(Universal::INFO, "reads-on");

    fn on_initiate(process: &mut Process<'_, Self>) {
        begin(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        process.close(channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        message(process, channel);
    }
}

/// The barrier goes out when the first has come in, before the record.
struct ForwardsEarly;

impl SnapshotAlgorithm for ForwardsEarly {
    type Control = Barrier;
    /// Whether the barriers are out.
    type State = bool;
    const INFO: AlgorithmInfo = mutant(FlinkAligned::INFO, "forwards-early");

    fn on_initiate(process: &mut Process<'_, Self>) {
        if !std::mem::replace(process.memory, true) {
            process.send_on_all_outputs(&Barrier);
        }
        process.record_state();
        process.close_all_inputs();
        process.unblock_all_inputs();
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Barrier: Barrier) {
        if !std::mem::replace(process.memory, true) {
            process.send_on_all_outputs(&Barrier);
        }
        process.close(channel);
        process.block(channel);
        if process.all_inputs_closed() {
            Self::on_initiate(process);
        }
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

#[test]
fn what_breaks_the_cut_breaks_the_invariant() {
    let both = [Claim::ConsistentCut, Claim::ProofInvariant];
    let reads_on = fallen::<ReadsOn>(Universal::INFO, "line(2)", "");
    assert!(both.iter().all(|claim| reads_on.contains(claim)), "{reads_on:?}");
    let topology = "p0 -> p2, p1 -> p2, p2 -> p3";
    let forwards_early = fallen::<ForwardsEarly>(FlinkAligned::INFO, topology, "");
    let marker = [Claim::MarkerArithmetic, Claim::ProofInvariant];
    assert!(marker.iter().all(|claim| forwards_early.contains(claim)), "{forwards_early:?}");
}
