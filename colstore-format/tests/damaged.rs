//! Files that are cut, flipped or lie about a number: no panic, and no memory beyond what the file's size allows.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use colstore_format::RecordHeader;
use support::{Contents, load, read};

/// The system's allocator, which notes how much was asked for on this thread.
struct Counting;

thread_local! {
    static REQUESTED: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to `System` unchanged; the counter is a `Cell` without destructor and does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTED.set(REQUESTED.get() + layout.size());
        // SAFETY: the caller's promise about `layout` is the one that `System` needs.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `System` with this layout, since `alloc` passes on to it.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const FILES: [&str; 7] = [
    "stats_multi.cstore",
    "all_dtypes_multi.cstore",
    "names_unicode.cstore",
    "crashed_update_with_stats.cstore",
    "corrupt/_base.cstore",
    "foreign/extra_keys.cstore",
    "foreign/no_crc.cstore",
];

/// Reads a file, whatever it is; checks that the memory asked for is in proportion to it and what it gives is consistent.
fn survives(file: &[u8], what: &dyn Fn() -> String) -> Option<Contents> {
    REQUESTED.set(0);
    let outcome = read(file);
    let requested = REQUESTED.get();
    assert!(requested < 64 * 1024 + 64 * file.len(), "{}: {requested} bytes asked for", what());

    let contents = outcome.ok()?;
    let n_rows: u64 = contents.record_rows.iter().sum();
    assert_eq!(n_rows, contents.header.counters().committed_rows, "{}", what());
    for (column, values) in contents.header.schema().columns().iter().zip(&contents.columns) {
        assert_eq!(values.len() as u64, n_rows * column.dtype().itemsize() as u64, "{}", what());
    }
    if let Some(statistics) = &contents.statistics {
        assert_eq!(statistics.n_records(), contents.record_rows.len() as u64, "{}", what());
    }
    Some(contents)
}

#[test]
fn truncations() {
    for name in FILES {
        let file = load(name);
        let end = read(&file).unwrap().end as usize;
        for len in 0..file.len() {
            let contents = survives(&file[..len], &|| format!("{name} cut to {len}"));
            assert_eq!(contents.is_some(), len >= end, "{name} cut to {len} of {end} committed bytes");
        }
    }
}

#[test]
fn flipped_bytes() {
    for name in FILES {
        let mut file = load(name);
        for i in 0..file.len() {
            for mask in [0x01, 0x80, 0xff, file[i]] {
                file[i] ^= mask;
                let contents = survives(&file, &|| format!("{name}, byte {i} ^ {mask:#x}"));
                // The magic and the counters under the CRC.
                assert!(contents.is_none() || i >= 36 || mask == 0, "{name}, byte {i} ^ {mask:#x}");
                file[i] ^= mask;
            }
        }
    }
}

/// Numbers that overflow, and that do so when multiplied or added to.
const EXTREMES: [u64; 14] = [
    0,
    1,
    31,
    1 << 20,
    1 << 31,
    1 << 32,
    1 << 40,
    1 << 60,
    1 << 61,
    1 << 62,
    i64::MAX as u64 - 63,
    i64::MAX as u64,
    1 << 63,
    u64::MAX,
];

/// Writes a number, and the CRC of the bytes from `start` behind the bytes that it covers.
fn lie(file: &mut [u8], at: usize, value: u64, start: usize, crc_at: usize) {
    file[at..at + 8].copy_from_slice(&value.to_le_bytes());
    let crc = crc32fast::hash(&file[start..crc_at]);
    file[crc_at..crc_at + 4].copy_from_slice(&crc.to_le_bytes());
}

#[test]
fn false_numbers_under_a_right_crc() {
    for name in FILES {
        let original = load(name);
        let contents = read(&original).unwrap();
        let counters = contents.header.counters();
        let first_record = contents.header.data_offset() as usize;
        for value in EXTREMES {
            let mut file = original.clone();
            lie(&mut file, 8, value, 8, 32);
            let found = survives(&file, &|| format!("{name}: {value} records"));
            assert_eq!(found.is_some(), value == counters.n_records, "{name}: {value} records");

            let mut file = original.clone();
            lie(&mut file, 16, value, 8, 32);
            let found = survives(&file, &|| format!("{name}: {value} rows"));
            assert_eq!(found.is_some(), value == counters.committed_rows, "{name}: {value} rows");

            let mut file = original.clone();
            lie(&mut file, 24, value, 8, 32);
            let found = survives(&file, &|| format!("{name}: footer at {value}")).unwrap();
            assert!(found.statistics.is_none(), "{name}: footer at {value}");

            let mut file = original.clone();
            file[72..80].copy_from_slice(&value.to_le_bytes());
            assert!(survives(&file, &|| format!("{name}: manifest of {value} bytes")).is_none());

            let mut file = original.clone();
            lie(&mut file, first_record + 12, value, first_record, first_record + 28);
            let found = survives(&file, &|| format!("{name}: {value} rows in record 0"));
            let true_rows = contents.record_rows[0];
            assert_eq!(found.is_some(), value == true_rows, "{name}: {value} rows in record 0");
        }
        assert_eq!(original[first_record..][..4], RecordHeader { index: 0, n_rows: 0 }.encode()[..4]);
    }
}
