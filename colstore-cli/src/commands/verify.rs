//! `colstore verify`: what is wrong with files, and where.

use std::path::{Path, PathBuf};

use colstore_core::{Error, ErrorKind, Finding, VerifyOptions, VerifyReport};

use crate::args::VerifyArguments;
use crate::commands::info::error_to_json;
use crate::failure::Failure;
use crate::output::{Output, json_string};
use crate::progress::Watch;
use crate::value::text::printable;

/// Findings one a line, then what was checked. What cannot be read is reported; the others are checked.
pub(crate) fn run(arguments: &VerifyArguments, output: &mut Output) -> Result<(), Failure> {
    let watch = arguments.deep.then(|| Watch::start("verify"));
    let progress = watch.as_ref().map(Watch::progress);
    let options = VerifyOptions { deep: arguments.deep, progress, ..VerifyOptions::default() };
    let mut total = VerifyReport::default();
    let mut failures: Vec<(&PathBuf, Error)> = Vec::new();
    for path in &arguments.paths {
        match colstore_core::verify(path, &options) {
            Ok(report) => {
                if !arguments.json {
                    for finding in &report.findings {
                        output.line(&to_line(finding))?;
                    }
                }
                add(&mut total, report, arguments.json);
            }
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error.into()),
            Err(error) => failures.push((path, error)),
        }
    }
    if arguments.json {
        output.line(&to_json(&total, arguments.deep, &failures))?;
    } else if total.n_files > 0 || failures.is_empty() {
        output.line(&summary(&total, arguments.deep))?;
    }
    output.flush()?;
    let failed = !failures.is_empty();
    for (_, error) in failures {
        crate::report(&Failure::File(error));
    }
    if failed || !total.is_sound() { Err(Failure::Reported) } else { Ok(()) }
}

/// Adds one report to those before.
fn add(total: &mut VerifyReport, report: VerifyReport, keep_findings: bool) {
    total.n_errors += report.n_errors;
    total.n_warnings += report.n_warnings;
    total.n_notes += report.n_notes;
    total.n_files += report.n_files;
    total.n_records += report.n_records;
    total.n_rows += report.n_rows;
    total.n_bytes += report.n_bytes;
    total.n_value_bytes += report.n_value_bytes;
    if keep_findings {
        total.findings.extend(report.findings);
    }
}

/// `error    events.cstore: …, record 3, column x (at byte 1234) [record]`
fn to_line(finding: &Finding) -> String {
    let mut line =
        format!("{:<8} {}: {}", finding.severity.name(), shown(&finding.path), printable(&finding.message));
    let mut places = Vec::new();
    if let Some(record) = finding.record {
        places.push(format!("record {record}"));
    }
    if let Some(offset) =
        finding.offset.filter(|offset| !finding.message.ends_with(&format!("(at byte {offset})")))
    {
        places.push(format!("at byte {offset}"));
    }
    if !places.is_empty() {
        line.push_str(&format!(" ({})", places.join(", ")));
    }
    line.push_str(&format!(" [{}]", finding.code.name()));
    line
}

fn summary(report: &VerifyReport, deep: bool) -> String {
    let verdict = match report.n_errors {
        0 => "sound".to_owned(),
        n => counted(n, "error"),
    };
    let others: String = [(report.n_warnings, "warning"), (report.n_notes, "note")]
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!(", {}", counted(*n, what)))
        .collect();
    let values = match deep {
        true => format!("{} bytes of values read, which have no checksum", report.n_value_bytes),
        false => "values not read (--deep)".to_owned(),
    };
    format!(
        "{verdict}{others}: {}, {}, {}; {values}",
        counted(report.n_files, "file"),
        counted(report.n_records, "record"),
        counted(report.n_rows, "row")
    )
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn to_json(report: &VerifyReport, deep: bool, failures: &[(&PathBuf, Error)]) -> String {
    let findings: Vec<String> = report.findings.iter().map(finding_to_json).collect();
    let failures: Vec<String> = failures.iter().map(|(path, error)| error_to_json(path, error)).collect();
    format!(
        "{{\"sound\": {}, \"deep\": {deep}, \"n_errors\": {}, \"n_warnings\": {}, \"n_notes\": {}, \"n_files\": {}, \
         \"n_records\": {}, \"n_rows\": {}, \"n_bytes\": {}, \"n_value_bytes\": {},\n \"findings\": [{}],\n \
         \"failures\": [{}]}}",
        report.is_sound() && failures.is_empty(),
        report.n_errors,
        report.n_warnings,
        report.n_notes,
        report.n_files,
        report.n_records,
        report.n_rows,
        report.n_bytes,
        report.n_value_bytes,
        findings.join(",\n  "),
        failures.join(",\n  "),
    )
}

fn finding_to_json(finding: &Finding) -> String {
    let number = |number: Option<u64>| number.map_or("null".to_owned(), |number| number.to_string());
    format!(
        "{{\"severity\": {}, \"code\": {}, \"message\": {}, \"path\": {}, \"offset\": {}, \"record\": {}, \"column\": {}}}",
        json_string(finding.severity.name()),
        json_string(finding.code.name()),
        json_string(&finding.message),
        json_string(&finding.path.to_string_lossy()),
        number(finding.offset),
        number(finding.record),
        finding.column.as_deref().map_or("null".to_owned(), json_string),
    )
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_says_what_was_found_in_what() {
        let mut report = VerifyReport { n_files: 1, n_records: 2, n_rows: 1, ..VerifyReport::default() };
        assert_eq!(summary(&report, false), "sound: 1 file, 2 records, 1 row; values not read (--deep)");
        report.n_errors = 3;
        report.n_notes = 1;
        report.n_value_bytes = 12;
        let text =
            "3 errors, 1 note: 1 file, 2 records, 1 row; 12 bytes of values read, which have no checksum";
        assert_eq!(summary(&report, true), text);
    }
}
