//! Comparisons of a column with one value, into bits.
//!
//! ```text
//! for each i: bit i |= value(i) op constant
//! ```
//!
//! Values are taken where they lie, at any alignment, so that a condition on a mapped column costs little more than
//! reading it. Whole words are made of 64 values each: with AVX-512 a comparison of a vector gives its bits; otherwise
//! the compiler's vectors make bytes of 0 and 1, which are packed. Words are walked over in four runs at once, so that
//! four pages are under way, as in [`reduce`](crate::reduce).

use super::pack::by_eights;
use crate::compute::Compare;
use crate::isa::{self, Isa};
use crate::reduce::Number;

/// Runs of words that are walked at once.
const ABREAST: usize = 4;

/// Whether [`compare`] knows values of this type: numbers and times, but no truth values and no binary16.
#[must_use]
pub fn compares(number: Number) -> bool {
    !matches!(number, Number::Bool | Number::F16)
}

/// Sets bit `first_bit + i` for each of `n` little-endian values that compares so with `constant`; other bits stay.
///
/// NaN and "not a time" are unequal to everything, and neither less nor greater.
///
/// # Safety
/// `src` is readable for `n` values of `number`, at any alignment.
///
/// # Panics
/// If `number` is none that [`compares`], if `constant` is not one value, in native order, or if there are too few words.
pub unsafe fn compare(
    op: Compare,
    number: Number,
    src: *const u8,
    n: usize,
    constant: &[u8],
    words: &mut [u64],
    first_bit: usize,
) {
    // SAFETY: the caller's promise; the active instruction set is available.
    unsafe { compare_isa(isa::active(), op, number, src, n, constant, words, first_bit) }
}

/// # Safety
/// As [`compare`], and `isa` is available.
#[allow(clippy::too_many_arguments, reason = "what is compared with what, and where the bits go")]
pub(super) unsafe fn compare_isa(
    isa: Isa,
    op: Compare,
    number: Number,
    src: *const u8,
    n: usize,
    constant: &[u8],
    words: &mut [u64],
    first_bit: usize,
) {
    assert!(
        compares(number) && constant.len() == number.width(),
        "one value of {number:?}, not {} bytes",
        constant.len()
    );
    assert!(
        n.checked_add(first_bit).is_some_and(|bits| bits.div_ceil(64) <= words.len()),
        "{n} bits from {first_bit} on in {} words",
        words.len()
    );
    let to = Bits { words, first: first_bit, n };
    // SAFETY: the caller's promise; each type has the width of the one it stands for.
    unsafe {
        match number {
            Number::I8 => numbers::<i8>(isa, op, src, constant, to),
            Number::I16 => numbers::<i16>(isa, op, src, constant, to),
            Number::I32 => numbers::<i32>(isa, op, src, constant, to),
            Number::I64 => numbers::<i64>(isa, op, src, constant, to),
            Number::U8 => numbers::<u8>(isa, op, src, constant, to),
            Number::U16 => numbers::<u16>(isa, op, src, constant, to),
            Number::U32 => numbers::<u32>(isa, op, src, constant, to),
            Number::U64 => numbers::<u64>(isa, op, src, constant, to),
            Number::F32 => numbers::<f32>(isa, op, src, constant, to),
            Number::F64 => numbers::<f64>(isa, op, src, constant, to),
            Number::Time => times(isa, op, src, constant, to),
            Number::Bool | Number::F16 => unreachable!("not compared here"),
        }
    }
}

/// Where the bits of `n` values go.
struct Bits<'a> {
    words: &'a mut [u64],
    first: usize,
    n: usize,
}

/// A value as it is stored, little-endian, and vectors of it.
trait Value: Copy + PartialOrd {
    fn native(self) -> Self;

    fn from_native(bytes: &[u8]) -> Self;

