//! Expressions run: a typed graph becomes a program, the program runs block after block.
//!
//! ```text
//!   Graph ──lower──► steps over virtual registers ──assign──► Program: few registers of one block each
//!                                                                │
//!   rows ──Rows::filled / fill / reduce_runs──► chunks ──► Machine: its registers, its cursors, one a thread
//!                                                                │ for each block: run steps
//!                                                                ▼
//!                                             mask bits │ the caller's memory │ one value │ a new file
//! ```
//!
//! | module | |
//! |---|---|
//! | `program` | steps, registers and how they are shared |
//! | `lower` | from nodes to steps: which kernel an operation is |
//! | `calendar` | months and years to days, and back |
//! | `texts` | what is done with `S` and `U` that is no comparison |
//! | `sources` | where inputs come from, and a thread's place in them |
//! | `machine` | registers of one thread, and the steps of a block |
//! | `predicate` | conditions to the rows they hold for |
//! | `roots` | comparisons of square roots, without these |
//! | `direct` | conditions that are looked at where a column lies |
//! | `skip` | records whose statistics tell that a condition holds for none of their rows |

mod calendar;
mod direct;
mod lower;
mod machine;
pub(crate) mod predicate;
mod program;
mod roots;
mod skip;
mod sources;
mod texts;

pub(crate) use machine::{Machine, Machines};
pub(crate) use program::Program;
pub(crate) use sources::{RowMap, Sources};
