//! Why a statistics footer does not count. Readers pass over one without asking; whoever checks a file wants to know.

use crate::constants::{STATISTICS_MAGIC, STATISTICS_VERSION};
use crate::cursor::Cursor;
use crate::dtype::Kind;
use crate::error::{Error, Result};
use crate::schema::Schema;
use crate::statistics::Statistics;

impl Statistics {
    /// Reads a footer as [`Statistics::parse`] does, and says why if there is none. `bytes` are those from byte `at` of the file on.
    ///
    /// It is as strict as a writer: flags must be 0 or 1, and 1 only where there can be extremes.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) with the place of the first thing that is wrong.
    pub fn check(bytes: &[u8], at: u64, schema: &Schema, n_records: u64) -> Result<Statistics> {
        let mut cursor = Cursor::new(bytes);
        let place = |cursor: &Cursor<'_>| at.saturating_add((bytes.len() - cursor.remaining()) as u64);
        let cut_off = || Error::malformed_at(at, format_args!("the statistics footer is cut off"));

        if cursor.array::<8>() != Some(STATISTICS_MAGIC) {
            let found = bytes.get(..8).unwrap_or(bytes).escape_ascii();
            return Err(Error::malformed_at(
                at,
                format_args!("there is no statistics footer: found \"{found}\""),
            ));
        }
        for (what, expected) in [
            ("version", u64::from(STATISTICS_VERSION)),
            ("number of columns", schema.len() as u64),
            ("number of records", n_records),
        ] {
            let here = place(&cursor);
            let found = u64::from(cursor.u32().ok_or_else(cut_off)?);
            if found != expected {
                let message =
                    format_args!("the statistics footer has the {what} {found}; expected {expected}");
                return Err(Error::malformed_at(here, message));
            }
        }
        for column in schema.columns() {
            for (what, expected) in
                [("name", column.name().as_bytes()), ("dtype", column.dtype_text().as_bytes())]
            {
                let here = place(&cursor);
                let found =
                    cursor.u16().and_then(|len| cursor.bytes(usize::from(len))).ok_or_else(cut_off)?;
                if found != expected {
                    let name = column.name();
                    let message = format_args!(
                        "the statistics footer has the {what} \"{:.80}\" where the manifest has \"{:.80}\"",
                        found.escape_ascii().to_string(),
                        expected.escape_ascii().to_string()
                    );
                    return Err(Error::malformed_at(here, message).with_column(name));
                }
            }
        }
        if let Some(column) = schema.columns().iter().find(|column| column.dtype().needs_swap()) {
            let name = column.name();
            let message = format_args!("a big-endian column has no statistics, but there is a footer");
            return Err(Error::malformed_at(at, message).with_column(name));
        }

        let len = Statistics::encoded_len(schema, n_records).and_then(|len| usize::try_from(len).ok());
        let footer = len.and_then(|len| bytes.get(..len)).ok_or_else(cut_off)?;
        let (body, stored) = footer.split_last_chunk::<4>().ok_or_else(cut_off)?;
        let (stored, computed) = (u32::from_le_bytes(*stored), crc32fast::hash(body));
        if stored != computed {
            return Err(Error::malformed_at(
                at.saturating_add(body.len() as u64),
                format_args!(
                    "the statistics footer is damaged: its CRC is {stored:08x}, its bytes give {computed:08x}"
                ),
            ));
        }
        for column in schema.columns() {
            let n = usize::try_from(n_records).map_err(|_| cut_off())?;
            let values = column.dtype().itemsize().checked_mul(2 * n).ok_or_else(cut_off)?;
            cursor.bytes(values).ok_or_else(cut_off)?;
            let here = place(&cursor);
            let flags = cursor.bytes(n).ok_or_else(cut_off)?;
            let has_order = !matches!(column.dtype().kind(), Kind::Bytes | Kind::Unicode);
            let bad = flags.iter().position(|flag| *flag > u8::from(has_order));
            if let Some(record) = bad {
                let name = column.name();
                let message = format_args!(
                    "the statistics of record {record} have the flag {} for a column of type {}",
                    flags[record],
                    column.dtype()
                );
                return Err(
                    Error::malformed_at(here.saturating_add(record as u64), message).with_column(name)
                );
            }
        }
        Statistics::parse(bytes, schema, n_records).ok_or_else(cut_off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::schema::Column;
    use crate::statistics::ColumnStatistics;

    const AT: u64 = 512;

    fn footer() -> (Schema, Vec<u8>) {
        let columns = [("a", "<i4"), ("é", "|S2")].map(|(n, d)| Column::new(n, DType::parse(d).unwrap()));
        let schema = Schema::new(columns.into()).unwrap();
        let of = |size: usize, valid: bool| ColumnStatistics {
            min: vec![u8::from(valid); 2 * size],
            max: vec![2 * u8::from(valid); 2 * size],
            valid: vec![valid; 2],
        };
        let bytes =
            Statistics::new(&schema, 2, vec![of(4, true), of(2, false)]).unwrap().encode(&schema).unwrap();
        (schema, bytes)
    }

    #[test]
    fn what_is_written_is_sound_whatever_follows() {
        let (schema, mut bytes) = footer();
        let parsed = Statistics::parse(&bytes, &schema, 2).unwrap();
        assert_eq!(Statistics::check(&bytes, AT, &schema, 2), Ok(parsed.clone()));
        bytes.extend(b"more");
        assert_eq!(Statistics::check(&bytes, AT, &schema, 2), Ok(parsed));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_found_inside_the_footer() {
        let (schema, good) = footer();
        for bit in 0..8 * good.len() {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let error = Statistics::check(&bytes, AT, &schema, 2).unwrap_err();
            assert!((AT..AT + good.len() as u64).contains(&error.offset().unwrap()), "bit {bit}: {error}");
        }
        for len in 0..good.len() {
            assert!(Statistics::check(&good[..len], AT, &schema, 2).is_err(), "{len} bytes");
        }
    }

    #[test]
    fn what_is_wrong_under_a_right_crc_is_named() {
        let (schema, good) = footer();
        let names = 20 + 2 + 1 + 2 + 3;
        let flags = names + 2 + 2 + 2 + 3 + 16;
        for (at, value, offset, word) in [
            (8, 2, 8, "version"),
            (12, 3, 12, "columns"),
            (16, 1, 16, "records"),
            (22, b'b', 20, "name"),
            (27, b'8', 23, "dtype"),
            (flags, 2, flags, "flag"),
            (good.len() - 5, 1, good.len() - 5, "flag"),
        ] {
            let mut bytes = good.clone();
            bytes[at] = value;
            let end = bytes.len() - 4;
            let crc = crc32fast::hash(&bytes[..end]);
            bytes[end..].copy_from_slice(&crc.to_le_bytes());
            let error = Statistics::check(&bytes, AT, &schema, 2).unwrap_err();
            assert_eq!(error.offset(), Some(AT + offset as u64), "{error}");
            assert!(error.message().contains(word), "{error}");
        }
    }
}
