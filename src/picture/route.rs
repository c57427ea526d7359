//! The way of an arrow: straight across, or along a process's line as long as it waits in a queue there.

use super::{Arrow, SpaceTime};
use crate::system::Sent;

/// How far beside the line of a process messages wait.
const MESSAGES: usize = 9;

/// How far beside it the rest waits, so that it can be seen to overtake.
const REST: usize = 15;

/// Where things are in a picture, in pixels.
pub(super) struct Scale {
    /// Of a step.
    pub x: fn(usize) -> usize,
    /// Of a line.
    pub y: fn(usize) -> usize,
    /// Where lines end.
    pub end: usize,
}

/// The way of an arrow.
pub(super) struct Route {
    /// Its points.
    pub points: Vec<(usize, usize)>,
    /// Where among them the stretch begins that is named.
    pub named: usize,
}

/// Whether channels are buffered, as far as the run shows.
pub(super) fn is_buffered(picture: &SpaceTime) -> bool {
    picture.arrows.iter().any(|arrow| arrow.out.is_some() || arrow.arrived.is_some())
}

/// The way of `arrow`, which ends in the open if it is in flight or lost at last.
pub(super) fn route(picture: &SpaceTime, arrow: &Arrow, scale: &Scale) -> Route {
    let start = ((scale.x)(arrow.from.step), (scale.y)(arrow.from.line));
    let target = (scale.y)(arrow.to_line);
    let stops = arrow.lost.map_or(scale.end, scale.x) - 8;
    let across = |from: (usize, usize)| match arrow.received {
        Some(step) => ((scale.x)(step), target),
        None => {
            let (from, to) = (from.1 as isize, target as isize);
            (stops, (from + (to - from) * 2 / 3).unsigned_abs())
        }
    };
    let on_channel = matches!(arrow.what, Sent::Message(_) | Sent::Control(_) | Sent::End);
    let loops = arrow.from.line == arrow.to_line;
    if !on_channel || loops || !is_buffered(picture) {
        return Route { points: vec![start, across(start)], named: 0 };
    }
    let lane = if matches!(arrow.what, Sent::Message(_)) { MESSAGES } else { REST };
    let down = arrow.to_line > arrow.from.line;
    let (leaves, comes) = match down {
        true => (start.1 + lane, target - lane),
        false => (start.1 - lane, target + lane),
    };
    let mut points = vec![start];
    // What a checkpoint holds is on the wire after a failover.
    if !picture.failovers.iter().any(|(step, _)| *step == arrow.from.step) {
        points.push((start.0 + 6, leaves));
        let Some(out) = arrow.out else {
            points.push((stops, leaves));
            return Route { points, named: 1 };
        };
        points.push(((scale.x)(out), leaves));
    }
    let named = points.len() - 1;
    let wire = points[named];
    let Some(arrived) = arrow.arrived else {
        points.push(across(wire));
        return Route { points, named };
    };
    points.push(((scale.x)(arrived), comes));
    match arrow.received {
        Some(step) => points.extend([((scale.x)(step) - 6, comes), ((scale.x)(step), target)]),
        None => points.push((stops, comes)),
    }
    Route { points, named }
}
