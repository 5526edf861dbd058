//! Bytes and text of fixed widths, padded with NULs: compared as if the shorter were padded to the longer.
//!
//! ```text
//! for each unit of both: the first that differs decides; then, of the longer one, the first that is not NUL
//! ```
//!
//! Units are bytes, or code points of 4 bytes; both are compared as unsigned numbers.

use super::{Compare, Operand};
use std::cmp::Ordering;

/// What the units of a value are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Byte,
    /// Code points of 4 bytes, in native order.
    CodePoint,
}

/// Compares `n` values of `widths` bytes; writes a byte of 0 or 1 for each.
///
/// # Panics
/// If an operand or `out` is too short, or a width of code points is no multiple of 4.
pub fn compare(
    op: Compare,
    unit: Unit,
    operands: [Operand<'_>; 2],
    widths: [usize; 2],
    out: &mut [u8],
    n: usize,
) {
    let [a, b] = [0, 1].map(|k| {
        let (bytes, step) = match operands[k] {
            Operand::Column(bytes) => (bytes, widths[k]),
            Operand::Constant(bytes) => (bytes, 0),
        };
        move |i: usize| &bytes[i * step..i * step + widths[k]]
    });
    if unit == Unit::CodePoint {
        assert!(widths.iter().all(|width| width.is_multiple_of(4)), "code points have 4 bytes");
    }
    let out = &mut out[..n];
    match op {
        Compare::Equal => each(out, |i| equal(a(i), b(i))),
        Compare::NotEqual => each(out, |i| !equal(a(i), b(i))),
        Compare::Less => each(out, |i| order(unit, a(i), b(i)) == Ordering::Less),
        Compare::LessEqual => each(out, |i| order(unit, a(i), b(i)) != Ordering::Greater),
        Compare::Greater => each(out, |i| order(unit, a(i), b(i)) == Ordering::Greater),
        Compare::GreaterEqual => each(out, |i| order(unit, a(i), b(i)) != Ordering::Less),
    }
}

fn each(out: &mut [u8], f: impl Fn(usize) -> bool) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = u8::from(f(i));
    }
}

fn equal(a: &[u8], b: &[u8]) -> bool {
    let common = a.len().min(b.len());
    a[..common] == b[..common] && is_padding(&a[common..]) && is_padding(&b[common..])
}

fn is_padding(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

/// The order of two values.
#[must_use]
pub fn order(unit: Unit, a: &[u8], b: &[u8]) -> Ordering {
    let common = a.len().min(b.len());
    let prefix = match unit {
        Unit::Byte => a[..common].cmp(&b[..common]),
        Unit::CodePoint => code_points(&a[..common]).cmp(code_points(&b[..common])),
    };
    prefix.then_with(|| match (is_padding(&a[common..]), is_padding(&b[common..])) {
        (false, _) => Ordering::Greater,
        (_, false) => Ordering::Less,
        _ => Ordering::Equal,
    })
}

#[allow(clippy::host_endian_bytes, reason = "registers are in native order")]
fn code_points(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks::<4>().0.iter().map(|&point| u32::from_ne_bytes(point))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Case = (Compare, fn(Ordering) -> bool);

    const ALL: [Case; 6] = [
        (Compare::Equal, |o| o == Ordering::Equal),
        (Compare::NotEqual, |o| o != Ordering::Equal),
        (Compare::Less, |o| o == Ordering::Less),
        (Compare::LessEqual, |o| o != Ordering::Greater),
        (Compare::Greater, |o| o == Ordering::Greater),
        (Compare::GreaterEqual, |o| o != Ordering::Less),
    ];

    fn padded<T: Copy>(values: &[&[T]], width: usize, zero: T) -> Vec<T> {
        values
            .iter()
            .flat_map(|value| value.iter().copied().chain(std::iter::repeat_n(zero, width - value.len())))
            .collect()
    }

    #[test]
    fn widths_do_not_matter_and_units_are_unsigned() {
        let bytes: [&[u8]; 9] = [b"", b"a", b"ab", b"b", b"\xff", b"a\0b", b"abc", b"\x80", b"ac"];
        let points: [&[u32]; 8] =
            [&[], &[97], &[0xff], &[0x100], &[0x1f600], &[97, 0, 98], &[97, 98], &[0x10000]];
        let mut pairs = Vec::new();
        for a in bytes {
            for b in bytes {
                pairs.push((a, b));
            }
        }
        let (a, b): (Vec<&[u8]>, Vec<&[u8]>) = pairs.iter().copied().unzip();
        for (widths, (op, holds)) in [[3, 3], [3, 7], [5, 4]].into_iter().flat_map(|w| ALL.map(|op| (w, op)))
        {
            let (left, right) = (padded(&a, widths[0], 0), padded(&b, widths[1], 0));
            let mut out = vec![9; a.len()];
            compare(
                op,
                Unit::Byte,
                [Operand::Column(&left), Operand::Column(&right)],
                widths,
                &mut out,
                a.len(),
            );
            for (i, (a, b)) in pairs.iter().enumerate() {
                assert_eq!(out[i], u8::from(holds(a.cmp(b))), "{a:?} {op:?} {b:?}");
            }
            // One against all.
            let constant = Operand::Constant(&right[3 * widths[1]..4 * widths[1]]);
            compare(op, Unit::Byte, [Operand::Column(&left), constant], widths, &mut out, a.len());
            for (i, (a, _)) in pairs.iter().enumerate() {
                assert_eq!(out[i], u8::from(holds((*a).cmp(pairs[3].1))), "{a:?} {op:?}");
            }
        }
        for a in points {
            for b in points {
                let bytes = |points: &[u32], width| -> Vec<u8> {
                    padded(&[points], width, 0).iter().flat_map(|p: &u32| p.to_le_bytes()).collect()
                };
                let (left, right) = (bytes(a, 3), bytes(b, 5));
                for (op, holds) in ALL {
                    let mut out = [9];
                    let operands = [Operand::Column(&left), Operand::Column(&right)];
                    compare(op, Unit::CodePoint, operands, [12, 20], &mut out, 1);
                    assert_eq!(out[0], u8::from(holds(a.cmp(b))), "{a:?} {op:?} {b:?}");
                }
            }
        }
    }
}
