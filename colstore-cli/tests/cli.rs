//! The built `colstore` command over the golden files: what it prints, and how it ends.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden").join(name)
}

fn expected(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(golden(name)).unwrap()).unwrap()
}

fn colstore(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colstore")).args(arguments).env_remove("COLUMNS").output().unwrap()
}

fn path(name: &str) -> String {
    golden(name).to_str().unwrap().to_owned()
}

/// Standard output of a run that must succeed without a word on standard error.
fn stdout(arguments: &[&str]) -> String {
    let output = colstore(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// All `.cstore` files in a directory of the golden files, sorted.
fn files(directory: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(golden(directory))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cstore"))
        .collect();
    files.sort();
    files
}

#[test]
fn head_is_an_aligned_table() {
    assert_eq!(stdout(&["head", &path("dtype/i4.cstore")]), "  x\n<i4\n  0\n  3\n  6\n  9\n 12\n");
    assert_eq!(
        stdout(&["head", &path("dtype/i4.cstore"), "-n", "2"]),
        "  x\n<i4\n  0\n  3\n2 of 5 rows, 1 of 1 columns\n"
    );
}

#[test]
fn head_takes_columns_in_the_order_asked_for() {
    let file = path("all_dtypes_multi.cstore");
    let parsed = json(&["head", &file, "--columns", "u8,b1", "--columns", "s5", "-n", "4", "--json"]);
    let names: Vec<&str> =
        parsed["columns"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["u8", "b1", "s5"]);
    assert_eq!(parsed["rows"].as_array().unwrap().len(), 4);
    assert!(parsed["rows"].as_array().unwrap().iter().all(|row| row.as_array().unwrap().len() == 3));
}

/// The stored bytes of the golden files, against what `head --json` says of integers, floats and bools.
#[test]
fn head_json_gives_the_stored_values() {
    let mut compared = 0;
    for name in ["all_dtypes_single", "all_dtypes_multi", "appended", "big_endian_input", "floats_special"] {
        let truth = expected(&format!("{name}.json"));
        let parsed = json(&["head", &path(&format!("{name}.cstore")), "--json", "-n", "1000000"]);
        assert_eq!(parsed["n_rows"], truth["n_rows"]);
        for (index, column) in truth["schema"].as_array().unwrap().iter().enumerate() {
            assert_eq!(parsed["columns"][index]["name"], column["name"]);
            let hex = truth["columns"][index]["hex"].as_str().unwrap();
            for (row, values) in parsed["rows"].as_array().unwrap().iter().enumerate() {
                let dtype = column["dtype"].as_str().unwrap();
                compared += usize::from(agrees(&values[index], dtype, hex, row));
            }
        }
    }
    assert!(compared > 200, "{compared} values compared");
}

/// Compares one value where its dtype has a plain number; says whether it has.
fn agrees(value: &Value, dtype: &str, hex: &str, row: usize) -> bool {
    let size: usize = match &dtype[1..] {
        "b1" | "i1" | "u1" => 1,
        "i2" | "u2" => 2,
        "i4" | "u4" | "f4" => 4,
        "i8" | "u8" | "f8" => 8,
        _ => return false,
    };
    let stored: Vec<u8> =
        (0..size).map(|at| u8::from_str_radix(&hex[2 * (row * size + at)..][..2], 16).unwrap()).collect();
    let mut wide = [0; 16];
    wide[..size].copy_from_slice(&stored);
    let unsigned = u128::from_le_bytes(wide);
    match dtype.as_bytes()[1] {
        b'b' => assert_eq!(*value, Value::Bool(unsigned != 0)),
        b'u' => assert_eq!(u128::from(value.as_u64().unwrap()), unsigned),
        b'i' => {
            let shift = 128 - 8 * size;
            assert_eq!(i128::from(value.as_i64().unwrap()), (unsigned << shift) as i128 >> shift);
        }
        _ => {
            let stored = match size {
                4 => f64::from(f32::from_le_bytes(stored.try_into().unwrap())),
                _ => f64::from_le_bytes(stored.try_into().unwrap()),
            };
            match value.as_str() {
                Some("NaN") => assert!(stored.is_nan()),
                Some(infinite) => assert_eq!(infinite.parse::<f64>().unwrap(), stored),
                None if size == 4 => assert_eq!(value.as_f64().unwrap() as f32, stored as f32),
                None => assert_eq!(value.as_f64().unwrap().to_bits(), stored.to_bits()),
            }
        }
    }
    true
}

#[test]
fn the_width_of_the_table_is_kept() {
    let wide = path("all_dtypes_single.cstore");
    for width in [10, 40, 80, 200] {
        let output = Command::new(env!("CARGO_BIN_EXE_colstore"))
            .args(["head", &wide])
            .env("COLUMNS", width.to_string())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for line in text.lines().filter(|line| !line.contains(" rows, ")) {
            assert!(line.chars().count() <= width, "{width}: {line:?}");
        }
        if width < 100 {
            assert!(text.contains("..."), "{text}");
            assert!(text.lines().last().unwrap().ends_with(" of 16 columns"), "{text}");
        }
    }
}

#[test]
fn schema_names_every_column() {
    let text = stdout(&["schema", &path("all_dtypes_single.cstore")]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 17);
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), ["column", "dtype", "type", "bytes"]);
    assert_eq!(lines[13].split_whitespace().collect::<Vec<_>>(), ["t_ns", "<M8[ns]", "datetime64[ns]", "8"]);

    for file in files(".") {
        // serde_json cannot read the lone surrogate in one expectation; the next test looks at that file.
        let text = std::fs::read_to_string(file.with_extension("json")).unwrap();
        let Ok(truth) = serde_json::from_str::<Value>(&text) else {
            assert!(file.ends_with("quirk_surrogate_name.cstore"), "{}", file.display());
            continue;
        };
        let parsed = json(&["schema", file.to_str().unwrap(), "--json"]);
        let pairs = |columns: &Value| -> Vec<(String, String)> {
            let text = |column: &Value, key: &str| column[key].as_str().unwrap().to_owned();
            columns.as_array().unwrap().iter().map(|c| (text(c, "name"), text(c, "dtype"))).collect()
        };
        assert_eq!(pairs(&parsed["columns"]), pairs(&truth["schema"]), "{}", file.display());
    }
}

