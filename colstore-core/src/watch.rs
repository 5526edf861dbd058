//! Whether one of many files has been written to, asked of the system at once.
//!
//! Before a mapped file is read its size is looked at, as to touch what was cut off is a signal. That is a call for every
//! file: more than 200 µs for a thousand files, where a hundred rows of them are read in 5. Linux tells what happens to
//! files (inotify), and has done so before a call that cuts one returns:
//!
//! ```text
//! after some reads:  watch every file; look at the size of every file
//! each read:         is there an event?  ── no ──► none has been cut since
//!                                        └─ yes ─► stop watching, and look at sizes again, from now on
//! ```
//!
//! Events are never fetched, only counted, and what counts is whether there is one. So threads and the processes of a
//! `fork()` can share a queue: none takes a message that was meant for all. Nothing in here waits for a lock, which
//! somebody else may have held when the process was forked.
//!
//! Files of other machines may be cut without the system's knowing, so only file systems of this one are watched.

use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(not(target_os = "linux"))]
pub(crate) use none::Queue;
#[cfg(target_os = "linux")]
pub(crate) use queue::Queue;

/// So few files are looked at in the time that it takes to ask for events.
pub(crate) const FEWEST_FILES: usize = 3;

/// Files are watched when each has been looked at so often, on average: to begin and to end that takes as long.
const LOOKS: u64 = 32;

/// What a table knows of its files.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// At files, one by one.
    looks: AtomicU64,
    state: RwLock<State>,
}

#[derive(Debug, Default)]
enum State {
    /// It does not pay yet.
    #[default]
    Early,
    Watched(Queue),
    /// They cannot be watched, or one has been written to.
    Over,
}

impl Watch {
    /// Whether none of `total` files has been written to since all of them were found to have their size; else `n_files` of
    /// them are about to be looked at. `watch` watches all files, as far as their descriptors are held, and `look` finds out
    /// whether all have their size.
    pub(crate) fn is_quiet(
        &self,
        n_files: usize,
        total: usize,
        watch: impl FnOnce(&Queue) -> bool,
        look: impl FnOnce() -> bool,
    ) -> bool {
        let Ok(state) = self.state.try_read() else { return false };
        match &*state {
            State::Watched(queue) if queue.is_empty() => return true,
            State::Early if !self.pays(n_files as u64, total as u64) => return false,
            State::Over => return false,
            State::Watched(_) | State::Early => {}
        }
        let is_early = matches!(&*state, State::Early);
        drop(state);
        let begin = || {
            let queue = Queue::new()?;
            // In this order: what is cut after the look is an event.
            (watch(&queue) && look()).then_some(queue)
        };
        let next = if is_early { begin().map_or(State::Over, State::Watched) } else { State::Over };
        if let Ok(mut state) = self.state.try_write() {
            *state = next;
        }
        false
    }

    /// Whether so many looks more are enough; again after as many, should another thread have been in the way.
    fn pays(&self, n_files: u64, total: u64) -> bool {
        let enough = LOOKS * total;
        let before = self.looks.fetch_add(n_files, Ordering::Relaxed);
        before / enough != (before + n_files) / enough
    }
}

#[cfg(target_os = "linux")]
mod queue {
    use std::ffi::CString;
    use std::fs::File;
    use std::mem::{self, ManuallyDrop};
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
    use std::thread;

    /// Events of files, which are counted and never fetched.
    #[derive(Debug)]
    pub(crate) struct Queue(ManuallyDrop<OwnedFd>);

    impl Queue {
        /// `None` if there are too many already.
        pub(super) fn new() -> Option<Queue> {
            // SAFETY: a call without pointers.
            let fd = unsafe { libc::inotify_init1(libc::IN_NONBLOCK | libc::IN_CLOEXEC) };
            // SAFETY: the descriptor is new, and nobody else's.
            (fd >= 0).then(|| Queue(ManuallyDrop::new(unsafe { OwnedFd::from_raw_fd(fd) })))
        }

        /// Watches `file`, whatever its name is by now; whether that can be done.
        pub(crate) fn watch(&self, file: &File) -> bool {
            let path = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd()));
            // SAFETY: the path is a string that ends, and outlives the call.
            let watches = |path: &CString| unsafe {
                libc::inotify_add_watch(self.0.as_raw_fd(), path.as_ptr(), libc::IN_MODIFY) >= 0
            };
            is_local(file) && path.is_ok_and(|path| watches(&path))
        }

        pub(super) fn is_empty(&self) -> bool {
            let mut bytes: libc::c_int = 0;
            // SAFETY: the call writes an int to where it is told.
            let done = unsafe { libc::ioctl(self.0.as_raw_fd(), libc::FIONREAD, &raw mut bytes) };
            done == 0 && bytes == 0
        }
    }

    impl Drop for Queue {
        fn drop(&mut self) {
            // SAFETY: nobody uses the field afterwards.
            let fd = unsafe { ManuallyDrop::take(&mut self.0) };
            // The system takes some 10 ms to close one, which are nobody's to wait for. If there is no thread to be had, it
            // is closed here, with the closure that has it.
            let _ = thread::Builder::new().name("colstore-close".into()).spawn(move || drop(fd));
        }
    }

    /// Whether only this machine's kernel can change the file.
    fn is_local(file: &File) -> bool {
        /// ext2 to 4, XFS, Btrfs, F2FS, and what is in memory.
        const LOCAL: [u32; 5] = [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x0102_1994];
        // SAFETY: a struct of integers.
        let mut of = unsafe { mem::zeroed::<libc::statfs>() };
        // SAFETY: the descriptor is open as long as the file is borrowed, and the call fills the struct it is given.
        let known = unsafe { libc::fstatfs(file.as_raw_fd(), &raw mut of) } == 0;
        // The number is as wide as a long, of which 32 bits are meant.
        known && LOCAL.contains(&(of.f_type as u32))
    }
}

