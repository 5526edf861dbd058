//! The manifest: the JSON text that names the columns.
//!
//! Two texts matter. The one in the file may be laid out in any way. The *canonical* one is made of the parsed
//! columns, with sorted keys; its CRC is what the file stores.
//!
//! A text in the form that writers produce, which is nearly every file, is recognised by `manifest_text.rs`
//! without a JSON parser. Any other text, and any text with an error in it, goes through `manifest_json.rs`.

use crate::constants::FORMAT_VERSION;
use crate::error::{Error, ErrorKind, Result};
use crate::json;
use crate::manifest_json::{self, Document};
use crate::manifest_text;
use crate::schema::Schema;

/// The schema of a file and the text that carries it.
///
/// ```
/// use colstore_format::{Column, DType, Manifest, Schema};
///
/// let schema = Schema::new(vec![Column::new("x", DType::parse("<i4")?)])?;
/// let manifest = Manifest::new(schema);
/// assert_eq!(manifest.crc(), 2_049_230_696);
/// assert_eq!(
///     String::from_utf8_lossy(&manifest.to_bytes()),
///     r#"{"format_version": 1, "columns": [{"name": "x", "dtype": "<i4", "encoding": "raw", "nullable": false}], "manifest_crc32": 2049230696}"#,
/// );
/// assert_eq!(Manifest::parse(&manifest.to_bytes())?.schema(), manifest.schema());
/// # Ok::<(), colstore_format::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Manifest {
    schema: Schema,
    crc: u32,
    /// The columns as a file in another than the writers' form describes them, in JSON.
    as_parsed: Option<Box<[Box<str>]>>,
}

impl Manifest {
    /// The manifest of a new file.
    pub fn new(schema: Schema) -> Manifest {
        let crc = manifest_text::canonical_crc(&schema);
        Manifest { schema, crc, as_parsed: None }
    }

    /// Reads the text of a manifest. Checked are, in this order: UTF-8, JSON, version, CRC, columns.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) for anything that is no manifest of version 1 with intact, readable columns.
    pub fn parse(bytes: &[u8]) -> Result<Manifest> {
        let text = std::str::from_utf8(bytes).map_err(|e| {
            let at = e.valid_up_to();
            Error::malformed(format!("the manifest is not UTF-8: byte {at} of it starts no character"))
        })?;
        match parse_writers_form(text) {
            Some(manifest) => Ok(manifest),
            None => parse_any(text),
        }
    }

    /// The columns.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The text for a file, in the form of colstore 0.5.1. The columns of a parsed manifest keep what is not
    /// standard about them: unknown keys, their order, keys that are missing.
    pub fn to_bytes(&self) -> Vec<u8> {
        manifest_text::write(&self.schema, self.as_parsed.as_deref(), self.crc).into_bytes()
    }

    /// The CRC-32 of the canonical text of the columns.
    pub fn crc(&self) -> u32 {
        self.crc
    }
}

/// Reads a text in the writers' form. `None` if it is another, or if there is anything wrong with it.
fn parse_writers_form(text: &str) -> Option<Manifest> {
    let (columns, crc) = manifest_text::scan(text)?;
    let manifest = Manifest::new(Schema::new(columns).ok()?);
    (manifest.crc == crc).then_some(manifest)
}

fn parse_any(text: &str) -> Result<Manifest> {
    let document = manifest_json::parse_document(text)?;
    check_version(&document)?;
    let columns = document.columns.ok_or_else(|| Error::malformed("the manifest has no \"columns\""))?;
    let columns = manifest_json::parse_columns(columns)?;
    check_crc(&document, columns.crc)?;
    let schema = columns.parsed.and_then(Schema::new).map_err(|e| e.with_kind(ErrorKind::Malformed))?;
    Ok(Manifest { schema, crc: columns.crc, as_parsed: Some(columns.texts.into()) })
}

fn check_version(document: &Document<'_>) -> Result<()> {
    match document.format_version {
        None => Err(Error::malformed("the manifest has no \"format_version\"")),
        Some(raw) if json::number(raw) == Some(f64::from(FORMAT_VERSION)) => Ok(()),
        Some(raw) => Err(Error::malformed(format!(
            "format version {raw:.40} is not supported; this reader knows version {FORMAT_VERSION}"
        ))),
    }
}

