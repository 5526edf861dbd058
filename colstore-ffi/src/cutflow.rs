//! How many rows, and how much weight, each cut of a frame leaves.

use std::ffi::c_char;
use std::mem;

use colstore_frame::CutRecord as FrameRecord;

use crate::error::{Error, ErrorOut};
use crate::filter::FlagsOut;
use crate::frame::Frame;
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::read::{Checked, ReadOptions};
use crate::status::Status;
use crate::table::to_i64;
use crate::versioned::{OutStruct, Versioned};

/// What each cut of a frame did. Opaque; owned by the caller; immutable; it needs the frame no more.
#[derive(Debug)]
pub struct Cutflow(Vec<FrameRecord>);

impl Handle for Cutflow {}

/// What one cut does. The texts are borrowed from the cutflow: they are valid until `colstore_cutflow_free`, and
/// end at their length, not at a NUL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CutRecord {
    /// `sizeof(colstore_cut_record)`, set by the caller.
    pub size: usize,
    /// What the cut is called, UTF-8; NULL if it has no name.
    pub label: *const c_char,
    /// Bytes of the label.
    pub label_len: usize,
    /// The condition, as `colstore_expr_print` gives it.
    pub condition: *const c_char,
    /// Bytes of the condition.
    pub condition_len: usize,
    /// The number of rows that all cuts before leave.
    pub entering: i64,
    /// The number of them that this one leaves.
    pub passing: i64,
    /// 1 if the cut has a weight, else 0; the fields below are 0 then.
    pub weighted: i32,
    /// 0.
    pub reserved: i32,
    /// The sum of the weights of the rows that enter.
    pub weighted_entering: f64,
    /// The sum of the weights of the rows that pass.
    pub weighted_passing: f64,
    /// The sum of the squares of the weights of the rows that pass: their variance.
    pub weighted_variance: f64,
}

// SAFETY: repr(C), the size first, integers, floats and raw pointers only.
unsafe impl Versioned for CutRecord {
    const NAME: &'static str = "colstore_cut_record";
    const FIRST_SIZE: usize = mem::offset_of!(CutRecord, weighted_variance) + size_of::<f64>();
}

/// What each cut of a frame does, in their order.
///
/// `options` and `flags` may be NULL. `*out` is a new cutflow: free it with `colstore_cutflow_free`.
///
/// Fails as `colstore_frame_count`.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `options` is NULL or has its size set; `out` is NULL or writable; `flags` is
/// NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_cutflow(
    frame: *const Frame,
    options: *const ReadOptions,
    out: *mut *mut Cutflow,
    flags: *mut u32,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_cutflow", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (frame, options, out, flags) = unsafe {
            (
                handle::lend(frame, "frame")?,
                Checked::new(options)?,
                Out::new(out, "out")?,
                FlagsOut::new(flags)?,
            )
        };
        let (records, outcome) = frame.now().cutflow(&options.lend())?;
        out.set(handle::give(Cutflow(records)));
        flags.set(outcome);
        Ok(())
    })
}

/// The number of cuts.
///
/// # Safety
///
/// `cutflow` is NULL or live; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_cutflow_count(
    cutflow: *const Cutflow,
    out: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_cutflow_count", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (Cutflow(records), out) = unsafe { (handle::lend(cutflow, "cutflow")?, Out::new(out, "out")?) };
        out.set(records.len());
        Ok(())
    })
}

/// What the cut at position `index`, counted from 0, does.
///
/// Fails with `OUT_OF_BOUNDS` if there is none.
///
/// # Safety
///
/// `cutflow` is NULL or live; `out` is NULL or a `colstore_cut_record` with its size set; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_cutflow_get(
    cutflow: *const Cutflow,
    index: usize,
    out: *mut CutRecord,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_cutflow_get", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (Cutflow(records), out) =
            unsafe { (handle::lend(cutflow, "cutflow")?, OutStruct::new(out, "out")?) };
        let record = records.get(index).ok_or_else(|| {
            let message = format!("cut {index} is out of bounds: there are {} cuts", records.len());
            Error::new(Status::OutOfBounds, message)
        })?;
        let label = record.label.as_deref();
        out.set(CutRecord {
            size: size_of::<CutRecord>(),
            label: label.map_or(std::ptr::null(), |label| label.as_ptr().cast()),
            label_len: label.map_or(0, str::len),
            condition: record.condition.as_ptr().cast(),
            condition_len: record.condition.len(),
            entering: to_i64(record.entering, "the number of rows")?,
            passing: to_i64(record.passing, "the number of rows")?,
            weighted: i32::from(record.weighted_passing.is_some()),
            reserved: 0,
            weighted_entering: record.weighted_entering.unwrap_or(0.0),
            weighted_passing: record.weighted_passing.unwrap_or(0.0),
            weighted_variance: record.weighted_variance.unwrap_or(0.0),
        });
        Ok(())
    })
}

/// Frees a cutflow, and with it the texts borrowed from it. NULL is fine.
///
/// # Safety
///
/// `cutflow` is NULL or live, and nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_cutflow_free(cutflow: *mut Cutflow) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(cutflow) });
}
