//! `include/colstore.h` is what cbindgen makes of colstore-ffi, and C and C++ compilers take it without a
//! warning.
//!
//! `make header` (this test with `COLSTORE_UPDATE_HEADER=1`) writes the file anew.

mod sections;

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn generate() -> String {
    let source = root().join("colstore-ffi");
    let config = cbindgen::Config::from_file(source.join("cbindgen.toml")).expect("cbindgen.toml is valid");
    let bindings = cbindgen::Builder::new()
        .with_crate(&source)
        .with_config(config)
        .generate()
        .expect("colstore-ffi can be parsed");
    let mut text = Vec::new();
    bindings.write(&mut text);
    sections::arrange(&String::from_utf8(text).expect("cbindgen writes UTF-8"))
}

#[test]
fn header_is_up_to_date() {
    let path = root().join("include/colstore.h");
    let generated = generate();
    if std::env::var_os("COLSTORE_UPDATE_HEADER").is_some() {
        std::fs::write(&path, generated).expect("the header can be written");
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some((number, (is, should))) =
        committed.lines().zip(generated.lines()).enumerate().find(|(_, (is, should))| is != should)
    {
        panic!(
            "include/colstore.h is not up to date from line {} on:\n  is      {is}\n  should  {should}\nrun `make header`",
            number + 1
        );
    }
    assert!(committed == generated, "include/colstore.h is not up to date in length; run `make header`");
}

/// Compiles a file that includes the header and nothing else.
fn compiles(compiler: &str, extension: &str, flags: &[&str]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source = directory.path().join(format!("only.{extension}"));
    std::fs::write(&source, "#include \"colstore.h\"\n#include \"colstore.h\"\nint only_header;\n").unwrap();
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"])
        .args(flags)
        .arg("-I")
        .arg(root().join("include"))
        .arg(&source)
        .output()
        .unwrap_or_else(|error| panic!("{compiler} cannot be run: {error}"));
    assert!(
        output.status.success(),
        "{compiler} {flags:?} finds fault with include/colstore.h:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn header_compiles_as_c() {
    for standard in ["-std=c99", "-std=c11", "-std=c17"] {
        compiles("cc", "c", &[standard, "-Wstrict-prototypes", "-Wmissing-prototypes"]);
    }
}

#[test]
fn header_compiles_as_cpp() {
    // A machine for C alone need not have it.
    if Command::new("c++").arg("--version").output().is_err() {
        eprintln!("no C++ compiler: not checked");
        return;
    }
    for standard in ["-std=c++11", "-std=c++17", "-std=c++20"] {
        compiles("c++", "cpp", &[standard]);
    }
}
