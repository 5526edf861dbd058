//! How the words of a mask are walked over.
//!
//! ```text
//! bits    | run 0 | run 1 | run 2 | run 3 |        many words: four runs at once, a vector of each at a time
//! output  | 0    | 1  | 2       | 3     |          each begins behind the values of those before, which are counted
//! ```
//!
//! With four pages under way, walks through the page tables are waited for one at a time, see
//! [`reduce`](crate::reduce). As long as no run comes near its end, and none of the four words is all zeros or all
//! ones, they are done together; otherwise each by itself.

use super::Bits;
use super::sink::{Direct, Sink};
#[cfg(target_arch = "x86_64")]
use super::sink::{Stage, Staged};
use crate::copy::Stores;
use crate::isa::Isa;

/// Runs that are walked over at once, and how many words each must have for that.
pub(super) const ABREAST: usize = 4;
const LEAST_WORDS: usize = 16;

/// Words with less bits set than this have them visited one by one.
const DENSE: u32 = 2;

/// A run of words, as far as it has been walked over.
struct Run<'a, T, S> {
    bits: Bits<'a>,
    index: usize,
    /// Values that are to come.
    left: usize,
    src: *const T,
    sink: S,
}

impl<T: Copy, S: Sink<T>> Run<'_, T, S> {
    fn new<'a>(bits: Bits<'a>, total: usize, src: *const T, sink: S) -> Run<'a, T, S> {
        Run { bits, index: 0, left: total, src, sink }
    }

    /// Whether a word may be taken for one that is neither near the end nor without 64 values.
    #[inline(always)]
    fn is_roomy(&self) -> bool {
        self.left >= 64 && 64 * (self.index + 1) <= self.bits.n
    }

    #[inline(always)]
    fn advance(&mut self, words: usize, written: usize) {
        self.index += words;
        self.src = self.src.wrapping_add(64 * words);
        self.sink.advance(written);
        self.left -= written;
    }

    /// Copies the values of the next word, or of those from it on that are all ones.
    ///
    /// # Safety
    /// Values are left. Every bit from `index` on has its value at `src` and behind it; the sink takes `left` values.
    /// `dense` is as [`walk`] has it.
    #[inline(always)]
    unsafe fn step(&mut self, dense: &impl Fn([u64; 1], [*const T; 1], [*mut T; 1])) {
        let word = self.bits.word(self.index);
        let set = word.count_ones();
        if word == u64::MAX {
            let mut words = 1;
            while words < S::MOST_WORDS
                && 64 * (words + 1) <= self.left
                && self.bits.word(self.index + words) == u64::MAX
            {
                words += 1;
            }
            let len = 64 * words * size_of::<T>();
            // SAFETY: all 64 bits of a word are set only if it has 64 values.
            unsafe { self.src.cast::<u8>().copy_to_nonoverlapping(self.sink.place().cast(), len) };
            self.advance(words, 64 * words);
            return;
        }
        if set < DENSE || !self.is_roomy() {
            // SAFETY: the values of bits that are set, and room for them.
            unsafe { each_bit(word, self.src, self.sink.place()) };
        } else {
            dense([word], [self.src], [self.sink.place()]);
        }
        self.advance(1, set as usize);
    }
}

/// Copies the values whose bits are set, `total` of them.
///
/// # Safety
/// As [`compress`](super::compress) for the width of `T`. `dense` and `abreast` copy the values of words whose bits are
/// neither all set nor none, from their second argument's values to their third: they may read 64 values of each word, and
/// write as many. `isa` is available.
#[inline(always)]
pub(super) unsafe fn walk<T: Copy>(
    isa: Isa,
    src: *const u8,
    bits: &Bits<'_>,
    total: usize,
    dst: *mut u8,
    dense: impl Fn([u64; 1], [*const T; 1], [*mut T; 1]),
    abreast: impl Fn([u64; ABREAST], [*const T; ABREAST], [*mut T; ABREAST]),
) {
    // SAFETY: the caller's promise.
    unsafe { walk_into(isa, src.cast(), bits, total, dst.cast(), Direct, dense, abreast) };
}

