//! Reading one column of a 4 GB file takes the output and little more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use colstore_core::{ReadOptions, Table};
use colstore_tests::{SparseFile, resident_anonymous};

const COLUMNS: [(&str, &str); 8] = [
    ("a", "<f8"),
    ("b", "<f8"),
    ("c", "<i8"),
    ("d", "<f8"),
    ("e", "<f8"),
    ("f", "<u8"),
    ("g", "<f8"),
    ("h", "<f8"),
];
const N_ROWS: u64 = 64 << 20;
const MARGIN: u64 = 32 << 20;

/// The one test of this program: the figures are those of the whole process.
#[test]
fn one_column_of_4_gb_takes_the_output_and_32_mb() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("wide.cstore");
    let file = SparseFile::create(&path, &COLUMNS, N_ROWS);
    file.set(3, N_ROWS - 1, &7.5f64.to_le_bytes());

    let before = resident_anonymous().unwrap();
    let done = AtomicBool::new(false);
    let (peak, output) = thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = 0;
            while !done.load(Ordering::Relaxed) {
                peak = peak.max(resident_anonymous().unwrap());
                thread::sleep(Duration::from_millis(1));
            }
            peak.max(resident_anonymous().unwrap())
        });
        let table = Table::open(&path).unwrap();
        assert!(table.file_size() >= 4 << 30);
        let output = table.column_bytes(3, 0..N_ROWS, &ReadOptions::default()).unwrap();
        done.store(true, Ordering::Relaxed);
        (watch.join().unwrap(), output)
    });
    assert_eq!(output[output.len() - 8..], 7.5f64.to_le_bytes());
    let taken = peak - before;
    let size = output.len() as u64;
    assert!(taken >= size, "the output itself was not seen: {taken} of {size} bytes");
    assert!(taken <= size + MARGIN, "{taken} bytes at the peak for an output of {size}");
}
