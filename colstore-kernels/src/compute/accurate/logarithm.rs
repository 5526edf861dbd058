//! ln, of a sum of two floats and as one.
//!
//! ```text
//! x = 2^k m                          0.6875 ≤ m < 1.375, about
//! r = m c - 1                        c the reciprocal of m to 11 bits, from a table; |r| < 2^-7.7
//! ln x = k ln 2 - ln c + ln(1 + r)   a short series
//! ```
//!
//! As `c` is short, `r` is exact. Around 1, `k` and `ln c` are zero, and nothing is lost to their sum.

use super::exponential::LN_2;
use super::pair::{Pair, ordered_sum, power_of_two, sum, upper};

const CELLS: usize = 128;

/// The bits that an index is read from begin here.
const INDEX_SHIFT: u32 = 45;

/// 0.6875 as bits: the middle of the first cell. The 80th has 1 in its middle.
const FIRST_MIDDLE: u64 = 0x3fe6 << 48;
const START: u64 = FIRST_MIDDLE - (1 << (INDEX_SHIFT - 1));

/// ln 2: 42 bits, so that multiples up to 2^11 are exact, and the rest.
const LN_2_SPLIT: Pair = {
    let hi = f64::from_bits(LN_2.hi.to_bits() & (u64::MAX << 11));
    Pair { hi, lo: (LN_2.hi - hi) + LN_2.lo }
};

/// Of a cell: the reciprocal of its middle in multiples of 2^-10, and the negative logarithm of that.
#[derive(Clone, Copy)]
struct Cell {
    reciprocal: f64,
    ln: Pair,
}

static TABLE: [Cell; CELLS] = table();

const fn table() -> [Cell; CELLS] {
    let mut cells = [Cell { reciprocal: 1.0, ln: Pair::of(0.0) }; CELLS];
    let mut i = 0;
    while i < CELLS {
        let middle = f64::from_bits(FIRST_MIDDLE + ((i as u64) << INDEX_SHIFT));
        let reciprocal = (1024.0 / middle + 0.5) as u64 as f64 / 1024.0;
        cells[i] = Cell { reciprocal, ln: negative_ln(reciprocal) };
        i += 1;
    }
    cells
}

/// `-ln c = -2 artanh z = -2 (z + z³/3 + z⁵/5 + …)` with `z = (c - 1) / (c + 1)`.
const fn negative_ln(c: f64) -> Pair {
    let z = Pair::of(c - 1.0).over(Pair::of(c + 1.0));
    let square = z.times(z);
    let mut series = Pair::of(0.0);
    let mut n = 61;
    while n > 0 {
        series = Pair::of(1.0).over(Pair::of(n as f64)).plus(square.times(series));
        n -= 2;
    }
    z.times(series).times(Pair::of(-2.0))
}

/// `ln(2^k x)`, with a relative error of 2^-65 at most, of `x` between 2^-1000 and 2^1000; `k` is small, too.
///
/// Near 1 that is relative to the logarithm, as far as `x` itself is that precise.
#[inline(always)]
pub(super) fn ln(x: Pair, k: i64) -> Pair {
    let bits = x.hi.to_bits();
    let above = bits.wrapping_sub(START);
    let exponent = above.cast_signed() >> 52;
    let cell = TABLE[(above >> INDEX_SHIFT) as usize % CELLS];
    let c = cell.reciprocal;

    let m = f64::from_bits(bits.wrapping_sub(above & (0xfff << 52)));
    // 32 bits, times 11 bits; and 21 bits, times 11.
    let m_upper = f64::from_bits(m.to_bits() & (u64::MAX << 21));
    let r = sum(m_upper * c - 1.0, (m - m_upper) * c);
    let r_lo = r.lo + x.lo * power_of_two(-exponent) * c;

    // r - r²/2 with r² = u² + (r - u) (r + u), of which the first is exact.
    let r = r.hi;
    let u = upper(r);
    let s = ordered_sum(r, -0.5 * u * u);
    let series = 1.0 / 3.0
        + r * (-1.0 / 4.0
            + r * (1.0 / 5.0 + r * (-1.0 / 6.0 + r * (1.0 / 7.0 + r * (-1.0 / 8.0 + r * (1.0 / 9.0))))));
    let s_lo = s.lo + ((r_lo - r_lo * (r - r * r)) - 0.5 * (r - u) * (r + u) + r * r * r * series);

    let k = (exponent + k) as f64;
    let t = ordered_sum(k * LN_2_SPLIT.hi, cell.ln.hi);
    let total = ordered_sum(t.hi, s.hi);
    ordered_sum(total.hi, ((k * LN_2_SPLIT.lo + cell.ln.lo) + t.lo) + total.lo + s_lo)
}
