//! A mask of the rows that another mask sets.
//!
//! ```text
//! rank = 0
//! for each set bit of outer: keep it if bit rank of inner is set; rank += 1
//! ```
//!
//! For a word of `outer` with `p` bits set this takes the next `p` bits of `inner` and deposits them, one by
//! one, at the places of the set bits: the instruction `pdep` of BMI2. Without it the set bits are visited one
//! by one.

use super::Bits;
use crate::isa::{self, Isa};

/// Keeps of the bits set in `outer` those whose rank is set in `inner`: bit 0 of `inner` is for the first bit
/// set, bit 1 for the second, and so on.
///
/// ```text
/// outer  0 1 1 0 1 1     inner  1 0 0 1     out  0 1 0 0 0 1
/// ```
///
/// # Panics
/// If `out` has not as many words as `outer`, or `inner` fewer bits than are set in `outer`.
pub fn nest(outer: &[u64], inner: &[u64], out: &mut [u64]) {
    // SAFETY: the active instruction set is available.
    unsafe { nest_isa(isa::active(), outer, inner, out) };
}

/// # Safety
/// `isa` is available.
pub(super) unsafe fn nest_isa(isa: Isa, outer: &[u64], inner: &[u64], out: &mut [u64]) {
    assert_eq!(outer.len(), out.len(), "as many words out as there are");
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: both sets contain BMI2.
        Isa::Avx2 | Isa::Avx512 => unsafe { bmi2(outer, inner, out) },
        _ => walk(outer, inner, out, deposit),
    }
}

#[inline(always)]
fn walk(outer: &[u64], inner: &[u64], out: &mut [u64], deposit: impl Fn(u64, u64) -> u64) {
    let mut rank = 0;
    for (&outer, out) in outer.iter().zip(out) {
        let set = outer.count_ones() as usize;
        *out = match set {
            0 => 0,
            _ => deposit(Bits::new(inner, rank, set).word(0), outer),
        };
        rank += set;
    }
}

/// The lowest bits of `bits`, as many as are set in `places`, at these places.
#[inline(always)]
fn deposit(mut bits: u64, mut places: u64) -> u64 {
    let mut out = 0;
    // Once the bits that are left are all zero, so are the places.
    while bits != 0 {
        let place = places & places.wrapping_neg();
        out |= place & (bits & 1).wrapping_neg();
        places ^= place;
        bits >>= 1;
    }
    out
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2,popcnt")]
fn bmi2(outer: &[u64], inner: &[u64], out: &mut [u64]) {
    // A closure has the instruction set of the function around it.
    walk(outer, inner, out, |bits, places| std::arch::x86_64::_pdep_u64(bits, places));
}
