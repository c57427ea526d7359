//! Looks through a cache line of short entries at once.

/// Entries in a cache line.
const LANES: usize = 16;

/// Which of the entries is the first that is `wanted` or zero; their number if there is none.
#[inline]
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the compiler makes ten times as many instructions of a plain loop")]
pub(super) fn first_or_zero(entries: &[u32; LANES], wanted: u32) -> usize {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
        _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi32, _mm_setzero_si128,
    };
    let (quarters, _) = entries.as_chunks::<4>();
    // SAFETY: the instructions belong to every x86_64 processor, and each load is of the four entries
    // behind a reference, at any alignment.
    let mask = unsafe {
        let wanted = _mm_set1_epi32(wanted.cast_signed());
        let matches = |quarter: &[u32; 4]| {
            let entries = _mm_loadu_si128(std::ptr::from_ref(quarter).cast::<__m128i>());
            let zero = _mm_cmpeq_epi32(entries, _mm_setzero_si128());
            _mm_or_si128(_mm_cmpeq_epi32(entries, wanted), zero)
        };
        let low = _mm_packs_epi32(matches(&quarters[0]), matches(&quarters[1]));
        let high = _mm_packs_epi32(matches(&quarters[2]), matches(&quarters[3]));
        _mm_movemask_epi8(_mm_packs_epi16(low, high))
    };
    // The bit behind the last stands for none.
    (mask | 1 << LANES).trailing_zeros() as usize
}

/// Which of the entries is the first that is `wanted` or zero; their number if there is none.
#[inline]
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn first_or_zero(entries: &[u32; LANES], wanted: u32) -> usize {
    let found = entries.iter().position(|&entry| entry == wanted || entry == 0);
    found.unwrap_or(LANES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_the_first(entries in prop::array::uniform16(0..20_u32), wanted in 0..20_u32) {
            let found = entries.iter().position(|&entry| entry == wanted || entry == 0);
            prop_assert_eq!(first_or_zero(&entries, wanted), found.unwrap_or(LANES));
        }
    }
}
