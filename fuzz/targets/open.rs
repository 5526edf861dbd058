//! A file of hostile bytes, opened as a table and read in every way there is.
//!
//! All ways must agree: a column alone, all columns at once, as records, and borrowed from the mapping.

#![no_main]

use std::mem::MaybeUninit;
use std::path::PathBuf;
use std::sync::LazyLock;

use colstore_core::{ColumnOutput, ReadOptions, Table};
use colstore_fuzz::Capped;

#[global_allocator]
static ALLOCATOR: Capped = Capped::new(64 << 20);

/// The most bytes that are read from one input. A read's output is the caller's memory, not the reader's.
const MAX_BYTES: u64 = 1 << 20;

/// The file that every input is written to: in memory where the machine has such a directory.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let directory = if memory.is_dir() { memory } else { std::env::temp_dir() };
    directory.join(format!("colstore-fuzz-{}.cstore", std::process::id()))
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    colstore_fuzz::mutate(data, size, max_size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    std::fs::write(&*FILE, data).expect("the input can be written to a file");
    let _ = colstore_core::info(&*FILE);
    // Nothing maps the file any more when the next input is written over it.
    let _ = read_everything();
});

fn read_everything() -> colstore_core::Result<()> {
    let table = Table::open(&*FILE)?;
    let options = ReadOptions::default();
    let n_rows = table.n_rows();
    let row_size = table.schema().row_width();
    let rows = 0..n_rows.min(MAX_BYTES / row_size.max(1));
    let _ = table.statistics();
    assert_eq!(table.record_rows().sum::<u64>(), n_rows);

    let mut columns = Vec::new();
    for (index, column) in table.schema().columns().iter().enumerate() {
        let itemsize = column.dtype().itemsize();
        let bytes = table.column_bytes(index, rows.clone(), &options)?;
        assert_eq!(bytes.len() as u64, rows.end * itemsize as u64);
        // The middle third alone is the middle third of the whole.
        let part = rows.end / 3..rows.end - rows.end / 3;
        let middle = table.column_bytes(index, part.clone(), &options)?;
        assert_eq!(middle, bytes[part.start as usize * itemsize..part.end as usize * itemsize]);
        if let Ok(view) = table.view_column(index, rows.clone()) {
            assert_eq!(view.byte_len(), bytes.len());
            let mut copy = vec![0u8; bytes.len()];
            // SAFETY: the view lends `byte_len` readable bytes while it lives, and its length was compared with
            // that of `copy`, which nothing else refers to.
            unsafe { copy.as_mut_ptr().copy_from_nonoverlapping(view.as_ptr(), copy.len()) };
            assert_eq!(copy, bytes);
        }
        columns.push(bytes);
    }

    let mut outputs: Vec<Box<[MaybeUninit<u8>]>> =
        columns.iter().map(|bytes| Box::new_uninit_slice(bytes.len())).collect();
    let mut requests: Vec<ColumnOutput<'_>> =
        outputs.iter_mut().enumerate().map(|(column, out)| ColumnOutput { column, out }).collect();
    table.read_columns(&mut requests, rows.clone(), &options)?;
    for (output, bytes) in outputs.into_iter().zip(&columns) {
        // SAFETY: `read_columns` succeeded, so it has written every byte of every output.
        assert_eq!(*unsafe { output.assume_init() }, bytes[..]);
    }

    let all: Vec<usize> = (0..columns.len()).collect();
    let mut records = Box::new_uninit_slice((rows.end * row_size) as usize);
    table.read_records(&all, rows.clone(), &mut records, &options)?;
    // SAFETY: `read_records` succeeded, so it has written every byte of the output.
    let records = unsafe { records.assume_init() };
    let mut at = 0;
    for row in 0..if row_size == 0 { 0 } else { rows.end as usize } {
        for (bytes, column) in columns.iter().zip(table.schema().columns()) {
            let itemsize = column.dtype().itemsize();
            assert_eq!(records[at..at + itemsize], bytes[row * itemsize..(row + 1) * itemsize]);
            at += itemsize;
        }
    }
    Ok(())
}
