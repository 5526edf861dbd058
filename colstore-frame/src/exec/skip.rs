//! Records whose statistics tell that a condition holds for none of their rows.
//!
//! ```text
//! x < c, x <= c    it does not hold for the least value
//! x > c, x >= c    it does not hold for the greatest value
//! x == c           the least value is above c, or the greatest below
//! x in {…}         no element lies between the two
//! x                a boolean, and the greatest is false
//! ```
//!
//! `x` is a column, or one that is converted to a wider dtype, which keeps the order. What holds for an extreme is found
//! out by the very loop that the rows would go through, so that it cannot come out otherwise. Nothing else is skipped by,
//! `!=` least of all; nor are records without known extremes, such as those with NaN.

use std::ops::Range;
use std::sync::Arc;

use colstore_core::{Form, Rows, Table};
use colstore_format::{DType, Kind};
use colstore_kernels::compute::TextUnit;

use super::machine::Machines;
use super::program::Program;
use super::sources::{RowMap, Sources};
use crate::error::Result;
use crate::expr::{Function, Graph, Input, InputSource, NodeId, Op, TypedNode, VecColumn};

/// Runs of rows that can be passed over, in order and apart.
pub(super) fn rows(graph: &Graph, conditions: &[NodeId], map: &RowMap<'_>) -> Result<Vec<Range<u64>>> {
    // Positions are rows of the table, from some row on.
    let (Form::Range { first, step: 1 }, None) = (map.table.form(), &map.memory) else {
        return Ok(Vec::new());
    };
    let mut skipped: Vec<Range<u64>> = Vec::new();
    for &condition in conditions {
        let Some(test) = Test::of(graph, condition) else { continue };
        let known = test.table.record_extremes(test.column)?;
        if known.rows.is_empty() {
            continue;
        }
        let can_hold = test.can_hold(graph, &known.min, &known.max, known.rows.len())?;
        for (rows, _) in known.rows.iter().zip(can_hold).filter(|(_, can_hold)| !can_hold) {
            let end = rows.end.min(first + map.len());
            if rows.start.max(first) < end {
                skipped.push(rows.start.max(first) - first..end - first);
            }
        }
    }
    skipped.sort_unstable_by_key(|run| run.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for run in skipped {
        match joined.last_mut() {
            Some(last) if run.start <= last.end => last.end = last.end.max(run.end),
            _ => joined.push(run),
        }
    }
    Ok(joined)
}

/// A condition that extremes can tell of.
struct Test<'a> {
    table: &'a Table,
    column: usize,
    /// The node that is compared, of which the column is the only input.
    value: NodeId,
    kind: TestKind,
}

enum TestKind {
    /// Must hold for the least value, or for the greatest.
    Comparison {
        condition: NodeId,
        for_least: bool,
    },
    /// The comparisons that must hold for the least and for the greatest value, in place of the equality.
    Equality {
        condition: NodeId,
        for_least: Function,
        for_greatest: Function,
    },
    Set {
        dtype: DType,
        elements: Arc<crate::expr::SortedSet>,
    },
    Truth,
}

