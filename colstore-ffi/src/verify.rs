//! Everything that can be checked of files, and the report of it.

use std::ffi::c_char;
use std::mem;
use std::ptr;

use colstore_core::{Finding as CoreFinding, Severity as CoreSeverity, VerifyReport as CoreReport};

use crate::error::{Error, ErrorOut};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::progress::{self, Progress};
use crate::read::max_threads;
use crate::slice;
use crate::status::Status;
use crate::table::to_i64;
use crate::versioned::{self, OutStruct, Versioned};

/// How bad a finding is.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Worth knowing: nothing is wrong with the data.
    Note = 0,
    /// Not as writers leave a file, but readers get the right values.
    Warning = 1,
    /// Damage: the file cannot be read, or not all that it says is true.
    Error = 2,
}

/// How files are checked. NULL instead means every default, and so do zeros behind the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions {
    /// `sizeof(colstore_verify_options)`, set by the caller.
    pub size: usize,
    /// 1 to read all values too, else 0.
    pub deep: i32,
    /// At most this many threads, the calling one included; 0 for the library's choice.
    pub max_threads: i32,
    /// Receives reports and can cancel the call; may be NULL. Borrowed for the call.
    pub progress: *mut Progress,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for VerifyOptions {
    const NAME: &'static str = "colstore_verify_options";
    const FIRST_SIZE: usize = mem::offset_of!(VerifyOptions, progress) + size_of::<*mut Progress>();
}

/// What a check came to.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct VerifySummary {
    /// `sizeof(colstore_verify_summary)`, set by the caller.
    pub size: usize,
    /// Findings that are listed: of each file at most a thousand, and one more that says so.
    pub n_findings: i64,
    /// Errors, listed or not; 0 if everything is sound.
    pub n_errors: i64,
    /// Warnings, listed or not.
    pub n_warnings: i64,
    /// Notes, listed or not.
    pub n_notes: i64,
    /// Files that were looked at as tables.
    pub n_files: i64,
    /// Committed records that were found to be whole.
    pub n_records: i64,
    /// Rows in them.
    pub n_rows: i64,
    /// Bytes of all files together.
    pub n_bytes: i64,
    /// Bytes of values that were read.
    pub n_value_bytes: i64,
}

// SAFETY: repr(C), the size first, integers only.
unsafe impl Versioned for VerifySummary {
    const NAME: &'static str = "colstore_verify_summary";
    const FIRST_SIZE: usize = mem::offset_of!(VerifySummary, n_value_bytes) + size_of::<i64>();
}

/// One thing that was found. The texts are UTF-8 without a NUL and borrowed from the report: they are valid
/// until `colstore_verify_report_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// `sizeof(colstore_finding)`, set by the caller.
    pub size: usize,
    /// An `enum colstore_severity`.
    pub severity: i32,
    /// 0.
    pub reserved: i32,
    /// A word that says what it is about, such as `"record"`.
    pub code: *const c_char,
    /// Bytes of the word.
    pub code_len: usize,
    /// What was expected and what was found.
    pub message: *const c_char,
    /// Bytes of the message.
    pub message_len: usize,
    /// The file, as bytes of the operating system.
    pub path: *const c_char,
    /// Bytes of the path.
    pub path_len: usize,
    /// The name of the column (a lone surrogate shown as an escape), NULL if it is about none.
    pub column: *const c_char,
    /// Bytes of the name.
    pub column_len: usize,
    /// Where, in bytes from the start of the file; -1 if it is about no place.
    pub offset: i64,
    /// In which record, counted from 0; -1 if it is about none.
    pub record: i64,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for Finding {
    const NAME: &'static str = "colstore_finding";
    const FIRST_SIZE: usize = mem::offset_of!(Finding, record) + size_of::<i64>();
}

/// What a check of files has found. Opaque; owned by the caller; immutable.
#[derive(Debug)]
pub struct VerifyReport(CoreReport);

impl Handle for VerifyReport {}

