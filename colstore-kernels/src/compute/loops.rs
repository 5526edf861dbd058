//! One row after the other, in every instruction set, with constants for operands where wanted.
//!
//! ```text
//! for each i: out[i] = f(a[i], b[i])        or f(a[i], b), f(a, b[i]) with a constant
//! ```
//!
//! A loop is written once, as a function of one row. It is compiled into a function for each instruction set, which
//! makes vectors of it where it can; a [`Kernel`] is a pointer to the one that this processor runs best.

use std::marker::PhantomData;

use super::Flags;
use super::flags;
use super::lanes::Lane;
use crate::isa::{self, Isa};

/// A function of up to three columns, row by row.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    run: unsafe fn(&Call) -> u32,
    arity: usize,
    widths: [usize; 3],
    out_width: usize,
    /// Whether what the processor notes of floats is of interest.
    watches: bool,
}

/// One operand of a [`Kernel`]: values side by side, or one for all rows.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// A value a row.
    Column(&'a [u8]),
    /// The same value for every row.
    Constant(&'a [u8]),
}

/// Operands whose sizes and alignments have been checked.
pub(crate) struct Call {
    pub(crate) inputs: [*const u8; 3],
    /// Bit `k` is set if input `k` is a constant.
    constants: u32,
    pub(crate) out: *mut u8,
    pub(crate) n: usize,
}

impl Kernel {
    /// The number of operands.
    #[must_use]
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// Bytes of a value of operand `index`.
    #[must_use]
    pub fn width(&self, index: usize) -> usize {
        self.widths[index]
    }

    /// Bytes of a result.
    #[must_use]
    pub fn out_width(&self) -> usize {
        self.out_width
    }

    /// Computes `n` rows.
    ///
    /// # Panics
    /// If there are not [`arity`](Kernel::arity) operands, if one is too short or not aligned for its type, or if
    /// `out` is.
    pub fn run(&self, operands: &[Operand<'_>], out: &mut [u8], n: usize) -> Flags {
        assert_eq!(operands.len(), self.arity, "operands of a kernel");
        let mut call = Call { inputs: [std::ptr::null(); 3], constants: 0, out: out.as_mut_ptr(), n };
        for (k, operand) in operands.iter().enumerate() {
            let (bytes, rows) = match operand {
                Operand::Column(bytes) => (bytes, n),
                Operand::Constant(bytes) => {
                    call.constants |= 1 << k;
                    (bytes, 1)
                }
            };
            let width = self.widths[k];
            assert!(
                rows.checked_mul(width).is_some_and(|len| len <= bytes.len()),
                "operand {k} is too short"
            );
            assert!(n == 0 || bytes.as_ptr().addr().is_multiple_of(width), "operand {k} is not aligned");
            call.inputs[k] = bytes.as_ptr();
        }
        assert!(n.checked_mul(self.out_width).is_some_and(|len| len <= out.len()), "the output is too short");
        assert!(n == 0 || out.as_ptr().addr().is_multiple_of(self.out_width), "the output is not aligned");
        if n == 0 {
            return Flags::NONE;
        }
        if self.watches {
            flags::clear_float();
        }
        // SAFETY: the operands are readable and the output writable for `n` rows, or one, of the types the function
        // was made for, whose alignment divides their width; the output is borrowed exclusively, so it overlaps no
        // operand; the instruction set was chosen from those that are available.
        let found = Flags::from_bits(unsafe { (self.run)(&call) });
        if self.watches { found | flags::float() } else { found }
    }

    /// With what the processor notes of floats left out of the flags, for comparisons.
    pub(super) fn quiet(mut self) -> Kernel {
        self.watches = false;
        self
    }
}

/// Which instruction sets a loop is compiled for: those that gain from it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Levels {
    /// What every processor has: loops that call functions, or divide integers.
    One,
    /// And AVX2, which AVX-512 processors take too.
    Two,
    /// And AVX-512.
    Three,
}

/// A function of one value.
pub(super) trait Unary {
    type A: Lane;
    type Out: Lane;
    const LEVELS: Levels;

    fn apply(a: Self::A, flags: &mut u32) -> Self::Out;
}

/// A function of two values.
pub(super) trait Binary {
    type A: Lane;
    type B: Lane;
    type Out: Lane;
    const LEVELS: Levels;

    fn apply(a: Self::A, b: Self::B, flags: &mut u32) -> Self::Out;
}

/// A function of three values.
pub(super) trait Ternary {
    type A: Lane;
    type B: Lane;
    type C: Lane;
    type Out: Lane;
    const LEVELS: Levels;

    fn apply(a: Self::A, b: Self::B, c: Self::C, flags: &mut u32) -> Self::Out;

    /// The same where the second and the third value are those of all rows.
    #[inline(always)]
    fn apply_constants(a: Self::A, b: Self::B, c: Self::C, flags: &mut u32) -> Self::Out {
        Self::apply(a, b, c, flags)
    }
}

/// A loop over all rows of a call.
pub(super) trait Walk {
    const LEVELS: Levels;

    /// # Safety
    /// The call's operands are of the loop's types, as [`Kernel::run`] checks them.
    unsafe fn walk(call: &Call) -> u32;
}

impl Call {
    fn is_constant(&self, index: usize) -> bool {
        self.constants >> index & 1 == 1
    }

    /// # Safety
    /// Input `index` is readable for `n` values of `T`, or one if it is a constant.
    #[inline(always)]
    unsafe fn input<T: Lane>(&self, index: usize) -> &[T] {
        let len = if self.is_constant(index) { 1 } else { self.n };
        // SAFETY: the caller's promise; a lane has no invalid patterns.
        unsafe { std::slice::from_raw_parts(self.inputs[index].cast(), len) }
    }

    /// # Safety
    /// The output is writable for `n` values of `T`, by nobody else.
    #[inline(always)]
    #[allow(clippy::mut_from_ref, reason = "the output is borrowed exclusively for the call")]
    unsafe fn output<T: Lane>(&self) -> &mut [T] {
        // SAFETY: the caller's promise; registers are initialised, and a lane has no invalid patterns.
        unsafe { std::slice::from_raw_parts_mut(self.out.cast(), self.n) }
    }
}

struct Of1<F>(PhantomData<F>);
struct Of2<F>(PhantomData<F>);
struct Of3<F>(PhantomData<F>);

impl<F: Unary> Walk for Of1<F> {
    const LEVELS: Levels = F::LEVELS;

    #[inline(always)]
    unsafe fn walk(call: &Call) -> u32 {
        let mut flags = 0;
        // SAFETY: the caller's promise.
        let (a, out) = unsafe { (call.input::<F::A>(0), call.output::<F::Out>()) };
        if call.is_constant(0) {
            out.fill(F::apply(a[0], &mut flags));
            return flags;
        }
        for (out, &a) in out.iter_mut().zip(a) {
            *out = F::apply(a, &mut flags);
        }
        flags
    }
}

impl<F: Binary> Walk for Of2<F> {
    const LEVELS: Levels = F::LEVELS;

    #[inline(always)]
    unsafe fn walk(call: &Call) -> u32 {
        let mut flags = 0;
        // SAFETY: the caller's promise.
        let (a, b, out) = unsafe { (call.input::<F::A>(0), call.input::<F::B>(1), call.output::<F::Out>()) };
        match (call.is_constant(0), call.is_constant(1)) {
            (false, false) => {
                for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
                    *out = F::apply(a, b, &mut flags);
                }
            }
            (false, true) => {
                let b = b[0];
                for (out, &a) in out.iter_mut().zip(a) {
                    *out = F::apply(a, b, &mut flags);
                }
            }
            (true, false) => {
                let a = a[0];
                for (out, &b) in out.iter_mut().zip(b) {
                    *out = F::apply(a, b, &mut flags);
                }
            }
            (true, true) => out.fill(F::apply(a[0], b[0], &mut flags)),
        }
        flags
    }
}

