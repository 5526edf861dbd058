//! Writing a file record by record.

use std::ffi::{c_char, c_void};
use std::mem;
use std::sync::{Mutex, MutexGuard};

use colstore_core::{LockPolicy as CorePolicy, Writer as CoreWriter, WriterMode as CoreMode};

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::progress::{self, Progress};
use crate::read::max_threads;
use crate::schema::Schema;
use crate::slice;
use crate::status::Status;
use crate::store::{ColumnData, read_columns};
use crate::versioned::{self, OutStruct, Versioned};

/// What a writer does with a file that exists at the path.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriterMode {
    /// Fail with `ALREADY_EXISTS`.
    Create = 0,
    /// Replace it at the first commit.
    Recreate = 1,
    /// Add records to it; fail with `NOT_FOUND` if there is none.
    Update = 2,
}

/// What a writer does about the lock on its file.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockPolicy {
    /// What the setting `lock_policy` says.
    Default = 0,
    /// Take it, or fail.
    Require = 1,
    /// Take it where the file system has locks; where it has none, go on without, and say so in the info.
    Auto = 2,
    /// Do not ask for it: the caller makes sure that there is one writer.
    Off = 3,
}

/// How a file is written record by record. NULL instead means every default, and so do zeros behind the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WriterOptions {
    /// `sizeof(colstore_writer_options)`, set by the caller.
    pub size: usize,
    /// An `enum colstore_writer_mode`.
    pub mode: i32,
    /// 1 to record the least and the greatest value of every column in every record, else 0.
    pub statistics: i32,
    /// An `enum colstore_lock_policy`.
    pub lock: i32,
    /// At most this many threads for one record, the calling one included; 0 for the library's choice.
    pub max_threads: i32,
    /// Receives reports of large records and can cancel them; may be NULL. The writer keeps a share of it: its
    /// callback and context must be valid as long as records are written.
    pub progress: *mut Progress,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for WriterOptions {
    const NAME: &'static str = "colstore_writer_options";
    const FIRST_SIZE: usize = mem::offset_of!(WriterOptions, progress) + size_of::<*mut Progress>();
}

/// How far a writer is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WriterInfo {
    /// `sizeof(colstore_writer_info)`, set by the caller.
    pub size: usize,
    /// Records in the file, those that are not committed yet included.
    pub n_records: i64,
    /// Rows in the file, those that are not committed yet included.
    pub n_rows: i64,
    /// An `enum colstore_writer_mode`.
    pub mode: i32,
    /// 1 if the writer has the lock on its file, or had until it was closed; 0 if nothing keeps others from writing.
    pub is_locked: i32,
    /// 1 after `colstore_writer_close` or `colstore_writer_abandon`, else 0.
    pub is_closed: i32,
    /// 0.
    pub reserved: i32,
}

// SAFETY: repr(C), the size first, integers only.
unsafe impl Versioned for WriterInfo {
    const NAME: &'static str = "colstore_writer_info";
    const FIRST_SIZE: usize = mem::offset_of!(WriterInfo, reserved) + size_of::<i32>();
}

/// A file that is written record by record. Opaque; owned by the caller. Its calls take turns, whichever threads
/// they come from.
#[derive(Debug)]
pub struct Writer(Mutex<CoreWriter>);

impl Handle for Writer {}

impl Writer {
    fn lock(&self) -> Result<MutexGuard<'_, CoreWriter>, Failure> {
        self.0.lock().map_err(|_| {
            let message =
                "an earlier call with this writer ended in a defect of the library; free the writer";
            Failure::Error(Error::new(Status::Internal, message))
        })
    }
}

