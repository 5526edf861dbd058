//! A table: the rows of one file, or of many end to end, under one row numbering.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use colstore_format::{ColumnName, Schema, Statistics};

use crate::error::{Error, ErrorKind, Result};
use crate::file::DataFile;
use crate::layout::Layout;
use crate::options::OpenOptions;
use crate::part::Part;
use crate::watch::{self, Watch};

/// `.cstore` files, open for reading.
///
/// A table shows what was committed when its files were opened. It can be shared and used by any number of
/// threads at once; clones share the files. The bytes stay mapped until the last clone and the last
/// [`ColumnView`](crate::ColumnView) are gone. Tables are put together from others by [`concat`](crate::concat).
///
/// ```
/// # fn main() -> colstore_core::Result<()> {
/// use colstore_core::{ColumnData, ReadOptions, StoreOptions, Table, store};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("events.cstore");
/// let energies: Vec<u8> = [1.5f64, 2.5, 4.0].iter().flat_map(|e| e.to_le_bytes()).collect();
/// let column = ColumnData::from_slice("energy".into(), "<f8".parse()?, &energies)?;
/// store(&path, &[column], &StoreOptions::default())?;
///
/// let table = Table::open(&path)?;
/// let energy = table.column_index("energy")?;
/// let bytes = table.column_bytes(energy, 1..3, &ReadOptions::default())?;
/// assert_eq!(bytes, energies[8..]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Table(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    parts: Vec<Part>,
    schema: Schema,
    n_rows: u64,
    n_records: usize,
    /// Whether all files are mapped.
    is_mapped: bool,
    layout: OnceLock<Layout>,
    watch: Watch,
}

impl Table {
    /// Opens the file at `path`: checks its header and its chain of record headers, and maps its committed
    /// bytes. Costs one small read a record, whatever the file's size.
    ///
    /// # Errors
    ///
    /// [`NotFound`](ErrorKind::NotFound) and other failures of the operating system;
    /// [`Format`](ErrorKind::Format) if the bytes are not a whole, valid `.cstore` file.
    pub fn open(path: impl AsRef<Path>) -> Result<Table> {
        Table::open_with(path, &OpenOptions::default())
    }

    /// [`open`](Table::open) with options.
    ///
    /// # Errors
    ///
    /// As [`open`](Table::open).
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Table> {
        let file = Arc::new(DataFile::open(path.as_ref(), options)?);
        let schema = file.schema().clone();
        Ok(Table::from_files(vec![file], schema))
    }

    /// The files end to end. Every column of `schema` must be in each of them, with the same dtype.
    pub(crate) fn from_files(files: Vec<Arc<DataFile>>, schema: Schema) -> Table {
        let (mut n_rows, mut n_records) = (0u64, 0);
        let mut parts = Vec::with_capacity(files.len());
        for file in files {
            let part = Part::new(file, n_rows, &schema);
            // Files of more than 2^64 rows in all do not fit the address space, let alone a mapping each.
            n_rows += part.n_rows();
            n_records += part.file.records().n_records();
            parts.push(part);
        }
        let is_mapped = parts.iter().all(|part| part.file.is_mapped());
        Table(Arc::new(Inner {
            parts,
            schema,
            n_rows,
            n_records,
            is_mapped,
            layout: OnceLock::new(),
            watch: Watch::default(),
        }))
    }

