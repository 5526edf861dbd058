//! Checked little-endian reads from a byte slice.
//!
//! Every read says by `Option` whether the bytes were there. Nothing is allocated and nothing is indexed, so
//! a cursor over hostile bytes can neither panic nor run past its end. The price is a bounds check a field,
//! which does not matter: headers are a few dozen bytes, bodies are never read through a cursor.

/// A position in a slice of bytes; it only moves forward.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { rest: bytes }
    }

    /// The next `len` bytes, or `None`, without moving, if there are fewer.
    pub(crate) fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(head)
    }

    /// The number of bytes that are left.
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*head)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn i64(&mut self) -> Option<i64> {
        self.array().map(i64::from_le_bytes)
    }
}

/// Rounds `n` up to a multiple of `k`; `None` if that does not fit.
pub(crate) fn round_up(n: u64, k: u64) -> Option<u64> {
    n.checked_next_multiple_of(k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_little_endian_in_order() {
        let mut cursor = Cursor::new(&[1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0xff]);
        assert_eq!(cursor.u16(), Some(1));
        assert_eq!(cursor.u32(), Some(2));
        assert_eq!(cursor.clone().i64(), Some(3));
        assert_eq!(cursor.u64(), Some(3));
        assert_eq!(cursor.u16(), None);
        assert_eq!(cursor.bytes(1), Some(&[0xff][..]));
        assert_eq!(cursor.bytes(0), Some(&[][..]));
        assert_eq!(cursor.bytes(usize::MAX), None);
    }

    #[test]
    fn rounds_up() {
        assert_eq!(round_up(0, 64), Some(0));
        assert_eq!(round_up(64, 64), Some(64));
        assert_eq!(round_up(65, 64), Some(128));
        assert_eq!(round_up(u64::MAX, 8), None);
    }

    proptest! {
        #[test]
        fn any_bytes_and_any_reads(bytes: Vec<u8>, reads in proptest::collection::vec((0u8..5, any::<usize>()), 0..50)) {
            let mut cursor = Cursor::new(&bytes);
            let mut position = 0usize;
            for (what, len) in reads {
                let (size, got) = match what {
                    0 => (2, cursor.u16().map(u64::from)),
                    1 => (4, cursor.u32().map(u64::from)),
                    2 => (8, cursor.u64()),
                    3 => (8, cursor.i64().map(|v| v as u64)),
                    _ => {
                        let got = cursor.bytes(len);
                        let want = position.checked_add(len).and_then(|end| bytes.get(position..end));
                        prop_assert_eq!(got, want);
                        position += got.map_or(0, <[u8]>::len);
                        continue;
                    }
                };
                let want = bytes.get(position..position + size).map(|b| {
                    b.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte))
                });
                prop_assert_eq!(got, want);
                position += got.map_or(0, |_| size);
            }
        }
    }
}
