//! What went on in a computation that a host may want to warn of.

use std::ops::{BitOr, BitOrAssign};

/// A set of conditions, as IEEE 754 has them, and those of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Flags(u32);

impl Flags {
    /// Nothing.
    pub const NONE: Flags = Flags(0);
    /// A division by zero, of integers or of a finite float.
    pub const DIVIDE: Flags = Flags(1);
    /// A float became infinite, or an integer does not fit.
    pub const OVERFLOW: Flags = Flags(2);
    /// A result too small for its type lost digits.
    pub const UNDERFLOW: Flags = Flags(4);
    /// An operation has no result: NaN, or an arbitrary integer, was given.
    pub const INVALID: Flags = Flags(8);
    /// An integer was to be raised to a negative power, which is an error.
    pub const NEGATIVE_POWER: Flags = Flags(16);

    /// Whether all of `other` are in here.
    #[must_use]
    pub fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits: 1 divide, 2 overflow, 4 underflow, 8 invalid, 16 negative power.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0
    }

    pub(crate) fn from_bits(bits: u32) -> Flags {
        Flags(bits)
    }

    /// The set of these bits; others than those of [`bits`](Flags::bits) are left out.
    #[must_use]
    pub fn from_bits_truncate(bits: u32) -> Flags {
        Flags(bits & 31)
    }
}

impl BitOr for Flags {
    type Output = Flags;

    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

/// Clears what the processor has noted of floats on this thread.
#[inline]
pub(crate) fn clear_float() {
    #[cfg(target_arch = "x86_64")]
    {
        let status = read_status() & !0x3f;
        // SAFETY: only exception flags differ from what the register holds, and those an `asm!` block may change.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const status, options(nostack, readonly)) };
    }
}

/// What the processor has noted of floats on this thread since [`clear_float`]. Nothing where it cannot be asked.
#[inline]
pub(crate) fn float() -> Flags {
    #[cfg(target_arch = "x86_64")]
    {
        let status = read_status();
        // Invalid, denormal, divide, overflow, underflow, inexact.
        let flag = |bit: u32, flag: Flags| if status >> bit & 1 == 1 { flag } else { Flags::NONE };
        flag(0, Flags::INVALID)
            | flag(2, Flags::DIVIDE)
            | flag(3, Flags::OVERFLOW)
            | flag(4, Flags::UNDERFLOW)
    }
    #[cfg(not(target_arch = "x86_64"))]
    Flags::NONE
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn read_status() -> u32 {
    let mut status = 0_u32;
    // SAFETY: stores four bytes to a local variable.
    unsafe {
        std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut status, options(nostack, preserves_flags));
    }
    status
}
