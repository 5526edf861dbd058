//! Large tables become shards in bounded memory: files end to end, and a batch that is a shard by itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use colstore_core::{
    AppendOptions, Appender, AppenderOptions, OnMismatch, ShardSize, Table, append_table, concat,
};
use colstore_tests::{SparseFile, resident_anonymous};

/// 128 MB a file.
const N_ROWS: u64 = 8 << 20;
const MARGIN: u64 = 40 << 20;

/// The one test of this program: the figures are those of the whole process.
#[test]
fn two_files_of_128_mb_become_a_shard_in_40_mb() {
    let dir = tempfile::tempdir().unwrap();
    let tables = ["a", "b"].map(|name| {
        let path = dir.path().join(name);
        let file = SparseFile::create(&path, &[("x", "<f8"), ("y", "<i8")], N_ROWS);
        file.set(1, N_ROWS - 1, &7i64.to_le_bytes());
        Table::open(&path).unwrap()
    });
    let (both, _) = concat(&tables, OnMismatch::Strict).unwrap();
    let shards = dir.path().join("shards");
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
        for statistics in [false, true] {
            let options = AppendOptions { statistics, ..AppendOptions::default() };
            append_table(&shards, &both, &options).unwrap();
        }
        let options = AppenderOptions { shard_size: ShardSize::Rows(N_ROWS), ..AppenderOptions::default() };
        let mut appender = Appender::open(&shards, &options).unwrap();
        appender.write_table(&both).unwrap();
        assert_eq!((appender.n_shards(), appender.pending_rows()), (1, 0));
        done.store(true, Ordering::Relaxed);
        watch.join().unwrap()
    });
    let taken = peak.saturating_sub(before);
    assert!(taken <= MARGIN, "{taken} bytes at the peak");
    for i in 0..3 {
        let table = Table::open(shards.join(format!("shard_{i:05}.cstore"))).unwrap();
        assert_eq!((table.n_rows(), table.n_records()), (2 * N_ROWS, 1));
        for row in [N_ROWS - 1, 2 * N_ROWS - 1] {
            let bytes = table.column_bytes(1, row..row + 1, &Default::default()).unwrap();
            assert_eq!(bytes, 7i64.to_le_bytes());
        }
    }
}