/// Checks the file at `path`, or all files of a directory or a pattern, and reports what is wrong with them and
/// where. Damage is in the report; it is no failure of the call.
///
/// Found is any changed bit of the header, the manifest, record headers, fillers and statistics. Values have no
/// checksum: a change of them is found with `deep` only, and only if it leaves the range that the statistics of
/// the file give, or is a byte that no bool or text holds. No lock is taken.
///
/// `options` may be NULL. `*out` is a new report: free it with `colstore_verify_report_free`.
///
/// Fails with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if a single file or the directory cannot be read, and with
/// `CANCELLED` if the progress was cancelled.
///
/// # Safety
///
/// `path` has `path_len` bytes; `options` is NULL or has its size set; `out` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_verify(
    path: *const c_char,
    path_len: usize,
    options: *const VerifyOptions,
    out: *mut *mut VerifyReport,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_verify", err, || {
        // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
        let (path, options, out) = unsafe {
            (
                slice::path(path, path_len, "path")?,
                versioned::read_optional(options, "options")?,
                Out::new(out, "out")?,
            )
        };
        // SAFETY: NULL or live, by the promise of the caller.
        let progress = unsafe { progress::share(options.progress) };
        let options = colstore_core::VerifyOptions {
            deep: slice::choice(options.deep, &[(0, false), (1, true)], "options->deep")?,
            max_threads: max_threads(options.max_threads)?,
            progress: progress.as_deref(),
        };
        out.set(handle::give(VerifyReport(colstore_core::verify(path, &options)?)));
        Ok(())
    })
}

/// What the check came to: how many findings, over how much.
///
/// # Safety
///
/// `report` is NULL or a live report; `out` is NULL or a `colstore_verify_summary` with its size set; `err` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_verify_report_describe(
    report: *const VerifyReport,
    out: *mut VerifySummary,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_verify_report_describe", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (VerifyReport(report), out) =
            unsafe { (handle::lend(report, "report")?, OutStruct::new(out, "out")?) };
        out.set(VerifySummary {
            size: size_of::<VerifySummary>(),
            n_findings: to_i64(report.findings.len() as u64, "the number of findings")?,
            n_errors: to_i64(report.n_errors, "the number of errors")?,
            n_warnings: to_i64(report.n_warnings, "the number of warnings")?,
            n_notes: to_i64(report.n_notes, "the number of notes")?,
            n_files: to_i64(report.n_files, "the number of files")?,
            n_records: to_i64(report.n_records, "the number of records")?,
            n_rows: to_i64(report.n_rows, "the number of rows")?,
            n_bytes: to_i64(report.n_bytes, "the size of the files")?,
            n_value_bytes: to_i64(report.n_value_bytes, "the size of the values")?,
        });
        Ok(())
    })
}

/// The finding at position `index`, counted from 0, in the order of the files and of the places in them.
///
/// Fails with `OUT_OF_BOUNDS` if there is none.
///
/// # Safety
///
/// `report` is NULL or a live report; `out` is NULL or a `colstore_finding` with its size set; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_verify_report_finding(
    report: *const VerifyReport,
    index: usize,
    out: *mut Finding,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_verify_report_finding", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (VerifyReport(report), out) =
            unsafe { (handle::lend(report, "report")?, OutStruct::new(out, "out")?) };
        let finding = report.findings.get(index).ok_or_else(|| {
            let count = report.findings.len();
            let message = format!("position {index} is out of bounds: the report has {count} findings");
            Error::new(Status::OutOfBounds, message)
        })?;
        out.set(describe(finding)?);
        Ok(())
    })
}

fn describe(finding: &CoreFinding) -> Result<Finding, crate::error::Failure> {
    let place = |number: Option<u64>, what: &str| number.map_or(Ok(-1), |number| to_i64(number, what));
    let code = finding.code.name();
    let path = slice::path_bytes(&finding.path);
    let column = finding.column.as_deref();
    Ok(Finding {
        size: size_of::<Finding>(),
        severity: match finding.severity {
            CoreSeverity::Note => Severity::Note,
            CoreSeverity::Warning => Severity::Warning,
            CoreSeverity::Error => Severity::Error,
        } as i32,
        reserved: 0,
        code: code.as_ptr().cast(),
        code_len: code.len(),
        message: finding.message.as_ptr().cast(),
        message_len: finding.message.len(),
        path: path.as_ptr().cast(),
        path_len: path.len(),
        column: column.map_or(ptr::null(), |column| column.as_ptr().cast()),
        column_len: column.map_or(0, str::len),
        offset: place(finding.offset, "the place of the finding")?,
        record: place(finding.record, "the record of the finding")?,
    })
}

/// Frees a report, and with it the texts borrowed from it. NULL is fine.
///
/// # Safety
///
/// `report` is NULL or a live report that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_verify_report_free(report: *mut VerifyReport) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(report) });
}
