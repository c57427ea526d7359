//! A run as a log for ShiViz (<https://bestchai.bitbucket.io/shiviz/>): two lines for each step, with
//! the vector clock of whoever took it; what nobody takes is left out. A receive follows the very send of what it receives.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::claims::newest;
use crate::models::topology::Topology;
use crate::picture::{Arrow, Point, SpaceTime};
use crate::replay::Replay;

/// The expression by which ShiViz reads the log.
pub const PARSER: &str = r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)";

/// Per line of the picture, how many of its steps happened before.
type Clock = BTreeMap<usize, usize>;

/// The log.
#[must_use]
pub fn log(topology: &Topology, replay: &Replay) -> String {
    let picture = SpaceTime::of(&replay.trace, newest(&replay.trace.last), topology);
    let mut clocks = vec![Clock::new(); picture.lines.len()];
    // The clock of whoever sent, as it was with the send.
    let mut sends: BTreeMap<Point, Clock> = BTreeMap::new();
    let mut log = String::new();
    for step in replay.trace.steps.iter().filter(|step| step.action.is_taken()) {
        let line = picture.lines.iter().position(|name| *name == step.process);
        let line = line.expect("a run is taken by the lines of its picture");
        let at = Point { line, step: step.step };
        let arrives = |arrow: &&Arrow| arrow.received == Some(at.step) && arrow.to_line == line;
        for arrow in picture.arrows.iter().filter(arrives) {
            for (&other, &count) in &sends[&arrow.from] {
                let known = clocks[line].entry(other).or_default();
                *known = count.max(*known);
            }
        }
        *clocks[line].entry(line).or_default() += 1;
        sends.insert(at, clocks[line].clone());
        let clock = clocks[line].iter().map(|(&line, &count)| (&picture.lines[line], count));
        let clock: BTreeMap<_, _> = clock.collect();
        let clock = serde_json::to_string(&clock).expect("names and numbers are JSON");
        // An event is one line, whatever its words.
        let event = step.to_string().replace(['\n', '\r'], " ");
        let _ = writeln!(log, "{} {clock}\n{event}", step.process);
    }
    log
}
