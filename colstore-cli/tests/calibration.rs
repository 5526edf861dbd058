//! `colstore calibration` with a cache directory of its own.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn colstore(cache: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colstore"))
        .args(arguments)
        .env("XDG_CACHE_HOME", cache)
        .output()
        .unwrap()
}

fn stdout(cache: &Path, arguments: &[&str]) -> String {
    let output = colstore(cache, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_is_measured_is_kept_shown_and_cleared() {
    let cache = tempfile::tempdir().unwrap();
    let file = cache.path().join("colstore/threads.json");
    assert!(
        stdout(cache.path(), &["calibration", "show", "threads"]).ends_with("threads.json\n  (absent)\n")
    );
    assert!(!file.exists());

    for arguments in [
        &["calibrate", "--rounds", "1"][..],
        &["calibration", "run", "--rounds", "5", "--threads-rounds", "1", "threads"],
    ] {
        let printed = stdout(cache.path(), arguments);
        assert!(printed.starts_with("Calibrating threads (rounds=1)...\n  threads   1: "), "{printed}");
        let kept: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let keys: Vec<&str> = kept.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            ["calibration_version", "fingerprint", "thread_cap", "throughput_gbps", "timestamp"]
        );
        let cap = kept["thread_cap"].as_u64().unwrap();
        assert!(kept["throughput_gbps"][cap.to_string()].as_f64().unwrap() > 0.0);
        assert!(kept["timestamp"].as_f64().unwrap() > 1.7e9);
        let fingerprint = kept["fingerprint"].as_str().unwrap();
        let parts: Vec<&str> = fingerprint.split('|').collect();
        assert!(parts.len() == 5 && parts[0] == "v1", "{fingerprint}");
        assert!(parts[2].starts_with("phys=") && parts[3].starts_with("log="), "{fingerprint}");
        assert!(printed.contains(&format!("\n  -> {cap}\ncache: ")), "{printed}");
        assert!(printed.contains(file.parent().unwrap().to_str().unwrap()), "{printed}");
        let names: Vec<_> = std::fs::read_dir(file.parent().unwrap()).unwrap().collect();
        assert_eq!(names.len(), 1, "{names:?}");

        let shown = stdout(cache.path(), &["calibration", "show"]);
        assert!(shown.starts_with(&format!("fingerprint: {fingerprint}\nthreads cache: ")), "{shown}");
        assert!(shown.contains("  fingerprint: MATCHES this machine\n"), "{shown}");
        assert!(shown.contains(&format!("  applied value: {cap}\nprefetch cache: ")), "{shown}");
        assert!(shown.ends_with("mask_density.json\n  (absent)\n"), "{shown}");
    }

    let cleared = "threads: removed\nprefetch: no cache present\nmask-density: no cache present\n";
    assert_eq!(stdout(cache.path(), &["calibration", "clear"]), cleared);
    assert!(!file.exists());
    assert_eq!(stdout(cache.path(), &["calibration", "clear", "threads"]), "threads: no cache present\n");
}

#[test]
fn what_is_not_to_be_kept_is_not() {
    let cache = tempfile::tempdir().unwrap();
    let printed = stdout(cache.path(), &["calibration", "run", "--rounds", "1", "--no-persist"]);
    assert!(printed.contains("\n  -> "), "{printed}");
    assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), 0);
}

#[test]
fn results_of_other_machines_and_broken_files_are_shown_as_such() {
    let cache = tempfile::tempdir().unwrap();
    let directory = cache.path().join("colstore");
    std::fs::create_dir(&directory).unwrap();
    std::fs::write(directory.join("threads.json"), r#"{"fingerprint": "v1|other", "thread_cap": 7}"#)
        .unwrap();
    std::fs::write(directory.join("prefetch.json"), "{").unwrap();
    // Targets in any order, and twice, are shown in one order and once.
    let shown = stdout(cache.path(), &["calibration", "show", "prefetch", "threads", "prefetch"]);
    let lines: Vec<&str> = shown.lines().skip(1).collect();
    assert_eq!(lines.len(), 6, "{shown}");
    assert!(lines[0].starts_with("threads cache: ") && lines[1].contains("DIFFERENT machine (v1|other)"));
    assert_eq!(lines[2], "  applied value: None");
    assert!(lines[3].starts_with("prefetch cache: "), "{shown}");
    assert_eq!(lines[5], "  applied value: None");
    assert_eq!(
        stdout(cache.path(), &["calibration", "clear", "prefetch", "threads"]),
        "threads: removed\nprefetch: removed\n"
    );
}

#[test]
fn a_result_that_cannot_be_kept_is_a_failure_that_says_where() {
    let cache = tempfile::NamedTempFile::new().unwrap();
    let output = colstore(cache.path(), &["calibrate", "--rounds", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("  -> "));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("colstore: cannot keep") && message.contains("threads.json"), "{message}");
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let cache = tempfile::tempdir().unwrap();
    for arguments in [
        &["calibration"][..],
        &["calibration", "walk"],
        &["calibration", "run", "speed"],
        &["calibration", "run", "prefetch"],
        &["calibration", "show", "speed"],
        &["calibrate", "--rounds", "0"],
        &["calibrate", "--rounds", "many"],
        &["clear"],
        &["show"],
    ] {
        let output = colstore(cache.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
    assert!(stdout(cache.path(), &["--help"]).contains("calibration"));
    let help = stdout(cache.path(), &["calibration", "run", "--help"]);
    assert!(help.contains("prefetch") && help.contains("Python package"), "{help}");
}
