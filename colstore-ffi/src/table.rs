//! A table: `.cstore` files, open for reading.

use std::ffi::c_char;

use colstore_core::{Advice as CoreAdvice, Backend as CoreBackend, Table as CoreTable};

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::schema::Schema;
use crate::slice;
use crate::status::Status;
use crate::versioned::{self, Versioned};

/// A `.cstore` file, open for reading, or many of them end to end. Opaque; owned by the caller; immutable, so any
/// number of threads may use it at once. It shows what was committed when the files were opened.
#[derive(Debug)]
pub struct Table(pub(crate) CoreTable);

impl Handle for Table {}

/// How the pages of a file will be asked for, so that the system reads ahead or does not. The numbers never
/// change.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// The library's choice.
    Default = 0,
    /// In no particular way.
    Normal = 1,
    /// From the first to the last.
    Sequential = 2,
    /// In no order: nothing is read ahead.
    Random = 3,
    /// All, and soon: reading begins at once.
    WillNeed = 4,
    /// None for a while: what is in memory may go.
    DontNeed = 5,
}

/// How the bytes of a file are got at. What is read is the same. The numbers never change.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// As the setting `read_backend` says, see `colstore_config_set`.
    Default = 0,
    /// The file is mapped. Fastest, and lends values without a copy; but if another program shortens the file,
    /// touching what is gone raises `SIGBUS`.
    Mmap = 1,
    /// The file is read through its descriptor: whatever becomes of it is an error, and nothing can be lent.
    Pread = 2,
}

/// How a table is opened. NULL instead means every default, and so do zeros behind the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OpenOptions {
    /// `sizeof(colstore_open_options)`, set by the caller.
    pub size: usize,
    /// An `enum colstore_advice`, for files that are mapped.
    pub advice: i32,
    /// 1 to keep the mapped file in memory (`mlock`), as far as the process may, else 0.
    pub lock: i32,
    /// An `enum colstore_backend`.
    pub backend: i32,
    /// Must be 0.
    pub reserved: i32,
}

// SAFETY: repr(C), the size first, integers only.
unsafe impl Versioned for OpenOptions {
    const NAME: &'static str = "colstore_open_options";
    // The first version had the size only.
    const FIRST_SIZE: usize = size_of::<usize>();
}

impl OpenOptions {
    /// The options as the engine takes them.
    fn check(self) -> Result<colstore_core::OpenOptions, Failure> {
        let advices = [
            (Advice::Default as i32, CoreAdvice::default()),
            (Advice::Normal as i32, CoreAdvice::Normal),
            (Advice::Sequential as i32, CoreAdvice::Sequential),
            (Advice::Random as i32, CoreAdvice::Random),
            (Advice::WillNeed as i32, CoreAdvice::WillNeed),
            (Advice::DontNeed as i32, CoreAdvice::DontNeed),
        ];
        let backends = [
            (Backend::Default as i32, None),
            (Backend::Mmap as i32, Some(CoreBackend::Mmap)),
            (Backend::Pread as i32, Some(CoreBackend::Pread)),
        ];
        slice::choice(self.reserved, &[(0, ())], "options->reserved")?;
        let mut options = colstore_core::OpenOptions::default();
        options.advice = slice::choice(self.advice, &advices, "options->advice")?;
        options.lock = slice::choice(self.lock, &[(0, false), (1, true)], "options->lock")?;
        options.backend = slice::choice(self.backend, &backends, "options->backend")?;
        Ok(options)
    }
}

/// A count of the engine's as C has it.
pub(crate) fn to_i64(count: u64, what: &str) -> Result<i64, Failure> {
    i64::try_from(count).map_err(|_| {
        Error::new(Status::Internal, format!("{what} is {count}, which is more than an int64_t holds")).into()
    })
}

/// Opens the file at `path`: checks its header and the headers of its records, and maps the committed bytes.
/// The values are not touched, so the cost does not depend on the number of rows.
///
/// `options` may be NULL. `*out` is a new table: free it with `colstore_table_free`.
///
/// Fails with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if the file cannot be read, with `FORMAT` if it is no
/// whole and valid `.cstore` file.
///
/// # Safety
///
/// `path` has `path_len` bytes; `options` is NULL or has its size set; `out` is NULL or writable; `err` is
/// NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_open(
    path: *const c_char,
    path_len: usize,
    options: *const OpenOptions,
    out: *mut *mut Table,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_open", err, || {
        // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
        let (path, options, out) = unsafe {
            (
                slice::path(path, path_len, "path")?,
                versioned::read_optional(options, "options")?,
                Out::new(out, "out")?,
            )
        };
        let options = options.check()?;
        out.set(handle::give(Table(CoreTable::open_with(path, &options)?)));
        Ok(())
    })
}

