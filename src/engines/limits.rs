//! Bounds on a search, and how it reports its progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bounds on a search. One that hits a bound is cut off: its silence proves nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Distinct states to judge.
    pub max_states: Option<u64>,
    /// Time to take.
    pub timeout: Option<Duration>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Distinct states judged.
    pub judged: u64,
    /// Distinct states found.
    pub unique: u64,
    /// Depth reached; the initial state is at depth 1.
    pub depth: usize,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Whether whoever started the program wants it to come to an end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Interrupts every search, now and in future, as if by a bound; says whether that was done before.
pub fn interrupt() -> bool {
    INTERRUPTED.swap(true, Ordering::Relaxed)
}

/// Whether searches are interrupted.
#[must_use]
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Holds a running search to its limits.
pub(crate) struct Watch {
    limits: Limits,
    started: Instant,
    judged: AtomicU64,
    cut_off: AtomicBool,
}

/// Reading the clock costs as much as judging a small state, so it is done once in so many states.
const CLOCK_INTERVAL: u64 = 64;

impl Watch {
    pub(crate) fn start(limits: Limits) -> Self {
        Self {
            limits,
            started: Instant::now(),
            judged: AtomicU64::new(0),
            cut_off: AtomicBool::new(false),
        }
    }

    /// Asks for one more state. False once a limit is hit; from then on the search is cut off.
    pub(crate) fn admit(&self) -> bool {
        if self.is_cut_off() {
            return false;
        }
        let before = self.judged.fetch_add(1, Ordering::Relaxed);
        let enough = self.limits.max_states.is_some_and(|max| before >= max);
        let late = before.is_multiple_of(CLOCK_INTERVAL)
            && self.limits.timeout.is_some_and(|timeout| self.started.elapsed() >= timeout);
        if enough || late {
            self.judged.fetch_sub(1, Ordering::Relaxed);
            self.cut_off.store(true, Ordering::Relaxed);
        }
        !(enough || late)
    }

    /// Asks for so many more states, and says how many are granted. Fewer once a limit is hit; from
    /// then on the search is cut off.
    pub(crate) fn admit_up_to(&self, wanted: usize) -> usize {
        let late = |timeout| self.started.elapsed() >= timeout;
        if self.is_cut_off() || self.limits.timeout.is_some_and(late) {
            self.cut_off.store(true, Ordering::Relaxed);
            return 0;
        }
        let before = self.judged.fetch_add(wanted as u64, Ordering::Relaxed);
        let left = |max: u64| usize::try_from(max.saturating_sub(before)).unwrap_or(usize::MAX);
        let granted = self.limits.max_states.map_or(wanted, left).min(wanted);
        if granted < wanted {
            self.judged.fetch_sub((wanted - granted) as u64, Ordering::Relaxed);
            self.cut_off.store(true, Ordering::Relaxed);
        }
        granted
    }

    /// Begins to count anew: the search starts over.
    pub(crate) fn recount(&self) {
        self.judged.store(0, Ordering::Relaxed);
    }

    pub(crate) fn is_cut_off(&self) -> bool {
        self.cut_off.load(Ordering::Relaxed) || is_interrupted()
    }

    pub(crate) fn judged(&self) -> u64 {
        self.judged.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admits_exactly_as_many_states_as_allowed() {
        let watch = Watch::start(Limits { max_states: Some(3), timeout: None });
        assert_eq!((0..10).filter(|_| watch.admit()).count(), 3);
        assert!(watch.is_cut_off());
        assert_eq!(watch.judged(), 3);
    }

    #[test]
    fn grants_exactly_as_many_states_as_allowed() {
        let watch = Watch::start(Limits { max_states: Some(10), timeout: None });
        let granted: Vec<_> = (0..4).map(|_| watch.admit_up_to(4)).collect();
        assert_eq!(granted, [4, 4, 2, 0]);
        assert!(watch.is_cut_off());
        assert_eq!(watch.judged(), 10);
    }

    #[test]
    fn no_time_admits_nothing() {
        let watch = Watch::start(Limits { max_states: None, timeout: Some(Duration::ZERO) });
        assert!(!watch.admit());
        assert!(watch.is_cut_off());
    }
}
