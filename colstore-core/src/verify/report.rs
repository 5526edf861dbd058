//! What a check has found.

use std::path::{Path, PathBuf};

/// Findings of one file that are kept; beyond them they are counted.
const MOST_FINDINGS: u64 = 1000;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing: nothing is wrong with the data.
    Note,
    /// Not as writers leave a file, but readers get the right values.
    Warning,
    /// Damage: the file cannot be read, or not all that it says is true.
    Error,
}

impl Severity {
    /// One word: `note`, `warning`, `error`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $code:ident $name:literal,)*) => {
        /// What a finding is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum FindingCode {
            $($(#[doc = $doc])+ $code,)*
        }

        impl FindingCode {
            /// Every code.
            pub const ALL: &'static [FindingCode] = &[$(FindingCode::$code),*];

            /// A word for programs, such as `record`; it never changes.
            pub fn name(self) -> &'static str {
                match self {
                    $(FindingCode::$code => $name,)*
                }
            }
        }
    };
}

codes! {
    /// The system does not let it be read.
    Unreadable "unreadable",
    /// It does not begin as a `.cstore` file does.
    Magic "magic",
    /// The counters block is cut off or damaged, or claims what cannot be.
    Counters "counters",
    /// Bytes that are reserved are not zero: damage, or a writer of later days.
    Reserved "reserved",
    /// The manifest is cut off, damaged, or of no known form.
    Manifest "manifest",
    /// The manifest is right, but not the text that a writer makes of its columns.
    ManifestForm "manifest-form",
    /// Bytes that only fill up are not zero, or not there.
    Padding "padding",
    /// A record that is committed is not whole.
    Record "record",
    /// The records do not hold as many rows as the counters say.
    Rows "rows",
    /// There is no sound statistics footer where the counters say that there is one.
    Statistics "statistics",
    /// There is no statistics footer any more where there was one.
    StatisticsMissing "statistics-missing",
    /// The values are not what the statistics say.
    Extremes "extremes",
    /// A value that no value of its type looks like.
    Value "value",
    /// There are whole records beyond the committed ones.
    Orphans "orphan-records",
    /// There are bytes behind everything that counts.
    Trailing "trailing-bytes",
    /// A file of a directory has other columns than the first.
    Schema "schema",
    /// A file that is not part of the directory's table.
    ForeignFile "foreign-file",
    /// A temporary file, of a writer that is at work or has died.
    TemporaryFile "temporary-file",
    /// There are more findings than are listed.
    More "more",
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What it is about.
    pub code: FindingCode,
    /// What was expected and what was found, in words.
    pub message: String,
    /// The file.
    pub path: PathBuf,
    /// Where, in bytes from the start of the file.
    pub offset: Option<u64>,
    /// In which record, counted from 0.
    pub record: Option<u64>,
    /// In which column, by name (lone surrogates are shown escaped).
    pub column: Option<String>,
}

/// What [`verify`](crate::verify()) has found.
#[derive(Debug, Clone, Default)]
pub struct VerifyReport {
    /// What was found, file by file; of each file at most a thousand, and one more that says so.
    pub findings: Vec<Finding>,
    /// The number of errors, listed or not.
    pub n_errors: u64,
    /// The number of warnings, listed or not.
    pub n_warnings: u64,
    /// The number of notes, listed or not.
    pub n_notes: u64,
    /// The number of files that were looked at as tables.
    pub n_files: u64,
    /// The number of committed records that were found to be whole.
    pub n_records: u64,
    /// The number of rows in them.
    pub n_rows: u64,
    /// The bytes of all files together.
    pub n_bytes: u64,
    /// The bytes of values that were read, with [`deep`](crate::VerifyOptions::deep).
    pub n_value_bytes: u64,
}

impl VerifyReport {
    /// Whether nothing is damaged: there is no error among the findings.
    pub fn is_sound(&self) -> bool {
        self.n_errors == 0
    }

    /// Adds the findings of one file.
    pub(super) fn take(&mut self, file: Findings) {
        let Findings { path, listed, counts } = file;
        let [notes, warnings, errors] = counts;
        self.n_notes += notes;
        self.n_warnings += warnings;
        self.n_errors += errors;
        let total: u64 = counts.iter().sum();
        let more = total - listed.len() as u64;
        self.findings.extend(listed);
        if more > 0 {
            let severity = if errors > 0 { Severity::Error } else { Severity::Warning };
            self.findings.push(Finding {
                severity,
                code: FindingCode::More,
                message: format!("{more} more findings of this file are not listed"),
                path,
                offset: None,
                record: None,
                column: None,
            });
        }
    }
}

/// The findings of one file while it is being looked at.
#[derive(Debug)]
pub(super) struct Findings {
    path: PathBuf,
    listed: Vec<Finding>,
    /// Notes, warnings, errors.
    counts: [u64; 3],
}

impl Findings {
    pub(super) fn new(path: &Path) -> Findings {
        Findings { path: path.to_path_buf(), listed: Vec::new(), counts: [0; 3] }
    }

    /// Adds a finding, of which what is known of the place may then be told.
    pub(super) fn add(
        &mut self,
        severity: Severity,
        code: FindingCode,
        message: impl Into<String>,
    ) -> Place<'_> {
        self.counts[severity as usize] += 1;
        if self.listed.len() as u64 >= MOST_FINDINGS {
            return Place(None);
        }
        self.listed.push(Finding {
            severity,
            code,
            message: message.into(),
            path: self.path.clone(),
            offset: None,
            record: None,
            column: None,
        });
        Place(self.listed.last_mut())
    }

    /// Adds what the format crate says is wrong.
    pub(super) fn add_error(
        &mut self,
        severity: Severity,
        code: FindingCode,
        error: &colstore_format::Error,
    ) -> Place<'_> {
        let place = self.add(severity, code, error.message());
        let place = match error.offset() {
            Some(offset) => place.at(offset),
            None => place,
        };
        match error.column() {
            Some(column) => place.column(column),
            None => place,
        }
    }

    /// Puts them in the order of the file, of which `size` is known. What is missing is so at its end.
    pub(super) fn sort(&mut self, size: Option<u64>) {
        for finding in &mut self.listed {
            finding.offset = finding.offset.map(|offset| offset.min(size.unwrap_or(offset)));
        }
        self.listed.sort_by_key(|finding| finding.offset);
    }
}

/// Where a finding is told its place.
pub(super) struct Place<'a>(Option<&'a mut Finding>);

impl Place<'_> {
    pub(super) fn at(mut self, offset: u64) -> Self {
        if let Some(finding) = &mut self.0 {
            finding.offset = Some(offset);
        }
        self
    }

    pub(super) fn record(mut self, record: u64) -> Self {
        if let Some(finding) = &mut self.0 {
            finding.record = Some(record);
        }
        self
    }

    pub(super) fn column(mut self, column: &(impl ToString + ?Sized)) -> Self {
        if let Some(finding) = &mut self.0 {
            finding.column = Some(column.to_string());
        }
        self
    }
}
