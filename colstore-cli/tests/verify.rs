//! `colstore verify` and `colstore recover` over the golden files and files that were damaged.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden").join(name)
}

fn colstore(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colstore")).args(arguments).env_remove("COLUMNS").output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(arguments: &[&str], code: i32) -> Value {
    let output = colstore(arguments);
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn sound_files_are_one_line_and_exit_code_0() {
    let path = golden("stats_multi.cstore");
    let path = path.to_str().unwrap();
    let output = colstore(&["verify", path]);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    let line = text(&output);
    assert!(
        line.starts_with("sound: 1 file, 5 records, ") && line.ends_with("values not read (--deep)\n"),
        "{line}"
    );
    let deep = text(&colstore(&["verify", "--deep", path]));
    assert!(deep.starts_with("sound: ") && deep.contains("no checksum"), "{deep}");

    let parsed = json(&["verify", "--deep", "--json", path], 0);
    assert_eq!((&parsed["sound"], &parsed["deep"]), (&Value::Bool(true), &Value::Bool(true)));
    assert_eq!((&parsed["n_files"], &parsed["findings"]), (&Value::from(1), &Value::Array(Vec::new())));
    assert!(parsed["n_value_bytes"].as_u64().unwrap() > 0);
}

#[test]
fn damage_is_named_with_its_place_and_exit_code_1() {
    let (bad, good) = (golden("corrupt/record_crc.cstore"), golden("dtype/i4.cstore"));
    let (bad, good) = (bad.to_str().unwrap(), good.to_str().unwrap());
    let output = colstore(&["verify", bad, good]);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
    let lines = text(&output);
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines[0].starts_with("error    ") && lines[0].contains("record_crc.cstore"), "{lines:?}");
    assert!(lines[0].ends_with("[record]") && lines[0].contains("at byte"), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("1 error: 2 files, "), "{lines:?}");

    let parsed = json(&["verify", "--json", bad, good, "/no/such.cstore"], 1);
    let finding = &parsed["findings"][0];
    assert_eq!((&finding["severity"], &finding["code"]), (&Value::from("error"), &Value::from("record")));
    assert!(finding["offset"].is_u64() && finding["record"] == 1 && finding["column"].is_null(), "{finding}");
    assert_eq!(parsed["failures"][0]["error"]["kind"], "NotFound");
    assert_eq!(parsed["sound"], false);
}

#[test]
fn what_cannot_be_read_is_a_message_and_the_rest_is_checked() {
    let good = golden("dtype/i4.cstore");
    let output = colstore(&["verify", "/no/such.cstore", good.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("colstore: "));
    assert!(text(&output).starts_with("sound: 1 file"));
}

#[test]
fn warnings_and_notes_are_no_failure() {
    for (name, word) in [
        ("corrupt/reserved_nonzero.cstore", "warning"),
        ("crashed_update.cstore", "note"),
        ("shards3", "note"),
    ] {
        let output = colstore(&["verify", golden(name).to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{name}");
        assert!(text(&output).starts_with(word), "{name}: {}", text(&output));
        assert!(text(&output).lines().last().unwrap().starts_with("sound, "), "{name}");
    }
    let output = colstore(&["verify", golden("shards_mismatch").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("[schema]"));
}

#[test]
fn records_are_shown_copied_and_committed() {
    let dir = tempfile::tempdir().unwrap();
    let (file, new) = (dir.path().join("a.cstore"), dir.path().join("b.cstore"));
    std::fs::copy(golden("crashed_update_torn.cstore"), &file).unwrap();
    let before = std::fs::read(&file).unwrap();
    let (file, new) = (file.to_str().unwrap(), new.to_str().unwrap());

    let output = colstore(&["recover", file]);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    let shown = text(&output);
    for part in [
        "counters   intact\n",
        "committed  2 records, 11 rows, up to byte 368\n",
        "to recover 1 records, 9 rows\n           record 2 at byte 368: 9 rows\n",
        "behind     27 bytes from byte 440 on, a record not written to its end",
        "--commit",
    ] {
        assert!(shown.contains(part), "{part:?} is missing from:\n{shown}");
    }
    let parsed = json(&["recover", file, "--json"], 0);
    assert_eq!(parsed["action"], "listed");
    assert_eq!((&parsed["committed"]["n_rows"], &parsed["whole"]["n_rows"]), (&11.into(), &20.into()));
    assert_eq!((&parsed["tail"]["kind"], &parsed["records"][0]["index"]), (&"torn-record".into(), &2.into()));

    let copied = colstore(&["recover", file, "--out", new]);
    assert!(text(&copied).ends_with(&format!("3 records with 20 rows are in {new}\n")), "{}", text(&copied));
    assert_eq!(std::fs::read(file).unwrap(), before);
    assert_eq!(json(&["info", new, "--json"], 0)[0]["n_rows"], 20);
    assert_eq!(colstore(&["recover", file, "--out", new]).status.code(), Some(1));

    assert_eq!(json(&["recover", file, "--commit", "--json"], 0)["action"], "committed");
    assert_eq!(json(&["info", file, "--json"], 0)[0]["n_rows"], 20);
    assert_eq!(json(&["recover", file, "--commit", "--json"], 0)["action"], "unchanged");
    assert!(text(&colstore(&["recover", file])).ends_with("nothing to recover\n"));
    assert_eq!(colstore(&["verify", "--deep", file, new]).status.code(), Some(0));
}

#[test]
fn what_cannot_be_recovered_is_a_message() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.cstore");
    std::fs::copy(golden("corrupt/truncated_body.cstore"), &file).unwrap();
    let file = file.to_str().unwrap();
    let shown = text(&colstore(&["recover", file]));
    assert!(shown.contains("readers refuse the file\n") && shown.contains("--out NEW"), "{shown}");
    let output = colstore(&["recover", file, "--commit"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("new file"));
    let manifest = golden("corrupt/manifest_bitflip.cstore");
    assert_eq!(colstore(&["recover", manifest.to_str().unwrap()]).status.code(), Some(1));
    for wrong in [&["recover", file, "--commit", "--out", "x"][..], &["recover"], &["verify"]] {
        assert_eq!(colstore(wrong).status.code(), Some(2), "{wrong:?}");
    }
}
