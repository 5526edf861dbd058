//! Copying 2 GB from two files to one takes little memory.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use colstore_core::{CopyOptions, OnMismatch, Table, concat, copy_table};
use colstore_tests::{SparseFile, resident_anonymous};

const COLUMNS: [(&str, &str); 3] = [("a", "<f8"), ("wide", "|S112"), ("b", "<i8")];
const N_ROWS: u64 = 8 << 20;
const MOST: u64 = 64 << 20;

/// The one test of this program: the figures are those of the whole process.
#[test]
fn two_gb_are_copied_in_64_mb() {
    let dir = tempfile::tempdir().unwrap();
    let tables: Vec<Table> = ["one.cstore", "two.cstore"]
        .iter()
        .map(|name| {
            let path = dir.path().join(name);
            SparseFile::create(&path, &COLUMNS, N_ROWS).set(2, N_ROWS - 1, &7i64.to_le_bytes());
            Table::open(path).unwrap()
        })
        .collect();
    let (both, _) = concat(&tables, OnMismatch::Strict).unwrap();
    assert!(both.file_size() >= 2 << 30);
    let out = dir.path().join("both.cstore");

    let before = resident_anonymous().unwrap();
    let done = AtomicBool::new(false);
    let peak = thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = 0;
            while !done.load(Ordering::Relaxed) {
                peak = peak.max(resident_anonymous().unwrap());
                thread::sleep(Duration::from_millis(1));
            }
            peak
        });
        copy_table(&both, &out, &CopyOptions { statistics: true, ..CopyOptions::default() }).unwrap();
        done.store(true, Ordering::Relaxed);
        watch.join().unwrap()
    });
    let taken = peak.saturating_sub(before);
    assert!(taken <= MOST, "{taken} bytes at the peak");

    let table = Table::open(&out).unwrap();
    assert_eq!((table.n_rows(), table.n_records()), (2 * N_ROWS, 1));
    let statistics = table.statistics().unwrap().columns();
    assert_eq!((&statistics[2].min[..], &statistics[2].max[..]), (&[0; 8][..], &7i64.to_le_bytes()[..]));
    // The last value lies at the end of the body, which needs no padding.
    let mut last = [0; 8];
    let end = table.schema().body_size(2 * N_ROWS).unwrap() + data_offset(&out) + 32;
    File::open(&out).unwrap().read_exact_at(&mut last, end - 8).unwrap();
    assert_eq!(last, 7i64.to_le_bytes());
}

fn data_offset(path: &std::path::Path) -> u64 {
    let mut len = [0; 8];
    File::open(path).unwrap().read_exact_at(&mut len, 72).unwrap();
    (80 + u64::from_le_bytes(len)).next_multiple_of(64)
}
