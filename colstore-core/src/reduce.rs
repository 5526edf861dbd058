//! A column of a selection into one value.
//!
//! ```text
//! selected rows   | 131,072 | 131,072 | … |      chunks, however records lie and whoever takes them
//! chunk           64 blocks of 2,048 values: each reduced by a kernel, merged pairwise
//! chunks          merged pairwise, in their order
//! ```
//!
//! One pass, with a scratch of a quarter of a chunk a thread for values that do not lie together. The order in which values
//! are put together depends on their number alone; so does the result, to the last bit.

mod runs;

use colstore_format::{DType, Kind};
use colstore_kernels::reduce::{self as kernel, Blocks, MinMax, Moments, Number, Sum};

use crate::error::{Error, ErrorKind, Result};
use crate::number::number;
use crate::options::ReadOptions;
use crate::read::Values;
use crate::rows::Rows;
use crate::table::Table;
use runs::{AtOnce, Fold};
pub use runs::{PartSource, REDUCE_BLOCK_ROWS, RunSource, reduce_parts, reduce_runs};

/// What a column is reduced to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reduction {
    /// The sum.
    Sum,
    /// The arithmetic mean.
    Mean,
    /// The least value.
    Min,
    /// The greatest value.
    Max,
    /// The variance.
    Var,
    /// The standard deviation: the root of the variance.
    Std,
}

/// One value that a column was reduced to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// There is none, as there are no rows.
    None,
    /// Of a boolean column.
    Bool(bool),
    /// Of a column of booleans or signed integers.
    Int(i64),
    /// Of a column of unsigned integers.
    Uint(u64),
    /// Of a column of floats, or a mean.
    Float(f64),
    /// In units of the column; `i64::MIN` is "not a time".
    Datetime(i64),
    /// In units of the column; `i64::MIN` is "not a time".
    Timedelta(i64),
}

impl Table {
    /// Reduces `rows` of `column` to one value.
    ///
    /// | reduction | columns | result | of no rows |
    /// |---|---|---|---|
    /// | sum | boolean, integer, float | `Int` or `Uint`, modulo 2⁶⁴; `Float` | zero |
    /// | mean | the same | `Float`; the sum of integers is exact | `None` |
    /// | variance, standard deviation | the same | `Float` | `Float` of NaN |
    /// | minimum, maximum | the same, datetime, timedelta | as the column | `None` |
    ///
    /// Floats are put together as float64. The variance divides by the number of rows less `ddof`; if that is not
    /// above zero, it is NaN. Anything that is NaN, or "not a time", makes the result so. Neither the number of
    /// threads nor the layout of the files changes a bit of it.
    ///
    /// # Errors
    ///
    /// [`UnsupportedType`](ErrorKind::UnsupportedType) for a column that has no such value,
    /// [`OutOfBounds`](ErrorKind::OutOfBounds) for rows or a column that are not there, [`Io`](ErrorKind::Io) if a
    /// file was cut short, and [`Cancelled`](ErrorKind::Cancelled).
    ///
    /// ```
    /// # fn main() -> colstore_core::Result<()> {
    /// use colstore_core::{ColumnData, ReadOptions, Reduction, Scalar, StoreOptions, Table, store};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("events.cstore");
    /// let charges: Vec<u8> = [3i16, -1, 4].iter().flat_map(|c| c.to_le_bytes()).collect();
    /// store(&path, &[ColumnData::from_slice("charge".into(), "<i2".parse()?, &charges)?], &StoreOptions::default())?;
    ///
    /// let table = Table::open(&path)?;
    /// let options = ReadOptions::default();
    /// assert_eq!(table.reduce(0, 0..3, Reduction::Sum, 0.0, &options)?, Scalar::Int(6));
    /// assert_eq!(table.reduce(0, 0..3, Reduction::Mean, 0.0, &options)?, Scalar::Float(2.0));
    /// assert_eq!(table.reduce(0, 0..3, Reduction::Var, 1.0, &options)?, Scalar::Float(7.0));
    /// assert_eq!(table.reduce(0, 0..0, Reduction::Min, 0.0, &options)?, Scalar::None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn reduce<'r>(
        &self,
        column: usize,
        rows: impl Into<Rows<'r>>,
        reduction: Reduction,
        ddof: f64,
        options: &ReadOptions<'_>,
    ) -> Result<Scalar> {
        let rows = rows.into();
        self.check_rows(&rows)?;
        self.check_column(column)?;
        let number = self.number_for(column, reduction)?;
        let values = Values::new(self, column, &rows)?;
        reduce_all(&AtOnce(&values), number, reduction, ddof, options)
    }

    fn number_for(&self, column: usize, reduction: Reduction) -> Result<Number> {
        let entry = &self.schema().columns()[column];
        number_for(entry.dtype(), reduction).map_err(|needed| {
            let message = format!(
                "{needed} column; column '{}' of {} is {}",
                entry.name(),
                self.name(),
                entry.dtype(),
            );
            self.blame(Error::new(ErrorKind::UnsupportedType, message)).with_column(entry.name())
        })
    }
}

/// How kernels call what a dtype holds; if the reduction does not take it, what it takes.
fn number_for(dtype: DType, reduction: Reduction) -> std::result::Result<Number, String> {
    let is_extreme = matches!(reduction, Reduction::Min | Reduction::Max);
    number(dtype).filter(|&number| is_extreme || number != Number::Time).ok_or_else(|| {
        let name = match reduction {
            Reduction::Sum => "sum",
            Reduction::Mean => "mean",
            Reduction::Min => "min",
            Reduction::Max => "max",
            Reduction::Var => "var",
            Reduction::Std => "std",
        };
        format!("{name} needs a {}", if is_extreme { "numeric or datetime" } else { "numeric" })
    })
}

