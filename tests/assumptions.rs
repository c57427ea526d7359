//! Networks that break one assumption: which claims fall, which algorithm does not need it, and that
//! searches, traces and pictures cope.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
    pub(crate) mod scripted;
}

use std::collections::BTreeMap;
use std::sync::Arc;

use snapcheck::assumptions::{NETWORKS, Options as MatrixOptions, TOPOLOGIES, assumptions};
use snapcheck::check::{Options, Report, Status, Traces, check, irreducible};
use snapcheck::diagnostic::Source;
use snapcheck::engines::{EngineKind, Limits};
use snapcheck::instance::Instance;
use snapcheck::models::algorithms::{LaiYang, Marker, StopTheWorld, Whites};
use snapcheck::models::claim::{Claim, Kind};
use snapcheck::models::network::Network;
use snapcheck::models::process::{AlgorithmInfo, Process, SnapshotAlgorithm};
use snapcheck::models::topology::{ChannelId, Topology};
use snapcheck::picture::SpaceTime;
use snapcheck::registry::Registry;
use snapcheck::system::{ActionKind, Reduction};
use snapcheck::trace_file;
use snapcheck::verdict::Verdict;
use support::command::{run, stdout};
use support::scripted::scripted;

fn on(
    registry: &Registry,
    algorithm: &str,
    topology: &str,
    messages: u16,
    network: &str,
) -> Instance {
    scripted(registry, algorithm, topology, messages, &format!("network = \"{network}\""))
}

fn report(registry: &Registry, instance: &Instance, options: &Options) -> Report {
    check(registry, instance, &Options { traces: Traces::None, ..options.clone() }, &|_| ())
}

fn violated(report: &Report) -> Vec<Claim> {
    let safety = report.claims.iter().filter(|claim| claim.claim.kind() == Kind::Safety);
    safety.filter(|c| c.verdict == Verdict::Violated).map(|c| c.claim).collect()
}

fn falls(
    registry: &Registry,
    algorithm: &str,
    topology: &str,
    messages: u16,
    network: &str,
) -> Vec<Claim> {
    let instance = on(registry, algorithm, topology, messages, network);
    violated(&report(registry, &instance, &Options::default()))
}

#[test]
fn lai_yang_needs_no_order_where_chandy_lamport_does() {
    let registry = Registry::bundled();
    for (topology, messages) in
        [("line(2)", 2), ("complete(2)", 2), ("fan-in(2)", 1), ("ring(3)", 1)]
    {
        let needed = [Claim::ConsistentCut, Claim::ExactChannelState];
        let fallen = falls(&registry, "chandy-lamport", topology, messages, "unordered");
        assert!(needed.iter().all(|claim| fallen.contains(claim)), "{topology}: {fallen:?}");
        for network in ["unordered", "fifo"] {
            let instance = on(&registry, "lai-yang", topology, messages, network);
            let report = report(&registry, &instance, &Options::default());
            assert_eq!(report.status(), Status::AsExpected, "{topology} {network}");
            let fallen = violated(&report);
            assert!(fallen.iter().all(|claim| *claim == Claim::EmptyChannelState), "{fallen:?}");
        }
    }
}