#[cfg(not(target_os = "linux"))]
mod none {
    use std::fs::File;

    /// There is none.
    #[derive(Debug)]
    pub(crate) enum Queue {}

    impl Queue {
        pub(super) fn new() -> Option<Queue> {
            None
        }

        pub(crate) fn watch(&self, _: &File) -> bool {
            match *self {}
        }

        pub(super) fn is_empty(&self) -> bool {
            match *self {}
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used, reason = "helpers of tests")]
mod tests {
    use std::cell::Cell;
    use std::fs::{self, File, OpenOptions};
    use std::io::Write as _;
    use std::path::{Path, PathBuf};

    use super::*;

    /// A watch of some files in a folder that is watched, and how often their sizes were looked at.
    struct Folder {
        dir: tempfile::TempDir,
        files: Vec<(PathBuf, File)>,
        watch: Watch,
        looks: Cell<u32>,
    }

    impl Folder {
        fn new() -> Folder {
            let dir = tempfile::tempdir().unwrap();
            let files = (0..5).map(|i| {
                let path = dir.path().join(format!("{i}"));
                fs::write(&path, [0; 100]).unwrap();
                (path.clone(), File::open(path).unwrap())
            });
            Folder { files: files.collect(), dir, watch: Watch::default(), looks: Cell::new(0) }
        }

        fn is_quiet(&self) -> bool {
            let look = || {
                self.looks.set(self.looks.get() + 1);
                self.files.iter().all(|(_, file)| file.metadata().unwrap().len() == 100)
            };
            self.watch.is_quiet(5, 5, |queue| self.files.iter().all(|(_, file)| queue.watch(file)), look)
        }

        /// As often as it takes for a watch to begin.
        fn settle(&self) {
            assert!((0..LOOKS).all(|_| !self.is_quiet()));
        }
    }

    #[test]
    fn files_are_quiet_until_one_is_written_to() {
        let cut = |path: &Path| OpenOptions::new().write(true).open(path).unwrap().set_len(10).unwrap();
        let empty = |path: &Path| drop(OpenOptions::new().write(true).truncate(true).open(path).unwrap());
        let write =
            |path: &Path| OpenOptions::new().append(true).open(path).unwrap().write_all(b"x").unwrap();
        for change in [&cut as &dyn Fn(&Path), &empty, &write] {
            for at in [0, 4] {
                let folder = Folder::new();
                folder.settle();
                assert!((0..100).all(|_| folder.is_quiet()));
                assert_eq!(folder.looks.get(), 1);
                change(&folder.files[at].0);
                assert!((0..100).all(|_| !folder.is_quiet()), "for good");
                assert_eq!(folder.looks.get(), 1);
            }
        }
    }

    #[test]
    fn names_and_readers_are_no_writing() {
        let folder = Folder::new();
        let (first, second) = (&folder.files[0].0, &folder.files[1].0);
        let moved = folder.dir.path().join("moved");
        fs::rename(first, &moved).unwrap();
        folder.settle();
        assert_eq!(fs::read(second).unwrap().len(), 100);
        fs::rename(&moved, second).unwrap();
        fs::write(first, b"another file").unwrap();
        fs::remove_file(&folder.files[2].0).unwrap();
        assert!(folder.is_quiet());
        // What was renamed is still watched.
        fs::write(second, b"").unwrap();
        assert!(!folder.is_quiet());
    }

    #[test]
    fn files_that_are_short_already_are_not_watched() {
        let folder = Folder::new();
        fs::write(&folder.files[3].0, b"short").unwrap();
        folder.settle();
        assert!((0..100).all(|_| !folder.is_quiet()));
        assert_eq!(folder.looks.get(), 1);
    }

    #[test]
    fn what_cannot_be_watched_is_not_quiet() {
        let file = File::open("/proc/self/status").unwrap();
        let watch = Watch::default();
        assert!((0..3 * LOOKS).all(|_| !watch.is_quiet(1, 1, |queue| queue.watch(&file), || true)));
    }

    #[test]
    fn threads_may_ask_at_once() {
        let folder = Folder::new();
        let (files, watch) = (&folder.files, &folder.watch);
        let ask = || watch.is_quiet(5, 5, |queue| files.iter().all(|(_, file)| queue.watch(file)), || true);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..20_000).for_each(|_| _ = ask()));
            }
        });
        assert!((0..2 * LOOKS).any(|_| ask()));
        fs::write(&files[2].0, b"").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!((0..1000).all(|_| !ask())));
            }
        });
    }
}
