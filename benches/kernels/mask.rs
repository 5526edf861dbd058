//! Rows of a mask, out of a column of twenty million values in a mapped file, into memory that is there: the kernel,
//! block by block as a reader runs it, beside a loop over the bits that are set.

use colstore_benches::{Buffer, MappedFile};
use colstore_kernels::copy::stores_for;
use colstore_kernels::{mask, pool};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const ROWS: usize = 20_000_000;
const BLOCK: usize = 1 << 16;
/// Where a file's columns begin.
const SOURCE_AT: usize = 136;

/// Mask bytes of which about `density` are set.
fn bytes(density: f64) -> Vec<u8> {
    let mut state = 88_172_645_463_325_252_u64;
    let below = (density * f64::from(u32::MAX)) as u64;
    (0..ROWS)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            u8::from(state >> 32 < below)
        })
        .collect()
}

fn pack(bytes: &[u8]) -> Vec<u64> {
    let mut words = vec![0; bytes.len().div_ceil(64)];
    // SAFETY: the bytes are a slice.
    unsafe { mask::pack_bytes(bytes.as_ptr(), 1, bytes.len(), &mut words) };
    words
}

/// Visits the bits that are set, all words alike.
///
/// # Safety
/// `src` is readable for a double for each bit, `dst` writable for one for each that is set.
unsafe fn bit_by_bit(src: *const u8, words: &[u64], dst: *mut u8) {
    let (src, mut dst) = (src.cast::<u64>(), dst.cast::<u64>());
    for (index, &word) in words.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            // SAFETY: this bit is set.
            unsafe {
                let value = src.add(64 * index + word.trailing_zeros() as usize).read_unaligned();
                dst.write_unaligned(value);
                dst = dst.add(1);
            }
            word &= word - 1;
        }
    }
}

/// What a reader does.
#[expect(clippy::unwrap_used, reason = "nobody cancels a call without a progress")]
fn read(threads: usize, width: usize, source: usize, words: &[u64], before: &[usize], target: usize) {
    let set: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
    let stores = stores_for(set * width as u64);
    pool::run(threads, before.len(), None, 1, &|block| {
        let from = block * BLOCK;
        let n = BLOCK.min(ROWS - from);
        let src = (source + from * width) as *const u8;
        let dst = (target + before[block] * width) as *mut u8;
        // SAFETY: the source has a value for each bit; the target has room for those set, behind those of the
        // blocks before.
        unsafe { mask::compress(stores, width, src, words, from, n, dst) };
    })
    .unwrap();
}

#[expect(clippy::unwrap_used, reason = "a benchmark without its input has nothing to do")]
fn masks(c: &mut Criterion) {
    let file = MappedFile::filled(SOURCE_AT + 16 * ROWS).unwrap();
    let source = file.as_ptr() as usize + SOURCE_AT;
    let mut out = Buffer::filled(16 * ROWS);
    let target = out.as_mut_ptr() as usize;
    for density in [0.001, 0.01, 0.05, 0.1, 0.5, 0.9, 1.0] {
        let words = pack(&bytes(density));
        let before: Vec<usize> = words
            .chunks(BLOCK / 64)
            .scan(0, |before, words| {
                let first = *before;
                *before += mask::count(words) as usize;
                Some(first)
            })
            .collect();
        let mut group = c.benchmark_group(format!("mask {density} of 20 M"));
        group.throughput(Throughput::Elements(ROWS as u64)).sample_size(15);
        for threads in [1, 2] {
            group.bench_function(format!("8/{threads}"), |b| {
                b.iter(|| read(threads, 8, source, &words, &before, target));
            });
        }
        for width in [1, 2, 3, 4, 16] {
            group.bench_function(format!("{width}/1"), |b| {
                b.iter(|| read(1, width, source, &words, &before, target));
            });
        }
        group.bench_function("8, bit by bit/1", |b| {
            // SAFETY: the source has a value for each bit, the target room for all.
            b.iter(|| unsafe { bit_by_bit(source as *const u8, &words, target as *mut u8) });
        });
        group.bench_function("positions/1", |b| {
            let mut rows = [0; 1024];
            b.iter(|| {
                for from in (0..ROWS).step_by(1024) {
                    let n = 1024.min(ROWS - from);
                    black_box(mask::positions(&words, from, n, from as u64, &mut rows));
                }
            });
        });
        group.finish();
    }
}

fn bits(c: &mut Criterion) {
    let bytes = bytes(0.3);
    let mut words = pack(&bytes);
    let mut group = c.benchmark_group("mask of 20 M");
    group.throughput(Throughput::Elements(ROWS as u64)).sample_size(15);
    group.bench_function("pack", |b| {
        // SAFETY: the bytes are a slice.
        b.iter(|| unsafe { mask::pack_bytes(bytes.as_ptr(), 1, ROWS, &mut words) });
    });
    group.bench_function("pack, 3 apart", |b| {
        let words = &mut words[..(ROWS / 3).div_ceil(64)];
        // SAFETY: every third byte of a slice.
        b.iter(|| unsafe { mask::pack_bytes(bytes.as_ptr(), 3, ROWS / 3, words) });
    });
    let words = pack(&bytes);
    group.bench_function("count", |b| b.iter(|| mask::count(black_box(&words))));
    let mut out = vec![0; words.len()];
    group.bench_function("nest", |b| b.iter(|| mask::nest(&words, &words, black_box(&mut out))));
    group.finish();
}

criterion_group!(benches, masks, bits);
criterion_main!(benches);
