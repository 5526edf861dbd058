//! A copy that the system refuses half way leaves the old file and no temporary one, however it is written.
//!
//! A program of its own: the limit on the size of files holds for the whole process.

mod common;

use std::fs;

use colstore_core::{
    CompactOptions, CopyOptions, ErrorKind, StoreMode, StoreOptions, Table, compact, config, copy_table,
    store,
};
use common::Model;

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
fn no_space_leaves_what_was_there_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let (many, one, out) = (dir.path().join("many"), dir.path().join("one"), dir.path().join("out"));
    fs::write(&many, Model::new(&["<f8", "|S3"], &[200_000, 300_000], 3).to_bytes()).unwrap();
    fs::write(&one, Model::new(&["<f8", "|S3"], &[500_000], 3).to_bytes()).unwrap();
    fs::write(&out, b"old").unwrap();
    let before = fs::read(&many).unwrap();
    let table = Table::open(&many).unwrap();
    let bytes = vec![1u8; 8 << 20];
    limit_file_size(LIMIT);
    for method in ["pwrite", "mmap"] {
        config::set("write_method", method).unwrap();
        for statistics in [false, true] {
            let copying = CopyOptions { mode: StoreMode::Recreate, statistics, ..CopyOptions::default() };
            let compacting = CompactOptions { statistics, ..CompactOptions::default() };
            let storing = StoreOptions { mode: StoreMode::Recreate, statistics, ..StoreOptions::default() };
            let column =
                colstore_core::ColumnData::from_slice("x".into(), "|u1".parse().unwrap(), &bytes).unwrap();
            for (what, result) in [
                ("copy", copy_table(&table, &out, &copying)),
                ("compact in place", compact(&many, None, &compacting)),
                ("compact", compact(&many, Some(&out), &compacting)),
                ("copy of a whole file", compact(&one, Some(&out), &compacting)),
                ("store", store(&out, &[column], &storing)),
            ] {
                let error = result.unwrap_err();
                assert_eq!(
                    (error.kind(), error.os_code()),
                    (ErrorKind::NoSpace, Some(libc::EFBIG)),
                    "{what}, {method}: {error}"
                );
            }
        }
    }
    assert_eq!(fs::read(&out).unwrap(), b"old");
    assert_eq!(fs::read(&many).unwrap(), before);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
}
