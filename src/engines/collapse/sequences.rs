//! The contents of flows: sequences of packets, each kept once and named by a number.

use hashbrown::HashMap;

use super::interner::Interner;

/// See the [module](self).
pub(super) struct Sequences<P> {
    packets: Interner<P>,
    /// Per packet, whether it is a message of the application.
    are_messages: Vec<bool>,
    sequences: Interner<Vec<u32>>,
    /// Per sequence, how many of its packets are.
    messages: Vec<u32>,
    joined: HashMap<(u32, u32), u32>,
    popped: HashMap<u32, u32>,
}

/// Nothing is under way.
pub(super) const EMPTY: u32 = 0;

impl<P: Clone + Eq + std::hash::Hash> Sequences<P> {
    pub(super) fn new() -> Self {
        let mut sequences = Self {
            packets: Interner::default(),
            are_messages: Vec::new(),
            sequences: Interner::default(),
            messages: Vec::new(),
            joined: HashMap::new(),
            popped: HashMap::new(),
        };
        let empty = sequences.number(&[]);
        debug_assert_eq!(empty, EMPTY);
        sequences
    }

    /// The number of a sequence.
    pub(super) fn intern(&mut self, packets: &[P], is_message: impl Fn(&P) -> bool) -> u32 {
        let number = |packet| {
            let number = self.packets.intern(packet);
            if number as usize == self.are_messages.len() {
                self.are_messages.push(is_message(packet));
            }
            number
        };
        let sequence: Vec<_> = packets.iter().map(number).collect();
        self.number(&sequence)
    }

    /// The number of a sequence of packets, given by their numbers.
    fn number(&mut self, sequence: &[u32]) -> u32 {
        let number = self.sequences.intern(sequence);
        if number as usize == self.messages.len() {
            let messages = sequence.iter().filter(|&&packet| self.are_messages[packet as usize]);
            self.messages.push(messages.count() as u32);
        }
        number
    }

    /// The packets of a sequence.
    pub(super) fn packets(&self, sequence: u32) -> Vec<P> {
        let packets = self.sequences.get(sequence).iter();
        packets.map(|&packet| self.packets.get(packet).clone()).collect()
    }

    /// The number of the first packet of a sequence.
    pub(super) fn head(&self, sequence: u32) -> u32 {
        self.sequences.get(sequence)[0]
    }

    /// The sequence without its first packet.
    pub(super) fn pop(&mut self, sequence: u32) -> u32 {
        if let Some(&rest) = self.popped.get(&sequence) {
            return rest;
        }
        let rest = self.sequences.get(sequence)[1..].to_vec();
        let rest = self.number(&rest);
        self.popped.insert(sequence, rest);
        rest
    }

    /// One sequence behind another.
    pub(super) fn join(&mut self, first: u32, second: u32) -> u32 {
        if let Some(&both) = self.joined.get(&(first, second)) {
            return both;
        }
        let both = [first, second].map(|part| self.sequences.get(part).as_slice()).concat();
        let both = self.number(&both);
        self.joined.insert((first, second), both);
        both
    }

    /// How many packets are in a sequence.
    pub(super) fn len(&self, sequence: u32) -> usize {
        self.sequences.get(sequence).len()
    }

    /// How many of them are messages of the application.
    pub(super) fn messages(&self, sequence: u32) -> u32 {
        self.messages[sequence as usize]
    }

    /// A packet.
    pub(super) fn packet(&self, packet: u32) -> &P {
        self.packets.get(packet)
    }
}
