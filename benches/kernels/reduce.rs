//! Sums, moments and extremes of a column, by kind of number.

use colstore_benches::Buffer;
use colstore_kernels::reduce::{Number, extremes, moments, sum};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn reduce(c: &mut Criterion) {
    for (size, len) in [("16 KiB", 16 << 10), ("64 MiB", 64 << 20)] {
        for number in Number::ALL {
            let mut column = Buffer::filled(len);
            // Small floats: no exponent but that of values between 1 and 2.
            let one: u64 = match number {
                Number::F16 => 0x3c00_3c00_3c00_3c00,
                Number::F32 => 0x3f80_0000_3f80_0000,
                Number::F64 => 0x3ff0_0000_0000_0000,
                _ => 0,
            };
            let fraction: u64 = match number {
                Number::F16 => 0x03ff_03ff_03ff_03ff,
                Number::F32 => 0x007f_ffff_007f_ffff,
                Number::F64 => 0x000f_ffff_ffff_ffff,
                _ => u64::MAX,
            };
            for at in (0..len).step_by(8) {
                // SAFETY: `at` is a multiple of 8 below `len`, and so is `len`.
                unsafe {
                    let value = column.as_mut_ptr().add(at).cast::<u64>();
                    value.write_unaligned(value.read_unaligned() & fraction | one);
                }
            }
            let rows = len / number.width();
            let mut group = c.benchmark_group(format!("reduce {size} {number:?}"));
            group.throughput(Throughput::Bytes(len as u64)).sample_size(20);
            group.bench_function("sum", |b| {
                // SAFETY: the column has that many values.
                b.iter(|| unsafe { sum(number, column.as_ptr(), rows) });
            });
            group.bench_function("moments", |b| {
                // SAFETY: as above.
                b.iter(|| unsafe { moments(number, column.as_ptr(), rows) });
            });
            group.bench_function("extremes", |b| {
                // SAFETY: as above.
                b.iter(|| unsafe { extremes(number, column.as_ptr(), rows) });
            });
            group.finish();
        }
    }
}

criterion_group!(benches, reduce);
criterion_main!(benches);
