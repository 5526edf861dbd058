//! What can be wrong with columns, asked before a byte is written.

use colstore_format::{Column, Schema};

use super::ColumnData;
use crate::error::{Error, ErrorKind, Result};

/// Checks what can be wrong with a set of columns; gives their number of rows.
pub(super) fn check_columns(columns: &[ColumnData<'_>]) -> Result<u64> {
    let Some(first) = columns.first() else {
        return Err(invalid("empty column mapping: a file needs at least one column".into()));
    };
    for column in columns {
        let name = column.name();
        column.dtype().is_storable().map_err(|e| Error::from(e).with_column(name))?;
        if column.n_rows() != first.n_rows() {
            let message = format!(
                "column '{name}' has {} rows; expected {}, as many as column '{}'",
                column.n_rows(),
                first.n_rows(),
                first.name()
            );
            return Err(invalid(message).with_column(name));
        }
    }
    Ok(first.n_rows())
}

/// The schema of a file of these columns.
pub(super) fn schema_of(columns: &[ColumnData<'_>]) -> Result<Schema> {
    let columns = columns.iter().map(|c| Column::new(c.name().clone(), c.dtype().to_little()));
    Ok(Schema::new(columns.collect())?)
}

/// Checks that these columns are those of `schema`, in its order.
pub(super) fn check_schema(columns: &[ColumnData<'_>], schema: &Schema) -> Result<()> {
    if columns.len() != schema.len() {
        let message = format!("Schema mismatch: {} columns; expected {}", columns.len(), schema.len());
        return Err(invalid(message));
    }
    for (j, (given, wanted)) in columns.iter().zip(schema.columns()).enumerate() {
        if given.name() != wanted.name() {
            let message = format!(
                "Column name mismatch: column {j} is '{}'; expected '{}' (names and their order must be those of the \
                 first record)",
                given.name(),
                wanted.name()
            );
            return Err(invalid(message).with_column(given.name()));
        }
    }
    for (given, wanted) in columns.iter().zip(schema.columns()) {
        if given.dtype().to_little() != wanted.dtype() {
            let hint = if wanted.dtype().needs_swap() {
                "; big-endian files can be read but not appended to"
            } else {
                ""
            };
            let message = format!(
                "column '{}' has dtype {}; expected dtype {}{hint}",
                given.name(),
                given.dtype().to_little(),
                wanted.dtype()
            );
            return Err(invalid(message).with_column(given.name()));
        }
    }
    Ok(())
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}
