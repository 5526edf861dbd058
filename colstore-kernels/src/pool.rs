//! Runs chunks of work on the calling thread and a few helpers.
//!
//! ```text
//! next = 0
//! wake threads - 1 helpers
//! caller and helpers: while (chunk = next++) < chunks and nobody wants to stop: work(chunk)
//! caller:             close the gate, wait for the helpers that are inside
//! ```
//!
//! The caller always works itself, so a call gets done with no helper free, and calls from many threads at once
//! share the helpers without waiting for each other. What makes that safe is the gate of a `Job`: a helper that
//! comes late finds it closed and leaves without touching the work, which lives on the caller's stack. So a
//! caller waits for helpers that work for it, and never for one that has yet to come.
//!
//! The helpers are the threads of one private rayon pool, made when first needed. It is never taken down: at exit
//! nothing waits for it. A child of `fork()` has none of its parent's threads; it is told by its process id and
//! makes a pool of its own, leaving the parent's memory of one alone. Nothing on the way to the pool takes a lock
//! that a fork could leave locked.

use crate::budget;
use crate::placement::{self, Place};
use crate::progress::{Cancelled, Progress};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// While the caller waits for its helpers it still reports this often, so that a callback can ask to stop.
const REPORT_EVERY: Duration = Duration::from_millis(20);

/// Runs `work(0)`, `work(1)`, … `work(chunks - 1)`, each once and in no certain order, on up to `threads` threads,
/// the calling thread among them.
///
/// `progress` is told of `chunk_bytes` bytes for every finished chunk. Its callback runs on the calling thread
/// only. Once it is cancelled, no further chunk is begun. `work` may call `run` itself.
///
/// # Errors
/// [`Cancelled`] if `progress` is cancelled when the call ends, even if all work was done by then.
///
/// # Panics
/// If `work` or the callback panics: no further chunk is begun, and the first panic goes on in the calling thread
/// when all helpers have left.
pub fn run(
    threads: usize,
    chunks: usize,
    progress: Option<&Progress>,
    chunk_bytes: u64,
    work: &(dyn Fn(usize) + Sync),
) -> Result<(), Cancelled> {
    let helpers = threads.min(chunks).saturating_sub(1);
    let job = Arc::new(Job::new(chunks, chunk_bytes, progress, work));
    {
        let _guard = CloseOnDrop(&job);
        if helpers > 0 {
            recruit(helpers, &job);
        }
        job.drain(progress);
        job.close(progress);
    }
    if let Some(panic) = job.lock().panic.take() {
        resume_unwind(panic);
    }
    if chunks > 0 && !progress.is_some_and(Progress::is_cancelled) {
        job.report(progress, chunks);
    }
    if progress.is_some_and(Progress::is_cancelled) { Err(Cancelled) } else { Ok(()) }
}

/// Calls up to `helpers` helpers to the job. Fewer may come, and late, and none if there can be no threads.
fn recruit(helpers: usize, job: &Arc<Job>) {
    let Some(pool) = pool() else { return };
    pool.make_room(helpers);
    for _ in 0..helpers.min(pool.places.len()) {
        let job = Arc::clone(job);
        pool.spawn(move || job.help());
    }
}

/// Has a helper do `task`, which must not panic, when one is free. If there can be no helpers, nobody does it.
pub(crate) fn spawn(task: impl FnOnce() + Send + 'static) {
    if let Some(pool) = pool() {
        pool.make_room(1);
        pool.spawn(task);
    }
}

/// One call of [`run`], shared with its helpers.
struct Job {
    /// The work and the progress of the caller. Valid for whoever got through the gate, until they leave it.
    work: *const (dyn Fn(usize) + Sync),
    progress: Option<*const Progress>,
    chunks: usize,
    chunk_bytes: u64,
    /// The chunk to be done next.
    next: AtomicUsize,
    done: AtomicUsize,
    /// Set by a panic.
    stop: AtomicBool,
    gate: Mutex<Gate>,
    left: Condvar,
}

#[derive(Default)]
struct Gate {
    closed: bool,
    inside: usize,
    panic: Option<Box<dyn Any + Send>>,
}

// SAFETY: what the pointers point at may be shared with other threads: the work is `Sync` and so is `Progress`.
// They are followed only inside the gate, where the caller waits for whoever follows them. The rest is atomic or
// behind the mutex.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

