//! The rows whose bit is set, as numbers.
//!
//! ```text
//! for each set bit i: append origin + i
//! ```
//!
//! The lowest bit of a word is counted off by `tzcnt` and cleared, and so on. How many bits a word has is hard
//! to predict, so this goes four bits at a time, set or not; what was too much is written over by the next
//! word. Words without any bit are skipped by fours too. With AVX-512 (VBMI2) a word with up to eight bits is
//! one compression of the numbers 0 to 63, without a branch; a word with more is eight vectors of eight row
//! numbers, compressed in turn. Where `out` has no room for that much, bits are visited one by one.

use super::Bits;
use crate::isa::{self, Isa};

/// Writes the positions of the bits set among `first_bit..first_bit + n`, ascending; gives their number.
///
/// Bit `first_bit` is position `origin`. What `out` holds beyond that number is not to be relied on.
///
/// # Panics
/// If `out` is too short, or the mask has not that many bits.
pub fn positions(words: &[u64], first_bit: usize, n: usize, origin: u64, out: &mut [u64]) -> usize {
    // SAFETY: the active instruction set is available.
    unsafe { positions_isa(isa::active(), words, first_bit, n, origin, out) }
}

/// # Safety
/// `isa` is available.
pub(super) unsafe fn positions_isa(
    isa: Isa,
    words: &[u64],
    first_bit: usize,
    n: usize,
    origin: u64,
    out: &mut [u64],
) -> usize {
    let bits = Bits::new(words, first_bit, n);
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `isa` is available, and so is VBMI2.
        Isa::Avx512 if super::has_vbmi2() => unsafe { avx512_vbmi2(&bits, origin, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `isa` is available.
        Isa::Avx512 => unsafe { avx512(&bits, origin, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the set contains BMI1.
        Isa::Avx2 => unsafe { bmi1(&bits, origin, out) },
        _ => walk(&bits, origin, out, by_fours),
    }
}

/// Appends the positions of all words to `out`; `roomy` does those of a word for which there is room for 64.
#[inline(always)]
fn walk(
    bits: &Bits<'_>,
    origin: u64,
    out: &mut [u64],
    roomy: impl Fn(u64, u64, &mut [u64; 64]) -> usize,
) -> usize {
    let mut written = 0;
    let mut index = 0;
    while index < bits.len() {
        // One branch for several words: where few bits are set it is easy to predict.
        if bits.are_zero::<ZEROS>(index) {
            index += ZEROS;
            continue;
        }
        for index in index..(index + ZEROS).min(bits.len()) {
            let word = bits.word(index);
            let row = origin + 64 * index as u64;
            let room = &mut out[written..];
            written += match room.first_chunk_mut() {
                Some(room) => roomy(word, row, room),
                None => one_by_one(word, row, room),
            };
        }
        index += ZEROS;
    }
    written
}

/// Words that are skipped at once.
const ZEROS: usize = 4;

/// Hands the positions of the bits to `f` in order, some hundred at a time. The first bit is position 0.
///
/// # Safety
/// `isa` is available.
pub(super) unsafe fn in_runs(isa: Isa, bits: &Bits<'_>, f: &mut dyn FnMut(&[u64])) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `isa` is available, and so is VBMI2.
        Isa::Avx512 if super::has_vbmi2() => unsafe { avx512_vbmi2_in_runs(bits, f) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `isa` is available.
        Isa::Avx512 => unsafe { avx512_in_runs(bits, f) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the set contains BMI1.
        Isa::Avx2 => unsafe { bmi1_in_runs(bits, f) },
        _ => walk_in_runs(bits, f, by_fours),
    }
}

/// As many positions make a run, or a few more.
const RUN: usize = 1024;

#[inline(always)]
fn walk_in_runs(
    bits: &Bits<'_>,
    f: &mut dyn FnMut(&[u64]),
    roomy: impl Fn(u64, u64, &mut [u64; 64]) -> usize,
) {
    let mut run = [0; RUN + 64 * ZEROS];
    let mut found = 0;
    let mut add_group = |row: usize, words: &[u64]| {
        if words.iter().all(|&word| word == 0) {
            return;
        }
        for (row, &word) in (row as u64..).step_by(64).zip(words) {
            // Always there: fewer than RUN were found when the group began, and at most 64 in each word since.
            if let Some(room) = run[found..].first_chunk_mut() {
                found += roomy(word, row, room);
            }
        }
        if found >= RUN {
            f(&run[..found]);
            found = 0;
        }
    };
    // Words that need not be put together from two.
    let (whole, _) = bits.whole_words().as_chunks::<ZEROS>();
    whole.iter().enumerate().for_each(|(i, words)| add_group(64 * ZEROS * i, words));
    for index in ZEROS * whole.len()..bits.len() {
        add_group(64 * index, &[bits.word(index)]);
    }
    if found > 0 {
        f(&run[..found]);
    }
}

fn one_by_one(mut word: u64, row: u64, out: &mut [u64]) -> usize {
    let set = word.count_ones() as usize;
    for out in &mut out[..set] {
        *out = row + u64::from(word.trailing_zeros());
        word &= word.wrapping_sub(1);
    }
    set
}

/// Four bits at a time, whether they are set or not: what was too much is written over by the next word.
#[inline(always)]
fn by_fours(mut word: u64, row: u64, out: &mut [u64; 64]) -> usize {
    let set = word.count_ones() as usize;
    for out in out.as_chunks_mut::<4>().0 {
        for out in out {
            *out = row + u64::from(word.trailing_zeros());
            word &= word.wrapping_sub(1);
        }
        if word == 0 {
            break;
        }
    }
    set
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,popcnt")]
fn bmi1(bits: &Bits<'_>, origin: u64, out: &mut [u64]) -> usize {
    walk(bits, origin, out, by_fours)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,popcnt")]
fn bmi1_in_runs(bits: &Bits<'_>, f: &mut dyn FnMut(&[u64])) {
    walk_in_runs(bits, f, by_fours);
}

/// Eight row numbers for each byte of the word, of which a compression leaves those that are set.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn by_bytes(word: u64, row: u64, out: &mut [u64; 64]) -> usize {
    use std::arch::x86_64::{
        _mm512_add_epi64, _mm512_maskz_compress_epi64, _mm512_set_epi64, _mm512_set1_epi64,
        _mm512_storeu_si512,
    };
    let mut rows =
        _mm512_add_epi64(_mm512_set1_epi64(row.cast_signed()), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    let mut at = 0;
    for part in word.to_le_bytes() {
        // SAFETY: at most 8 rows were counted for each of the parts before this one, so `at` is at most 56 and
        // a vector of 8 fits behind it. The store needs no alignment.
        unsafe {
            let set = _mm512_maskz_compress_epi64(part, rows);
            _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), set);
        }
        at += part.count_ones() as usize;
        rows = _mm512_add_epi64(rows, _mm512_set1_epi64(8));
    }
    at
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,popcnt")]
pub(super) fn avx512(bits: &Bits<'_>, origin: u64, out: &mut [u64]) -> usize {
    walk(bits, origin, out, |word, row, out| few_or_by_bytes(word, row, out))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,popcnt")]
fn avx512_in_runs(bits: &Bits<'_>, f: &mut dyn FnMut(&[u64])) {
    walk_in_runs(bits, f, |word, row, out| few_or_by_bytes(word, row, out));
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,bmi1,popcnt")]
fn few_or_by_bytes(word: u64, row: u64, out: &mut [u64; 64]) -> usize {
    if word.count_ones() <= 8 { by_fours(word, row, out) } else { by_bytes(word, row, out) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,bmi1,popcnt")]
fn avx512_vbmi2(bits: &Bits<'_>, origin: u64, out: &mut [u64]) -> usize {
    walk(bits, origin, out, |word, row, out| few_at_once(word, row, out))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,bmi1,popcnt")]
fn avx512_vbmi2_in_runs(bits: &Bits<'_>, f: &mut dyn FnMut(&[u64])) {
    walk_in_runs(bits, f, |word, row, out| few_at_once(word, row, out));
}

/// The numbers 0 to 63, of which a compression leaves those that are set.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn few_at_once(word: u64, row: u64, out: &mut [u64; 64]) -> usize {
    use std::arch::x86_64::{
        _mm512_add_epi64, _mm512_castsi512_si128, _mm512_cvtepu8_epi64, _mm512_loadu_si512,
        _mm512_maskz_compress_epi8, _mm512_set1_epi64, _mm512_storeu_si512,
    };
    static NUMBERS: [u8; 64] = {
        let mut numbers = [0; 64];
        let mut i = 0;
        while i < 64 {
            numbers[i] = i as u8;
            i += 1;
        }
        numbers
    };
    if word.count_ones() > 8 {
        return by_bytes(word, row, out);
    }
    // SAFETY: the numbers fill a vector; there is room for 64 rows, and these are 8. Neither access needs alignment.
    unsafe {
        let numbers = _mm512_loadu_si512(NUMBERS.as_ptr().cast());
        let set = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(word, numbers));
        let rows = _mm512_add_epi64(_mm512_cvtepu8_epi64(set), _mm512_set1_epi64(row.cast_signed()));
        _mm512_storeu_si512(out.as_mut_ptr().cast(), rows);
    }
    word.count_ones() as usize
}
