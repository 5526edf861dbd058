//! Bringing a file to the disk while it is being written, so that the flush at the end has little to wait for.
//!
//! A thread of its own asks, round after round, for everything that was written so far, and waits for it. Asking
//! without waiting would need no thread; but the system takes that for writing that nobody waits for, and holds it back
//! as soon as the disk is busy.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use colstore_kernels::pool;

use crate::storage::OutputFile;

/// Between two rounds.
const PAUSE: Duration = Duration::from_millis(1);
/// The length of a file that is worth a thread.
const LEAST: u64 = 8 << 20;

/// Goes on until dropped, and then until the end of a round. Nobody waits for it: it holds the file.
#[derive(Debug)]
pub(super) struct WriteBack {
    _stop: Sender<()>,
}

impl WriteBack {
    /// Starts for a file that will be `len` bytes long; `None` if that is too short, or there can be no thread.
    pub(super) fn start(file: &Arc<dyn OutputFile>, len: u64) -> Option<WriteBack> {
        if len < LEAST {
            return None;
        }
        let file = Arc::clone(file);
        let (sender, receiver) = mpsc::channel::<()>();
        let work = move || {
            pool::leave_signals_to_others();
            while receiver.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                file.write_back();
            }
        };
        thread::Builder::new().name("colstore-write-back".into()).spawn(work).ok()?;
        Some(WriteBack { _stop: sender })
    }
}
