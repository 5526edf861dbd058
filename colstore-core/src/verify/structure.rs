//! Everything of one file but its values.

use std::path::Path;
use std::sync::Arc;

use colstore_format::{
    COUNTERS_OFFSET, Counters, HEADER_ALIGNMENT, Manifest, Preamble, RECORD_MAGIC, RecordChain, RecordHeader,
    STATISTICS_MAGIC, Schema, Statistics,
};

use super::report::{FindingCode, Findings, Severity};
use crate::Progress;
use crate::descriptors::Descriptor;
use crate::error::{Error, Result};
use crate::record_index::RecordIndex;
use crate::recover::{TAIL_START, TailKind, tail_kind};
use crate::source::Source;

/// Records that are walked between two looks at whether to go on.
const RECORDS_AT_ONCE: u64 = 1024;

/// What is read of a footer that cannot be one for the file, to say why: magic, version, counts and the first name.
const FOOTER_START: u64 = 64 << 10;

/// What is needed to go on to the values.
pub(super) struct Structure {
    pub(super) descriptor: Arc<Descriptor>,
    pub(super) manifest: Manifest,
    /// The committed records; with damaged counters all whole ones.
    pub(super) records: RecordIndex,
    pub(super) statistics: Option<Statistics>,
}

/// What there is of statistics.
enum Footer {
    None,
    Damaged,
    /// From this byte of the file on.
    Sound(u64, Statistics),
}

/// What came of a look at one file.
pub(super) struct Outcome {
    pub(super) file_size: u64,
    pub(super) structure: Option<Structure>,
}

/// Checks the file at `path` as far as what is intact leads.
pub(super) fn check(path: &Path, progress: Option<&Progress>, findings: &mut Findings) -> Result<Outcome> {
    let source = Source::open(path)?;
    let file_size = source.size;
    let (preamble, counters) = match source.preamble() {
        Ok(parts) => parts,
        Err(error) => {
            let code = match error.offset() {
                Some(0) => FindingCode::Magic,
                Some(COUNTERS_OFFSET) => FindingCode::Counters,
                _ => FindingCode::Manifest,
            };
            findings.add_error(Severity::Error, code, &error);
            return Ok(Outcome { file_size, structure: None });
        }
    };
    check_counters(source.counters_block(), &counters, findings);
    let manifest = source.with_manifest(&preamble, |text| check_manifest(text, findings))?;
    let Some(manifest) = manifest else { return Ok(Outcome { file_size, structure: None }) };

    let mut walk = Walk { source, progress, findings };
    walk.check_header_padding(&preamble)?;
    let counters = counters.ok();
    let mut chain = RecordChain::new(manifest.schema(), preamble.data_offset(), file_size);
    let records = walk.committed_records(&mut chain, counters)?;
    let mut footer = Footer::None;
    let is_whole = counters.is_none_or(|counters| counters.n_records == chain.n_records());
    if is_whole {
        footer = walk.check_behind(&mut chain, counters)?;
    }
    let statistics = match footer {
        Footer::Sound(offset, statistics) => {
            check_flags(&statistics, offset, manifest.schema(), &records, walk.findings);
            Some(statistics)
        }
        Footer::None | Footer::Damaged => None,
    };
    let descriptor = Descriptor::new(walk.source.file).map_err(|e| Error::io("examine", path, &e))?;
    let structure = Structure { descriptor, manifest, records, statistics };
    Ok(Outcome { file_size, structure: Some(structure) })
}

fn check_counters(
    block: Option<&[u8; Counters::LEN]>,
    counters: &colstore_format::Result<Counters>,
    findings: &mut Findings,
) {
    if let Err(error) = counters {
        findings.add_error(Severity::Error, FindingCode::Counters, error);
    }
    if let Some(at) = block.and_then(Counters::first_reserved) {
        let message = "reserved bytes of the counters block are not zero: damage, or a writer of later days; readers \
                       pass over them";
        findings.add(Severity::Warning, FindingCode::Reserved, message).at(COUNTERS_OFFSET + at as u64);
    }
}

fn check_manifest(text: &[u8], findings: &mut Findings) -> Option<Manifest> {
    let start = Preamble::LEN as u64;
    let manifest = match Manifest::parse(text) {
        Ok(manifest) => manifest,
        Err(error) => {
            findings.add_error(Severity::Error, FindingCode::Manifest, &error).at(start);
            return None;
        }
    };
    let usual = manifest.to_bytes();
    if usual != text {
        let at = usual.iter().zip(text).take_while(|(a, b)| a == b).count() as u64;
        let message = format!(
            "the manifest is not the text that writers make of its columns (with the checksum {}), from byte {at} of it on; \
             readers take it as it is",
            manifest.crc()
        );
        findings.add(Severity::Warning, FindingCode::ManifestForm, message).at(start + at);
    }
    Some(manifest)
}

