//! Rows beyond 2^31 and offsets beyond 2^32 are read where they lie.

use colstore_core::{ReadOptions, Table};
use colstore_tests::SparseFile;

const N_ROWS: u64 = (1 << 31) + 1000;
const COLUMNS: [(&str, &str); 3] = [("flag", "|u1"), ("time", "<i8"), ("label", "|S3")];

/// Values that nothing else in the file has, at the rows where 32-bit arithmetic would go wrong.
fn marks() -> Vec<(u64, u8, i64, [u8; 3])> {
    let rows = [0, 1, (1 << 29) - 1, 1 << 29, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, N_ROWS - 1];
    rows.iter().zip(1u8..).map(|(&row, mark)| (row, mark, row as i64 + 1, [b'a' + mark, 0, mark])).collect()
}

#[test]
fn rows_beyond_2_31_and_offsets_beyond_2_32() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("big.cstore");
    let file = SparseFile::create(&path, &COLUMNS, N_ROWS);
    for (row, flag, time, label) in marks() {
        file.set(0, row, &[flag]);
        file.set(1, row, &time.to_le_bytes());
        file.set(2, row, &label);
    }
    let table = Table::open(&path).unwrap();
    assert_eq!(table.n_rows(), N_ROWS);
    assert!(table.file_size() > 1 << 34);
    let options = ReadOptions::default();
    for (row, flag, time, label) in marks() {
        let time = time.to_le_bytes();
        let expected: [&[u8]; 3] = [&[flag], &time, &label];
        for (column, expected) in expected.into_iter().enumerate() {
            let bytes = table.column_bytes(column, row..row + 1, &options).unwrap();
            assert_eq!(bytes, expected, "column {column}, row {row}");
            // With neighbours, so that the value's place in the output counts too.
            let (start, stop) = (row.saturating_sub(3), (row + 4).min(N_ROWS));
            let bytes = table.column_bytes(column, start..stop, &options).unwrap();
            let at = (row - start) as usize * expected.len();
            assert_eq!(&bytes[at..at + expected.len()], expected, "column {column}, row {row}");
            let view = table.view_column(column, row..N_ROWS).unwrap();
            assert_eq!(view.n_rows(), N_ROWS - row);
            // SAFETY: the view has at least one row, and the file is not changed.
            let first: Vec<u8> =
                (0..expected.len()).map(|i| unsafe { view.as_ptr().add(i).read() }).collect();
            assert_eq!(first, expected, "view of column {column} from row {row}");
        }
        let mut record = Vec::with_capacity(12);
        table
            .read_records(&[2, 0, 1], row..row + 1, &mut record.spare_capacity_mut()[..12], &options)
            .unwrap();
        // SAFETY: read_records has written 12 bytes.
        unsafe { record.set_len(12) };
        assert_eq!(record, [&label[..], &[flag], &time].concat());
    }
    let error = table.column_bytes(0, N_ROWS - 1..N_ROWS + 1, &options).unwrap_err();
    assert_eq!(error.row(), Some(N_ROWS as i64 + 1));
}
