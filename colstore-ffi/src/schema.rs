//! The columns of a table: names and dtypes.

use std::ffi::c_char;
use std::fmt::Write;
use std::mem;

use colstore_format::Schema as FormatSchema;

use crate::dtype::DType;
use crate::error::{Error, ErrorOut};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::slice;
use crate::status::Status;
use crate::versioned::{OutStruct, Versioned};

/// The columns of a table, in order. Opaque; owned by the caller; immutable; it needs the table no more.
#[derive(Debug)]
pub struct Schema {
    schema: FormatSchema,
    /// The little-endian texts of all dtypes, one behind the other.
    native: String,
    /// Where in `native` the text of each column ends.
    native_ends: Vec<usize>,
}

impl Handle for Schema {}

impl Schema {
    pub(crate) fn new(schema: FormatSchema) -> Schema {
        let mut native = String::with_capacity(schema.len() * "<f8".len());
        let mut native_ends = Vec::with_capacity(schema.len());
        for column in schema.columns() {
            // Writing to a String does not fail.
            let _ = write!(native, "{}", column.dtype().to_little());
            native_ends.push(native.len());
        }
        Schema { schema, native, native_ends }
    }

    /// The column at `index`, which borrows from `self`.
    fn column(&self, index: usize) -> Option<Column> {
        let column = self.schema.columns().get(index)?;
        let begin = index.checked_sub(1).map_or(0, |before| self.native_ends[before]);
        let native = &self.native[begin..self.native_ends[index]];
        let name = column.name().as_bytes();
        Some(Column {
            size: size_of::<Column>(),
            name: name.as_ptr().cast(),
            name_len: name.len(),
            dtype_text: column.dtype_text().as_ptr().cast(),
            dtype_text_len: column.dtype_text().len(),
            native_text: native.as_ptr().cast(),
            native_text_len: native.len(),
            dtype: column.dtype().into(),
        })
    }
}

/// A column of a schema. The texts are borrowed from the schema: they are valid until `colstore_schema_free`,
/// and end at their length, not at a NUL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// `sizeof(colstore_column)`, set by the caller.
    pub size: usize,
    /// The name: UTF-8, or WTF-8 if it has lone surrogates (each as its three bytes). It may contain NULs.
    pub name: *const c_char,
    /// Bytes of the name.
    pub name_len: usize,
    /// The dtype as the file spells it.
    pub dtype_text: *const c_char,
    /// Bytes of `dtype_text`.
    pub dtype_text_len: usize,
    /// The dtype of what reads return, NumPy's `dtype.str` in little-endian order: `"<f8"`, `"|S3"`.
    pub native_text: *const c_char,
    /// Bytes of `native_text`.
    pub native_text_len: usize,
    /// The dtype in the file, taken apart; its size is set by the library.
    pub dtype: DType,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for Column {
    const NAME: &'static str = "colstore_column";
    const FIRST_SIZE: usize = mem::offset_of!(Column, dtype) + DType::FIRST_SIZE;
}

/// The number of columns.
///
/// # Safety
///
/// `schema` is NULL or a live schema; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_schema_n_columns(
    schema: *const Schema,
    out: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_schema_n_columns", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (schema, out) = unsafe { (handle::lend(schema, "schema")?, Out::new(out, "out")?) };
        out.set(schema.schema.len());
        Ok(())
    })
}

/// Describes the column at position `index`, counted from 0.
///
/// Fails with `OUT_OF_BOUNDS` if there is none.
///
/// # Safety
///
/// `schema` is NULL or a live schema; `out` is NULL or a `colstore_column` with its size set; `err` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_schema_column(
    schema: *const Schema,
    index: usize,
    out: *mut Column,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_schema_column", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (schema, out) = unsafe { (handle::lend(schema, "schema")?, OutStruct::new(out, "out")?) };
        let column = schema.column(index).ok_or_else(|| {
            let n_columns = schema.schema.len();
            let message =
                format!("column position {index} is out of bounds: the schema has {n_columns} columns");
            Error::new(Status::OutOfBounds, message)
        })?;
        out.set(column);
        Ok(())
    })
}

/// The position of the column with the given name: `len` bytes of UTF-8, or of WTF-8 for lone surrogates. The
/// name may be empty.
///
/// Fails with `UNKNOWN_COLUMN` if there is none; the message lists the names there are.
///
/// # Safety
///
/// `schema` is NULL or a live schema; `name` has `len` bytes; `index` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_schema_find(
    schema: *const Schema,
    name: *const c_char,
    len: usize,
    index: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_schema_find", err, || {
        // SAFETY: NULL, or live, readable and writable during the call, by the promise of the caller.
        let (schema, name, index) = unsafe {
            (handle::lend(schema, "schema")?, slice::bytes(name, len, "name")?, Out::new(index, "index")?)
        };
        index.set(colstore_core::column_index(&schema.schema, name)?);
        Ok(())
    })
}

/// Frees a schema, and with it the texts borrowed from it. NULL is fine.
///
/// # Safety
///
/// `schema` is NULL or a live schema that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_schema_free(schema: *mut Schema) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(schema) });
}
