//! float16 to float64 and back.

/// The value of a float16, which every float64 holds.
pub(crate) fn to_f64(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let fraction = f64::from(bits & 0x3ff);
    match bits >> 10 & 0x1f {
        0 => sign * fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => sign * f64::INFINITY,
        // The payload of a NaN stays in the same place of the fraction.
        0x1f => f64::from_bits(
            u64::from(bits & 0x8000) << 48 | 0x7ff0_0000_0000_0000 | u64::from(bits & 0x3ff) << 42,
        ),
        exponent => sign * (1.0 + fraction / 1024.0) * 2f64.powi(i32::from(exponent) - 15),
    }
}

/// The float16 closest to a float64, ties to even.
pub(crate) fn from_f64(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48 & 0x8000) as u16;
    if value.is_nan() {
        let payload = (bits >> 42 & 0x3ff) as u16;
        return sign | 0x7c00 | if payload == 0 { 0x200 } else { payload };
    }
    let magnitude = value.abs();
    // Halfway between the largest float16 and 65536, which would be next; the tie goes to the even one, infinity.
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // The distance between float16 values here; dividing by a power of two is exact.
    let exponent = (((bits >> 52 & 0x7ff) as i32) - 1023).max(-14);
    let units = (magnitude / 2f64.powi(exponent - 10)).round_ties_even() as u16;
    // Where rounding reached 2048, the carry goes into the exponent as it should.
    sign | (((exponent + 14) as u16) << 10).wrapping_add(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_comes_back() {
        for bits in 0..=u16::MAX {
            assert_eq!(from_f64(to_f64(bits)), bits, "{bits:#06x}");
        }
    }

    #[test]
    fn rounding_is_to_nearest_even() {
        for bits in 0..0x7bffu16 {
            let (low, high) = (to_f64(bits), to_f64(bits + 1));
            let middle = f64::midpoint(low, high);
            assert_eq!(from_f64(middle), bits + (bits & 1));
            assert_eq!(from_f64(middle.next_down()), bits);
            assert_eq!(from_f64(middle.next_up()), bits + 1);
        }
        assert_eq!(from_f64(65519.9), 0x7bff);
        assert_eq!((from_f64(65520.0), from_f64(-1e300)), (0x7c00, 0xfc00));
        assert_eq!(from_f64(1e-300), 0);
    }
}