/// Whether there are extremes only where there are rows, and zeros where there are none.
fn check_flags(
    statistics: &Statistics,
    offset: u64,
    schema: &Schema,
    records: &RecordIndex,
    findings: &mut Findings,
) {
    for (column, own) in schema.columns().iter().zip(statistics.columns()) {
        let size = column.dtype().itemsize();
        for (record, n_rows) in records.record_rows().enumerate() {
            let is_zero = |values: &[u8]| values[record * size..][..size].iter().all(|byte| *byte == 0);
            let (severity, message) = match own.valid[record] {
                true if n_rows == 0 => {
                    (Severity::Error, "the statistics speak of values in a record without rows")
                }
                false if !is_zero(&own.min) || !is_zero(&own.max) => (
                    Severity::Warning,
                    "the statistics have values that they say are not known; readers do without",
                ),
                _ => continue,
            };
            let place = findings.add(severity, FindingCode::Statistics, message);
            place.at(offset).record(record as u64).column(column.name());
        }
    }
}

/// The way along the records.
struct Walk<'a, 'f> {
    source: Source<'a>,
    progress: Option<&'a Progress>,
    findings: &'f mut Findings,
}

impl Walk<'_, '_> {
    fn check_header_padding(&mut self, preamble: &Preamble) -> Result<()> {
        let start = Preamble::LEN as u64 + preamble.manifest_len();
        let len = preamble.data_offset() - start;
        debug_assert!(len < HEADER_ALIGNMENT);
        let bytes = self.source.peek(start, len as usize, 0)?;
        if (bytes.len() as u64) < len {
            let message = format!(
                "the header is cut off: it ends at byte {}, the file at {}",
                preamble.data_offset(),
                self.source.size
            );
            self.findings.add(Severity::Warning, FindingCode::Padding, message).at(self.source.size);
        } else if let Some(at) = first_nonzero(bytes) {
            let message = "bytes between the manifest and the first record are not zero: readers pass over them, but no \
                           writer leaves them so";
            self.findings.add(Severity::Error, FindingCode::Padding, message).at(start + at);
        }
        Ok(())
    }

    /// Walks the records that are committed, or all that are whole if the counters do not say how many there are.
    fn committed_records(
        &mut self,
        chain: &mut RecordChain<'_>,
        counters: Option<Counters>,
    ) -> Result<RecordIndex> {
        let n_records = counters.map_or(u64::MAX, |counters| counters.n_records);
        let mut records = RecordIndex::with_capacity(0);
        let mut step = 0;
        while chain.n_records() < n_records {
            let (index, offset) = (chain.n_records(), chain.end());
            self.go_on(index)?;
            let header = self.source.peek(offset, RecordHeader::LEN, step)?;
            let is_reserved_zero = header.first_chunk().is_none_or(RecordHeader::is_reserved_zero);
            let record = match chain.push(header) {
                Ok(record) => record,
                Err(_) if counters.is_none() => break,
                Err(error) => {
                    let claimed = n_records - index;
                    let place = self.findings.add_error(Severity::Error, FindingCode::Record, &error);
                    place.at(error.offset().unwrap_or(offset)).record(index);
                    if claimed > 1 {
                        let message =
                            format!("{} records behind record {index} cannot be found", claimed - 1);
                        self.findings
                            .add(Severity::Error, FindingCode::Record, message)
                            .record(index)
                            .at(offset);
                    }
                    return Ok(records);
                }
            };
            if !is_reserved_zero {
                let message =
                    format!("the reserved field of record {index} is not zero: a writer of later days?");
                let place = self.findings.add(Severity::Warning, FindingCode::Reserved, message);
                place.at(offset + 20).record(index);
            }
            records.push(&record);
            step = chain.end() - offset;
            self.check_padding(chain, record.n_rows, index, step)?;
        }
        if let Some(counters) = counters.filter(|counters| counters.committed_rows != chain.n_rows()) {
            let message = format!(
                "the counters claim {} rows; the {} records hold {}",
                counters.committed_rows,
                chain.n_records(),
                chain.n_rows()
            );
            self.findings.add(Severity::Error, FindingCode::Rows, message).at(COUNTERS_OFFSET + 8);
        }
        Ok(records)
    }

    fn check_padding(&mut self, chain: &RecordChain<'_>, n_rows: u64, index: u64, step: u64) -> Result<()> {
        let len = chain.padding(n_rows);
        if len == 0 {
            return Ok(());
        }
        let start = chain.end() - len;
        let bytes = self.source.peek(start, len as usize, step)?;
        if let Some(at) = first_nonzero(bytes) {
            let message = format!(
                "bytes that fill up record {index} are not zero: readers pass over them, but no writer leaves them so"
            );
            let place = self.findings.add(Severity::Error, FindingCode::Padding, message);
            place.at(start + at).record(index);
        }
        Ok(())
    }

