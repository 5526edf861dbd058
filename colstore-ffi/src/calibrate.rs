//! Measuring how many threads are best here.

use colstore_core::calibrate_threads;

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::guard;
use crate::handle::Out;
use crate::progress::{self, Progress};
use crate::status::Status;

/// Measures how fast random rows are gathered by every number of threads up to the default, in `rounds` rounds of
/// some 20 ms a number; 5 are enough on a quiet machine. Needs some 150 MB of memory.
///
/// `*threads` is the least number of threads that is within 3 % of the fastest, `*gigabytes_per_second` what that
/// many gather, in 10^9 bytes. Nothing is set by it: `colstore_config_set` of `max_threads` does that. `progress`
/// may be NULL; its reports are those of one measurement after the other.
///
/// Fails with `INVALID_ARGUMENT` unless `rounds` is positive, with `OUT_OF_MEMORY`, and with `CANCELLED` if the
/// progress was cancelled.
///
/// # Safety
///
/// `progress` is NULL or a live progress; `threads` and `gigabytes_per_second` are NULL or writable; `err` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_calibrate_threads(
    rounds: i32,
    progress: *mut Progress,
    threads: *mut i32,
    gigabytes_per_second: *mut f64,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_calibrate_threads", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (progress, threads, gigabytes_per_second) = unsafe {
            (
                progress::share(progress),
                Out::new(threads, "threads")?,
                Out::new(gigabytes_per_second, "gigabytes_per_second")?,
            )
        };
        let rounds = match u32::try_from(rounds) {
            Ok(rounds) if rounds > 0 => rounds,
            _ => return Err(Failure::Argument(format!("rounds is {rounds}; it must be at least 1"))),
        };
        let found = calibrate_threads(rounds, progress.as_deref())?;
        threads.set(i32::try_from(found.threads).unwrap_or(i32::MAX));
        gigabytes_per_second.set(found.gigabytes_per_second);
        Ok(())
    })
}
