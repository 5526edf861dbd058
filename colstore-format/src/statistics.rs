//! The statistics footer: per column and record the smallest and the largest value.
//!
//! ```text
//! 8 bytes  "CSTAT\0\x01\0"
//! u32      version of the footer, 1
//! u32      number of columns
//! u32      number of records R
//! a column at a time:  u16 length, name in UTF-8;  u16 length, dtype text
//! a column at a time:  R minima, R maxima (values of the column), R flags of one byte: 1 = valid
//! u32      CRC-32 of everything before
//! ```
//!
//! Nothing is aligned. A footer only helps to skip records; one that does not fit the file in every respect counts as absent.

use crate::constants::{MAX_STATISTICS_NAME_LEN, STATISTICS_MAGIC, STATISTICS_VERSION};
use crate::cursor::Cursor;
use crate::error::{Error, Result};
use crate::schema::{Column, Schema};

/// Magic, version and the two counts.
const FIXED_LEN: u64 = 20;
const CRC_LEN: u64 = 4;

/// The extremes of one column, a value a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnStatistics {
    /// The minima: item size times number of records bytes, little-endian. Zeros where they are not valid.
    pub min: Vec<u8>,
    /// The maxima, in the same form.
    pub max: Vec<u8>,
    /// For each record whether its extremes are known: only then may a reader skip it. They are never known for
    /// `S` and `U`, for records without rows, and for records in which a float is not finite or a time is NaT.
    pub valid: Vec<bool>,
}

/// The statistics of all records of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    n_records: u32,
    columns: Vec<ColumnStatistics>,
}

impl Statistics {
    /// The statistics of a file with `n_records` records, one [`ColumnStatistics`] a column in file order.
    ///
    /// # Errors
    ///
    /// [`Invalid`](crate::ErrorKind::Invalid) if there is not one for each column, if one is not `n_records` long, or if there are
    /// more than 2³² − 1 records.
    pub fn new(schema: &Schema, n_records: u64, columns: Vec<ColumnStatistics>) -> Result<Statistics> {
        let count = u32::try_from(n_records).map_err(|_| {
            Error::invalid(format!(
                "{n_records} records are more than the {} that statistics can cover",
                u32::MAX
            ))
        })?;
        if columns.len() != schema.len() {
            return Err(Error::invalid(format!(
                "statistics of {} columns were given for a table of {}",
                columns.len(),
                schema.len()
            )));
        }
        for (column, statistics) in schema.columns().iter().zip(&columns) {
            let size = n_records.checked_mul(column.dtype().itemsize() as u64);
            let fits = |values: &[u8]| Some(values.len() as u64) == size;
            if !fits(&statistics.min) || !fits(&statistics.max) || statistics.valid.len() as u64 != n_records
            {
                let name = column.name();
                return Err(Error::invalid(format!(
                    "the statistics of column {name:?} do not cover {n_records} records"
                ))
                .with_column(name));
            }
        }
        Ok(Statistics { n_records: count, columns })
    }

    /// The statistics of each column, in file order.
    pub fn columns(&self) -> &[ColumnStatistics] {
        &self.columns
    }

    /// The number of records.
    pub fn n_records(&self) -> u64 {
        u64::from(self.n_records)
    }

    /// The size of a footer in bytes; `None` if there cannot be one: a name is too long or has a lone surrogate, or
    /// there are too many records.
    pub fn encoded_len(schema: &Schema, n_records: u64) -> Option<u64> {
        u32::try_from(n_records).ok()?;
        u32::try_from(schema.len()).ok()?;
        let mut len = FIXED_LEN + CRC_LEN;
        for column in schema.columns() {
            let name = footer_name(column)?.len() as u64;
            let dtype = u16::try_from(column.dtype_text().len()).ok()?;
            let values = n_records.checked_mul(2 * column.dtype().itemsize() as u64 + 1)?;
            len = len.checked_add(4 + name + u64::from(dtype))?.checked_add(values)?;
        }
        Some(len)
    }

