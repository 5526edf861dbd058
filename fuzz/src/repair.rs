//! Making mutated bytes consistent again, so that they pass the checksums.
//!
//! Works on the layout alone (`docs/format.md`) and gives up quietly where that is broken: then the readers have
//! to cope with it.

use colstore_format::Manifest;
use crc32fast::hash;

const COUNTERS: usize = 8;
const MANIFEST_LEN: usize = 72;
const MANIFEST: usize = 80;
const RECORD_HEADER: usize = 32;
/// Records beyond this many are left as they are.
const MAX_RECORDS: u64 = 64;
const CRC_KEY: &[u8] = b"\"manifest_crc32\": ";

/// Repairs the checksums of the manifest, of the record headers, of the footer and of the counters.
///
/// Bits of `seed` decide whether the record numbers and the total of rows are put right too.
pub fn repair(data: &mut [u8], seed: u32) {
    repair_after_counters(data, seed);
    if let Some(counters) = data.get(COUNTERS..COUNTERS + 24) {
        let crc = hash(counters);
        put(data, COUNTERS + 24, &crc.to_le_bytes());
    }
}

fn repair_after_counters(data: &mut [u8], seed: u32) -> Option<()> {
    let n_records = get_u64(data, COUNTERS)?;
    let stats_offset = usize::try_from(get_u64(data, COUNTERS + 16)?).ok()?;
    let manifest_len = usize::try_from(get_u64(data, MANIFEST_LEN)?).ok()?;
    let manifest_end = MANIFEST.checked_add(manifest_len)?;
    let row_size = repair_manifest(data.get_mut(MANIFEST..manifest_end)?)?;

    let mut offset = manifest_end.checked_next_multiple_of(64)?;
    let mut rows = 0u64;
    for index in 0..n_records.min(MAX_RECORDS) {
        let Some(header) = data.get_mut(offset..offset.checked_add(RECORD_HEADER)?) else { break };
        if seed & 0x10 == 0 {
            header[..4].copy_from_slice(b"REC\x01");
            header[4..12].copy_from_slice(&index.to_le_bytes());
        }
        let crc = hash(&header[..28]);
        header[28..].copy_from_slice(&crc.to_le_bytes());
        let n_rows = get_u64(header, 12)?;
        rows = rows.wrapping_add(n_rows);
        let body = n_rows.checked_mul(row_size)?.checked_next_multiple_of(8)?;
        offset = offset.checked_add(RECORD_HEADER)?.checked_add(usize::try_from(body).ok()?)?;
    }
    if seed & 0x20 == 0 {
        put(data, COUNTERS + 8, &rows.to_le_bytes());
    }
    repair_footer(data, stats_offset)
}

fn repair_footer(data: &mut [u8], stats_offset: usize) -> Option<()> {
    let footer = data.get_mut(stats_offset..)?;
    if stats_offset >= MANIFEST && footer.len() > 4 {
        let end = footer.len() - 4;
        let crc = hash(&footer[..end]);
        footer[end..].copy_from_slice(&crc.to_le_bytes());
    }
    Some(())
}

/// Writes the right checksum over the one there is, without moving anything. Gives the size of a row.
fn repair_manifest(manifest: &mut [u8]) -> Option<u64> {
    let key = manifest.windows(CRC_KEY.len()).rposition(|window| window == CRC_KEY)?;
    let start = key + CRC_KEY.len();
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || *byte == b' ';
    let width = manifest[start..].iter().take_while(|byte| is_of_number(byte)).count();
    let field = start..start + width;
    // `null` means "not checked": the rest is parsed, and its checksum can be asked for.
    write_padded(manifest.get_mut(field.clone())?, b"null")?;
    let parsed = Manifest::parse(manifest).ok()?;
    let crc = parsed.crc().to_string();
    // A checksum that does not fit leaves the null.
    let _ = write_padded(&mut manifest[field], crc.as_bytes());
    Some(parsed.schema().row_width())
}

/// Writes `text` and blanks into a field that is wide enough.
fn write_padded(field: &mut [u8], text: &[u8]) -> Option<()> {
    let (head, tail) = field.split_at_mut_checked(text.len())?;
    head.copy_from_slice(text);
    tail.fill(b' ');
    Some(())
}

fn get_u64(data: &[u8], offset: usize) -> Option<u64> {
    Some(u64::from_le_bytes(data.get(offset..offset.checked_add(8)?)?.try_into().ok()?))
}

fn put(data: &mut [u8], offset: usize, bytes: &[u8]) {
    if let Some(place) = data.get_mut(offset..offset + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colstore_format::{Header, Preamble, RecordWalk};

    /// Walks the whole file with the strict reader.
    fn is_valid(data: &[u8]) -> bool {
        let size = data.len() as u64;
        let walk = || -> colstore_format::Result<()> {
            let preamble = Preamble::parse(data, size)?;
            let manifest_end = Preamble::LEN + preamble.manifest_len() as usize;
            let header = Header::parse(&preamble, &data[Preamble::LEN..manifest_end], size)?;
            let mut walk = RecordWalk::new(&header, size);
            while let Some(offset) = walk.next_offset() {
                let offset = (offset as usize).min(data.len());
                walk.push(&data[offset..data.len().min(offset + RECORD_HEADER)])?;
            }
            walk.finish().map(|_| ())
        };
        walk().is_ok()
    }

    #[test]
    fn every_checksum_of_a_golden_file_is_repaired() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden/");
        for name in ["all_dtypes_multi.cstore", "stats_multi.cstore", "names_unicode.cstore"] {
            let original = std::fs::read(format!("{golden}{name}")).unwrap();
            let manifest_len = get_u64(&original, MANIFEST_LEN).unwrap() as usize;
            let records = (MANIFEST + manifest_len).next_multiple_of(64);
            let crc_digit = MANIFEST + manifest_len - 3;
            assert!(is_valid(&original), "{name}");
            for damaged in [COUNTERS + 25, crc_digit, records + 29] {
                let mut data = original.clone();
                // A digit stays a digit.
                data[damaged] ^= 1;
                assert!(!is_valid(&data), "{name} byte {damaged}");
                repair(&mut data, 1);
                assert!(is_valid(&data), "{name} byte {damaged}");
            }
        }
    }

    #[test]
    fn nothing_is_too_broken_to_be_repaired() {
        repair(&mut [], 1);
        let mut data = vec![0xff; 200];
        repair(&mut data, 1);
        data[MANIFEST_LEN..MANIFEST].copy_from_slice(&60u64.to_le_bytes());
        repair(&mut data, 1);
    }
}
