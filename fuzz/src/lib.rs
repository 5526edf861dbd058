//! What the fuzz targets share.
//!
//! Nearly every random change of a `.cstore` file breaks a checksum and is refused at the first look. So the
//! mutator puts the checksums right again three times out of four ([`repair`]), and the changes reach the code
//! behind them. [`Capped`] makes every large allocation a finding: a reader has no reason to take memory by a
//! number that it found in a file.

mod capped;
mod repair;

pub use capped::Capped;
pub use repair::repair;

/// Mutates `data[..size]` in place, then repairs its checksums most of the time. Gives the new size.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let size = libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    if !seed.is_multiple_of(4) {
        repair(&mut data[..size], seed);
    }
    size
}
