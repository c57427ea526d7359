//! Pairs of parts that share a channel, and which of their ends have been judged together.

use super::rows::Views;
use crate::system::System;

/// The pairs of parts that share a channel, each once.
pub(super) fn joined<S: System>(system: &S) -> Vec<[usize; 2]> {
    let mut joined: Vec<_> =
        system.joined().into_iter().map(|(p, q)| [p.min(q), p.max(q)]).collect();
    joined.sort_unstable();
    joined.dedup();
    joined
}

/// Two parts that share a channel. What its claims read of a class, the class's end of the channel, is the
/// same for many classes.
pub(super) struct Pair {
    pub(super) parts: [usize; 2],
    /// Per class of each part, the number of its end.
    pub(super) ends: [Vec<u32>; 2],
    /// Which ends have been judged together: one bit for each pair, in rows.
    seen: Vec<u64>,
    /// Ends of the second part for which a row has room.
    stride: u32,
}

impl Pair {
    pub(super) fn of(parts: [usize; 2]) -> Self {
        Self { parts, ends: Default::default(), seen: Vec::new(), stride: 64 }
    }

    /// The ends of two classes, if they are known.
    #[inline]
    fn ends(&self, classes: &Views) -> Option<[u32; 2]> {
        let [first, second] = self.parts.map(|part| classes[part] as usize);
        Some([*self.ends[0].get(first)?, *self.ends[1].get(second)?])
    }

    fn place(&self, [first, second]: [u32; 2]) -> (usize, u64) {
        let bit = first as usize * self.stride as usize + second as usize;
        (bit / 64, 1 << (bit % 64))
    }

    #[inline]
    pub(super) fn has(&self, classes: &Views) -> bool {
        self.ends(classes).is_some_and(|ends| {
            let (word, bit) = self.place(ends);
            ends[1] < self.stride && self.seen.get(word).is_some_and(|word| word & bit != 0)
        })
    }

    pub(super) fn add(&mut self, classes: &Views) {
        let ends =
            self.ends(classes).expect("the ends of classes are numbered before they are judged");
        if ends[1] >= self.stride {
            self.widen((ends[1] + 1).next_power_of_two());
        }
        let (word, bit) = self.place(ends);
        if word >= self.seen.len() {
            self.seen.resize(word + 1, 0);
        }
        self.seen[word] |= bit;
    }

    fn widen(&mut self, stride: u32) {
        let narrow = std::mem::take(&mut self.seen);
        let old = std::mem::replace(&mut self.stride, stride) as usize;
        for bit in (0..64 * narrow.len()).filter(|bit| narrow[bit / 64] >> (bit % 64) & 1 != 0) {
            let (word, bit) = self.place([(bit / old) as u32, (bit % old) as u32]);
            if word >= self.seen.len() {
                self.seen.resize(word + 1, 0);
            }
            self.seen[word] |= bit;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let ends = self.ends.iter().map(|ends| ends.capacity() * size_of::<u32>());
        ends.sum::<usize>() + self.seen.capacity() * size_of::<u64>()
    }
}
