//! Expressions: as they are written (`node`, `builder`, `literal`, `input`), what their functions are (`functions`) and give
//! (`types`), and bound to columns (`bind`, `graph`).

mod bind;
mod builder;
mod consing;
mod convert;
pub(crate) mod fold;
mod functions;
mod graph;
pub(crate) mod half;
mod input;
mod integer;
mod integer_text;
mod literal;
pub(crate) mod node;
pub(crate) mod scope;
mod set;
pub(crate) mod types;

pub use builder::{call, col, lit};
pub use functions::Function;
pub use graph::{Graph, NodeId, Op, SortedSet, TypedNode};
pub use input::{Input, InputSource, MemoryColumn, VecColumn};
pub use integer::Integer;
pub use literal::{Constant, Literal, ValueSet};
pub use node::{Callback, Expr, Node};
pub use scope::{Scope, TableScope};
