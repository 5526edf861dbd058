//! Selections of rows: which ones, checked once, for any number of reads.

use std::ffi::c_void;
use std::mem;
use std::ops::Range;

use colstore_core::{Form, IndexSlice, IndexType as CoreIndexType, Rows as CoreRows, Table as CoreTable};

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::slice;
use crate::status::Status;
use crate::table::to_i64;
use crate::versioned::{OutStruct, Versioned};

/// Row numbers that are converted at once.
const BLOCK: usize = 1 << 16;

/// Rows of a table, in order; a row may be there more than once. Opaque; owned by the caller; immutable. It is
/// made for tables of a certain number of rows and good for every table of that many; it needs none of them.
///
/// Made by `colstore_rows_indices` with `borrow`, it reads the caller's memory whenever it is used: that memory
/// must stay readable until `colstore_rows_free`. Every other selection has memory of its own.
#[derive(Debug)]
pub struct Rows(pub(crate) CoreRows<'static>);

impl Handle for Rows {}

/// The type of index values. The numbers never change.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexType {
    /// `int8_t`
    I8 = 1,
    /// `int16_t`
    I16 = 2,
    /// `int32_t`
    I32 = 3,
    /// `int64_t`
    I64 = 4,
    /// `uint8_t`
    U8 = 5,
    /// `uint16_t`
    U16 = 6,
    /// `uint32_t`
    U32 = 7,
    /// `uint64_t`
    U64 = 8,
}

/// What a selection came to. The numbers never change.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsForm {
    /// Evenly spaced rows, whatever they were made from.
    Range = 1,
    /// Row numbers, one by one.
    Indices = 2,
    /// One bit for every row.
    Mask = 3,
}

/// What a selection is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowsInfo {
    /// `sizeof(colstore_rows_info)`, set by the caller.
    pub size: usize,
    /// The number of rows that are selected from: that of the tables which the selection is good for.
    pub n_rows: i64,
    /// The number of rows that are selected.
    pub count: i64,
    /// An `enum colstore_rows_form`.
    pub form: i32,
    /// 1 if no row is below the one before it, else 0.
    pub sorted: i32,
    /// The first row of a range, if there is one; else 0.
    pub first: i64,
    /// From one row of a range to the next: negative for descending rows, 1 for up to one row; 0 in other forms.
    pub step: i64,
}

// SAFETY: repr(C), the size first, integers only.
unsafe impl Versioned for RowsInfo {
    const NAME: &'static str = "colstore_rows_info";
    const FIRST_SIZE: usize = mem::offset_of!(RowsInfo, step) + size_of::<i64>();
}

/// Which rows a call on a table is about, as C says it.
pub(crate) enum Selected {
    /// Rows from the first number up to, but not including, the second.
    Span(i64, i64),
    /// Those of a selection.
    Handle(*const Rows),
    /// Rows by number.
    Indices(Indices),
}

/// Row numbers, as C says where they are.
#[derive(Clone, Copy)]
pub(crate) struct Indices {
    pub(crate) data: *const c_void,
    pub(crate) index_type: i32,
    pub(crate) n: usize,
    pub(crate) stride: i64,
}

impl Indices {
    /// As the engine takes them, after the checks that do not need to look at them.
    fn check(self) -> Result<IndexSlice, Failure> {
        let Indices { data, index_type, n, stride } = self;
        let index_type = to_index_type(index_type)?;
        let stride = slice::strided(data, n as u64, stride, index_type.width(), "data")?;
        Ok(IndexSlice { data: data.cast(), len: n, stride, index_type })
    }
}

impl Selected {
    /// The rows as the engine takes them, which checks them against the table.
    ///
    /// # Safety
    ///
    /// A handle is NULL, or live while `'a` lasts; row numbers are readable as long.
    pub(crate) unsafe fn lend<'a>(self, table: &CoreTable) -> Result<CoreRows<'a>, Failure> {
        match self {
            Selected::Span(start, stop) => Ok(span(start, stop, "rows")?.into()),
            // SAFETY: the same promise.
            Selected::Handle(rows) => Ok(unsafe { handle::lend(rows, "rows") }?.0.clone()),
            Selected::Indices(indices) => {
                let indices = indices.check()?;
                // SAFETY: the same promise.
                Ok(unsafe { CoreRows::indices_once(table.n_rows(), indices) }?)
            }
        }
    }
}

