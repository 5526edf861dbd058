//! Floating-point numbers as the shortest decimal digits that read back as the same value.
//!
//! `f32` and `f64` come from the standard library, which gives the shortest digits. binary16 has no type on
//! stable Rust: a value is widened to `f64`, exactly, and the fewest digits are searched that still lie nearer
//! to it than to its neighbours.

/// Text such as `0.1`, `1e-7`, `-0.0`, `NaN`, `inf`; `None` for widths other than 2, 4 and 8 bytes.
pub(super) fn to_text(bytes: &[u8]) -> Option<String> {
    Some(match *bytes {
        [a, b] => half_text(u16::from_le_bytes([a, b])),
        [a, b, c, d] => format!("{:?}", f32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => format!("{:?}", f64::from_le_bytes([a, b, c, d, e, f, g, h])),
        _ => return None,
    })
}

/// A JSON number with the same digits, or a string where there is none.
pub(super) fn to_json(bytes: &[u8]) -> Option<String> {
    Some(match to_text(bytes)?.as_str() {
        "NaN" => "\"NaN\"".to_owned(),
        "inf" => "\"Infinity\"".to_owned(),
        "-inf" => "\"-Infinity\"".to_owned(),
        digits => digits.to_owned(),
    })
}

fn half_text(bits: u16) -> String {
    let value = half_value(bits);
    if !value.is_finite() || value == 0.0 {
        return format!("{value:?}");
    }
    // The decimals that read back as this value lie between the middles to its neighbours; a middle itself is
    // rounded to the even one of the two.
    let magnitude = value.abs();
    let position = bits & 0x7fff;
    let even = position & 1 == 0;
    let lower = (magnitude + half_value(position - 1)) / 2.0;
    // Above the largest finite value the next one would be 2^16.
    let above = if position == 0x7bff { 65536.0 } else { half_value(position + 1) };
    let upper = (magnitude + above) / 2.0;
    let reads_back = |decimal: f64| {
        (lower < decimal && decimal < upper) || (even && (decimal == lower || decimal == upper))
    };
    for digits in 0..5 {
        let shortest = decimals_around(magnitude, digits)
            .into_iter()
            .filter(|&decimal| reads_back(decimal))
            .min_by(|one, two| (one - magnitude).abs().total_cmp(&(two - magnitude).abs()));
        if let Some(decimal) = shortest {
            return format!("{:?}", decimal.copysign(value));
        }
    }
    format!("{value:?}")
}

/// The decimal of `digits` + 1 digits that is nearest to a positive `value`, and those beside it: below a power of
/// two the gap is half as wide as above, so that the nearest one may be too far where the next is not. The nearest
/// comes first, rounded to even where two are as near.
fn decimals_around(value: f64, digits: usize) -> [f64; 3] {
    let nearest = format!("{value:.digits$e}");
    let (mantissa, exponent) = nearest.split_once('e').unwrap_or((&nearest, "0"));
    let last_place = exponent.parse::<i64>().unwrap_or(0) - digits as i64;
    let mantissa = mantissa.replace('.', "").parse::<i64>().unwrap_or(0);
    [0, 1, -1].map(|step| format!("{}e{last_place}", mantissa + step).parse().unwrap_or(f64::NAN))
}

/// The value of a binary16, exactly.
fn half_value(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f64::from(bits & 0x3ff);
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (fraction + 1024.0) * 2f64.powi(exponent - 25),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_reads_back() {
        for bits in 0..=u16::MAX {
            let text = half_text(bits);
            let value = half_value(bits);
            if value.is_nan() {
                assert_eq!(text, "NaN");
                continue;
            }
            let read: f64 = text.parse().unwrap();
            // Nearest binary16 by brute comparison with the two neighbours.
            let distance = (read - value).abs();
            for neighbour in [bits.wrapping_sub(1), bits.wrapping_add(1)] {
                let other = half_value(neighbour);
                if other.is_finite() && value.is_finite() && other != value {
                    assert!(distance <= (read - other).abs(), "{bits:#06x} {text}");
                }
            }
            assert_eq!(read.is_sign_negative(), value.is_sign_negative());
        }
    }

    #[test]
    fn halves_have_few_digits() {
        assert_eq!(half_text(0x2e66), "0.1");
        assert_eq!(half_text(0x3c00), "1.0");
        assert_eq!(half_text(0x0001), "6e-8");
        assert_eq!(half_text(0x7bff), "65500.0");
        assert_eq!(half_text(0xfc00), "-inf");
        assert_eq!(half_text(0x8000), "-0.0");
    }
}