impl<'a> Test<'a> {
    fn of(graph: &'a Graph, condition: NodeId) -> Option<Test<'a>> {
        let (value, kind) = match &graph.node(condition).op {
            Op::Input(_) => (condition, TestKind::Truth),
            Op::IsIn { value, set, negated: false } => {
                let dtype = graph.node(*value).dtype;
                (*value, TestKind::Set { dtype, elements: set.clone() })
            }
            Op::Call { function, args } => {
                let &[a, b] = &args[..] else { return None };
                let is_constant = |id: NodeId| matches!(graph.node(id).op, Op::Constant(_));
                // As if the constant stood on the right.
                let (value, function_seen, swapped) = match (is_constant(a), is_constant(b)) {
                    (false, true) => (a, *function, false),
                    (true, false) => (b, function.swapped()?, true),
                    _ => return None,
                };
                let kind = match function_seen {
                    Function::Less | Function::LessEqual => {
                        TestKind::Comparison { condition, for_least: true }
                    }
                    Function::Greater | Function::GreaterEqual => {
                        TestKind::Comparison { condition, for_least: false }
                    }
                    Function::Equal => {
                        let (for_least, for_greatest) = match swapped {
                            false => (Function::LessEqual, Function::GreaterEqual),
                            true => (Function::GreaterEqual, Function::LessEqual),
                        };
                        TestKind::Equality { condition, for_least, for_greatest }
                    }
                    _ => return None,
                };
                (value, kind)
            }
            _ => return None,
        };
        let mut node = value;
        while let Op::Cast(inner) = graph.node(node).op {
            if !keeps_order(graph.node(inner).dtype, graph.node(node).dtype) {
                return None;
            }
            node = inner;
        }
        let Op::Input(index) = graph.node(node).op else { return None };
        match graph.inputs()[index].source() {
            InputSource::Table { table, column } => Some(Test { table, column: *column, value, kind }),
            InputSource::Memory(_) => None,
        }
    }

    /// Of each record whether the condition may hold for one of its rows.
    fn can_hold(&self, graph: &Graph, min: &[u8], max: &[u8], n: usize) -> Result<Vec<bool>> {
        let dtype = self.table.schema().columns()[self.column].dtype();
        let truths =
            |changed: Option<(NodeId, Function)>, root: NodeId, values: &[u8]| -> Result<Vec<bool>> {
                let bytes = run(graph, changed, root, dtype, values, n)?;
                Ok(bytes.into_iter().map(|byte| byte != 0).collect())
            };
        match &self.kind {
            TestKind::Comparison { condition, for_least } => {
                truths(None, *condition, if *for_least { min } else { max })
            }
            TestKind::Equality { condition, for_least, for_greatest } => {
                let least = truths(Some((*condition, *for_least)), *condition, min)?;
                let greatest = truths(Some((*condition, *for_greatest)), *condition, max)?;
                Ok(least.into_iter().zip(greatest).map(|(a, b)| a && b).collect())
            }
            TestKind::Truth => truths(None, self.value, max),
            TestKind::Set { dtype: of_set, elements } => {
                let (low, high) = (
                    run(graph, None, self.value, dtype, min, n)?,
                    run(graph, None, self.value, dtype, max, n)?,
                );
                let width = of_set.itemsize();
                Ok(low
                    .chunks(width)
                    .zip(high.chunks(width))
                    .map(|(low, high)| {
                        // Sorted: the first element that is not below the least value decides.
                        let element = |at: usize| &elements.bytes()[at * width..(at + 1) * width];
                        let (mut from, mut to) = (0, elements.len());
                        while from < to {
                            let middle = from + (to - from) / 2;
                            match order(*of_set, element(middle), low) {
                                Some(std::cmp::Ordering::Less) => from = middle + 1,
                                _ => to = middle,
                            }
                        }
                        from < elements.len()
                            && order(*of_set, element(from), high).is_none_or(std::cmp::Ordering::is_le)
                    })
                    .collect())
            }
        }
    }
}

/// Runs node `root` for rows with these values of the only input it has, another function in place of one.
fn run(
    graph: &Graph,
    changed: Option<(NodeId, Function)>,
    root: NodeId,
    dtype: DType,
    values: &[u8],
    n: usize,
) -> Result<Vec<u8>> {
    let mut nodes: Vec<TypedNode> = graph.nodes()[..=root.index()].to_vec();
    if let Some((at, function)) = changed
        && let Op::Call { function: old, .. } = &mut nodes[at.index()].op
    {
        *old = function;
    }
    let column = VecColumn::new(dtype.to_little(), values.to_vec(), n as u64)?;
    let input = Input::memory(Arc::new(column));
    let graph = Graph { nodes, inputs: vec![input; graph.inputs().len()], roots: vec![root] };
    let program = Program::new(&graph, &[root])?;
    let map = RowMap::base(Rows::all(n as u64));
    let sources = Sources::new(&graph, &program, &map)?;
    let machines = Machines::new(&program, &sources);
    machines.with(|machine| {
        machine.run(0..1, 0..n as u64, None)?;
        Ok(machine.result(0, n).to_vec())
    })
}

/// Whether a conversion never turns two values around.
fn keeps_order(from: DType, to: DType) -> bool {
    match (from.kind(), to.kind()) {
        (Kind::Bool, Kind::Int | Kind::UInt | Kind::Float) => true,
        (Kind::Int, Kind::Int) | (Kind::UInt, Kind::UInt) | (Kind::Float, Kind::Float) => {
            to.itemsize() >= from.itemsize()
        }
        (Kind::UInt, Kind::Int) => to.itemsize() > from.itemsize(),
        (Kind::Int | Kind::UInt, Kind::Float) => to.itemsize() > 2,
        _ => false,
    }
}

/// The order of two native values; `None` where they have none.
fn order(dtype: DType, a: &[u8], b: &[u8]) -> Option<std::cmp::Ordering> {
    let constant = |bytes: &[u8]| {
        let bytes = super::lower::native(dtype, bytes);
        crate::expr::Constant::new(dtype, &bytes).ok()
    };
    let (a, b) = (constant(a)?, constant(b)?);
    match (a.as_i128(), b.as_i128(), a.as_f64(), b.as_f64()) {
        (Some(a), Some(b), ..) => Some(a.cmp(&b)),
        (_, _, Some(a), Some(b)) => a.partial_cmp(&b),
        _ => {
            let unit = if dtype.kind() == Kind::Unicode { TextUnit::CodePoint } else { TextUnit::Byte };
            Some(colstore_kernels::compute::order_text(unit, a.bytes(), b.bytes()))
        }
    }
}

#[cfg(test)]
#[path = "skip_tests.rs"]
mod tests;
