//! A table: the rows of a file under one row numbering.

use std::path::Path;
use std::sync::Arc;

use colstore_format::{ColumnName, Schema, Statistics};

use crate::error::{Error, ErrorKind, Result};
use crate::file::DataFile;
use crate::options::OpenOptions;

/// A `.cstore` file, open for reading.
///
/// A table shows what was committed when it was opened. It can be shared and used by any number of threads
/// at once; clones share the file. The bytes stay mapped until the last clone and the last
/// [`ColumnView`](crate::ColumnView) are gone.
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
pub struct Table {
    pub(crate) file: Arc<DataFile>,
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
    pub fn open_with(path: impl AsRef<Path>, _options: &OpenOptions) -> Result<Table> {
        Ok(Table { file: Arc::new(DataFile::open(path.as_ref())?) })
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Names and dtypes of the columns.
    pub fn schema(&self) -> &Schema {
        self.file.schema()
    }

    /// The number of rows.
    pub fn n_rows(&self) -> u64 {
        self.file.records().n_rows()
    }

    /// The number of records the rows are spread over.
    pub fn n_records(&self) -> usize {
        self.file.records().n_records()
    }

    /// Row counts, record by record.
    pub fn record_rows(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.file.records().record_rows()
    }

    /// Size of the file in bytes when it was opened.
    pub fn file_size(&self) -> u64 {
        self.file.size()
    }

    /// Minima and maxima by record; `None` where the file has none, or none that fit it. Read when first
    /// asked for.
    pub fn statistics(&self) -> Option<&Statistics> {
        self.file.statistics()
    }

    /// The position of the column called `name` (UTF-8; lone surrogates as WTF-8).
    ///
    /// # Errors
    ///
    /// [`UnknownColumn`](ErrorKind::UnknownColumn), naming the columns there are.
    pub fn column_index(&self, name: impl AsRef<[u8]>) -> Result<usize> {
        let name = name.as_ref();
        self.schema().index_of(name).ok_or_else(|| unknown_column(self.schema(), name))
    }
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
