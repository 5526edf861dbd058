//! Any table into a file of one record.

use std::io;
use std::num::NonZeroUsize;
use std::slice;
use std::sync::Mutex;

use colstore_format::{Column, Counters, Header, Manifest, RecordHeader, Schema, Statistics};
use colstore_kernels::pool;
use colstore_kernels::reduce::min_max;

use super::StoreOptions;
use super::stage::Stages;
use super::store::{Extremes, WRITE_CHUNK, column_statistics, lock};
use super::temp::TempFile;
use crate::chunks::Chunks;
use crate::error::{Error, ErrorKind, Result};
use crate::number::number;
use crate::options::{ReadOptions, threads};
use crate::table::Table;

/// A column and its share of the chunks of all columns.
struct Run {
    column: usize,
    itemsize: usize,
    /// Where the column's values begin in the file.
    offset: u64,
    chunks: Chunks,
    first_chunk: usize,
}

/// A failure of reading, or of writing.
enum Failure {
    Read(Error),
    Write(io::Error),
}

/// Fills `temp` with the rows of `table` as one record, in bounded memory.
///
/// Heeds the statistics, threads and progress of `options`.
pub(super) fn write_table(table: &Table, temp: &TempFile, options: &StoreOptions<'_>) -> Result<()> {
    let schema = stored_schema(table.schema())?;
    let n_rows = table.n_rows();
    if options.statistics {
        Statistics::check_names(&schema)?;
    }
    let manifest = Manifest::new(schema.clone());
    let data_offset = Header::encode(&manifest, Counters::default()).len() as u64;
    let body_offset = data_offset + RecordHeader::LEN as u64;
    let end = body_offset
        .checked_add(schema.body_size(n_rows)?)
        .filter(|&end| i64::try_from(end).is_ok())
        .ok_or_else(|| Error::new(ErrorKind::NoSpace, "the file would be larger than 2^63 bytes"))?;
    let mut runs = Vec::with_capacity(schema.len());
    let mut n_chunks = 0;
    for (column, description) in schema.columns().iter().enumerate() {
        let itemsize = description.dtype().itemsize();
        let offset = body_offset + n_rows * schema.prefix_width(column);
        let chunks = Chunks::new(n_rows, itemsize as u64, WRITE_CHUNK, offset);
        runs.push(Run { column, itemsize, offset, chunks, first_chunk: n_chunks });
        n_chunks += chunks.len() as usize;
    }
    let file = &**temp.file();
    // Padding is not written: it reads as zeros.
    file.allocate(end).map_err(|e| temp.write_error(&e))?;
    let extremes: Vec<Extremes> =
        (0..if options.statistics { n_chunks } else { 0 }).map(|_| Mutex::new(None)).collect();
    let stages = Stages::default();
    let copy_chunk = |chunk: usize| -> std::result::Result<(), Failure> {
        let run = &runs[runs.partition_point(|run| run.first_chunk <= chunk) - 1];
        let rows = run.chunks.rows((chunk - run.first_chunk) as u64);
        if rows.is_empty() {
            return Ok(());
        }
        let n = (rows.end - rows.start) as usize;
        let len = n * run.itemsize;
        let offset = run.offset + rows.start * run.itemsize as u64;
        stages.with(|stage| {
            let room = stage.room(len, offset);
            // SAFETY: the stage has room for `len` bytes, which nobody else uses; they need no value yet.
            let output = unsafe { slice::from_raw_parts_mut(room.cast(), len) };
            let options = ReadOptions { max_threads: NonZeroUsize::new(1), progress: None };
            table.read_column(run.column, rows, output, &options).map_err(Failure::Read)?;
            if let (Some(slot), Some(number)) =
                (extremes.get(chunk), number(schema.columns()[run.column].dtype()))
            {
                // SAFETY: `n` values of this kind have just been read to there, packed and native.
                *lock(slot) = unsafe { min_max(number, room, n) };
            }
            // SAFETY: all `len` bytes have just been read to there.
            let bytes = unsafe { slice::from_raw_parts(room, len) };
            file.write_all_at(bytes, offset).map_err(Failure::Write)?;
            file.start_write_back(offset, len as u64);
            Ok(())
        })
    };
    let failure: Mutex<Option<Failure>> = Mutex::new(None);
    let n_threads = threads(options.max_threads, end - data_offset);
    pool::run(n_threads, n_chunks, options.progress, WRITE_CHUNK, &|chunk| {
        if lock(&failure).is_none()
            && let Err(e) = copy_chunk(chunk)
        {
            lock(&failure).get_or_insert(e);
        }
    })?;
    match lock(&failure).take() {
        Some(Failure::Read(e)) => return Err(e),
        Some(Failure::Write(e)) => return Err(temp.write_error(&e)),
        None => {}
    }
    let mut stats_offset = 0;
    if options.statistics {
        let columns = runs.iter().map(|run| {
            let chunks = &extremes[run.first_chunk..run.first_chunk + run.chunks.len() as usize];
            column_statistics(schema.columns()[run.column].dtype(), n_rows, chunks)
        });
        let footer = Statistics::new(&schema, 1, columns.collect())?.encode(&schema)?;
        file.write_all_at(&footer, end).map_err(|e| temp.write_error(&e))?;
        stats_offset = end as i64;
    }
    let mut head = Header::encode(&manifest, Counters { n_records: 1, committed_rows: n_rows, stats_offset });
    head.extend_from_slice(&RecordHeader { index: 0, n_rows }.encode());
    file.write_all_at(&head, 0).map_err(|e| temp.write_error(&e))
}

/// The columns as they are written: little-endian, spelt canonically.
pub(super) fn stored_schema(schema: &Schema) -> Result<Schema> {
    for column in schema.columns() {
        column.dtype().is_storable().map_err(|e| Error::from(e).with_column(column.name()))?;
    }
    let columns =
        schema.columns().iter().map(|c| Column::new(c.name().clone(), c.dtype().to_little())).collect();
    Ok(Schema::new(columns)?)
}