/// Opens the file at `path` for writing record by record, and locks it before anything is changed. A symbolic link
/// at the path stays, its target is written.
///
/// In the mode `CREATE` an empty file is made at once, and stays empty up to the first record. In the mode `RECREATE`
/// records go to a temporary file beside an existing one, which is replaced at the first commit and keeps its
/// permissions; readers that have the old file open keep it. In the mode `UPDATE` the file is checked, and not changed
/// before the first record. `options` may be NULL.
///
/// `*out` is a new writer: close it with `colstore_writer_close`, then free it with `colstore_writer_free`.
///
/// Fails with `ALREADY_EXISTS` and `NOT_FOUND` as the mode says, with `LOCKED` if there is another writer, with
/// `FORMAT` if a file to be updated is damaged, and with `PERMISSION_DENIED`, `NO_SPACE` or `IO` if the operating
/// system refuses.
///
/// # Safety
///
/// `path` has `path_len` bytes; `options` is NULL or has its size set; `out` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_writer_open(
    path: *const c_char,
    path_len: usize,
    options: *const WriterOptions,
    out: *mut *mut Writer,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_writer_open", err, || {
        // SAFETY: NULL, or readable or writable during the call, by the promise of the caller.
        let (path, options, out) = unsafe {
            (
                slice::path(path, path_len, "path")?,
                versioned::read_optional(options, "options")?,
                Out::new(out, "out")?,
            )
        };
        let modes = [
            (WriterMode::Create as i32, CoreMode::Create),
            (WriterMode::Recreate as i32, CoreMode::Recreate),
            (WriterMode::Update as i32, CoreMode::Update),
        ];
        let policies = [
            (LockPolicy::Default as i32, None),
            (LockPolicy::Require as i32, Some(CorePolicy::Require)),
            (LockPolicy::Auto as i32, Some(CorePolicy::Auto)),
            (LockPolicy::Off as i32, Some(CorePolicy::Off)),
        ];
        let mode = slice::choice(options.mode, &modes, "options->mode")?;
        let mut wanted = colstore_core::WriterOptions::default();
        wanted.statistics =
            slice::choice(options.statistics, &[(0, false), (1, true)], "options->statistics")?;
        wanted.lock = slice::choice(options.lock, &policies, "options->lock")?;
        wanted.max_threads = max_threads(options.max_threads)?;
        // SAFETY: NULL or live, by the promise of the caller.
        wanted.progress = unsafe { progress::share(options.progress) };
        let writer = CoreWriter::open(path, mode, &wanted)?;
        out.set(handle::give(Writer(Mutex::new(writer))));
        Ok(())
    })
}

/// Writes one record of `n_columns` columns, at least one, all of one length, which may be 0. The first record of a
/// new file decides what the columns are; later ones must have the same names in the same order and the same dtypes,
/// but for the byte order. Everything is checked before a byte is written. The columns' memory is borrowed for the
/// call.
///
/// Records count once they are committed. A small record may be kept in memory, with room for it set aside in the
/// file. After a failure the file is as it was before the call, and more can be written; should records be lost that
/// were kept in memory, the message says which, nothing more can be written, and closing commits the ones before.
///
/// Fails with `UNSUPPORTED_TYPE` or `INVALID_ARGUMENT` for columns that do not fit and for a writer that is closed,
/// with `NO_SPACE` on a full disk, with `CANCELLED` if the progress was cancelled, and with `IO` if the operating system
/// refuses.
///
/// # Safety
///
/// `writer` is NULL or a live writer; `columns` has `n_columns` elements of the size that they say, whose texts and
/// values nobody changes during the call; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_writer_write(
    writer: *const Writer,
    columns: *const ColumnData,
    n_columns: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_writer_write", err, || {
        // SAFETY: NULL, or live or readable during the call, by the promise of the caller.
        let (writer, columns) =
            unsafe { (handle::lend(writer, "writer")?, read_columns(columns, n_columns)?) };
        writer.lock()?.write(&columns)?;
        Ok(())
    })
}

/// Writes one record of `n_rows` rows whose values lie in `body` already as the file holds them: the columns of the
/// schema one after the other, each of `n_rows` little-endian values, with nothing between or behind them, `size` bytes
/// together. For many small records this is the fastest way. The columns must be known: from the file, or from a first
/// record by `colstore_writer_write`.
///
/// Fails as `colstore_writer_write`, also with `INVALID_ARGUMENT` if the columns are not known or the size is wrong.
///
/// # Safety
///
/// `writer` is NULL or a live writer; `body` has `size` bytes that nobody changes during the call; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_writer_write_packed(
    writer: *const Writer,
    n_rows: i64,
    body: *const c_void,
    size: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_writer_write_packed", err, || {
        // SAFETY: NULL, or live or readable during the call, by the promise of the caller.
        let (writer, body) =
            unsafe { (handle::lend(writer, "writer")?, slice::bytes(body.cast(), size, "body")?) };
        let n_rows = u64::try_from(n_rows)
            .map_err(|_| Failure::Argument(format!("n_rows is {n_rows}; it must not be negative")))?;
        writer.lock()?.write_packed(n_rows, body)?;
        Ok(())
    })
}

