//! Sends a helper to another processor than the one of the caller that wakes it.
//!
//! ```text
//! caller, before it wakes a sleeping helper: affinity(helper) -= the caller's processor
//! helper, when it begins to work:            affinity(helper) += that processor     (or the caller, if it is late)
//! ```
//!
//! Linux wakes a thread where its waker runs if it takes no other processor for idle, and in a virtual machine an
//! idle processor whose host has put it to sleep does not count as one. The two threads then share a processor while
//! others stand still, and work of some milliseconds is over before the scheduler balances its load. The affinity
//! is narrowed only for the moment of waking, and never widened beyond what the helper was allowed. Where the
//! affinity cannot be read or set, the helper runs where the scheduler likes.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// Where one helper may run, seen from itself and from the callers that wake it.
#[derive(Debug)]
pub(crate) struct Place {
    /// The helper's thread id; 0 until it has begun.
    thread: AtomicI32,
    /// The processor taken off the helper's affinity, or [`NONE`], [`CHANGING`] or [`BEGUN`].
    avoided: AtomicI32,
    busy: AtomicBool,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place { thread: AtomicI32::new(0), avoided: AtomicI32::new(NONE), busy: AtomicBool::new(false) }
    }

    /// Called by the helper itself when its thread begins.
    pub(crate) fn settle(&self) {
        self.thread.store(affinity::this_thread(), Ordering::Release);
    }

    /// Called by a caller that is about to wake helpers: has the helper run elsewhere than on `processor`, if it
    /// sleeps. Returns whether it was worth asking: a busy helper will not come.
    pub(crate) fn keep_off(&self, processor: i32) -> bool {
        if self.busy.load(Ordering::Relaxed) {
            return false;
        }
        let thread = self.thread.load(Ordering::Acquire);
        // One caller at a time: whoever comes while a processor is avoided leaves it at that.
        let mine =
            || self.avoided.compare_exchange(NONE, CHANGING, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        if thread != 0 && mine() {
            // Either this sees that the helper has begun, or the helper sees that there is a change.
            if self.busy.load(Ordering::SeqCst) {
                self.avoided.store(NONE, Ordering::Release);
                return false;
            }
            let removed = affinity::remove(thread, processor);
            let avoided = if removed { processor } else { NONE };
            let late = self
                .avoided
                .compare_exchange(CHANGING, avoided, Ordering::Release, Ordering::Relaxed)
                .is_err();
            if late {
                if removed {
                    affinity::add(thread, processor);
                }
                self.avoided.store(NONE, Ordering::Release);
            }
        }
        true
    }

    /// Called by the helper itself when it begins to work; to be followed by [`rest`](Self::rest).
    pub(crate) fn work(&self) {
        self.busy.store(true, Ordering::SeqCst);
        // Only a caller that is changing it may get in between.
        let is_changing = self.avoided.compare_exchange(CHANGING, BEGUN, Ordering::SeqCst, Ordering::SeqCst);
        if let Err(processor @ 0..) = is_changing {
            affinity::add(0, processor);
            self.avoided.store(NONE, Ordering::Release);
        }
    }

    /// Called by the helper itself when its work is done.
    pub(crate) fn rest(&self) {
        self.busy.store(false, Ordering::Relaxed);
    }
}

const NONE: i32 = -1;
/// A caller is about to take a processor off.
const CHANGING: i32 = -2;
/// The helper has begun meanwhile: the caller gives the processor back.
const BEGUN: i32 = -3;

pub(crate) use affinity::this_processor;

#[cfg(target_os = "linux")]
mod affinity {
    /// The processor that this thread runs on; `None` if there is no telling, or no other.
    pub(crate) fn this_processor() -> Option<i32> {
        // SAFETY: takes nothing and touches no memory.
        let processor = unsafe { libc::sched_getcpu() };
        (0..libc::CPU_SETSIZE).contains(&processor).then_some(processor)
    }

    pub(super) fn this_thread() -> i32 {
        // SAFETY: takes nothing and touches no memory.
        unsafe { libc::gettid() }
    }

    /// Takes `processor` off what `thread` may run on. False if it was not allowed there, has no other, or may not
    /// be moved.
    pub(super) fn remove(thread: i32, processor: i32) -> bool {
        let Some(mut set) = of(thread) else { return false };
        let index = processor as usize;
        // SAFETY: the callers' processors are below the capacity of the set.
        unsafe {
            if !libc::CPU_ISSET(index, &set) || libc::CPU_COUNT(&set) < 2 {
                return false;
            }
            libc::CPU_CLR(index, &mut set);
        }
        set_of(thread, &set)
    }

    /// Lets `thread`, or this one if it is 0, run on `processor` again.
    pub(super) fn add(thread: i32, processor: i32) {
        if let Some(mut set) = of(thread) {
            // SAFETY: as in `remove`.
            unsafe { libc::CPU_SET(processor as usize, &mut set) };
            set_of(thread, &set);
        }
    }

