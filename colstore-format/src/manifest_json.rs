//! Manifests as any JSON: other layout, other keys, and everything that is wrong.

use std::fmt;

use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::column_name::ColumnName;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::json::{self, KeyOrder, Member};
use crate::manifest_text::CanonicalCrc;
use crate::schema::Column;

/// Where a column stands: the document itself is at depth 1, the array of columns at 2.
const COLUMN_DEPTH: usize = 3;

/// The raw values of the keys that matter; of a repeated key the last.
#[derive(Default)]
pub(crate) struct Document<'a> {
    pub(crate) format_version: Option<&'a str>,
    pub(crate) columns: Option<&'a str>,
    pub(crate) manifest_crc32: Option<&'a str>,
}

/// Takes the outermost object apart. Unknown keys are dropped.
pub(crate) fn parse_document(text: &str) -> Result<Document<'_>> {
    let mut parser = serde_json::Deserializer::from_str(text);
    let document = parser.deserialize_map(TopLevel).map_err(|e| not_json(&e))?;
    parser.end().map_err(|e| not_json(&e))?;
    Ok(document)
}

struct TopLevel;

impl<'de> Visitor<'de> for TopLevel {
    type Value = Document<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
        let mut document = Document::default();
        while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            let value = value.get();
            match &*json::decode_string(key.get()).map_err(A::Error::custom)? {
                b"format_version" => document.format_version = Some(value),
                b"columns" => document.columns = Some(value),
                b"manifest_crc32" => document.manifest_crc32 = Some(value),
                _ => json::check_nesting(value, 2).map_err(A::Error::custom)?,
            }
        }
        Ok(document)
    }
}

/// What the array of columns gave.
pub(crate) struct Columns {
    /// The CRC of their canonical text.
    pub(crate) crc: u32,
    /// The columns, or what is wrong with the first bad one: the CRC is checked before anybody looks.
    pub(crate) parsed: Result<Vec<Column>>,
    /// Each column's text, with its keys as they came.
    pub(crate) texts: Vec<Box<str>>,
}

/// Takes the raw array of columns apart.
pub(crate) fn parse_columns(raw: &str) -> Result<Columns> {
    let mut crc = CanonicalCrc::new();
    let mut parsed = Ok(Vec::new());
    let mut texts = Vec::new();
    for (number, raw) in json::elements(raw).map_err(|e| not_json(&e))?.into_iter().enumerate() {
        let members = json::members(raw, COLUMN_DEPTH).map_err(|e| bad_entry(number, &e))?;
        crc.add(|text| json::write_object(text, &members, KeyOrder::Sorted, COLUMN_DEPTH))
            .map_err(|e| bad_entry(number, &e))?;
        let mut text = String::with_capacity(raw.len());
        json::write_object(&mut text, &members, KeyOrder::AsParsed, COLUMN_DEPTH)
            .map_err(|e| bad_entry(number, &e))?;
        texts.push(text.into());
        parsed = parsed.and_then(|mut columns| {
            columns.push(interpret(&members, number)?);
            Ok(columns)
        });
    }
    Ok(Columns { crc: crc.finish(), parsed, texts })
}

/// What the members of a column's object mean.
fn interpret(members: &[Member<'_>], number: usize) -> Result<Column> {
    let find = |wanted: &str| {
        let mut found = members.iter().filter(|(key, _)| **key == *wanted.as_bytes());
        found.next_back().map(|(_, raw)| *raw)
    };
    let string = |key: &str| match find(key) {
        Some(raw) if raw.starts_with('"') => json::decode_string(raw).map_err(|e| bad_entry(number, &e)),
        Some(raw) => Err(bad_entry(number, &format_args!("its {key} is {raw:.40}, not a string"))),
        None => Err(bad_entry(number, &format_args!("it has no {key:?}"))),
    };
    let name = ColumnName::from_json_bytes(string("name")?);
    let dtype_text = string("dtype").map_err(|e| e.with_column(&name))?;
    let dtype_text = String::from_utf8_lossy(&dtype_text);
    let dtype = DType::parse(&dtype_text).map_err(|e| bad_column(&name, &e))?;
    match find("encoding") {
        None => {}
        Some(raw) if raw.starts_with('"') && json::decode_string(raw).is_ok_and(|text| *text == *b"raw") => {}
        Some(raw) => {
            return Err(bad_column(
                &name,
                &format_args!("its encoding is {raw:.40}; only \"raw\" can be read"),
            ));
        }
    }
    match find("nullable") {
        None | Some("false") => {}
        Some(raw) => {
            return Err(bad_column(&name, &format_args!("nullable is {raw:.40}; only false can be read")));
        }
    }
    Ok(Column::spelled(name, dtype, dtype_text))
}

fn not_json(error: &serde_json::Error) -> Error {
    Error::malformed(format!("the manifest cannot be read as JSON: {error}"))
}

fn bad_entry(number: usize, what: &dyn fmt::Display) -> Error {
    Error::malformed(format!("column {number} of the manifest cannot be read: {what}"))
}

fn bad_column(name: &ColumnName, what: &dyn fmt::Display) -> Error {
    Error::malformed(format!("column {name:?} cannot be read: {what}")).with_column(name)
}