fn check_crc(document: &Document<'_>, computed: u32) -> Result<()> {
    match document.manifest_crc32 {
        None | Some("null") => Ok(()),
        Some(raw) if json::number(raw) == Some(f64::from(computed)) => Ok(()),
        Some(raw) => Err(Error::malformed(format!(
            "the manifest is damaged: its manifest_crc32 is {raw:.40}, its columns give {computed}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column_name::ColumnName;
    use crate::dtype::DType;
    use crate::schema::Column;
    use proptest::prelude::*;

    const X: &str = r#"{"name": "x", "dtype": "<i4", "encoding": "raw", "nullable": false}"#;

    /// A text with its right CRC, which is computed by way of a first, unchecked reading.
    fn sealed(columns: &str) -> String {
        let text = format!(r#"{{"format_version": 1, "columns": {columns}"#);
        let crc = Manifest::parse(format!("{text}}}").as_bytes()).unwrap().crc();
        format!(r#"{text}, "manifest_crc32": {crc}}}"#)
    }

    fn error(text: &str) -> Error {
        let error = Manifest::parse(text.as_bytes()).map(|_| ()).expect_err(text);
        assert_eq!(error.kind(), ErrorKind::Malformed);
        error
    }

    #[test]
    fn layout_of_the_text_does_not_matter() {
        let expected = Manifest::parse(sealed(&format!("[{X}]")).as_bytes()).unwrap();
        assert_eq!(expected.crc(), 2_049_230_696);
        for text in [
            r#"{"manifest_crc32":2049230696,"columns":[{"nullable":false,"encoding":"raw","dtype":"<i4","name":"x"}],"format_version":1}"#,
            " \r\n\t{\"format_version\": 1.0, \"columns\": [\n {\"name\": \"\\u0078\", \"dtype\": \"\\u003Ci4\", \"encoding\": \"r\\u0061w\", \"nullable\": false}], \"manifest_crc32\": 2049230696.0}\n",
            &format!(
                r#"{{"n_records": [{{}}], "columns": 7, "columns": [{X}], "format_version": 1, "manifest_crc32": null}}"#
            ),
        ] {
            let manifest = Manifest::parse(text.as_bytes()).unwrap();
            assert_eq!((manifest.schema(), manifest.crc()), (expected.schema(), expected.crc()), "{text}");
        }
    }

    #[test]
    fn unusual_columns_are_written_as_they_were_read() {
        for columns in [
            r#"[{"unit": {"b": [1.5, null], "a": "\u00e9"}, "name": "x", "dtype": ">i4"}]"#,
            r#"[{"name": "x", "dtype": "int32", "nullable": false}, {"name": "y", "dtype": "<f8", "encoding": "raw", "nullable": false}]"#,
            r#"[{"name": "x", "dtype": "<i4", "encoding": "raw", "nullable": false, "": 12345678901234567890123}]"#,
        ] {
            let text = sealed(columns);
            let manifest = Manifest::parse(text.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(manifest.to_bytes()).unwrap(), text);
        }
    }

    #[test]
    fn what_is_wrong_is_said_in_order() {
        let not_utf8 = Manifest::parse(b"{\"a\": \"\xff\"}").unwrap_err();
        assert!(not_utf8.message().contains("UTF-8"), "{not_utf8}");
        // Version before CRC before columns.
        let bad = r#""columns": [{"name": "x", "dtype": "O", "encoding": "raw", "nullable": false}]"#;
        assert!(
            error(&format!(r#"{{"format_version": 2, {bad}, "manifest_crc32": 1}}"#))
                .message()
                .contains("version 2")
        );
        assert!(
            error(&format!(r#"{{"format_version": 1, {bad}, "manifest_crc32": 1}}"#))
                .message()
                .contains("damaged")
        );
        let dtype = error(&format!(r#"{{"format_version": 1, {bad}}}"#));
        assert_eq!(dtype.column(), Some("x"));
        assert!(dtype.message().contains("\"O\""), "{dtype}");
    }

    #[test]
    fn what_is_refused() {
        let column = |column: &str| format!(r#"{{"format_version": 1, "columns": [{column}]}}"#);
        for text in [
            "",
            "null",
            "[]",
            "1",
            "{",
            "{}x",
            "nonsense",
            "\u{feff}{}",
            "{\"a\": NaN}",
            "{'a': 1}",
            "{\"a\": 1,}",
            "{\"a\u{1}\": 1}",
            r#"{"columns": []}"#,
            r#"{"format_version": 1}"#,
            r#"{"format_version": 1, "columns": null}"#,
            r#"{"format_version": 1, "columns": {}}"#,
            r#"{"format_version": "1", "columns": []}"#,
            r#"{"format_version": true, "columns": []}"#,
            r#"{"format_version": 1, "columns": [], "manifest_crc32": "0"}"#,
            r#"{"format_version": 1, "columns": [], "manifest_crc32": true}"#,
            r#"{"format_version": 1, "columns": []}{}"#,
            "{\"format_version\": 1, \"columns\": []}\0",
            &format!(r#"{{"format_version": 1, "columns": [], "x": {}{}}}"#, "[".repeat(64), "]".repeat(64)),
            &column("1"),
            &column("[]"),
            &column("{}"),
            &column(r#"{"name": "x"}"#),
            &column(r#"{"dtype": "<i4"}"#),
            &column(r#"{"name": 1, "dtype": "<i4"}"#),
            &column(r#"{"name": "x", "dtype": 4}"#),
            &column(r#"{"name": "x", "dtype": null}"#),
            &column(r#"{"name": "x", "dtype": "<i4", "encoding": "zstd"}"#),
            &column(r#"{"name": "x", "dtype": "<i4", "encoding": null}"#),
            &column(r#"{"name": "x", "dtype": "<i4", "nullable": true}"#),
            &column(r#"{"name": "x", "dtype": "<i4", "nullable": 0}"#),
            &column(r#"{"name": "x", "dtype": "<i4", "extra": 1e999}"#),
            &column("{\"name\": \"a\nb\", \"dtype\": \"<i4\"}"),
            &column(r#"{"name": "x", "dtype": "<i4"}, {"name": "x", "dtype": "<i8"}"#),
            &column(&format!("{X}, {X}")),
            &column(r#"{"name": "\x", "dtype": "<i4"}"#),
            &column(r#"{"name": "\ud8", "dtype": "<i4"}"#),
            &column(&format!(
                r#"{{"name": "x", "dtype": "<i4", "x": {}{}}}"#,
                "[".repeat(62),
                "]".repeat(62)
            )),
        ] {
            error(text);
        }
        // One level less is fine in both places.
        for text in [
            format!(r#"{{"format_version": 1, "columns": [], "x": {}{}}}"#, "[".repeat(63), "]".repeat(63)),
            column(&format!(r#"{{"name": "x", "dtype": "<i4", "x": {}{}}}"#, "[".repeat(61), "]".repeat(61))),
        ] {
            Manifest::parse(text.as_bytes()).unwrap();
        }
    }

    /// Names of all kinds, one in four with a lone surrogate at its end.
    fn any_name() -> impl Strategy<Value = ColumnName> {
        let text = prop_oneof!["[a-z]{0,3}", any::<String>(), "[\\x00-\\x7f\\u{80}\\u{ffff}\\u{1f600}]{0,4}"];
        (text, 0u8..4, 0xa0u8..0xc0, 0x80u8..0xc0).prop_map(|(text, lone, second, third)| {
            let mut bytes = text.into_bytes();
            if lone == 0 {
                bytes.extend([0xed, second, third]);
            }
            ColumnName::from_wtf8(&bytes).unwrap()
        })
    }

    fn any_schema() -> impl Strategy<Value = Schema> {
        let dtypes = vec!["|b1", "<i4", ">f8", "<M8[25s]", "|S7", "<U3", "<f16"];
        proptest::collection::vec((any_name(), proptest::sample::select(dtypes)), 0..20).prop_map(|columns| {
            let mut seen = std::collections::HashSet::new();
            let columns = columns.into_iter().filter(|(name, _)| seen.insert(name.clone()));
            let columns = columns.map(|(name, dtype)| Column::new(name, DType::parse(dtype).unwrap()));
            Schema::new(columns.collect()).unwrap()
        })
    }

    proptest! {
        #[test]
        fn round_trip(schema in any_schema()) {
            let manifest = Manifest::new(schema);
            let text = manifest.to_bytes();
            prop_assert!(text.is_ascii());
            let parsed = Manifest::parse(&text).unwrap();
            prop_assert_eq!(parsed.schema(), manifest.schema());
            prop_assert_eq!(parsed.to_bytes(), text);
        }

        /// The reader of the writers' form and the one of any JSON agree.
        #[test]
        fn two_readers_one_result(schema in any_schema()) {
            let text = String::from_utf8(Manifest::new(schema).to_bytes()).unwrap();
            let quick = (!text.contains("[]")).then(|| parse_writers_form(&text).unwrap());
            let general = parse_any(&text).unwrap();
            if let Some(quick) = quick {
                prop_assert_eq!((quick.schema(), quick.crc()), (general.schema(), general.crc()));
            }
            prop_assert_eq!(general.to_bytes(), text.into_bytes());
        }

        #[test]
        fn any_change_is_found_or_harmless(at: proptest::sample::Index, byte: u8) {
            let text = sealed(&format!("[{X}]")).into_bytes();
            let original = Manifest::parse(&text).unwrap();
            let mut changed = text.clone();
            changed[at.index(text.len())] = byte;
            if let Ok(manifest) = Manifest::parse(&changed) {
                // What can go unnoticed: white space, and the key of the CRC itself.
                prop_assert!(manifest.schema() == original.schema() || !changed.windows(15).any(|w| w == b"manifest_crc32\""));
            }
        }

        #[test]
        fn any_bytes(bytes: Vec<u8>, json in "[\\[\\]{}\":, a0-9.eE\\\\u-]{0,40}") {
            let _ = Manifest::parse(&bytes);
            let _ = Manifest::parse(json.as_bytes());
            let _ = Manifest::parse(format!(r#"{{"format_version": 1, "columns": [{json}]}}"#).as_bytes());
        }
    }
}
