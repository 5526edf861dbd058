//! Values block by block, wherever the blocks lie, and the order in which they are walked over.
//!
//! ```text
//! 4 n blocks    0 … n-1 | n … 2n-1 | 2n … 3n-1 | 3n … 4n-1
//! step i           i    |   n + i  |   2n + i  |   3n + i         results are kept, and handed over in order
//! ```
//!
//! A processor fetches ahead within a page only, and each page of a mapped file begins with a walk through the page
//! tables: with four pages under way it waits for one at a time. Each of the four streams goes on from page to page, as
//! neighbours' entries share a line of the page table. A sum of float64 from memory takes 6.4 ms like this, 7.8 with
//! streams of one block and 8.2 with a single one; eight streams gain nothing more.
//!
//! A block may go on elsewhere in the middle, where a record ends. All four are then walked over up to the next such
//! row of any of them; to bring the values of such blocks together first would be to read them in a single stream.

use super::{BLOCK_ROWS, LANES};
use crate::prefetch;
use std::mem::MaybeUninit;
use std::ptr;

/// Streams.
const ABREAST: usize = 4;

/// Blocks of a stream before it jumps: 256 KiB of float64.
const LONGEST: usize = 16;

/// Bytes that are asked for where a block will go on.
const AHEAD: usize = 256;

/// As many blocks as a [`Blocks`] may have.
pub const MOST_BLOCKS: usize = ABREAST * LONGEST;

/// Rows of a block between which it may break are a multiple of this, so that lanes are filled on both sides.
pub const BREAK_ROWS: usize = LANES;

/// Values in blocks of [`BLOCK_ROWS`], of which the last may be shorter; each block lies somewhere, at any alignment.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    addresses: &'a [*const u8],
    rows: usize,
    breaks: &'a [Break],
}

/// A row at which a block goes on elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Break {
    /// Which block, counted from 0. It is a whole one.
    pub block: usize,
    /// The row in the block: a multiple of [`BREAK_ROWS`], and not 0.
    pub row: usize,
    /// Where the values from that row on lie.
    pub address: *const u8,
}

impl<'a> Blocks<'a> {
    /// `rows` values, the blocks of which begin at `addresses`, and go on elsewhere at `breaks`.
    ///
    /// What reduces them relies on every block being readable for its values while this or a copy of it is used.
    ///
    /// # Panics
    /// If there are more than [`MOST_BLOCKS`] blocks, or not as many as the values have; if a break is not where one may
    /// be, or they are not in the order of their rows.
    #[must_use]
    pub fn new(addresses: &'a [*const u8], rows: usize, breaks: &'a [Break]) -> Blocks<'a> {
        assert!(
            addresses.len() <= MOST_BLOCKS && addresses.len() == rows.div_ceil(BLOCK_ROWS),
            "{} blocks of {rows} values",
            addresses.len()
        );
        let may_break = |at: &Break| {
            at.block < rows / BLOCK_ROWS
                && (1..BLOCK_ROWS).contains(&at.row)
                && at.row.is_multiple_of(BREAK_ROWS)
        };
        assert!(breaks.iter().all(may_break), "breaks {breaks:?} of {rows} values");
        assert!(breaks.is_sorted_by(|a, b| (a.block, a.row) < (b.block, b.row)), "breaks {breaks:?}");
        Blocks { addresses, rows, breaks }
    }

    /// Calls `f` with `rows` values of `width` bytes that lie side by side at `src`, as many at a time as go into blocks.
    pub fn side_by_side(src: *const u8, rows: usize, width: usize, mut f: impl FnMut(Blocks<'_>)) {
        for start in (0..rows).step_by(MOST_BLOCKS * BLOCK_ROWS) {
            let rows = (rows - start).min(MOST_BLOCKS * BLOCK_ROWS);
            let addresses: [*const u8; MOST_BLOCKS] =
                std::array::from_fn(|block| src.wrapping_add((start + block * BLOCK_ROWS) * width));
            f(Blocks::new(&addresses[..rows.div_ceil(BLOCK_ROWS)], rows, &[]));
        }
    }

    /// The number of values.
    #[must_use]
    pub fn rows(self) -> usize {
        self.rows
    }

    fn rows_of(self, block: usize) -> usize {
        BLOCK_ROWS.min(self.rows - block * BLOCK_ROWS)
    }

    fn breaks_of(self, block: usize) -> &'a [Break] {
        if self.breaks.is_empty() {
            return &[];
        }
        let start = self.breaks.partition_point(|at| at.block < block);
        let len = self.breaks[start..].partition_point(|at| at.block == block);
        &self.breaks[start..start + len]
    }

    /// The pieces of all blocks, each with the number of its values.
    fn pieces(self) -> impl Iterator<Item = (*const u8, usize)> {
        (0..self.addresses.len()).flat_map(move |block| {
            let breaks = self.breaks_of(block);
            let starts = std::iter::once((0, self.addresses[block]))
                .chain(breaks.iter().map(|at| (at.row, at.address)));
            let ends = breaks.iter().map(|at| at.row).chain([self.rows_of(block)]);
            starts.zip(ends).map(|((start, address), end)| (address, end - start))
        })
    }

    /// The values, of `width` bytes, in stretches that lie side by side.
    pub fn stretches(self, width: usize) -> impl Iterator<Item = (*const u8, usize)> {
        let mut pieces = self.pieces().peekable();
        std::iter::from_fn(move || {
            let (address, mut rows) = pieces.next()?;
            while let Some((_, more)) =
                pieces.next_if(|&(next, _)| next == address.wrapping_add(rows * width))
            {
                rows += more;
            }
            Some((address, rows))
        })
    }

    /// Hands the results of all blocks to `each`, in order.
    ///
    /// # Safety
    /// Each block is readable for its values.
    #[inline(always)]
    pub(super) unsafe fn abreast<R: Reduce>(self, each: &mut dyn FnMut(R::Result)) {
        let n_whole = self.rows / BLOCK_ROWS;
        let run = n_whole / ABREAST;
        let mut results = [[R::Result::default(); LONGEST]; ABREAST];
        for step in 0..run {
            let blocks: Whole<'_, _, ABREAST> = self.whole(|stream| stream * run + step);
            // SAFETY: the caller's promise.
            for (results, result) in results.iter_mut().zip(unsafe { R::whole(blocks) }) {
                results[step] = result;
            }
        }
        results.iter().flat_map(|stream| &stream[..run]).for_each(|&result| each(result));
        for block in ABREAST * run..n_whole {
            // SAFETY: the caller's promise.
            let [result] = unsafe { R::whole(self.whole(|_| block)) };
            each(result);
        }
        if let Some(&last) = self.addresses.get(n_whole) {
            // SAFETY: the caller's promise.
            each(unsafe { R::short(last.cast(), self.rows_of(n_whole)) });
        }
    }

    #[inline(always)]
    fn whole<V, const N: usize>(self, block: impl Fn(usize) -> usize) -> Whole<'a, V, N> {
        Whole {
            bases: std::array::from_fn(|n| self.addresses[block(n)].cast()),
            breaks: std::array::from_fn(|n| self.breaks_of(block(n))),
        }
    }
}

