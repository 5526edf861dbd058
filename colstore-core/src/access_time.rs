//! Reads that leave a file's access time alone: keeping it takes a tenth of the time of a short read.

use std::fs::File;
use std::os::fd::AsRawFd;

use libc::c_int;

/// While it lives, reads by a descriptor do not touch the access time of its file; for one that has been read already.
///
/// Without effect where there is no such thing, and on files of other users.
pub(crate) struct Unnoted<'a> {
    file: &'a File,
    /// The descriptor's flags before.
    flags: Option<c_int>,
}

impl Unnoted<'_> {
    pub(crate) fn new(file: &File) -> Unnoted<'_> {
        let before = flags(file);
        let changed = before >= 0 && NO_ACCESS_TIME != 0 && set_flags(file, before | NO_ACCESS_TIME);
        Unnoted { file, flags: changed.then_some(before) }
    }
}

impl Drop for Unnoted<'_> {
    fn drop(&mut self) {
        if let Some(flags) = self.flags {
            set_flags(self.file, flags);
        }
    }
}

fn flags(file: &File) -> c_int {
    // SAFETY: the descriptor is open as long as the file is borrowed.
    unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETFL) }
}

fn set_flags(file: &File, flags: c_int) -> bool {
    // SAFETY: as above.
    unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFL, flags) == 0 }
}

#[cfg(target_os = "linux")]
const NO_ACCESS_TIME: c_int = libc::O_NOATIME;
#[cfg(not(target_os = "linux"))]
const NO_ACCESS_TIME: c_int = 0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_as_before_when_it_ends() {
        let file = tempfile::tempfile().unwrap();
        let before = flags(&file);
        {
            let _unnoted = Unnoted::new(&file);
            assert_eq!(flags(&file), before | NO_ACCESS_TIME, "a file of our own");
        }
        assert_eq!(flags(&file), before);
    }

    #[test]
    fn nested_it_leaves_what_was() {
        let file = tempfile::tempfile().unwrap();
        let outer = Unnoted::new(&file);
        drop(Unnoted::new(&file));
        assert_eq!(flags(&file) & NO_ACCESS_TIME, NO_ACCESS_TIME);
        drop(outer);
        assert_eq!(flags(&file) & NO_ACCESS_TIME, 0);
    }
}
