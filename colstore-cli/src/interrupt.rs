//! Ctrl-C, and the other signals that ask a process to end, as a wish to cancel what is being done.

use std::sync::{Arc, Mutex, Once, PoisonError, Weak};

use colstore_core::Progress;

/// What a signal cancels.
static CURRENT: Mutex<Weak<Progress>> = Mutex::new(Weak::new());

/// From now on, and for as long as `progress` lives, a signal cancels it rather than end the process.
pub(crate) fn cancels(progress: &Arc<Progress>) {
    static HANDLER: Once = Once::new();
    *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(progress);
    HANDLER.call_once(|| {
        // Without a handler a signal ends the process, which is what it would have asked for.
        let _ = ctrlc::set_handler(signalled);
    });
}

/// On a thread of its own.
fn signalled() {
    let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
    match current {
        Some(progress) => progress.cancel(),
        // Nothing is being done that could be left half done.
        #[expect(clippy::exit, reason = "what the signal asks for")]
        None => std::process::exit(i32::from(crate::INTERRUPTED)),
    }
}