impl<F: Ternary> Walk for Of3<F> {
    const LEVELS: Levels = F::LEVELS;

    #[inline(always)]
    unsafe fn walk(call: &Call) -> u32 {
        let mut flags = 0;
        // SAFETY: the caller's promise.
        let (a, b, c, out) = unsafe {
            (call.input::<F::A>(0), call.input::<F::B>(1), call.input::<F::C>(2), call.output::<F::Out>())
        };
        // The forms that programs have; others go through one value a row.
        match (call.is_constant(0), call.is_constant(1), call.is_constant(2)) {
            (false, false, false) => {
                for (((out, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
                    *out = F::apply(a, b, c, &mut flags);
                }
            }
            (false, false, true) => {
                let c = c[0];
                for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
                    *out = F::apply(a, b, c, &mut flags);
                }
            }
            (false, true, true) => {
                let (b, c) = (b[0], c[0]);
                for (out, &a) in out.iter_mut().zip(a) {
                    *out = F::apply_constants(a, b, c, &mut flags);
                }
            }
            (one, two, three) => {
                let step = |is_constant: bool| usize::from(!is_constant);
                let (one, two, three) = (step(one), step(two), step(three));
                for (i, out) in out.iter_mut().enumerate() {
                    *out = F::apply(a[i * one], b[i * two], c[i * three], &mut flags);
                }
            }
        }
        flags
    }
}

/// # Safety
/// As [`Walk::walk`].
unsafe fn plain<W: Walk>(call: &Call) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { W::walk(call) }
}

/// # Safety
/// As [`Walk::walk`], and there is AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
unsafe fn avx2<W: Walk>(call: &Call) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { W::walk(call) }
}

/// # Safety
/// As [`Walk::walk`], and there are AVX-512 F, BW, DQ and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn avx512<W: Walk>(call: &Call) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { W::walk(call) }
}

fn compiled<W: Walk>(isa: Isa) -> unsafe fn(&Call) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        // Constants, so that loops nobody chooses are not compiled.
        if const { matches!(W::LEVELS, Levels::Three) } && isa == Isa::Avx512 {
            return avx512::<W>;
        }
        if const { !matches!(W::LEVELS, Levels::One) } && isa >= Isa::Avx2 {
            return avx2::<W>;
        }
    }
    let _ = isa;
    plain::<W>
}

fn width<T>() -> usize {
    size_of::<T>()
}

pub(super) fn unary<F: Unary>(isa: Isa) -> Kernel {
    Kernel {
        run: compiled::<Of1<F>>(isa),
        arity: 1,
        widths: [width::<F::A>(), 1, 1],
        out_width: width::<F::Out>(),
        watches: true,
    }
}

pub(super) fn binary<F: Binary>(isa: Isa) -> Kernel {
    Kernel {
        run: compiled::<Of2<F>>(isa),
        arity: 2,
        widths: [width::<F::A>(), width::<F::B>(), 1],
        out_width: width::<F::Out>(),
        watches: true,
    }
}

pub(super) fn ternary<F: Ternary>(isa: Isa) -> Kernel {
    Kernel {
        run: compiled::<Of3<F>>(isa),
        arity: 3,
        widths: [width::<F::A>(), width::<F::B>(), width::<F::C>()],
        out_width: width::<F::Out>(),
        watches: true,
    }
}

/// The instruction set that kernels are chosen for.
pub(super) fn best() -> Isa {
    isa::active()
}
