//! Index values as callers have them, checked and turned into row numbers.
//!
//! ```text
//! for each value v:
//!     row = v if v >= 0 else v + n_rows
//!     fail unless 0 <= row < n_rows                        naming the first position that fails
//! ```
//!
//! In unsigned arithmetic modulo 2^64 both bounds are one comparison, `row >= n_rows`: a value that is too
//! negative wraps around to something huge. So a block of values is folded without branches, into a buffer that
//! stays in the first-level cache, and the comparisons are OR-ed; only if one failed is the block searched for
//! where. Loops without branches over packed values are vectors for the compiler, which makes one form of them
//! for each instruction set.
//!
//! [`examine`] also says what kind of index it is. While a block is in the cache, it is compared with an
//! arithmetic progression (if the first few values are one, and until a block fails) or else with itself one
//! further (until a block is out of order). For an index in no order both end in the first block and cost
//! nothing.

use crate::isa::{self, Isa};
use crate::pool;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The type of an index value, in this machine's byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexType {
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`; values of 2^63 and more are out of bounds, not negative
    U64,
}

impl IndexType {
    /// Bytes of a value.
    #[must_use]
    pub fn width(self) -> usize {
        match self {
            IndexType::I8 | IndexType::U8 => 1,
            IndexType::I16 | IndexType::U16 => 2,
            IndexType::I32 | IndexType::U32 => 4,
            IndexType::I64 | IndexType::U64 => 8,
        }
    }
}

/// Index values in somebody's memory, at any alignment. A description: it keeps nothing alive.
#[derive(Clone, Copy, Debug)]
pub struct IndexSlice {
    /// The first value.
    pub data: *const u8,
    /// How many there are.
    pub len: usize,
    /// Bytes from one value to the next; negative walks down, 0 repeats the first.
    pub stride: isize,
    /// What they are.
    pub index_type: IndexType,
}

/// What kind of index it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows ascend; some may be equal.
    pub sorted: bool,
    /// First row and step of an arithmetic progression. The step is not 0; for a single row it is 1. No rows
    /// are none.
    pub progression: Option<(u64, i64)>,
}

/// The first value that is no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    /// Where it is among the values.
    pub position: usize,
    /// The value, as it is given.
    pub value: i128,
}

/// Values folded at once.
const BLOCK: usize = 1024;

/// So few values take less time than to clear memory for a block.
const FEW: usize = 32;

/// Values that a thread takes at once.
const CHUNK: usize = 64 * BLOCK;

/// Checks that every value is in `-n_rows..n_rows`, and finds out what kind of index they are. Uses up to
/// `threads` threads when there are more than some hundred thousand values.
///
/// # Errors
/// The first value that is out of bounds.
///
/// # Safety
/// For every `i < len`, `data + i * stride` is readable for a value of its type. Other threads may change the
/// values: the answer is then one of some mixture of them.
pub unsafe fn examine(indices: &IndexSlice, n_rows: u64, threads: usize) -> Result<Shape, OutOfBounds> {
    // SAFETY: the caller's promise; the active instruction set is available.
    unsafe { examine_isa(isa::active(), indices, n_rows, threads) }
}

/// # Safety
/// As [`examine`], and `isa` is available.
pub(crate) unsafe fn examine_isa(
    isa: Isa,
    indices: &IndexSlice,
    n_rows: u64,
    threads: usize,
) -> Result<Shape, OutOfBounds> {
    if indices.len == 0 {
        return Ok(Shape { sorted: true, progression: None });
    }
    // SAFETY: the caller's promise.
    let guess = unsafe { guess(isa, indices, n_rows) }?;
    let all = Survey {
        isa,
        indices: *indices,
        n_rows,
        first: guess.map_or(0, |(first, _)| first),
        step: guess.map_or(0, |(_, step)| step),
        progression: AtomicBool::new(guess.is_some()),
        sorted: AtomicBool::new(true),
        bad_from: AtomicUsize::new(usize::MAX),
        bad: Mutex::new(None),
    };
    let chunks = indices.len.div_ceil(CHUNK);
    if threads <= 1 || chunks <= 2 {
        // SAFETY: the caller's promise.
        (0..chunks).for_each(|chunk| unsafe { all.chunk(chunk) });
    } else {
        // SAFETY: the caller's promise. Without a progress nobody can cancel, so all chunks are done.
        let _ = pool::run(threads, chunks, None, 0, &|chunk| unsafe { all.chunk(chunk) });
    }
    if let Some(bad) = all.bad.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(bad);
    }
    let progression = if all.progression.into_inner() { guess } else { None };
    let sorted = match progression {
        Some((_, step)) => step > 0,
        None => all.sorted.into_inner(),
    };
    Ok(Shape { sorted, progression })
}

/// First row and step, if the first few values are a progression.
///
/// # Safety
/// As [`examine`]; there is a value, and `isa` is available.
unsafe fn guess(isa: Isa, indices: &IndexSlice, n_rows: u64) -> Result<Option<(u64, i64)>, OutOfBounds> {
    let mut rows = [0; 8];
    let rows = &mut rows[..indices.len.min(8)];
    // SAFETY: the caller's promise; as many rows as there are values, at most.
    unsafe { load_isa(isa, indices, 0, n_rows, rows)? };
    let [first, second, ..] = *rows else { return Ok(Some((rows[0], 1))) };
    // Differences of rows fit unless there are more than 2^63 of them.
    let Ok(step) = i64::try_from(i128::from(second) - i128::from(first)) else { return Ok(None) };
    let even = rows.windows(2).all(|pair| pair[1] == pair[0].wrapping_add_signed(step));
    Ok((step != 0 && even).then_some((first, step)))
}

/// What the chunks find out together.
struct Survey {
    isa: Isa,
    indices: IndexSlice,
    n_rows: u64,
    first: u64,
    step: i64,
    /// Everything so far is the progression of `first` and `step`.
    progression: AtomicBool,
    /// Everything so far ascends. Not kept while it is a progression.
    sorted: AtomicBool,
    /// The first bad position so far.
    bad_from: AtomicUsize,
    bad: Mutex<Option<OutOfBounds>>,
}

// SAFETY: the values are only ever read, and they may be by any thread.
unsafe impl Sync for Survey {}

impl Survey {
    /// # Safety
    /// As [`examine`], and `isa` is available.
    unsafe fn chunk(&self, chunk: usize) {
        let end = self.indices.len.min((chunk + 1) * CHUNK);
        let (mut few, mut many);
        let buffer: &mut [u64] = if self.indices.len <= FEW {
            few = [0; FEW];
            &mut few
        } else {
            many = [0; BLOCK + 1];
            &mut many
        };
        for from in (chunk * CHUNK..end).step_by(BLOCK) {
            if from > self.bad_from.load(Ordering::Relaxed) {
                return;
            }
            // With the value before, so that no pair of neighbours is left out.
            let before = usize::from(from > 0);
            let rows = &mut buffer[..before + BLOCK.min(end - from)];
            // SAFETY: the positions are among the values; the caller's promise.
            if let Err(bad) = unsafe { load_isa(self.isa, &self.indices, from - before, self.n_rows, rows) } {
                self.report(bad);
                return;
            }
            // SAFETY: the caller's promise.
            unsafe { self.classify(from, before, rows) };
        }
    }

    fn report(&self, found: OutOfBounds) {
        self.bad_from.fetch_min(found.position, Ordering::Relaxed);
        let mut bad = self.bad.lock().unwrap_or_else(PoisonError::into_inner);
        if bad.is_none_or(|bad| found.position < bad.position) {
            *bad = Some(found);
        }
    }

    /// Looks at the rows from position `from` on; `before` (none or one) of the row before them is in front.
    ///
    /// # Safety
    /// `isa` is available.
    unsafe fn classify(&self, from: usize, before: usize, rows: &[u64]) {
        if self.progression.load(Ordering::Relaxed) {
            let start = self.first.wrapping_add_signed(self.step.wrapping_mul(from as i64));
            // SAFETY: `isa` is available.
            if unsafe { progresses_isa(self.isa, &rows[before..], start, self.step) } {
                // Should another block turn out to be no part of the progression, this one's order counts: that
                // of its rows, which is the step's, and that of the row before and its first.
                if self.step < 0 || (before == 1 && rows[0] > rows[1]) {
                    self.sorted.store(false, Ordering::Relaxed);
                }
                return;
            }
            self.progression.store(false, Ordering::Relaxed);
        }
        // SAFETY: `isa` is available.
        if self.sorted.load(Ordering::Relaxed) && !unsafe { ascends_isa(self.isa, rows) } {
            self.sorted.store(false, Ordering::Relaxed);
        }
    }
}

/// Loads values `from..from + out.len()` as rows.
///
/// Meant for an index that was examined; checks all the same, since its memory may have changed.
///
/// # Errors
/// The first of these values that is out of bounds; its position counts from the first value of all. What `out`
/// holds then is not to be used.
///
/// # Safety
/// As [`examine`]; `from + out.len()` is at most `len`.
pub unsafe fn load(
    indices: &IndexSlice,
    from: usize,
    n_rows: u64,
    out: &mut [u64],
) -> Result<(), OutOfBounds> {
    // SAFETY: the caller's promise; the active instruction set is available.
    unsafe { load_isa(isa::active(), indices, from, n_rows, out) }
}

/// # Safety
/// As [`load`], and `isa` is available.
pub(crate) unsafe fn load_isa(
    isa: Isa,
    indices: &IndexSlice,
    from: usize,
    n_rows: u64,
    out: &mut [u64],
) -> Result<(), OutOfBounds> {
    debug_assert!(from + out.len() <= indices.len);
    let src = indices.data.wrapping_offset(indices.stride.wrapping_mul(from as isize));
    // SAFETY: `src` is at value `from`, and as many as `out` is long follow; the type is that of the values.
    let bad = unsafe {
        match indices.index_type {
            IndexType::I8 => fold_isa::<i8>(isa, src, indices.stride, n_rows, out),
            IndexType::I16 => fold_isa::<i16>(isa, src, indices.stride, n_rows, out),
            IndexType::I32 => fold_isa::<i32>(isa, src, indices.stride, n_rows, out),
            IndexType::I64 => fold_isa::<i64>(isa, src, indices.stride, n_rows, out),
            IndexType::U8 => fold_isa::<u8>(isa, src, indices.stride, n_rows, out),
            IndexType::U16 => fold_isa::<u16>(isa, src, indices.stride, n_rows, out),
            IndexType::U32 => fold_isa::<u32>(isa, src, indices.stride, n_rows, out),
            IndexType::U64 => fold_isa::<u64>(isa, src, indices.stride, n_rows, out),
        }
    };
    match bad.then(|| out.iter().position(|&row| row >= n_rows)).flatten() {
        None => Ok(()),
        // From what was loaded: the values themselves may be others by now.
        Some(at) => {
            Err(OutOfBounds { position: from + at, value: unfold(indices.index_type, out[at], n_rows) })
        }
    }
}

/// The value that was folded to `row`, which is out of bounds.
fn unfold(index_type: IndexType, row: u64, n_rows: u64) -> i128 {
    let signed = matches!(index_type, IndexType::I8 | IndexType::I16 | IndexType::I32 | IndexType::I64);
    // A positive signed value has no top bit. A negative one that is out of bounds is more than n_rows below 0
    // and less than 2^63, so it was folded to at least 2^63.
    if signed && row >= 1 << 63 {
        i128::from(row.wrapping_sub(n_rows).cast_signed())
    } else {
        i128::from(row)
    }
}

/// A type that index values have.
trait Value: Copy {
    /// The row, or at least `n_rows` if it is out of bounds.
    fn fold(self, n_rows: u64) -> u64;
}

macro_rules! values {
    (signed $($signed:ty)*; unsigned $($unsigned:ty)*) => {
        $(impl Value for $signed {
            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "lossless for some of the types, and for others no cast at all")]
            fn fold(self, n_rows: u64) -> u64 {
                let value = self as i64;
                // All ones for a negative value.
                let negative = (value >> 63).cast_unsigned();
                value.cast_unsigned().wrapping_add(n_rows & negative)
            }
        })*
        $(impl Value for $unsigned {
            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "as above")]
            fn fold(self, _: u64) -> u64 {
                self as u64
            }
        })*
    };
}

values!(signed i8 i16 i32 i64; unsigned u8 u16 u32 u64);

/// Writes the rows of as many values as `out` is long; whether one of them is out of bounds.
///
/// # Safety
/// That many values of type `T`, `stride` bytes apart, are readable from `src` on.
#[inline(always)]
unsafe fn fold<T: Value>(src: *const u8, stride: isize, n_rows: u64, out: &mut [u64]) -> bool {
    let mut bad = 0;
    if stride == size_of::<T>() as isize {
        for (i, out) in out.iter_mut().enumerate() {
            // SAFETY: the caller's promise; the load needs no alignment.
            let row = unsafe { src.cast::<T>().add(i).read_unaligned() }.fold(n_rows);
            bad |= u64::from(row >= n_rows);
            *out = row;
        }
    } else {
        let mut src = src;
        for out in out {
            // SAFETY: the caller's promise; the load needs no alignment.
            let row = unsafe { src.cast::<T>().read_unaligned() }.fold(n_rows);
            bad |= u64::from(row >= n_rows);
            *out = row;
            // Wrapping: the step after the last value may leave the memory that `src` belongs to.
            src = src.wrapping_offset(stride);
        }
    }
    bad != 0
}

#[inline(always)]
fn ascends(rows: &[u64]) -> bool {
    let Some(next) = rows.get(1..) else { return true };
    rows.iter().zip(next).fold(0, |bad, (row, next)| bad | u64::from(row > next)) == 0
}

#[inline(always)]
fn progresses(rows: &[u64], first: u64, step: i64) -> bool {
    let step = step.cast_unsigned();
    let mut expected = first;
    let mut differs = 0;
    for &row in rows {
        differs |= row ^ expected;
        expected = expected.wrapping_add(step);
    }
    differs == 0
}

/// The loops above, compiled once for each instruction set.
macro_rules! forms {
    ($(#[$attribute:meta])* $module:ident) => {
        mod $module {
            use super::Value;

            /// # Safety
            /// As [`fold`](super::fold).
            $(#[$attribute])*
            pub(super) unsafe fn fold<T: Value>(
                src: *const u8,
                stride: isize,
                n_rows: u64,
                out: &mut [u64],
            ) -> bool {
                // SAFETY: the caller's promise, word for word.
                unsafe { super::fold::<T>(src, stride, n_rows, out) }
            }

            $(#[$attribute])*
            pub(super) fn ascends(rows: &[u64]) -> bool {
                super::ascends(rows)
            }

            $(#[$attribute])*
            pub(super) fn progresses(rows: &[u64], first: u64, step: i64) -> bool {
                super::progresses(rows, first, step)
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
forms!(
    #[target_feature(enable = "avx2")]
    avx2
);
#[cfg(target_arch = "x86_64")]
forms!(
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    avx512
);

/// # Safety
/// As [`fold`], and `isa` is available.
unsafe fn fold_isa<T: Value>(isa: Isa, src: *const u8, stride: isize, n_rows: u64, out: &mut [u64]) -> bool {
    // SAFETY: the caller's promise; `isa` is available.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => avx512::fold::<T>(src, stride, n_rows, out),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => avx2::fold::<T>(src, stride, n_rows, out),
            _ => fold::<T>(src, stride, n_rows, out),
        }
    }
}

/// # Safety
/// `isa` is available.
unsafe fn ascends_isa(isa: Isa, rows: &[u64]) -> bool {
    // SAFETY: `isa` is available.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => avx512::ascends(rows),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => avx2::ascends(rows),
            _ => ascends(rows),
        }
    }
}

/// # Safety
/// `isa` is available.
unsafe fn progresses_isa(isa: Isa, rows: &[u64], first: u64, step: i64) -> bool {
    // SAFETY: `isa` is available.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => avx512::progresses(rows, first, step),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => avx2::progresses(rows, first, step),
            _ => progresses(rows, first, step),
        }
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
