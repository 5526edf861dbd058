//! What an expression captures when it takes a column: the column itself, not its name.

use std::fmt;
use std::sync::Arc;

use colstore_core::Table;
use colstore_format::DType;

use crate::error::{Error, ErrorKind, Result};

/// Values that lie in memory, of the caller or of this process.
pub trait MemoryColumn: Send + Sync {
    /// The dtype of the values as [`read`](MemoryColumn::read) gives them: little-endian.
    fn dtype(&self) -> DType;

    /// The number of rows.
    fn n_rows(&self) -> u64;

    /// Copies the little-endian values from row `first` on into `out`, which holds a whole number of them that ends
    /// within the rows. Called by several threads at once.
    fn read(&self, first: u64, out: &mut [u8]);
}

/// A column object. Two inputs are equal if they are the same column of the same table, or the same values in memory.
#[derive(Clone)]
pub struct Input(Arc<Inner>);

struct Inner {
    /// As expressions see the values: little-endian, whatever the file's order.
    dtype: DType,
    source: InputSource,
}

/// Where the values of an [`Input`] come from.
#[non_exhaustive]
pub enum InputSource {
    /// A column of a table.
    Table {
        /// The table.
        table: Table,
        /// The position of the column.
        column: usize,
    },
    /// Values in memory.
    Memory(Arc<dyn MemoryColumn>),
}

impl Input {
    /// The column at position `column` of `table`.
    ///
    /// # Errors
    ///
    /// [`Key`](crate::ErrorKind::Key) if there is no such column.
    pub fn table(table: &Table, column: usize) -> Result<Input> {
        let Some(found) = table.schema().columns().get(column) else {
            return Err(Error::new(
                ErrorKind::Key,
                format!("column {column} was asked for; the table has {} columns", table.schema().len()),
            ));
        };
        let dtype = found.dtype().to_little();
        Ok(Input(Arc::new(Inner { dtype, source: InputSource::Table { table: table.clone(), column } })))
    }

    /// Values in memory.
    pub fn memory(values: Arc<dyn MemoryColumn>) -> Input {
        Input(Arc::new(Inner { dtype: values.dtype().to_little(), source: InputSource::Memory(values) }))
    }

    /// The dtype of the values as expressions see them: little-endian, whatever the file's order.
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// The number of rows.
    pub fn n_rows(&self) -> u64 {
        match &self.0.source {
            InputSource::Table { table, .. } => table.n_rows(),
            InputSource::Memory(values) => values.n_rows(),
        }
    }

    /// Where the values come from.
    pub fn source(&self) -> &InputSource {
        &self.0.source
    }
}

impl PartialEq for Input {
    fn eq(&self, other: &Input) -> bool {
        match (self.source(), other.source()) {
            (InputSource::Table { table: a, column: i }, InputSource::Table { table: b, column: j }) => {
                i == j && a.is_same(b)
            }
            (InputSource::Memory(_), InputSource::Memory(_)) => Arc::ptr_eq(&self.0, &other.0),
            _ => false,
        }
    }
}

impl Eq for Input {}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.source {
            InputSource::Table { table, column } => {
                let name = table.schema().columns().get(*column).map(|c| c.name().to_string());
                write!(f, "Input({})", name.unwrap_or_default())
            }
            InputSource::Memory(values) => {
                write!(f, "Input({} values of {})", values.n_rows(), values.dtype())
            }
        }
    }
}

impl fmt::Debug for InputSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputSource::Table { column, .. } => {
                f.debug_struct("Table").field("column", column).finish_non_exhaustive()
            }
            InputSource::Memory(_) => f.debug_tuple("Memory").finish_non_exhaustive(),
        }
    }
}

/// Values of one dtype in a vector: the simplest [`MemoryColumn`].
#[derive(Debug, Clone)]
pub struct VecColumn {
    dtype: DType,
    bytes: Vec<u8>,
    n_rows: u64,
}

impl VecColumn {
    /// A column of the values of these little-endian bytes.
    ///
    /// # Errors
    ///
    /// [`Value`](crate::ErrorKind::Value) unless they are `n_rows` values of a little-endian `dtype`.
    pub fn new(dtype: DType, bytes: Vec<u8>, n_rows: u64) -> Result<VecColumn> {
        if dtype.needs_swap() || n_rows.checked_mul(dtype.itemsize() as u64) != Some(bytes.len() as u64) {
            return Err(Error::value(format!(
                "{} bytes are not {n_rows} little-endian values of dtype '{dtype}'",
                bytes.len()
            )));
        }
        Ok(VecColumn { dtype, bytes, n_rows })
    }
}

impl MemoryColumn for VecColumn {
    fn dtype(&self) -> DType {
        self.dtype
    }

    fn n_rows(&self) -> u64 {
        self.n_rows
    }

    fn read(&self, first: u64, out: &mut [u8]) {
        let start = first as usize * self.dtype.itemsize();
        out.copy_from_slice(&self.bytes[start..start + out.len()]);
    }
}
