//! Sleep by actor: which steps need not be taken in a state, given whose step first led to it.
//!
//! Let the state s be found first by a step a of actor j, from a state p of the level before. Then in s
//! every step of an actor i < j may be **skipped that was enabled in p already**. There remain the
//! steps of j and of the actors above, and of an actor below those that a has newly enabled: the
//! receipt on the flow from j, if that flow was empty in p. The [`Cause`] of s is what of p and a this
//! depends on. Where it is not known, it is that of the lowest actor, and nothing is skipped.
//!
//! Steps of different actors commute: a step changes its actor's local state, takes the head of a flow
//! to it and appends to flows from it; and what an actor can do by itself, or on a packet, depends on
//! its local state alone. So if steps t of i and a of j ≠ i are both enabled in p, each remains enabled
//! after the other, and both orders end in the same state.
//!
//! **Every state is found, at its depth.** By induction on depth: let all states down to depth d be
//! found at their depths, and let u have depth d + 1. Among the steps that lead to u from states of
//! depth d, take one of the greatest actor: t, from s. Suppose that it is skipped: s was found by a
//! step a of an actor above that of t, from a state p of depth d − 1, and t is enabled in p. Then the
//! state s' that t makes of p is followed by u, through a. Its depth is at most d, and exactly d since
//! that of u is d + 1. So a leads to u from a state of depth d, and its actor is greater: a
//! contradiction. This needs only that s was found from the level before, as it is level by level
//! whichever step is first, and whichever worker; and that a step which is not known to have been
//! enabled in p is taken. It does not need that depth is a function of the state.
//!
//! So a search visits the same states in the same levels. Successors are counted, not generated: a
//! state has as many as its views have moves.

use super::key::MAX_PARTS;

/// How a state was found. See the [module](self).
///
/// It also tells whether the snapshot shows a difference: if not, what was judged of the state before
/// need not be judged again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cause(u8);

const ENABLES: u8 = 2;
const SHOWS: u8 = 1;

const _: () = assert!(Cause::COUNT <= u8::MAX as usize);

impl Cause {
    /// In some other way, so that nothing may be skipped: that is so after any step of the lowest actor.
    pub(super) const OTHER: Self = Self(SHOWS);

    /// How many there can be.
    pub(super) const COUNT: usize = 4 * MAX_PARTS;

    /// By a step of an actor. `enables` if it may have sent something to another; `shows` if the
    /// snapshot may show it.
    #[inline]
    pub(super) fn step(actor: usize, enables: bool, shows: bool) -> Self {
        // There is nobody below the lowest actor.
        let enables = u8::from(enables && actor > 0) * ENABLES;
        Self(4 * actor as u8 + enables + u8::from(shows) * SHOWS)
    }

    /// The actor below which steps may be skipped.
    #[inline]
    pub(super) fn actor(self) -> usize {
        usize::from(self.0 / 4)
    }

    /// Whether it may have enabled receipts of actors below.
    #[inline]
    pub(super) fn enables(self) -> bool {
        self.0 & ENABLES != 0
    }

    /// Whether the snapshot may show a difference.
    #[inline]
    pub(super) fn shows(self) -> bool {
        self.0 & SHOWS != 0
    }

    /// A number of its own.
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Every cause, by number.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(|index| Self(index as u8))
    }
}
