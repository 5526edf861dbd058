//! What is done with values of `S` and `U` that is no comparison. They are padded with NULs.

use colstore_format::{DType, Kind};
use colstore_kernels::compute::{Operand, TextUnit, order_text};

use crate::error::{Error, Result};

/// An operation of values of fixed widths in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextWork {
    /// One of two.
    Select { width: usize },
    /// Cut or padded.
    Resize { from: usize, to: usize },
    /// Bytes as code points; all must be ASCII.
    Decode { from: usize, to: usize },
    /// Code points as bytes; all must be ASCII.
    Encode { from: usize, to: usize },
    /// One after the other, without the padding of the first.
    Concat { widths: [usize; 2], unit: usize },
    /// The greater or the lesser.
    Extreme { widths: [usize; 2], unit: TextUnit, greatest: bool, out: usize },
    /// Whether it is anything but padding.
    Truth { width: usize },
}

impl TextWork {
    pub(super) fn cast(from: DType, to: DType) -> Option<TextWork> {
        let (a, b) = (from.itemsize(), to.itemsize());
        Some(match (from.kind(), to.kind()) {
            (Kind::Bytes, Kind::Bytes) | (Kind::Unicode, Kind::Unicode) => {
                TextWork::Resize { from: a, to: b }
            }
            (Kind::Bytes, Kind::Unicode) => TextWork::Decode { from: a, to: b },
            (Kind::Unicode, Kind::Bytes) => TextWork::Encode { from: a, to: b },
            _ => return None,
        })
    }

    pub(super) fn concat(dtypes: &[DType], out: DType) -> Option<TextWork> {
        let &[a, b] = dtypes else { return None };
        let unit = if a.kind() == Kind::Unicode { 4 } else { 1 };
        let widths = [a.itemsize(), b.itemsize()];
        (a.kind() == b.kind() && out.itemsize() >= widths[0] + widths[1])
            .then_some(TextWork::Concat { widths, unit })
    }

    pub(super) fn extreme(dtypes: &[DType], out: DType, greatest: bool) -> Option<TextWork> {
        let &[a, b] = dtypes else { return None };
        let unit = if a.kind() == Kind::Unicode { TextUnit::CodePoint } else { TextUnit::Byte };
        let widths = [a.itemsize(), b.itemsize()];
        (a.kind() == b.kind()).then_some(TextWork::Extreme { widths, unit, greatest, out: out.itemsize() })
    }

    pub(super) fn truth(dtype: DType) -> Option<TextWork> {
        matches!(dtype.kind(), Kind::Bytes | Kind::Unicode)
            .then(|| TextWork::Truth { width: dtype.itemsize() })
    }

    /// Computes `n` values of `width` bytes.
    pub(super) fn run(self, operands: &[Operand<'_>], out: &mut [u8], width: usize, n: usize) -> Result<()> {
        let value = |k: usize, i: usize, width: usize| -> &[u8] {
            match operands[k] {
                Operand::Column(bytes) => &bytes[i * width..(i + 1) * width],
                Operand::Constant(bytes) => &bytes[..width],
            }
        };
        for (i, out) in out.chunks_mut(width.max(1)).take(n).enumerate() {
            match self {
                TextWork::Select { width } => {
                    let which = if value(0, i, 1)[0] != 0 { 1 } else { 2 };
                    out.copy_from_slice(value(which, i, width));
                }
                TextWork::Resize { from, .. } => put(out, value(0, i, from)),
                TextWork::Decode { from, .. } => decode(value(0, i, from), out)?,
                TextWork::Encode { from, .. } => encode(value(0, i, from), out)?,
                TextWork::Concat { widths, unit } => {
                    let first = without_padding(value(0, i, widths[0]), unit);
                    out[..first.len()].copy_from_slice(first);
                    put(&mut out[first.len()..], value(1, i, widths[1]));
                }
                TextWork::Extreme { widths, unit, greatest, .. } => {
                    let (a, b) = (value(0, i, widths[0]), value(1, i, widths[1]));
                    let first = (order_text(unit, a, b).is_gt()) == greatest;
                    put(out, if first { a } else { b });
                }
                TextWork::Truth { width } => {
                    out[0] = u8::from(value(0, i, width).iter().any(|&byte| byte != 0));
                }
            }
        }
        Ok(())
    }
}

/// As much as fits, and padding.
fn put(out: &mut [u8], value: &[u8]) {
    let len = out.len().min(value.len());
    out[..len].copy_from_slice(&value[..len]);
    out[len..].fill(0);
}

fn without_padding(value: &[u8], unit: usize) -> &[u8] {
    let len = value.iter().rposition(|&byte| byte != 0).map_or(0, |at| (at / unit + 1) * unit);
    &value[..len]
}

fn decode(value: &[u8], out: &mut [u8]) -> Result<()> {
    out.fill(0);
    for (&byte, point) in value.iter().zip(out.chunks_exact_mut(4)) {
        if !byte.is_ascii() {
            return Err(Error::value(format!(
                "byte 0x{byte:02x} of an 'S' value is not ASCII, and cannot become 'U'"
            )));
        }
        let at = if cfg!(target_endian = "big") { 3 } else { 0 };
        point[at] = byte;
    }
    Ok(())
}

fn encode(value: &[u8], out: &mut [u8]) -> Result<()> {
    out.fill(0);
    for (point, byte) in value.chunks_exact(4).zip(out) {
        let point: [u8; 4] = [point[0], point[1], point[2], point[3]];
        let point =
            if cfg!(target_endian = "big") { u32::from_be_bytes(point) } else { u32::from_le_bytes(point) };
        *byte = u8::try_from(point).ok().filter(u8::is_ascii).ok_or_else(|| {
            Error::value(format!(
                "code point U+{point:04X} of a 'U' value is not ASCII, and cannot become 'S'"
            ))
        })?;
    }
    Ok(())
}
