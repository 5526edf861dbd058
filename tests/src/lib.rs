//! What several integration tests share: test data, sparse files, memory figures.

#![expect(clippy::expect_used, reason = "helpers of tests")]

pub mod libcolstore;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use colstore_format::{Column, Counters, Header, Manifest, RecordHeader, Schema};

/// The golden files, committed beside the tests.
pub fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/golden")
}

/// A file of one record whose values are all zero and take no space on the disk, to be given values where a
/// test wants them.
#[derive(Debug)]
pub struct SparseFile {
    file: File,
    schema: Schema,
    n_rows: u64,
    body_offset: u64,
}

impl SparseFile {
    /// Creates the file at `path`.
    ///
    /// # Panics
    ///
    /// When that fails.
    pub fn create(path: &Path, columns: &[(&str, &str)], n_rows: u64) -> SparseFile {
        let columns =
            columns.iter().map(|&(name, dtype)| Column::new(name, dtype.parse().expect("a dtype"))).collect();
        let schema = Schema::new(columns).expect("a schema");
        let counters = Counters { n_records: 1, committed_rows: n_rows, stats_offset: 0 };
        let mut head = Header::encode(&Manifest::new(schema.clone()), counters);
        head.extend_from_slice(&RecordHeader { index: 0, n_rows }.encode());
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(path)
            .expect("a file can be created");
        file.write_all_at(&head, 0).expect("the header can be written");
        let body_offset = head.len() as u64;
        let body_size = schema.body_size(n_rows).expect("a size");
        file.set_len(body_offset + body_size).expect("the file system takes sparse files of that size");
        SparseFile { file, schema, n_rows, body_offset }
    }

    /// Sets the value of `column` in `row`.
    ///
    /// # Panics
    ///
    /// When that fails.
    pub fn set(&self, column: usize, row: u64, value: &[u8]) {
        let itemsize = self.schema.columns()[column].dtype().itemsize() as u64;
        assert_eq!(value.len() as u64, itemsize);
        assert!(row < self.n_rows);
        let offset = self.body_offset + self.n_rows * self.schema.prefix_width(column) + row * itemsize;
        self.file.write_all_at(value, offset).expect("the value can be written");
    }
}

/// Resident anonymous memory of this process, in bytes.
///
/// # Errors
///
/// When `/proc/self/status` cannot be read or has no such line.
pub fn resident_anonymous() -> io::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"))
        .and_then(|rest| rest.trim().strip_suffix(" kB"))
        .and_then(|kilobytes| kilobytes.parse::<u64>().ok())
        .map(|kilobytes| kilobytes << 10)
        .ok_or_else(|| io::Error::other("no RssAnon line in /proc/self/status"))
}
