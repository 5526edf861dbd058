//! Compiles the programs of `tests/c`, the example and the code of `docs/c-abi.md` against the header and the
//! release build of the library, and runs them: plainly, and under valgrind where it is installed.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use colstore_format::{Column, Counters, DType, Header, Manifest, RecordHeader, Schema};
use colstore_tests::golden;
use colstore_tests::libcolstore::{release_folder, repository};
use tempfile::TempDir;

/// A program that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(240);

const STRICT: &[&str] = &["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1"];

fn compile(source: &Path, program: &Path, flags: &[&str], libraries: &[&str]) {
    let output = Command::new("cc")
        .args(flags)
        .arg(source)
        .arg("-I")
        .arg(repository().join("include"))
        .arg("-L")
        .arg(release_folder())
        .args(libraries)
        .arg("-o")
        .arg(program)
        .output()
        .expect("cc can be run");
    assert!(
        output.status.success(),
        "{} does not compile:\n{}",
        source.display(),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Runs a program to its end, and kills it if there is none. Its output goes to files: a pipe that nobody
/// empties would stop it.
fn run(command: &mut Command, name: &str) -> Output {
    let folder = TempDir::new().expect("a temporary directory");
    let (stdout, stderr) = (folder.path().join("stdout"), folder.path().join("stderr"));
    let create = |path: &Path| std::fs::File::create(path).expect("a file for the output");
    let mut child = command
        .env("LD_LIBRARY_PATH", release_folder())
        .current_dir(repository())
        .stdin(Stdio::null())
        .stdout(create(&stdout))
        .stderr(create(&stderr))
        .spawn()
        .unwrap_or_else(|error| panic!("{name} cannot be run: {error}"));
    let read = |path: &Path| std::fs::read(path).expect("the output can be read");
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return Output { status, stdout: read(&stdout), stderr: read(&stderr) };
        }
        if start.elapsed() > LONGEST {
            let _ = child.kill();
            panic!(
                "{name} was still running after {} s:\n{}\n{}",
                LONGEST.as_secs(),
                String::from_utf8_lossy(&read(&stdout)),
                String::from_utf8_lossy(&read(&stderr))
            );
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn assert_success(output: &Output, name: &str) {
    assert!(
        output.status.success(),
        "{name} ends with {}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn has_valgrind() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let found =
            Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
        if !found {
            eprintln!("valgrind is not installed: the programs run without it");
        }
        found
    })
}

fn valgrind(program: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-exitcode=99"]);
    // A child after fork() leaves the threads' memory of its parent alone on purpose.
    if !program.ends_with("fork") {
        command.args(["--leak-check=full", "--show-leak-kinds=definite,indirect"]);
        command.arg("--errors-for-leak-kinds=definite,indirect");
    }
    if ["reductions", "cutflow", "expr", "frame", "queries", "query"]
        .iter()
        .any(|name| program.ends_with(name))
    {
        // Valgrind 3.19 does not know the VEX form of `movq` from register to register (C5 .. D6), which vector code
        // happens to contain.
        command.env("COLSTORE_ISA", "scalar");
    }
    command.arg(program).env("COLSTORE_TEST_VALGRIND", "1");
    command
}

/// The damaged files with what is to come of each, as `corrupt.c` takes them.
fn corrupt_list(folder: &Path) -> PathBuf {
    let text = std::fs::read_to_string(golden().join("corrupt/corrupt.json")).expect("corrupt.json is there");
    let json: serde_json::Value = serde_json::from_str(&text).expect("corrupt.json is JSON");
    let mut list = String::new();
    let mut count = 0;
    for file in json["files"].as_array().expect("a list of files") {
        let outcome = match file["expect"].as_str().expect("an outcome") {
            "FormatError" => "FORMAT",
            text if text.starts_with("reads as before") => "SAME",
            text if text.starts_with("reads, values differ") => "OTHER",
            text => panic!("an unknown outcome: {text}"),
        };
        writeln!(list, "{} {outcome}", file["file"].as_str().expect("a name")).expect("a String takes it");
        count += 1;
    }
    assert_eq!(count, 75, "the number of damaged files");
    let path = folder.join("corrupt.txt");
    std::fs::write(&path, list).expect("the list can be written");
    path
}

/// The files of the data set: by name the number of rows in each record. Rows go through the files in natural
/// order; some files and records are empty, some records are all alike.
const PARTS: &[(&str, &[u64])] = &[
    ("part_1", &[1000, 0, 7000, 1, 12_000]),
    ("part_2", &[]),
    ("part_3", &[0, 0]),
    ("part_10", &[150; 200]),
    ("part_11", &[29_999]),
];

/// The value of a column in a row, as `dataset.h` says.
fn value(column: usize, row: u64, dtype: DType) -> Vec<u8> {
    let mut bytes = match column {
        0 => row.to_le_bytes().to_vec(),
        1 => (row as f64 * 0.5).to_le_bytes().to_vec(),
        2 => (row as u32).wrapping_mul(2_654_435_761).to_le_bytes().to_vec(),
        3 => vec![row as u8, (row >> 3) as u8, (row >> 7) as u8],
        4 => vec![(row % 3) as u8],
        5 => [row as u32 % 1000, row as u32 % 77].iter().flat_map(|c| c.to_le_bytes()).collect(),
        _ => panic!("no column {column}"),
    };
    if dtype.needs_swap() {
        bytes.chunks_mut(dtype.word_size()).for_each(<[u8]>::reverse);
    }
    bytes
}

/// Writes the files of the data set, and in the folder `swapped` the same in big-endian order.
fn write_dataset(folder: &Path) {
    for (folder, order) in [(folder.to_path_buf(), '<'), (folder.join("swapped"), '>')] {
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let columns = [("id", "i8"), ("x", "f8"), ("c", "i4"), ("s", "S3"), ("b", "u1"), ("u", "U2")]
            .map(|(name, dtype)| Column::new(name, format!("{order}{dtype}").parse().expect("a dtype")));
        let schema = Schema::new(columns.to_vec()).expect("a schema");
        let mut first_row = 0;
        for (name, records) in PARTS {
            let (n_records, committed_rows) = (records.len() as u64, records.iter().sum());
            let counters = Counters { n_records, committed_rows, stats_offset: 0 };
            let mut bytes = Header::encode(&Manifest::new(schema.clone()), counters);
            for (index, &n_rows) in (0..).zip(*records) {
                bytes.extend_from_slice(&RecordHeader { index, n_rows }.encode());
                for (j, column) in schema.columns().iter().enumerate() {
                    for row in first_row..first_row + n_rows {
                        bytes.extend_from_slice(&value(j, row, column.dtype()));
                    }
                }
                bytes.resize(bytes.len().next_multiple_of(8), 0);
                first_row += n_rows;
            }
            std::fs::write(folder.join(name).with_extension("cstore"), bytes).expect("a file can be written");
        }
        assert_eq!(first_row, 80_000);
    }
}

/// Compiles and runs one program of `tests/c`.
fn check(name: &str) {
    let folder = TempDir::new().expect("a temporary directory");
    let source = repository().join(format!("tests/c/{name}.c"));
    let program = folder.path().join(name);
    compile(&source, &program, STRICT, &["-lcolstore", "-pthread", "-lm"]);
    let list = corrupt_list(folder.path());
    let dataset = folder.path().join("dataset");
    write_dataset(&dataset);
    let mut commands = vec![(Command::new(&program), name.to_owned())];
    if has_valgrind() {
        commands.push((valgrind(&program), format!("{name} under valgrind")));
    }
    for (mut command, name) in commands {
        let scratch = TempDir::new_in(folder.path()).expect("a temporary directory");
        let output = run(command.arg(golden()).arg(scratch.path()).arg(&list).arg(&dataset), &name);
        assert_success(&output, &name);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.trim_end().ends_with(" passed, 0 failed"), "{name} does not report:\n{text}");
    }
}

macro_rules! programs {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*

        const PROGRAMS: &[&str] = &[$(stringify!($name)),*];
    };
}

