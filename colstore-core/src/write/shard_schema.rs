//! Whether new rows fit the shards that are there.

use colstore_format::{Column, Schema};

use super::check::check_columns;
use super::{ColumnData, copy_table};
use crate::error::{Error, ErrorKind, Result};

/// The columns as they are written, after a check of what can be wrong with them; also gives their number of rows.
pub(super) fn schema_of(columns: &[ColumnData<'_>]) -> Result<(Schema, u64)> {
    let n_rows = check_columns(columns)?;
    let schema = columns.iter().map(|c| Column::new(c.name().clone(), c.dtype())).collect();
    Ok((copy_table::stored_schema(&Schema::new(schema)?)?, n_rows))
}

/// Whether columns, which were checked, are those of `expected`: as [`check_same`] of [`schema_of`] them, without making a
/// schema. Batches are mostly like the one before, and can be small.
pub(super) fn is_same(expected: &Schema, columns: &[ColumnData<'_>]) -> bool {
    expected.len() == columns.len()
        && expected.columns().iter().zip(columns).all(|(expected, column)| {
            expected.name() == column.name() && expected.dtype() == column.dtype().to_little()
        })
}

/// Fails unless `found` has the names and dtypes of `expected`, in the same order. `origin` says where those are
/// from.
pub(super) fn check_same(expected: &Schema, found: &Schema, origin: &str) -> Result<()> {
    let mismatch = |what: &str| {
        let message =
            format!("shard schema mismatch: {what}; names, their order and dtypes must be those of {origin}");
        Error::new(ErrorKind::InvalidArgument, message)
    };
    for (position, (expected, found)) in expected.columns().iter().zip(found.columns()).enumerate() {
        if expected.name() != found.name() {
            let what = format!("column {position} is called '{}', not '{}'", found.name(), expected.name());
            return Err(mismatch(&what).with_column(found.name()));
        }
        if expected.dtype() != found.dtype() {
            let (name, given, wanted) = (found.name(), found.dtype_text(), expected.dtype_text());
            let what = format!("column '{name}' has dtype {given}, not {wanted}");
            return Err(mismatch(&what).with_column(name));
        }
    }
    if expected.len() == found.len() {
        return Ok(());
    }
    let (longer, what) = match expected.len() > found.len() {
        true => (expected, "is missing"),
        false => (found, "is one too many"),
    };
    let column = &longer.columns()[expected.len().min(found.len())];
    Err(mismatch(&format!("column '{}' {what}", column.name())).with_column(column.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(columns: &[(&str, &str)]) -> Schema {
        let columns = columns.iter().map(|(name, dtype)| Column::new(*name, dtype.parse().unwrap()));
        Schema::new(columns.collect()).unwrap()
    }

    #[test]
    fn the_message_says_what_differs() {
        let expected = schema(&[("a", "<i4"), ("b", "<f8")]);
        check_same(&expected, &expected, "x").unwrap();
        for (found, text) in [
            (schema(&[("b", "<f8"), ("a", "<i4")]), "column 0 is called 'b', not 'a'"),
            (schema(&[("a", "<i8"), ("b", "<f8")]), "column 'a' has dtype <i8, not <i4"),
            (schema(&[("a", "<i4")]), "column 'b' is missing"),
            (schema(&[("a", "<i4"), ("b", "<f8"), ("c", "|S1")]), "column 'c' is one too many"),
            (schema(&[]), "column 'a' is missing"),
        ] {
            let error = check_same(&expected, &found, "'first.cstore'").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            for text in [text, "schema", "'first.cstore'"] {
                assert!(error.message().contains(text), "{error}");
            }
        }
    }
}