#[test]
fn each_assumption_carries_claims_of_its_own() {
    let registry = Registry::bundled();
    let topology = |text: &str| (text.to_owned(), Topology::parse(text).unwrap());
    let options = MatrixOptions {
        algorithms: registry.algorithms(),
        topologies: TOPOLOGIES.map(topology).to_vec(),
        networks: NETWORKS.to_vec(),
        messages: 1,
        limits: Limits::default(),
    };
    let matrix = assumptions(&registry, &options, &|_| ());
    assert_eq!(matrix.status(), Status::AsExpected);
    let fallen: BTreeMap<_, _> = matrix
        .rows
        .iter()
        .flat_map(|row| row.cells.iter().map(move |cell| (row.algorithm.name, cell)))
        .map(|(name, cell)| {
            let falls = cell.falls();
            let claims: Vec<_> = falls.iter().map(|fall| fall.claim.claim).collect();
            assert!(falls.iter().all(|fall| fall.steps().is_some()));
            ((name, cell.network.name()), claims)
        })
        .collect();
    for info in registry.algorithms() {
        assert_eq!(fallen[&(info.name, "fifo")], [], "{}", info.name);
    }
    let of = |name, network: Network| fallen[&(name, network.name())].as_slice();
    let chandy_lamport = |network| of("chandy-lamport", network);
    let (cut, state) = (Claim::ConsistentCut, Claim::ExactChannelState);
    assert_eq!(chandy_lamport(Network::Unordered), [cut, state]);
    assert_eq!(chandy_lamport(Network::Lossy(1)), [cut, state, Claim::Terminates]);
    assert_eq!(chandy_lamport(Network::Duplicating(1)), [state]);
    assert_eq!(of("lai-yang", Network::Unordered), []);
    assert_eq!(of("lai-yang", Network::Lossy(1)), [Claim::Terminates]);
    assert_eq!(of("lai-yang", Network::Duplicating(1)), [state]);
    assert_eq!(of("clock", Network::Lossy(1)), [], "it sends nothing that could be lost");
    assert!(of("stop-the-world", Network::Unordered).contains(&Claim::EmptyChannelState));
}

#[test]
fn the_engines_agree_off_fifo() {
    let registry = Registry::bundled();
    for algorithm in ["chandy-lamport", "flink-aligned", "lai-yang"] {
        for network in ["unordered", "lossy(2)", "duplicating(1)"] {
            let instance = on(&registry, algorithm, "complete(2)", 1, network);
            let found = EngineKind::ALL.map(|engine| {
                let options = Options { engine, ..Options::default() };
                let report = report(&registry, &instance, &options);
                let found = report.explored.clone();
                let verdicts: Vec<_> = report.claims.iter().map(|c| (c.claim, c.verdict)).collect();
                (found.unique, found.generated, found.outcomes, found.consistent_outcomes, verdicts)
            });
            assert!(found.iter().all(|each| *each == found[0]), "{algorithm} {network}: {found:?}");
        }
    }
}

#[test]
fn symmetry_finds_the_same_off_fifo_and_reduction_is_refused() {
    let registry = Registry::bundled();
    let symmetry = Options {
        reduction: Reduction { symmetry: true, interleavings: false },
        ..Options::default()
    };
    for network in ["unordered", "lossy(1)", "duplicating(1)"] {
        let instance = on(&registry, "general", "complete(2)", 1, network);
        let whole = report(&registry, &instance, &Options::default());
        let fewer = report(&registry, &instance, &symmetry);
        assert!(fewer.explored.unique < whole.explored.unique, "{network}");
        assert_eq!(fewer.explored.outcomes, whole.explored.outcomes, "{network}");
        assert_eq!(violated(&fewer), violated(&whole), "{network}");
        assert!(irreducible(&registry, &instance).is_some(), "{network}");
    }
    let fifo = on(&registry, "general", "complete(2)", 1, "fifo");
    assert!(irreducible(&registry, &fifo).is_none());
}