/// What a kernel makes of blocks.
///
/// Not closures: those would be functions of their own, without the instruction set of the kernel that they are for.
/// Implementations are inlined always, for the same reason.
pub(super) trait Reduce {
    /// What a block consists of.
    type Value;
    /// What is made of it.
    type Result: Copy + Default;

    /// The results of whole blocks.
    ///
    /// # Safety
    /// The blocks are readable.
    unsafe fn whole<const N: usize>(blocks: Whole<'_, Self::Value, N>) -> [Self::Result; N];

    /// The result of a block of less than [`BLOCK_ROWS`] values, side by side.
    ///
    /// # Safety
    /// `values` is readable for `rows` values, at any alignment.
    unsafe fn short(values: *const Self::Value, rows: usize) -> Self::Result;
}

/// Whole blocks that are walked over together.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a, V, const N: usize> {
    /// Where row 0 of each is.
    bases: [*const V; N],
    breaks: [&'a [Break]; N],
}

impl<V, const N: usize> Whole<'_, V, N> {
    /// Where the first [`BREAK_ROWS`] values of each are.
    #[inline(always)]
    pub(super) fn heads(&self) -> [*const V; N] {
        self.bases
    }

    /// The next rows that no block breaks within, from `at` on, a multiple of [`BREAK_ROWS`] of them, and for each block where
    /// its row 0 would be if it lay around those as a whole. `None` at the end; to be begun with 0.
    #[inline(always)]
    pub(super) fn span(&mut self, at: usize) -> Option<(usize, [*const V; N])> {
        if at == BLOCK_ROWS {
            return None;
        }
        let mut end = BLOCK_ROWS;
        for (base, breaks) in self.bases.iter_mut().zip(&mut self.breaks) {
            if let [first, rest @ ..] = *breaks
                && first.row == at
            {
                *base = first.address.cast::<V>().wrapping_sub(at);
                *breaks = rest;
            }
            if let Some(next) = breaks.first() {
                end = end.min(next.row);
                prefetch::lines(next.address, AHEAD);
            }
        }
        Some((end, self.bases))
    }

    /// The values of block `n`, brought together.
    ///
    /// # Safety
    /// The block is readable, and every bit pattern is valid for `V`.
    pub(super) unsafe fn together(&self, n: usize) -> [V; BLOCK_ROWS]
    where
        V: Copy,
    {
        let mut values = [const { MaybeUninit::<V>::uninit() }; BLOCK_ROWS];
        let mut block = Whole { bases: [self.bases[n]], breaks: [self.breaks[n]] };
        let mut at = 0;
        while let Some((end, [base])) = block.span(at) {
            let out = &mut values[at..end];
            // SAFETY: the block has these rows, at any alignment; what they are copied to is this function's own.
            unsafe {
                let src = base.wrapping_add(at).cast::<u8>();
                ptr::copy_nonoverlapping(src, out.as_mut_ptr().cast(), size_of_val(out));
            }
            at = end;
        }
        // SAFETY: the spans are all rows.
        values.map(|value| unsafe { value.assume_init() })
    }
}

#[cfg(test)]
#[path = "blocks_tests.rs"]
pub(super) mod tests;
