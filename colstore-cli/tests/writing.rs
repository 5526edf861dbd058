//! `colstore compact` and `colstore concat`: what they write, what they print, and how they are interrupted.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use colstore_format::{Column, Counters, Header, Manifest, RecordHeader, Schema};
use serde_json::Value;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden").join(name)
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_colstore"));
    command.args(arguments).current_dir(directory).env_remove("COLUMNS");
    command
}

fn colstore(directory: &Path, arguments: &[&str]) -> Output {
    command(directory, arguments).output().unwrap()
}

/// Standard output of a run that must succeed without a word on standard error.
fn stdout(directory: &Path, arguments: &[&str]) -> String {
    let output = colstore(directory, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Standard error of a run that must fail with `code` and print nothing else.
fn stderr(directory: &Path, code: i32, arguments: &[&str]) -> String {
    let output = colstore(directory, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(code), &b""[..]), "{arguments:?}: {errors}");
    errors
}

fn entries(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(directory).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn compact_in_place_and_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let compacted = fs::read(golden("compacted_all_dtypes_multi.cstore")).unwrap();
    fs::copy(golden("all_dtypes_multi.cstore"), dir.join("t.cstore")).unwrap();
    let printed = stdout(dir, &["compact", "t.cstore", "--out", "new.cstore"]);
    assert_eq!(printed, format!("new.cstore: 9 rows in 1 record, {} bytes\n", compacted.len()));
    assert_eq!(fs::read(dir.join("new.cstore")).unwrap(), compacted);
    assert_eq!(fs::read(dir.join("t.cstore")).unwrap(), fs::read(golden("all_dtypes_multi.cstore")).unwrap());
    let printed: Value = serde_json::from_str(&stdout(dir, &["compact", "t.cstore", "--json"])).unwrap();
    assert_eq!(
        printed,
        serde_json::json!({"path": "t.cstore", "n_rows": 9, "n_records": 1, "file_size": compacted.len()})
    );
    assert_eq!(fs::read(dir.join("t.cstore")).unwrap(), compacted);

    fs::copy(golden("all_dtypes_multi.cstore"), dir.join("t.cstore")).unwrap();
    stdout(dir, &["compact", "t.cstore", "--statistics"]);
    assert!(fs::metadata(dir.join("t.cstore")).unwrap().len() > compacted.len() as u64);
    assert_eq!(entries(dir), ["new.cstore", "t.cstore"]);
}

#[test]
fn concat_of_files_and_directories() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::create_dir(dir.join("parts")).unwrap();
    for name in ["a.cstore", "parts/run_10.cstore", "parts/run_9.cstore"] {
        fs::copy(golden("all_dtypes_multi.cstore"), dir.join(name)).unwrap();
    }
    let printed = stdout(dir, &["concat", "a.cstore", "parts", "--out", "all.cstore"]);
    assert!(printed.starts_with("all.cstore: 27 rows in 1 record, "), "{printed}");
    let size = fs::metadata(dir.join("all.cstore")).unwrap().len();
    let arguments = ["concat", "parts", "-o", "all.cstore", "--statistics", "--json"];
    let printed: Value = serde_json::from_str(&stdout(dir, &arguments)).unwrap();
    assert_eq!((&printed["n_rows"], &printed["n_records"]), (&Value::from(18), &Value::from(1)));
    assert_ne!(printed["file_size"], size);

    // One file is a copy in one record.
    stdout(dir, &["concat", "a.cstore", "-o", "one.cstore"]);
    assert_eq!(
        fs::read(dir.join("one.cstore")).unwrap(),
        fs::read(golden("compacted_all_dtypes_multi.cstore")).unwrap()
    );
    assert_eq!(entries(dir), ["a.cstore", "all.cstore", "one.cstore", "parts"]);
}

