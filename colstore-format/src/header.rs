//! The head of a file: magic, counters, manifest, and where the data starts.

use crate::constants::{COUNTERS_OFFSET, FILE_MAGIC, HEADER_ALIGNMENT, MAX_MANIFEST_LEN};
use crate::counters::Counters;
use crate::cursor::{Cursor, round_up};
use crate::error::{Error, Result};
use crate::manifest::Manifest;
use crate::record::RecordHeader;
use crate::schema::Schema;

/// The first 80 bytes: magic, counters, length of the manifest. It tells how many bytes to fetch for the [`Header`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preamble {
    counters: Counters,
    manifest_len: u64,
    data_offset: u64,
}

impl Preamble {
    /// The size in bytes; the manifest starts here.
    pub const LEN: usize = 80;

    /// Reads the first bytes of a file of `file_size` bytes. `bytes` are its first 80 (all, if the file is shorter); more do no harm.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) if the magic is wrong, the counters are damaged or negative, or the file ends before
    /// the end of the manifest, or if that is larger than [`MAX_MANIFEST_LEN`](crate::MAX_MANIFEST_LEN).
    pub fn parse(bytes: &[u8], file_size: u64) -> Result<Preamble> {
        let (preamble, counters) = Preamble::read(bytes, file_size, false)?;
        counters.map(|counters| Preamble { counters, ..preamble })
    }

    /// As [`Preamble::parse`], but damaged counters are no failure: they come apart, and in the preamble they are zero. This is for
    /// those who would know what else there is.
    ///
    /// # Errors
    ///
    /// As for [`Preamble::parse`], except for what the counters say.
    pub fn parse_any_counters(bytes: &[u8], file_size: u64) -> Result<(Preamble, Result<Counters>)> {
        Preamble::read(bytes, file_size, true)
    }

    /// Damaged counters end the reading, unless all of it is wanted.
    fn read(bytes: &[u8], file_size: u64, all: bool) -> Result<(Preamble, Result<Counters>)> {
        let mut cursor = Cursor::new(bytes);
        match cursor.array::<8>() {
            Some(magic) if magic == FILE_MAGIC => {}
            found => {
                let found = found.unwrap_or_default();
                let found = if bytes.len() < 8 { bytes } else { &found };
                return Err(Error::malformed_at(
                    0,
                    format_args!(
                        "not a colstore file: it starts with \"{}\" instead of \"{}\"",
                        found.escape_ascii(),
                        FILE_MAGIC.escape_ascii()
                    ),
                ));
            }
        }
        let counters =
            cursor.array().ok_or_else(|| cut_off(COUNTERS_OFFSET, "the counters block", file_size))?;
        let counters = Counters::parse(&counters);
        if let (Err(error), false) = (&counters, all) {
            return Err(error.clone());
        }
        let at = COUNTERS_OFFSET + Counters::LEN as u64;
        let manifest_len = cursor.u64().ok_or_else(|| cut_off(at, "the manifest length", file_size))?;

        let end = manifest_len.checked_add(Preamble::LEN as u64).filter(|end| *end <= file_size);
        let data_offset = end.and_then(|end| round_up(end, HEADER_ALIGNMENT));
        let data_offset = data_offset.ok_or_else(|| {
            Error::malformed_at(
                at,
                format_args!(
                    "the manifest is cut off: {manifest_len} bytes of it do not fit in a file of {file_size} bytes"
                ),
            )
        })?;
        if manifest_len > MAX_MANIFEST_LEN {
            let message =
                format_args!("a manifest of {manifest_len} bytes is beyond the limit of {MAX_MANIFEST_LEN}");
            return Err(Error::malformed_at(at, message));
        }
        let preamble = Preamble { counters: counters.clone().unwrap_or_default(), manifest_len, data_offset };
        Ok((preamble, counters))
    }

    /// The counters.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The size of the manifest in bytes; it lies inside the file, from byte [`Preamble::LEN`] on.
    pub fn manifest_len(&self) -> u64 {
        self.manifest_len
    }

    /// Where the first record starts. May lie beyond the end of a file without records.
    pub fn data_offset(&self) -> u64 {
        self.data_offset
    }
}

fn cut_off(offset: u64, what: &str, file_size: u64) -> Error {
    Error::malformed_at(offset, format_args!("the file of {file_size} bytes is cut off inside {what}"))
}

/// Everything before the first record.
#[derive(Clone, Debug)]
pub struct Header {
    counters: Counters,
    manifest: Manifest,
    data_offset: u64,
}

impl Header {
    /// Reads the header. `manifest` are the [`manifest_len`](Preamble::manifest_len) bytes from byte [`Preamble::LEN`] on.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) if `manifest` has another length, if [`Manifest::parse`] refuses it, or if the file
    /// is too small for the number of records.
    pub fn parse(preamble: &Preamble, manifest: &[u8], file_size: u64) -> Result<Header> {
        if manifest.len() as u64 != preamble.manifest_len {
            return Err(cut_off(Preamble::LEN as u64, "the manifest", file_size));
        }
        let manifest = Manifest::parse(manifest)?;
        let Preamble { counters, data_offset, .. } = *preamble;
        let room = file_size.saturating_sub(data_offset) / RecordHeader::LEN as u64;
        if counters.n_records > room {
            return Err(Error::malformed_at(
                COUNTERS_OFFSET,
                format_args!(
                    "the file claims {} records; its {file_size} bytes have room for {room} at most",
                    counters.n_records
                ),
            ));
        }
        Ok(Header { counters, manifest, data_offset })
    }

