//! A table seen through columns of one's own and cuts: nothing is computed before it is asked for.
//!
//! ```text
//!   base rows ──cut──cut──cut──► rows          found once, all cuts in one pass
//!   name → expression over columns of the base rows, in order
//!                                   │
//!              read │ count │ reduce │ cutflow │ batches │ write
//! ```
//!
//! A [`Frame`] is immutable; every edit gives another one, which shares what it can. Expressions hold column objects, so
//! what a name is given later changes nothing that was made of it before.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use colstore_core::{Form, ReadOptions, Reduction, Rows, Scalar, StoreOptions, Table};
use colstore_format::{ColumnName, DType, Kind};

use crate::error::{Error, ErrorKind, Result};
use crate::evaluation::{Outcome, Output, Selected};
use crate::expr::scope::resolve;
use crate::expr::{Expr, Graph, Input, InputSource, MemoryColumn, Node};
use crate::prepared::Prepared;
use crate::syntax::Parsed;

/// Columns that are computed from those of a table, for the rows that cuts leave.
///
/// ```
/// # fn main() -> colstore_frame::Result<()> {
/// use colstore_core::{ColumnData, ReadOptions, Reduction, Scalar, StoreOptions, Table, store};
/// use colstore_frame::{Frame, col};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("events.cstore");
/// let x: Vec<u8> = [3.0f64, 0.5, 6.0].iter().flat_map(|v| v.to_le_bytes()).collect();
/// store(&path, &[ColumnData::from_slice("x".into(), "<f8".parse()?, &x)?], &StoreOptions::default())?;
///
/// let frame = Frame::new(&Table::open(&path)?)?;
/// let frame = frame.assign(&[("twice".into(), col("x") * 2.0)])?.filter(&col("x").gt(1.0), None, None)?;
/// let options = ReadOptions::default();
/// assert_eq!(frame.count(&options)?, 2);
/// assert_eq!(frame.reduce(&col("twice"), Reduction::Sum, 0.0, &options)?.0, Scalar::Float(18.0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Frame {
    /// The table that is the source; columns of others may have come in.
    pub(crate) table: Table,
    /// Rows of the table.
    pub(crate) base: Rows<'static>,
    columns: Vec<(ColumnName, Expr)>,
    pub(crate) cuts: Vec<Cut>,
    /// The rows that the cuts leave, once they were asked for.
    found: Arc<OnceLock<Selected>>,
}

/// A condition that rows must meet to stay.
#[derive(Debug, Clone)]
pub(crate) struct Cut {
    pub(crate) label: Option<String>,
    /// As it was given, for reports.
    pub(crate) given: Expr,
    /// Without names.
    pub(crate) condition: Expr,
    /// Without names; of an earlier cut if this one was given none.
    pub(crate) weight: Option<Expr>,
}

impl Frame {
    /// All rows and columns of a table.
    ///
    /// # Errors
    ///
    /// None for a table that was opened.
    pub fn new(table: &Table) -> Result<Frame> {
        Frame::with_rows(table, Rows::all(table.n_rows()))
    }

    /// All columns of some rows of a table.
    ///
    /// # Errors
    ///
    /// [`Value`](ErrorKind::Value) if the rows were not selected from as many as the table has.
    pub fn with_rows(table: &Table, rows: Rows<'static>) -> Result<Frame> {
        let base = match rows.n_rows() {
            Some(n_rows) if n_rows == table.n_rows() => rows,
            None => Rows::all(table.n_rows()).select(&rows)?,
            Some(n_rows) => {
                return Err(Error::value(format!(
                    "the rows were selected from {n_rows}, which does not match the table's {}",
                    table.n_rows()
                )));
            }
        };
        let columns = table.schema().columns().iter().enumerate();
        let columns = columns
            .map(|(j, column)| Ok((column.name().clone(), Expr::input(Input::table(table, j)?))))
            .collect::<Result<_>>()?;
        Ok(Frame { table: table.clone(), base, columns, cuts: Vec::new(), found: Arc::default() })
    }

