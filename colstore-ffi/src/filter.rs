//! Rows for which a condition holds.

use colstore_frame::Outcome;

use crate::error::{Error, ErrorOut, Failure};
use crate::expr::Expr;
use crate::guard::guard;
use crate::handle::{self, Out, check_pointer};
use crate::read::{Checked, ReadOptions};
use crate::rows::Rows;
use crate::status::Status;
use crate::table::Table;

/// What went on in a computation that a program may want to warn of: bits that are added up. The numbers never
/// change.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// Something was divided by zero.
    Divide = 1,
    /// A result was too large for its dtype.
    Overflow = 2,
    /// A result was too small for its dtype to keep all digits.
    Underflow = 4,
    /// An operation had no result: NaN, or an arbitrary integer, was given.
    Invalid = 8,
}

/// Where a caller wants the flags, if anywhere.
pub(crate) struct FlagsOut(*mut u32);

impl FlagsOut {
    /// # Safety
    ///
    /// `pointer` is NULL or may be written until the value is gone.
    pub(crate) unsafe fn new(pointer: *mut u32) -> Result<FlagsOut, Failure> {
        if !pointer.is_null() {
            check_pointer(pointer, "flags")?;
        }
        Ok(FlagsOut(pointer))
    }

    pub(crate) fn set(self, outcome: Outcome) {
        let all = Flag::Divide as u32 | Flag::Overflow as u32 | Flag::Underflow as u32 | Flag::Invalid as u32;
        if !self.0.is_null() {
            // SAFETY: aligned and not NULL, as checked by `new`, and writable by the promise made there.
            unsafe { self.0.write(outcome.bits() & all) };
        }
    }
}

/// The rows of a table for which a condition holds, in the order of `base`, or of the table if that is NULL.
///
/// `condition` is boolean and uses columns of the table by name. Parts that are joined by `and` are computed from
/// left to right, and later ones for the rows that are left; records whose statistics tell that the condition holds
/// for none of their rows are not read. `options` and `flags` may be NULL; `*flags` receives the sum of `enum
/// colstore_flag`.
///
/// `*out` is a new selection of its own memory: free it with `colstore_rows_free`.
///
/// Fails with `QUERY`, `TYPE`, `OVERFLOW` or `VALUE` as `colstore_expr_check` does for a condition, with `CALLBACK`
/// if a function of the caller's failed, with `VALUE` if `base` was made for another number of rows than the table
/// has, with `CANCELLED` if the progress was cancelled, and as a read does.
///
/// # Safety
///
/// `table` is NULL or a live table; `base` is NULL or a live selection; `condition` is NULL or a live expression;
/// `options` is NULL or has its size set; `out` is NULL or writable; `flags` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_rows_filter(
    table: *const Table,
    base: *const Rows,
    condition: *const Expr,
    options: *const ReadOptions,
    out: *mut *mut Rows,
    flags: *mut u32,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_rows_filter", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, base, condition, options, out, flags) = unsafe {
            (
                handle::lend(table, "table")?,
                handle::lend_optional(base),
                handle::lend(condition, "condition")?,
                Checked::new(options)?,
                Out::new(out, "out")?,
                FlagsOut::new(flags)?,
            )
        };
        let base = base.map(|Rows(rows)| rows);
        let (expr, parsed) = (&condition.expr, condition.parsed.as_ref());
        let found = colstore_frame::filter(&table.0, base, expr, parsed, &options.lend())?;
        out.set(handle::give(Rows(found.rows)));
        flags.set(found.outcome);
        Ok(())
    })
}
