//! The programs in README.md are true: they compile and print what they should.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use colstore_core::{ColumnData, DType, StoreOptions, store};
use colstore_tests::libcolstore::{release_folder, repository};

/// The Rust program, compiled as it stands.
mod events {
    include!("../../examples/rust/events.rs");

    pub(super) fn run() -> colstore_core::Result<()> {
        main()
    }
}

/// The text of the first code block in `language`.
fn block(language: &str) -> String {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let (_, from) = readme.split_once(&format!("\n```{language}\n")).unwrap();
    from.split_once("```").unwrap().0.to_owned()
}

/// The table that the README's Python code stores.
fn write_events(path: &Path) {
    let x: Vec<u8> = (0..1000).flat_map(|i| (f64::from(i) / 999.0).to_le_bytes()).collect();
    let id: Vec<u8> = (0..1000i64).flat_map(i64::to_le_bytes).collect();
    let column = |name: &str, dtype, bytes| {
        ColumnData::from_slice(name.into(), DType::parse(dtype).unwrap(), bytes).unwrap()
    };
    store(path, &[column("x", "<f8", &x), column("id", "<i8", &id)], &StoreOptions::default()).unwrap();
}

#[test]
fn the_rust_program_is_the_example_and_runs() {
    let example = std::fs::read_to_string(repository().join("examples/rust/events.rs")).unwrap();
    assert_eq!(block("rust"), example, "README.md and examples/rust/events.rs differ");
    // It opens a relative path. No other test in this program depends on the directory.
    let directory = tempfile::tempdir().unwrap();
    write_events(&directory.path().join("events.cstore"));
    std::env::set_current_dir(directory.path()).unwrap();
    events::run().unwrap();
    std::env::set_current_dir(repository()).unwrap();
}

#[test]
fn the_c_program_compiles_and_prints_the_first_values() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("events");
    let source = directory.path().join("events.c");
    std::fs::write(&source, block("c")).unwrap();
    let compiled = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror"])
        .arg(&source)
        .arg("-I")
        .arg(repository().join("include"))
        .arg("-L")
        .arg(release_folder())
        .args(["-lcolstore", "-o"])
        .arg(&program)
        .current_dir(directory.path())
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = || {
        Command::new(&program)
            .env("LD_LIBRARY_PATH", release_folder())
            .current_dir(directory.path())
            .output()
            .unwrap()
    };
    let without_file = run();
    assert_eq!(without_file.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&without_file.stderr).contains("events.cstore"));
    write_events(&directory.path().join("events.cstore"));
    let with_file = run();
    assert!(with_file.status.success());
    assert_eq!(String::from_utf8_lossy(&with_file.stdout), "0 0.001001 0.002002\n");
}
