//! The operating system's files.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, IoSlice};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

use super::{OutputFile, Storage};
use crate::mapping::OutputMapping;

/// Pieces that one system call takes, at most: what Linux calls `UIO_MAXIOV`.
const MOST_PIECES: usize = 1024;
/// What is copied through memory at once where the system does not copy by itself.
const COPY_BYTES: usize = 1 << 20;

/// How often a call that signals interrupt is begun anew; it may take long, and signals may come regularly.
const ATTEMPTS: u32 = 4;

/// The operating system.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disk;

impl Storage for Disk {
    fn create_new(&self, path: &Path) -> io::Result<Arc<dyn OutputFile>> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        Ok(Arc::new(DiskFile(file)))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn OutputFile>> {
        // Without O_NONBLOCK, opening a named pipe would wait for somebody at its other end.
        let file = OpenOptions::new().read(true).write(true).custom_flags(libc::O_NONBLOCK).open(path)?;
        Ok(Arc::new(DiskFile(file)))
    }

    fn rename(&self, from: &Path, to: &Path, replace: bool) -> io::Result<()> {
        if replace { fs::rename(from, to) } else { rename_new(from, to) }
    }

    fn link(&self, file: &Path, name: &Path) -> io::Result<()> {
        fs::hard_link(file, name)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_directories(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).create(path)
    }

    fn flush_directory(&self, directory: &Path) -> io::Result<()> {
        File::open(directory)?.sync_all()
    }
}

/// The most bytes that the process may make a file long. A step beyond is not only refused: where the signal SIGXFSZ
/// is not ignored, it ends the process.
pub(crate) fn largest_file() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: a struct that is writable during the call.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) };
    limit.rlim_cur
}

#[derive(Debug)]
struct DiskFile(File);

impl OutputFile for DiskFile {
    fn file(&self) -> &File {
        &self.0
    }

    fn allows_helpers(&self) -> bool {
        true
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.0.write_all_at(bytes, offset)
    }

    fn write_pieces_at(&self, pieces: &[&[u8]], mut offset: u64) -> io::Result<()> {
        for pieces in pieces.chunks(MOST_PIECES) {
            let mut slices: Vec<IoSlice<'_>> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
            let mut slices = &mut slices[..];
            // Pieces of nothing would make a write of nothing look like a full disk.
            IoSlice::advance_slices(&mut slices, 0);
            while !slices.is_empty() {
                match pwritev(&self.0, slices, offset) {
                    Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                    Ok(n) => {
                        offset += n as u64;
                        IoSlice::advance_slices(&mut slices, n);
                    }
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    Err(e) => return Err(e),
                }
            }
        }
        Ok(())
    }

    fn copy_from(&self, source: &File, from: u64, offset: u64, len: u64) -> io::Result<()> {
        let mut done = copy_in_the_system(source, from, &self.0, offset, len)?;
        let mut buffer = vec![0; (len - done).min(COPY_BYTES as u64) as usize];
        while done < len {
            let part = &mut buffer[..(len - done).min(COPY_BYTES as u64) as usize];
            source.read_exact_at(part, from + done)?;
            self.0.write_all_at(part, offset + done)?;
            done += part.len() as u64;
        }
        Ok(())
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        match self.reserve(0, len)? {
            true => Ok(()),
            false => self.0.set_len(len),
        }
    }

    #[cfg(target_os = "linux")]
    fn reserve(&self, from: u64, to: u64) -> io::Result<bool> {
        let number = |n: u64| libc::off_t::try_from(n).map_err(|_| io::Error::from_raw_os_error(libc::EFBIG));
        let (offset, len) = (number(from)?, number(to)? - number(from)?);
        if len <= 0 {
            return Ok(true);
        }
        for _ in 0..ATTEMPTS {
            // SAFETY: a descriptor that is open, and numbers; no memory is involved.
            if unsafe { libc::fallocate(self.0.as_raw_fd(), 0, offset, len) } == 0 {
                return Ok(true);
            }
            let error = io::Error::last_os_error();
            match error.raw_os_error() {
                Some(libc::ENOSPC | libc::EDQUOT | libc::EFBIG | libc::EIO) => return Err(error),
                Some(libc::EINTR) => {}
                // Not offered by this file system.
                _ => return Ok(false),
            }
        }
        Ok(false)
    }

    #[cfg(not(target_os = "linux"))]
    fn reserve(&self, _from: u64, _to: u64) -> io::Result<bool> {
        Ok(false)
    }

