//! A file as another one, byte for byte.

use std::path::Path;
use std::sync::Arc;

use super::store::{StoreMode, StoreOptions};
use super::temp::TempFile;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::{Disk, Storage};
use crate::table::Table;

/// Bytes that are copied at once.
const CHUNK_BYTES: u64 = 2 << 20;

/// Copies the file of a table of one file with one little-endian record to `path`, its statistics included; gives false
/// and does nothing if the table is another.
///
/// The file comes into being as by [`copy_table`](super::copy_table()): as a whole or not at all, and flushed to the
/// disk with its name, whatever the options' durability. What lies in the source behind
/// what was committed is left out.
///
/// # Errors
///
/// As [`store`](super::store()), and [`Io`](ErrorKind::Io) if the source was cut short or is gone.
pub fn copy_file(table: &Table, path: impl AsRef<Path>, options: &StoreOptions<'_>) -> Result<bool> {
    let disk: Arc<dyn Storage> = Arc::new(Disk);
    copy_file_in(&disk, table, path.as_ref(), options)
}

/// As [`copy_file`], through any storage.
pub(crate) fn copy_file_in(
    storage: &Arc<dyn Storage>,
    table: &Table,
    path: &Path,
    options: &StoreOptions<'_>,
) -> Result<bool> {
    let [part] = table.parts() else { return Ok(false) };
    let file = &part.file;
    let swapped = table.schema().columns().iter().any(|column| column.dtype().needs_swap());
    if file.records().n_records() != 1 || swapped || options.statistics != file.statistics().is_some() {
        return Ok(false);
    }
    let len = file.committed_len();
    let replace = options.mode == StoreMode::Recreate;
    let temp = TempFile::new(storage, path, replace)?;
    let out = &**temp.file();
    out.allocate(len).map_err(|e| temp.write_error(&e))?;
    let mut buffer = vec![0; CHUNK_BYTES.min(len) as usize];
    for offset in (0..len).step_by(CHUNK_BYTES as usize) {
        if options.progress.is_some_and(crate::Progress::is_cancelled) {
            return Err(Error::new(ErrorKind::Cancelled, "the call was cancelled; nothing was written"));
        }
        let n = CHUNK_BYTES.min(len - offset) as usize;
        // SAFETY: the buffer has room for so many bytes, and is this call's.
        unsafe { file.fetch(offset, buffer.as_mut_ptr(), n)? };
        out.write_all_at(&buffer[..n], offset).map_err(|e| temp.write_error(&e))?;
        out.start_write_back(offset, n as u64);
    }
    temp.publish(replace, true)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ColumnData, store};

    #[test]
    fn the_copy_is_the_same_to_the_byte() {
        let directory = tempfile::tempdir().unwrap();
        let paths = ["a", "b"].map(|name| directory.path().join(name));
        let values = vec![7; 3_000_000];
        let column = ColumnData::from_slice("a".into(), "|u1".parse().unwrap(), &values).unwrap();
        for statistics in [false, true] {
            let options = StoreOptions { statistics, mode: StoreMode::Recreate, ..StoreOptions::default() };
            store(&paths[0], std::slice::from_ref(&column), &options).unwrap();
            let table = Table::open(&paths[0]).unwrap();
            assert!(copy_file(&table, &paths[1], &options).unwrap());
            assert!(std::fs::read(&paths[0]).unwrap() == std::fs::read(&paths[1]).unwrap());
            // Onto itself, too.
            assert!(copy_file(&table, &paths[0], &options).unwrap());
            assert!(std::fs::read(&paths[0]).unwrap() == std::fs::read(&paths[1]).unwrap());
            let other = StoreOptions { statistics: !statistics, ..options };
            assert!(!copy_file(&table, &paths[1], &other).unwrap());
        }
    }
}
