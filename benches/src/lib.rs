//! What several benchmarks share: memory in the states a reader meets it in, and files of tables.

pub mod table_file;

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::ptr;

/// Anonymous memory on huge pages where the system has them, as NumPy asks for its large arrays.
#[derive(Debug)]
pub struct Buffer {
    map: *mut u8,
    len: usize,
}

impl Buffer {
    /// `len` bytes that nobody has touched: the kernel zeroes each page at the first write to it.
    ///
    /// # Panics
    /// If there is no memory.
    #[must_use]
    pub fn fresh(len: usize) -> Buffer {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a mapping of its own, wherever the kernel likes; the advice is for exactly that mapping.
        let map = unsafe {
            let map =
                libc::mmap(ptr::null_mut(), len, access, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0);
            assert!(map != libc::MAP_FAILED, "no memory for {len} bytes");
            #[cfg(target_os = "linux")]
            libc::madvise(map, len, libc::MADV_HUGEPAGE);
            map
        };
        Buffer { map: map.cast(), len }
    }

    /// `len` bytes that are there, filled with what a counter hashes to.
    #[must_use]
    pub fn filled(len: usize) -> Buffer {
        let buffer = Buffer::fresh(len);
        for at in (0..len).step_by(8) {
            let value = (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes();
            // SAFETY: at most `len - at` bytes are written, at `at`.
            unsafe { value.as_ptr().copy_to_nonoverlapping(buffer.map.add(at), 8.min(len - at)) };
        }
        buffer
    }

    /// The first byte.
    #[must_use]
    pub fn as_ptr(&self) -> *const u8 {
        self.map
    }

    /// The first byte.
    #[must_use]
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.map
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the mapping is this buffer's own and nobody can use it from here on.
        unsafe { libc::munmap(self.map.cast(), self.len) };
    }
}

/// A file of `len` bytes, mapped to be read, its pages in memory and in the page table.
#[derive(Debug)]
pub struct MappedFile {
    map: *mut libc::c_void,
    len: usize,
}

impl MappedFile {
    /// Writes and maps a file without a name in the directory for temporary files.
    ///
    /// # Errors
    /// If the file cannot be written or mapped.
    pub fn filled(len: usize) -> io::Result<MappedFile> {
        let path = std::env::temp_dir().join(format!("colstore-bench-{}", std::process::id()));
        let content = Buffer::filled(len);
        let mut file = File::options().read(true).write(true).create_new(true).open(&path)?;
        std::fs::remove_file(&path)?;
        // SAFETY: the buffer has `len` bytes, and nobody writes to it.
        file.write_all(unsafe { std::slice::from_raw_parts(content.as_ptr(), len) })?;
        // SAFETY: a mapping of its own of a file that is open and `len` bytes long.
        let map = unsafe {
            libc::mmap(ptr::null_mut(), len, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0)
        };
        if map == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        for at in (0..len).step_by(4096) {
            // SAFETY: `at` is inside the mapping.
            unsafe { map.cast::<u8>().add(at).read_volatile() };
        }
        Ok(MappedFile { map, len })
    }

    /// The first byte.
    #[must_use]
    pub fn as_ptr(&self) -> *const u8 {
        self.map.cast_const().cast()
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own and nobody can use it from here on.
        unsafe { libc::munmap(self.map, self.len) };
    }
}
