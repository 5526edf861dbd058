//! Work that goes on behind its caller's back.
//!
//! ```text
//! begin ──► waiting ──────────────► running ──► done
//!              │ a helper comes, or    ▲           │
//!              └ finish: nobody came ──┘           └──► finish: the result
//! ```
//!
//! Whoever needs the result does the work itself if no helper has begun it, so that it gets done however busy the
//! helpers are, and waits for it if one has. That a helper begins at once is not certain, nor that there is one.

use crate::pool;
use std::fmt;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The result of work that a helper of the [`pool`] does, or will do.
///
/// Dropped before a helper has begun, the work is not done; if one has, it goes on. In a child of `fork()` there is
/// nothing to wait for: helpers are the parent's, so that [`finish`](Behind::finish) must not be called there.
///
/// ```
/// use colstore_kernels::behind::Behind;
///
/// let sum = Behind::begin(true, || (1..=1000_u64).sum::<u64>());
/// // Other work.
/// assert_eq!(sum.finish(), 500_500);
/// ```
pub struct Behind<T>(Arc<Shared<T>>);

struct Shared<T> {
    state: Mutex<State<T>>,
    done: Condvar,
}

enum State<T> {
    Waiting(Box<dyn FnOnce() -> T + Send>),
    Running,
    Done(thread::Result<T>),
    /// The result was handed over, or the work given up.
    Over,
}

impl<T: Send + 'static> Behind<T> {
    /// Has a helper do `work` if it is to be `helped`; if not, it is done at once, by the caller.
    ///
    /// What `work` owns is dropped before its result can be had.
    pub fn begin(helped: bool, work: impl FnOnce() -> T + Send + 'static) -> Behind<T> {
        let state = Mutex::new(State::Waiting(Box::new(work)));
        let shared = Arc::new(Shared { state, done: Condvar::new() });
        if helped {
            let shared = Arc::clone(&shared);
            pool::spawn(move || shared.run());
        } else {
            shared.run();
        }
        Behind(shared)
    }

    /// The result.
    ///
    /// # Panics
    /// If the work did.
    pub fn finish(self) -> T {
        self.0.run();
        let mut state = self.0.lock();
        loop {
            match mem::replace(&mut *state, State::Over) {
                State::Done(Ok(result)) => return result,
                State::Done(Err(panic)) => {
                    drop(state);
                    resume_unwind(panic)
                }
                running => {
                    *state = running;
                    state = self.0.done.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does the work, if nobody has begun it.
    fn run(&self) {
        let work = {
            let mut state = self.lock();
            match mem::replace(&mut *state, State::Running) {
                State::Waiting(work) => work,
                other => {
                    *state = other;
                    return;
                }
            }
        };
        let result = catch_unwind(AssertUnwindSafe(work));
        *self.lock() = State::Done(result);
        self.done.notify_all();
    }
}

impl<T> Drop for Behind<T> {
    fn drop(&mut self) {
        // After a fork the lock may be held by a thread that is not there.
        if let Ok(mut state) = self.0.state.try_lock()
            && let State::Waiting(_) = *state
        {
            *state = State::Over;
        }
    }
}

impl<T> fmt::Debug for Behind<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Behind").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn work_is_done_once_whoever_does_it() {
        static DONE: AtomicUsize = AtomicUsize::new(0);
        for round in 0..500 {
            let behind = Behind::begin(round % 2 == 0, move || {
                DONE.fetch_add(1, Ordering::Relaxed);
                round
            });
            if round % 3 == 0 {
                thread::yield_now();
            }
            assert_eq!(behind.finish(), round);
            assert_eq!(DONE.load(Ordering::Relaxed), round + 1);
        }
    }

    #[test]
    fn a_helper_comes_by_itself() {
        if budget::default_threads() < 2 {
            return;
        }
        let met = Arc::new(Barrier::new(2));
        let there = Arc::clone(&met);
        let behind = Behind::begin(true, move || {
            there.wait();
            thread::current().id()
        });
        met.wait();
        assert_ne!(behind.finish(), thread::current().id());
    }

    #[test]
    fn work_that_is_not_helped_is_done_at_once_by_the_caller() {
        let behind = Behind::begin(false, || thread::current().id());
        assert!(matches!(*behind.0.lock(), State::Done(_)));
        assert_eq!(behind.finish(), thread::current().id());
    }

    #[test]
    fn busy_helpers_are_not_waited_for() {
        let free = Arc::new(Barrier::new(budget::default_threads()));
        let busy: Vec<_> = (1..budget::default_threads())
            .map(|_| {
                let free = Arc::clone(&free);
                Behind::begin(true, move || {
                    free.wait();
                })
            })
            .collect();
        assert_eq!(Behind::begin(true, || 7).finish(), 7);
        free.wait();
        busy.into_iter().for_each(Behind::finish);
    }

    #[test]
    fn what_work_owns_is_gone_when_its_result_is_there() {
        for helped in [false, true] {
            let owned = Arc::new(());
            let kept = Arc::clone(&owned);
            Behind::begin(helped, move || drop(Arc::clone(&kept))).finish();
            assert_eq!(Arc::strong_count(&owned), 1);
        }
    }

    #[test]
    fn work_dropped_before_it_was_begun_is_not_done() {
        let owned = Arc::new(());
        let kept = Arc::clone(&owned);
        let state = Mutex::new(State::Waiting(Box::new(move || drop(kept)) as Box<dyn FnOnce() + Send>));
        let shared = Arc::new(Shared { state, done: Condvar::new() });
        drop(Behind(Arc::clone(&shared)));
        assert_eq!(Arc::strong_count(&owned), 1);
        shared.run();
        assert!(matches!(*shared.lock(), State::Over));
    }

    #[test]
    fn a_panic_goes_on_where_the_result_is_wanted() {
        for helped in [false, true] {
            let behind = Behind::begin(helped, || panic!("of the work"));
            let panic = catch_unwind(AssertUnwindSafe(|| behind.finish())).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"of the work"));
        }
    }
}