    /// The counters.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The columns.
    pub fn schema(&self) -> &Schema {
        self.manifest.schema()
    }

    /// Where the first record starts, in bytes from the start of the file.
    pub fn data_offset(&self) -> u64 {
        self.data_offset
    }

    /// The bytes of a file from its start to its first record.
    pub fn encode(manifest: &Manifest, counters: Counters) -> Vec<u8> {
        let manifest = manifest.to_bytes();
        let len = (Preamble::LEN + manifest.len()).next_multiple_of(HEADER_ALIGNMENT as usize);
        let mut bytes = Vec::with_capacity(len);
        bytes.extend_from_slice(&FILE_MAGIC);
        bytes.extend_from_slice(&counters.encode());
        bytes.extend_from_slice(&(manifest.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&manifest);
        bytes.resize(len, 0);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::schema::Column;

    fn manifest(name_len: usize) -> Manifest {
        let column = Column::new("x".repeat(name_len), DType::parse("<i4").unwrap());
        Manifest::new(Schema::new(vec![column]).unwrap())
    }

    fn parse(file: &[u8]) -> Result<Header> {
        let size = file.len() as u64;
        let preamble = Preamble::parse(file, size)?;
        Header::parse(&preamble, &file[Preamble::LEN..][..preamble.manifest_len() as usize], size)
    }

    #[test]
    fn padded_to_64_and_not_beyond() {
        let counters = Counters::default();
        for name_len in 1..130 {
            let manifest = manifest(name_len);
            let used = Preamble::LEN + manifest.to_bytes().len();
            let bytes = Header::encode(&manifest, counters);
            assert!(bytes.len().is_multiple_of(64) && bytes.len() >= used && bytes.len() < used + 64);
            assert!(bytes[used..].iter().all(|byte| *byte == 0));
            let header = parse(&bytes).unwrap();
            assert_eq!(header.data_offset(), bytes.len() as u64);
            assert_eq!((header.counters(), header.schema()), (counters, manifest.schema()));
        }
    }

    #[test]
    fn counts_beyond_the_file_are_refused() {
        for (n_records, room) in [(0, 0), (1, 1), (2, 1), (u64::MAX >> 1, 1)] {
            let counters = Counters { n_records, ..Counters::default() };
            let mut file = Header::encode(&manifest(1), counters);
            file.resize(file.len() + 32 * room + 31, 0);
            assert_eq!(parse(&file).is_ok(), n_records <= room as u64, "{n_records} in {room}");
        }
    }

    #[test]
    fn lengths_beyond_the_file_are_refused() {
        let file = Header::encode(&manifest(1), Counters::default());
        let len = file.len() as u64 - 80;
        for manifest_len in [len + 1, 1 << 40, u64::MAX - 79, u64::MAX] {
            let mut file = file.clone();
            file[72..80].copy_from_slice(&manifest_len.to_le_bytes());
            let error = Preamble::parse(&file, file.len() as u64).unwrap_err();
            assert_eq!(error.offset(), Some(72));
            assert!(error.message().contains(&manifest_len.to_string()), "{error}");
        }
    }

    #[test]
    fn damaged_counters_can_be_passed_over() {
        let counters = Counters { n_records: 1, committed_rows: 2, stats_offset: 0 };
        let mut file = Header::encode(&manifest(1), counters);
        file.resize(file.len() + 32, 0);
        let size = file.len() as u64;
        let whole = Preamble::parse(&file, size).unwrap();
        assert_eq!(Preamble::parse_any_counters(&file, size), Ok((whole, Ok(counters))));
        file[9] ^= 1;
        let error = Preamble::parse(&file, size).unwrap_err();
        let (preamble, found) = Preamble::parse_any_counters(&file, size).unwrap();
        assert_eq!(found, Err(error));
        assert_eq!(preamble.counters(), Counters::default());
        assert_eq!(preamble.data_offset(), whole.data_offset());
        file[72] = 0xff;
        file[73] = 0xff;
        assert_eq!(Preamble::parse_any_counters(&file, size).unwrap_err().offset(), Some(72));
    }

    #[test]
    fn other_files_are_named_as_such() {
        for bytes in [&b""[..], b"CST", b"CSTORE\0\x02 and more", b"PAR1xxxxxxxxxx"] {
            let error = Preamble::parse(bytes, bytes.len() as u64).unwrap_err();
            assert!(error.message().starts_with("not a colstore file"), "{error}");
        }
    }

    #[test]
    fn a_manifest_beyond_the_limit_is_refused_however_large_the_file() {
        let mut file = Header::encode(&manifest(1), Counters::default());
        file[72..80].copy_from_slice(&(MAX_MANIFEST_LEN + 1).to_le_bytes());
        let error = Preamble::parse(&file, 1 << 50).unwrap_err();
        assert!(error.message().contains("beyond the limit"), "{error}");
        file[72..80].copy_from_slice(&MAX_MANIFEST_LEN.to_le_bytes());
        assert!(Preamble::parse(&file, 1 << 50).is_ok());
    }
}
