//! Settings take effect, and never change what is read.

mod common;

use colstore_core::{
    Backend, ErrorKind, OpenOptions, ReadOptions, Reduction, Rows, Table, Writer, WriterMode, WriterOptions,
    config,
};
use common::Model;

/// One test, as settings are the process's.
#[test]
fn settings_take_effect_and_change_no_result() {
    let dir = tempfile::tempdir().unwrap();
    let n = 400_000u64;
    let model = Model::new(&["<f8", ">i4"], &[n / 2, n / 4, n / 4], 3);
    let path = dir.path().join("a.cstore");
    std::fs::write(&path, model.to_bytes()).unwrap();
    let bytes: Vec<u8> = (0..n).map(|row| u8::from(row % 50 == 7)).collect();
    let positions: Vec<u64> = (0..n).filter(|row| row % 50 == 7).collect();
    let backwards: Vec<u64> = (0..n).map(|row| row * 7919 % n).collect();
    let mut sums = Vec::new();
    let mut check = || {
        let table = Table::open(&path).unwrap();
        let options = ReadOptions::default();
        model.check_rows(&table, &Rows::mask(n, &bytes).unwrap(), &positions, &options);
        model.check_rows(&table, &Rows::indices(n, &backwards).unwrap(), &backwards, &options);
        sums.push(table.reduce(1, 0..n, Reduction::Std, 0.0, &options).unwrap());
        table
    };
    check();
    for (name, values) in [
        ("max_threads", &["1", "3", "auto"][..]),
        ("huge_pages", &["off", "auto"]),
        ("numa_policy", &["interleave", "local", "auto"]),
        ("mask_density_gate", &["0.5", "0", "inf", "auto"]),
        ("prefetch_distance", &["0", "1", "16384", "auto"]),
    ] {
        for value in values {
            config::set(name, value).unwrap();
            assert_eq!(config::get(name).unwrap(), *value);
            check();
        }
    }
    config::set("read_backend", "pread").unwrap();
    assert_eq!(check().view_column(0, 0..5).unwrap_err().kind(), ErrorKind::NotContiguous);
    let mut options = OpenOptions::default();
    options.backend = Some(Backend::Mmap);
    assert!(Table::open_with(&path, &options).unwrap().view_column(0, 0..5).is_ok());
    config::set("read_backend", "mmap").unwrap();
    assert!(check().view_column(0, 0..5).is_ok());
    assert!(sums.iter().all(|sum| *sum == sums[0]), "{sums:?}");
    assert!(config::names().all(|name| config::get(name).is_ok()));
}

/// The one setting that writers heed.
#[test]
fn writers_lock_as_the_policy_says() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("w.cstore");
    let options = WriterOptions::default();
    let first = Writer::open(&path, WriterMode::Create, &options).unwrap();
    assert!(first.is_locked());
    let second = || Writer::open(&path, WriterMode::Recreate, &options).map(|writer| writer.is_locked());
    assert_eq!(second().unwrap_err().kind(), ErrorKind::Locked);
    config::set("lock_policy", "off").unwrap();
    assert!(!second().unwrap());
    for policy in ["require", "auto"] {
        config::set("lock_policy", policy).unwrap();
        assert_eq!(second().unwrap_err().kind(), ErrorKind::Locked);
    }
}

/// A process of its own sees the settings in its environment.
#[test]
fn environment_variables_are_the_first_values() {
    const CHILD: &str = "COLSTORE_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        assert_eq!(config::get("max_threads").unwrap(), "3");
        assert_eq!(config::get("read_backend").unwrap(), "pread");
        assert_eq!(config::get("huge_pages").unwrap(), "auto");
        config::set("max_threads", "2").unwrap();
        assert_eq!(config::get("max_threads").unwrap(), "2");
        return;
    }
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "environment_variables_are_the_first_values"])
        .env(CHILD, "1")
        .env("COLSTORE_MAX_THREADS", " 3 ")
        .env("COLSTORE_READ_BACKEND", "pread")
        .env("COLSTORE_HUGE_PAGES", "never")
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
}