/// `start` up to, but not including, `stop`; what is above the last is found by the engine.
pub(crate) fn span(start: i64, stop: i64, what: &str) -> Result<Range<u64>, Error> {
    match (u64::try_from(start), u64::try_from(stop)) {
        (Ok(first), Ok(end)) if first <= end => Ok(first..end),
        _ => {
            let message = format!(
                "{what} {start} to {stop} are out of bounds: 0 <= start <= stop must hold, and stop is not included"
            );
            Err(Error::new(Status::OutOfBounds, message).with_row(if start < 0 { start } else { stop }))
        }
    }
}

fn to_n_rows(n_rows: i64) -> Result<u64, Failure> {
    u64::try_from(n_rows).map_err(|_| {
        Failure::Argument(format!(
            "n_rows is {n_rows}; pass the number of rows of the table, which is not negative"
        ))
    })
}

fn to_index_type(number: i32) -> Result<CoreIndexType, Failure> {
    let types = [
        (IndexType::I8 as i32, CoreIndexType::I8),
        (IndexType::I16 as i32, CoreIndexType::I16),
        (IndexType::I32 as i32, CoreIndexType::I32),
        (IndexType::I64 as i32, CoreIndexType::I64),
        (IndexType::U8 as i32, CoreIndexType::U8),
        (IndexType::U16 as i32, CoreIndexType::U16),
        (IndexType::U32 as i32, CoreIndexType::U32),
        (IndexType::U64 as i32, CoreIndexType::U64),
    ];
    slice::choice(number, &types, "index_type")
}

/// All rows of tables of `n_rows` rows.
///
/// `*out` is a new selection: free it with `colstore_rows_free`.
///
/// # Safety
///
/// `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_all(n_rows: i64, out: *mut *mut Rows, err: *mut *mut Error) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_rows_all", err, || {
        // SAFETY: NULL, or writable during the call, by the promise of the caller.
        let out = unsafe { Out::new(out, "out") }?;
        out.set(handle::give(Rows(CoreRows::all(to_n_rows(n_rows)?))));
        Ok(())
    })
}

/// Row `start` and every `step`-th one from there, as long as it is before `stop`: below it if `step` is
/// positive, above it if `step` is negative, so that a `stop` of -1 reaches row 0. Numbers are not counted from
/// the end and not clipped.
///
/// `*out` is a new selection: free it with `colstore_rows_free`.
///
/// Fails with `INVALID_ARGUMENT` if `step` is 0, with `OUT_OF_BOUNDS` if a row is not one of the `n_rows` rows.
///
/// # Safety
///
/// `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_range(
    n_rows: i64,
    start: i64,
    stop: i64,
    step: i64,
    out: *mut *mut Rows,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_rows_range", err, || {
        // SAFETY: NULL, or writable during the call, by the promise of the caller.
        let out = unsafe { Out::new(out, "out") }?;
        out.set(handle::give(Rows(CoreRows::range(to_n_rows(n_rows)?, start, stop, step)?)));
        Ok(())
    })
}

