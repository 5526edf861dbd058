//! Files of one record whose values are computed while they are written.
//!
//! ```text
//! rows      | chunk | chunk | … |        computed by the caller's function, all columns at once
//! file      column a: … | chunk | …   column b: … | chunk | …      each written to its place
//! ```
//!
//! The number of rows is known beforehand, so every place in the file is; memory is that of a chunk a thread.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use colstore_format::Schema;

use super::body::lock;
use super::copy_table::stored_schema;
use super::extremes::{self, Collected, Extremes};
use super::one_record::OneRecord;
use super::sink::Sink;
use super::store::{StoreMode, StoreOptions};
use super::temp::TempFile;
use crate::error::{Error, ErrorKind, Result};
use crate::options::ReadOptions;
use crate::read::run_chunks;
use crate::storage::{Disk, Storage};

/// Bytes of a chunk, all columns together: its columns stay in the second-level cache until they are written.
const CHUNK_BYTES: u64 = 1 << 20;

/// Bytes that one system call writes: the larger, the less the kernel has to do for each page.
const PIECE: usize = 512 << 10;

/// Bytes between two requests to bring what was written so far to the disk.
const WRITE_BACK: u64 = 16 << 20;

/// Rows of a chunk at least, so that what the caller does for each is worth it.
const LEAST_ROWS: u64 = 1024;

/// The values of a chunk of rows, to be given column by column.
#[derive(Debug)]
pub struct Generated<'a> {
    rows: Range<u64>,
    columns: &'a mut [Vec<u8>],
}

impl Generated<'_> {
    /// The rows of the chunk.
    pub fn rows(&self) -> Range<u64> {
        self.rows.clone()
    }

    /// Where the values of column `column` go, little-endian: as many bytes as the chunk's rows need, of any value yet.
    ///
    /// # Panics
    ///
    /// If there is no such column.
    pub fn column(&mut self, column: usize) -> &mut [u8] {
        &mut self.columns[column]
    }
}

