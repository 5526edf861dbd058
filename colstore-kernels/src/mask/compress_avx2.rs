//! [`compress`](super::compress) with AVX2: a shuffle that a table has for each value of some bits.

use super::super::Bits;
use super::walk::{ABREAST, walk_with};
use crate::copy::Stores;
use crate::isa::Isa;
use std::arch::x86_64::{
    _mm_loadl_epi64, _mm_loadu_si128, _mm_shuffle_epi8, _mm_storel_epi64, _mm_storeu_si128,
    _mm256_loadu_si256, _mm256_permutevar8x32_epi32, _mm256_storeu_si256, _mm256_stream_si256,
};

/// For each value of `BITS` bits where the set ones are: values of `SIZE` elements each, as a shuffle of `LEN`
/// elements has it. What is behind them does not matter.
const fn controls<const VALUES: usize, const LEN: usize>(size: usize) -> [[u8; LEN]; VALUES] {
    let mut table = [[0; LEN]; VALUES];
    let mut bits = 0;
    while bits < VALUES {
        let (mut from, mut to) = (0, 0);
        while from < LEN {
            if bits >> (from / size) & 1 == 1 {
                table[bits][to] = from as u8;
                to += 1;
            }
            from += 1;
        }
        bits += 1;
    }
    table
}

/// The same with elements of 32 bits.
const fn wide_controls<const VALUES: usize>(size: usize) -> [[u32; 8]; VALUES] {
    let narrow = controls::<VALUES, 8>(size);
    let mut table = [[0; 8]; VALUES];
    let mut at = 0;
    while at < 8 * VALUES {
        table[at / 8][at % 8] = narrow[at / 8][at % 8] as u32;
        at += 1;
    }
    table
}

static OF_1: [[u8; 8]; 256] = controls(1);
static OF_2: [[u8; 16]; 256] = controls(2);
static OF_4: [[u32; 8]; 256] = wide_controls(1);
static OF_8: [[u32; 8]; 16] = wide_controls(2);

/// One form: `$lanes` values in a vector, moved as `$table` says.
macro_rules! form {
    ($name:ident, $value:ty, $lanes:literal, $table:ident, $load:ident, $control:ident, $shuffle:expr, $store:ident) => {
        /// # Safety
        /// As [`compress`](super::compress) for values of this width, of which `total` are set; there is AVX2.
        #[target_feature(enable = "avx2,bmi1,popcnt")]
        pub(super) unsafe fn $name(
            stores: Stores,
            src: *const u8,
            bits: &Bits<'_>,
            total: usize,
            dst: *mut u8,
        ) {
            let one = |word: u64, src: *const $value, mut dst: *mut $value| {
                for at in (0..64).step_by($lanes) {
                    let part = (word >> at) & ((1 << $lanes) - 1);
                    // SAFETY: `walk` gives 64 values to read and room for 64. Less than `at` were written
                    // before, so there is room for another vector. A control has the size of what is loaded.
                    // None of the accesses needs alignment.
                    unsafe {
                        let values = $load(src.add(at).cast());
                        let control = $control($table[part as usize].as_ptr().cast());
                        $store(dst.cast(), $shuffle(values, control));
                        dst = dst.add(part.count_ones() as usize);
                    }
                }
            };
            let dense = |[word]: [u64; 1], [src]: [_; 1], [dst]: [_; 1]| one(word, src, dst);
            let abreast = |words: [u64; ABREAST], src: [_; ABREAST], dst: [_; ABREAST]| {
                (0..ABREAST).for_each(|k| one(words[k], src[k], dst[k]));
            };
            let stream = |from: *const u8, to: *mut u8| {
                for half in [0, 32] {
                    // SAFETY: `walk_with` gives whole lines.
                    unsafe {
                        _mm256_stream_si256(to.add(half).cast(), _mm256_loadu_si256(from.add(half).cast()))
                    };
                }
            };
            // SAFETY: the caller's promise.
            unsafe { walk_with(stores, stream, Isa::Avx2, src, bits, total, dst, dense, abreast) };
        }
    };
}

form!(width_1, u8, 8, OF_1, _mm_loadl_epi64, _mm_loadl_epi64, _mm_shuffle_epi8, _mm_storel_epi64);
form!(width_2, u16, 8, OF_2, _mm_loadu_si128, _mm_loadu_si128, _mm_shuffle_epi8, _mm_storeu_si128);
form!(
    width_4,
    u32,
    8,
    OF_4,
    _mm256_loadu_si256,
    _mm256_loadu_si256,
    _mm256_permutevar8x32_epi32,
    _mm256_storeu_si256
);
form!(
    width_8,
    u64,
    4,
    OF_8,
    _mm256_loadu_si256,
    _mm256_loadu_si256,
    _mm256_permutevar8x32_epi32,
    _mm256_storeu_si256
);
