//! What a file holds, whatever its counters say.

use std::path::{Path, PathBuf};

use colstore_format::{
    Counters, Manifest, RECORD_MAGIC, RecordChain, RecordHeader, STATISTICS_MAGIC, Schema, Statistics,
};

use crate::error::{Error, Result};
use crate::source::Source;

/// Records that are listed one by one; beyond them there are only counts.
const MOST_LISTED: usize = 1000;

/// Bytes by which it is told what lies behind the records.
pub(crate) const TAIL_START: usize = RecordHeader::LEN;

/// A run of records from the first one on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// The number of records.
    pub n_records: u64,
    /// The number of their rows.
    pub n_rows: u64,
    /// Where the last of them ends, in bytes from the start of the file.
    pub end: u64,
}

/// Whether the counters block can be relied on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountersState {
    /// It is intact, and the records are there.
    Intact,
    /// It is intact, and does not agree with the records; the text says how.
    Wrong(String),
    /// Its bytes are damaged, as by a write that was torn; the text says where.
    Damaged(String),
}

/// A whole record that is not committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundRecord {
    /// Its position in the file, from 0.
    pub index: u64,
    /// Where its header starts, in bytes from the start of the file.
    pub offset: u64,
    /// The number of its rows.
    pub n_rows: u64,
}

/// What lies behind the last whole record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail {
    /// Where it starts, in bytes from the start of the file.
    pub offset: u64,
    /// The number of its bytes.
    pub len: u64,
    /// What it seems to be.
    pub kind: TailKind,
    /// Why it is no whole record.
    pub reason: String,
}

/// What the bytes behind the last whole record seem to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TailKind {
    /// A statistics footer, intact or not.
    Statistics,
    /// The beginning of a record that was not written to its end.
    TornRecord,
    /// A record whose header is damaged, or anything else: records may lie behind it that cannot be found.
    Unknown,
}

/// What a file holds: what readers see of it, and what could be recovered. See [`inspect`].
#[derive(Debug, Clone)]
pub struct Recoverable {
    /// The path as it was given.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub file_size: u64,
    /// Names and dtypes of the columns.
    pub schema: Schema,
    /// Whether the counters block can be relied on.
    pub counters: CountersState,
    /// What readers see; `None` if they refuse the file, because its counters are not intact.
    pub committed: Option<Counts>,
    /// The records that the counters claim, where their checksum holds.
    pub claimed_records: Option<u64>,
    /// All whole records from the first on, committed or not.
    pub whole: Counts,
    /// The whole records that are not committed, the first thousand of them.
    pub records: Vec<FoundRecord>,
    /// Where a statistics footer for exactly the whole records starts, in bytes from the start of the file.
    pub statistics_offset: Option<u64>,
    /// What lies behind the last whole record.
    pub tail: Option<Tail>,
    pub(super) statistics_len: u64,
}

impl Recoverable {
    /// The number of whole records that readers do not see.
    pub fn n_recoverable_records(&self) -> u64 {
        self.whole.n_records - self.committed.map_or(0, |committed| committed.n_records)
    }

    /// The number of their rows.
    pub fn n_recoverable_rows(&self) -> u64 {
        self.whole.n_rows - self.committed.map_or(0, |committed| committed.n_rows)
    }

    /// Whether there is nothing to recover: readers see all whole records.
    pub fn is_complete(&self) -> bool {
        self.counters == CountersState::Intact && self.n_recoverable_records() == 0
    }

    /// Whether records may have been committed that are not among the whole ones: committing only these would give
    /// them up.
    pub fn may_lose_committed(&self) -> bool {
        match (&self.counters, self.claimed_records) {
            (CountersState::Intact, _) => false,
            (_, Some(claimed)) => claimed > self.whole.n_records,
            (_, None) => self.tail.as_ref().is_some_and(|tail| tail.kind == TailKind::Unknown),
        }
    }
}

/// Looks at what a file holds, whatever its counters say, and changes nothing: which records are committed, which
/// whole ones lie beyond, whether the counters are damaged, what else there is.
///
/// A record counts as whole if its header is intact, in sequence, and its body lies inside the file, padding
/// included. Bodies have no checksum: after a power cut (not after the end of a process) a whole record may hold
/// values that never reached the disk.
///
/// The cost is that of walking the record headers: at most in proportion to the size of the file, whatever is in it.
/// A writer that is at work is not disturbed, and its records show as not committed.
///
/// # Errors
///
/// [`Format`](crate::ErrorKind::Format) if the file is no `.cstore` file, or its manifest is damaged: then nothing
/// tells where its values lie. [`NotFound`](crate::ErrorKind::NotFound) and whatever the operating system reports.
pub fn inspect(path: impl AsRef<Path>) -> Result<Recoverable> {
    let path = path.as_ref();
    inspect_source(path, &mut Source::open(path)?)
}

