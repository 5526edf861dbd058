//! The values: read whole, in pieces of bounded size, and compared with what the statistics say of them.
//!
//! ```text
//! files ──► pieces: small records side by side, or some columns of a large one, or some rows of a large column
//!              │
//!              ▼ pool of threads, each piece read by descriptor into one of a few buffers
//!           runs of one column in one record ──► bytes that no value has; least and greatest
//!                                                        │ of a column in several pieces: merged
//!                                                        ▼
//!                                                   footer's extremes
//! ```

use std::collections::HashMap;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use colstore_format::{ColumnStatistics, DType, Kind};
use colstore_kernels::pool;
use colstore_kernels::reduce::{MinMax, Number, min_max};

use super::report::{FindingCode, Findings, Severity};
use super::structure::Structure;
use super::{Checked, VerifyOptions};
use crate::error::Result;
use crate::number::number;
use crate::options::threads;

/// The most bytes that a thread reads at once.
const PIECE_BYTES: u64 = 2 << 20;

/// Consecutive bytes of a file's records.
struct Piece {
    file: usize,
    records: Range<usize>,
    /// Of a single record, if not all of it is in the piece.
    part: Option<Part>,
    offset: u64,
    len: usize,
}

/// Some columns of a record, or if it is one, some units of it.
struct Part {
    columns: Range<usize>,
    units: Range<u64>,
}

/// Reads the values of all files and adds what is wrong with them to the findings; gives the number of bytes read.
pub(super) fn check(files: &mut [Checked], options: &VerifyOptions<'_>) -> Result<u64> {
    let mut pieces = Vec::new();
    let mut n_bytes = 0;
    for (number, file) in files.iter().enumerate() {
        if let Some(structure) = &file.structure {
            cut(number, structure, &mut pieces);
            n_bytes += structure.records.n_rows().saturating_mul(structure.manifest.schema().row_width());
        }
    }
    let buffers: Mutex<Vec<Vec<u8>>> = Mutex::default();
    let split: Mutex<Split> = Mutex::default();
    let shared: Vec<SharedFile<'_>> = files
        .iter_mut()
        .map(|file| SharedFile {
            path: &file.path,
            structure: file.structure.as_ref(),
            findings: Mutex::new(&mut file.findings),
        })
        .collect();
    let n_threads = threads(options.max_threads, n_bytes);
    pool::run(n_threads, pieces.len(), options.progress, PIECE_BYTES, &|number| {
        let piece = &pieces[number];
        let mut buffer = lock(&buffers).pop().unwrap_or_default();
        shared[piece.file].check(piece, &mut buffer, &split);
        lock(&buffers).push(buffer);
    })?;
    // In the order of the files, whoever was first.
    let mut split: Vec<_> = lock(&split).drain().collect();
    split.sort_by_key(|(place, _)| *place);
    for ((file, record, column), extremes) in split {
        shared[file].compare(record, column, extremes.into_result());
    }
    Ok(n_bytes)
}

/// Cuts the records of a file into pieces.
fn cut(file: usize, structure: &Structure, pieces: &mut Vec<Piece>) {
    let schema = structure.manifest.schema();
    let row_width = schema.row_width();
    let mut open: Option<Piece> = None;
    for record in 0..structure.records.n_records() {
        let (body, n_rows) = structure.records.body(record);
        // No overflow: the body lies inside the file.
        let len = n_rows * row_width;
        if len == 0 {
            continue;
        }
        if let Some(piece) = &mut open {
            let together = body + len - piece.offset;
            if together <= PIECE_BYTES {
                piece.len = together as usize;
                piece.records.end = record + 1;
                continue;
            }
        }
        pieces.extend(open.take());
        if len <= PIECE_BYTES {
            open = Some(Piece {
                file,
                records: record..record + 1,
                part: None,
                offset: body,
                len: len as usize,
            });
        } else {
            cut_record(file, structure, record, pieces);
        }
    }
    pieces.extend(open);
}

