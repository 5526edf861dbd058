//! Loops over raw memory, and the threads that run them.
//!
//! This crate moves bytes and reduces numbers. It knows addresses, widths and counts; it knows no columns, no
//! files and no names, and its kernels fill buffers that their caller brings.
//!
//! ```text
//!   rows in a mapped file                      the caller's buffer
//!   ┌──────────────┐   copy, byteswap           ┌──────────────┐
//!   │ a a a a a a  │ ─────────────────────────► │ a a a a a a  │   column by column
//!   │ b b b b b b  │   stride, gather, mask     └──────────────┘
//!   │ c c c c c c  │   interleave               ┌──────────────┐
//!   └──────────────┘ ─────────────────────────► │ abc abc abc… │   row by row
//!          │                                    └──────────────┘
//!          └─ reduce: sum, moments, least and greatest value
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | [`copy`] | bytes from here to there, past the cache when there are many |
//! | [`byteswap`] | copies words and reverses the bytes of each |
//! | [`stride`] | evenly spaced values into a packed column, and back |
//! | [`index`] | checks row numbers as callers have them, and tells ranges and sorted ones apart |
//! | [`Segments`] | which piece of a table a row is in |
//! | [`gather`] | copies the values of rows in any order |
//! | [`mask`] | packs masks into bits, and copies the values whose bit is set |
//! | [`near`] | the same where rows and places are close together: 16 bits each |
//! | [`interleave`] | turns columns into packed records |
//! | [`compute`] | functions of columns, row by row: what expressions are computed with |
//! | [`reduce`] | sum, mean and variance, least and greatest value of a column |
//! | [`arena`] | memory for large outputs, reused while it is warm |
//! | [`allocator`] | `malloc` and `free` over the arena, for hosts that let others allocate |
//! | [`pages`] | asks for huge pages where an output has none yet |
//! | [`isa`] | which instruction set the kernels use |
//! | [`budget`] | how many threads and which chunks a piece of work deserves |
//! | [`pool`] | runs chunks on the calling thread and a few helpers |
//! | [`behind`] | work that a helper does while its caller goes on |
//! | [`prefetch`] | how far ahead gathers ask for what they will need |
//! | [`progress`] | reports how far a call is, and lets another thread stop it |
//!
//! A kernel runs on one thread. Whoever has much to do cuts it into chunks of [`budget::CHUNK_BYTES`] and hands
//! these to [`pool::run`]:
//!
//! ```
//! use colstore_kernels::{budget, copy, pool};
//!
//! let source = vec![7_u8; 5 << 20];
//! let mut target = vec![0_u8; source.len()];
//! let (from, to) = (source.as_ptr() as usize, target.as_mut_ptr() as usize);
//! let chunk = budget::CHUNK_BYTES;
//! let threads = budget::threads_for(source.len() as u64, usize::MAX);
//! pool::run(threads, source.len().div_ceil(chunk), None, chunk as u64, &|index| {
//!     let start = index * chunk;
//!     let len = chunk.min(source.len() - start);
//!     // Sound, as `start + len` is at most the length of both buffers, which outlive the call, and no two
//!     // chunks overlap.
//!     unsafe { copy::copy((from + start) as *const u8, (to + start) as *mut u8, len) };
//! })?;
//! assert_eq!(source, target);
//! # Ok::<(), colstore_kernels::progress::Cancelled>(())
//! ```

pub mod allocator;
pub mod arena;
pub mod behind;
pub mod budget;
pub mod byteswap;
pub mod compute;
pub mod copy;
pub mod gather;
pub mod index;
pub mod interleave;
pub mod isa;
pub mod mask;
pub mod near;
pub mod pages;
mod placement;
pub mod pool;
pub mod prefetch;
pub mod progress;
pub mod reduce;
mod segments;
pub mod stride;

#[cfg(test)]
mod testing;

pub use progress::{Cancelled, Progress};
pub use segments::Segments;
