//! `colstore info`: size, rows and columns of files, from their headers alone.

use std::path::Path;

use colstore_core::FileInfo;

use crate::args::InfoArguments;
use crate::commands::schema;
use crate::failure::Failure;
use crate::output::{Output, json_string};
use crate::table::{Align, TextColumn, render};
use crate::value::text::printable;

/// One file at length, or one line each of several. Files that cannot be read are reported; the others are shown.
pub(crate) fn run(arguments: &InfoArguments, output: &mut Output) -> Result<(), Failure> {
    let results: Vec<_> = arguments.files.iter().map(|path| (path, colstore_core::info(path))).collect();
    if arguments.json {
        let entries: Vec<String> = results
            .iter()
            .map(|(path, result)| match result {
                Ok(info) => to_json(path, info),
                Err(error) => error_to_json(path, error),
            })
            .collect();
        output.line(&format!("[{}]", entries.join(",\n ")))?;
    } else if let [(path, Ok(info))] = results.as_slice() {
        describe(path, info, output)?;
    } else {
        list(
            results.iter().filter_map(|(path, result)| Some((path.as_path(), result.as_ref().ok()?))),
            output,
        )?;
    }

    output.flush()?;
    let mut failed = false;
    for error in results.into_iter().filter_map(|(_, result)| result.err()) {
        crate::report(&Failure::File(error));
        failed = true;
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

fn describe(path: &Path, info: &FileInfo, output: &mut Output) -> Result<(), Failure> {
    let records = match info.n_records {
        0 | 1 => info.n_records.to_string(),
        several => format!("{several} (a column cannot be had whole without a copy)"),
    };
    for (key, value) in [
        ("file", shown(path)),
        ("format", format!("version {}", info.format_version)),
        ("rows", info.n_rows.to_string()),
        ("records", records),
        ("columns", format!("{}, {} bytes a row", info.schema.len(), info.schema.row_width())),
        ("size", size(info.file_size)),
    ] {
        output.line(&format!("{key:<8} {value}"))?;
    }
    if !info.schema.is_empty() {
        output.line("")?;
        output.text(&schema::to_table(&info.schema, output.width()))?;
    }
    Ok(())
}

fn list<'a>(
    infos: impl Iterator<Item = (&'a Path, &'a FileInfo)>,
    output: &mut Output,
) -> Result<(), Failure> {
    let headings = ["file", "rows", "records", "columns", "size"];
    let mut columns: Vec<TextColumn> = headings
        .iter()
        .enumerate()
        .map(|(index, heading)| TextColumn {
            align: if index == 0 { Align::Left } else { Align::Right },
            heading: vec![(*heading).to_owned()],
            cells: Vec::new(),
        })
        .collect();
    for (path, info) in infos {
        let cells = [
            shown(path),
            info.n_rows.to_string(),
            info.n_records.to_string(),
            info.schema.len().to_string(),
            in_units(info.file_size),
        ];
        for (column, cell) in columns.iter_mut().zip(cells) {
            column.cells.push(cell);
        }
    }
    if columns.first().is_some_and(|files| !files.cells.is_empty()) {
        output.text(&render(columns, output.width()).text)?;
    }
    Ok(())
}

fn to_json(path: &Path, info: &FileInfo) -> String {
    format!(
        "{{\"path\": {}, \"format_version\": {}, \"n_rows\": {}, \"n_records\": {}, \"n_columns\": {}, \
         \"row_size\": {}, \"file_size\": {}, \"columns\": [{}]}}",
        json_string(&path.to_string_lossy()),
        info.format_version,
        info.n_rows,
        info.n_records,
        info.schema.len(),
        info.schema.row_width(),
        info.file_size,
        info.schema.columns().iter().map(schema::name_and_dtype).collect::<Vec<_>>().join(", "),
    )
}

pub(crate) fn error_to_json(path: &Path, error: &colstore_core::Error) -> String {
    format!(
        "{{\"path\": {}, \"error\": {{\"kind\": {}, \"message\": {}}}}}",
        json_string(&path.to_string_lossy()),
        json_string(&format!("{:?}", error.kind())),
        json_string(error.message())
    )
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// `45.3 MB (45312345 bytes)`, or just the bytes when they are few.
fn size(bytes: u64) -> String {
    if bytes < 1000 { in_units(bytes) } else { format!("{} ({bytes} bytes)", in_units(bytes)) }
}

/// Three digits and a decimal unit, rounded down in tenths: `999.9 kB` never reads as a full megabyte.
fn in_units(bytes: u64) -> String {
    const UNITS: [(u64, &str); 6] = [
        (1_000_000_000_000_000_000, "EB"),
        (1_000_000_000_000_000, "PB"),
        (1_000_000_000_000, "TB"),
        (1_000_000_000, "GB"),
        (1_000_000, "MB"),
        (1_000, "kB"),
    ];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{}.{} {name}", bytes / unit, bytes % unit / (unit / 10)),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_readable_and_never_rounded_up() {
        assert_eq!(size(0), "0 bytes");
        assert_eq!(size(999), "999 bytes");
        assert_eq!(size(1000), "1.0 kB (1000 bytes)");
        assert_eq!(in_units(999_999), "999.9 kB");
        assert_eq!(in_units(45_312_345), "45.3 MB");
        assert_eq!(in_units(u64::MAX), "18.4 EB");
    }
}