programs! {
    allocator compact config corrupt datasets dtype errors fork gathers null_arguments progress read reductions schema selections statuses
    shards store struct_sizes table threads verify version view
    writer
    cutflow expr frame queries query
}

#[test]
fn every_program_is_run() {
    for entry in std::fs::read_dir(repository().join("tests/c")).expect("tests/c is there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_some_and(|extension| extension == "c") {
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
            assert!(PROGRAMS.contains(&name), "{name}.c is not in the list of programs");
        }
    }
}

#[test]
fn a_program_can_be_linked_statically() {
    let folder = TempDir::new().expect("a temporary directory");
    let program = folder.path().join("read");
    let source = repository().join("tests/c/read.c");
    compile(&source, &program, STRICT, &["-l:libcolstore.a", "-pthread", "-ldl", "-lm"]);
    let output = run(Command::new(&program).arg(golden()).arg(folder.path()), "read, linked statically");
    assert_success(&output, "read, linked statically");
}

#[test]
fn the_example_builds_with_one_command_and_reads_files() {
    let source = repository().join("examples/c/read.c");
    let text = std::fs::read_to_string(&source).expect("the example is there");
    assert!(text.contains("cc examples/c/read.c -Iinclude -Ltarget/release -lcolstore -o read\n"));
    let folder = TempDir::new().expect("a temporary directory");
    let program = folder.path().join("example");
    compile(&source, &program, STRICT, &["-lcolstore"]);

    let output = run(Command::new(&program).arg(golden().join("all_dtypes_single.cstore")), "read.c");
    assert_success(&output, "read.c");
    let text = String::from_utf8(output.stdout).expect("names are UTF-8");
    for part in [
        "9 rows, 16 columns",
        "  t_ns <M8[ns]\n",
        "i1: min -128, mean 7.44444, max 127, 9 values",
        ": -128 -4 -1",
    ] {
        assert!(text.contains(part), "{part:?} is missing from:\n{text}");
    }
    for (file, status) in [("corrupt/magic_bad.cstore", "FORMAT"), ("missing.cstore", "NOT_FOUND")] {
        let output = run(Command::new(&program).arg(golden().join(file)), "read.c");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.starts_with(&format!("read: {status}: ")) && message.contains(file), "{message}");
    }
    if has_valgrind() {
        for file in ["stats_single.cstore", "many_records.cstore", "empty_table.cstore"] {
            assert_success(&run(valgrind(&program).arg(golden().join(file)), file), file);
        }
    }
}