    /// The names of the columns, in order.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &ColumnName> {
        self.columns.iter().map(|(name, _)| name)
    }

    /// The expression that a column is.
    ///
    /// # Errors
    ///
    /// [`Key`](ErrorKind::Key) if there is no such column.
    pub fn column(&self, name: &ColumnName) -> Result<&Expr> {
        Ok(&self.columns[self.position(name)?].1)
    }

    /// The number of rows before any cut.
    pub fn n_base_rows(&self) -> u64 {
        self.base.len()
    }

    /// The number of cuts.
    pub fn n_cuts(&self) -> usize {
        self.cuts.len()
    }

    /// Whether some rows of the table are left out.
    pub fn has_selection(&self) -> bool {
        !self.cuts.is_empty() || !is_all(&self.base)
    }

    /// The dtypes of the columns, in order.
    ///
    /// # Errors
    ///
    /// [`Type`](ErrorKind::Type) if one cannot be computed.
    pub fn dtypes(&self) -> Result<Vec<DType>> {
        let graph = self.graph(&self.columns)?;
        Ok((0..self.columns.len()).map(|root| graph.dtype(root)).collect())
    }

    /// With columns added, or in the place of those that have their names. What is given may use the columns that are
    /// there now, none of one another.
    ///
    /// # Errors
    ///
    /// [`Key`](ErrorKind::Key) for a name that is not there, [`Value`](ErrorKind::Value) if it is made of a column with
    /// another number of rows.
    pub fn assign(&self, columns: &[(ColumnName, Expr)]) -> Result<Frame> {
        let mut edited = self.clone();
        for (name, expr) in columns {
            let resolved = resolve(expr, self.columns.as_slice())?;
            self.check_lengths(name, &resolved)?;
            edited.put(name, resolved);
        }
        Ok(edited)
    }

    /// With values in memory as a column: one for each row of the frame, which must not have left out any.
    ///
    /// # Errors
    ///
    /// [`Value`](ErrorKind::Value) if the number of values does not match, or if there is a selection.
    pub fn assign_values(&self, name: &ColumnName, values: Arc<dyn MemoryColumn>) -> Result<Frame> {
        if self.has_selection() {
            return Err(Error::value(format!(
                "column '{name}' was given as values, and the frame has a row selection; assign it before rows are \
                 selected"
            ))
            .with_column(name));
        }
        self.assign(&[(name.clone(), Expr::input(Input::memory(values)))])
    }

    /// Without some columns.
    ///
    /// # Errors
    ///
    /// [`Key`](ErrorKind::Key) if one is not there.
    pub fn drop(&self, names: &[ColumnName]) -> Result<Frame> {
        names.iter().try_for_each(|name| self.position(name).map(|_| ()))?;
        let mut edited = self.clone();
        edited.columns.retain(|(name, _)| !names.contains(name));
        Ok(edited)
    }

    /// With columns called otherwise, in their places.
    ///
    /// # Errors
    ///
    /// [`Key`](ErrorKind::Key) if one is not there, [`Value`](ErrorKind::Value) if two would have one name.
    pub fn rename(&self, names: &[(ColumnName, ColumnName)]) -> Result<Frame> {
        let mut edited = self.clone();
        for (old, new) in names {
            edited.columns[self.position(old)?].0 = new.clone();
        }
        edited.check_unique()?;
        Ok(edited)
    }

    /// Some columns, in the order given.
    ///
    /// # Errors
    ///
    /// [`Key`](ErrorKind::Key) if one is not there, [`Value`](ErrorKind::Value) if one is named twice.
    pub fn select(&self, names: &[ColumnName]) -> Result<Frame> {
        let mut edited = self.clone();
        edited.columns =
            names.iter().map(|name| Ok(self.columns[self.position(name)?].clone())).collect::<Result<_>>()?;
        edited.check_unique()?;
        Ok(edited)
    }

    /// With columns of other dtypes, as NumPy's `astype` makes them.
    ///
    /// # Errors
    ///
    /// [`Key`](ErrorKind::Key) if one is not there, [`Type`](ErrorKind::Type) if one cannot be cast.
    pub fn cast(&self, dtypes: &[(ColumnName, DType)]) -> Result<Frame> {
        let mut edited = self.clone();
        for (name, dtype) in dtypes {
            let column = &mut edited.columns[self.position(name)?].1;
            *column = column.clone().cast(*dtype);
            Graph::bind(std::slice::from_ref(column), self.columns.as_slice())
                .map_err(|error| error.with_column(name))?;
        }
        Ok(edited)
    }

    /// With a cut: rows for which `condition` does not hold are left out. The weight of its cutflow is the one given, else
    /// that of the cut before.
    ///
    /// # Errors
    ///
    /// [`Query`](ErrorKind::Query) for a condition with unknown names, or that is not boolean;
    /// [`Key`](ErrorKind::Key) for a weight with unknown names, [`Type`](ErrorKind::Type) for one that is no number.
    pub fn filter(&self, condition: &Expr, label: Option<&str>, weight: Option<&Expr>) -> Result<Frame> {
        Graph::bind_condition(condition, self.columns.as_slice())?;
        self.cut(condition, label, weight)
    }

    /// [`filter`](Frame::filter) by a condition that was text: errors show the place.
    ///
    /// # Errors
    ///
    /// As [`filter`](Frame::filter).
    pub fn filter_text(
        &self,
        condition: &Parsed,
        label: Option<&str>,
        weight: Option<&Expr>,
    ) -> Result<Frame> {
        condition.bind_condition(self.columns.as_slice())?;
        self.cut(condition.expr(), label, weight)
    }

    fn cut(&self, given: &Expr, label: Option<&str>, weight: Option<&Expr>) -> Result<Frame> {
        let condition = resolve(given, self.columns.as_slice())?;
        let weight = match weight {
            Some(weight) => {
                let weight = resolve(weight, self.columns.as_slice())?;
                let graph = Graph::bind(std::slice::from_ref(&weight), self.columns.as_slice())?;
                let dtype = graph.dtype(0);
                if !matches!(dtype.kind(), Kind::Int | Kind::UInt | Kind::Float) {
                    return Err(Error::type_error(format!(
                        "a weight must be numeric; this one is of dtype '{dtype}'"
                    )));
                }
                Some(weight)
            }
            None => self.cuts.last().and_then(|cut| cut.weight.clone()),
        };
        let mut edited = self.clone();
        edited.cuts.push(Cut { label: label.map(str::to_owned), given: given.clone(), condition, weight });
        edited.found = Arc::default();
        Ok(edited)
    }

    /// The rows that the cuts leave, as positions among the base rows. Found once, by all cuts in one pass.
    ///
    /// # Errors
    ///
    /// Failures of reading and of callbacks.
    pub fn rows(&self, options: &ReadOptions<'_>) -> Result<Selected> {
        if let Some(found) = self.found.get() {
            return Ok(found.clone());
        }
        let selected = match self.condition() {
            None => Selected { rows: Rows::all(self.base.len()), outcome: Outcome::default() },
            Some(condition) => {
                // It was checked as it was given: a column may have turned out to be the same for all rows.
                let graph = Graph::bind(std::slice::from_ref(&condition), self.columns.as_slice())?;
                graph.select_rows(0, &self.base, options)?
            }
        };
        // Two threads that ask at once find the same.
        Ok(self.found.get_or_init(|| selected).clone())
    }

    /// What must hold for a row to be left by all cuts.
    fn condition(&self) -> Option<Expr> {
        self.cuts.iter().map(|cut| cut.condition.clone()).reduce(Expr::and)
    }

    /// The number of rows that the cuts leave.
    ///
    /// # Errors
    ///
    /// As [`rows`](Frame::rows).
    pub fn count(&self, options: &ReadOptions<'_>) -> Result<u64> {
        Ok(self.rows(options)?.rows.len())
    }

    /// Columns for the rows that the cuts leave, ready to be read; all columns in order if `names` is `None`.
    ///
    /// # Errors
    ///
    /// [`Key`](ErrorKind::Key) if a column is not there, [`Type`](ErrorKind::Type) if one cannot be computed, and as
    /// [`rows`](Frame::rows).
    pub fn prepare(&self, names: Option<&[ColumnName]>, options: &ReadOptions<'_>) -> Result<Prepared> {
        let columns: Vec<(ColumnName, Expr)> = match names {
            None => self.columns.clone(),
            Some(names) => names
                .iter()
                .map(|name| Ok(self.columns[self.position(name)?].clone()))
                .collect::<Result<_>>()?,
        };
        let graph = self.graph(&columns)?;
        let selected = self.rows(options)?;
        let names = columns.into_iter().map(|(name, _)| name).collect();
        Ok(Prepared { graph, base: self.base.clone(), selected, names })
    }

    /// Writes columns for the rows that the cuts leave, in native byte order.
    ///
    /// # Errors
    ///
    /// As [`prepare`](Frame::prepare) and [`Evaluation::read`](crate::Evaluation::read).
    pub fn read(
        &self,
        names: Option<&[ColumnName]>,
        output: Output<'_>,
        options: &ReadOptions<'_>,
    ) -> Result<Outcome> {
        let prepared = self.prepare(names, options)?;
        prepared.read(0..prepared.n_rows(), output, options)
    }

    /// `column`, which may use the frame's columns, for the rows that the cuts leave, reduced to one value.
    ///
    /// # Errors
    ///
    /// [`Key`](ErrorKind::Key) for a name that is not there, and as [`Evaluation::reduce`](crate::Evaluation::reduce).
    pub fn reduce(
        &self,
        column: &Expr,
        reduction: Reduction,
        ddof: f64,
        options: &ReadOptions<'_>,
    ) -> Result<(Scalar, Outcome)> {
        let column = resolve(column, self.columns.as_slice())?;
        self.check_lengths(&"".into(), &column)?;
        if self.found.get().is_none()
            && let Some(condition) = self.condition()
        {
            let graph = Graph::bind(&[condition, column], self.columns.as_slice())?;
            return graph.reduce_where(0, 1, &self.base, reduction, ddof, options);
        }
        let graph = Graph::bind(std::slice::from_ref(&column), self.columns.as_slice())?;
        let selected = self.rows(options)?;
        let (scalar, outcome) =
            graph.evaluate(&self.base, Some(&selected.rows))?.reduce(0, reduction, ddof, options)?;
        Ok((scalar, outcome.and(selected.outcome)))
    }

    /// Writes all columns, for the rows that the cuts leave, to a new file of one record. A table of one record of which
    /// nothing was changed is copied byte for byte.
    ///
    /// # Errors
    ///
    /// As [`prepare`](Frame::prepare) and [`Evaluation::write`](crate::Evaluation::write).
    pub fn write(&self, path: impl AsRef<Path>, options: &StoreOptions<'_>) -> Result<Outcome> {
        if self.is_untouched() && colstore_core::copy_file(&self.table, path.as_ref(), options)? {
            return Ok(Outcome::default());
        }
        let read = ReadOptions { max_threads: options.max_threads, progress: options.progress };
        self.prepare(None, &read)?.write(path, options)
    }

    /// Whether it is the table as it is.
    fn is_untouched(&self) -> bool {
        let columns = self.table.schema().columns();
        !self.has_selection()
            && columns.len() == self.columns.len()
            && columns.iter().zip(&self.columns).enumerate().all(|(j, (column, (name, expr)))| {
                column.name() == name
                    && match expr.node() {
                        Node::Input(input) => match input.source() {
                            InputSource::Table { table, column } => {
                                *column == j && table.is_same(&self.table)
                            }
                            InputSource::Memory(_) => false,
                        },
                        _ => false,
                    }
            })
    }

    fn graph(&self, columns: &[(ColumnName, Expr)]) -> Result<Graph> {
        let exprs: Vec<Expr> = columns.iter().map(|(_, expr)| expr.clone()).collect();
        Graph::bind(&exprs, self.columns.as_slice())
    }

    pub(crate) fn scope(&self) -> &[(ColumnName, Expr)] {
        &self.columns
    }

    fn put(&mut self, name: &ColumnName, expr: Expr) {
        match self.columns.iter_mut().find(|(other, _)| other == name) {
            Some((_, column)) => *column = expr,
            None => self.columns.push((name.clone(), expr)),
        }
    }

    fn position(&self, name: &ColumnName) -> Result<usize> {
        self.columns.iter().position(|(other, _)| other == name).ok_or_else(|| {
            let names: Vec<String> =
                self.columns.iter().take(20).map(|(name, _)| format!("'{name}'")).collect();
            let message = format!("column '{name}' is not in the frame; there are: {}", names.join(", "));
            Error::new(ErrorKind::Key, message).with_column(name)
        })
    }

    fn check_unique(&self) -> Result<()> {
        for (at, (name, _)) in self.columns.iter().enumerate() {
            if self.columns[..at].iter().any(|(other, _)| other == name) {
                return Err(Error::value(format!("duplicate column '{name}'")).with_column(name));
            }
        }
        Ok(())
    }

    /// Columns of a table must come from as many rows as this one has, those in memory from as many as the base rows.
    fn check_lengths(&self, name: &ColumnName, expr: &Expr) -> Result<()> {
        for part in expr.post_order() {
            let Node::Input(input) = part.node() else { continue };
            let (found, wanted) = match input.source() {
                InputSource::Table { table, .. } => (table.n_rows(), self.table.n_rows()),
                InputSource::Memory(values) => (values.n_rows(), self.base.len()),
            };
            if found != wanted {
                return Err(Error::value(format!(
                    "column '{name}' has {found} rows, which does not match the frame's {wanted}"
                ))
                .with_column(name));
            }
        }
        Ok(())
    }
}

fn is_all(rows: &Rows<'_>) -> bool {
    rows.form() == (Form::Range { first: 0, step: 1 }) && rows.n_rows() == Some(rows.len())
}
