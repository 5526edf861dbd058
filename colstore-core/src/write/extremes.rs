//! Statistics while records are written: the least and the greatest value of each column in each record.

use colstore_format::{ColumnStatistics, DType, Schema, Statistics};
use colstore_kernels::reduce::{MinMax, min_max};

use crate::error::Result;
use crate::number::number;

/// The extremes of one column in one record; `None` where a reader must never skip the record for it.
pub(super) type Extremes = Option<MinMax>;

/// The extremes of values that lie packed and little-endian in `bytes`.
pub(super) fn extremes(dtype: DType, bytes: &[u8]) -> Extremes {
    let number = number(dtype)?;
    // SAFETY: these are so many bytes of packed little-endian values of the kind that `number` says.
    unsafe { min_max(number, bytes.as_ptr(), bytes.len() / dtype.itemsize()) }
}

/// The extremes of a record from those of the chunks that it was written in; `None` if any has none, or there are
/// no chunks.
pub(super) fn merged(dtype: DType, chunks: impl IntoIterator<Item = Extremes>) -> Extremes {
    let itemsize = dtype.itemsize();
    number(dtype)?;
    let (mut minima, mut maxima) = (Vec::new(), Vec::new());
    for chunk in chunks {
        // A chunk without extremes holds a value that has no place in an order.
        let MinMax { min, max } = chunk?;
        minima.extend_from_slice(&min[..itemsize]);
        maxima.extend_from_slice(&max[..itemsize]);
    }
    Some(MinMax { min: extremes(dtype, &minima)?.min, max: extremes(dtype, &maxima)?.max })
}

/// The statistics of the records of a file, as they come.
#[derive(Debug)]
pub(super) struct Collected {
    schema: Schema,
    n_records: u64,
    columns: Vec<ColumnStatistics>,
}

impl Collected {
    /// Of a file whose first `n_records` records have the statistics `known`; unknown ones, if that is `None`.
    pub(super) fn new(schema: &Schema, n_records: u64, known: Option<&Statistics>) -> Collected {
        let unknown = |dtype: DType| {
            let n = n_records as usize;
            let zeros = vec![0; n * dtype.itemsize()];
            ColumnStatistics { min: zeros.clone(), max: zeros, valid: vec![false; n] }
        };
        let columns = match known {
            Some(known) => known.columns().to_vec(),
            None => schema.columns().iter().map(|c| unknown(c.dtype())).collect(),
        };
        Collected { schema: schema.clone(), n_records, columns }
    }

    /// Adds a record: the extremes of its columns, in the order of the file.
    pub(super) fn push(&mut self, record: impl IntoIterator<Item = Extremes>) {
        let columns = self.schema.columns().iter().zip(&mut self.columns);
        for ((column, statistics), extremes) in columns.zip(record) {
            let itemsize = column.dtype().itemsize();
            let add = |values: &mut Vec<u8>, value: Option<&[u8; 8]>| match value {
                Some(value) => values.extend_from_slice(&value[..itemsize]),
                None => values.resize(values.len() + itemsize, 0),
            };
            add(&mut statistics.min, extremes.as_ref().map(|e| &e.min));
            add(&mut statistics.max, extremes.as_ref().map(|e| &e.max));
            statistics.valid.push(extremes.is_some());
        }
        self.n_records += 1;
    }

    /// Forgets the records from `n_records` on.
    pub(super) fn truncate(&mut self, n_records: u64) {
        let n = n_records as usize;
        for (column, statistics) in self.schema.columns().iter().zip(&mut self.columns) {
            statistics.min.truncate(n * column.dtype().itemsize());
            statistics.max.truncate(n * column.dtype().itemsize());
            statistics.valid.truncate(n);
        }
        self.n_records = self.n_records.min(n_records);
    }

    /// The footer for the records so far.
    pub(super) fn footer(&self) -> Result<Vec<u8>> {
        let statistics = Statistics::new(&self.schema, self.n_records, self.columns.clone())?;
        Ok(statistics.encode(&self.schema)?)
    }
}

#[cfg(test)]
mod tests {
    use colstore_format::Column;

    use super::*;

    fn schema() -> Schema {
        let column = |name: &str, dtype: &str| Column::new(name, dtype.parse().unwrap());
        Schema::new(vec![column("a", "<i2"), column("b", "|S3")]).unwrap()
    }

    fn of(values: &[i16]) -> Extremes {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        extremes("<i2".parse().unwrap(), &bytes)
    }

    #[test]
    fn records_are_added_and_taken_back() {
        let schema = schema();
        let mut collected = Collected::new(&schema, 0, None);
        let empty = collected.footer().unwrap();
        collected.push([of(&[3, -4, 9]), None]);
        let one = collected.footer().unwrap();
        collected.push([of(&[]), None]);
        collected.push([of(&[7]), None]);
        let parsed = Statistics::parse(&collected.footer().unwrap(), &schema, 3).unwrap();
        assert_eq!(parsed.columns()[0].valid, [true, false, true]);
        assert_eq!(parsed.columns()[0].min, [0xfc, 0xff, 0, 0, 7, 0]);
        assert_eq!(parsed.columns()[1].max, [0; 9]);
        collected.truncate(1);
        assert_eq!(collected.footer().unwrap(), one);
        collected.truncate(0);
        assert_eq!(collected.footer().unwrap(), empty);
    }

    #[test]
    fn earlier_records_are_kept_or_unknown() {
        let schema = schema();
        let mut first = Collected::new(&schema, 0, None);
        first.push([of(&[5]), None]);
        let known = Statistics::parse(&first.footer().unwrap(), &schema, 1).unwrap();
        let mut kept = Collected::new(&schema, 1, Some(&known));
        let mut unknown = Collected::new(&schema, 1, None);
        for collected in [&mut kept, &mut unknown] {
            collected.push([of(&[6]), None]);
        }
        let valid = |c: &Collected| {
            Statistics::parse(&c.footer().unwrap(), &schema, 2).unwrap().columns()[0].valid.clone()
        };
        assert_eq!((valid(&kept), valid(&unknown)), (vec![true, true], vec![false, true]));
    }

    #[test]
    fn chunks_merge_as_long_as_all_have_extremes() {
        let dtype: DType = "<i2".parse().unwrap();
        assert_eq!(merged(dtype, [of(&[3, 1]), of(&[-7]), of(&[12])]), of(&[-7, 12]));
        assert_eq!(merged(dtype, [of(&[3]), None]), None);
        assert_eq!(merged(dtype, []), None);
        assert_eq!(merged("|S3".parse().unwrap(), [None]), None);
    }
}
