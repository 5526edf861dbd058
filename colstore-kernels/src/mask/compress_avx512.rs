//! [`compress`](super::compress) with AVX-512.

use super::super::Bits;
use super::walk::{ABREAST, walk_with};
use crate::copy::Stores;
use crate::isa::Isa;
use std::arch::x86_64::{
    _mm512_load_si512, _mm512_loadu_si512, _mm512_maskz_compress_epi8, _mm512_maskz_compress_epi16,
    _mm512_maskz_compress_epi32, _mm512_maskz_compress_epi64, _mm512_storeu_si512, _mm512_stream_si512,
};

/// One form: `$lanes` values in a vector, `$mask` what selects among them, made from a part of the word by
/// `$spread`.
macro_rules! form {
    ($name:ident, $features:literal, $value:ty, $lanes:literal, $compress:ident, $spread:expr) => {
        /// # Safety
        /// As [`compress`](super::compress) for values of this width, of which `total` are set; the
        /// instructions named here are available.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $name(
            stores: Stores,
            src: *const u8,
            bits: &Bits<'_>,
            total: usize,
            dst: *mut u8,
        ) {
            macro_rules! words {
                ($n:expr) => {
                    |words: [u64; $n], src: [*const $value; $n], mut dst: [*mut $value; $n]| {
                        for at in (0..64).step_by($lanes) {
                            for k in 0..$n {
                                let part = (words[k] >> at) & (u64::MAX >> (64 - $lanes));
                                // SAFETY: `walk` gives 64 values of each word to read and room for 64. Less than `at`
                                // were written before, so there is room for another vector. Neither access needs
                                // alignment.
                                unsafe {
                                    let values = _mm512_loadu_si512(src[k].add(at).cast());
                                    _mm512_storeu_si512(dst[k].cast(), $compress($spread(part), values));
                                    dst[k] = dst[k].add(part.count_ones() as usize);
                                }
                            }
                        }
                    }
                };
            }
            let (dense, abreast) = (words!(1), words!(ABREAST));
            let stream = |from: *const u8, to: *mut u8| {
                // SAFETY: `walk_with` gives whole lines.
                unsafe { _mm512_stream_si512(to.cast(), _mm512_load_si512(from.cast())) };
            };
            // SAFETY: the caller's promise.
            unsafe { walk_with(stores, stream, Isa::Avx512, src, bits, total, dst, dense, abreast) };
        }
    };
}

form!(width_1, "avx512f,avx512bw,avx512vbmi2,bmi1,popcnt", u8, 64, _mm512_maskz_compress_epi8, |part| part);
form!(width_2, "avx512f,avx512bw,avx512vbmi2,bmi1,popcnt", u16, 32, _mm512_maskz_compress_epi16, |part| part
    as u32);
form!(width_4, "avx512f,bmi1,popcnt", u32, 16, _mm512_maskz_compress_epi32, |part| part as u16);
form!(width_8, "avx512f,bmi1,popcnt", u64, 8, _mm512_maskz_compress_epi64, |part| part as u8);
form!(width_16, "avx512f,bmi1,popcnt", u128, 4, _mm512_maskz_compress_epi64, |part| TWICE[part as usize]);

/// Each of four bits twice: a value of 16 bytes is two lanes.
const TWICE: [u8; 16] = {
    let mut twice = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut bit = 0;
        while bit < 4 {
            if bits >> bit & 1 == 1 {
                twice[bits] |= 0b11 << (2 * bit);
            }
            bit += 1;
        }
        bits += 1;
    }
    twice
};
