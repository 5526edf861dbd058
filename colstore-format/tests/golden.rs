//! The files of `tests/data/golden`: read to their expected values, and written again byte for byte.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails here fails the test")]

mod support;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use colstore_format::{
    Column, ColumnName, ColumnStatistics, Counters, DType, ErrorKind, Header, Manifest, RecordHeader, Schema,
    Statistics, is_shard_name, natural_cmp,
};
use serde::Deserializer as _;
use serde::de::{Error as _, Visitor};
use serde_json::value::RawValue;
use support::{golden, load, read};

/// A JSON text that is taken apart on demand: no tree of `serde_json::Value` could hold a lone surrogate.
#[derive(Clone, Copy)]
struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    fn find(self, key: &str) -> Option<Json<'a>> {
        let members: BTreeMap<String, &RawValue> = serde_json::from_str(self.0).unwrap();
        members.get(key).map(|raw| Json(raw.get())).filter(|value| value.0 != "null")
    }

    fn get(self, key: &str) -> Json<'a> {
        self.find(key).unwrap_or_else(|| panic!("no {key} in {}", self.0))
    }

    fn list(self) -> Vec<Json<'a>> {
        serde_json::from_str::<Vec<&RawValue>>(self.0)
            .unwrap()
            .into_iter()
            .map(|raw| Json(raw.get()))
            .collect()
    }

    fn int(self) -> i64 {
        self.0.parse().unwrap()
    }

    fn count(self) -> u64 {
        self.0.parse().unwrap()
    }

    fn text(self) -> String {
        serde_json::from_str(self.0).unwrap()
    }

    fn hex(self) -> Vec<u8> {
        let text = self.text();
        (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
    }

    fn name(self) -> ColumnName {
        struct Wtf8;
        impl Visitor<'_> for Wtf8 {
            type Value = ColumnName;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<ColumnName, E> {
                ColumnName::from_wtf8(bytes).map_err(E::custom)
            }
        }
        let name = serde_json::Deserializer::from_str(self.0).deserialize_bytes(Wtf8);
        name.map_err(serde_json::Error::custom).unwrap()
    }

    fn statistics(self) -> ColumnStatistics {
        let valid = self.get("prunable").list().into_iter().map(|flag| flag.int() != 0).collect();
        ColumnStatistics { min: self.get("min").hex(), max: self.get("max").hex(), valid }
    }
}

/// All expectations below a folder, with their paths.
fn expectations(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            expectations(&path, found);
        } else if path.extension().is_some_and(|e| e == "json") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}

/// The expectations that are about one file.
fn single_files() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    expectations(&golden(), &mut found);
    found.retain(|(_, text)| Json(text).find("file").is_some());
    found
}

#[test]
fn all_64_read_to_their_values() {
    let files = single_files();
    assert_eq!(files.len(), 64);
    for (path, text) in &files {
        let expected = Json(text);
        let file = load(path.with_file_name(expected.get("file").text()));
        assert_eq!(file.len() as u64, expected.get("file_size").count(), "{path:?}");
        let contents = read(&file).unwrap_or_else(|e| panic!("{path:?}: {e}"));

        let counters = contents.header.counters();
        assert_eq!(counters.n_records, expected.get("n_records").count(), "{path:?}");
        assert_eq!(counters.committed_rows, expected.get("n_rows").count(), "{path:?}");
        assert_eq!(counters.stats_offset, expected.get("stats_offset").int(), "{path:?}");
        assert_eq!(contents.header.data_offset(), expected.get("data_offset").count(), "{path:?}");
        let record_rows: Vec<u64> = expected.get("record_rows").list().into_iter().map(Json::count).collect();
        assert_eq!(contents.record_rows, record_rows, "{path:?}");

        assert!(contents.end <= file.len() as u64);
        if contents.statistics.is_some() {
            assert_eq!(contents.end, expected.get("stats_offset").count(), "{path:?}");
        }

        let columns = contents.header.schema().columns();
        let schema: Vec<_> = columns.iter().map(|c| (c.name().clone(), c.dtype_text().to_owned())).collect();
        let expected_schema: Vec<_> = expected
            .get("schema")
            .list()
            .into_iter()
            .map(|c| (c.get("name").name(), c.get("dtype").text()))
            .collect();
        assert_eq!(schema, expected_schema, "{path:?}");
        for (i, column) in expected.get("columns").list().into_iter().enumerate() {
            assert_eq!(*columns[i].name(), column.get("name").name());
            assert_eq!(contents.columns[i], column.get("hex").hex(), "{path:?}: {}", columns[i].name());
        }
        let statistics: Option<Vec<_>> =
            expected.find("stats").map(|stats| stats.list().into_iter().map(Json::statistics).collect());
        assert_eq!(contents.statistics.map(|s| s.columns().to_vec()), statistics, "{path:?}");
    }
}

