//! The table that benchmarks of whole reads use: five columns of 20 million rows, as colstore 0.5.1 is timed with.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use colstore_format::{Column, Counters, DType, Header, Manifest, RecordHeader, Schema};

/// Rows of the table.
pub const N_ROWS: u64 = 20_000_000;
/// Name and dtype of each column.
pub const COLUMNS: [(&str, &str); 5] =
    [("x", "<f8"), ("y", "<f8"), ("z", "<f4"), ("id", "<i8"), ("tag", "<i4")];

/// A file of the table, removed when dropped.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
}

impl TableFile {
    /// Writes the table as `n_records` records of equal size in the directory for temporary files.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(n_records: u64) -> io::Result<TableFile> {
        let path =
            std::env::temp_dir().join(format!("colstore-bench-{}-{n_records}.cstore", std::process::id()));
        let file = TableFile { path };
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&file.path)?);
        let schema = schema()?;
        let counters = Counters { n_records, committed_rows: N_ROWS, stats_offset: 0 };
        out.write_all(&Header::encode(&Manifest::new(schema.clone()), counters))?;
        let n_rows = N_ROWS / n_records;
        for index in 0..n_records {
            out.write_all(&RecordHeader { index, n_rows }.encode())?;
            let body = schema.body_size(n_rows).map_err(io::Error::other)?;
            for at in 0..body / 8 {
                out.write_all(&(index * body + at).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes())?;
            }
        }
        out.flush()?;
        Ok(file)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TableFile {
    fn drop(&mut self) {
        // A file that stays behind in the directory for temporary files does no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn schema() -> io::Result<Schema> {
    let columns: Result<Vec<Column>, _> = COLUMNS
        .iter()
        .map(|(name, dtype)| DType::parse(dtype).map(|dtype| Column::new(*name, dtype)))
        .collect();
    columns.and_then(Schema::new).map_err(io::Error::other)
}
