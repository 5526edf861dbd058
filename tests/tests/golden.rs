//! The golden files through the engine: every value, every refusal, and the same bytes when stored again.
//!
//! The damaged files are opened under an allocator that counts, so that a number in a file can never make
//! the engine ask for memory beyond a limit.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use colstore_core::{ColumnData, ErrorKind, ReadOptions, StoreOptions, Table, info, store};
use colstore_tests::golden;
use serde_json::Value;

/// The largest allocation that any of the files may cause.
const LIMIT: usize = 64 << 20;

struct Counting;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every request is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are System's own.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST.fetch_max(size, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The JSON files below the golden folder that describe one `.cstore` file each.
fn descriptions() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![golden()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "json") && !describe(&path)["file"].is_null() {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A description, with lone surrogates (which a Rust string cannot hold) in the form that messages show.
fn describe(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap().replace(r#""\ud800""#, r#""\\u{d800}""#);
    serde_json::from_str(&text).unwrap()
}

fn hex(value: &Value) -> Vec<u8> {
    let text = value.as_str().unwrap();
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn columns(table: &Table) -> Vec<Vec<u8>> {
    let rows = 0..table.n_rows();
    (0..table.schema().len())
        .map(|j| table.column_bytes(j, rows.clone(), &ReadOptions::default()).unwrap())
        .collect()
}

fn check_values(table: &Table, expected: &Value, what: &Path) {
    assert_eq!(table.n_records() as u64, expected["n_records"], "{}", what.display());
    assert_eq!(table.n_rows(), expected["n_rows"], "{}", what.display());
    let record_rows: Vec<u64> = table.record_rows().collect();
    assert_eq!(serde_json::json!(record_rows), expected["record_rows"], "{}", what.display());
    let schema: Vec<Value> = table
        .schema()
        .columns()
        .iter()
        .map(|c| serde_json::json!({"name": c.name().to_string(), "dtype": c.dtype_text()}))
        .collect();
    assert_eq!(Value::from(schema), expected["schema"], "{}", what.display());
    for (bytes, column) in columns(table).iter().zip(expected["columns"].as_array().unwrap()) {
        assert!(*bytes == hex(&column["hex"]), "{}: column {}", what.display(), column["name"]);
    }
    match (table.statistics(), &expected["stats"]) {
        (None, Value::Null) => {}
        (Some(found), Value::Array(expected)) => {
            assert_eq!(found.columns().len(), expected.len());
            for (found, expected) in found.columns().iter().zip(expected) {
                assert_eq!((&found.min, &found.max), (&hex(&expected["min"]), &hex(&expected["max"])));
                let valid: Vec<u8> = found.valid.iter().map(|&v| u8::from(v)).collect();
                assert_eq!(serde_json::json!(valid), expected["prunable"]);
            }
        }
        (found, _) => {
            panic!("{}: statistics {}", what.display(), if found.is_some() { "found" } else { "missed" })
        }
    }
}

#[test]
fn all_files_are_read_to_their_values() {
    let descriptions = descriptions();
    assert_eq!(descriptions.len(), 64);
    for path in descriptions {
        let expected = describe(&path);
        let file = path.with_file_name(expected["file"].as_str().unwrap());
        let table = Table::open(&file).unwrap();
        check_values(&table, &expected, &file);
        let header = info(&file).unwrap();
        assert_eq!((header.n_rows, header.n_records), (table.n_rows(), table.n_records() as u64));
        assert_eq!(header.file_size, expected["file_size"]);
        assert_eq!(header.schema.columns(), table.schema().columns());
    }
}

#[test]
fn what_store_made_is_stored_again_to_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let mut stored = 0;
    for path in descriptions() {
        let expected = describe(&path);
        let by_hand = expected["made_by"].as_str().unwrap().starts_with("hand-built");
        let single = expected["record_rows"].as_array().unwrap().len() == 1;
        // Statistics of several writes are the streaming writer's; zero width is not for writing.
        if by_hand || !single || !expected["trailing_garbage"].is_null() {
            continue;
        }
        let file = path.with_file_name(expected["file"].as_str().unwrap());
        let table = Table::open(&file).unwrap();
        let bytes = columns(&table);
        let columns: Vec<ColumnData<'_>> = table
            .schema()
            .columns()
            .iter()
            .zip(&bytes)
            .map(|(c, bytes)| ColumnData::from_slice(c.name().clone(), c.dtype().to_little(), bytes).unwrap())
            .collect();
        let target = dir.path().join(format!("{stored}.cstore"));
        let options = StoreOptions { statistics: !expected["stats"].is_null(), ..StoreOptions::default() };
        store(&target, &columns, &options).unwrap();
        assert!(fs::read(&target).unwrap() == fs::read(&file).unwrap(), "{}", file.display());
        stored += 1;
    }
    assert!(stored > 30, "only {stored} files were stored again");
}

#[test]
fn damaged_files_give_the_recommended_outcome_within_64_mb() {
    let folder = golden().join("corrupt");
    let list = describe(&folder.join("corrupt.json"));
    let base = columns(&Table::open(folder.join("_base.cstore")).unwrap());
    let files = list["files"].as_array().unwrap();
    assert_eq!(files.len(), 75);
    for entry in files {
        let path = folder.join(entry["file"].as_str().unwrap());
        let expected = entry["expect"].as_str().unwrap();
        // Headers alone never fail harder than the whole.
        let header = info(&path);
        match Table::open(&path) {
            Err(error) => {
                assert_eq!(expected, "FormatError", "{}: {error}", path.display());
                assert_eq!(error.kind(), ErrorKind::Format, "{}: {error}", path.display());
                assert_eq!(error.path(), Some(&*path));
                assert!(header.is_ok() || header.is_err_and(|e| e.kind() == ErrorKind::Format));
            }
            Ok(table) => {
                header.unwrap();
                let same = columns(&table) == base;
                let outcome = match (same, table.statistics()) {
                    (false, _) => "reads, values differ",
                    (true, Some(_)) => "reads as before",
                    (true, None) => "reads as before, statistics absent",
                };
                let optional = expected.strip_suffix(" (statistics optional)");
                let good = optional.map_or(outcome == expected, |expected| outcome.starts_with(expected));
                assert!(good, "{}: {outcome} where {expected}", path.display());
            }
        }
    }
    let largest = LARGEST.load(Ordering::Relaxed);
    assert!(largest <= LIMIT, "an allocation of {largest} bytes");
}