pub(super) fn inspect_source(path: &Path, source: &mut Source<'_>) -> Result<Recoverable> {
    let in_file =
        |e| Error::in_file(path, &e).with_hint("records can be found only with magic and manifest intact");
    let (preamble, counters) = source.preamble().map_err(in_file)?;
    let manifest = source.with_manifest(&preamble, Manifest::parse)?.map_err(in_file)?;
    let schema = manifest.schema();
    let claimed = counters.as_ref().ok().copied();

    let mut chain = RecordChain::new(schema, preamble.data_offset(), source.size);
    // The first records of all, and those beyond the claimed ones.
    let (mut first, mut beyond) = (Vec::new(), Vec::new());
    let mut committed_rows = (claimed.map(|c| c.n_records) == Some(0)).then_some(0);
    let mut committed_end = preamble.data_offset();
    let mut step = 0;
    let reason = loop {
        let offset = chain.end();
        let header = source.peek(offset, RecordHeader::LEN, step)?;
        let record = match chain.push(header) {
            Ok(record) => record,
            Err(error) => break error,
        };
        step = chain.end() - offset;
        let found = FoundRecord { index: chain.n_records() - 1, offset, n_rows: record.n_rows };
        if first.len() < MOST_LISTED {
            first.push(found);
        }
        let is_beyond = claimed.is_some_and(|claimed| chain.n_records() > claimed.n_records);
        if is_beyond && beyond.len() < MOST_LISTED {
            beyond.push(found);
        }
        if claimed.is_some_and(|claimed| chain.n_records() == claimed.n_records) {
            committed_rows = Some(chain.n_rows());
            committed_end = chain.end();
        }
    };
    let whole = Counts { n_records: chain.n_records(), n_rows: chain.n_rows(), end: chain.end() };

    let state = match counters {
        Err(error) => CountersState::Damaged(error.to_string()),
        Ok(counters) => state(&counters, &whole, committed_rows),
    };
    let committed = match (&state, claimed) {
        (CountersState::Intact, Some(Counters { n_records, committed_rows: n_rows, .. })) => {
            Some(Counts { n_records, n_rows, end: committed_end })
        }
        _ => None,
    };
    let (statistics_offset, statistics_len) = match statistics_behind(source, schema, &whole)? {
        Some(len) => (Some(whole.end), len),
        None => (None, 0),
    };
    let tail = match source.size.saturating_sub(whole.end) {
        0 => None,
        len => {
            let kind =
                tail_kind(source.peek(whole.end, TAIL_START, u64::MAX)?, whole.n_records, whole.end, schema);
            Some(Tail { offset: whole.end, len, kind, reason: reason.to_string() })
        }
    };
    Ok(Recoverable {
        path: path.to_path_buf(),
        file_size: source.size,
        schema: schema.clone(),
        records: if committed.is_some() { beyond } else { first },
        counters: state,
        committed,
        claimed_records: claimed.map(|claimed| claimed.n_records),
        whole,
        statistics_offset,
        tail,
        statistics_len,
    })
}

/// Whether counters whose checksum holds agree with the records. `rows` are those of as many records as they claim.
fn state(counters: &Counters, whole: &Counts, rows: Option<u64>) -> CountersState {
    match rows {
        None => CountersState::Wrong(format!(
            "the counters claim {} records, of which the first {} are whole",
            counters.n_records, whole.n_records
        )),
        Some(rows) if rows != counters.committed_rows => CountersState::Wrong(format!(
            "the counters claim {} rows in {} records, which hold {rows}",
            counters.committed_rows, counters.n_records
        )),
        Some(_) => CountersState::Intact,
    }
}

/// The size of the statistics footer for all whole records, if there is one behind them.
fn statistics_behind(source: &mut Source<'_>, schema: &Schema, whole: &Counts) -> Result<Option<u64>> {
    if source.peek(whole.end, STATISTICS_MAGIC.len(), u64::MAX)? != STATISTICS_MAGIC {
        return Ok(None);
    }
    let len = Statistics::encoded_len(schema, whole.n_records);
    let Some(len) = len.filter(|len| source.size.saturating_sub(whole.end) >= *len) else { return Ok(None) };
    let bytes = source.read_whole(whole.end, len)?;
    Ok(Statistics::parse(&bytes, schema, whole.n_records).map(|_| len))
}

/// What the bytes behind `n_records` whole records, from byte `offset` of the file on, seem to be. `start` are the
/// first [`TAIL_START`] of them, fewer only where the file ends.
pub(crate) fn tail_kind(start: &[u8], n_records: u64, offset: u64, schema: &Schema) -> TailKind {
    let begins_as = |magic: &[u8]| {
        let len = start.len().min(magic.len());
        start[..len] == magic[..len]
    };
    if begins_as(&STATISTICS_MAGIC) {
        return TailKind::Statistics;
    }
    let is_torn = match start.try_into() {
        // The header is intact, so it is the body that is not there, or its size that no file can have.
        Ok(header) => RecordHeader::parse(header, n_records, offset)
            .is_ok_and(|header| schema.body_size(header.n_rows).is_ok()),
        Err(_) => begins_as(&RECORD_MAGIC),
    };
    if is_torn { TailKind::TornRecord } else { TailKind::Unknown }
}