/// Writes a file of one record with the columns of `schema` and `n_rows` rows, whose values `fill` computes: a chunk of
/// rows at a time, in no certain order, on several threads.
///
/// The file comes into being as by [`copy_table`](super::copy_table()): as a whole or not at all, and flushed to the
/// disk with its name, whatever the options' durability.
///
/// # Errors
///
/// As [`store`](super::store()), and the first failure of `fill`.
pub fn store_generated<E: From<Error> + Send>(
    path: impl AsRef<Path>,
    schema: &Schema,
    n_rows: u64,
    options: &StoreOptions<'_>,
    fill: &(dyn Fn(&mut Generated<'_>) -> std::result::Result<(), E> + Sync),
) -> std::result::Result<(), E> {
    let disk: Arc<dyn Storage> = Arc::new(Disk);
    store_generated_in(&disk, path.as_ref(), (schema, n_rows), options, fill)
}

/// As [`store_generated`], through any storage.
pub(crate) fn store_generated_in<E: From<Error> + Send>(
    storage: &Arc<dyn Storage>,
    path: &Path,
    (schema, n_rows): (&Schema, u64),
    options: &StoreOptions<'_>,
    fill: &(dyn Fn(&mut Generated<'_>) -> std::result::Result<(), E> + Sync),
) -> std::result::Result<(), E> {
    let plan = Plan::new(schema, n_rows, options)?;
    let replace = options.mode == StoreMode::Recreate;
    let temp = TempFile::new(storage, path, replace)?;
    plan.write(&temp, options, fill)?;
    Ok(temp.publish(replace, true)?)
}

struct Plan {
    record: OneRecord,
    chunk_rows: u64,
    n_chunks: usize,
}

impl Plan {
    fn new(schema: &Schema, n_rows: u64, options: &StoreOptions<'_>) -> Result<Plan> {
        if schema.is_empty() {
            let message = "empty column mapping: a file needs at least one column";
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let record = OneRecord::new(stored_schema(schema)?, n_rows, options.statistics)?;
        let row_size = schema.columns().iter().map(|column| column.dtype().itemsize() as u64).sum::<u64>();
        let chunk_rows = (CHUNK_BYTES / row_size.max(1)).max(LEAST_ROWS).next_multiple_of(LEAST_ROWS);
        let n_chunks = n_rows.div_ceil(chunk_rows) as usize;
        Ok(Plan { record, chunk_rows, n_chunks })
    }

    fn write<E: From<Error> + Send>(
        &self,
        temp: &TempFile,
        options: &StoreOptions<'_>,
        fill: &(dyn Fn(&mut Generated<'_>) -> std::result::Result<(), E> + Sync),
    ) -> std::result::Result<(), E> {
        // Padding is not written: it reads as zeros.
        let schema = self.record.schema();
        let sink = Sink::new(temp, self.record.end(), PIECE, false)?;
        let n_columns = schema.len();
        let n_slots = if self.record.has_statistics() { self.n_chunks * n_columns } else { 0 };
        // Those of one column side by side.
        let found: Vec<Mutex<Extremes>> = (0..n_slots).map(|_| Mutex::new(None)).collect();
        let buffers: Mutex<Vec<Vec<Vec<u8>>>> = Mutex::default();
        let written = AtomicU64::new(0);
        let run = ReadOptions { max_threads: options.max_threads, progress: options.progress };
        run_chunks::<E>(self.n_chunks, self.record.body_size(), &run, &|chunk| {
            let taken = lock(&buffers).pop();
            let mut columns = taken.unwrap_or_else(|| vec![Vec::new(); n_columns]);
            let first = chunk as u64 * self.chunk_rows;
            let rows = first..self.record.n_rows().min(first + self.chunk_rows);
            for (buffer, column) in columns.iter_mut().zip(schema.columns()) {
                buffer.resize((rows.end - rows.start) as usize * column.dtype().itemsize(), 0);
            }
            fill(&mut Generated { rows: rows.clone(), columns: &mut columns })?;
            for (j, bytes) in columns.iter().enumerate() {
                if let Some(slot) = found.get(j * self.n_chunks + chunk) {
                    *lock(slot) = extremes::extremes(schema.columns()[j].dtype(), bytes);
                }
                let itemsize = schema.columns()[j].dtype().itemsize() as u64;
                sink.write(self.record.column(j) + first * itemsize, bytes)?;
                let len = bytes.len() as u64;
                let before = written.fetch_add(len, Ordering::Relaxed);
                if (before + len) / WRITE_BACK > before / WRITE_BACK {
                    temp.file().start_write_back(0, self.record.end());
                }
            }
            lock(&buffers).push(columns);
            Ok(())
        })?;
        if self.record.has_statistics() {
            sink.write(self.record.end(), &self.footer(&found)?)?;
        }
        sink.write(0, &self.record.head())?;
        Ok(())
    }

    fn footer(&self, found: &[Mutex<Extremes>]) -> Result<Vec<u8>> {
        let mut statistics = Collected::new(self.record.schema(), 0, None);
        statistics.push(self.record.schema().columns().iter().enumerate().map(|(j, column)| {
            let chunks = &found[j * self.n_chunks..(j + 1) * self.n_chunks];
            extremes::merged(column.dtype(), chunks.iter().map(|chunk| *lock(chunk)))
        }));
        statistics.footer()
    }
}

#[cfg(test)]
mod tests {
    use colstore_format::Column;

    use super::*;
    use crate::{ColumnData, Table, store};

    #[test]
    fn the_file_is_that_of_store() {
        let directory = tempfile::tempdir().unwrap();
        let paths = ["a", "b"].map(|name| directory.path().join(name));
        for (n_rows, statistics) in [(0, true), (1, false), (1, true), (300_000, false), (300_000, true)] {
            let a: Vec<u8> = (0..n_rows).flat_map(|row: u64| (row as f64 / 7.0).to_le_bytes()).collect();
            let b: Vec<u8> = (0..n_rows).flat_map(|row| [row as u8, 9, 1]).collect();
            let options = StoreOptions { statistics, mode: StoreMode::Recreate, ..StoreOptions::default() };
            let columns = [
                ColumnData::from_slice("a".into(), "<f8".parse().unwrap(), &a).unwrap(),
                ColumnData::from_slice("b".into(), "|S3".parse().unwrap(), &b).unwrap(),
            ];
            store(&paths[0], &columns, &options).unwrap();
            let schema = Table::open(&paths[0]).unwrap().schema().clone();
            store_generated::<Error>(&paths[1], &schema, n_rows, &options, &|chunk| {
                let rows = chunk.rows();
                let bytes = |width: usize| rows.start as usize * width..rows.end as usize * width;
                chunk.column(0).copy_from_slice(&a[bytes(8)]);
                chunk.column(1).copy_from_slice(&b[bytes(3)]);
                Ok(())
            })
            .unwrap();
            assert!(std::fs::read(&paths[0]).unwrap() == std::fs::read(&paths[1]).unwrap(), "{n_rows}");
        }
    }

    #[test]
    fn a_failure_leaves_what_was_there() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        std::fs::write(&path, "as it was").unwrap();
        let schema = Schema::new(vec![Column::new("a", "<f8".parse().unwrap())]).unwrap();
        let options = StoreOptions { mode: StoreMode::Recreate, ..StoreOptions::default() };
        let error =
            store_generated::<Error>(&path, &schema, 1 << 20, &options, &|chunk| match chunk.rows().start {
                0 => Ok(()),
                _ => Err(Error::new(ErrorKind::Io, "as asked")),
            });
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Io);
        assert_eq!(std::fs::read(&path).unwrap(), b"as it was");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        let nothing = Schema::new(Vec::new());
        if let Ok(nothing) = nothing {
            let error = store_generated::<Error>(&path, &nothing, 0, &options, &|_| Ok(())).unwrap_err();
            assert!(error.message().contains("empty column mapping"));
        }
    }
}
