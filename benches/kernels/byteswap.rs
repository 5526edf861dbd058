//! A big-endian column, from memory into memory that is there.

use colstore_benches::Buffer;
use colstore_kernels::byteswap::copy_swapped;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn byteswap(c: &mut Criterion) {
    for (size, len) in [("32 KiB", 32 << 10), ("64 MiB", 64 << 20)] {
        let source = Buffer::filled(len);
        let mut target = Buffer::filled(len);
        let mut group = c.benchmark_group(format!("byteswap {size}"));
        group.throughput(Throughput::Bytes(len as u64)).sample_size(30);
        for word in [1, 2, 4, 8, 16] {
            group.bench_function(word.to_string(), |b| {
                // SAFETY: both buffers have `len` bytes, a whole number of words.
                b.iter(|| unsafe { copy_swapped(source.as_ptr(), target.as_mut_ptr(), len / word, word) });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, byteswap);
criterion_main!(benches);