    /// # Safety
    /// As [`compare`], and there is AVX-512 F, BW and DQ.
    #[cfg(target_arch = "x86_64")]
    unsafe fn avx512(op: Compare, src: *const Self, constant: Self, to: Bits<'_>);
}

/// # Safety
/// As [`compare`] for values of type `V`, and `isa` is available.
unsafe fn numbers<V: Value>(isa: Isa, op: Compare, src: *const u8, constant: &[u8], to: Bits<'_>) {
    let (src, constant) = (src.cast::<V>(), V::from_native(constant));
    #[cfg(target_arch = "x86_64")]
    if isa == Isa::Avx512 {
        // SAFETY: the caller's promise.
        return unsafe { V::avx512(op, src, constant, to) };
    }
    // SAFETY: the caller's promise.
    unsafe {
        match op {
            Compare::Equal => by_bytes(isa, src, to, |value: V| value == constant),
            Compare::NotEqual => by_bytes(isa, src, to, |value: V| value != constant),
            Compare::Less => by_bytes(isa, src, to, |value: V| value < constant),
            Compare::LessEqual => by_bytes(isa, src, to, |value: V| value <= constant),
            Compare::Greater => by_bytes(isa, src, to, |value: V| value > constant),
            Compare::GreaterEqual => by_bytes(isa, src, to, |value: V| value >= constant),
        }
    }
}

/// The least of times is none: below all others as a number, but not less.
///
/// # Safety
/// As [`compare`] for times, and `isa` is available.
unsafe fn times(isa: Isa, op: Compare, src: *const u8, constant: &[u8], to: Bits<'_>) {
    const NONE: i64 = i64::MIN;
    let limit = i64::from_native(constant);
    // SAFETY: the caller's promise; times are stored as signed integers.
    unsafe {
        match op {
            _ if limit == NONE => by_bytes(isa, src.cast(), to, |_: i64| op == Compare::NotEqual),
            Compare::Less => by_bytes(isa, src.cast(), to, |time: i64| time < limit && time != NONE),
            Compare::LessEqual => by_bytes(isa, src.cast(), to, |time: i64| time <= limit && time != NONE),
            // With a limit that is a time, as integers.
            _ => numbers::<i64>(isa, op, src, constant, to),
        }
    }
}

/// # Safety
/// As [`compare`] for values of type `V`, and `isa` is available.
unsafe fn by_bytes<V: Value>(isa: Isa, src: *const V, to: Bits<'_>, holds: impl Fn(V) -> bool + Copy) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise; both sets contain AVX2.
        Isa::Avx2 | Isa::Avx512 => unsafe { by_bytes_avx2(src, to, holds) },
        // SAFETY: the caller's promise.
        _ => unsafe { by_bytes_any(src, to, holds) },
    }
}

/// The body of [`by_bytes`] for one instruction set: closures have that of the function that they stand in.
macro_rules! by_bytes {
    ($src:ident, $to:ident, $holds:ident, $value:ty) => {{
        macro_rules! words {
            ($n:expr) => {
                |from: [*const $value; $n]| {
                    let mut words = [0; $n];
                    for k in 0..$n {
                        // SAFETY: `walk` gives addresses of 64 values; the read needs no alignment.
                        let values = unsafe { from[k].cast::<[$value; 64]>().read_unaligned() };
                        let mut bytes = [0_u8; 64];
                        for i in 0..64 {
                            bytes[i] = u8::from($holds(values[i].native()));
                        }
                        // SAFETY: 64 bytes.
                        words[k] = unsafe { by_eights(bytes.as_ptr()) };
                    }
                    words
                }
            };
        }
        let (word, words) = (words!(1), words!(ABREAST));
        // SAFETY: the caller's promise.
        unsafe { walk($src, $to, $holds, word, words) }
    }};
}

/// # Safety
/// As [`by_bytes`], and there is AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn by_bytes_avx2<V: Value>(src: *const V, to: Bits<'_>, holds: impl Fn(V) -> bool + Copy) {
    by_bytes!(src, to, holds, V);
}

/// # Safety
/// As [`by_bytes`].
unsafe fn by_bytes_any<V: Value>(src: *const V, to: Bits<'_>, holds: impl Fn(V) -> bool + Copy) {
    by_bytes!(src, to, holds, V);
}

/// # Safety
/// `src` is readable for the values; `word` and `words` read 64 for each word.
#[inline(always)]
unsafe fn walk<V: Value>(
    src: *const V,
    to: Bits<'_>,
    holds: impl Fn(V) -> bool,
    word: impl Fn([*const V; 1]) -> [u64; 1],
    words_of: impl Fn([*const V; ABREAST]) -> [u64; ABREAST],
) {
    let Bits { words, first, n } = to;
    let one = |i: usize, words: &mut [u64]| {
        // SAFETY: only asked for values there are; the read needs no alignment.
        let value = unsafe { src.add(i).read_unaligned() }.native();
        words[(first + i) / 64] |= u64::from(holds(value)) << ((first + i) % 64);
    };
    let head = (first.next_multiple_of(64) - first).min(n);
    (0..head).for_each(|i| one(i, words));
    let n_words = (n - head) / 64;
    let run = n_words / ABREAST;
    {
        let words = &mut words[(first + head) / 64..][..n_words];
        // SAFETY: only asked for words there are, of which each has 64 values.
        let at = |index: usize| unsafe { src.add(head + 64 * index) };
        for step in 0..run {
            let found = words_of(std::array::from_fn(|k| at(k * run + step)));
            (0..ABREAST).for_each(|k| words[k * run + step] |= found[k]);
        }
        (ABREAST * run..n_words).for_each(|index| words[index] |= word([at(index)])[0]);
    }
    (head + 64 * n_words..n).for_each(|i| one(i, words));
}

