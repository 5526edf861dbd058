//! Five million random rows out of a column of twenty million doubles in a mapped file, into memory that is there:
//! the kernel, block by block as a reader runs it, beside a plain loop over all rows.

use colstore_benches::{Buffer, MappedFile};
use colstore_kernels::copy::stores_for;
use colstore_kernels::gather::{gather, gather_segments};
use colstore_kernels::index::{self, IndexSlice, IndexType};
use colstore_kernels::{Segments, pool};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const ROWS: usize = 20_000_000;
const PICKS: usize = ROWS / 4;
/// Rows whose numbers are loaded and segments found before their values are gathered.
const BLOCK: usize = 1024;
const CHUNK: usize = 32 * BLOCK;
/// Where a file's columns begin.
const SOURCE_AT: usize = 136;

/// Random numbers below `rows`.
fn picks(rows: usize, count: usize) -> Vec<i64> {
    let mut state = 88_172_645_463_325_252_u64;
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % rows as u64) as i64
        })
        .collect()
}

fn equal(n: usize) -> Segments {
    let length = (ROWS / n) as u64;
    Segments::new((0..=n as u64).map(|segment| segment * length).collect())
}

/// Lengths between a half and one and a half times the average.
fn ragged(n: usize) -> Segments {
    let (n, length) = (n as u64, (ROWS / n) as u64);
    let start = |s: u64| if s == 0 || s == n { s * length } else { s * length + (s * 7919) % (length / 2) };
    Segments::new((0..=n).map(start).collect())
}

#[expect(clippy::unwrap_used, reason = "nobody cancels a call without a progress")]
fn run(threads: usize, count: usize, work: &(dyn Fn(usize, usize) + Sync)) {
    pool::run(threads, count.div_ceil(CHUNK), None, 1, &|chunk| {
        work(chunk * CHUNK, CHUNK.min(count - chunk * CHUNK));
    })
    .unwrap();
}

/// What `limit.c` does.
fn plain(threads: usize, source: usize, picks: &[i64], target: usize) {
    run(threads, picks.len(), &|from, count| {
        let (source, target) = (source as *const u64, target as *mut u64);
        for (i, &pick) in picks[from..from + count].iter().enumerate() {
            // SAFETY: picks are rows of the source; the target has a place for each.
            unsafe {
                target.add(from + i).write_unaligned(source.add(pick as usize).read_unaligned());
            }
        }
    });
}

/// What a reader does.
fn read(
    threads: usize,
    width: usize,
    segments: &Segments,
    source: usize,
    picks: &[i64],
    target: usize,
    record: usize,
) {
    let bases = vec![source; segments.len()];
    let n_rows = segments.n_rows();
    let stores = stores_for((picks.len() * record) as u64);
    run(threads, picks.len(), &|chunk, count| {
        let indices = IndexSlice {
            data: picks.as_ptr().cast(),
            len: picks.len(),
            stride: 8,
            index_type: IndexType::I64,
        };
        // SAFETY: an address has the size and alignment of a pointer, and these were made from one.
        let bases: &[*const u8] = unsafe { std::slice::from_raw_parts(bases.as_ptr().cast(), bases.len()) };
        let (mut rows, mut found) = ([0; BLOCK], [0; BLOCK]);
        for from in (chunk..chunk + count).step_by(BLOCK) {
            let rows = &mut rows[..BLOCK.min(chunk + count - from)];
            let target = (target + from * record) as *mut u8;
            // SAFETY: picks are rows of the source, which all bases point at; the target has a place for each.
            unsafe {
                let _ = black_box(index::load(&indices, from, n_rows, rows));
                if segments.len() == 1 {
                    gather(stores, width, bases[0], rows, target, record);
                } else {
                    let found = &mut found[..rows.len()];
                    segments.find_all(rows, found);
                    gather_segments(stores, width, bases, found, rows, target, record);
                }
            }
        }
    });
}

#[expect(clippy::unwrap_used, reason = "a benchmark without its input has nothing to do")]
fn random_rows(c: &mut Criterion) {
    let file = MappedFile::filled(SOURCE_AT + 16 * ROWS).unwrap();
    let source = file.as_ptr() as usize + SOURCE_AT;
    let huge = Buffer::filled(8 * ROWS);
    let mut out = Buffer::filled(29 * PICKS);
    let target = out.as_mut_ptr() as usize;
    let picks = picks(ROWS, PICKS);
    let one = Segments::new(vec![0, ROWS as u64]);

    let mut group = c.benchmark_group("gather 5 M of 20 M doubles");
    group.throughput(Throughput::Elements(PICKS as u64)).sample_size(15);
    for threads in [1, 2] {
        group.bench_function(format!("plain loop, huge pages/{threads}"), |b| {
            b.iter(|| plain(threads, huge.as_ptr() as usize, &picks, target));
        });
        group.bench_function(format!("plain loop/{threads}"), |b| {
            b.iter(|| plain(threads, source, &picks, target));
        });
        for (name, segments) in [
            ("1 segment", one.clone()),
            ("1000 segments", equal(1000)),
            ("1000 segments, ragged", ragged(1000)),
            ("10000 segments", equal(10_000)),
            ("10000 segments, ragged", ragged(10_000)),
        ] {
            group.bench_function(format!("{name}/{threads}"), |b| {
                b.iter(|| read(threads, 8, &segments, source, &picks, target, 8));
            });
        }
    }
    group.finish();

    let mut group = c.benchmark_group("gather 5 M of 20 M, other widths");
    group.throughput(Throughput::Elements(PICKS as u64)).sample_size(15);
    for width in [1, 2, 3, 4, 16] {
        group.bench_function(format!("{width}"), |b| {
            b.iter(|| read(1, width, &one, source, &picks, target, width));
        });
    }
    group.bench_function("8 into records of 29", |b| {
        b.iter(|| read(1, 8, &one, source, &picks, target, 29));
    });
    group.finish();
}

/// A column that stays in the second-level cache, where asking for lines ahead is for nothing.
fn in_cache(c: &mut Criterion) {
    let rows = 32_768;
    let source = Buffer::filled(8 * rows);
    let mut out = Buffer::filled(8 * rows);
    let (source, target) = (source.as_ptr() as usize, out.as_mut_ptr() as usize);
    let picks = picks(rows, rows);
    let one = Segments::new(vec![0, rows as u64]);
    let mut group = c.benchmark_group("gather 32768 of 32768 doubles");
    group.throughput(Throughput::Elements(rows as u64));
    group.bench_function("plain loop", |b| b.iter(|| plain(1, source, &picks, target)));
    group.bench_function("1 segment", |b| b.iter(|| read(1, 8, &one, source, &picks, target, 8)));
    group.finish();
}

criterion_group!(benches, random_rows, in_cache);
criterion_main!(benches);