    fn map(&self, len: u64) -> io::Result<Option<OutputMapping>> {
        if len == 0 || !self.reserve(0, len)? {
            return Ok(None);
        }
        // Where mappings are refused, the file is written.
        Ok(OutputMapping::new(&self.0, len).ok())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn set_mode(&self, mode: u32) -> io::Result<()> {
        self.0.set_permissions(Permissions::from_mode(mode))
    }

    fn start_write_back(&self, offset: u64, len: u64) {
        #[cfg(target_os = "linux")]
        // SAFETY: a descriptor that is open, and a range of numbers; no memory is involved. A refusal only means
        // that the flush takes longer.
        unsafe {
            libc::sync_file_range(
                self.0.as_raw_fd(),
                offset as libc::off64_t,
                len as libc::off64_t,
                libc::SYNC_FILE_RANGE_WRITE,
            );
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (offset, len);
    }

    fn write_back(&self) {
        #[cfg(target_os = "linux")]
        // SAFETY: a descriptor that is open, and a range of numbers; no memory is involved. All three flags together
        // are what makes the kernel write as for a flush.
        unsafe {
            libc::sync_file_range(
                self.0.as_raw_fd(),
                0,
                0,
                libc::SYNC_FILE_RANGE_WAIT_BEFORE
                    | libc::SYNC_FILE_RANGE_WRITE
                    | libc::SYNC_FILE_RANGE_WAIT_AFTER,
            );
        }
    }

    fn flush(&self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn flush_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }
}

fn pwritev(file: &File, slices: &[IoSlice<'_>], offset: u64) -> io::Result<usize> {
    let count = slices.len().min(MOST_PIECES) as libc::c_int;
    let offset = libc::off_t::try_from(offset).map_err(|_| io::Error::from_raw_os_error(libc::EFBIG))?;
    // SAFETY: an IoSlice is an iovec on Unix, and each lends its bytes for the call.
    let n = unsafe { libc::pwritev(file.as_raw_fd(), slices.as_ptr().cast(), count, offset) };
    usize::try_from(n).map_err(|_| io::Error::last_os_error())
}

/// Copies as much as the system does by itself; gives how much that was.
#[cfg(target_os = "linux")]
fn copy_in_the_system(source: &File, from: u64, target: &File, offset: u64, len: u64) -> io::Result<u64> {
    let number = |n: u64| libc::off64_t::try_from(n).map_err(|_| io::Error::from_raw_os_error(libc::EFBIG));
    let (mut from, mut offset) = (number(from)?, number(offset)?);
    let mut done = 0;
    while done < len {
        let wanted = usize::try_from(len - done).unwrap_or(usize::MAX);
        // SAFETY: two open descriptors and two numbers that outlive the call.
        let n = unsafe {
            libc::copy_file_range(source.as_raw_fd(), &mut from, target.as_raw_fd(), &mut offset, wanted, 0)
        };
        match n {
            1.. => done += n as u64,
            // The end of the source, or a file system that says nothing of why it does not.
            0 => return Ok(done),
            _ => match io::Error::last_os_error() {
                e if e.kind() == io::ErrorKind::Interrupted => {}
                e if matches!(
                    e.raw_os_error(),
                    Some(libc::ENOSPC | libc::EDQUOT | libc::EFBIG | libc::EIO)
                ) =>
                {
                    return Err(e);
                }
                // Not between these two, or not by this kernel.
                _ => return Ok(done),
            },
        }
    }
    Ok(done)
}

#[cfg(not(target_os = "linux"))]
fn copy_in_the_system(_: &File, _: u64, _: &File, _: u64, _: u64) -> io::Result<u64> {
    Ok(0)
}

/// Renames where the new name must not exist yet.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match rename_exclusive(from, to) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Err(e),
        Err(_) => {}
        Ok(()) => return Ok(()),
    }
    // Not offered by this file system or kernel; a hard link is as exclusive.
    match fs::hard_link(from, to) {
        Ok(()) => {
            // The second name is all that is left to remove.
            let _ = fs::remove_file(from);
            Ok(())
        }
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(e),
        // No hard links either (FAT): the best there is, with a window between look and rename.
        Err(_) if fs::symlink_metadata(to).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

#[cfg(target_os = "linux")]
fn rename_exclusive(from: &Path, to: &Path) -> io::Result<()> {
    use std::ffi::CString;

    let from = CString::new(from.as_os_str().as_bytes())?;
    let to = CString::new(to.as_os_str().as_bytes())?;
    // By number: the C library's own wrapper is younger than some systems this must load on.
    // SAFETY: renameat2 takes two directories, two NUL-terminated paths that outlive the call, and flags.
    let result = unsafe {
        libc::syscall(
            libc::SYS_renameat2,
            libc::AT_FDCWD,
            from.as_ptr(),
            libc::AT_FDCWD,
            to.as_ptr(),
            libc::RENAME_NOREPLACE,
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(not(target_os = "linux"))]
fn rename_exclusive(_from: &Path, _to: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