/// The columns of the table. `*out` is a new schema: free it with `colstore_schema_free`. It outlives the
/// table.
///
/// # Safety
///
/// `table` is NULL or a live table; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_schema(
    table: *const Table,
    out: *mut *mut Schema,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_schema", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, out) = unsafe { (handle::lend(table, "table")?, Out::new(out, "out")?) };
        out.set(handle::give(Schema::new(table.0.schema().clone())));
        Ok(())
    })
}

/// The number of rows.
///
/// # Safety
///
/// `table` is NULL or a live table; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_n_rows(
    table: *const Table,
    out: *mut i64,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_n_rows", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, out) = unsafe { (handle::lend(table, "table")?, Out::new(out, "out")?) };
        out.set(to_i64(table.0.n_rows(), "the number of rows")?);
        Ok(())
    })
}

/// The number of records that the rows lie in, in all files. With one, every column is contiguous and can be
/// viewed whole.
///
/// # Safety
///
/// `table` is NULL or a live table; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_n_records(
    table: *const Table,
    out: *mut i64,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_n_records", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, out) = unsafe { (handle::lend(table, "table")?, Out::new(out, "out")?) };
        out.set(to_i64(table.0.n_records() as u64, "the number of records")?);
        Ok(())
    })
}

/// The number of rows of every record, in the order of the rows. Where records begin and end tells which rows can be
/// viewed.
///
/// `out` has `n` elements, exactly as many as there are records.
///
/// # Safety
///
/// `table` is NULL or a live table; `out` is NULL or `n` numbers that nobody else uses during the call; `err` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_record_rows(
    table: *const Table,
    out: *mut i64,
    n: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_record_rows", err, || {
        // SAFETY: NULL, or live and ours to write during the call, by the promise of the caller.
        let (table, out) = unsafe { (handle::lend(table, "table")?, slice::output_array(out, n, "out")?) };
        if n != table.0.n_records() {
            return Err(Failure::Argument(format!(
                "out has {n} elements, but the table has {} records; pass an array of just as many",
                table.0.n_records()
            )));
        }
        for (out, rows) in out.iter_mut().zip(table.0.record_rows()) {
            out.write(to_i64(rows, "the number of rows of a record")?);
        }
        Ok(())
    })
}

/// The number of files: 1 for a table that was opened, any number for one that was put together.
///
/// # Safety
///
/// `table` is NULL or a live table; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_n_files(
    table: *const Table,
    out: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_n_files", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, out) = unsafe { (handle::lend(table, "table")?, Out::new(out, "out")?) };
        out.set(table.0.n_files());
        Ok(())
    })
}

/// The path of the file at position `file`, counted from 0 in the order of the rows, as it was given when the file
/// was opened: bytes of the operating system, without a NUL, `*len` of them.
///
/// `*path` is borrowed from the table: it is valid until `colstore_table_free`.
///
/// Fails with `OUT_OF_BOUNDS` if there is no such file.
///
/// # Safety
///
/// `table` is NULL or a live table; `path` and `len` are NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_path(
    table: *const Table,
    file: usize,
    path: *mut *const c_char,
    len: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_path", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, path, len) =
            unsafe { (handle::lend(table, "table")?, Out::new(path, "path")?, Out::new(len, "len")?) };
        let Some(found) = table.0.paths().nth(file) else {
            let message = format!("file {file} is out of bounds: the table has {} files", table.0.n_files());
            return Err(Error::new(Status::OutOfBounds, message).into());
        };
        let bytes = slice::path_bytes(found);
        path.set(bytes.as_ptr().cast());
        len.set(bytes.len());
        Ok(())
    })
}

/// Frees a table. Views and schemas taken from it and tables put together from it stay valid; the files go with
/// the last of them. NULL is fine.
///
/// # Safety
///
/// `table` is NULL or a live table that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_free(table: *mut Table) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(table) });
}
