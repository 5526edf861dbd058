//! Columns and the arithmetic of where their bytes are.

use std::fmt;
use std::sync::Arc;

use crate::column_name::ColumnName;
use crate::constants::RECORD_ALIGNMENT;
use crate::cursor::round_up;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::name_index::NameIndex;

/// Name and type of a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    name: ColumnName,
    dtype: DType,
    dtype_text: Box<str>,
}

impl Column {
    /// A column whose type is spelled canonically.
    pub fn new(name: impl Into<ColumnName>, dtype: DType) -> Column {
        Column { name: name.into(), dtype, dtype_text: dtype.to_string().into() }
    }

    /// A column as a file spells it: `dtype_text` names `dtype`.
    pub(crate) fn spelled(name: ColumnName, dtype: DType, dtype_text: impl Into<Box<str>>) -> Column {
        Column { name, dtype, dtype_text: dtype_text.into() }
    }

    /// The name.
    pub fn name(&self) -> &ColumnName {
        &self.name
    }

    /// The type of the values in the file.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The type as the file spells it; for a column made by [`Column::new`] the canonical text.
    pub fn dtype_text(&self) -> &str {
        &self.dtype_text
    }
}

/// The columns of a table, in file order, no name twice. Cloning is cheap.
///
/// ```
/// use colstore_format::{Column, DType, Schema};
///
/// let schema = Schema::new(vec![
///     Column::new("id", DType::parse("<i4")?),
///     Column::new("code", DType::parse("|S3")?),
/// ])?;
/// assert_eq!(schema.row_width(), 7);
/// assert_eq!(schema.body_size(5)?, 40); // 35 bytes and 5 of padding
/// assert_eq!(schema.index_of(b"code"), Some(1));
/// // With 5 rows, column 1 starts 5 * 4 bytes into the body.
/// assert_eq!(schema.prefix_width(1), 4);
/// # Ok::<(), colstore_format::Error>(())
/// ```
#[derive(Clone)]
pub struct Schema(Arc<Inner>);

struct Inner {
    columns: Vec<Column>,
    /// The sum of the item sizes before each column, and of all of them at the end.
    prefix: Vec<u64>,
    index: NameIndex,
}

impl Schema {
    /// A schema of these columns. There may be none, which readers accept.
    ///
    /// # Errors
    ///
    /// [`Invalid`](crate::ErrorKind::Invalid) if a name occurs twice, or if the item sizes add up to more than 2⁶⁴ bytes.
    pub fn new(columns: Vec<Column>) -> Result<Schema> {
        let index = NameIndex::new(&columns).map_err(|[first, second]| {
            let name = columns[second].name();
            Error::invalid(format!("columns {first} and {second} are both named {name:?}; names must differ"))
                .with_column(name)
        })?;
        let mut prefix = Vec::with_capacity(columns.len() + 1);
        let mut width = 0u64;
        prefix.push(0);
        for column in &columns {
            width = width.checked_add(column.dtype.itemsize() as u64).ok_or_else(|| {
                Error::invalid("the item sizes of the columns add up to more than 2^64 bytes")
            })?;
            prefix.push(width);
        }
        Ok(Schema(Arc::new(Inner { columns, prefix, index })))
    }

    /// The columns in file order.
    pub fn columns(&self) -> &[Column] {
        &self.0.columns
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.0.columns.len()
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.0.columns.is_empty()
    }

    /// The position of the column of this name, given in WTF-8.
    pub fn index_of(&self, name: &[u8]) -> Option<usize> {
        self.0.index.find(&self.0.columns, name)
    }

    /// The size of a row in bytes: the sum of the item sizes.
    pub fn row_width(&self) -> u64 {
        self.0.prefix.last().copied().unwrap_or(0)
    }

    /// The sum of the item sizes of the columns before `column`. Times the number of rows this is where the
    /// column starts in a record's body.
    ///
    /// # Panics
    ///
    /// If `column` is larger than the number of columns; equal to it gives the row width.
    pub fn prefix_width(&self, column: usize) -> u64 {
        self.0.prefix[column]
    }

    /// The size in bytes of the body of a record of `n_rows` rows, padding included.
    ///
    /// # Errors
    ///
    /// [`Invalid`](crate::ErrorKind::Invalid) if that does not fit in 63 bits.
    pub fn body_size(&self, n_rows: u64) -> Result<u64> {
        let size = n_rows.checked_mul(self.row_width()).and_then(|size| round_up(size, RECORD_ALIGNMENT));
        size.filter(|size| *size <= i64::MAX as u64).ok_or_else(|| {
            let width = self.row_width();
            Error::invalid(format!("{n_rows} rows of {width} bytes are more than a file can hold"))
        })
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Schema) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.columns == other.0.columns
    }
}

impl Eq for Schema {}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0.columns).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn schema(columns: &[(&str, &str)]) -> Result<Schema> {
        columns
            .iter()
            .map(|(name, dtype)| Ok(Column::new(*name, DType::parse(dtype)?)))
            .collect::<Result<_>>()
            .and_then(Schema::new)
    }

    #[test]
    fn layout() {
        let schema = schema(&[("a", "|b1"), ("b", "<f8"), ("c", "|S0"), ("d", "<U2")]).unwrap();
        assert_eq!((0..5).map(|i| schema.prefix_width(i)).collect::<Vec<_>>(), [0, 1, 9, 9, 17]);
        assert_eq!(schema.row_width(), 17);
        assert_eq!(schema.body_size(0), Ok(0));
        assert_eq!(schema.body_size(8), Ok(136));
        assert_eq!(schema.body_size(1), Ok(24));
        assert_eq!(schema.body_size(u64::MAX / 17).unwrap_err().kind(), ErrorKind::Invalid);
        assert_eq!(schema.body_size(u64::MAX).unwrap_err().kind(), ErrorKind::Invalid);
    }

    #[test]
    fn no_columns() {
        let schema = Schema::new(Vec::new()).unwrap();
        assert!(schema.is_empty());
        assert_eq!((schema.row_width(), schema.body_size(u64::MAX)), (0, Ok(0)));
        assert_eq!(schema.index_of(b""), None);
    }

    #[test]
    fn a_name_twice() {
        let error = schema(&[("a", "<i4"), ("b", "<i4"), ("a", "<i8")]).unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Invalid, Some("a")));
        assert!(error.message().contains("columns 0 and 2"), "{error}");
    }
}
