//! `colstore append`: what it prints, what it makes, and what it refuses.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden").join(name)
}

fn append(arguments: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colstore")).arg("append").args(arguments).output().unwrap()
}

/// The lines of a run that must succeed without a word on standard error.
fn lines(arguments: &[&Path]) -> Vec<String> {
    let output = append(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The message of a run that must fail.
fn failure(arguments: &[&Path]) -> String {
    let output = append(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn shards(directory: &Path) -> Vec<String> {
    let names =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != ".colstore.lock").collect();
    names.sort();
    names
}

#[test]
fn files_become_shards_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let directory = dir.path().join("a/b");
    let sources = [golden("all_dtypes_multi.cstore"), golden("all_dtypes_single.cstore")];
    let printed = lines(&[&directory, &sources[0], &sources[1]]);
    assert_eq!(printed.len(), 2);
    for ((i, source), printed) in sources.iter().enumerate().zip(&printed) {
        let shard = directory.join(format!("shard_{i:05}.cstore"));
        assert_eq!(Path::new(printed), shard);
        assert_eq!(fs::read(shard).unwrap(), fs::read(source).unwrap());
    }
    let name: &[&Path] = &[Path::new("--name"), Path::new("x{index}.cstore")];
    assert_eq!(
        lines(&[name, &[&directory, &sources[0]]].concat()),
        [directory.join("x0.cstore").to_str().unwrap()]
    );
}

#[test]
fn directories_and_patterns_become_one_shard_each() {
    let dir = tempfile::tempdir().unwrap();
    let many = golden("shards3");
    let pattern = many.join("*.cstore");
    lines(&[dir.path(), &many, &pattern]);
    let statistics = dir.path().join("statistics");
    lines(&[Path::new("--statistics"), &statistics, &many]);
    let rows: u64 = shards(&many)
        .iter()
        .filter(|name| name.ends_with(".cstore"))
        .map(|name| colstore_core::info(many.join(name)).unwrap().n_rows)
        .sum();
    let all = ["shard_00000.cstore", "shard_00001.cstore"].map(|name| dir.path().join(name));
    for path in all.iter().chain([&statistics.join("shard_00000.cstore")]) {
        let info = colstore_core::info(path).unwrap();
        assert_eq!((info.n_records, info.n_rows), (1, rows));
    }
    assert_eq!(fs::read(&all[0]).unwrap(), fs::read(&all[1]).unwrap());
    assert!(
        colstore_core::Table::open(statistics.join("shard_00000.cstore")).unwrap().statistics().is_some()
    );
}

#[test]
fn what_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let source = golden("all_dtypes_multi.cstore");
    let name = Path::new("--name");
    let directory = dir.path().join("new");
    for (arguments, text) in [
        (&[name, Path::new("x"), &directory, &source][..], ".cstore"),
        (&[name, Path::new("x.cstore"), &directory, &source, &source], "{index}"),
        (&[&directory, Path::new("nothing.cstore")], "nothing.cstore"),
        (&[&directory, &dir.path().join("*.nothing")], "no files matched"),
        (&[&directory, &golden("corrupt/magic_bad.cstore")], "magic_bad.cstore"),
        (&[dir.path(), dir.path()], "itself"),
    ] {
        let message = failure(arguments);
        assert!(message.starts_with("colstore: ") && message.contains(text), "{message}");
        assert!(!directory.exists());
    }
    lines(&[&directory, &source]);
    let shard = directory.join("shard_00000.cstore");
    assert!(failure(&[&directory, &shard]).contains("itself"));
    assert!(failure(&[&directory, &golden("dtype/i4.cstore")]).contains("schema"));
    assert!(
        failure(&[name, Path::new("shard_00000.cstore"), &directory, &source]).contains("exists already")
    );
    let held = colstore_core::Appender::open(&directory, &colstore_core::AppenderOptions::default()).unwrap();
    let message = failure(&[&directory, &source]);
    assert!(message.contains("lock") && message.contains("new"), "{message}");
    drop(held);
    assert_eq!(shards(&directory), ["shard_00000.cstore"]);
    // What came before a source that fails stays.
    let output = append(&[&directory, &source, &golden("dtype/i4.cstore"), &source]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
    assert_eq!(shards(&directory), ["shard_00000.cstore", "shard_00001.cstore"]);
    assert_eq!(append(&[&directory]).status.code(), Some(2));
}
