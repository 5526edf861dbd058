//! How far a long call is, and the flag that stops it.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Called with the bytes done so far and the bytes to do.
type Callback = Box<dyn FnMut(u64, u64) + Send>;

/// Shared between a long call and whoever watches it: carries reports one way and a wish to stop the other.
///
/// A `Progress` may serve several calls, one after another or at once. Once cancelled it stays cancelled.
#[derive(Default)]
pub struct Progress {
    cancelled: AtomicBool,
    callback: Option<Mutex<Callback>>,
}

impl Progress {
    /// A progress that reports to nobody, for its cancel flag.
    #[must_use]
    pub fn new() -> Progress {
        Progress::default()
    }

    /// A progress that calls `callback(done, total)`, both in bytes, on the thread that made the long call.
    ///
    /// `done` never falls within one call, and ends at `total` unless the call is cancelled or fails.
    #[must_use]
    pub fn with_callback(callback: impl FnMut(u64, u64) + Send + 'static) -> Progress {
        Progress { cancelled: AtomicBool::new(false), callback: Some(Mutex::new(Box::new(callback))) }
    }

    /// Asks the calls that use this progress to stop. Any thread may ask, a signal handler too: this stores one
    /// flag and does nothing else.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Progress::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Calls the callback, if there is one. For the thread that made the long call.
    ///
    /// The report is dropped when the callback is running already (it made a call with the same progress, or
    /// another thread uses it), so reporting never waits.
    pub fn report(&self, done: u64, total: u64) {
        let Some(callback) = &self.callback else { return };
        match callback.try_lock() {
            Ok(mut callback) => callback(done, total),
            // An earlier report panicked. Its caller saw that panic; the callback itself may be called again.
            Err(std::sync::TryLockError::Poisoned(callback)) => callback.into_inner()(done, total),
            Err(std::sync::TryLockError::WouldBlock) => {}
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress")
            .field("cancelled", &self.is_cancelled())
            .field("callback", &self.callback.is_some())
            .finish()
    }
}

/// The call stopped because [`Progress::cancel`] was called; its output is not to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the call was cancelled through its progress before it was done")
    }
}

impl std::error::Error for Cancelled {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn cancel_sticks() {
        let progress = Progress::new();
        assert!(!progress.is_cancelled());
        progress.cancel();
        assert!(progress.is_cancelled());
    }

    #[test]
    fn a_report_from_within_the_callback_is_dropped() {
        let calls = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&calls);
        let slot: Arc<std::sync::OnceLock<Progress>> = Arc::default();
        let inner = Arc::clone(&slot);
        let progress = slot.get_or_init(|| {
            Progress::with_callback(move |_, _| {
                seen.fetch_add(1, Ordering::Relaxed);
                if let Some(progress) = inner.get() {
                    progress.report(1, 1);
                }
            })
        });
        progress.report(0, 1);
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn reports_go_on_after_a_callback_panicked() {
        let calls = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&calls);
        let progress = Progress::with_callback(move |done, _| {
            seen.fetch_add(1, Ordering::Relaxed);
            assert!(done > 0, "a callback that fails at first");
        });
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| progress.report(0, 2))).is_err());
        progress.report(1, 2);
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }
}
