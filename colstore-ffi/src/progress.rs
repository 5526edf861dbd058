//! Watching and cancelling long calls.

use std::ffi::c_void;
use std::sync::Arc;

use colstore_core::Progress as CoreProgress;

use crate::error::{Error, ErrorOut};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::status::Status;

/// Watches long calls and can cancel them. Opaque; owned by the caller. One progress may be given to several
/// calls.
#[derive(Debug)]
pub struct Progress(Arc<CoreProgress>);

impl Handle for Progress {}

/// Hears how far a call is: `done` of `total` bytes, both in whole pieces of work, so that they may be a
/// little more than the call moves; `done` is `total` at the end. It is called now and then by the thread
/// that made the call, and by no other. It must return soon, and must not throw or jump out.
pub type ProgressCallback = Option<unsafe extern "C" fn(context: *mut c_void, done: u64, total: u64)>;

/// A pointer that is only ever handed back to the callback.
struct Context(*mut c_void);

// SAFETY: the library never looks at what it points to. It gives it to the callback, on the thread whose call
// takes the progress; whoever shares a progress between threads has been told so by `colstore_progress_new`.
unsafe impl Send for Context {}

impl Context {
    fn get(&self) -> *mut c_void {
        self.0
    }
}

/// A share in the progress behind a handle, which keeps it alive for the length of a call; `None` for NULL.
///
/// # Safety
///
/// `pointer` is NULL or a live progress.
pub(crate) unsafe fn share(pointer: *const Progress) -> Option<Arc<CoreProgress>> {
    // SAFETY: the same promise.
    unsafe { handle::lend_optional(pointer) }.map(|progress| Arc::clone(&progress.0))
}

/// Makes a progress for the options of a long call.
///
/// `callback` may be NULL if it is for cancelling only. `context` is handed to the callback as it is; both
/// must stay valid while calls with this progress run. `*out` is a new progress: free it with
/// `colstore_progress_free`.
///
/// # Safety
///
/// `callback` is NULL or can be called with `context` from the threads whose calls take the progress, until
/// it is freed and these calls have returned; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_progress_new(
    callback: ProgressCallback,
    context: *mut c_void,
    out: *mut *mut Progress,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_progress_new", err, || {
        // SAFETY: NULL, or writable during the call, by the promise of the caller.
        let out = unsafe { Out::new(out, "out") }?;
        let progress = match callback {
            None => CoreProgress::new(),
            Some(callback) => {
                let context = Context(context);
                CoreProgress::with_callback(move |done, total| {
                    // SAFETY: a function that may be called with the context, from the threads whose calls
                    // take the progress, by the promise of the caller; the engine reports on the calling
                    // thread only.
                    unsafe { callback(context.get(), done, total) }
                })
            }
        };
        out.set(handle::give(Progress(Arc::new(progress))));
        Ok(())
    })
}

/// Asks the calls with this progress to stop: they return `CANCELLED` within 50 ms. Calls that begin later
/// return it at once. Any thread may ask, and so may a signal handler. NULL is fine.
///
/// # Safety
///
/// `progress` is NULL or a live progress.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_progress_cancel(progress: *mut Progress) {
    guard_value((), || {
        // SAFETY: NULL or live, by the promise of the caller.
        if let Some(Progress(progress)) = unsafe { handle::lend_optional(progress) } {
            progress.cancel();
        }
    });
}

/// Frees a progress. Calls that run with it go on, with their reports, and can no longer be cancelled. NULL
/// is fine.
///
/// # Safety
///
/// `progress` is NULL or a live progress that nobody but running calls uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_progress_free(progress: *mut Progress) {
    // SAFETY: NULL, or live and not in use but by calls that hold a share of their own, by the promise of the
    // caller.
    guard_value((), || unsafe { handle::take_back(progress) });
}
