use super::*;
use std::sync::atomic::AtomicU64;
use std::thread::{self, ThreadId};
use std::time::Instant;

/// Runs `chunks` chunks on `threads` threads and returns how often each was done.
fn count(threads: usize, chunks: usize) -> Vec<usize> {
    let counts: Vec<AtomicUsize> = (0..chunks).map(|_| AtomicUsize::new(0)).collect();
    run(threads, chunks, None, 1, &|chunk| {
        counts[chunk].fetch_add(1, Ordering::Relaxed);
    })
    .unwrap();
    counts.into_iter().map(AtomicUsize::into_inner).collect()
}

#[test]
fn every_chunk_is_done_once() {
    for threads in [0, 1, 2, 3, 100] {
        for chunks in [0, 1, 2, 3, 64, 5000] {
            assert_eq!(count(threads, chunks), vec![1; chunks], "{threads} threads");
        }
    }
}

#[test]
fn helpers_do_come() {
    if budget::default_threads() < 2 {
        return;
    }
    // Two chunks that wait for each other can only be done by two threads.
    let met = std::sync::Barrier::new(2);
    run(2, 2, None, 1, &|_| {
        met.wait();
    })
    .unwrap();
}

#[test]
fn one_thread_means_the_caller() {
    let caller = thread::current().id();
    run(1, 50, None, 1, &|_| assert_eq!(thread::current().id(), caller)).unwrap();
}

#[test]
fn reports_come_on_the_calling_thread_and_end_at_the_total() {
    for threads in [1, 4] {
        let reports: Arc<Mutex<Vec<(ThreadId, u64, u64)>>> = Arc::default();
        let sink = Arc::clone(&reports);
        let progress = Progress::with_callback(move |done, total| {
            sink.lock().unwrap().push((thread::current().id(), done, total));
        });
        run(threads, 200, Some(&progress), 10, &|_| thread::sleep(Duration::from_micros(20))).unwrap();
        let reports = reports.lock().unwrap();
        assert!(reports.iter().all(|report| report.0 == thread::current().id() && report.2 == 2000));
        assert!(reports.is_sorted_by_key(|report| report.1), "done never falls");
        assert_eq!(reports.last().unwrap().1, 2000);
        assert_eq!(reports.iter().filter(|report| report.1 == 2000).count(), 1);
    }
}

#[test]
fn reports_go_on_while_a_helper_is_busy() {
    if budget::default_threads() < 2 {
        return;
    }
    let caller = thread::current().id();
    let reports = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&reports);
    let progress = Progress::with_callback(move |_, _| {
        seen.fetch_add(1, Ordering::Relaxed);
    });
    let met = std::sync::Barrier::new(2);
    // The helper's chunk ends once the caller, with nothing left to do, has reported a few times.
    run(2, 2, Some(&progress), 1, &|_| {
        met.wait();
        let patience = Instant::now();
        while thread::current().id() != caller
            && reports.load(Ordering::Relaxed) < 3
            && patience.elapsed() < Duration::from_secs(20)
        {
            thread::yield_now();
        }
    })
    .unwrap();
    assert!(reports.load(Ordering::Relaxed) >= 4);
}

#[test]
fn a_cancel_stops_the_handing_out() {
    for threads in [1, 4] {
        let progress = Progress::new();
        let begun = AtomicUsize::new(0);
        let outcome = run(threads, 1_000_000, Some(&progress), 1, &|_| {
            if begun.fetch_add(1, Ordering::Relaxed) == 10 {
                progress.cancel();
            }
        });
        assert_eq!(outcome, Err(Cancelled));
        assert!(begun.load(Ordering::Relaxed) < 1_000_000);
    }
}

#[test]
fn a_callback_may_cancel_even_in_its_last_report() {
    for at in [1, 20] {
        let slot: Arc<std::sync::OnceLock<Progress>> = Arc::default();
        let inner = Arc::clone(&slot);
        let progress = slot.get_or_init(|| {
            Progress::with_callback(move |done, _| {
                if done >= at
                    && let Some(progress) = inner.get()
                {
                    progress.cancel();
                }
            })
        });
        assert_eq!(run(2, 20, Some(progress), 1, &|_| {}), Err(Cancelled));
    }
}

#[test]
fn cancelled_before_it_began() {
    let progress = Progress::new();
    progress.cancel();
    let outcome = run(2, 5, Some(&progress), 1, &|_| panic!("work was begun"));
    assert_eq!(outcome, Err(Cancelled));
}

fn message(panic: &(dyn Any + Send)) -> String {
    panic.downcast_ref::<&str>().map_or_else(String::new, |text| (*text).to_owned())
}

#[test]
fn a_panic_in_the_work_reaches_the_caller() {
    for threads in [1, 4] {
        for bad in [0, 1, 77] {
            let begun = AtomicUsize::new(0);
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                run(threads, 1_000_000, None, 1, &|chunk| {
                    begun.fetch_add(1, Ordering::Relaxed);
                    assert!(chunk != bad, "no good");
                })
            }));
            assert_eq!(message(&*outcome.unwrap_err()), "no good");
            assert!(begun.load(Ordering::Relaxed) < 1_000_000, "others stopped");
        }
    }
    assert_eq!(count(4, 100), vec![1; 100], "the pool outlives it");
}

