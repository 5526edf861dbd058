//! A write that the system refuses half way leaves the old file and no temporary one.
//!
//! A program of its own: the limit on the size of files holds for the whole process.

use std::fs;

use colstore_core::{ColumnData, ErrorKind, StoreMode, StoreOptions, Table, store};

const LIMIT: u64 = 3 << 20;

fn limit_file_size(bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: without a handler of its own the signal would end the process; ignoring it makes the write fail
    // with EFBIG. setrlimit reads the struct it is given.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit), 0);
    }
}

#[test]
fn no_space_leaves_the_old_file_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let small = [5u8; 1000];
    let large = vec![6u8; 8 << 20];
    let column = |bytes| ColumnData::from_slice("x".into(), "|u1".parse().unwrap(), bytes).unwrap();
    store(&path, &[column(&small)], &StoreOptions::default()).unwrap();
    let before = fs::read(&path).unwrap();
    limit_file_size(LIMIT);
    for statistics in [false, true] {
        let options = StoreOptions { mode: StoreMode::Recreate, statistics, ..StoreOptions::default() };
        let error = store(&path, &[column(&large)], &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoSpace, "{error}");
        assert_eq!(error.os_code(), Some(libc::EFBIG));
        assert!(error.path().is_some_and(|p| p.ends_with("t.cstore")));
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    assert_eq!(Table::open(&path).unwrap().n_rows(), 1000);
}