#[test]
fn the_example_of_a_query_reports_cuts_and_writes_a_file() {
    let source = repository().join("examples/c/query.c");
    let text = std::fs::read_to_string(&source).expect("the example is there");
    assert!(text.contains("cc examples/c/query.c -Iinclude -Ltarget/release -lcolstore -o query\n"));
    let folder = TempDir::new().expect("a temporary directory");
    let (program, flights) = (folder.path().join("query"), folder.path().join("flights.cstore"));
    compile(&source, &program, STRICT, &["-lcolstore"]);
    let texts = |width: usize, texts: [&str; 4]| -> Vec<u8> {
        texts.iter().flat_map(|text| format!("{text:\0<width$}").into_bytes()).collect()
    };
    let floats = |values: [f64; 4]| -> Vec<u8> { values.iter().flat_map(|v| v.to_le_bytes()).collect() };
    let numbers = |values: [i64; 4]| -> Vec<u8> { values.iter().flat_map(|v| v.to_le_bytes()).collect() };
    let columns: [(&str, &str, Vec<u8>); 9] = [
        ("month", "<i8", numbers([7, 7, 1, 8])),
        ("arr_delay", "<f8", floats([90.0, 61.0, 300.0, f64::NAN])),
        ("carrier", "|S2", texts(2, ["AA", "UA", "AA", "B6"])),
        ("flight", "<i8", numbers([1, 2, 3, 4])),
        ("origin", "|S3", texts(3, ["JFK", "LGA", "EWR", "JFK"])),
        ("dest", "|S3", texts(3, ["LAX", "ORD", "SFO", "BOS"])),
        ("air_time", "<f8", floats([330.0, 120.0, 350.0, 40.0])),
        ("distance", "<i8", numbers([2475, 733, 2565, 187])),
        ("time_hour", "<M8[s]", numbers([1, 2, 3, 4])),
    ];
    let columns: Vec<_> = columns
        .iter()
        .map(|(name, dtype, bytes)| {
            let dtype = dtype.parse().expect("a dtype");
            colstore_core::ColumnData::from_slice((*name).into(), dtype, bytes).expect("a column")
        })
        .collect();
    colstore_core::store(&flights, &columns, &colstore_core::StoreOptions::default()).expect("a file");

    let late = folder.path().join("late.cstore");
    let mut commands = vec![Command::new(&program)];
    if has_valgrind() {
        commands.push(valgrind(&program));
    }
    for mut command in commands {
        let output = run(command.arg(&flights).arg(&late), "query.c");
        assert_success(&output, "query.c");
        let text = String::from_utf8(output.stdout).expect("it is UTF-8");
        for part in [
            ": 1 flights are left\n",
            "  from New York           4          3            3395   origin in [b'JFK', b'LGA']\n",
            "  late                    3          2            3208   arr_delay > 60.0\n",
            "  in summer               2          1            2475   ",
            "  mean speed 450.0 mph, mean delay 90.0 minutes\n",
        ] {
            assert!(text.contains(part), "{part:?} is missing from:\n{text}");
        }
        let table = colstore_core::Table::open(&late).expect("a file");
        let names: Vec<String> =
            table.schema().columns().iter().map(|column| column.name().to_string()).collect();
        assert_eq!(names, ["time_hour", "carrier", "flight", "route", "speed", "arr_delay"]);
        assert_eq!(table.n_rows(), 1);
    }
    let output = run(Command::new(&program).arg("missing.cstore").arg(&late), "query.c");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("query: NOT_FOUND: "));
}

#[test]
fn the_program_of_the_documentation_works() {
    let text = std::fs::read_to_string(repository().join("docs/c-abi.md")).expect("c-abi.md is there");
    let (_, rest) = text.split_once("```c\n#include").expect("the page begins with a program");
    let (code, _) = rest.split_once("```\n").expect("the program ends");
    let folder = TempDir::new().expect("a temporary directory");
    let (source, program) = (folder.path().join("page.c"), folder.path().join("page"));
    std::fs::write(&source, format!("#include{code}")).expect("the program can be written");
    compile(&source, &program, STRICT, &["-lcolstore"]);
    let output = run(Command::new(&program).arg(golden().join("dtype/f8.cstore")), "the program of c-abi.md");
    assert_success(&output, "the program of c-abi.md");
    assert!(String::from_utf8_lossy(&output.stdout).contains(" values, the first is "));
    let output = run(Command::new(&program).arg("missing.cstore"), "the program of c-abi.md");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing.cstore"));
}
