//! A column of a table reduced to one value.

use std::mem;

use colstore_core::{Reduction as CoreReduction, Scalar as CoreScalar};

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::guard;
use crate::handle;
use crate::read::{Checked, ReadOptions};
use crate::rows::Rows;
use crate::slice;
use crate::status::Status;
use crate::table::Table;
use crate::versioned::{OutStruct, Versioned};

/// What a column is reduced to. The numbers never change.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The sum: of booleans and signed integers modulo 2^64 as `'i'`, of unsigned integers modulo 2^64 as `'u'`, of
    /// floats added up in double precision as `'f'`.
    Sum = 1,
    /// The arithmetic mean, as `'f'`.
    Mean = 2,
    /// The least value, of the column's kind.
    Min = 3,
    /// The greatest value, of the column's kind.
    Max = 4,
    /// The variance, as `'f'`: the sum of the squared distances from the mean, divided by the number of rows less
    /// `ddof`; NaN if that is not above 0.
    Var = 5,
    /// The standard deviation, as `'f'`: the square root of the variance.
    Std = 6,
}

/// One value. The fields that `kind` does not name are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    /// `sizeof(colstore_scalar)`, set by the caller.
    pub size: usize,
    /// Which field has the value: `'b'` `uint_value`, 0 or 1; `'i'`, `'M'` and `'m'` `int_value`, the last two in
    /// units of the column, with `INT64_MIN` for "not a time"; `'u'` `uint_value`; `'f'` `float_value`; 0: there is
    /// no value, because no row is selected.
    pub kind: i32,
    /// 0.
    pub reserved: i32,
    /// A signed integer or a time.
    pub int_value: i64,
    /// An unsigned integer or a boolean.
    pub uint_value: u64,
    /// A float.
    pub float_value: f64,
}

// SAFETY: repr(C), the size first, integers and a float only.
unsafe impl Versioned for Scalar {
    const NAME: &'static str = "colstore_scalar";
    const FIRST_SIZE: usize = mem::offset_of!(Scalar, float_value) + size_of::<f64>();
}

impl From<CoreScalar> for Scalar {
    fn from(scalar: CoreScalar) -> Scalar {
        let none = Scalar { size: size_of::<Scalar>(), ..Scalar::zeroed() };
        let int = |kind: u8, int_value| Scalar { kind: i32::from(kind), int_value, ..none };
        let uint = |kind: u8, uint_value| Scalar { kind: i32::from(kind), uint_value, ..none };
        match scalar {
            CoreScalar::None => none,
            CoreScalar::Bool(value) => uint(b'b', u64::from(value)),
            CoreScalar::Int(value) => int(b'i', value),
            CoreScalar::Uint(value) => uint(b'u', value),
            CoreScalar::Float(value) => Scalar { kind: i32::from(b'f'), float_value: value, ..none },
            CoreScalar::Datetime(value) => int(b'M', value),
            CoreScalar::Timedelta(value) => int(b'm', value),
        }
    }
}

/// The reduction of a number.
pub(crate) fn choice(reduction: i32) -> Result<CoreReduction, Failure> {
    let reductions = [
        (Reduction::Sum as i32, CoreReduction::Sum),
        (Reduction::Mean as i32, CoreReduction::Mean),
        (Reduction::Min as i32, CoreReduction::Min),
        (Reduction::Max as i32, CoreReduction::Max),
        (Reduction::Var as i32, CoreReduction::Var),
        (Reduction::Std as i32, CoreReduction::Std),
    ];
    slice::choice(reduction, &reductions, "reduction")
}

/// Reduces rows of the column at position `column` to one value. The values are not copied out, and the memory that
/// is needed does not depend on their number. The result is the same to the last bit for any number of threads and
/// however the rows lie in records and files.
///
/// `rows` may be NULL for all rows. `reduction` is an `enum colstore_reduction`; `ddof` is looked at for the
/// variance and the standard deviation only. `options` may be NULL. A NaN, or a "not a time", among the values makes
/// the result one. Of no rows the sum is 0, the variance and the standard deviation are NaN, and for the rest there
/// is no value.
///
/// Fails with `UNSUPPORTED_TYPE` for bytes, text and floats of 16 bytes, and for times unless the least or the
/// greatest is asked for; with `INVALID_ARGUMENT` if the selection was made for another number of rows than the
/// table has, with `OUT_OF_BOUNDS` if the column does not exist or borrowed row numbers have been changed to such as
/// are no rows, with `CANCELLED` if the progress was cancelled.
///
/// # Safety
///
/// `table` is NULL or a live table; `rows` is NULL or a live selection; `options` is NULL or has its size set; `out`
/// is NULL or a `colstore_scalar` with its size set; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_reduce(
    table: *const Table,
    column: usize,
    rows: *const Rows,
    reduction: i32,
    ddof: f64,
    options: *const ReadOptions,
    out: *mut Scalar,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_reduce", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, rows, options, out) = unsafe {
            (
                handle::lend(table, "table")?,
                handle::lend_optional(rows),
                Checked::new(options)?,
                OutStruct::new(out, "out")?,
            )
        };
        let reduction = choice(reduction)?;
        let options = options.lend();
        let scalar = match rows {
            Some(Rows(rows)) => table.0.reduce(column, rows, reduction, ddof, &options)?,
            None => table.0.reduce(column, 0..table.0.n_rows(), reduction, ddof, &options)?,
        };
        out.set(scalar.into());
        Ok(())
    })
}
