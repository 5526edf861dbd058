//! The parsers of `colstore-format` over the bytes of a file, without a file.
//!
//! Beside not failing, what was parsed must come back from its written form.

#![no_main]

use colstore_format::{DType, Header, Preamble, RecordWalk, Statistics};
use colstore_fuzz::Capped;

#[global_allocator]
static ALLOCATOR: Capped = Capped::new(64 << 20);

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    colstore_fuzz::mutate(data, size, max_size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = parse(data);
});

fn parse(data: &[u8]) -> colstore_format::Result<()> {
    let size = data.len() as u64;
    let preamble = Preamble::parse(data, size)?;
    let manifest_end = Preamble::LEN + preamble.manifest_len() as usize;
    let header = Header::parse(&preamble, &data[Preamble::LEN..manifest_end], size)?;
    rewrite(&header)?;

    let mut walk = RecordWalk::new(&header, size);
    let mut rows = 0;
    while let Some(offset) = walk.next_offset() {
        let start = (offset as usize).min(data.len());
        let record = walk.push(&data[start..data.len().min(start + 32)])?;
        assert_eq!(record.first_row, rows, "records follow one another");
        rows += record.n_rows;
        let body = header.schema().body_size(record.n_rows)?;
        assert!(record.body_offset + body <= size, "a body beyond the end of the file");
    }
    let end = walk.finish()?;
    // A header without its padding, and no records: the end is where the first record would begin.
    assert!(end <= size.max(header.data_offset()));
    assert_eq!(rows, header.counters().committed_rows);
    statistics(data, &header, end);
    Ok(())
}

/// A header that was accepted, written again, is accepted and says the same.
fn rewrite(header: &Header) -> colstore_format::Result<()> {
    for column in header.schema().columns() {
        let text = column.dtype().to_string();
        assert_eq!(DType::parse(&text)?, column.dtype(), "{text}");
    }
    let bytes = Header::encode(header.manifest(), header.counters());
    // Unknown keys and odd spellings may make the text longer, never the meaning different; the file it would be
    // the header of is as long as the header and its records.
    let size = u64::MAX >> 1;
    let preamble = Preamble::parse(&bytes, size)?;
    let manifest_end = Preamble::LEN + preamble.manifest_len() as usize;
    let again = Header::parse(&preamble, &bytes[Preamble::LEN..manifest_end], size)?;
    assert_eq!(again.data_offset(), bytes.len() as u64);
    assert_eq!(again.manifest().crc(), header.manifest().crc());
    assert_eq!(again.schema().len(), header.schema().len());
    for (one, two) in header.schema().columns().iter().zip(again.schema().columns()) {
        assert_eq!((one.name(), one.dtype()), (two.name(), two.dtype()));
    }
    Ok(())
}

fn statistics(data: &[u8], header: &Header, end: u64) {
    let offset = header.counters().stats_offset;
    let (Ok(start), n_records) = (usize::try_from(offset), header.counters().n_records) else { return };
    if offset < end as i64 || start > data.len() {
        return;
    }
    if let Some(parsed) = Statistics::parse(&data[start..], header.schema(), n_records) {
        let bytes = parsed.encode(header.schema()).expect("a footer that was read can be written");
        let again = Statistics::parse(&bytes, header.schema(), n_records).expect("and read again");
        for (one, two) in parsed.columns().iter().zip(again.columns()) {
            assert_eq!((&one.min, &one.max, &one.valid), (&two.min, &two.max, &two.valid));
        }
    }
}
