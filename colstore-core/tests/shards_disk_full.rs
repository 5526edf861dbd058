//! A shard that the system refuses half way leaves no file, and the rows in memory.
//!
//! A program of its own: the limit on the size of files holds for the whole process.

use std::fs;

use colstore_core::{
    AppendOptions, Appender, AppenderOptions, ColumnData, ErrorKind, ShardSize, StoreOptions, Table, append,
    append_table, store,
};

const LIMIT: u64 = 3 << 20;

fn limit_file_size(bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: without a handler of its own the signal would end the process; ignoring it makes the write fail with
    // EFBIG. setrlimit reads the struct it is given.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit), 0);
    }
}

#[test]
fn no_space_leaves_no_file_and_the_rows() {
    let dir = tempfile::tempdir().unwrap();
    let shards = dir.path().join("shards");
    let large = vec![6u8; 8 << 20];
    let column = |bytes| ColumnData::from_slice("x".into(), "|u1".parse().unwrap(), bytes).unwrap();
    let source = dir.path().join("source.cstore");
    store(&source, &[column(&large)], &StoreOptions::default()).unwrap();
    let source = Table::open(&source).unwrap();
    let options = AppenderOptions { shard_size: ShardSize::Rows(8 << 20), ..AppenderOptions::default() };
    limit_file_size(LIMIT);
    for statistics in [false, true] {
        let options = AppendOptions { statistics, ..AppendOptions::default() };
        for error in [
            append(&shards, &[column(&large)], &options).unwrap_err(),
            append_table(&shards, &source, &options).unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.os_code()), (ErrorKind::NoSpace, Some(libc::EFBIG)), "{error}");
        }
    }
    let mut appender = Appender::open(&shards, &options).unwrap();
    appender.write(&[column(&large[..7 << 20])]).unwrap();
    assert_eq!(appender.flush().unwrap_err().kind(), ErrorKind::NoSpace);
    assert_eq!(appender.write(&[column(&large)]).unwrap_err().kind(), ErrorKind::NoSpace);
    assert_eq!(appender.pending_rows(), 7 << 20);
    assert_eq!(fs::read_dir(&shards).unwrap().count(), 1);
    limit_file_size(libc::RLIM_INFINITY);
    let path = appender.close().unwrap().unwrap();
    assert_eq!(Table::open(path).unwrap().n_rows(), 7 << 20);
    assert_eq!(fs::read_dir(&shards).unwrap().count(), 2);
}
