//! What the header of a file says, without opening the table.

use std::ffi::c_char;
use std::mem;

use crate::error::{Error, ErrorOut};
use crate::guard::guard;
use crate::handle::{self, Out};
use crate::schema::Schema;
use crate::slice;
use crate::status::Status;
use crate::table::to_i64;
use crate::versioned::{OutStruct, Versioned};

/// What the header of a file says.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// `sizeof(colstore_info)`, set by the caller.
    pub size: usize,
    /// The version of the file format, 1.
    pub format_version: u32,
    /// 0.
    pub reserved: u32,
    /// Committed rows.
    pub n_rows: i64,
    /// Committed records.
    pub n_records: i64,
    /// Size of the whole file in bytes.
    pub file_size: i64,
}

// SAFETY: repr(C), the size first, integers only.
unsafe impl Versioned for Info {
    const NAME: &'static str = "colstore_info";
    const FIRST_SIZE: usize = mem::offset_of!(Info, file_size) + size_of::<i64>();
}

/// Reads the header of the file at `path`, and nothing else of it: damage behind the header is not seen.
///
/// `schema` may be NULL; else `*schema` is a new schema: free it with `colstore_schema_free`.
///
/// Fails as `colstore_table_open` does.
///
/// # Safety
///
/// `path` has `path_len` bytes; `out` is NULL or a `colstore_info` with its size set; `schema` is NULL or
/// writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_info_read(
    path: *const c_char,
    path_len: usize,
    out: *mut Info,
    schema: *mut *mut Schema,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_info_read", err, || {
        // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
        let (path, out, schema_out) = unsafe {
            (
                slice::path(path, path_len, "path")?,
                OutStruct::new(out, "out")?,
                if schema.is_null() { None } else { Some(Out::new(schema, "schema")?) },
            )
        };
        let info = colstore_core::info(path)?;
        out.set(Info {
            size: size_of::<Info>(),
            format_version: info.format_version,
            reserved: 0,
            n_rows: to_i64(info.n_rows, "the number of rows")?,
            n_records: to_i64(info.n_records, "the number of records")?,
            file_size: to_i64(info.file_size, "the size of the file")?,
        });
        if let Some(schema_out) = schema_out {
            schema_out.set(handle::give(Schema::new(info.schema)));
        }
        Ok(())
    })
}
