//! Reading a file's bytes through a descriptor, into memory that need not be initialised.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// The most bytes of one system call: what Linux reads at most, to a page.
const MOST: usize = 0x7fff_f000;

/// Reads the `len` bytes at `offset` of `file`.
///
/// # Errors
///
/// `UnexpectedEof` if the file ends before, and what the system has to say; `out` may then be partly written.
///
/// # Safety
///
/// `len` bytes at `out` must be writable by nobody else.
pub(crate) unsafe fn read_exact_at(file: &File, offset: u64, out: *mut u8, len: usize) -> io::Result<()> {
    let mut done = 0;
    while done < len {
        let at = offset.checked_add(done as u64).and_then(|at| libc::off64_t::try_from(at).ok());
        let at = at.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let n = (len - done).min(MOST);
        // SAFETY: `n` is at most what is left of the caller's memory behind `done` bytes; the descriptor is open.
        let read = unsafe { libc::pread64(file.as_raw_fd(), out.add(done).cast(), n, at) };
        match usize::try_from(read) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => done += read,
            Err(_) => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_reads_and_ends_of_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, b"abcdefgh").unwrap();
        let file = File::open(&path).unwrap();
        let mut out = [0u8; 4];
        // SAFETY: each read writes at most the four bytes.
        unsafe {
            read_exact_at(&file, 2, out.as_mut_ptr(), 4).unwrap();
            assert_eq!(&out, b"cdef");
            read_exact_at(&file, 100, out.as_mut_ptr(), 0).unwrap();
            let error = read_exact_at(&file, 6, out.as_mut_ptr(), 4).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            assert!(read_exact_at(&file, u64::MAX, out.as_mut_ptr(), 4).is_err());
        }
    }
}