    /// Reads a footer at the start of `bytes`; what follows it is ignored.
    ///
    /// `None` if there is no intact footer, or if it is not for exactly these columns (names and dtype texts) and this number of
    /// records. Big-endian columns have no footer: the order of its values would be in doubt.
    pub fn parse(bytes: &[u8], schema: &Schema, n_records: u64) -> Option<Statistics> {
        // From here on every count is known to be one that the bytes have room for.
        let len = usize::try_from(Statistics::encoded_len(schema, n_records)?).ok()?;
        let (body, crc) = bytes.get(..len)?.split_last_chunk::<4>()?;

        let mut cursor = Cursor::new(body);
        let n_records = u32::try_from(n_records).ok()?;
        let is_ours = cursor.array::<8>()? == STATISTICS_MAGIC
            && cursor.u32()? == STATISTICS_VERSION
            && u64::from(cursor.u32()?) == schema.len() as u64
            && cursor.u32()? == n_records;
        if !is_ours || crc32fast::hash(body) != u32::from_le_bytes(*crc) {
            return None;
        }
        for column in schema.columns() {
            for text in [footer_name(column)?, column.dtype_text()] {
                let len = usize::from(cursor.u16()?);
                if cursor.bytes(len)? != text.as_bytes() {
                    return None;
                }
            }
            if column.dtype().needs_swap() {
                return None;
            }
        }
        let n = n_records as usize;
        let mut columns = Vec::with_capacity(schema.len());
        for column in schema.columns() {
            let size = n * column.dtype().itemsize();
            columns.push(ColumnStatistics {
                min: cursor.bytes(size)?.to_vec(),
                max: cursor.bytes(size)?.to_vec(),
                valid: cursor.bytes(n)?.iter().map(|flag| *flag != 0).collect(),
            });
        }
        Some(Statistics { n_records, columns })
    }

    /// The bytes of the footer of a file with these columns.
    ///
    /// # Errors
    ///
    /// [`Invalid`](crate::ErrorKind::Invalid) if the statistics are not of these columns, if a column is big-endian, or as for
    /// [`Statistics::check_names`].
    pub fn encode(&self, schema: &Schema) -> Result<Vec<u8>> {
        Statistics::check_names(schema)?;
        // 32 bits of records times 31 of item size fit in 64.
        let size = |column: &Column| self.n_records() * column.dtype().itemsize() as u64;
        let fits = |(column, own): (&Column, &ColumnStatistics)| own.min.len() as u64 == size(column);
        let len = Statistics::encoded_len(schema, self.n_records());
        let len = len.and_then(|len| usize::try_from(len).ok());
        let (Some(len), true, true) =
            (len, schema.len() == self.columns.len(), schema.columns().iter().zip(&self.columns).all(fits))
        else {
            return Err(Error::invalid("the statistics do not belong to the columns of the file"));
        };
        if let Some(column) = schema.columns().iter().find(|column| column.dtype().needs_swap()) {
            let name = column.name();
            return Err(Error::invalid(format!(
                "statistics of column {name:?} cannot be stored: it is big-endian ({})",
                column.dtype()
            ))
            .with_column(name));
        }

        let mut bytes = Vec::with_capacity(len);
        bytes.extend_from_slice(&STATISTICS_MAGIC);
        bytes.extend_from_slice(&STATISTICS_VERSION.to_le_bytes());
        bytes.extend_from_slice(&(schema.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&self.n_records.to_le_bytes());
        for column in schema.columns() {
            for text in [column.name().as_bytes(), column.dtype_text().as_bytes()] {
                bytes.extend_from_slice(&(text.len() as u16).to_le_bytes());
                bytes.extend_from_slice(text);
            }
        }
        for column in &self.columns {
            bytes.extend_from_slice(&column.min);
            bytes.extend_from_slice(&column.max);
            bytes.extend(column.valid.iter().map(|valid| u8::from(*valid)));
        }
        let crc = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&crc.to_le_bytes());
        debug_assert_eq!(bytes.len(), len);
        Ok(bytes)
    }

    /// Whether a footer can hold the names of these columns; a writer asks before it writes any data.
    ///
    /// # Errors
    ///
    /// [`Invalid`](crate::ErrorKind::Invalid) if a name has more than 65535 bytes of UTF-8 or a lone surrogate.
    pub fn check_names(schema: &Schema) -> Result<()> {
        for column in schema.columns() {
            if footer_name(column).is_none() {
                let name = column.name();
                let why = match name.as_str() {
                    Some(text) => format!("its {} bytes are more than {MAX_STATISTICS_NAME_LEN}", text.len()),
                    None => "it holds a lone surrogate".to_owned(),
                };
                let shown: String = name.to_string().chars().take(40).collect();
                return Err(Error::invalid(format!(
                    "statistics cannot be stored for a column named \"{shown}\": {why}; rename it or store without statistics"
                ))
                .with_column(name));
            }
        }
        Ok(())
    }
}

