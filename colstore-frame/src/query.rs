//! Rows of a table for which a condition holds.

use colstore_core::{Form, ReadOptions, Rows, Table};

use crate::error::{Error, Result};
use crate::evaluation::Selected;
use crate::expr::{Expr, Graph, TableScope};
use crate::syntax::Parsed;

/// The rows of `table` for which `condition`, over columns of the table by name, holds: in the order of `base`, or of the
/// table if there is none. `text` is what the condition was parsed from, if it was, so that errors show the place.
///
/// ```
/// # fn main() -> colstore_frame::Result<()> {
/// use colstore_core::{ColumnData, ReadOptions, StoreOptions, Table, store};
/// use colstore_frame::{Parameters, filter, parse};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("events.cstore");
/// let x: Vec<u8> = [3.0f64, 0.5, 6.0].iter().flat_map(|v| v.to_le_bytes()).collect();
/// store(&path, &[ColumnData::from_slice("x".into(), "<f8".parse()?, &x)?], &StoreOptions::default())?;
///
/// let table = Table::open(&path)?;
/// let condition = parse("x > @limit", &Parameters::new().with("limit", 1))?;
/// let found = filter(&table, None, condition.expr(), Some(&condition), &ReadOptions::default())?;
/// assert_eq!(found.rows.to_vec(0..found.rows.len()), [0, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`Graph::bind_condition`] and [`Graph::select_rows`]; [`Value`](crate::ErrorKind::Value) if `base` was selected from
/// another number of rows than the table has.
pub fn filter(
    table: &Table,
    base: Option<&Rows<'_>>,
    condition: &Expr,
    text: Option<&Parsed>,
    options: &ReadOptions<'_>,
) -> Result<Selected> {
    let scope = TableScope::new(table);
    let graph = match text {
        Some(text) => text.bind_condition(&scope)?,
        None => Graph::bind_condition(condition, &scope)?,
    };
    let n_rows = table.n_rows();
    let Some(base) = base else { return graph.select_rows(0, &Rows::all(n_rows), options) };
    if let Some(other) = base.n_rows().filter(|other| *other != n_rows) {
        return Err(Error::value(format!(
            "the rows were selected from {other}, which does not match the table's {n_rows}"
        )));
    }
    let found = graph.select_rows(0, base, options)?;
    Ok(Selected { rows: rows_of(base, found.rows)?, outcome: found.outcome })
}

/// Those rows of `base` that `found` says by their position.
pub(crate) fn rows_of(base: &Rows<'_>, found: Rows<'static>) -> Result<Rows<'static>> {
    let all = base.form() == (Form::Range { first: 0, step: 1 }) && base.n_rows() == Some(base.len());
    // A mask stays one.
    if all { Ok(found) } else { Ok(base.select(&found)?) }
}
