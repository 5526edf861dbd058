//! Everything that can be checked of a file.
//!
//! ```text
//! magic · counters · reserved · manifest · padding · record header · padding · … · footer · what is behind
//!                                                        │
//!                                                  --deep: values against the footer's extremes,
//!                                                          bytes that no bool or text holds
//! ```
//!
//! The format has a checksum over everything but values, fillers and reserved bytes. Fillers and reserved bytes are
//! zero. So any changed bit is found, but for those of values: there, only what leaves the range that the statistics
//! claim, or what is no value of the type.

mod directory;
mod report;
mod structure;
mod values;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::Progress;
use crate::error::{ErrorKind, Result};
use crate::paths::expand_paths;

pub use report::{Finding, FindingCode, Severity, VerifyReport};

use report::Findings;
use structure::Structure;

/// How [`verify`] looks.
#[derive(Debug, Clone, Copy, Default)]
pub struct VerifyOptions<'a> {
    /// Whether to read all values too. Else only headers are read, and what stands between values.
    pub deep: bool,
    /// The most threads that may read values; `None` for the machine's default.
    pub max_threads: Option<NonZeroUsize>,
    /// Where to report bytes of values that were read, and how to be cancelled.
    pub progress: Option<&'a Progress>,
}

/// Checks a file, or all files of a directory or a pattern, and says what is wrong with them and where.
///
/// Damage is what is reported, not a failure of the call. A file is checked as far as what is intact of it leads.
/// Of a directory, files that are no shards are noted, and shards whose columns differ from those of the first are
/// errors.
///
/// Any changed bit of the header, the manifest, record headers, fillers and statistics is found. *Values have no
/// checksum*: with [`deep`](VerifyOptions::deep) they are compared with the statistics of the file, if it has any, and
/// a value that leaves their range, or the loss of an extreme, is found; so are bytes that no bool or text holds.
/// Other changes of values cannot be found.
///
/// No lock is taken. A file to which something is being appended may show records that are not committed yet.
///
/// # Errors
///
/// [`NotFound`](ErrorKind::NotFound) and what the operating system reports of a single file or of the directory
/// itself; [`Cancelled`](ErrorKind::Cancelled).
pub fn verify(path: impl AsRef<Path>, options: &VerifyOptions<'_>) -> Result<VerifyReport> {
    let path = path.as_ref();
    let mut report = VerifyReport::default();
    let is_directory = path.is_dir();
    if is_directory {
        directory::note_foreign_files(path, &mut report)?;
    }
    let paths = expand_paths(path)?;
    let is_one = !is_directory && paths.len() == 1;
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        files.push(check_structure(path, is_one, options, &mut report)?);
    }
    directory::compare_schemas(&mut files);
    if options.deep {
        report.n_value_bytes = values::check(&mut files, options)?;
    }
    for mut file in files {
        file.findings.sort(file.size);
        report.take(file.findings);
    }
    Ok(report)
}

/// One file on its way through the checks.
struct Checked {
    path: PathBuf,
    findings: Findings,
    size: Option<u64>,
    /// What can be gone on with.
    structure: Option<Structure>,
}

fn check_structure(
    path: PathBuf,
    is_one: bool,
    options: &VerifyOptions<'_>,
    report: &mut VerifyReport,
) -> Result<Checked> {
    let mut findings = Findings::new(&path);
    report.n_files += 1;
    let mut size = None;
    let structure = match structure::check(&path, options.progress, &mut findings) {
        Ok(checked) => {
            report.n_bytes += checked.file_size;
            size = Some(checked.file_size);
            if let Some(structure) = &checked.structure {
                report.n_records += structure.records.n_records() as u64;
                report.n_rows += structure.records.n_rows();
            }
            checked.structure
        }
        Err(error) if is_one || error.kind() == ErrorKind::Cancelled => return Err(error),
        Err(error) => {
            findings.add(Severity::Error, FindingCode::Unreadable, error.message());
            None
        }
    };
    Ok(Checked { path, findings, size, structure })
}
