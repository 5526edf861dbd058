//! How a value is read from a file's bytes.

/// A byte that is true unless zero.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Bool(u8);

impl Bool {
    #[inline(always)]
    pub(super) fn get(self) -> u8 {
        u8::from(self.0 != 0)
    }
}

/// An integer the least of which is "not a time".
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Time(i64);

impl Time {
    #[inline(always)]
    pub(super) fn get(self) -> i64 {
        i64::from_le(self.0)
    }
}

/// The bits of a binary16.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Half(u16);

impl Half {
    #[inline(always)]
    pub(super) fn bits(self) -> u16 {
        u16::from_le(self.0)
    }
}

/// What can be taken for a float64: exactly, but for integers beyond 2^53.
pub(super) trait Real: Copy {
    fn real(self) -> f64;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Real for $type {
            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "lossless for the narrow types only")]
            fn real(self) -> f64 {
                <$type>::from_le(self) as f64
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Real for Bool {
    #[inline(always)]
    fn real(self) -> f64 {
        f64::from(self.get())
    }
}

impl Real for f32 {
    #[inline(always)]
    fn real(self) -> f64 {
        f64::from(f32::from_bits(u32::from_le(self.to_bits())))
    }
}

impl Real for f64 {
    #[inline(always)]
    fn real(self) -> f64 {
        f64::from_bits(u64::from_le(self.to_bits()))
    }
}

impl Real for Half {
    /// The exponent and the fraction, put where a float32 has its own, make a value that is 2^112 too small,
    /// subnormals too. Infinity and NaN are told by their exponent.
    #[inline(always)]
    fn real(self) -> f64 {
        let bits = u32::from(self.bits());
        let size = (bits & 0x7fff) << 13;
        let scaled = f32::from_bits(size) * f32::from_bits((127 + 112) << 23);
        let size = if bits & 0x7c00 == 0x7c00 { size | 0x7f80_0000 } else { scaled.to_bits() };
        f64::from(f32::from_bits(size | ((bits & 0x8000) << 16)))
    }
}
