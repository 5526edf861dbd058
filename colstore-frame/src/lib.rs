//! Expressions, queries and frames over tables of `.cstore` files.
//!
//! ```text
//!     text ──parse──► Expr ◄── Rust, and bindings      names, literals, functions: a tree without dtypes
//!                      │ bind: names to inputs, NumPy's dtypes, literals to values
//!                      ▼
//!                    Graph                             typed operations, each once, every conversion one of them
//!                      │ lower, then run block by block on the pool
//!                      ▼
//!     rows │ columns and records │ one value │ a new file
//! ```
//!
//! | module | what is in it |
//! |---|---|
//! | `syntax` | [`parse`]: Python's expression syntax with `@`[`Parameters`]; expressions printed |
//! | `expr` | [`Expr`], [`Function`], [`Literal`]; [`Scope`] for names; [`Graph`], and how expressions are bound to it |
//! | `exec` | graphs as programs over blocks of rows |
//! | `evaluation` | [`Graph::select_rows`], [`Graph::evaluate`]: what a graph gives for certain rows |
//! | `frame`, `cutflow` | [`Frame`]: columns, derived ones among them, and cuts; what each cut leaves |
//! | `error` | [`Error`]: a kind, a message, a place in the text |
//!
//! What an operation gives, dtype and value, is what NumPy 2 gives for arrays of the same dtypes and scalars of Python
//! ([`Graph::bind`] says where it is more exact). `tests/numpy` asks NumPy for the tables that this is tested against.
//!
//! The rows of a table that a text describes:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use colstore_core::{ColumnData, ReadOptions, Rows, StoreOptions, Table, store};
//! use colstore_frame::{Parameters, TableScope, parse};
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path().join("events.cstore");
//! let energies: Vec<u8> = [1.5f64, 2.5, 4.0].iter().flat_map(|e| e.to_le_bytes()).collect();
//! store(&path, &[ColumnData::from_slice("energy".into(), "<f8".parse()?, &energies)?], &StoreOptions::default())?;
//!
//! let table = Table::open(&path)?;
//! let condition = parse("energy > @least and energy not in [4]", &Parameters::new().with("least", 2))?;
//! let graph = condition.bind_condition(&TableScope::new(&table))?;
//! let selected = graph.select_rows(0, &Rows::all(table.n_rows()), &ReadOptions::default())?;
//! assert_eq!(selected.rows.to_vec(0..selected.rows.len()), [1]);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod cutflow;
mod error;
mod evaluation;
mod exec;
mod expr;
mod frame;
mod frame_expr;
#[cfg(test)]
mod interpret;
#[cfg(test)]
mod oracle_tests;
mod prepared;
mod query;
mod syntax;

pub use colstore_format::{ColumnName, DType};
pub use cutflow::CutRecord;
pub use error::{CallbackError, Error, ErrorKind, Result};
pub use evaluation::{Evaluation, Outcome, Output, Selected};
pub use expr::{
    Callback, Constant, Expr, Function, Graph, Input, InputSource, Integer, Literal, MemoryColumn, Node,
    NodeId, Op, Scope, SortedSet, TableScope, TypedNode, ValueSet, VecColumn, call, col, lit,
};
pub use frame::Frame;
pub use prepared::Prepared;
pub use query::filter;
pub use syntax::{Parameter, Parameters, Parsed, parse};
