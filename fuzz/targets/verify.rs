//! A file of hostile bytes, checked, inspected and recovered.
//!
//! All must agree with opening it: what opens is committed as the counters say, what does not is never called sound,
//! and what was recovered opens and holds all whole records.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use colstore_core::{
    CountersState, ErrorKind, RecoverOptions, Table, VerifyOptions, inspect, recover, verify,
};
use colstore_fuzz::Capped;

#[global_allocator]
static ALLOCATOR: Capped = Capped::new(64 << 20);

/// In memory where the machine has such a directory.
static DIRECTORY: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    if memory.is_dir() { memory } else { std::env::temp_dir() }
});

/// The file that every input is written to, and the one that is recovered from it.
static FILE: LazyLock<PathBuf> =
    LazyLock::new(|| DIRECTORY.join(format!("colstore-fuzz-verify-{}.cstore", std::process::id())));
static OUT: LazyLock<PathBuf> =
    LazyLock::new(|| DIRECTORY.join(format!("colstore-fuzz-recovered-{}.cstore", std::process::id())));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    colstore_fuzz::mutate(data, size, max_size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    std::fs::write(&*FILE, data).expect("the input can be written to a file");
    let opened = Table::open(&*FILE).map(|table| (table.record_rows().count() as u64, table.n_rows()));

    for deep in [false, true] {
        let options = VerifyOptions { deep, ..VerifyOptions::default() };
        let report = verify(&*FILE, &options).expect("damage is no failure of the call");
        assert!(opened.is_ok() || !report.is_sound(), "{opened:?}");
        if let (Ok(counts), true) = (&opened, report.is_sound()) {
            assert_eq!((report.n_records, report.n_rows), *counts);
        }
        assert!(report.findings.len() <= 1001);
        for finding in &report.findings {
            assert!(finding.offset.is_none_or(|offset| offset <= data.len() as u64), "{finding:?}");
        }
    }

    match inspect(&*FILE) {
        Ok(found) => {
            let committed = found.committed.map(|committed| (committed.n_records, committed.n_rows));
            assert_eq!(committed, opened.as_ref().ok().copied());
            assert_eq!(found.counters == CountersState::Intact, opened.is_ok());
            assert!(found.whole.n_records <= data.len() as u64 / 32);
            let whole = (found.whole.n_records, found.whole.n_rows);
            recovered(whole, found.committed.is_some());
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Format);
            assert!(opened.is_err());
        }
    }
});

/// Recovers to a new file, and then in place.
fn recovered(whole: (u64, u64), is_intact: bool) {
    let counts = |path: &PathBuf| {
        let table = Table::open(path).expect("what was recovered opens");
        (table.record_rows().count() as u64, table.n_rows())
    };
    match recover(&*FILE, Some(&*OUT), &RecoverOptions::default()) {
        Ok(_) => {
            assert_eq!(counts(&OUT), whole);
            std::fs::remove_file(&*OUT).expect("it can be removed");
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Format);
            assert!(!is_intact && whole.0 == 0, "{error}");
        }
    }
    match recover(&*FILE, None, &RecoverOptions { commit: true, ..RecoverOptions::default() }) {
        Ok(_) => assert_eq!(counts(&FILE), whole),
        Err(error) => assert!(error.kind() == ErrorKind::Format && !is_intact, "{error}"),
    }
}