macro_rules! values {
    ($($value:ty, $bits:ty, |$stored:ident| $native:expr, $lanes:literal, $load:ident, $set:ident, $compare:ident, $op:ident;)*) => {$(
        impl Value for $value {
            #[inline(always)]
            fn native(self) -> $value {
                let $stored = self;
                $native
            }

            #[allow(clippy::host_endian_bytes, reason = "constants are in native order")]
            fn from_native(bytes: &[u8]) -> $value {
                let mut value = [0; size_of::<$value>()];
                value.copy_from_slice(bytes);
                <$value>::from_ne_bytes(value)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq")]
            unsafe fn avx512(op: Compare, src: *const $value, constant: $value, to: Bits<'_>) {
                use std::arch::x86_64::{$load, $set, $compare};
                let limit = $set(constant as $bits);
                macro_rules! walk {
                    ($holds:tt, $imm:expr) => {{
                        macro_rules! words {
                            ($n:expr) => {
                                |from: [*const $value; $n]| {
                                    let mut words = [0; $n];
                                    // One vector of each at a time, so that all are under way.
                                    for at in (0..64).step_by($lanes) {
                                        for k in 0..$n {
                                            // SAFETY: among the 64 values at `from[k]`; the load needs no alignment.
                                            let values = unsafe { $load(from[k].add(at).cast()) };
                                            words[k] |= u64::from($compare::<{ $imm }>(values, limit)) << at;
                                        }
                                    }
                                    words
                                }
                            };
                        }
                        let (word, words) = (words!(1), words!(ABREAST));
                        // SAFETY: the caller's promise.
                        unsafe { walk(src, to, |value| value $holds constant, word, words) }
                    }};
                }
                match op {
                    Compare::Equal => walk!(==, immediates::$op::EQUAL),
                    Compare::NotEqual => walk!(!=, immediates::$op::NOT_EQUAL),
                    Compare::Less => walk!(<, immediates::$op::LESS),
                    Compare::LessEqual => walk!(<=, immediates::$op::LESS_EQUAL),
                    Compare::Greater => walk!(>, immediates::$op::GREATER),
                    Compare::GreaterEqual => walk!(>=, immediates::$op::GREATER_EQUAL),
                }
            }
        }
    )*};
}

values! {
    i8, i8, |stored| i8::from_le(stored), 64, _mm512_loadu_si512, _mm512_set1_epi8, _mm512_cmp_epi8_mask, integers;
    i16, i16, |stored| i16::from_le(stored), 32, _mm512_loadu_si512, _mm512_set1_epi16, _mm512_cmp_epi16_mask, integers;
    i32, i32, |stored| i32::from_le(stored), 16, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_cmp_epi32_mask, integers;
    i64, i64, |stored| i64::from_le(stored), 8, _mm512_loadu_si512, _mm512_set1_epi64, _mm512_cmp_epi64_mask, integers;
    u8, i8, |stored| u8::from_le(stored), 64, _mm512_loadu_si512, _mm512_set1_epi8, _mm512_cmp_epu8_mask, integers;
    u16, i16, |stored| u16::from_le(stored), 32, _mm512_loadu_si512, _mm512_set1_epi16, _mm512_cmp_epu16_mask, integers;
    u32, i32, |stored| u32::from_le(stored), 16, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_cmp_epu32_mask, integers;
    u64, i64, |stored| u64::from_le(stored), 8, _mm512_loadu_si512, _mm512_set1_epi64, _mm512_cmp_epu64_mask, integers;
    f32, f32, |stored| f32::from_bits(u32::from_le(stored.to_bits())), 16, _mm512_loadu_ps, _mm512_set1_ps, _mm512_cmp_ps_mask, floats;
    f64, f64, |stored| f64::from_bits(u64::from_le(stored.to_bits())), 8, _mm512_loadu_pd, _mm512_set1_pd, _mm512_cmp_pd_mask, floats;
}

/// How the instructions call the comparisons.
#[cfg(target_arch = "x86_64")]
mod immediates {
    pub(super) mod integers {
        use std::arch::x86_64 as arch;

        pub(crate) const EQUAL: i32 = arch::_MM_CMPINT_EQ;
        pub(crate) const NOT_EQUAL: i32 = arch::_MM_CMPINT_NE;
        pub(crate) const LESS: i32 = arch::_MM_CMPINT_LT;
        pub(crate) const LESS_EQUAL: i32 = arch::_MM_CMPINT_LE;
        pub(crate) const GREATER: i32 = arch::_MM_CMPINT_NLE;
        pub(crate) const GREATER_EQUAL: i32 = arch::_MM_CMPINT_NLT;
    }

    /// With NaN unequal to everything, and silent.
    pub(super) mod floats {
        use std::arch::x86_64 as arch;

        pub(crate) const EQUAL: i32 = arch::_CMP_EQ_OQ;
        pub(crate) const NOT_EQUAL: i32 = arch::_CMP_NEQ_UQ;
        pub(crate) const LESS: i32 = arch::_CMP_LT_OQ;
        pub(crate) const LESS_EQUAL: i32 = arch::_CMP_LE_OQ;
        pub(crate) const GREATER: i32 = arch::_CMP_GT_OQ;
        pub(crate) const GREATER_EQUAL: i32 = arch::_CMP_GE_OQ;
    }
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