    /// Looks at what is behind the committed records.
    fn check_behind(&mut self, chain: &mut RecordChain<'_>, counters: Option<Counters>) -> Result<Footer> {
        let end = chain.end();
        let (schema, n_records) = (chain.schema().clone(), chain.n_records());
        let n_orphans = self.count_orphans(chain)?;
        let footer = match counters {
            Some(counters) => self.check_statistics(counters, end, n_orphans, &schema)?,
            None => Footer::None,
        };
        if counters.is_none() {
            let message =
                format!("{} can be found without the counters; recover can commit them", whole(n_records));
            self.findings.add(Severity::Note, FindingCode::Orphans, message).at(end);
        }
        match &footer {
            Footer::None => self.note_trailing(chain.end(), chain.n_records(), &schema)?,
            Footer::Sound(offset, _) => {
                let len = Statistics::encoded_len(&schema, n_records).unwrap_or(0);
                self.note_trailing(chain.end().max(offset + len), chain.n_records(), &schema)?;
            }
            // Where they would end is not known.
            Footer::Damaged => {}
        }
        Ok(footer)
    }

    /// Goes on along the chain behind the committed records; gives the number of whole records there.
    fn count_orphans(&mut self, chain: &mut RecordChain<'_>) -> Result<u64> {
        let (first, rows, start) = (chain.n_records(), chain.n_rows(), chain.end());
        let mut step = 0;
        loop {
            let offset = chain.end();
            self.go_on(chain.n_records())?;
            let header = self.source.peek(offset, RecordHeader::LEN, step)?;
            if chain.push(header).is_err() {
                break;
            }
            step = chain.end() - offset;
        }
        let n = chain.n_records() - first;
        if n > 0 {
            let message = format!(
                "{} beyond the committed ones, with {} rows: a writer is at work, or has died; recover can commit them",
                whole(n),
                chain.n_rows() - rows
            );
            self.findings.add(Severity::Note, FindingCode::Orphans, message).at(start).record(first);
        }
        Ok(n)
    }

    fn check_statistics(
        &mut self,
        counters: Counters,
        end: u64,
        n_orphans: u64,
        schema: &Schema,
    ) -> Result<Footer> {
        if counters.stats_offset == 0 {
            return Ok(Footer::None);
        }
        let size = self.source.size;
        let offset = counters.statistics_offset(end).filter(|offset| *offset == end || *offset < size);
        let Some(offset) = offset else {
            let message = format!(
                "the counters put the statistics at byte {}; the records end at byte {end}, the file at byte {size}",
                counters.stats_offset
            );
            self.findings.add(Severity::Error, FindingCode::Statistics, message).at(COUNTERS_OFFSET + 16);
            return Ok(Footer::None);
        };
        let left = self.source.size.saturating_sub(offset);
        let start = self.source.peek(offset, STATISTICS_MAGIC.len(), u64::MAX)?;
        let is_gone = offset == end
            && (start.is_empty() || RECORD_MAGIC.starts_with(&start[..start.len().min(RECORD_MAGIC.len())]));
        if is_gone {
            // An update that crashed has cut them off and perhaps written a record in their place.
            let severity = if start.is_empty() { Severity::Warning } else { Severity::Note };
            let message = if n_orphans > 0 || !start.is_empty() {
                "the statistics were there until a later record took their place; readers do without"
            } else {
                "the statistics that the counters speak of are cut off; readers do without"
            };
            self.findings.add(severity, FindingCode::StatisticsMissing, message).at(offset);
            return Ok(Footer::None);
        }
        // Memory is taken for what begins as a footer, and only as much as one for this file can need.
        let is_footer = start == STATISTICS_MAGIC;
        let len = Statistics::encoded_len(schema, counters.n_records).filter(|_| is_footer);
        let len = len.unwrap_or(FOOTER_START).min(left);
        let bytes = self.source.read_whole(offset, len)?;
        Ok(match Statistics::check(&bytes, offset, schema, counters.n_records) {
            Ok(statistics) => Footer::Sound(offset, statistics),
            Err(error) => {
                self.findings.add_error(Severity::Error, FindingCode::Statistics, &error);
                Footer::Damaged
            }
        })
    }

    /// Notes bytes from `start` on that belong to nothing.
    fn note_trailing(&mut self, start: u64, n_records: u64, schema: &Schema) -> Result<()> {
        let len = self.source.size.saturating_sub(start);
        if len == 0 {
            return Ok(());
        }
        let bytes = self.source.peek(start, TAIL_START, u64::MAX)?;
        let what = match tail_kind(bytes, n_records, start, schema) {
            TailKind::TornRecord => "of a record that was not written to its end",
            TailKind::Statistics => "that begin as statistics do, which the counters do not speak of",
            TailKind::Unknown => "that belong to nothing",
        };
        let message = format!("behind what counts, {len} bytes {what}; readers pass over them");
        self.findings.add(Severity::Note, FindingCode::Trailing, message).at(start);
        Ok(())
    }

    /// Now and then, whether to go on.
    fn go_on(&self, n_done: u64) -> Result<()> {
        let is_due = n_done.is_multiple_of(RECORDS_AT_ONCE);
        if is_due && self.progress.is_some_and(Progress::is_cancelled) {
            return Err(colstore_kernels::Cancelled.into());
        }
        Ok(())
    }
}

fn whole(n: u64) -> String {
    if n == 1 { "1 whole record".to_owned() } else { format!("{n} whole records") }
}

fn first_nonzero(bytes: &[u8]) -> Option<u64> {
    bytes.iter().position(|byte| *byte != 0).map(|at| at as u64)
}