/// A loss, a duplicate and a message that overtakes: each is told, saved, replayed and drawn.
#[test]
fn runs_off_fifo_are_replayed_and_drawn() {
    let registry = Registry::bundled();
    let cases = [
        ("unordered", Claim::ConsistentCut, None),
        ("lossy(1)", Claim::Terminates, Some(ActionKind::Lose)),
        ("duplicating(1)", Claim::ExactChannelState, Some(ActionKind::Duplicate)),
    ];
    for (network, claim, fault) in cases {
        let instance = on(&registry, "chandy-lamport", "line(2)", 2, network);
        let runner = registry.runner(&instance);
        let trace = runner.shortest(&instance, claim, Limits::default()).unwrap().trace;
        let faults: Vec<_> = trace.steps.iter().map(|step| step.action).collect();
        assert!(fault.is_none_or(|fault| faults.contains(&fault)), "{faults:?}");

        let text = trace_file::write(&instance, claim, &trace);
        let source = Arc::new(Source { name: "saved".to_owned(), text });
        let file = trace_file::parse(source, &registry.infos()).unwrap();
        assert_eq!(file.instance.setup.network, instance.setup.network);
        let steps: Vec<_> = file.steps.into_iter().map(|step| step.value).collect();
        let replayed = runner.replay(&file.instance, &steps).unwrap();
        assert_eq!(replayed.trace.steps, trace.steps);
        assert_eq!(replayed.first_deciding(claim), Some(trace.steps.len()));

        let picture = SpaceTime::of(&trace, &trace.last[0], &instance.setup.topology);
        let lost = picture.arrows.iter().filter(|arrow| arrow.lost.is_some()).count();
        let doubled = picture.arrows.iter().filter(|arrow| arrow.doubled.is_some()).count();
        assert_eq!(lost, usize::from(fault == Some(ActionKind::Lose)));
        assert_eq!(doubled, usize::from(fault == Some(ActionKind::Duplicate)));
        for step in trace.steps.iter().filter(|step| step.action == ActionKind::Receive) {
            let arrived = |arrow: &&snapcheck::picture::Arrow| arrow.received == Some(step.step);
            let arrow = picture.arrows.iter().find(arrived).unwrap();
            assert_eq!(arrow.what, step.arrival(), "arrows end where what they show arrives");
        }
    }
}

const fn mutant(twin: AlgorithmInfo, name: &'static str) -> AlgorithmInfo {
    AlgorithmInfo { name, ..twin }
}

/// Chandy–Lamport in all but that it holds the application back until all markers are in.
struct Pauses;

impl SnapshotAlgorithm for Pauses {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(StopTheWorld::INFO, "pauses");

    fn on_initiate(process: &mut Process<'_, Self>) {
        process.pause();
        process.record_state();
        process.send_on_all_outputs(&Marker);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.close(channel);
        if process.all_inputs_closed() {
            process.resume();
        }
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
        }
    }
}

#[test]
fn withheld_sends_block_though_no_channel_is_blocked() {
    let registry = Registry::with_variant::<Pauses>();
    let fallen = falls(&registry, "pauses", "complete(2)", 1, "fifo");
    assert_eq!(fallen, [Claim::EmptyChannelState, Claim::NeverBlocks], "its pauses end");
    let blocked = |name| {
        let instance = on(&registry, name, "complete(2)", 1, "fifo");
        let report = report(&registry, &instance, &Options::default());
        let witness = report.claims.iter().find(|c| c.claim == Claim::ChannelBlocked);
        witness.unwrap().verdict
    };
    assert_eq!(blocked("pauses"), Verdict::Violated);
    // A source without inputs is never told to go on.
    assert!(falls(&registry, "pauses", "line(2)", 1, "fifo").contains(&Claim::Terminates));
}

/// The group photograph of which everybody walks away as soon as he is on it.
struct WalksAway;

impl SnapshotAlgorithm for WalksAway {
    type Control = Marker;
    type State = ();
    const INFO: AlgorithmInfo = mutant(StopTheWorld::INFO, "walks-away");

    fn on_initiate(process: &mut Process<'_, Self>) {
        if !process.is_paused() {
            process.pause();
            process.send_on_all_outputs(&Marker);
            leave_if_drained(process);
        }
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Marker: Marker) {
        if !process.has_recorded() {
            Self::on_initiate(process);
        }
        process.close(channel);
        leave_if_drained(process);
    }

