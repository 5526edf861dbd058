//! The counters block: 64 bytes at offset 8, the only part of a file that is rewritten in place.
//!
//! ```text
//!  0  i64  n_records
//!  8  i64  committed_rows
//! 16  i64  stats_offset
//! 24  u32  CRC-32 of bytes 0..24
//! 28  36 bytes, zero, not checked
//! ```

use crate::constants::COUNTERS_OFFSET;
use crate::error::{Error, Result};

/// How much of a file is committed: what an append rewrites, last of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counters {
    /// The number of records.
    pub n_records: u64,
    /// The number of rows of all records together.
    pub committed_rows: u64,
    /// Where the statistics footer starts, in bytes from the start of the file; 0 for none. Only a hint: it may
    /// be any number, and what is found there must prove itself.
    pub stats_offset: i64,
}

impl Counters {
    /// The size of the block in bytes.
    pub const LEN: usize = 64;

    /// Reads the block.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) if the CRC does not match or a count is negative.
    pub fn parse(bytes: &[u8; Counters::LEN]) -> Result<Counters> {
        let [a, b, c, tail] = fields(bytes);
        let computed = crc32fast::hash(&bytes[..24]);
        let stored = tail as u32;
        if stored != computed {
            return Err(Error::malformed_at(
                COUNTERS_OFFSET + 24,
                format_args!(
                    "the counters block is damaged: its CRC is {stored:08x}, its bytes give {computed:08x}"
                ),
            ));
        }
        Ok(Counters {
            n_records: count(a, "records", COUNTERS_OFFSET)?,
            committed_rows: count(b, "rows", COUNTERS_OFFSET + 8)?,
            stats_offset: c as i64,
        })
    }

    /// Where in the block the first reserved byte lies that is not zero, as writers leave it; readers do not look at them.
    pub fn first_reserved(bytes: &[u8; Counters::LEN]) -> Option<usize> {
        bytes.iter().enumerate().skip(28).find(|(_, byte)| **byte != 0).map(|(at, _)| at)
    }

    /// Where a statistics footer can be, in bytes from the start of a file whose records stop at `end`; `None` if the
    /// counters name no place behind the records. The place may lie beyond the end of the file.
    pub fn statistics_offset(&self, end: u64) -> Option<u64> {
        u64::try_from(self.stats_offset).ok().filter(|offset| *offset != 0 && *offset >= end)
    }

    /// The block as it stands in a file. Counts beyond 2⁶³ − 1, which no file can have, are cut to that.
    pub fn encode(&self) -> [u8; Counters::LEN] {
        let mut bytes = [0; Counters::LEN];
        let largest = i64::MAX as u64;
        bytes[..8].copy_from_slice(&self.n_records.min(largest).to_le_bytes());
        bytes[8..16].copy_from_slice(&self.committed_rows.min(largest).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.stats_offset.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..24]);
        bytes[24..28].copy_from_slice(&crc.to_le_bytes());
        bytes
    }
}

/// The first four 8-byte words.
fn fields(bytes: &[u8; Counters::LEN]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    [0, 1, 2, 3].map(|i| u64::from_le_bytes(words[i]))
}

fn count(value: u64, what: &str, offset: u64) -> Result<u64> {
    if value > i64::MAX as u64 {
        let value = value as i64;
        return Err(Error::malformed_at(offset, format_args!("the file claims {value} {what}")));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_streaming_file() {
        let bytes = Counters::default().encode();
        assert_eq!(bytes[24..28], 0xa3c1_ca20u32.to_le_bytes());
        assert_eq!(Counters::parse(&bytes), Ok(Counters::default()));
    }

    #[test]
    fn a_footer_is_behind_the_records() {
        let at = |stats_offset| Counters { stats_offset, ..Counters::default() }.statistics_offset(512);
        assert_eq!([i64::MIN, -1, 0, 1, 511].map(at), [None; 5]);
        assert_eq!([512, 513, i64::MAX].map(at), [Some(512), Some(513), Some(i64::MAX as u64)]);
    }

    #[test]
    fn every_flipped_bit_under_the_crc_is_found() {
        let counters = Counters { n_records: 3, committed_rows: 1 << 40, stats_offset: -7 };
        let good = counters.encode();
        assert_eq!(Counters::parse(&good), Ok(counters));
        for bit in 0..8 * Counters::LEN {
            let mut bytes = good;
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Counters::parse(&bytes).is_ok(), bit >= 28 * 8, "bit {bit}");
        }
    }

    #[test]
    fn every_flipped_bit_behind_the_crc_is_seen() {
        let good = Counters::default().encode();
        assert_eq!(Counters::first_reserved(&good), None);
        for bit in 0..8 * Counters::LEN {
            let mut bytes = good;
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Counters::first_reserved(&bytes), (bit >= 28 * 8).then_some(bit / 8), "bit {bit}");
        }
    }

    #[test]
    fn negative_counts_are_refused() {
        for at in [0, 8] {
            let mut bytes = Counters { n_records: 1, committed_rows: 1, stats_offset: 0 }.encode();
            bytes[at..at + 8].copy_from_slice(&(-5i64).to_le_bytes());
            let crc = crc32fast::hash(&bytes[..24]);
            bytes[24..28].copy_from_slice(&crc.to_le_bytes());
            let error = Counters::parse(&bytes).unwrap_err();
            assert_eq!(error.offset(), Some(8 + at as u64));
            assert!(error.message().contains("-5"), "{error}");
        }
    }
}
