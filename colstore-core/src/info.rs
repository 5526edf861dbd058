//! What a file says of itself in its header.

use std::path::{Path, PathBuf};

use colstore_format::{FORMAT_VERSION, Schema};

use crate::error::Result;
use crate::source::Source;

/// The header of a file: what it holds, without a look at its records.
#[derive(Debug, Clone)]
pub struct FileInfo {
    /// The path as it was given.
    pub path: PathBuf,
    /// The version of the file format.
    pub format_version: u32,
    /// Committed rows.
    pub n_rows: u64,
    /// Committed records.
    pub n_records: u64,
    /// Names and dtypes of the columns.
    pub schema: Schema,
    /// Size of the file in bytes.
    pub file_size: u64,
}

impl FileInfo {
    /// Whether the rows are spread over several records, so that columns do not lie in one piece.
    pub fn needs_compaction(&self) -> bool {
        self.n_records > 1
    }
}

/// Reads the header of the file at `path`: a few kilobytes, whatever the file's size. Records are not
/// looked at: what is wrong with them shows when the file is [opened](crate::Table::open).
///
/// # Errors
///
/// [`NotFound`](crate::ErrorKind::NotFound), [`Format`](crate::ErrorKind::Format), or what the operating
/// system reports.
pub fn info(path: impl AsRef<Path>) -> Result<FileInfo> {
    let path = path.as_ref();
    let mut source = Source::open(path)?;
    let header = source.header()?;
    let counters = header.counters();
    Ok(FileInfo {
        path: path.to_path_buf(),
        format_version: FORMAT_VERSION,
        n_rows: counters.committed_rows,
        n_records: counters.n_records,
        schema: header.schema().clone(),
        file_size: source.size,
    })
}