/// The name as the footer holds it, if it can.
fn footer_name(column: &Column) -> Option<&str> {
    column.name().as_str().filter(|name| name.len() <= MAX_STATISTICS_NAME_LEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column_name::ColumnName;
    use crate::dtype::DType;
    use crate::error::ErrorKind;

    fn schema(columns: &[(&str, &str)]) -> Schema {
        let columns = columns.iter().map(|(name, dtype)| Column::new(*name, DType::parse(dtype).unwrap()));
        Schema::new(columns.collect()).unwrap()
    }

    fn two_columns() -> (Schema, Statistics) {
        let schema = schema(&[("a", "<i4"), ("é", "|S2")]);
        let columns = vec![
            ColumnStatistics {
                min: vec![1, 0, 0, 0, 2, 0, 0, 0],
                max: vec![9, 0, 0, 0, 8, 0, 0, 0],
                valid: vec![true, true],
            },
            ColumnStatistics { min: vec![0; 4], max: vec![0; 4], valid: vec![false, false] },
        ];
        let statistics = Statistics::new(&schema, 2, columns).unwrap();
        (schema, statistics)
    }

    #[test]
    fn the_bytes_as_the_layout_says() {
        let (schema, statistics) = two_columns();
        let mut expected =
            b"CSTAT\0\x01\0\x01\0\0\0\x02\0\0\0\x02\0\0\0\x01\0a\x03\0<i4\x02\0\xc3\xa9\x03\0|S2".to_vec();
        expected.extend_from_slice(&[
            1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ]);
        expected.extend_from_slice(&crc32fast::hash(&expected).to_le_bytes());
        let bytes = statistics.encode(&schema).unwrap();
        assert_eq!(bytes, expected);
        assert_eq!(Statistics::encoded_len(&schema, 2), Some(bytes.len() as u64));
    }

    #[test]
    fn any_damage_hides_it_and_trailing_bytes_do_not() {
        let (schema, statistics) = two_columns();
        let mut bytes = statistics.encode(&schema).unwrap();
        for i in 0..bytes.len() {
            bytes[i] ^= 0x10;
            assert_eq!(Statistics::parse(&bytes, &schema, 2), None, "byte {i}");
            bytes[i] ^= 0x10;
            assert_eq!(Statistics::parse(&bytes[..i], &schema, 2), None, "cut at {i}");
        }
        bytes.extend_from_slice(b"orphan");
        assert_eq!(Statistics::parse(&bytes, &schema, 2), Some(statistics));
    }

    #[test]
    fn other_columns_and_counts_do_not_fit() {
        let (own, statistics) = two_columns();
        let bytes = statistics.encode(&own).unwrap();
        for other in [
            &[("b", "<i4"), ("é", "|S2")][..],
            &[("a", "<u4"), ("é", "|S2")],
            &[("a", "i4"), ("é", "|S2")],
            &[("a", "<i4")],
            &[("é", "|S2"), ("a", "<i4")],
        ] {
            let other = Schema::new(
                other
                    .iter()
                    .map(|(n, d)| Column::spelled((*n).into(), DType::parse(d).unwrap(), *d))
                    .collect(),
            );
            assert_eq!(Statistics::parse(&bytes, &other.unwrap(), 2), None);
        }
        for n_records in [0, 1, 3, u64::from(u32::MAX), u64::MAX] {
            assert_eq!(Statistics::parse(&bytes, &own, n_records), None);
        }
    }

    #[test]
    fn names_that_no_footer_can_hold() {
        let longest = "x".repeat(65535);
        Statistics::check_names(&schema(&[(&longest, "<i4")])).unwrap();
        let lone = ColumnName::from_wtf8(b"\xed\xa0\x80").unwrap();
        for name in [ColumnName::from("x".repeat(65536)), ColumnName::from("é".repeat(32768)), lone] {
            let schema = Schema::new(vec![Column::new(name, DType::parse("<i4").unwrap())]).unwrap();
            assert_eq!(Statistics::check_names(&schema).unwrap_err().kind(), ErrorKind::Invalid);
            assert_eq!(Statistics::encoded_len(&schema, 1), None);
        }
    }

    #[test]
    fn wrong_shapes_are_refused() {
        let (own, statistics) = two_columns();
        let columns = statistics.columns().to_vec();
        assert!(Statistics::new(&own, 1, columns.clone()).is_err());
        assert!(Statistics::new(&own, 1 << 32, columns.clone()).is_err());
        assert!(Statistics::new(&own, 2, columns[..1].to_vec()).is_err());
        assert!(statistics.encode(&schema(&[("a", "<i8"), ("é", "|S2")])).is_err());
        assert!(statistics.encode(&schema(&[("a", ">i4"), ("é", "|S2")])).is_err());
    }
}
