//! Tables end to end.

use std::sync::Arc;

use colstore_format::{Column, Schema};

use crate::error::{Error, ErrorKind, Result};
use crate::file::DataFile;
use crate::table::Table;

/// What happens if tables do not have the same columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnMismatch {
    /// It is an error. The order of columns may differ; that of the first table counts.
    #[default]
    Strict,
    /// Columns that not every table has with the same dtype are left out.
    Drop,
}

/// A table of the rows of all `tables`, end to end. No file is read. Without tables it has no rows and no columns.
///
/// Also gives the names of the columns that were left out, sorted, which there are with [`OnMismatch::Drop`] only.
///
/// # Errors
///
/// [`InvalidArgument`](ErrorKind::InvalidArgument) if the columns differ, naming file, column and both dtypes, or
/// if leaving out those that differ leaves none.
pub fn concat(tables: &[Table], on_mismatch: OnMismatch) -> Result<(Table, Vec<String>)> {
    let Some((first, rest)) = tables.split_first() else {
        return Ok((Table::from_files(Vec::new(), Schema::new(Vec::new())?), Vec::new()));
    };
    let (schema, dropped) = match on_mismatch {
        OnMismatch::Strict => {
            rest.iter().try_for_each(|table| same_columns(first, table))?;
            (first.schema().clone(), Vec::new())
        }
        OnMismatch::Drop => common_columns(first, rest)?,
    };
    let files: Vec<Arc<DataFile>> =
        tables.iter().flat_map(|table| table.parts().iter().map(|part| Arc::clone(&part.file))).collect();
    Ok((Table::from_files(files, schema), dropped))
}

fn same_columns(first: &Table, table: &Table) -> Result<()> {
    let (expected, found) = (first.schema(), table.schema());
    if expected == found {
        return Ok(());
    }
    let mismatch = |column: &Column, what: String| {
        let message = format!(
            "Schema mismatch between {} and {}: column '{}' {what}; open with on_mismatch=\"drop\" to leave such \
             columns out",
            first.name(),
            table.name(),
            column.name()
        );
        let error = Error::new(ErrorKind::InvalidArgument, message).with_column(column.name());
        Err(table.blame(error))
    };
    for column in expected.columns() {
        match find(found, column) {
            None => return mismatch(column, "is missing in the latter".into()),
            Some(other) if other.dtype() != column.dtype() => {
                return mismatch(
                    column,
                    format!("is {} in the former, {} in the latter", column.dtype(), other.dtype()),
                );
            }
            Some(_) => {}
        }
    }
    match found.columns().iter().find(|column| find(expected, column).is_none()) {
        Some(column) => mismatch(column, "is missing in the former".into()),
        None => Ok(()),
    }
}

fn common_columns(first: &Table, rest: &[Table]) -> Result<(Schema, Vec<String>)> {
    let is_common = |column: &&Column| {
        rest.iter()
            .all(|table| find(table.schema(), column).is_some_and(|other| other.dtype() == column.dtype()))
    };
    let kept: Vec<Column> = first.schema().columns().iter().filter(is_common).cloned().collect();
    let n_kept = kept.len();
    let schema = Schema::new(kept)?;
    let mut dropped: Vec<String> = std::iter::once(first)
        .chain(rest)
        .flat_map(|table| table.schema().columns())
        .filter(|column| find(&schema, column).is_none())
        .map(|column| column.name().to_string())
        .collect();
    dropped.sort();
    dropped.dedup();
    if n_kept == 0 && !dropped.is_empty() {
        let message = format!(
            "the {} tables have no columns in common with the same dtype (found: {})",
            rest.len() + 1,
            dropped.join(", ")
        );
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    Ok((schema, dropped))
}

fn find<'a>(schema: &'a Schema, column: &Column) -> Option<&'a Column> {
    schema.index_of(column.name().as_bytes()).map(|j| &schema.columns()[j])
}