/// Rows by number, in the order given, as often as given. Negative numbers count from the end: -1 is the last
/// row.
///
/// `data` points to the first of `n` numbers, `stride` bytes apart (their size in an array; it may be larger,
/// negative or 0), at any address, in native byte order. `index_type` is an `enum colstore_index_type`.
///
/// If `borrow` is 0, the numbers are copied. Otherwise they are not: THE MEMORY MUST STAY READABLE UNTIL
/// `colstore_rows_free`, and every use of the selection reads it anew. Numbers that are changed meanwhile are
/// checked again where they are used: the use selects other rows, the old or the new, or fails with
/// `OUT_OF_BOUNDS`, but never reads what is not there.
///
/// `*out` is a new selection: free it with `colstore_rows_free`.
///
/// Fails with `OUT_OF_BOUNDS` if a number is below `-n_rows`, or `n_rows` or above; the message names the first
/// such number and its position, `colstore_error_row` the number.
///
/// # Safety
///
/// The `n` numbers are readable where `data`, `index_type` and `stride` say, and unchanged, during the call; with
/// `borrow` they stay readable until the selection is freed. `out` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_indices(
    n_rows: i64,
    data: *const c_void,
    index_type: i32,
    n: usize,
    stride: i64,
    borrow: i32,
    out: *mut *mut Rows,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_rows_indices", err, || {
        // SAFETY: NULL, or writable during the call, by the promise of the caller.
        let out = unsafe { Out::new(out, "out") }?;
        let n_rows = to_n_rows(n_rows)?;
        let indices = Indices { data, index_type, n, stride }.check()?;
        // SAFETY: the numbers are readable during the call, and until the handle is freed if they are borrowed,
        // by the promise of the caller; in the other case nothing of them is left in what is given out.
        let rows: CoreRows<'static> = unsafe { CoreRows::indices_raw(n_rows, indices) }?;
        let rows = match rows.form() {
            Form::Indices { .. } if borrow == 0 => {
                slice::check_room::<u64>(n)?;
                rows.into_owned()
            }
            _ => rows,
        };
        out.set(handle::give(Rows(rows)));
        Ok(())
    })
}

/// The rows whose byte is not 0: row `i` is selected by the byte at `bytes + i * stride`. The bytes are copied,
/// as bits.
///
/// `*out` is a new selection: free it with `colstore_rows_free`.
///
/// Fails with `OUT_OF_BOUNDS` unless there are as many bytes as rows, `n == n_rows`.
///
/// # Safety
///
/// `n` bytes, `stride` apart, are readable and unchanged during the call; `out` is NULL or writable; `err` is
/// NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_mask(
    n_rows: i64,
    bytes: *const u8,
    n: usize,
    stride: i64,
    out: *mut *mut Rows,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_rows_mask", err, || {
        // SAFETY: NULL, or writable during the call, by the promise of the caller.
        let out = unsafe { Out::new(out, "out") }?;
        let n_rows = to_n_rows(n_rows)?;
        let stride = slice::strided(bytes.cast(), n as u64, stride, 1, "bytes")?;
        if n as u64 == n_rows {
            slice::check_room::<u64>(n.div_ceil(64))?;
        }
        // SAFETY: the bytes are readable during the call, by the promise of the caller.
        let rows = unsafe { CoreRows::mask_raw(n_rows, bytes, n, stride) }?;
        out.set(handle::give(Rows(rows)));
        Ok(())
    })
}

/// The rows whose bit is set: row `i` is selected by bit `i % 8`, counted from the lowest, of byte `i / 8`. Bits
/// beyond the last row do not count. The bits are copied.
///
/// `*out` is a new selection: free it with `colstore_rows_free`.
///
/// Fails with `OUT_OF_BOUNDS` unless there are as many bytes as the rows need, `n_bytes == (n_rows + 7) / 8`.
///
/// # Safety
///
/// `bits` has `n_bytes` bytes that nobody changes during the call; `out` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_mask_bits(
    n_rows: i64,
    bits: *const u8,
    n_bytes: usize,
    out: *mut *mut Rows,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_rows_mask_bits", err, || {
        // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
        let (bits, out) = unsafe { (slice::array(bits, n_bytes, "bits")?, Out::new(out, "out")?) };
        out.set(handle::give(Rows(CoreRows::mask_bits(to_n_rows(n_rows)?, bits)?)));
        Ok(())
    })
}

/// A selection of a selection: those rows of `outer` that `inner` says by their position in it, in the order of
/// `inner`. Row `p` of `inner` stands for the row at position `p` of `outer`.
///
/// `*out` is a new selection: free it with `colstore_rows_free`. It is good for the tables that `outer` is good
/// for, and borrows nothing, neither from the two nor from what they borrow.
///
/// Fails with `INVALID_ARGUMENT` unless `inner` was made for as many rows as `outer` selects, with `OUT_OF_BOUNDS` if
/// borrowed numbers have been changed to such as are no rows.
///
/// # Safety
///
/// `outer` and `inner` are NULL or live selections, and may be the same; `out` is NULL or writable; `err` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_select(
    outer: *const Rows,
    inner: *const Rows,
    out: *mut *mut Rows,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_rows_select", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (outer, inner, out) =
            unsafe { (handle::lend(outer, "outer")?, handle::lend(inner, "inner")?, Out::new(out, "out")?) };
        out.set(handle::give(Rows(outer.0.select(&inner.0)?)));
        Ok(())
    })
}