/// Cuts one large record: neighbouring columns together while they are small, a large column by its units.
fn cut_record(file: usize, structure: &Structure, record: usize, pieces: &mut Vec<Piece>) {
    let schema = structure.manifest.schema();
    let (body, n_rows) = structure.records.body(record);
    let mut piece = |columns: Range<usize>, units: Range<u64>, start: u64, len: u64| {
        if len > 0 {
            let (offset, len) = (body + start, len as usize);
            let part = Some(Part { columns, units });
            pieces.push(Piece { file, records: record..record + 1, part, offset, len });
        }
    };
    let mut column = 0;
    while column < schema.len() {
        let start = n_rows * schema.prefix_width(column);
        let len_to = |end: usize| n_rows * schema.prefix_width(end) - start;
        let mut end = column;
        while end < schema.len() && len_to(end + 1) <= PIECE_BYTES {
            end += 1;
        }
        if end > column {
            piece(column..end, 0..0, start, len_to(end));
            column = end;
            continue;
        }
        let unit = unit_size(schema.columns()[column].dtype());
        let (n_units, at_once) = (len_to(column + 1) / unit, PIECE_BYTES / unit);
        let mut done = 0;
        while done < n_units {
            let units = done..n_units.min(done + at_once);
            let len = (units.end - units.start) * unit;
            piece(column..column + 1, units.clone(), start + done * unit, len);
            done = units.end;
        }
        column += 1;
    }
}

/// What a column may be cut into: its values, or where these may be long, what they are made of.
fn unit_size(dtype: DType) -> u64 {
    match dtype.kind() {
        Kind::Bytes => 1,
        Kind::Unicode => 4,
        _ => dtype.itemsize() as u64,
    }
}

/// The extremes of columns that lie in several pieces, by file, record and column.
type Split = HashMap<(usize, usize, usize), Extremes>;

/// Extremes of some values of a column.
struct Extremes {
    number: Number,
    merged: Option<MinMax>,
    /// Whether a value has no place in an order.
    is_void: bool,
}

impl Extremes {
    fn add(&mut self, found: Option<MinMax>) {
        match (found, self.merged) {
            (None, _) => self.is_void = true,
            (Some(found), None) => self.merged = Some(found),
            // Pieces come in any order; that matters to the sign of a zero only, which is not compared.
            (Some(found), Some(merged)) => self.merged = Some(merged.merge(self.number, found)),
        }
    }

    fn into_result(self) -> Option<MinMax> {
        self.merged.filter(|_| !self.is_void)
    }
}

/// One file while many threads look at it.
struct SharedFile<'a> {
    path: &'a Path,
    structure: Option<&'a Structure>,
    findings: Mutex<&'a mut Findings>,
}