/// Makes the records so far count: once the call returns, they survive a power cut, and readers that open the file see
/// them. More can be written. Statistics are written by `colstore_writer_close` alone.
///
/// Fails with `NO_SPACE` or `IO` if the operating system refuses; what was committed before still is. After a failed
/// flush nothing more can be written or committed, since nobody knows what is on the disk.
///
/// # Safety
///
/// `writer` is NULL or a live writer; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_writer_commit(writer: *const Writer, err: *mut *mut Error) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_writer_commit", err, || {
        // SAFETY: NULL or live, by the promise of the caller.
        unsafe { handle::lend(writer, "writer") }?.lock()?.commit()?;
        Ok(())
    })
}

/// Commits what was written and ends the writer, whatever the result; nothing if it is closed already. If nothing was
/// written, an updated file stays exactly as it is; in the other modes there is no file then, unless
/// records were refused: then a file that should have been replaced stays.
///
/// Fails as `colstore_writer_commit`. If only the statistics could not be written, the records are committed; the
/// message says so.
///
/// # Safety
///
/// `writer` is NULL or a live writer; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_writer_close(writer: *const Writer, err: *mut *mut Error) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_writer_close", err, || {
        // SAFETY: NULL or live, by the promise of the caller.
        unsafe { handle::lend(writer, "writer") }?.lock()?.close()?;
        Ok(())
    })
}

/// Ends the writer without committing: what it wrote since its last commit is taken away, as far as that can be.
/// Nothing if it is closed already.
///
/// # Safety
///
/// `writer` is NULL or a live writer; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_writer_abandon(writer: *const Writer, err: *mut *mut Error) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_writer_abandon", err, || {
        // SAFETY: NULL or live, by the promise of the caller.
        unsafe { handle::lend(writer, "writer") }?.lock()?.abandon();
        Ok(())
    })
}

/// Says how far the writer is, whether it has the lock, and whether it is closed.
///
/// # Safety
///
/// `writer` is NULL or a live writer; `out` is NULL or a `colstore_writer_info` with its size set; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_writer_describe(
    writer: *const Writer,
    out: *mut WriterInfo,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_writer_describe", err, || {
        // SAFETY: NULL, or live or writable during the call, by the promise of the caller.
        let (writer, out) = unsafe { (handle::lend(writer, "writer")?, OutStruct::new(out, "out")?) };
        let writer = writer.lock()?;
        let mode = match writer.mode() {
            CoreMode::Create => WriterMode::Create,
            CoreMode::Recreate => WriterMode::Recreate,
            CoreMode::Update => WriterMode::Update,
        };
        out.set(WriterInfo {
            size: size_of::<WriterInfo>(),
            n_records: i64::try_from(writer.n_records()).unwrap_or(i64::MAX),
            n_rows: i64::try_from(writer.n_rows()).unwrap_or(i64::MAX),
            mode: mode as i32,
            is_locked: i32::from(writer.is_locked()),
            is_closed: i32::from(writer.is_closed()),
            reserved: 0,
        });
        Ok(())
    })
}

/// The columns of the file. `*out` is a new schema: free it with `colstore_schema_free`. It outlives the writer.
///
/// Fails with `INVALID_ARGUMENT` before the first record of a new file, which decides what they are.
///
/// # Safety
///
/// `writer` is NULL or a live writer; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_writer_schema(
    writer: *const Writer,
    out: *mut *mut Schema,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_writer_schema", err, || {
        // SAFETY: NULL, or live or writable during the call, by the promise of the caller.
        let (writer, out) = unsafe { (handle::lend(writer, "writer")?, Out::new(out, "out")?) };
        let Some(schema) = writer.lock()?.schema().cloned() else {
            return Err(Failure::Argument("the file has no columns before its first record".into()));
        };
        out.set(handle::give(Schema::new(schema)));
        Ok(())
    })
}

/// Frees a writer. One that was not closed commits nothing: what it wrote since its last commit is taken away, and
/// nobody hears of failures. NULL is fine.
///
/// # Safety
///
/// `writer` is NULL or a live writer that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_writer_free(writer: *mut Writer) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(writer) });
}
