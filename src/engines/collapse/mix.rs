//! Spreads numbers evenly, so that no two become one and each can be had back.

/// The bijection on numbers of some length.
#[derive(Clone, Copy)]
pub(super) struct Mix {
    mask: u64,
    shift: u32,
}

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
/// ODD · INVERSE = 1 modulo 2^64, and so modulo every smaller power of two.
const INVERSE: u64 = inverse(ODD);

const fn inverse(odd: u64) -> u64 {
    // Newton's iteration doubles the number of right bits; three are right at the start.
    let mut inverse = odd;
    let mut right = 3;
    while right < u64::BITS {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        right *= 2;
    }
    inverse
}

impl Mix {
    pub(super) fn new(bits: u32) -> Self {
        Self {
            mask: u64::MAX >> (u64::BITS - bits),
            // Half the length at least, so that shifting twice restores what was there.
            shift: bits.div_ceil(2),
        }
    }

    #[inline]
    pub(super) fn mix(self, number: u64) -> u64 {
        let folded = number ^ number >> self.shift;
        let spread = folded.wrapping_mul(ODD) & self.mask;
        let folded = spread ^ spread >> self.shift;
        folded.wrapping_mul(ODD) & self.mask
    }

    pub(super) fn unmix(self, mixed: u64) -> u64 {
        let folded = mixed.wrapping_mul(INVERSE) & self.mask;
        let spread = folded ^ folded >> self.shift;
        let folded = spread.wrapping_mul(INVERSE) & self.mask;
        folded ^ folded >> self.shift
    }
}
