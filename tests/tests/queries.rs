//! The cases of `tests/data/query/*.toml`: texts over tables in files, with what NumPy gives for them.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::path::Path;

use colstore_core::{ColumnData, ReadOptions, Rows, StoreOptions, Table, store};
use colstore_format::Kind;
use colstore_frame::{
    Constant, DType, ErrorKind, Expr, Graph, Integer, Literal, Output, Parameter, Parameters, TableScope,
    ValueSet, call, parse,
};
use toml::Value;

/// The least number of cases that are expected, so that none gets lost unnoticed.
const AT_LEAST: usize = 450;

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).map(|found| found.as_str().unwrap())
}

fn list(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// A value as the files spell it, in little-endian bytes.
fn bytes(dtype: DType, spelled: &str) -> Vec<u8> {
    let size = dtype.itemsize();
    let mut bytes = match dtype.kind() {
        Kind::Bool => vec![u8::from(spelled == "True")],
        Kind::Datetime | Kind::Timedelta if spelled == "NaT" => i64::MIN.to_le_bytes().to_vec(),
        Kind::Float => return float(spelled.parse().unwrap(), size),
        Kind::Bytes => spelled.chars().map(|c| u8::try_from(c).unwrap()).collect(),
        Kind::Unicode => spelled.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        _ => spelled.parse::<i128>().unwrap().to_le_bytes()[..size].to_vec(),
    };
    bytes.resize(size, 0);
    bytes
}

fn float(value: f64, size: usize) -> Vec<u8> {
    match size {
        8 => value.to_le_bytes().to_vec(),
        4 => (value as f32).to_le_bytes().to_vec(),
        _ => {
            // The float16 values of the files are exact, so that the search finds them.
            let found = (0..=u16::MAX).find(|bits| {
                let other = half(*bits);
                other.to_bits() == value.to_bits() || other.is_nan() && value.is_nan()
            });
            found.unwrap().to_le_bytes().to_vec()
        }
    }
}

fn half(bits: u16) -> f64 {
    Constant::new("<f2".parse().unwrap(), &bits.to_le_bytes()).unwrap().as_f64().unwrap()
}

fn column(dtype: DType, values: &Value) -> Vec<u8> {
    list(values).into_iter().flat_map(|value| bytes(dtype, value)).collect()
}

/// The tables of a file, stored and opened.
fn tables(document: &Value, folder: &Path) -> BTreeMap<String, Table> {
    let mut tables = BTreeMap::new();
    for table in document["table"].as_array().unwrap() {
        let name = text(table, "name").unwrap();
        let columns: Vec<(&str, DType, Vec<u8>)> = table["column"]
            .as_array()
            .unwrap()
            .iter()
            .map(|found| {
                let dtype = text(found, "dtype").unwrap().parse().unwrap();
                (text(found, "name").unwrap(), dtype, column(dtype, &found["values"]))
            })
            .collect();
        let data: Vec<ColumnData<'_>> = columns
            .iter()
            .map(|(name, dtype, bytes)| ColumnData::from_slice((*name).into(), *dtype, bytes).unwrap())
            .collect();
        let path = folder.join(format!("{name}.cstore"));
        store(&path, &data, &StoreOptions::default()).unwrap();
        tables.insert(name.to_owned(), Table::open(&path).unwrap());
    }
    tables
}

fn parameter(value: &Value) -> Parameter {
    let (dtype, values) = (text(value, "dtype").unwrap(), &value["values"]);
    let first = list(values).first().copied().unwrap_or_default();
    if value.get("set").is_some() {
        let dtype: DType = dtype.parse().unwrap();
        return ValueSet::from_array(dtype, &column(dtype, values)).unwrap().into();
    }
    match dtype {
        "bool" => Literal::Bool(first == "True"),
        "int" => Literal::Int(Integer::from(first.parse::<i128>().unwrap())),
        "float" => Literal::Float(first.parse().unwrap()),
        "str" => Literal::from(first),
        "bytes" => Literal::from(first.as_bytes()),
        _ => {
            let dtype: DType = dtype.parse().unwrap();
            Literal::Typed(Constant::new(dtype, &bytes(dtype, first)).unwrap())
        }
    }
    .into()
}

fn parameters(case: &Value) -> Parameters {
    let mut parameters = Parameters::new();
    for (name, value) in case.get("params").and_then(Value::as_table).into_iter().flatten() {
        parameters.insert(name.as_str(), parameter(value));
    }
    parameters
}

fn matching_rows(table: &Table, query: &str, parameters: &Parameters) -> colstore_frame::Result<Vec<u64>> {
    let graph = parse(query, parameters)?.bind_condition(&TableScope::new(table))?;
    let selected = graph.select_rows(0, &Rows::all(table.n_rows()), &ReadOptions::default())?;
    Ok(selected.rows.to_vec(0..selected.rows.len()))
}

fn values(table: &Table, expr: &Expr) -> (DType, Vec<u8>) {
    let graph = Graph::bind(std::slice::from_ref(expr), &TableScope::new(table)).unwrap();
    let rows = Rows::all(table.n_rows());
    let evaluation = graph.evaluate(&rows, None).unwrap();
    let mut out = vec![0u8; graph.dtype(0).itemsize() * table.n_rows() as usize];
    // SAFETY: initialised bytes are valid as bytes that may be uninitialised, and `read` only ever writes whole values.
    let view =
        unsafe { std::slice::from_raw_parts_mut(out.as_mut_ptr().cast::<MaybeUninit<u8>>(), out.len()) };
    evaluation.read(Output::Columns(vec![view]), &ReadOptions::default()).unwrap();
    (graph.dtype(0), out)
}

/// Equal bytes; any NaN equals any other.
fn same(dtype: DType, a: &[u8], b: &[u8]) -> bool {
    let nan = |bytes: &[u8]| Constant::new(dtype, bytes).unwrap().as_f64().is_some_and(f64::is_nan);
    a == b
        || a.chunks_exact(dtype.itemsize())
            .zip(b.chunks_exact(dtype.itemsize()))
            .all(|(a, b)| a == b || nan(a) && nan(b))
}

fn kind(name: &str) -> ErrorKind {
    match name {
        "query" => ErrorKind::Query,
        "type" => ErrorKind::Type,
        "overflow" => ErrorKind::Overflow,
        "value" => ErrorKind::Value,
        other => panic!("no kind of errors is called {other}"),
    }
}

/// What is wrong with a case, if anything.
fn check(case: &Value, tables: &BTreeMap<String, Table>) -> Result<(), String> {
    let table = &tables[text(case, "table").unwrap()];
    if let Some(query) = text(case, "query") {
        let found = matching_rows(table, query, &parameters(case));
        return match (found, text(case, "error")) {
            (Ok(rows), None) => {
                let expected: Vec<u64> = case["rows"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|row| row.as_integer().unwrap() as u64)
                    .collect();
                if rows == expected {
                    Ok(())
                } else {
                    Err(format!("{query:?}: rows {rows:?}, NumPy has {expected:?}"))
                }
            }
            (Ok(rows), Some(error)) => {
                Err(format!("{query:?}: rows {rows:?} where there is an error: {error}"))
            }
            (Err(error), None) => Err(format!("{query:?}: {error}")),
            (Err(error), Some(name)) => {
                let fragment = text(case, "fragment").unwrap();
                if error.kind() == kind(name) && error.message().contains(fragment) {
                    Ok(())
                } else {
                    Err(format!(
                        "{query:?}: {:?}, where {name} with {fragment:?} is expected: {error}",
                        error.kind()
                    ))
                }
            }
        };
    }
    let parsed = |text: &str| parse(text, &Parameters::new()).unwrap().expr().clone();
    let expr = match text(case, "call") {
        Some(function) => {
            let args: Vec<Expr> = list(&case["args"]).into_iter().map(parsed).collect();
            match (function, args.as_slice()) {
                ("clip", [value, low, high]) => value.clone().clip(Some(low.clone()), Some(high.clone())),
                _ => call(function, args).unwrap(),
            }
        }
        None => parsed(text(case, "value").unwrap()),
    };
    let expected_dtype: DType = text(case, "dtype").unwrap().parse().unwrap();
    let expected = column(expected_dtype, &case["values"]);
    let (dtype, found) = values(table, &expr);
    if dtype != expected_dtype || !same(dtype, &found, &expected) {
        let shown = |bytes: &[u8], dtype: DType| -> Vec<String> {
            bytes
                .chunks_exact(dtype.itemsize())
                .map(|value| format!("{:?}", Constant::new(dtype, value).unwrap()))
                .collect()
        };
        return Err(format!(
            "{expr}: {:?}\nNumPy has {:?}",
            shown(&found, dtype),
            shown(&expected, expected_dtype)
        ));
    }
    Ok(())
}

#[test]
fn every_case_gives_what_numpy_gives() {
    let folder = tempfile::tempdir().unwrap();
    let (mut n_cases, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/query")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let document: Value = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let inner = folder.path().join(&name);
        std::fs::create_dir(&inner).unwrap();
        let tables = tables(&document, &inner);
        for case in document["case"].as_array().unwrap() {
            n_cases += 1;
            if let Err(reason) = check(case, &tables) {
                wrong.push(format!("{name}: {reason}"));
            }
        }
    }
    assert!(n_cases >= AT_LEAST, "{n_cases} cases");
    assert!(wrong.is_empty(), "{} of {n_cases} cases:\n{}", wrong.len(), wrong.join("\n"));
}