impl SharedFile<'_> {
    fn check(&self, piece: &Piece, buffer: &mut Vec<u8>, split: &Mutex<Split>) {
        let Some(structure) = self.structure else { return };
        buffer.resize(piece.len, 0);
        let bytes = Mutex::new(&mut buffer[..]);
        let read = |file: &File| file.read_exact_at(*lock(&bytes), piece.offset);
        let failure = match structure.descriptor.with_reopened(self.path, read) {
            Some(Ok(())) => None,
            Some(Err(error)) => Some(error.to_string()),
            None => Some("the file was removed or replaced meanwhile".to_owned()),
        };
        if let Some(failure) = failure {
            let message = format!("{} bytes of values cannot be read: {failure}", piece.len);
            let mut findings = lock(&self.findings);
            let place = findings.add(Severity::Error, FindingCode::Unreadable, message);
            place.at(piece.offset).record(piece.records.start as u64);
            return;
        }
        let schema = structure.manifest.schema();
        for record in piece.records.clone() {
            let (body, n_rows) = structure.records.body(record);
            let columns = piece.part.as_ref().map_or(0..schema.len(), |part| part.columns.clone());
            for column in columns {
                let dtype = schema.columns()[column].dtype();
                let mut start = body + n_rows * schema.prefix_width(column);
                let mut len = n_rows * dtype.itemsize() as u64;
                let units = piece.part.as_ref().map_or(0..0, |part| part.units.clone());
                let is_split = !units.is_empty();
                if is_split {
                    let unit = unit_size(dtype);
                    start += units.start * unit;
                    len = (units.end - units.start) * unit;
                }
                let from = (start - piece.offset) as usize;
                let Some(values) = buffer.get(from..from + len as usize) else { continue };
                self.check_values(values, dtype, start, record, column);
                if structure.statistics.is_none() || values.is_empty() {
                    continue;
                }
                let Some(number) = number(dtype) else { continue };
                let rows = values.len() / number.width();
                // SAFETY: these are `rows` packed values; there are no statistics if any column is big-endian.
                let found = unsafe { min_max(number, values.as_ptr(), rows) };
                if is_split {
                    let fresh = || Extremes { number, merged: None, is_void: false };
                    lock(split).entry((piece.file, record, column)).or_insert_with(fresh).add(found);
                } else {
                    self.compare(record, column, found);
                }
            }
        }
    }

    /// Looks for bytes that no writer makes of a value.
    fn check_values(&self, values: &[u8], dtype: DType, offset: u64, record: usize, column: usize) {
        let (at, what) = match dtype.kind() {
            Kind::Bool => (first_odd_bool(values), "a bool that is neither 0 nor 1"),
            Kind::Unicode => {
                (first_no_character(values, dtype.needs_swap()), "a text with what is no Unicode character")
            }
            _ => return,
        };
        let (Some(at), Some(structure)) = (at, self.structure) else { return };
        let name = structure.manifest.schema().columns()[column].name();
        let end = values.len().min(at + unit_size(dtype) as usize);
        let message = format!("column '{name}' holds {what} ({})", hex(&values[at..end]));
        let mut findings = lock(&self.findings);
        let place = findings.add(Severity::Warning, FindingCode::Value, message);
        place.at(offset + at as u64).record(record as u64).column(name);
    }

    /// Compares the extremes of a column in a record, `None` if they have none, with those of the footer.
    fn compare(&self, record: usize, column: usize, found: Option<MinMax>) {
        let Some(structure) = self.structure else { return };
        let Some(statistics) = &structure.statistics else { return };
        let field = &structure.manifest.schema().columns()[column];
        let (dtype, own) = (field.dtype(), &statistics.columns()[column]);
        let Some(number) = number(dtype).filter(|_| own.valid[record]) else { return };
        let claimed = extremes_of(own, dtype, record);
        let message = match found {
            Some(found)
                if is_same(number, found.min, claimed.min) && is_same(number, found.max, claimed.max) =>
            {
                return;
            }
            Some(found) => format!(
                "the values of column '{}' are not those of the statistics: least {} and greatest {}, where these say {} \
                 and {} (bytes as in the file)",
                field.name(),
                hex(&found.min[..number.width()]),
                hex(&found.max[..number.width()]),
                hex(&claimed.min[..number.width()]),
                hex(&claimed.max[..number.width()])
            ),
            None => format!(
                "column '{}' has no order because of a NaN, an infinity or a NaT, where the statistics speak of a least \
                 and a greatest value",
                field.name()
            ),
        };
        let (body, n_rows) = structure.records.body(record);
        let offset = body + n_rows * structure.manifest.schema().prefix_width(column);
        let mut findings = lock(&self.findings);
        let place = findings.add(Severity::Error, FindingCode::Extremes, message);
        place.at(offset).record(record as u64).column(field.name());
    }
}

/// What a footer says of one record.
fn extremes_of(own: &ColumnStatistics, dtype: DType, record: usize) -> MinMax {
    let size = dtype.itemsize();
    let value = |values: &[u8]| {
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&values[record * size..][..size]);
        bytes
    };
    MinMax { min: value(&own.min), max: value(&own.max) }
}

/// Whether two values are equal; zeros of either sign are.
fn is_same(number: Number, a: [u8; 8], b: [u8; 8]) -> bool {
    let width = number.width();
    let is_zero = |value: [u8; 8]| {
        let mut magnitude = value;
        magnitude[width - 1] &= 0x7f;
        magnitude == [0; 8]
    };
    let is_float = matches!(number, Number::F16 | Number::F32 | Number::F64);
    a == b || is_float && is_zero(a) && is_zero(b)
}

fn first_odd_bool(values: &[u8]) -> Option<usize> {
    const BLOCK: usize = 4096;
    // A loop without a way out becomes vectors.
    let is_odd = |block: &[u8]| block.iter().fold(0, |all, byte| all | byte) > 1;
    let block = values.chunks(BLOCK).position(is_odd)? * BLOCK;
    values[block..].iter().position(|byte| *byte > 1).map(|at| block + at)
}

fn first_no_character(values: &[u8], is_swapped: bool) -> Option<usize> {
    let (units, _) = values.as_chunks::<4>();
    let is_none = |unit: &[u8; 4]| {
        let code = if is_swapped { u32::from_be_bytes(*unit) } else { u32::from_le_bytes(*unit) };
        // Python's own texts hold lone surrogates.
        code > u32::from(char::MAX)
    };
    units.iter().position(is_none).map(|at| 4 * at)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A panic elsewhere does not make what is locked here wrong: it is written in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
