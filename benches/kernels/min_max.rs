//! Least and greatest value of a column, by kind of number.

use colstore_benches::Buffer;
use colstore_kernels::reduce::{Number, min_max};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Clears the bit that every NaN, infinity and "not a time" has, in all lanes of 8 bytes.
fn make_good(number: Number, buffer: &mut Buffer, len: usize) {
    let mask: u64 = match number {
        Number::F16 => 0xbfff_bfff_bfff_bfff,
        Number::F32 => 0xbfff_ffff_bfff_ffff,
        Number::F64 | Number::Time => 0xbfff_ffff_ffff_ffff,
        _ => return,
    };
    for at in (0..len).step_by(8) {
        // SAFETY: `at` is a multiple of 8 below `len`, and so is `len`.
        unsafe {
            let value = buffer.as_mut_ptr().add(at).cast::<u64>();
            value.write_unaligned(value.read_unaligned() & mask);
        }
    }
}

fn reduce(c: &mut Criterion) {
    for (size, len) in [("32 KiB", 32 << 10), ("64 MiB", 64 << 20)] {
        let mut group = c.benchmark_group(format!("min_max {size}"));
        group.throughput(Throughput::Bytes(len as u64)).sample_size(30);
        for number in Number::ALL {
            let mut column = Buffer::filled(len);
            make_good(number, &mut column, len);
            group.bench_function(format!("{number:?}"), |b| {
                // SAFETY: the column has `len` bytes.
                b.iter(|| unsafe { min_max(number, column.as_ptr(), len / number.width()) });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, reduce);
criterion_main!(benches);