#[test]
fn a_lone_surrogate_is_spelt_out() {
    let parsed = json(&["schema", &path("quirk_surrogate_name.cstore"), "--json"]);
    let names = parsed["columns"].to_string();
    assert!(names.contains("\\\\u{d800}") || names.contains("\\\\u{d"), "{names}");
}

#[test]
fn info_of_one_file_and_of_several() {
    let (one, many) = (path("all_dtypes_single.cstore"), path("many_records.cstore"));
    let text = stdout(&["info", &one]);
    assert!(text.contains("rows     9\n"), "{text}");
    assert!(text.contains("size     2.0 kB (2016 bytes)\n"), "{text}");
    assert!(text.contains("t_ns"), "{text}");
    assert_eq!(stdout(&["info", &one, &many]).lines().count(), 3);

    let parsed = json(&["info", "--json", &one, &many]);
    for (entry, name) in parsed.as_array().unwrap().iter().zip(["all_dtypes_single", "many_records"]) {
        let truth = expected(&format!("{name}.json"));
        for key in ["n_rows", "n_records", "file_size"] {
            assert_eq!(entry[key], truth[key], "{name} {key}");
        }
        assert_eq!(entry["format_version"], 1);
        assert_eq!(entry["n_columns"].as_u64().unwrap() as usize, truth["schema"].as_array().unwrap().len());
    }
}

#[test]
fn a_bad_file_is_one_message_and_exit_code_1() {
    let corrupt = path("corrupt/counters_bitflip.cstore");
    for arguments in [
        vec!["info", &corrupt],
        vec!["schema", &corrupt],
        vec!["head", &corrupt],
        vec!["head", &corrupt, "--json"],
    ] {
        let output = colstore(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            message.starts_with("colstore: ") && message.contains("counters_bitflip.cstore"),
            "{message}"
        );
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    for arguments in [vec!["info", "/no/such.cstore"], vec!["head", "/no/such.cstore"], vec!["head", "/"]] {
        let output = colstore(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(String::from_utf8(output.stderr).unwrap().starts_with("colstore: "));
    }
}

#[test]
fn one_bad_file_among_several_does_not_hide_the_others() {
    let (good, bad) = (path("dtype/i4.cstore"), path("corrupt/empty_file.cstore"));
    let output = colstore(&["info", &bad, &good]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("i4.cstore"));
    assert!(String::from_utf8(output.stderr).unwrap().contains("empty_file.cstore"));

    let output = colstore(&["info", "--json", &bad, &good]);
    assert_eq!(output.status.code(), Some(1));
    let parsed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(parsed[0]["error"]["kind"], "Format");
    assert_eq!(parsed[1]["n_rows"], 5);
}

#[test]
fn an_unknown_column_is_named_with_those_there_are() {
    let output = colstore(&["head", &path("dtype/i4.cstore"), "--columns", "x,energy"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("energy") && message.contains('x'), "{message}");
    let output = colstore(&["head", &path("dtype/i4.cstore"), "--columns", "x,x"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let file = path("dtype/i4.cstore");
    for arguments in [
        vec![],
        vec!["info"],
        vec!["tail", &file],
        vec!["head", &file, "-n", "many"],
        vec!["head", &file, "--colums", "x"],
        vec!["schema", &file, &file],
    ] {
        let output = colstore(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
    for arguments in [["--help"].as_slice(), &["--version"], &["head", "--help"], &["info", "-h"]] {
        assert_eq!(colstore(arguments).status.code(), Some(0), "{arguments:?}");
    }
    assert!(stdout(&["--version"]).contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_corrupt_file_crashes_it() {
    let files = files("corrupt");
    assert!(files.len() >= 75, "{} files", files.len());
    for file in files {
        let file = file.to_str().unwrap();
        for arguments in
            [vec!["info", file], vec!["schema", file], vec!["head", file], vec!["head", file, "--json"]]
        {
            let output = colstore(&arguments);
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 1)), "{arguments:?} ended with {:?}", output.status);
            assert_eq!(code == Some(1), !output.stderr.is_empty(), "{arguments:?}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    // Far more output than a pipe holds, and nobody reads it.
    let rows: Vec<u8> = (0..200_000u64).flat_map(u64::to_le_bytes).collect();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("long.cstore");
    let column = colstore_core::ColumnData::from_slice(
        "n".into(),
        colstore_format::DType::parse("<u8").unwrap(),
        &rows,
    )
    .unwrap();
    colstore_core::store(&file, &[column], &colstore_core::StoreOptions::default()).unwrap();
    for form in [&["-n", "200000"][..], &["-n", "200000", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_colstore"))
            .arg("head")
            .arg(&file)
            .args(form)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    // The same rows read to the end, across blocks.
    let parsed = json(&["head", file.to_str().unwrap(), "-n", "200000", "--json"]);
    let rows = parsed["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 200_000);
    assert!(rows.iter().enumerate().all(|(number, row)| row[0] == number));
}
