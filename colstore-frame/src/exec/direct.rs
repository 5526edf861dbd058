//! Conditions that compare a column with a constant, looked at where the column lies.
//!
//! ```text
//! x > 3 and tag == 7 and sqrt(y) < 2
//! └─ direct ───────┘     computed
//! ```
//!
//! The first conditions of several, as long as each is of that form, need no registers: values of a mapped column are
//! compared in place, for many blocks at once, and only bits are written. They can neither fail nor give a warning.

use std::ops::Range;

use colstore_kernels::compute::Compare;

use super::lower::comparison;
use super::program::{Program, Source, Work};
use super::sources::Sources;
use crate::expr::{Graph, NodeId, Op};

/// A comparison of a column with a constant.
pub(super) struct Direct<'a> {
    sources: &'a Sources<'a>,
    slot: usize,
    op: Compare,
    /// In native order.
    constant: &'a [u8],
}

impl<'a> Direct<'a> {
    /// The condition, if it is one that can be looked at in place; `program` computes it alone, from `sources`.
    pub(super) fn of(
        graph: &Graph,
        condition: NodeId,
        program: &'a Program,
        sources: &'a Sources<'a>,
    ) -> Option<Direct<'a>> {
        let Op::Call { function, args } = &graph.node(condition).op else { return None };
        let &[a, b] = &args[..] else { return None };
        if graph.node(a).dtype != graph.node(b).dtype {
            return None;
        }
        let op = comparison(*function)?;
        let [load, compare] = &program.steps[..] else { return None };
        let Work::Load { slot, is_bool: false } = load.work else { return None };
        let (op, constant) = match (&compare.work, &compare.operands[..]) {
            (Work::Kernel(_), &[Source::Register(_), Source::Constant(constant)]) => (op, constant),
            (Work::Kernel(_), &[Source::Constant(constant), Source::Register(_)]) => (op.swapped(), constant),
            _ => return None,
        };
        let reader = sources.reader(slot)?;
        let width = graph.node(a).dtype.itemsize();
        let constant = program.constants[constant].bytes().get(..width)?;
        reader.compares(0).then_some(Direct { sources, slot, op, constant })
    }

    /// Sets the bits of those of `rows` that it holds for.
    pub(super) fn run(&self, rows: Range<u64>, words: &mut [u64]) {
        if let Some(reader) = self.sources.reader(self.slot) {
            reader.compare(0, rows, self.op, self.constant, words);
        }
    }
}
