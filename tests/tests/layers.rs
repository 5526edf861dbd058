//! Who may depend on whom, by what cargo says.
//!
//! ```text
//!     colstore-ffi   colstore-cli          what programs use
//!               │   colstore-frame  │      expressions
//!               │         ▼         │
//!               └──► colstore-core ◄──┘    files
//!                    │           │
//!        colstore-format   colstore-kernels    bytes | loops; neither knows the other
//! ```
//!
//! An arrow that is not in the picture fails here, and so does a crate that finds its way into `libcolstore`
//! without having been let in by name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The crates of the workspace, and those of the workspace that each may depend on.
const LAYERS: &[(&str, &[&str])] = &[
    ("colstore-format", &[]),
    ("colstore-kernels", &[]),
    ("colstore-core", &["colstore-format", "colstore-kernels"]),
    ("colstore-frame", &["colstore-core", "colstore-format", "colstore-kernels"]),
    ("colstore-ffi", &["colstore-core", "colstore-format", "colstore-frame"]),
    ("colstore-cli", &["colstore-core", "colstore-format"]),
    ("colstore-tests", &["colstore-core", "colstore-format", "colstore-frame", "colstore-kernels"]),
    ("colstore-benches", &["colstore-core", "colstore-format", "colstore-frame", "colstore-kernels"]),
];

/// Everything that is compiled into `libcolstore`, and what each is there for.
const IN_THE_LIBRARY: &[(&str, &str)] = &[
    ("cfg-if", "crc32fast"),
    ("colstore-core", "this workspace"),
    ("colstore-ffi", "this workspace"),
    ("colstore-format", "this workspace"),
    ("colstore-frame", "this workspace"),
    ("colstore-kernels", "this workspace"),
    ("crc32fast", "checksums of the format"),
    ("crossbeam-deque", "rayon"),
    ("crossbeam-epoch", "rayon"),
    ("crossbeam-utils", "rayon"),
    ("either", "rayon"),
    ("glob", "patterns of file names"),
    ("itoa", "serde_json"),
    ("libc", "the operating system"),
    ("memchr", "serde_json"),
    ("memmap2", "mapping files"),
    ("rayon", "the thread pool"),
    ("rayon-core", "rayon"),
    ("serde", "parsing the manifest"),
    ("serde_core", "serde"),
    ("serde_json", "parsing the manifest"),
    ("thiserror", "error types"),
    ("zmij", "serde_json"),
];

/// Macros and what they are made with: they run in the compiler and put nothing of their own into the library.
const AT_BUILD_TIME: &[&str] =
    &["proc-macro2", "quote", "serde_derive", "syn", "thiserror-impl", "unicode-ident"];

/// Crates that must promise the compiler to have no unsafe code, with the file that says so.
const WITHOUT_UNSAFE: &[&str] =
    &["colstore-format/src/lib.rs", "colstore-frame/src/lib.rs", "colstore-cli/src/main.rs"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(workspace()).output().unwrap();
    assert!(
        output.status.success(),
        "{program} {}: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// What cargo knows of the workspace, for this machine's platform and without the network: whatever is needed
/// was downloaded to build this test.
fn metadata() -> Value {
    let version = output("rustc", &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let text = output(
        env!("CARGO"),
        &["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host],
    );
    serde_json::from_str(&text).unwrap()
}

/// The elements of an array that must be there.
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap()
}

#[test]
fn every_arrow_is_in_the_picture() {
    let metadata = metadata();
    let members: BTreeSet<&str> =
        list(&metadata, "workspace_members").iter().map(|id| id.as_str().unwrap()).collect();
    let allowed: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    let mut seen = BTreeSet::new();
    for package in list(&metadata, "packages").iter().filter(|package| members.contains(text(package, "id")))
    {
        let name = text(package, "name");
        let Some(below) = allowed.get(name) else {
            panic!(
                "{name} is new in the workspace: give it a line in LAYERS (tests/tests/layers.rs) and a place in the \
                 picture of ARCHITECTURE.md"
            );
        };
        seen.insert(name);
        for dependency in list(package, "dependencies") {
            let other = text(dependency, "name");
            assert!(
                !allowed.contains_key(other) || below.contains(&other),
                "{name} depends on {other}, which is not below it. What it needs of {other} belongs in a crate that \
                 both may use; if the picture itself is to change, change ARCHITECTURE.md and LAYERS together"
            );
        }
    }
    let expected: BTreeSet<&str> = allowed.keys().copied().collect();
    assert_eq!(seen, expected, "crates of LAYERS that the workspace no longer has");
}

#[test]
fn the_library_holds_what_was_let_in() {
    let metadata = metadata();
    let packages: BTreeMap<&str, &Value> =
        list(&metadata, "packages").iter().map(|package| (text(package, "id"), package)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"], "nodes").iter().map(|node| (text(node, "id"), node)).collect();
    let root = *packages.iter().find(|(_, package)| text(package, "name") == "colstore-ffi").unwrap().0;

    // The closure over ordinary dependencies; `chain` tells how one came in.
    let mut reached: BTreeMap<&str, Vec<&str>> = BTreeMap::from([(root, vec!["colstore-ffi"])]);
    let mut waiting = vec![root];
    while let Some(id) = waiting.pop() {
        let chain = reached[id].clone();
        for dependency in list(nodes[id], "deps") {
            let ordinary = list(dependency, "dep_kinds").iter().any(|kind| kind["kind"].is_null());
            let next = text(dependency, "pkg");
            if ordinary && !reached.contains_key(next) {
                let mut chain = chain.clone();
                chain.push(text(packages[next], "name"));
                reached.insert(next, chain);
                waiting.push(next);
            }
        }
    }

    let allowed: BTreeSet<&str> =
        IN_THE_LIBRARY.iter().map(|&(name, _)| name).chain(AT_BUILD_TIME.iter().copied()).collect();
    for (id, chain) in &reached {
        let name = text(packages[id], "name");
        assert!(
            allowed.contains(name),
            "libcolstore now contains {name} ({}). People who link it to read files pay for that: do without it, put \
             it behind a feature that is off by default, or let it in by a line in IN_THE_LIBRARY \
             (tests/tests/layers.rs) that says what it is there for",
            chain.join(" → ")
        );
    }
    let reached: BTreeSet<&str> = reached.keys().map(|id| text(packages[id], "name")).collect();
    for (name, _) in IN_THE_LIBRARY {
        assert!(
            reached.contains(name),
            "{name} is no longer in libcolstore: take its line out of IN_THE_LIBRARY"
        );
    }
}

#[test]
fn crates_without_unsafe_code_forbid_it() {
    for file in WITHOUT_UNSAFE {
        let source = std::fs::read_to_string(workspace().join(file)).unwrap();
        assert!(
            source.lines().any(|line| line.trim() == "#![forbid(unsafe_code)]"),
            "{file} must say #![forbid(unsafe_code)]: unsafe code belongs in colstore-kernels, the mapping and reading \
             modules of colstore-core, and colstore-ffi"
        );
    }
}
