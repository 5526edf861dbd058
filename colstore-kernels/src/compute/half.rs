//! IEEE 754 binary16: stored as 16 bits, computed with as float32 or float64, rounded to the nearest value, ties to
//! even.

/// The bits of a binary16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct F16(pub u16);

impl F16 {
    /// The value, exactly.
    ///
    /// The exponent and the fraction, put where a float32 has its own, make a value that is 2^112 too small,
    /// subnormals too. Infinity and NaN are told by their exponent.
    #[inline(always)]
    #[must_use]
    pub fn to_f32(self) -> f32 {
        let bits = u32::from(self.0);
        let size = (bits & 0x7fff) << 13;
        let scaled = f32::from_bits(size) * f32::from_bits((127 + 112) << 23);
        let size = if bits & 0x7c00 == 0x7c00 { size | 0x7f80_0000 } else { scaled.to_bits() };
        f32::from_bits(size | ((bits & 0x8000) << 16))
    }

    /// The nearest binary16. A NaN keeps the upper bits of its payload, and stays one.
    #[inline(always)]
    #[must_use]
    pub fn from_f32(value: f32) -> F16 {
        let bits = value.to_bits();
        let sign = (bits >> 16 & 0x8000) as u16;
        let size = bits & 0x7fff_ffff;
        let half = if size >= 0x4780_0000 {
            // From 2^16 on: infinity, or NaN.
            let nan = 0x7c00 | (size >> 13 & 0x3ff) as u16;
            if size > 0x7f80_0000 { nan.max(0x7c01) } else { 0x7c00 }
        } else if size >= 0x3880_0000 {
            // Normal: the rounding may carry into the exponent, up to infinity.
            let size = size - (112 << 23);
            ((size + 0xfff + (size >> 13 & 1)) >> 13) as u16
        } else {
            // The processor rounds at the last bit of a sum with 0.5, which is the last of a subnormal binary16.
            ((f32::from_bits(size) + 0.5).to_bits() - 0.5_f32.to_bits()) as u16
        };
        F16(sign | half)
    }

    /// The nearest binary16, rounded once.
    #[inline(always)]
    #[must_use]
    pub fn from_f64(value: f64) -> F16 {
        const UNIT: f64 = (1_u64 << 28) as f64;
        let bits = value.to_bits();
        let sign = (bits >> 48 & 0x8000) as u16;
        let size = bits & (u64::MAX >> 1);
        let half = if size >= 0x40f0_0000_0000_0000 {
            let nan = 0x7c00 | (size >> 42 & 0x3ff) as u16;
            if size > 0x7ff0_0000_0000_0000 { nan.max(0x7c01) } else { 0x7c00 }
        } else if size >= 0x3f10_0000_0000_0000 {
            let size = size - (1008 << 52);
            ((size + ((1 << 41) - 1) + (size >> 42 & 1)) >> 42) as u16
        } else {
            ((f64::from_bits(size) + UNIT).to_bits() - UNIT.to_bits()) as u16
        };
        F16(sign | half)
    }

    /// Whether it is NaN.
    #[inline(always)]
    #[must_use]
    pub fn is_nan(self) -> bool {
        self.0 & 0x7fff > 0x7c00
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A binary16 by its definition.
    fn value(bits: u16) -> f64 {
        let (sign, exponent, fraction) = (bits >> 15, bits >> 10 & 31, f64::from(bits & 1023));
        let size = match exponent {
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            0 => fraction * 2_f64.powi(-24),
            _ => (1024.0 + fraction) * 2_f64.powi(i32::from(exponent) - 25),
        };
        if sign == 1 { -size } else { size }
    }

    #[test]
    fn every_value_goes_there_and_back() {
        for bits in 0..=u16::MAX {
            let half = F16(bits);
            let expected = value(bits);
            let found = f64::from(half.to_f32());
            assert!(
                found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                "{bits:#x}"
            );
            assert_eq!(half.is_nan(), expected.is_nan());
            if !expected.is_nan() {
                assert_eq!(
                    (F16::from_f32(half.to_f32()), F16::from_f64(expected)),
                    (half, half),
                    "{bits:#x}"
                );
            } else {
                assert!(
                    F16::from_f32(half.to_f32()).is_nan() && F16::from_f64(f64::from(half.to_f32())).is_nan()
                );
            }
        }
    }

    #[test]
    fn what_lies_between_goes_to_the_nearest_and_ties_to_even() {
        for bits in 0..0x7bff_u16 {
            let (low, high) = (value(bits), value(bits + 1));
            let middle = (low + high) / 2.0;
            let even = if bits.is_multiple_of(2) { bits } else { bits + 1 };
            let (below, above) = (middle.next_down(), middle.next_up());
            for sign in [1.0, -1.0] {
                let with_sign = |bits: u16| F16(if sign < 0.0 { bits | 0x8000 } else { bits });
                assert_eq!(F16::from_f64(sign * middle), with_sign(even));
                assert_eq!(F16::from_f64(sign * below), with_sign(bits));
                assert_eq!(F16::from_f64(sign * above), with_sign(bits + 1));
                let narrow = middle as f32;
                assert_eq!(F16::from_f32(sign as f32 * narrow), with_sign(even));
                assert_eq!(F16::from_f32(sign as f32 * narrow.next_down()), with_sign(bits));
                assert_eq!(F16::from_f32(sign as f32 * narrow.next_up()), with_sign(bits + 1));
            }
        }
        assert_eq!(F16::from_f64(65519.999), F16(0x7bff));
        assert_eq!(F16::from_f64(65520.0), F16(0x7c00));
        assert_eq!(F16::from_f32(65520.0), F16(0x7c00));
        assert_eq!(F16::from_f64(-1e300), F16(0xfc00));
        assert_eq!(F16::from_f32(f32::INFINITY), F16(0x7c00));
        assert_eq!(F16::from_f64(1e-300), F16(0));
    }
}
