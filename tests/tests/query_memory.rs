//! Conditions, computed columns and reductions over a file of 8 GB take the output and little more, and the same result
//! on any number of threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use colstore_core::{ReadOptions, Reduction, Scalar, Table};
use colstore_frame::{Frame, Parameters, col, filter, parse};
use colstore_tests::{SparseFile, resident_anonymous};

const COLUMNS: [(&str, &str); 16] = [
    ("a", "<f8"),
    ("b", "<f8"),
    ("c", "<i8"),
    ("d", "<f8"),
    ("e", "<f8"),
    ("f", "<u8"),
    ("g", "<f8"),
    ("h", "<f8"),
    ("i", "<f8"),
    ("j", "<f8"),
    ("k", "<f8"),
    ("l", "<f8"),
    ("m", "<f8"),
    ("n", "<f8"),
    ("o", "<f8"),
    ("p", "<f8"),
];
const N_ROWS: u64 = 64 << 20;
const MARGIN: u64 = 64 << 20;
/// Rows that are not zero, in column `d`.
const ROWS: [u64; 4] = [0, 12_345_678, N_ROWS - 70_000, N_ROWS - 1];

/// What a query with its column, a cutflow and a reduction of all rows come to.
fn results(table: &Table, threads: usize) -> (Vec<u8>, usize, Scalar) {
    let options = ReadOptions { max_threads: NonZeroUsize::new(threads), progress: None };
    let condition = parse("d > 0 and a == 0", &Parameters::new()).unwrap();
    let found = filter(table, None, condition.expr(), Some(&condition), &options).unwrap().rows;
    assert_eq!(found.to_vec(0..found.len()), ROWS);
    let values = table.column_bytes(3, &found, &options).unwrap();

    let r = (col("a") * col("a") + col("d") * 3.0).sqrt();
    let frame = Frame::new(table).unwrap().assign(&[("r".into(), r)]).unwrap();
    let (sum, _) = frame.reduce(&col("r"), Reduction::Sum, 0.0, &options).unwrap();
    let cut = frame.filter(&col("r").ge(0.0), None, None).unwrap();
    assert_eq!(cut.count(&options).unwrap(), N_ROWS);
    (values, cut.cutflow(&options).unwrap().0.len(), sum)
}

/// The one test of this program: the figures are those of the whole process.
#[test]
fn queries_over_8_gb_take_the_output_and_64_mb() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("wide.cstore");
    let file = SparseFile::create(&path, &COLUMNS, N_ROWS);
    for row in ROWS {
        file.set(3, row, &(row as f64 + 1.0).to_le_bytes());
    }
    let before = resident_anonymous().unwrap();
    let done = AtomicBool::new(false);
    let peak = thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = 0;
            while !done.load(Ordering::Relaxed) {
                peak = peak.max(resident_anonymous().unwrap());
                thread::sleep(Duration::from_millis(1));
            }
            peak.max(resident_anonymous().unwrap())
        });
        let table = Table::open(&path).unwrap();
        assert!(table.file_size() >= 8 << 30);
        let (values, n_cuts, sum) = results(&table, 1);
        assert_eq!(
            values,
            ROWS.iter().flat_map(|&row| (row as f64 + 1.0).to_le_bytes()).collect::<Vec<u8>>()
        );
        assert_eq!(n_cuts, 1);
        for threads in [2, 3] {
            let (again, _, other) = results(&table, threads);
            assert_eq!(again, values);
            let bits = |scalar| if let Scalar::Float(value) = scalar { value.to_bits() } else { 0 };
            assert_eq!(bits(other), bits(sum));
        }
        done.store(true, Ordering::Relaxed);
        watch.join().unwrap()
    });
    let taken = peak - before;
    assert!(taken <= MARGIN, "{taken} bytes at the peak");
}
