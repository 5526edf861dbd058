//! Many values into one.
//!
//! | module | what it makes of a run of values |
//! |---|---|
//! | `min_max` | the least and the greatest: [`min_max`] for statistics, [`extremes`] as NumPy has them |
//! | `sum` | their [`sum`], wrapping or float64; the [`exact_sum`] of integers |
//! | `moments` | number, mean, and sum of squared distances from the mean |
//! | `pairwise` | the order in which results of blocks are put together |
//! | `blocks` | values in [`Blocks`], and the order in which these are walked over |
//! | `stored` | how a value is read |
//!
//! A result never depends on the instruction set, on the number of threads or on where values lie. Two rules see to
//! that: within a block of [`BLOCK_ROWS`] values, value `i` goes to lane `i % LANES`, however many lanes a vector
//! has, and the lanes are folded in halves; and the results of blocks are merged by [`Pairwise`].

mod blocks;
mod min_max;
mod moments;
mod number;
mod pairwise;
mod stored;
mod sum;

pub use blocks::{BREAK_ROWS, Blocks, Break, MOST_BLOCKS};
pub use min_max::{MinMax, extremes, min_max};
pub use moments::{Moments, moments, moments_blocks};
pub use number::Number;
pub use pairwise::Pairwise;
pub use sum::{Sum, exact_sum, sum, sum_blocks};

/// Values that are added up in one go, a power of two: 16 KiB of float64, which stay in the first-level cache.
pub const BLOCK_ROWS: usize = 2048;

/// Partial sums that are kept side by side: two AVX-512 vectors of float64, or four AVX2 ones.
const LANES: usize = 16;

/// The lanes as one, halves upon halves.
#[inline(always)]
fn fold(mut lanes: [f64; LANES]) -> f64 {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

/// Processors differ in the sign and the bits of a NaN that an operation makes; results do not.
#[inline(always)]
fn canonical(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}