#[test]
fn columns_that_differ_fail_or_are_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::copy(golden("all_dtypes_multi.cstore"), dir.join("a")).unwrap();
    // The same with one column called otherwise.
    let columns: Vec<Column> = ["i4", "other"].map(|name| Column::new(name, "<i4".parse().unwrap())).to_vec();
    write(&dir.join("b"), columns, &[0]);
    let message = stderr(dir, 1, &["concat", "a", "b", "--out", "out"]);
    assert!(message.starts_with("colstore: Schema mismatch"), "{message}");
    assert!(!dir.join("out").exists());
    let output = colstore(dir, &["concat", "a", "b", "--out", "out", "--on-mismatch", "drop"]);
    let (printed, warned) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{warned}");
    assert!(printed.starts_with("out: 9 rows in 1 record, "), "{printed}");
    assert!(warned.starts_with("colstore: left out columns") && warned.contains("other"), "{warned}");
}

#[test]
fn refusals_leave_everything() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::copy(golden("all_dtypes_multi.cstore"), dir.join("a")).unwrap();
    fs::copy(golden("corrupt/magic_bad.cstore"), dir.join("bad")).unwrap();
    let before = fs::read(dir.join("a")).unwrap();
    for (arguments, fragment) in [
        (&["compact", "missing"][..], "missing"),
        (&["compact", "bad"], "bad"),
        (&["compact", "a", "--out", "missing/out"], "missing/out"),
        (&["concat", "a", "missing", "--out", "out"], "missing"),
        (&["concat", "a", "bad", "--out", "out"], "bad"),
        (&["concat", "a", "--out", "a"], "also one of the sources"),
        (&["concat", "a", "--out", "./a"], "also one of the sources"),
    ] {
        let message = stderr(dir, 1, arguments);
        assert!(message.starts_with("colstore: ") && message.contains(fragment), "{message}");
    }
    for arguments in [
        &["compact"][..],
        &["compact", "a", "b"],
        &["concat", "a"],
        &["concat", "--out", "out"],
        &["concat", "a", "--out", "out", "--on-mismatch", "ignore"],
    ] {
        stderr(dir, 2, arguments);
    }
    assert_eq!(fs::read(dir.join("a")).unwrap(), before);
    assert_eq!(entries(dir), ["a", "bad"]);
}

/// A file whose values are all zero, most of it not on the disk.
fn write(path: &Path, columns: Vec<Column>, record_rows: &[u64]) {
    let schema = Schema::new(columns).unwrap();
    let (n_records, committed_rows) = (record_rows.len() as u64, record_rows.iter().sum());
    let head = Header::encode(
        &Manifest::new(schema.clone()),
        Counters { n_records, committed_rows, stats_offset: 0 },
    );
    let file = File::create(path).unwrap();
    file.write_all_at(&head, 0).unwrap();
    let mut offset = head.len() as u64;
    for (index, &n_rows) in (0..).zip(record_rows) {
        file.write_all_at(&RecordHeader { index, n_rows }.encode(), offset).unwrap();
        offset += 32 + schema.body_size(n_rows).unwrap();
    }
    file.set_len(offset).unwrap();
}

#[test]
fn a_signal_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    // So large that it is not done before the signal comes.
    let columns = vec![Column::new("x", "<f8".parse().unwrap())];
    write(&dir.join("t"), columns.clone(), &[200_000_000, 200_000_000]);
    write(&dir.join("one"), columns, &[400_000_000]);
    for signal in ["INT", "TERM"] {
        for arguments in [
            &["compact", "t"][..],
            &["compact", "t", "--out", "out"],
            &["compact", "one", "--out", "out"],
            &["concat", "one", "t", "--out", "out"],
        ] {
            let child =
                command(dir, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let begin = Instant::now();
            while entries(dir).len() < 3 {
                assert!(begin.elapsed() < Duration::from_secs(60), "no temporary file appeared");
                sleep(Duration::from_millis(1));
            }
            let status = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
            assert!(status.success());
            let output = child.wait_with_output().unwrap();
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(130), "{arguments:?}: {message}");
            assert_eq!(message, "colstore: interrupted; nothing has been changed\n");
            assert_eq!(entries(dir), ["one", "t"], "{arguments:?}");
        }
    }
}
