//! What the shared library exports, how it is called, and how large it is.
//!
//! After a function was added, `COLSTORE_UPDATE_SYMBOLS=1` writes the list anew.
#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::Command;

use colstore_tests::libcolstore::{release_folder, repository};

/// The most that somebody who links it for reading files has to ship.
const LARGEST: u64 = 5_000_000;

fn library() -> PathBuf {
    release_folder().join("libcolstore.so")
}

fn output_of(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("names are ASCII")
}

fn exported() -> Vec<String> {
    let listing =
        output_of(Command::new("nm").args(["-D", "--defined-only", "--format=posix"]).arg(library()));
    let mut names: Vec<String> =
        listing.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn exported_symbols_are_the_committed_ones() {
    let path = repository().join("tests/data/symbols.txt");
    let names = exported();
    assert!(!names.is_empty(), "nm lists no symbol");
    for name in &names {
        assert!(
            name.starts_with("colstore_"),
            "{name} is exported, but only names that begin with colstore_ may be"
        );
    }
    let found = names.join("\n") + "\n";
    if std::env::var_os("COLSTORE_UPDATE_SYMBOLS").is_some() {
        std::fs::write(&path, found).expect("the list can be written");
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let added: Vec<_> = found.lines().filter(|name| !committed.lines().any(|other| other == *name)).collect();
    let gone: Vec<_> = committed.lines().filter(|name| !found.lines().any(|other| other == *name)).collect();
    assert!(
        found == committed,
        "tests/data/symbols.txt differs from what is exported: added {added:?}, gone {gone:?}. A function that is gone \
         breaks programs; after an addition run this test with COLSTORE_UPDATE_SYMBOLS=1"
    );
}

/// The functions that a text declares or mentions: names before a parenthesis in the header, between
/// backticks in the documentation.
fn names_before(text: &str, end: char) -> Vec<String> {
    let mut names: Vec<String> = text
        .split(end)
        .filter_map(|piece| {
            let begin =
                piece.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
            piece[begin..].starts_with("colstore_").then(|| piece[begin..].to_owned())
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn the_header_declares_what_is_exported() {
    let header =
        std::fs::read_to_string(repository().join("include/colstore.h")).expect("the header is there");
    let code: String = header
        .lines()
        .filter(|line| !line.trim_start().starts_with(['*', '/']))
        .collect::<Vec<_>>()
        .join("\n");
    assert_eq!(names_before(&code, '('), exported());
}

#[test]
fn the_documentation_lists_what_is_exported() {
    let page = std::fs::read_to_string(repository().join("docs/c-abi.md")).expect("c-abi.md is there");
    let (_, list) = page.split_once("## All functions").expect("a list of all functions");
    assert_eq!(names_before(list, '`'), exported());
}

#[test]
fn the_library_carries_its_soname() {
    let dynamic = output_of(Command::new("readelf").args(["-d", "-W"]).env("LC_ALL", "C").arg(library()));
    let soname = dynamic.lines().find(|line| line.contains("(SONAME)")).expect("there is a SONAME");
    assert!(soname.contains("[libcolstore.so.0]"), "{soname}");
    // A program that was linked here finds the library here.
    assert!(
        release_folder().join("libcolstore.so.0").exists(),
        "libcolstore.so.0 is missing beside libcolstore.so"
    );
}

#[test]
fn the_stripped_library_is_small() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let stripped = directory.path().join("libcolstore.so");
    output_of(Command::new("strip").arg("-o").arg(&stripped).arg(library()));
    let size = std::fs::metadata(&stripped).expect("strip has written it").len();
    assert!(size < LARGEST, "the stripped library has {size} bytes, more than {LARGEST}");
}
