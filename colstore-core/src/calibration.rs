//! Measuring how many threads a gather is fastest with.

use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use colstore_kernels::copy::Stores;
use colstore_kernels::{budget, gather, pool};

use crate::error::{Error, ErrorKind, Result};
use crate::{Progress, memory};

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Calibration {
    /// The least number of threads within 3 % of the best.
    pub threads: usize,
    /// What that many gather, in 10⁹ bytes of output a second.
    pub gigabytes_per_second: f64,
    /// The same for each number of threads that was tried, ascending.
    pub measured: Vec<(usize, f64)>,
}

/// Values of the table that is gathered from, of 8 bytes: 128 MiB, more than caches hold.
const SOURCE_ROWS: usize = 16 << 20;
/// Values that are gathered in one round.
const ROWS: usize = 2 << 20;
/// Values that a thread takes at once.
const CHUNK_ROWS: usize = 32 << 10;
/// Values whose row numbers are made at once, so that they stay in the first-level cache.
const BLOCK: usize = 1024;
/// Numbers of threads that are this close to the best are as good.
const CLOSE: f64 = 0.97;

/// Gathers values from random rows of a table in memory with each number of threads up to the default, in `rounds`
/// rounds, and takes the best round of each. Needs 150 MB of memory, and some 20 ms a round and number of threads.
/// Nothing is set by it.
///
/// # Errors
///
/// [`Cancelled`](ErrorKind::Cancelled), [`OutOfMemory`](ErrorKind::OutOfMemory), and
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for no rounds.
pub fn calibrate_threads(rounds: u32, progress: Option<&Progress>) -> Result<Calibration> {
    if rounds == 0 {
        let message = "rounds must be at least 1, for there to be something to compare";
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    let most = budget::default_threads();
    let source = filled(SOURCE_ROWS)?;
    let mut output = filled(ROWS)?;
    let mut best = vec![Duration::MAX; most];
    // Rounds in turn rather than one number of threads after the other, so that whatever else the machine does
    // meanwhile hits all alike.
    for _ in 0..rounds {
        for threads in 1..=most {
            let start = Instant::now();
            gather_random(&source, &mut output, threads, progress)?;
            best[threads - 1] = best[threads - 1].min(start.elapsed());
        }
    }
    let bytes = (ROWS * size_of::<u64>()) as f64;
    let measured: Vec<(usize, f64)> =
        (1..).zip(&best).map(|(threads, time)| (threads, bytes / time.as_secs_f64() / 1e9)).collect();
    Ok(choose(measured))
}

/// Takes the least number of threads that is close to the best.
fn choose(measured: Vec<(usize, f64)>) -> Calibration {
    let best = measured.iter().fold(0.0, |best: f64, &(_, speed)| best.max(speed));
    let chosen = measured.iter().copied().find(|&(_, speed)| speed >= CLOSE * best);
    let (threads, gigabytes_per_second) = chosen.unwrap_or((1, best));
    Calibration { threads, gigabytes_per_second, measured }
}

/// Memory whose pages are there.
fn filled(n: usize) -> Result<Vec<u64>> {
    let mut values: Vec<u64> = Vec::new();
    values.try_reserve_exact(n).map_err(|_| {
        Error::new(ErrorKind::OutOfMemory, format!("no memory for {n} values to gather from"))
    })?;
    memory::ask_for_huge_pages(values.as_mut_ptr().cast(), n * size_of::<u64>());
    values.extend((0..n as u64).map(|i| i | 1));
    Ok(values)
}

fn gather_random(
    source: &[u64],
    output: &mut [u64],
    threads: usize,
    progress: Option<&Progress>,
) -> Result<()> {
    let rows = source.len() as u64;
    let pieces = Pieces::new(output);
    let chunk_bytes = (CHUNK_ROWS * size_of::<u64>()) as u64;
    pool::run(threads, pieces.len(), progress, chunk_bytes, &|chunk| {
        let mut state = (chunk as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        const WIDTH: usize = size_of::<u64>();
        let mut block = [0u64; BLOCK];
        // SAFETY: the pool hands out each chunk once.
        let output = unsafe { pieces.get(chunk) };
        for output in output.chunks_mut(BLOCK) {
            for row in &mut block {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                *row = ((u128::from(state) * u128::from(rows)) >> 64) as u64;
            }
            let (base, dst) = (source.as_ptr().cast(), output.as_mut_ptr().cast());
            // SAFETY: all rows are the source's, and there is room in the output for one value each.
            unsafe { gather::gather(Stores::Cached, WIDTH, base, &block[..output.len()], dst, WIDTH) };
        }
    })?;
    Ok(())
}

/// An output in chunks that are written by a thread each.
struct Pieces<'a> {
    output: *mut MaybeUninit<u64>,
    len: usize,
    borrowed: std::marker::PhantomData<&'a mut [u64]>,
}

// SAFETY: whoever shares it writes to chunks of their own only, see `get`.
unsafe impl Sync for Pieces<'_> {}

impl<'a> Pieces<'a> {
    fn new(output: &'a mut [u64]) -> Pieces<'a> {
        Pieces { output: output.as_mut_ptr().cast(), len: output.len(), borrowed: std::marker::PhantomData }
    }

    fn len(&self) -> usize {
        self.len.div_ceil(CHUNK_ROWS)
    }

    /// # Safety
    ///
    /// Nobody else may have this chunk.
    #[expect(clippy::mut_from_ref, reason = "chunks are disjoint, and each is had once")]
    unsafe fn get(&self, chunk: usize) -> &mut [MaybeUninit<u64>] {
        let start = (chunk * CHUNK_ROWS).min(self.len);
        // SAFETY: the chunk lies within the output, which is borrowed exclusively, and is the caller's alone.
        unsafe { std::slice::from_raw_parts_mut(self.output.add(start), CHUNK_ROWS.min(self.len - start)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_number_close_to_the_best_is_taken() {
        let chosen = |speeds: &[f64]| choose((1..).zip(speeds.iter().copied()).collect()).threads;
        assert_eq!(chosen(&[1.0, 2.0, 3.0]), 3);
        assert_eq!(chosen(&[1.0, 2.95, 3.0, 2.0]), 2);
        assert_eq!(chosen(&[1.0, 2.9, 3.0]), 3);
        assert_eq!(chosen(&[5.0]), 1);
    }

    #[test]
    fn all_of_the_output_is_gathered() {
        let source: Vec<u64> = (0..1000).collect();
        let mut output = vec![u64::MAX; CHUNK_ROWS + 1500];
        gather_random(&source, &mut output, 2, None).unwrap();
        assert!(output.iter().all(|&value| value < 1000));
        assert!(output.iter().any(|&value| value != output[0]));
    }

    #[test]
    fn a_calibration_can_be_run_and_cancelled() {
        let found = calibrate_threads(1, None).unwrap();
        assert!((1..=budget::default_threads()).contains(&found.threads), "{found:?}");
        assert_eq!(found.measured.len(), budget::default_threads());
        assert!(found.gigabytes_per_second > 0.0);
        let progress = Progress::new();
        progress.cancel();
        assert_eq!(calibrate_threads(1, Some(&progress)).unwrap_err().kind(), ErrorKind::Cancelled);
        assert_eq!(calibrate_threads(0, None).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
