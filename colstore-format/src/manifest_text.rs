//! The manifest in the form that writers give it: written, recognised, and its CRC.
//!
//! ```text
//! {"format_version": 1, "columns": [COLUMN, COLUMN], "manifest_crc32": N}
//! COLUMN = {"name": NAME, "dtype": DTYPE, "encoding": "raw", "nullable": false}
//! ```

use std::borrow::Cow;

use crate::column_name::ColumnName;
use crate::dtype::DType;
use crate::json;
use crate::schema::{Column, Schema};

const START: &str = r#"{"format_version": 1, "columns": ["#;
const COLUMN_START: &str = r#"{"name": "#;
const BEFORE_DTYPE: &str = r#", "dtype": "#;
const COLUMN_END: &str = r#", "encoding": "raw", "nullable": false}"#;
const BEFORE_CRC: &str = r#"], "manifest_crc32": "#;

/// The whole text. `columns` are texts to use instead of the standard ones.
pub(crate) fn write(schema: &Schema, columns: Option<&[Box<str>]>, crc: u32) -> String {
    let mut text = String::with_capacity(64 + 96 * schema.len());
    text.push_str(START);
    for (i, column) in schema.columns().iter().enumerate() {
        if i > 0 {
            text.push_str(", ");
        }
        if let Some(other) = columns.and_then(|columns| columns.get(i)) {
            text.push_str(other);
            continue;
        }
        text.push_str(COLUMN_START);
        json::write_string(&mut text, column.name().as_bytes());
        text.push_str(BEFORE_DTYPE);
        json::write_string(&mut text, column.dtype_text().as_bytes());
        text.push_str(COLUMN_END);
    }
    text.push_str(BEFORE_CRC);
    text.push_str(&crc.to_string());
    text.push('}');
    text
}

/// Columns and CRC of a text that has exactly the writers' form (but for how characters are escaped) and is free of errors.
/// The CRC is not compared.
pub(crate) fn scan(text: &str) -> Option<(Vec<Column>, u32)> {
    let mut rest = text.strip_prefix(START)?;
    let mut columns = Vec::new();
    loop {
        let (name, after) = split_string(rest.strip_prefix(COLUMN_START)?)?;
        let (dtype, after) = split_string(after.strip_prefix(BEFORE_DTYPE)?)?;
        rest = after.strip_prefix(COLUMN_END)?;
        let dtype_text = std::str::from_utf8(&dtype).ok()?;
        columns.push(Column::spelled(
            ColumnName::from_json_bytes(name),
            DType::parse(dtype_text).ok()?,
            dtype_text,
        ));
        match rest.strip_prefix(", ") {
            Some(next) => rest = next,
            None => break,
        }
    }
    let crc = rest.strip_prefix(BEFORE_CRC)?.strip_suffix('}')?;
    // `str::parse` would take a leading plus, which is no JSON.
    crc.starts_with(|c: char| c.is_ascii_digit()).then(|| Some((columns, crc.parse().ok()?)))?
}

/// Cuts a string literal off the front: its contents in WTF-8, and what follows.
fn split_string(text: &str) -> Option<(Cow<'_, [u8]>, &str)> {
    let inner = text.strip_prefix('"')?;
    let plain = inner.bytes().position(|byte| !json::is_plain(byte))?;
    if inner.as_bytes()[plain] == b'"' {
        return Some((Cow::Borrowed(&inner.as_bytes()[..plain]), &inner[plain + 1..]));
    }
    let mut escaped = false;
    let end = inner.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })?;
    let (literal, after) = text.split_at(end + 2);
    // Raw control characters are an error, which the JSON parser describes.
    let intact = !literal.bytes().any(|byte| byte < 0x20);
    intact.then(|| Some((json::decode_string(literal).ok()?, after)))?
}

/// The CRC-32 of `{"columns": [...]}` for columns of the standard form.
pub(crate) fn canonical_crc(schema: &Schema) -> u32 {
    let mut crc = CanonicalCrc::new();
    for column in schema.columns() {
        crc.add(|text| {
            text.push_str("{\"dtype\": ");
            json::write_string(text, column.dtype_text().as_bytes());
            text.push_str(", \"encoding\": \"raw\", \"name\": ");
            json::write_string(text, column.name().as_bytes());
            text.push_str(", \"nullable\": false}");
        });
    }
    crc.finish()
}

/// The CRC of the canonical text, fed column by column.
pub(crate) struct CanonicalCrc {
    hasher: crc32fast::Hasher,
    /// What is not yet in the hash.
    text: String,
    is_first: bool,
}

impl CanonicalCrc {
    pub(crate) fn new() -> CanonicalCrc {
        let text = String::from("{\"columns\": [");
        CanonicalCrc { hasher: crc32fast::Hasher::new(), text, is_first: true }
    }

    /// Adds the column that `write` appends to a text.
    pub(crate) fn add<T>(&mut self, write: impl FnOnce(&mut String) -> T) -> T {
        if !self.is_first {
            self.text.push_str(", ");
        }
        self.is_first = false;
        let result = write(&mut self.text);
        // Long stretches hash faster, short ones stay in the cache.
        if self.text.len() > 4096 {
            self.hasher.update(self.text.as_bytes());
            self.text.clear();
        }
        result
    }

    pub(crate) fn finish(mut self) -> u32 {
        self.text.push_str("]}");
        self.hasher.update(self.text.as_bytes());
        self.hasher.finalize()
    }
}
