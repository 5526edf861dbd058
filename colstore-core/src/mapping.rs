//! Mappings: of the committed bytes of a file to read them, of a new file to write it.
//!
//! Another process may change a mapped file at any time, so nothing in this crate ever forms a slice or a
//! reference over its bytes: callers get raw pointers and copy.

use std::fs::File;
use std::io;
use std::ptr::NonNull;

use memmap2::{MmapOptions, MmapRaw};

/// Bytes `0..len` of a file, mapped read-only and shared. Unmapped when dropped.
#[derive(Debug)]
pub(crate) struct Mapping {
    map: Option<MmapRaw>,
    len: usize,
}

impl Mapping {
    /// Maps the first `len` bytes of `file`, which the caller has seen to be that long.
    pub(crate) fn new(file: &File, len: u64) -> io::Result<Mapping> {
        let len = usize::try_from(len).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let map = match len {
            0 => None,
            _ => Some(MmapOptions::new().len(len).map_raw_read_only(file)?),
        };
        Ok(Mapping { map, len })
    }

    /// What is mapped, if that is anything.
    pub(crate) fn map(&self) -> Option<&MmapRaw> {
        self.map.as_ref()
    }

    /// Keeps the bytes in memory, if the process may lock that many.
    pub(crate) fn lock(&self) {
        if let Some(map) = &self.map {
            let _ = map.lock();
        }
    }

    /// The address of byte `offset`; `len` bytes from there on lie inside the mapping.
    ///
    /// # Panics
    ///
    /// When they do not: offsets come from the record index, which was checked against the file's size.
    pub(crate) fn at(&self, offset: u64, len: u64) -> *const u8 {
        let end = offset.checked_add(len);
        assert!(
            end.is_some_and(|end| end <= self.len as u64),
            "bytes {offset}+{len} lie outside the mapping"
        );
        match &self.map {
            // The assertion keeps `offset` within the mapping, so it fits a usize.
            Some(map) => map.as_ptr().wrapping_add(offset as usize),
            None => NonNull::dangling().as_ptr(),
        }
    }
}

/// Bytes `0..len` of a file that is being made, mapped to be written. Unmapped when dropped.
#[derive(Debug)]
pub(crate) struct OutputMapping {
    map: MmapRaw,
    len: usize,
}

impl OutputMapping {
    /// Maps the first `len` bytes of `file`, which must not be 0, and whose blocks the caller has set aside.
    pub(crate) fn new(file: &File, len: u64) -> io::Result<OutputMapping> {
        let len = usize::try_from(len).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        Ok(OutputMapping { map: MmapOptions::new().len(len).map_raw(file)?, len })
    }

    /// The address of byte `offset`; `len` bytes from there on lie inside the mapping.
    ///
    /// # Panics
    ///
    /// When they do not.
    pub(crate) fn at(&self, offset: u64, len: u64) -> *mut u8 {
        let end = offset.checked_add(len);
        assert!(
            end.is_some_and(|end| end <= self.len as u64),
            "bytes {offset}+{len} lie outside the mapping"
        );
        self.map.as_mut_ptr().wrapping_add(offset as usize)
    }
}