    fn on_message(_: &mut Process<'_, Self>, _: ChannelId) {}
}

fn leave_if_drained(process: &mut Process<'_, WalksAway>) {
    if process.all_inputs_closed() {
        process.record_state();
        process.resume();
    }
}

#[test]
fn going_on_before_all_have_recorded_breaks_the_cut() {
    let registry = Registry::with_variant::<WalksAway>();
    let central = "coordinator = \"central\"";
    let fallen = |name| {
        let instance = scripted(&registry, name, "fan-in(2)", 1, central);
        violated(&report(&registry, &instance, &Options::default()))
    };
    assert!(fallen("walks-away").contains(&Claim::ConsistentCut));
    assert_eq!(fallen("stop-the-world"), [Claim::NeverBlocks]);
}

/// Records, and tells how much was sent, as Lai and Yang do.
fn begin<A: SnapshotAlgorithm<Control = Whites>>(process: &mut Process<'_, A>) {
    process.record_state();
    for &channel in process.outputs() {
        process.send(channel, Whites(process.sent(channel)));
    }
}

/// Lai and Yang without colours: only a count makes a process record, and everything is white.
struct ColourBlind;

impl ColourBlind {
    fn close_if_all_are_in(process: &mut Process<'_, Self>, channel: ChannelId) {
        let before = usize::from(process.received_before_record(channel));
        let received = before + process.stored(channel);
        if process.memory.get(&channel).is_some_and(|&sent| received >= usize::from(sent)) {
            process.close(channel);
        }
    }
}

impl SnapshotAlgorithm for ColourBlind {
    type Control = Whites;
    type State = BTreeMap<ChannelId, u16>;
    const INFO: AlgorithmInfo = mutant(LaiYang::INFO, "colour-blind");

    fn on_initiate(process: &mut Process<'_, Self>) {
        begin(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, Whites(sent): Whites) {
        if !process.has_recorded() {
            begin(process);
        }
        process.memory.insert(channel, sent);
        Self::close_if_all_are_in(process, channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.is_recording(channel) {
            process.store(channel);
            Self::close_if_all_are_in(process, channel);
        }
    }
}

/// Lai and Yang that do not wait for white messages behind their count.
struct Impatient;

impl SnapshotAlgorithm for Impatient {
    type Control = Whites;
    type State = BTreeMap<ChannelId, u16>;
    const INFO: AlgorithmInfo = mutant(LaiYang::INFO, "impatient");
    const COLOURS_MESSAGES: bool = true;

    fn on_initiate(process: &mut Process<'_, Self>) {
        begin(process);
    }

    fn on_control(process: &mut Process<'_, Self>, channel: ChannelId, _: Whites) {
        if !process.has_recorded() {
            begin(process);
        }
        process.close(channel);
    }

    fn on_message(process: &mut Process<'_, Self>, channel: ChannelId) {
        if process.message_is_red() && !process.has_recorded() {
            begin(process);
        } else if process.is_recording(channel) && !process.message_is_red() {
            process.store(channel);
        }
    }
}

#[test]
fn without_counts_white_messages_are_missed_out_of_order_only() {
    let registry = Registry::with_variant::<Impatient>();
    let fallen = |network| falls(&registry, "impatient", "complete(2)", 2, network);
    assert_eq!(fallen("fifo"), [Claim::EmptyChannelState]);
    assert_eq!(fallen("unordered"), [Claim::ExactChannelState, Claim::EmptyChannelState]);
}

#[test]
fn without_colours_the_cut_falls_out_of_order_only() {
    let registry = Registry::with_variant::<ColourBlind>();
    let fallen = |network| falls(&registry, "colour-blind", "complete(2)", 2, network);
    assert_eq!(fallen("fifo"), [Claim::EmptyChannelState]);
    let unordered = fallen("unordered");
    assert!(unordered.contains(&Claim::ConsistentCut), "{unordered:?}");
    assert!(unordered.contains(&Claim::ExactChannelState), "{unordered:?}");
}

#[test]
fn the_command_shows_the_runs_of_one_algorithm_and_refuses_nonsense() {
    let arguments = ["assumptions", "--algorithm", "lai-yang", "--network", "lossy(1)"];
    let output = run(&arguments);
    let text = stdout(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("terminates is violated after 6 steps"), "{text}");
    assert!(text.contains("is LOST"), "{text}");
    for (option, value, said) in [
        ("--network", "lossy(0)", "lossy channels cannot have `0` faults"),
        ("--network", "lossy", "does not say how often"),
        ("--network", "stormy", "unknown network `stormy`"),
        ("--algorithm", "lai", "unknown algorithm `lai`"),
        ("--topology", "p -> ", "--topology"),
    ] {
        let output = run(&["assumptions", option, value]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(said), "{text}");
    }
}