#[test]
fn a_panic_in_a_helper_reaches_the_caller() {
    if budget::default_threads() < 2 {
        return;
    }
    let caller = thread::current().id();
    let met = std::sync::Barrier::new(2);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        run(2, 2, None, 1, &|_| {
            met.wait();
            assert!(thread::current().id() == caller, "helper failed");
        })
    }));
    assert_eq!(message(&*outcome.unwrap_err()), "helper failed");
}

#[test]
fn a_panic_in_the_callback_reaches_the_caller_when_helpers_have_left() {
    let progress = Progress::with_callback(|_, _| panic!("callback failed"));
    let inside = AtomicUsize::new(0);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        run(4, 1000, Some(&progress), 1, &|_| {
            inside.fetch_add(1, Ordering::SeqCst);
            thread::sleep(Duration::from_micros(200));
            inside.fetch_sub(1, Ordering::SeqCst);
        })
    }));
    assert_eq!(message(&*outcome.unwrap_err()), "callback failed");
    assert_eq!(inside.load(Ordering::SeqCst), 0);
}

#[test]
fn work_may_run_work() {
    let sum = AtomicU64::new(0);
    run(4, 20, None, 1, &|_| {
        run(4, 20, None, 1, &|_| {
            run(4, 5, None, 1, &|chunk| {
                sum.fetch_add(chunk as u64, Ordering::Relaxed);
            })
            .unwrap();
        })
        .unwrap();
    })
    .unwrap();
    assert_eq!(sum.into_inner(), 20 * 20 * 10);
}

#[test]
fn eight_threads_at_once() {
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for chunks in 0..200 {
                    assert_eq!(count(1 + chunks % 5, chunks), vec![1; chunks]);
                }
            });
        }
    });
}

#[test]
fn nobody_waits_for_a_helper_that_works_for_another() {
    if budget::default_threads() < 2 {
        return;
    }
    // All helpers are kept busy by one call; another with nothing but its own thread gets done meanwhile.
    let helpers = budget::default_threads() - 1;
    let busy = std::sync::Barrier::new(helpers + 2);
    let release = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            run(helpers + 1, helpers + 1, None, 1, &|_| {
                busy.wait();
                let patience = Instant::now();
                while !release.load(Ordering::Relaxed) && patience.elapsed() < Duration::from_secs(20) {
                    thread::yield_now();
                }
                assert!(release.load(Ordering::Relaxed), "the other call waited");
            })
            .unwrap();
        });
        busy.wait();
        assert_eq!(count(4, 100), vec![1; 100]);
        release.store(true, Ordering::Relaxed);
    });
}

#[test]
#[cfg(unix)]
fn a_forked_child_works() {
    assert_eq!(count(4, 100), vec![1; 100], "the parent has a pool");
    // SAFETY: the child runs what is under test and leaves by `_exit`. It allocates, which the C library allows
    // after a fork.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork failed");
    if child == 0 {
        let good = catch_unwind(|| {
            assert_eq!(count(4, 1000), vec![1; 1000]);
            helpers_do_come();
        });
        // SAFETY: ends the child without running the parent's exit handlers.
        unsafe { libc::_exit(if good.is_ok() { 0 } else { 1 }) };
    }
    let patience = Instant::now();
    let mut status = 0;
    loop {
        // SAFETY: `child` is a child of this process, `status` is writable.
        let ended = unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) };
        if ended == child {
            break;
        }
        assert_eq!(ended, 0, "waitpid failed");
        if patience.elapsed() > Duration::from_secs(30) {
            // SAFETY: the child has not been waited for, so its number is still its own.
            unsafe { libc::kill(child, libc::SIGKILL) };
            panic!("the child hangs");
        }
        thread::sleep(Duration::from_millis(5));
    }
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "the child failed: {status:#x}");
    assert_eq!(count(4, 100), vec![1; 100], "and the parent goes on");
}

#[test]
#[cfg(target_os = "linux")]
fn helpers_leave_signals_to_the_host() {
    let caller = thread::current().id();
    run(2, 50, None, 1, &|_| {
        if thread::current().id() != caller {
            let mut blocked = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
            // SAFETY: with no new set the call only fills `blocked`.
            let blocked = unsafe {
                libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), blocked.as_mut_ptr());
                blocked.assume_init()
            };
            // SAFETY: the set is initialised, the numbers are valid.
            unsafe {
                assert_eq!(libc::sigismember(&raw const blocked, libc::SIGINT), 1);
                assert_eq!(libc::sigismember(&raw const blocked, libc::SIGBUS), 0);
            }
        }
        thread::sleep(Duration::from_micros(100));
    })
    .unwrap();
}

/// Helpers may run where they might before: what a caller takes away for the moment of waking is given back.
#[test]
fn helpers_are_not_kept_off_for_good() {
    if budget::default_threads() < 2 {
        return;
    }
    let caller = thread::current().id();
    let processors = || thread::available_parallelism().unwrap();
    let all = processors();
    let free = || {
        let met = std::sync::Barrier::new(2);
        let free = AtomicBool::new(false);
        run(2, 2, None, 1, &|_| {
            met.wait();
            if thread::current().id() != caller {
                free.store(processors() == all, Ordering::Relaxed);
            }
        })
        .unwrap();
        free.into_inner()
    };
    // Another test's call may be just about to wake the same helper.
    assert!((0..100).any(|_| free()));
}