    /// What `thread` may run on, by number.
    #[cfg(test)]
    pub(super) fn allowed(thread: i32) -> Vec<usize> {
        let set = of(thread).expect("fewer processors than a set has room for");
        // SAFETY: every number asked for is below the capacity of the set.
        (0..libc::CPU_SETSIZE as usize)
            .filter(|&processor| unsafe { libc::CPU_ISSET(processor, &set) })
            .collect()
    }

    fn of(thread: i32) -> Option<libc::cpu_set_t> {
        // SAFETY: all zeros is a valid set, the empty one.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: `set` is writable for the size passed. Fails where there are more processors than it has room for.
        let status = unsafe { libc::sched_getaffinity(thread, size_of::<libc::cpu_set_t>(), &raw mut set) };
        (status == 0).then_some(set)
    }

    fn set_of(thread: i32, set: &libc::cpu_set_t) -> bool {
        // SAFETY: `set` is readable for the size passed.
        unsafe { libc::sched_setaffinity(thread, size_of::<libc::cpu_set_t>(), std::ptr::from_ref(set)) == 0 }
    }
}

#[cfg(not(target_os = "linux"))]
mod affinity {
    pub(crate) fn this_processor() -> Option<i32> {
        None
    }

    pub(super) fn this_thread() -> i32 {
        0
    }

    pub(super) fn remove(_thread: i32, _processor: i32) -> bool {
        false
    }

    pub(super) fn add(_thread: i32, _processor: i32) {}
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::affinity::{allowed, remove};
    use super::*;
    use std::sync::mpsc;
    use std::sync::{Arc, Barrier};

    /// A thread with a place that begins and ends its work when told to; what it may run on, after each.
    struct Helper {
        place: Arc<Place>,
        tell: mpsc::Sender<()>,
        answers: mpsc::Receiver<Vec<usize>>,
    }

    impl Helper {
        fn new() -> Helper {
            let (tell, told) = mpsc::channel();
            let (answer, answers) = mpsc::channel();
            let place = Arc::new(Place::new());
            let own = Arc::clone(&place);
            std::thread::spawn(move || {
                own.settle();
                let answer = |processors| answer.send(processors).unwrap();
                answer(allowed(0));
                let mut works = false;
                while told.recv().is_ok() {
                    works = !works;
                    if works {
                        own.work();
                    } else {
                        own.rest();
                    }
                    answer(allowed(0));
                }
            });
            Helper { place, tell, answers }
        }

        fn next(&self) -> Vec<usize> {
            self.tell.send(()).unwrap();
            self.answers.recv().unwrap()
        }

        fn allowed(&self) -> Vec<usize> {
            allowed(self.place.thread.load(Ordering::Relaxed))
        }
    }

    fn without(processors: &[usize], one: usize) -> Vec<usize> {
        processors.iter().copied().filter(|&processor| processor != one).collect()
    }

    #[test]
    fn a_helper_avoids_a_processor_until_it_works() {
        let helper = Helper::new();
        let all = helper.answers.recv().unwrap();
        let Some(&[first, second]) = all.first_chunk() else { return };

        assert!(helper.place.keep_off(first as i32));
        assert_eq!(helper.allowed(), without(&all, first));
        assert!(helper.place.keep_off(second as i32), "one is avoided already");
        assert_eq!(helper.allowed(), without(&all, first));
        assert_eq!(helper.next(), all, "it works");
        assert!(!helper.place.keep_off(first as i32), "a busy helper is let alone");
        assert_eq!(helper.next(), all, "it rests");
        assert!(helper.place.keep_off(second as i32));
        assert_eq!(helper.allowed(), without(&all, second));
        assert_eq!(helper.next(), all, "it works again");
    }

    #[test]
    fn what_a_helper_may_not_do_is_not_given_to_it() {
        let helper = Helper::new();
        let all = helper.answers.recv().unwrap();
        let Some(&[first, second]) = all.first_chunk() else { return };
        let thread = helper.place.thread.load(Ordering::Relaxed);
        assert!(remove(thread, first as i32));

        let rest = without(&all, first);
        helper.place.keep_off(first as i32);
        assert_eq!(helper.next(), rest, "it was not allowed there before");
        helper.next();
        for &processor in &rest[1..] {
            assert!(remove(thread, processor as i32));
        }
        helper.place.keep_off(second as i32);
        assert_eq!(helper.allowed(), [second], "its only one");
    }

    #[test]
    fn a_place_before_its_thread_has_begun() {
        let place = Place::new();
        assert!(place.keep_off(0));
        place.work();
        place.rest();
    }

    #[test]
    fn callers_at_once_leave_the_helper_as_it_was() {
        let helper = Helper::new();
        let all = helper.answers.recv().unwrap();
        let start = Barrier::new(3);
        std::thread::scope(|scope| {
            for caller in 0..2 {
                let (helper, all, start) = (&helper.place, &all, &start);
                scope.spawn(move || {
                    start.wait();
                    for round in 0..2000 {
                        helper.keep_off(all[(caller + round) % all.len()] as i32);
                    }
                });
            }
            start.wait();
            for _ in 0..2000 {
                helper.next();
            }
        });
        assert_eq!(helper.next(), all, "it works");
        assert_eq!(helper.next(), all, "it rests");
    }
}
