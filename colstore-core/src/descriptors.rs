//! Which files keep their descriptor.
//!
//! A mapped file needs none to be read; with one, its size can be checked before a read, and its statistics be
//! fetched. So descriptors are kept while they are few, and given up oldest first when they are many: thousands
//! of files can be open under a limit of a few hundred descriptors.

use std::collections::VecDeque;
use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

/// The share of the process's descriptors that may be ours, and the bounds of it.
const SHARE: u64 = 4;
const FEWEST: u64 = 16;
const MOST: u64 = 1024;

/// A file that was opened for reading, and perhaps still is.
#[derive(Debug)]
pub(crate) struct Descriptor {
    file: RwLock<Option<File>>,
    /// Device and inode, by which a file of the same path is known to be the same.
    identity: (u64, u64),
}

impl Descriptor {
    /// Holds `file` open, and gives up the descriptor that was held longest if there are too many.
    pub(crate) fn new(file: File) -> std::io::Result<Arc<Descriptor>> {
        let metadata = file.metadata()?;
        let identity = (metadata.dev(), metadata.ino());
        let descriptor = Arc::new(Descriptor { file: RwLock::new(Some(file)), identity });
        Held::of_this_process().add(&descriptor);
        Ok(descriptor)
    }

    /// What `f` makes of the file, if it is still open.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&File) -> R) -> Option<R> {
        self.file.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(f)
    }

    pub(crate) fn is_held(&self) -> bool {
        self.with(|_| ()).is_some()
    }

    /// Whether `metadata` are those of the file.
    pub(crate) fn is_of(&self, metadata: &Metadata) -> bool {
        (metadata.dev(), metadata.ino()) == self.identity
    }

    /// What `f` makes of the file, opened anew from `path` if need be; `None` if it is gone or another by now.
    pub(crate) fn with_reopened<R>(&self, path: &Path, f: impl Fn(&File) -> R) -> Option<R> {
        if let Some(result) = self.with(&f) {
            return Some(result);
        }
        let file = File::open(path).ok()?;
        let metadata = file.metadata().ok()?;
        ((metadata.dev(), metadata.ino()) == self.identity).then(|| f(&file))
    }

    /// Device and inode.
    pub(crate) fn identity(&self) -> (u64, u64) {
        self.identity
    }

    fn give_up(&self) {
        self.file.write().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// The descriptors held by this process, oldest first.
struct Held {
    process: u32,
    descriptors: Mutex<VecDeque<Weak<Descriptor>>>,
}

impl Held {
    /// The list of this process: a child of `fork()` may find its parent's locked for good, and makes its own.
    fn of_this_process() -> &'static Held {
        static HELD: AtomicPtr<Held> = AtomicPtr::new(std::ptr::null_mut());
        let process = std::process::id();
        let current = HELD.load(Ordering::Acquire);
        // SAFETY: the pointer is null or to a list that was leaked below.
        if let Some(held) = unsafe { current.as_ref() }
            && held.process == process
        {
            return held;
        }
        let fresh = Box::into_raw(Box::new(Held { process, descriptors: Mutex::default() }));
        match HELD.compare_exchange(current, fresh, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: `fresh` is leaked, here and for good.
            Ok(_) => unsafe { &*fresh },
            Err(other) => {
                // SAFETY: nobody else has seen `fresh`.
                drop(unsafe { Box::from_raw(fresh) });
                // SAFETY: whoever was faster has leaked theirs.
                unsafe { &*other }
            }
        }
    }

    fn add(&self, descriptor: &Arc<Descriptor>) {
        let limit = limit();
        let mut given_up = Vec::new();
        let mut held = self.descriptors.lock().unwrap_or_else(PoisonError::into_inner);
        held.push_back(Arc::downgrade(descriptor));
        if held.len() > limit {
            held.retain(|descriptor| descriptor.strong_count() > 0);
        }
        while held.len() > limit {
            given_up.extend(held.pop_front());
        }
        drop(held);
        given_up.iter().filter_map(Weak::upgrade).for_each(|descriptor| descriptor.give_up());
    }
}

fn limit() -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the call fills the struct it is given, and nothing else.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } == 0;
    let descriptors = if known { limit.rlim_cur } else { 0 };
    (descriptors / SHARE).clamp(FEWEST, MOST) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_given_up_and_can_be_had_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, b"abc").unwrap();
        let many = limit() + 10;
        let all: Vec<_> = (0..many).map(|_| Descriptor::new(File::open(&path).unwrap()).unwrap()).collect();
        assert!(all[0].with(|_| ()).is_none());
        assert!(all[many - 1].with(|_| ()).is_some());
        assert!(all.iter().filter(|d| d.with(|_| ()).is_some()).count() <= limit());
        assert_eq!(all[0].with_reopened(&path, |file| file.metadata().unwrap().len()), Some(3));
        std::fs::remove_file(&path).unwrap();
        std::fs::write(dir.path().join("other"), b"abcd").unwrap();
        std::fs::rename(dir.path().join("other"), &path).unwrap();
        assert_eq!(all[0].with_reopened(&path, |_| ()), None);
    }
}
