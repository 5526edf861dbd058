//! What concerns the files of a directory together.

use std::path::Path;

use colstore_format::{Column, Schema, is_shard_name};

use super::Checked;
use super::report::{FindingCode, Findings, Severity, VerifyReport};
use crate::error::{Error, Result};

/// What writers of a directory lock.
const LOCK_NAME: &str = ".colstore.lock";

/// Notes everything in a directory that is not part of its table.
pub(super) fn note_foreign_files(directory: &Path, report: &mut VerifyReport) -> Result<()> {
    let failed = |e: &std::io::Error| Error::io("list", directory, e);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(|e| failed(&e))? {
        let entry = entry.map_err(|e| failed(&e))?;
        let is_shard = is_shard_name(&entry.file_name().to_string_lossy()) && entry.path().is_file();
        if !is_shard && entry.file_name() != LOCK_NAME {
            names.push(entry.file_name());
        }
    }
    names.sort();
    for name in names {
        let mut findings = Findings::new(&directory.join(&name));
        let name = name.to_string_lossy();
        if name.starts_with('.') && name.ends_with(".tmp") {
            let message =
                "a temporary file: a writer is at work, or has died and left it; then it can be removed";
            findings.add(Severity::Note, FindingCode::TemporaryFile, message);
        } else {
            findings.add(
                Severity::Note,
                FindingCode::ForeignFile,
                "not a shard: readers of the directory pass over it",
            );
        }
        report.take(findings);
    }
    Ok(())
}

/// Compares the columns of each file with those of the first: the same names and dtypes, in any order.
pub(super) fn compare_schemas(files: &mut [Checked]) {
    let mut first: Option<(String, Schema)> = None;
    for file in files {
        let Some(structure) = &file.structure else { continue };
        let schema = structure.manifest.schema();
        match &first {
            None => first = Some((file.path.display().to_string(), schema.clone())),
            Some((path, expected)) if expected != schema => {
                compare(expected, schema, path, &mut file.findings);
            }
            Some(_) => {}
        }
    }
}

fn compare(expected: &Schema, found: &Schema, path: &str, findings: &mut Findings) {
    for column in expected.columns() {
        let (name, dtype) = (column.name(), column.dtype_text());
        let other = found.index_of(name.as_bytes()).map(|at| found.columns()[at].dtype_text());
        let message = match other {
            Some(other) if other == dtype => continue,
            Some(other) => format!("column '{name}' has the dtype {other}; in '{path}' it has {dtype}"),
            None => format!("there is no column '{name}', which '{path}' has"),
        };
        findings.add(Severity::Error, FindingCode::Schema, message).column(name);
    }
    for name in found.columns().iter().map(Column::name) {
        if expected.index_of(name.as_bytes()).is_some() {
            continue;
        }
        let message = format!("there is a column '{name}', which '{path}' has not");
        findings.add(Severity::Error, FindingCode::Schema, message).column(name);
    }
}
