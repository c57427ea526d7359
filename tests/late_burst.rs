//! What may just have been enabled depends on how many packets one step has sent at once. If that rises in the
//! middle of a search, what was known of views is forgotten (`engines/collapse/steps.rs`): with several
//! threads too, at a level that is large enough for them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use snapcheck::engines::{Bfs, Collapse, CollapseFull, Engine, Limits, Request};
use snapcheck::models::algorithms::ChandyLamport;
use snapcheck::models::application::{ActionWords, Application, Sends};
use snapcheck::models::claim::Claim;
use snapcheck::models::renaming::Renamed;
use snapcheck::models::setup::{Coordinator, Setup};
use snapcheck::models::topology::{ChannelId, ProcessId, Topology};
use snapcheck::system::SystemModel;

/// How many local steps the first process takes before its burst.
const PAUSE: u16 = 7;

/// Each process sends one message on each output; the first, once it has received all, sends two at once after
/// a pause.
struct LateBurst(Topology);

/// How often a process has acted and received.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Progress {
    acted: u16,
    received: u16,
}

impl Renamed for Progress {}

impl LateBurst {
    fn outputs(&self, process: ProcessId) -> &[ChannelId] {
        self.0.outputs(process)
    }
}

impl Application for LateBurst {
    type State = Progress;
    type Message = ();
    type Action = u16;

    fn start(&self, _: ProcessId) -> Progress {
        Progress::default()
    }

    fn enabled(&self, process: ProcessId, state: &Progress) -> Vec<u16> {
        let alone = self.outputs(process).len();
        let bursts = process.index() == 0 && usize::from(state.received) >= alone;
        let most = if bursts { alone + usize::from(PAUSE) + 1 } else { alone };
        (usize::from(state.acted) < most).then_some(state.acted).into_iter().collect()
    }

    fn act(&self, process: ProcessId, state: &mut Progress, at: &u16, sends: &mut Sends<()>) {
        let outputs = self.outputs(process);
        state.acted += 1;
        match usize::from(*at).checked_sub(outputs.len()) {
            None => sends.push((outputs[usize::from(*at)], ())),
            Some(paused) if paused == usize::from(PAUSE) => sends.extend([(outputs[0], ()); 2]),
            Some(_) => {}
        }
    }

    fn receive(
        &self,
        _: ProcessId,
        state: &mut Progress,
        _: ChannelId,
        (): &(),
        _: &mut Sends<()>,
    ) {
        state.received += 1;
    }

    fn always_ends(&self) -> bool {
        true
    }

    fn describe_state(&self, _: ProcessId, _: &Progress) -> String {
        String::new()
    }

    fn describe_message(&self, (): &()) -> String {
        String::new()
    }

    fn describe_action(&self, _: ProcessId, at: &u16) -> ActionWords {
        ActionWords::Internal(format!("step {at}"))
    }
}

#[test]
fn what_is_forgotten_in_a_large_level_is_found_out_again() {
    let topology = Topology::parse("complete(3)").unwrap();
    let initiators = topology.processes().take(1).collect();
    let setup = Arc::new(Setup::new(topology.clone(), initiators, Coordinator::None));
    let application = Arc::new(LateBurst(topology));
    let system = Arc::new(SystemModel::<LateBurst>::of::<ChandyLamport>(setup, application));
    let request = Request {
        claims: vec![Claim::ConsistentCut, Claim::Terminates],
        limits: Limits::default(),
        threads: 1,
    };
    let theirs = Bfs::explore(&system, &request, &|_| ());
    assert!(theirs.complete && theirs.unique > 300_000, "{}", theirs.unique);
    for threads in 1..=3 {
        let request = Request { threads, ..request.clone() };
        let ours = [
            Collapse::explore(&system, &request, &|_| ()),
            CollapseFull::explore(&system, &request, &|_| ()),
        ];
        for ours in ours {
            let counts = (ours.unique, ours.generated, ours.depth);
            assert_eq!(counts, (theirs.unique, theirs.generated, theirs.depth), "{threads}");
            assert_eq!(
                (ours.verdicts, ours.outcomes),
                (theirs.verdicts.clone(), theirs.outcomes.clone())
            );
        }
    }
}