/// [`walk`] with `stores`; `stream` copies a cache line past the cache.
///
/// # Safety
/// As [`walk`]; `stream` copies 64 bytes between addresses that are multiples of that.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "those of `walk`, and how it writes")]
pub(super) unsafe fn walk_with<T: Copy>(
    stores: Stores,
    stream: impl Fn(*const u8, *mut u8) + Copy,
    isa: Isa,
    src: *const u8,
    bits: &Bits<'_>,
    total: usize,
    dst: *mut u8,
    dense: impl Fn([u64; 1], [*const T; 1], [*mut T; 1]),
    abreast: impl Fn([u64; ABREAST], [*const T; ABREAST], [*mut T; ABREAST]),
) {
    if stores == Stores::Cached {
        // SAFETY: the caller's promise, word for word.
        return unsafe { walk(isa, src, bits, total, dst, dense, abreast) };
    }
    let mut stages = [const { Stage::EMPTY }; ABREAST];
    let mut free = stages.iter_mut();
    let sink = |dst: *mut T| {
        let Some(stage) = free.next() else { unreachable!("no more runs than stages") };
        // SAFETY: a run writes its own values only; the caller's promise of `stream`.
        unsafe { Staged::new(stage, dst.cast(), stream) }
    };
    // SAFETY: the caller's promise; every processor of this kind has SSE.
    unsafe {
        walk_into(isa, src.cast(), bits, total, dst.cast(), sink, dense, abreast);
        // Streamed stores are not ordered otherwise: publish them before returning.
        std::arch::x86_64::_mm_sfence();
    }
}

/// # Safety
/// As [`walk`]; `sink` makes what takes the values of a run, which begin at the address it is given.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "those of `walk`, and how it writes")]
unsafe fn walk_into<T: Copy, S: Sink<T>>(
    isa: Isa,
    src: *const T,
    bits: &Bits<'_>,
    total: usize,
    dst: *mut T,
    mut sink: impl FnMut(*mut T) -> S,
    dense: impl Fn([u64; 1], [*const T; 1], [*mut T; 1]),
    abreast: impl Fn([u64; ABREAST], [*const T; ABREAST], [*mut T; ABREAST]),
) {
    let words = bits.n / 64 / ABREAST;
    if words < LEAST_WORDS {
        let mut run = Run::new(*bits, total, src, sink(dst));
        while run.left > 0 {
            // SAFETY: the caller's promise.
            unsafe { run.step(&dense) };
        }
        run.sink.finish();
        return;
    }
    let mut before = 0;
    let mut runs: [Run<'_, T, S>; ABREAST] = std::array::from_fn(|k| {
        let from = 64 * words * k;
        let n = if k + 1 < ABREAST { 64 * words } else { bits.n - from };
        let of_run = Bits::new(bits.words, bits.first + from, n);
        let set = if k + 1 < ABREAST { of_run.count(isa) } else { total - before };
        // Where a run without any value begins does not matter.
        let run = Run::new(of_run, set, src.wrapping_add(from), sink(dst.wrapping_add(before)));
        before += set;
        run
    });
    loop {
        if runs.iter().all(Run::is_roomy) {
            let words: [u64; ABREAST] = std::array::from_fn(|k| runs[k].bits.word(runs[k].index));
            if words.iter().all(|&word| word != 0 && word != u64::MAX) {
                let places = std::array::from_fn(|k| runs[k].sink.place());
                abreast(words, std::array::from_fn(|k| runs[k].src), places);
                for (run, word) in runs.iter_mut().zip(words) {
                    run.advance(1, word.count_ones() as usize);
                }
                continue;
            }
        }
        let mut any = false;
        for run in runs.iter_mut().filter(|run| run.left > 0) {
            any = true;
            // SAFETY: the caller's promise: a run has its values, and room for them before that of the next.
            unsafe { run.step(&dense) };
        }
        if !any {
            break;
        }
    }
    runs.iter_mut().for_each(|run| run.sink.finish());
}

/// # Safety
/// As [`compress`](super::compress) for the width of `T`; `total` bits are set.
pub(super) unsafe fn one_by_one<T: Copy>(src: *const u8, bits: &Bits<'_>, total: usize, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        walk::<T>(
            Isa::Scalar,
            src,
            bits,
            total,
            dst,
            |[word], [src], [dst]| each_bit(word, src, dst),
            |words, src, dst| (0..ABREAST).for_each(|k| each_bit(words[k], src[k], dst[k])),
        );
    }
}

/// # Safety
/// For every bit that is set there is a value at `src`; `dst` has room for them.
#[inline(always)]
unsafe fn each_bit<T: Copy>(mut word: u64, src: *const T, mut dst: *mut T) {
    while word != 0 {
        // SAFETY: this bit is set; neither access needs alignment.
        unsafe {
            dst.write_unaligned(src.add(word.trailing_zeros() as usize).read_unaligned());
            dst = dst.add(1);
        }
        word &= word - 1;
    }
}
