//! A small reader of whole files over this crate, for its tests.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails here fails the test")]

use std::fs;
use std::path::{Path, PathBuf};

use colstore_format::{Header, Preamble, RecordHeader, RecordWalk, Result, Statistics};

/// Everything that a file says.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) header: Header,
    pub(crate) record_rows: Vec<u64>,
    /// The bytes of each column over all records, in little-endian order.
    pub(crate) columns: Vec<Vec<u8>>,
    pub(crate) statistics: Option<Statistics>,
    /// The committed end of the file.
    pub(crate) end: u64,
}

/// The folder of the golden files.
pub(crate) fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden")
}

pub(crate) fn load(path: impl AsRef<Path>) -> Vec<u8> {
    let path = golden().join(path);
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Reads a file that is held in memory.
pub(crate) fn read(file: &[u8]) -> Result<Contents> {
    let size = file.len() as u64;
    let slice = |start: u64, len: u64| {
        let start = usize::try_from(start).unwrap().min(file.len());
        let end = start.saturating_add(usize::try_from(len).unwrap()).min(file.len());
        &file[start..end]
    };
    let preamble = Preamble::parse(slice(0, Preamble::LEN as u64), size)?;
    let manifest = slice(Preamble::LEN as u64, preamble.manifest_len());
    let header = Header::parse(&preamble, manifest, size)?;

    let mut record_rows = Vec::new();
    let mut columns = vec![Vec::new(); header.schema().len()];
    let mut walk = RecordWalk::new(&header, size);
    while let Some(offset) = walk.next_offset() {
        let record = walk.push(slice(offset, RecordHeader::LEN as u64))?;
        assert_eq!(record.first_row, record_rows.iter().sum::<u64>());
        record_rows.push(record.n_rows);
        for (i, column) in header.schema().columns().iter().enumerate() {
            let start = record.body_offset + record.n_rows * header.schema().prefix_width(i);
            let len = record.n_rows * column.dtype().itemsize() as u64;
            let values = slice(start, len);
            assert_eq!(values.len() as u64, len);
            let word = column.dtype().word_size();
            if column.dtype().needs_swap() {
                columns[i].extend(values.chunks(word).flat_map(|word| word.iter().rev()));
            } else {
                columns[i].extend_from_slice(values);
            }
        }
    }
    let end = walk.finish()?;
    let counters = header.counters();
    let statistics = counters
        .statistics_offset(end)
        .and_then(|offset| Statistics::parse(slice(offset, size), header.schema(), counters.n_records));
    Ok(Contents { header, record_rows, columns, statistics, end })
}