    /// Whether the other is a clone of this one.
    pub fn is_same(&self, other: &Table) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.0.parts
    }

    /// Whether all values can be had at an address; else they are fetched.
    pub(crate) fn is_mapped(&self) -> bool {
        self.0.is_mapped
    }

    /// Where every record lies; made when first asked for.
    pub(crate) fn layout(&self) -> &Layout {
        self.0.layout.get_or_init(|| Layout::new(self.parts(), self.schema().len(), self.n_rows()))
    }

    /// Whether [`layout`](Table::layout) has been made.
    pub(crate) fn has_layout(&self) -> bool {
        self.0.layout.get().is_some()
    }

    /// The paths of the files, as they were given, in row order.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.parts().iter().map(|part| part.file.path())
    }

    /// Fails if a file that holds some of `rows` has become shorter than what is mapped of it.
    pub(crate) fn check_files(&self, rows: Range<u64>) -> Result<()> {
        let first = self.parts().partition_point(|part| part.first_row <= rows.start).saturating_sub(1);
        let behind = self.parts().partition_point(|part| part.first_row < rows.end).max(first);
        if self.is_quiet(behind - first) { Ok(()) } else { self.look_at(first..behind) }
    }

    /// [`check_files`](Table::check_files) of these files, for who knows that they are not quiet.
    pub(crate) fn look_at(&self, files: Range<usize>) -> Result<()> {
        self.parts()[files].iter().try_for_each(|part| part.file.check_not_truncated())
    }

    /// Whether it is known that no file has become shorter, and `n_files` of them need not be checked.
    pub(crate) fn is_quiet(&self, n_files: usize) -> bool {
        if n_files < watch::FEWEST_FILES {
            return false;
        }
        self.0.watch.is_quiet(
            n_files,
            self.parts().len(),
            |queue| self.parts().iter().all(|part| part.file.is_watched_by(queue)),
            || self.parts().iter().all(|part| part.file.check_not_truncated().is_ok()),
        )
    }

    /// [`check_files`](Table::check_files) of the file that holds `row`; gives the rows that it holds.
    pub(crate) fn check_file_of(&self, row: u64) -> Result<Range<u64>> {
        let behind = self.parts().partition_point(|part| part.first_row <= row);
        let Some(part) = behind.checked_sub(1).map(|at| &self.parts()[at]) else { return Ok(0..0) };
        part.file.check_not_truncated()?;
        Ok(part.first_row..part.first_row + part.n_rows())
    }

    /// What messages call the table.
    pub(crate) fn name(&self) -> String {
        match self.parts() {
            [] => "the empty table".into(),
            [part] => format!("'{}'", part.file.path().display()),
            [part, rest @ ..] => {
                format!("the table of '{}' and {} more files", part.file.path().display(), rest.len())
            }
        }
    }

    /// Adds to an error the file that it concerns, if there is but one.
    pub(crate) fn blame(&self, error: Error) -> Error {
        match self.parts() {
            [part] => error.with_path(part.file.path()),
            _ => error,
        }
    }

    /// Names and dtypes of the columns.
    pub fn schema(&self) -> &Schema {
        &self.0.schema
    }

    /// The number of rows.
    pub fn n_rows(&self) -> u64 {
        self.0.n_rows
    }

    /// The number of files.
    pub fn n_files(&self) -> usize {
        self.parts().len()
    }

    /// The number of records the rows are spread over, in all files.
    pub fn n_records(&self) -> usize {
        self.0.n_records
    }

    /// Row counts, record by record.
    pub fn record_rows(&self) -> impl Iterator<Item = u64> + '_ {
        self.parts().iter().flat_map(|part| part.file.records().record_rows())
    }

    /// Size of the files in bytes when they were opened.
    pub fn file_size(&self) -> u64 {
        self.parts().iter().map(|part| part.file.size()).sum()
    }

    /// Minima and maxima by record of a table of one file; `None` where the file has none, or none that fit
    /// it. Read when first asked for.
    pub fn statistics(&self) -> Option<&Statistics> {
        match self.parts() {
            [part] => part.file.statistics(),
            _ => None,
        }
    }

    /// The position of the column called `name` (UTF-8; lone surrogates as WTF-8).
    ///
    /// # Errors
    ///
    /// [`UnknownColumn`](ErrorKind::UnknownColumn), naming the columns there are.
    pub fn column_index(&self, name: impl AsRef<[u8]>) -> Result<usize> {
        column_index(self.schema(), name)
    }
}

/// The position of the column called `name` (UTF-8; lone surrogates as WTF-8) in `schema`.
///
/// # Errors
///
/// [`UnknownColumn`](ErrorKind::UnknownColumn), naming the columns there are.
pub fn column_index(schema: &Schema, name: impl AsRef<[u8]>) -> Result<usize> {
    let name = name.as_ref();
    schema.index_of(name).ok_or_else(|| unknown_column(schema, name))
}

/// How many names an error message lists.
const NAMES_IN_MESSAGE: usize = 20;

fn unknown_column(schema: &Schema, name: &[u8]) -> Error {
    let asked = match ColumnName::from_wtf8(name) {
        Ok(name) => name.to_string(),
        Err(_) => String::from_utf8_lossy(name).into_owned(),
    };
    let mut names: Vec<String> =
        schema.columns().iter().take(NAMES_IN_MESSAGE).map(|c| format!("'{}'", c.name())).collect();
    if schema.len() > NAMES_IN_MESSAGE {
        names.push(format!("and {} more", schema.len() - NAMES_IN_MESSAGE));
    }
    let message = format!("Unknown column '{asked}'; available columns: {}", names.join(", "));
    Error::new(ErrorKind::UnknownColumn, message).with_column(&asked)
}
