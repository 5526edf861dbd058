//! Five columns into records, beside the loops one would write first.

use colstore_benches::Buffer;
use colstore_kernels::interleave::{Field, interleave};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// All of the output, one field after another.
///
/// # Safety
/// As [`interleave`].
unsafe fn field_by_field(fields: &[Field], rows: usize, record_size: usize, dst: *mut u8) {
    for field in fields {
        for row in 0..rows {
            // SAFETY: the caller's promise for this field and row.
            unsafe {
                let (from, to) =
                    (field.src.add(row * field.width), dst.add(row * record_size + field.offset));
                from.copy_to_nonoverlapping(to, field.width);
            }
        }
    }
}

/// One record after another.
///
/// # Safety
/// As [`interleave`].
unsafe fn row_by_row(fields: &[Field], rows: usize, record_size: usize, dst: *mut u8) {
    for row in 0..rows {
        for field in fields {
            // SAFETY: the caller's promise for this field and row.
            unsafe {
                let (from, to) =
                    (field.src.add(row * field.width), dst.add(row * record_size + field.offset));
                from.copy_to_nonoverlapping(to, field.width);
            }
        }
    }
}

type Kernel = unsafe fn(&[Field], usize, usize, *mut u8);

fn records(c: &mut Criterion) {
    let rows = 2_000_000;
    for (name, widths, word) in [
        ("f8 f8 f4 i8 i4", vec![8, 8, 4, 8, 4], 1),
        ("f8 f8 f4 i8 i4, big-endian", vec![8, 8, 4, 8, 4], 0),
        ("bool i1 i2 f8 S3", vec![1, 1, 2, 8, 3], 1),
        ("40 of f8", vec![8; 40], 1),
    ] {
        let rows = rows * 5 / widths.len();
        let columns: Vec<Buffer> = widths.iter().map(|width| Buffer::filled(rows * width)).collect();
        let mut record_size = 0;
        let fields: Vec<Field> = columns
            .iter()
            .zip(&widths)
            .map(|(column, &width)| {
                let offset = record_size;
                record_size += width;
                Field { src: column.as_ptr(), width, word: if word == 0 { width } else { word }, offset }
            })
            .collect();
        let mut target = Buffer::filled(rows * record_size);
        let mut group = c.benchmark_group(format!("interleave {name}"));
        group.throughput(Throughput::Bytes((rows * record_size) as u64)).sample_size(20);
        let rivals: [(&str, Kernel); 3] =
            [("blocked", interleave), ("field by field", field_by_field), ("row by row", row_by_row)];
        for (name, kernel) in rivals.into_iter().take(if word == 0 { 1 } else { 3 }) {
            group.bench_function(name, |b| {
                // SAFETY: every column has `rows` values, the target `rows` records.
                b.iter(|| unsafe { kernel(&fields, rows, record_size, target.as_mut_ptr()) });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, records);
criterion_main!(benches);
