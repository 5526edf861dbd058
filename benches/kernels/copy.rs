//! A column out of a mapped file, as a reader copies it: into memory that is there, and into memory that the
//! kernel has yet to provide.

use colstore_benches::{Buffer, MappedFile};
use colstore_kernels::budget::CHUNK_BYTES;
use colstore_kernels::copy::{Stores, copy_with};
use colstore_kernels::pool;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const LEN: usize = 160_000_000;
/// Where NumPy's data begin in a mapping of the C library, and where a file's columns do.
const TARGET_AT: usize = 16;
const SOURCE_AT: usize = 136;

#[expect(clippy::unwrap_used, reason = "nobody cancels a call without a progress")]
fn read(threads: usize, source: usize, target: usize, stores: Stores) {
    // Chunks end where the target's huge pages do.
    let before = target % CHUNK_BYTES;
    let border = |index: usize| (index * CHUNK_BYTES).saturating_sub(before).min(LEN);
    pool::run(threads, (before + LEN).div_ceil(CHUNK_BYTES), None, 1, &|index| {
        let range = border(index)..border(index + 1);
        let to = (target + range.start) as *mut u8;
        // SAFETY: the chunk lies inside both memories, which are LEN bytes or longer behind the given addresses and
        // outlive the call; chunks do not overlap.
        unsafe { copy_with(stores, (source + range.start) as *const u8, to, range.len()) };
    })
    .unwrap();
}

#[expect(clippy::unwrap_used, reason = "a benchmark without its input has nothing to do")]
fn copy(c: &mut Criterion) {
    let file = MappedFile::filled(SOURCE_AT + LEN).unwrap();
    let source = file.as_ptr() as usize + SOURCE_AT;
    let mut there = Buffer::filled(TARGET_AT + LEN);
    let target = there.as_mut_ptr() as usize + TARGET_AT;
    let mut group = c.benchmark_group("copy 160 MB");
    group.throughput(Throughput::Bytes(LEN as u64)).sample_size(30);
    for threads in [1, 2] {
        for (name, stores) in [("cached", Stores::Cached), ("streaming", Stores::Streaming)] {
            group.bench_function(format!("memory that is there/{name}/{threads}"), |b| {
                b.iter(|| read(threads, source, target, stores));
            });
            group.bench_function(format!("fresh memory/{name}/{threads}"), |b| {
                b.iter_batched_ref(
                    || Buffer::fresh(TARGET_AT + LEN),
                    |fresh| read(threads, source, fresh.as_mut_ptr() as usize + TARGET_AT, stores),
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

criterion_group!(benches, copy);
criterion_main!(benches);