/// The committed part of a file, made from its expectation alone.
fn build(expected: Json<'_>) -> (Vec<u8>, i64) {
    let columns = expected.get("schema").list().into_iter();
    let columns =
        columns.map(|c| Column::new(c.get("name").name(), DType::parse(&c.get("dtype").text()).unwrap()));
    let schema = Schema::new(columns.collect()).unwrap();
    let values: Vec<Vec<u8>> =
        expected.get("columns").list().into_iter().map(|c| c.get("hex").hex()).collect();
    let record_rows: Vec<u64> = expected.get("record_rows").list().into_iter().map(Json::count).collect();

    let mut body = Vec::new();
    let mut first_row = 0;
    for (index, n_rows) in record_rows.iter().enumerate() {
        body.extend(RecordHeader { index: index as u64, n_rows: *n_rows }.encode());
        let end = body.len() + schema.body_size(*n_rows).unwrap() as usize;
        for (column, values) in schema.columns().iter().zip(&values) {
            let size = column.dtype().itemsize();
            body.extend(&values[first_row * size..(first_row + *n_rows as usize) * size]);
        }
        body.resize(end, 0);
        first_row += *n_rows as usize;
    }

    let manifest = Manifest::new(schema);
    let mut counters = Counters {
        n_records: record_rows.len() as u64,
        committed_rows: record_rows.iter().sum(),
        stats_offset: 0,
    };
    let data_offset = Header::encode(&manifest, counters).len();
    let mut footer = Vec::new();
    if let Some(statistics) = expected.find("stats") {
        let columns = statistics.list().into_iter().map(Json::statistics).collect();
        let statistics = Statistics::new(manifest.schema(), counters.n_records, columns).unwrap();
        footer = statistics.encode(manifest.schema()).unwrap();
        counters.stats_offset = (data_offset + body.len()) as i64;
    }
    let mut file = Header::encode(&manifest, counters);
    file.extend(body);
    file.extend(footer);
    (file, counters.stats_offset)
}

#[test]
fn the_52_that_were_not_built_by_hand_are_rebuilt() {
    let mut rebuilt = 0;
    for (path, text) in single_files() {
        let expected = Json(&text);
        if expected.get("made_by").text().starts_with("hand-built") {
            continue;
        }
        let file = load(path.with_file_name(expected.get("file").text()));
        let (built, stats_offset) = build(expected);
        if expected.find("trailing_garbage").is_some() {
            // A crashed writer has left bytes behind, and perhaps a reference to a footer that is gone.
            assert!(file.len() > built.len(), "{path:?}");
            assert!(built[72..] == file[72..built.len()], "{path:?}");
        } else {
            assert_eq!(stats_offset, expected.get("stats_offset").int(), "{path:?}");
            assert!(built == file, "{path:?}");
        }
        rebuilt += 1;
    }
    assert_eq!(rebuilt, 52);
}

#[test]
fn all_75_damaged_files_end_as_recommended() {
    let text = fs::read_to_string(golden().join("corrupt/corrupt.json")).unwrap();
    let original = read(&load("corrupt/_base.cstore")).unwrap();
    assert!(original.statistics.is_some());
    let files = Json(&text).get("files").list();
    assert_eq!(files.len(), 75);
    for file in files {
        let name = file.get("file").text();
        let outcome = match read(&load(Path::new("corrupt").join(&name))) {
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Malformed, "{name}: {error}");
                "FormatError"
            }
            Ok(contents) => match (contents.columns == original.columns, &contents.statistics) {
                (false, _) => "reads, values differ",
                (true, None) => "reads as before, statistics absent",
                (true, statistics) => {
                    assert_eq!(*statistics, original.statistics, "{name}");
                    "reads as before"
                }
            },
        };
        let wanted = file.get("expect").text();
        let wanted = wanted.strip_suffix(" (statistics optional)").unwrap_or(&wanted);
        assert_eq!(outcome, wanted, "{name}");
    }
}

#[test]
fn shards_are_found_and_ordered() {
    let mut directories = Vec::new();
    expectations(&golden(), &mut directories);
    directories.retain(|(_, text)| Json(text).find("directory").is_some());
    assert_eq!(directories.len(), 3);
    for (path, text) in &directories {
        let expected = Json(text);
        let folder = path.with_file_name(expected.get("directory").text());
        let entries =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let (mut shards, mut others): (Vec<_>, Vec<_>) = entries.partition(|name| is_shard_name(name));
        shards.sort_by(|a, b| natural_cmp(a, b));
        others.sort();
        let names = |key| {
            expected.find(key).map_or(vec![], |list: Json| list.list().into_iter().map(Json::text).collect())
        };
        assert_eq!(shards, names("order"), "{folder:?}");
        assert_eq!(others, names("ignored"), "{folder:?}");

        let files: Vec<_> = shards.iter().map(|name| read(&load(folder.join(name))).unwrap()).collect();
        let n_rows: u64 = files.iter().map(|file| file.header.counters().committed_rows).sum();
        assert_eq!(n_rows, expected.get("n_rows").count(), "{folder:?}");
        for column in expected.get("columns").list() {
            let name = column.get("name").name();
            let values: Vec<u8> = files
                .iter()
                .flat_map(|file| {
                    file.columns[file.header.schema().index_of(name.as_bytes()).unwrap()].clone()
                })
                .collect();
            assert_eq!(values, column.get("hex").hex(), "{folder:?}: {name}");
        }
    }
}