impl Job {
    fn new(
        chunks: usize,
        chunk_bytes: u64,
        progress: Option<&Progress>,
        work: &(dyn Fn(usize) + Sync),
    ) -> Job {
        // SAFETY: both types are the same but for the lifetime, and the gate keeps to that: `run` borrows the work
        // until it returns, and it returns only when the gate is closed and nobody is inside.
        let work = unsafe {
            std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync + 'static)>(
                work,
            )
        };
        Job {
            work,
            progress: progress.map(std::ptr::from_ref),
            chunks,
            chunk_bytes,
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            gate: Mutex::default(),
            left: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Gate> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a helper does.
    fn help(&self) {
        {
            let mut gate = self.lock();
            if gate.closed {
                return;
            }
            gate.inside += 1;
        }
        // Nobody is called back from a helper: the callback is the caller's.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.drain(None)));
        let mut gate = self.lock();
        if let Err(panic) = outcome {
            self.stop.store(true, Ordering::Relaxed);
            gate.panic.get_or_insert(panic);
        }
        gate.inside -= 1;
        if gate.inside == 0 {
            self.left.notify_all();
        }
    }

    /// Does chunks until there are no more. For the caller, and for helpers inside the gate; `reporter` is for the
    /// caller alone.
    fn drain(&self, reporter: Option<&Progress>) {
        // SAFETY: called inside the gate or by the caller itself, so `run` has not returned and its borrow lives.
        let work = unsafe { &*self.work };
        while !self.is_stopped() {
            // A counter that stays below `chunks` plus the number of threads cannot wrap.
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            if chunk >= self.chunks {
                break;
            }
            work(chunk);
            // The last report is the one of `run`, when everybody is done.
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            if done < self.chunks {
                self.report(reporter, done);
            }
        }
    }

    fn is_stopped(&self) -> bool {
        // SAFETY: as the work in `drain`.
        let cancelled = self.progress.is_some_and(|progress| unsafe { &*progress }.is_cancelled());
        cancelled || self.stop.load(Ordering::Relaxed)
    }

    fn report(&self, reporter: Option<&Progress>, done: usize) {
        if let Some(progress) = reporter {
            let bytes = |chunks: usize| (chunks as u64).saturating_mul(self.chunk_bytes);
            progress.report(bytes(done), bytes(self.chunks));
        }
    }

    /// Closes the gate and waits until nobody is inside.
    fn close(&self, reporter: Option<&Progress>) {
        let mut gate = self.lock();
        gate.closed = true;
        while gate.inside > 0 {
            gate = match reporter {
                None => self.left.wait(gate).unwrap_or_else(PoisonError::into_inner),
                Some(_) => {
                    let (gate, timeout) =
                        self.left.wait_timeout(gate, REPORT_EVERY).unwrap_or_else(PoisonError::into_inner);
                    if timeout.timed_out() {
                        // The callback may take its time, and helpers want to leave.
                        drop(gate);
                        let done = self.done.load(Ordering::Relaxed);
                        if done < self.chunks {
                            self.report(reporter, done);
                        }
                        self.lock()
                    } else {
                        gate
                    }
                }
            };
        }
    }
}

/// For the caller of [`run`]: whatever happens, its borrows do not end before the helpers have left.
struct CloseOnDrop<'a>(&'a Job);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        // Reached with the gate open only if the work, the callback or the making of a pool panicked.
        if !self.0.lock().closed {
            self.0.stop.store(true, Ordering::Relaxed);
        }
        // No reports: a callback that panics again now would end the process.
        self.0.close(None);
    }
}

/// The helpers, and the process they belong to.
struct Pool {
    process: u32,
    threads: rayon::ThreadPool,
    /// Where the helpers may run, by their index.
    places: Arc<[Place]>,
}

impl Pool {
    fn new(process: u32) -> Option<Pool> {
        let helpers = budget::default_threads() - 1;
        if helpers == 0 {
            return None;
        }
        let places: Arc<[Place]> = (0..helpers).map(|_| Place::new()).collect();
        let taken = Arc::clone(&places);
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(helpers)
            .thread_name(|index| format!("colstore-{index}"))
            .start_handler(move |index| {
                leave_signals_to_others();
                taken[index].settle();
            })
            .build()
            .ok()?;
        Some(Pool { process, threads, places })
    }

    /// Has a helper do `task`.
    fn spawn(&'static self, task: impl FnOnce() + Send + 'static) {
        self.threads.spawn(move || {
            let place = rayon::current_thread_index().and_then(|index| self.places.get(index));
            if let Some(place) = place {
                place.work();
            }
            task();
            if let Some(place) = place {
                place.rest();
            }
        });
    }

    /// Has the helpers that will be woken next, some `helpers` of them, run elsewhere than the caller.
    fn make_room(&self, helpers: usize) {
        let Some(processor) = placement::this_processor() else { return };
        let own = self.threads.current_thread_index();
        let others = self.places.iter().enumerate().filter(|(index, _)| Some(*index) != own);
        // Sleeping helpers are woken in the order of their index.
        others.filter(|(_, place)| place.keep_off(processor)).take(helpers).for_each(drop);
    }
}

/// The pool of this process, made if there is none; `None` if a pool would have no threads or they cannot be made.
fn pool() -> Option<&'static Pool> {
    static POOL: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());

    let process = std::process::id();
    let mut current = POOL.load(Ordering::Acquire);
    loop {
        // SAFETY: a pool that was once stored is never freed, and nobody writes to it.
        if let Some(pool) = unsafe { current.as_ref() }
            && pool.process == process
        {
            return Some(pool);
        }
        let made = Box::into_raw(Box::new(Pool::new(process)?));
        // One of a parent process that `current` may point at is left where it is: its threads do not exist here,
        // and to take it down would be to wait for them.
        match POOL.compare_exchange(current, made, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: stored just now, so never freed from here on.
            Ok(_) => return Some(unsafe { &*made }),
            Err(other) => {
                // SAFETY: `made` came from a box and was given to nobody.
                drop(unsafe { Box::from_raw(made) });
                current = other;
            }
        }
    }
}

/// Blocks all signals for this thread but those that it causes itself: a signal to the process is to interrupt a
/// thread of the host, which may be waiting for just that.
pub fn leave_signals_to_others() {
    #[cfg(unix)]
    // SAFETY: the set is made by `sigfillset` before anything else reads it; the signal numbers are valid.
    unsafe {
        let mut signals = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigfillset(signals.as_mut_ptr());
        for own in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGSYS] {
            libc::sigdelset(signals.as_mut_ptr(), own);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, signals.as_ptr(), std::ptr::null_mut());
    }
}

#[cfg(test)]
#[path = "pool_tests.rs"]
mod tests;