fn reduce_all<V: Fold>(
    values: &V,
    number: Number,
    reduction: Reduction,
    ddof: f64,
    options: &ReadOptions<'_>,
) -> std::result::Result<Scalar, V::Error> {
    match reduction {
        Reduction::Sum => sum(values, number, options),
        Reduction::Mean => mean(values, number, options),
        Reduction::Min => extreme(values, number, options, |extremes| extremes.min),
        Reduction::Max => extreme(values, number, options, |extremes| extremes.max),
        Reduction::Var => Ok(Scalar::Float(moments(values, number, options)?.variance(ddof))),
        Reduction::Std => Ok(Scalar::Float(moments(values, number, options)?.variance(ddof).sqrt())),
    }
}

fn sum<V: Fold>(
    values: &V,
    number: Number,
    options: &ReadOptions<'_>,
) -> std::result::Result<Scalar, V::Error> {
    let blocks = |blocks: Blocks<'_>, each: &mut dyn FnMut(Sum)| {
        // SAFETY: `fold` hands over values of this kind.
        unsafe { kernel::sum_blocks(number, blocks, each) }
    };
    let merge = |a, b| match (a, b) {
        (Sum::Int(a), Sum::Int(b)) => Sum::Int(a.wrapping_add(b)),
        (Sum::Uint(a), Sum::Uint(b)) => Sum::Uint(a.wrapping_add(b)),
        (Sum::Float(a), Sum::Float(b)) => Sum::Float(canonical(a + b)),
        // Sums of one kind of number are of one kind.
        (a, _) => a,
    };
    // The sum of no values of this kind.
    // SAFETY: no values are read.
    let nothing = unsafe { kernel::sum(number, std::ptr::NonNull::dangling().as_ptr(), 0) };
    Ok(match values.fold(options, blocks, merge)?.unwrap_or(nothing) {
        Sum::Int(sum) => Scalar::Int(sum),
        Sum::Uint(sum) => Scalar::Uint(sum),
        Sum::Float(sum) => Scalar::Float(sum),
    })
}

fn mean<V: Fold>(
    values: &V,
    number: Number,
    options: &ReadOptions<'_>,
) -> std::result::Result<Scalar, V::Error> {
    let total = if let Number::F16 | Number::F32 | Number::F64 = number {
        match sum(values, number, options)? {
            Scalar::Float(sum) => sum,
            _ => f64::NAN,
        }
    } else {
        let run = |blocks: Blocks<'_>, each: &mut dyn FnMut(i128)| {
            // SAFETY: `fold` hands over values of this kind.
            let sum = |(src, n)| unsafe { kernel::exact_sum(number, src, n) }.unwrap_or(0);
            each(blocks.stretches(number.width()).map(sum).sum());
        };
        values.fold(options, run, |a, b| a + b)?.unwrap_or(0) as f64
    };
    Ok(match values.n_values() {
        0 => Scalar::None,
        n => Scalar::Float(canonical(total / n as f64)),
    })
}

fn moments<V: Fold>(
    values: &V,
    number: Number,
    options: &ReadOptions<'_>,
) -> std::result::Result<Moments, V::Error> {
    let blocks = |blocks: Blocks<'_>, each: &mut dyn FnMut(Moments)| {
        // SAFETY: `fold` hands over values of this kind.
        unsafe { kernel::moments_blocks(number, blocks, each) }
    };
    Ok(values.fold(options, blocks, Moments::merge)?.unwrap_or_default())
}

fn extreme<V: Fold>(
    values: &V,
    number: Number,
    options: &ReadOptions<'_>,
    which: impl Fn(MinMax) -> [u8; 8],
) -> std::result::Result<Scalar, V::Error> {
    let run = |blocks: Blocks<'_>, each: &mut dyn FnMut(Option<MinMax>)| {
        // SAFETY: `fold` hands over values of this kind.
        blocks
            .stretches(number.width())
            .for_each(|(src, n)| each(unsafe { kernel::extremes(number, src, n) }));
    };
    let merge = |a: Option<MinMax>, b: Option<MinMax>| match (a, b) {
        (Some(a), Some(b)) => Some(a.merge(number, b)),
        (one, other) => one.or(other),
    };
    let Some(extremes) = values.fold(options, run, merge)?.flatten() else { return Ok(Scalar::None) };
    let bytes = which(extremes);
    let kind = values.dtype().kind();
    // Of a float16 and a float32 the value as float64, of a narrow integer what it is as a wide one.
    Ok(match (kind, number) {
        (Kind::Bool, _) => Scalar::Bool(bytes[0] != 0),
        (Kind::Datetime, _) => Scalar::Datetime(i64::from_le_bytes(bytes)),
        (Kind::Timedelta, _) => Scalar::Timedelta(i64::from_le_bytes(bytes)),
        // SAFETY: one value of at most 8 bytes, the width of which is the number's.
        _ => match unsafe { kernel::sum(number, bytes.as_ptr(), 1) } {
            // A sum begins with a positive zero, an extreme keeps its sign.
            Sum::Float(0.0) => Scalar::Float(if is_negative(number, bytes) { -0.0 } else { 0.0 }),
            Sum::Int(value) => Scalar::Int(value),
            Sum::Uint(value) => Scalar::Uint(value),
            Sum::Float(value) => Scalar::Float(value),
        },
    })
}

fn is_negative(number: Number, bytes: [u8; 8]) -> bool {
    bytes[number.width() - 1] & 0x80 != 0
}

/// Processors differ in the NaN that an operation makes; results do not.
fn canonical(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}