/// The number of rows selected; a row that is there twice counts twice.
///
/// # Safety
///
/// `rows` is NULL or a live selection; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_count(
    rows: *const Rows,
    out: *mut i64,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_rows_count", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (Rows(rows), out) = unsafe { (handle::lend(rows, "rows")?, Out::new(out, "out")?) };
        out.set(to_i64(rows.len(), "the number of rows")?);
        Ok(())
    })
}

/// The row numbers at positions `start` to `stop` (not included) of the selection.
///
/// `out` has `n` elements, exactly `stop - start`. What it holds after a failure is unspecified.
///
/// Fails with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= count`, and if borrowed numbers have been changed to
/// such as are no rows.
///
/// # Safety
///
/// `rows` is NULL or a live selection; `out` has `n` elements that nobody else uses during the call; `err` is
/// NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_positions(
    rows: *const Rows,
    start: i64,
    stop: i64,
    out: *mut i64,
    n: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_rows_positions", err, || {
        // SAFETY: NULL, or live and ours to write during the call, by the promise of the caller.
        let (Rows(rows), out) = unsafe { (handle::lend(rows, "rows")?, slice::output_array(out, n, "out")?) };
        let positions = span(start, stop, "positions")?;
        if positions.end > rows.len() {
            let message =
                format!("positions {start} to {stop} are out of bounds: {} rows are selected", rows.len());
            return Err(Error::new(Status::OutOfBounds, message).with_row(stop).into());
        }
        let len = positions.end - positions.start;
        if n as u64 != len {
            return Err(Failure::Argument(format!(
                "out has {n} elements, but positions {start} to {stop} are {len}; pass an array of just as many"
            )));
        }
        let mut block = vec![0; BLOCK.min(n)];
        let mut from = positions.start;
        for out in out.chunks_mut(BLOCK) {
            let block = &mut block[..out.len()];
            rows.positions(from, block)?;
            from += out.len() as u64;
            for (out, row) in out.iter_mut().zip(block) {
                // In range: rows are numbered by int64_t, as `to_n_rows` has seen.
                out.write(*row as i64);
            }
        }
        Ok(())
    })
}

/// Says what a selection came to: evenly spaced rows are a range, whatever they were made from.
///
/// # Safety
///
/// `rows` is NULL or a live selection; `out` is NULL or a `colstore_rows_info` with its size set; `err` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_describe(
    rows: *const Rows,
    out: *mut RowsInfo,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_rows_describe", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (Rows(rows), out) = unsafe { (handle::lend(rows, "rows")?, OutStruct::new(out, "out")?) };
        let (form, sorted, first, step) = match rows.form() {
            Form::Range { first, step } => (RowsForm::Range, step > 0, first, step),
            Form::Indices { sorted } => (RowsForm::Indices, sorted, 0, 0),
            Form::Mask => (RowsForm::Mask, true, 0, 0),
            other => {
                let message = format!("the C ABI has no number for the form {other:?}");
                return Err(Error::new(Status::Internal, message).into());
            }
        };
        out.set(RowsInfo {
            size: size_of::<RowsInfo>(),
            // Selections behind handles all know it.
            n_rows: to_i64(rows.n_rows().unwrap_or(0), "the number of rows")?,
            count: to_i64(rows.len(), "the number of rows")?,
            form: form as i32,
            sorted: i32::from(sorted),
            first: to_i64(first, "a row")?,
            step,
        });
        Ok(())
    })
}

/// Frees a selection; memory that it borrowed is the caller's alone again. NULL is fine.
///
/// # Safety
///
/// `rows` is NULL or a live selection that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_free(rows: *mut Rows) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(rows) });
}
