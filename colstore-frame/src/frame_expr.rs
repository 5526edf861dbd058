//! Expressions over the columns of a frame that are no columns of it: looked up, typed, computed.

use std::mem::MaybeUninit;

use colstore_core::ReadOptions;
use colstore_format::DType;

use crate::error::Result;
use crate::evaluation::{Outcome, Output, Selected};
use crate::expr::scope::resolve;
use crate::expr::{Expr, Graph};
use crate::frame::Frame;
use crate::query::rows_of;

impl Frame {
    /// `expr` with the columns of this frame in the place of their names: what is edited later changes it no more.
    ///
    /// # Errors
    ///
    /// [`Key`](crate::ErrorKind::Key) for a name that is not there.
    pub fn resolve(&self, expr: &Expr) -> Result<Expr> {
        resolve(expr, self.scope())
    }

    /// The dtype of the values of `expr`, little-endian.
    ///
    /// # Errors
    ///
    /// [`Key`](crate::ErrorKind::Key) for a name that is not there, and as [`Graph::bind`].
    pub fn expr_dtype(&self, expr: &Expr) -> Result<DType> {
        let expr = self.resolve(expr)?;
        Ok(Graph::bind(std::slice::from_ref(&expr), self.scope())?.dtype(0))
    }

    /// Writes the values of `expr`, packed and in native byte order: one for each row that the cuts leave, or for each base
    /// row if `ignore_cuts`.
    ///
    /// ```
    /// # fn main() -> colstore_frame::Result<()> {
    /// use std::mem::MaybeUninit;
    ///
    /// use colstore_core::{ColumnData, ReadOptions, StoreOptions, Table, store};
    /// use colstore_frame::{Frame, col};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("events.cstore");
    /// let n: Vec<u8> = [3, 0, 6_u8].to_vec();
    /// store(&path, &[ColumnData::from_slice("n".into(), "u1".parse()?, &n)?], &StoreOptions::default())?;
    ///
    /// let frame = Frame::new(&Table::open(&path)?)?.filter(&col("n").gt(1), None, None)?;
    /// let (twice, options) = (col("n") * 2, ReadOptions::default());
    /// assert_eq!(frame.expr_dtype(&twice)?.to_string(), "|u1");
    /// let mut out = [MaybeUninit::new(0_u8); 3];
    /// frame.evaluate(&twice, true, &mut out, &options)?;
    /// assert_eq!(out.map(|byte| unsafe { byte.assume_init() }), [6, 0, 12]);
    /// frame.evaluate(&twice, false, &mut out[..2], &options)?;
    /// assert_eq!(out.map(|byte| unsafe { byte.assume_init() }), [6, 12, 12]);
    /// assert_eq!(frame.table_rows(&options)?.rows.to_vec(0..2), [0, 2]);
    /// assert!(frame.evaluate(&twice, false, &mut out, &options).is_err());
    /// assert!(frame.resolve(&col("m")).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`expr_dtype`](Frame::expr_dtype), [`rows`](Frame::rows) and [`Evaluation::read`](crate::Evaluation::read).
    pub fn evaluate(
        &self,
        expr: &Expr,
        ignore_cuts: bool,
        out: &mut [MaybeUninit<u8>],
        options: &ReadOptions<'_>,
    ) -> Result<Outcome> {
        let expr = self.resolve(expr)?;
        let graph = Graph::bind(std::slice::from_ref(&expr), self.scope())?;
        let output = Output::Columns(vec![out]);
        if ignore_cuts {
            return graph.evaluate(&self.base, None)?.read(output, options);
        }
        let left = self.rows(options)?;
        Ok(graph.evaluate(&self.base, Some(&left.rows))?.read(output, options)?.and(left.outcome))
    }

    /// The rows that the cuts leave, as rows of the table.
    ///
    /// # Errors
    ///
    /// As [`rows`](Frame::rows).
    pub fn table_rows(&self, options: &ReadOptions<'_>) -> Result<Selected> {
        let left = self.rows(options)?;
        Ok(Selected { rows: rows_of(&self.base, left.rows)?, outcome: left.outcome })
    }
}
