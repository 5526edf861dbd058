//! Results of a graph for selected rows: into the caller's memory, into one value, into a new file.
//!
//! ```text
//!   base rows ──(positions left by cuts)──► rows
//!                                            │  a block of rows at a time, on several threads
//!              columns that are read as they are: copied past all this by the table
//!              others: computed
//!                                            ▼
//!                          columns │ records │ one value │ a file
//! ```

use std::mem::MaybeUninit;
use std::ops::Range;
use std::path::Path;

use colstore_core::{
    ColumnOutput, FillOutput, REDUCE_BLOCK_ROWS, ReadOptions, Reduction, Rows, Scalar, StoreOptions, fill,
    reduce_parts, reduce_runs, store_generated,
};
use colstore_format::{Column, ColumnName, Schema};
use colstore_kernels::compute::Flags;

use crate::error::{Error, Result};
use crate::exec::{Machine, Machines, Program, RowMap, Sources, predicate};
use crate::expr::{Graph, InputSource, NodeId, Op};

/// What went on while results were computed that a host may want to warn of.
///
/// Floats are watched as they are computed; where a function may be run for rows whose results are then thrown away,
/// none is reported that NumPy would not report for the same rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    flags: Flags,
}

impl Outcome {
    pub(crate) fn new(flags: Flags) -> Outcome {
        Outcome { flags }
    }

    /// What went on here or there.
    #[must_use]
    pub fn and(self, other: Outcome) -> Outcome {
        Outcome { flags: self.flags | other.flags }
    }

    /// Something was divided by zero.
    pub fn divided_by_zero(self) -> bool {
        self.flags.contains(Flags::DIVIDE)
    }

    /// A result was too large for its dtype.
    pub fn overflowed(self) -> bool {
        self.flags.contains(Flags::OVERFLOW)
    }

    /// An operation had no result: NaN, or an arbitrary integer, was given.
    pub fn invalid(self) -> bool {
        self.flags.contains(Flags::INVALID)
    }

    /// All of it as bits: 1 divided by zero, 2 overflowed, 4 underflowed, 8 invalid.
    pub fn bits(self) -> u32 {
        self.flags.bits()
    }
}

/// Rows that a condition holds for.
#[derive(Debug, Clone)]
pub struct Selected {
    /// As positions among the base rows.
    pub rows: Rows<'static>,
    /// What went on.
    pub outcome: Outcome,
}

impl Graph {
    /// The rows among `base` that result `root` is true for: a boolean one.
    ///
    /// Conditions joined by `and` are computed from left to right, each only where those before it hold if that is for
    /// few rows of a block; records are passed over whose statistics tell that a condition holds for none of their rows.
    ///
    /// # Errors
    ///
    /// [`Query`](crate::ErrorKind::Query) if the result is not boolean, and failures of reading and of callbacks.
    ///
    /// # Panics
    ///
    /// If there is no such result.
    pub fn select_rows(&self, root: usize, base: &Rows<'_>, options: &ReadOptions<'_>) -> Result<Selected> {
        self.select(root, &RowMap::base(base.clone()), options)
    }

    fn select(&self, root: usize, map: &RowMap<'_>, options: &ReadOptions<'_>) -> Result<Selected> {
        let condition = self.boolean(root)?;
        let (rows, flags) = predicate::select(self, condition, map, options)?;
        Ok(Selected { rows, outcome: Outcome::new(flags) })
    }

    /// The node of a result that is a condition.
    fn boolean(&self, root: usize) -> Result<NodeId> {
        let condition = self.roots()[root];
        let dtype = self.node(condition).dtype;
        if dtype.kind() != colstore_format::Kind::Bool {
            return Err(Error::query(format!(
                "a boolean condition is needed, and this one is of dtype '{dtype}'"
            )));
        }
        Ok(condition)
    }

    /// Result `value` for the rows among `base` that result `condition` is true for, reduced to one value in one pass:
    /// the same, to the last bit, as if the rows were selected first and [`Evaluation::reduce`] did the rest.
    ///
    /// # Errors
    ///
    /// As [`select_rows`](Graph::select_rows) and [`Evaluation::reduce`].
    ///
    /// # Panics
    ///
    /// If there are no such results.
    pub fn reduce_where(
        &self,
        condition: usize,
        value: usize,
        base: &Rows<'_>,
        reduction: Reduction,
        ddof: f64,
        options: &ReadOptions<'_>,
    ) -> Result<(Scalar, Outcome)> {
        let results = [self.boolean(condition)?, self.roots()[value]];
        let map = RowMap::base(base.clone());
        let (scalar, flags) = predicate::reduce(self, results, &map, (reduction, ddof), options)?;
        Ok((scalar, Outcome::new(flags)))
    }

    /// The results for the rows `base`, or for those of them at positions `cut`.
    ///
    /// # Errors
    ///
    /// [`Type`](crate::ErrorKind::Type) if an operation is none that can be computed, and an error if `cut` is no
    /// selection of as many rows as `base` has.
    pub fn evaluate<'a>(&'a self, base: &Rows<'a>, cut: Option<&Rows<'a>>) -> Result<Evaluation<'a>> {
        let map = match cut {
            Some(cut) => RowMap::cut(base, cut.clone())?,
            None => RowMap::base(base.clone()),
        };
        Ok(Evaluation { graph: self, map })
    }
}

/// Results of a [`Graph`] for certain rows, computed when asked for.
#[derive(Debug)]
pub struct Evaluation<'a> {
    graph: &'a Graph,
    map: RowMap<'a>,
}

/// Where results go.
#[derive(Debug)]
pub enum Output<'a> {
    /// Each to memory of its own, packed: exactly its bytes.
    Columns(Vec<&'a mut [MaybeUninit<u8>]>),
    /// Row by row, the fields in order and without gaps.
    Records(&'a mut [MaybeUninit<u8>]),
}

/// Rows that one thread computes before it takes the next.
const CHUNK_ROWS: u64 = 1 << 16;

impl Evaluation<'_> {
    /// The number of rows.
    pub fn n_rows(&self) -> u64 {
        self.map.len()
    }

    /// The rows that result `root` is true for, as positions among the rows of the evaluation.
    ///
    /// # Errors
    ///
    /// As [`Graph::select_rows`].
    ///
    /// # Panics
    ///
    /// If there is no such result.
    pub fn select_rows(&self, root: usize, options: &ReadOptions<'_>) -> Result<Selected> {
        self.graph.select(root, &self.map, options)
    }

    /// The results in native byte order.
    ///
    /// # Errors
    ///
    /// [`Value`](crate::ErrorKind::Value) if there are not as many columns as results; failures of reading and of
    /// callbacks, and of memory that has another size, before anything is written. Others leave the output partly
    /// written.
    pub fn read(&self, output: Output<'_>, options: &ReadOptions<'_>) -> Result<Outcome> {
        self.read_range(0..self.n_rows(), output, options)
    }

    /// [`read`](Evaluation::read) of rows `range` of the evaluation.
    ///
    /// # Errors
    ///
    /// As [`read`](Evaluation::read).
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the rows.
    pub fn read_range(
        &self,
        range: Range<u64>,
        output: Output<'_>,
        options: &ReadOptions<'_>,
    ) -> Result<Outcome> {
        assert!(
            range.start <= range.end && range.end <= self.n_rows(),
            "{range:?} of {} rows",
            self.n_rows()
        );
        let roots: Vec<NodeId> = self.graph.roots().to_vec();
        let width = |id: NodeId| self.graph.node(id).dtype.itemsize();
        match output {
            Output::Records(out) => {
                let widths: Vec<usize> = roots.iter().map(|&id| width(id)).collect();
                self.compute(&roots, range, FillOutput::Records(&widths, out), options)
            }
            Output::Columns(columns) => {
                if columns.len() != roots.len() {
                    return Err(Error::value(format!(
                        "there are {} columns to write to; the results are {}",
                        columns.len(),
                        roots.len()
                    )));
                }
                let whole = range == (0..self.n_rows());
                let (mut computed, mut outs) = (Vec::new(), Vec::new());
                let mut direct: Vec<(NodeId, &mut [MaybeUninit<u8>])> = Vec::new();
                for (id, out) in roots.into_iter().zip(columns) {
                    if whole && self.table_column(id).is_some() {
                        direct.push((id, out));
                    } else {
                        outs.push((width(id), out));
                        computed.push(id);
                    }
                }
                self.copy(direct, options)?;
                if computed.is_empty() {
                    return Ok(Outcome::default());
                }
                self.compute(&computed, range, FillOutput::Columns(outs), options)
            }
        }
    }

    /// The table and the column that a result is as it is.
    fn table_column(&self, id: NodeId) -> Option<(&colstore_core::Table, usize)> {
        let Op::Input(index) = self.graph.node(id).op else { return None };
        match self.graph.inputs()[index].source() {
            InputSource::Table { table, column } => Some((table, *column)),
            InputSource::Memory(_) => None,
        }
    }

    /// Columns as they are, table by table.
    fn copy(
        &self,
        mut columns: Vec<(NodeId, &mut [MaybeUninit<u8>])>,
        options: &ReadOptions<'_>,
    ) -> Result<()> {
        while let Some((table, _)) = columns.first().and_then(|(id, _)| self.table_column(*id)) {
            let (mut now, mut later) = (Vec::new(), Vec::new());
            for (id, out) in columns {
                match self.table_column(id) {
                    Some((other, column)) if table.is_same(other) => now.push(ColumnOutput { column, out }),
                    _ => later.push((id, out)),
                }
            }
            table.read_columns(&mut now, &self.map.table, options)?;
            columns = later;
        }
        Ok(())
    }

    fn compute(
        &self,
        roots: &[NodeId],
        range: Range<u64>,
        output: FillOutput<'_>,
        options: &ReadOptions<'_>,
    ) -> Result<Outcome> {
        let program = Program::new(self.graph, roots)?;
        let sources = Sources::new(self.graph, &program, &self.map)?;
        let machines = Machines::new(&program, &sources);
        let block_rows = Machine::block_rows(&program) as u64;
        let n_rows = range.end - range.start;
        fill::<Error>(n_rows, output, CHUNK_ROWS, bytes(&program, n_rows), options, &|fill| {
            machines.with(|machine| {
                let rows = fill.rows();
                for start in rows.clone().step_by(block_rows as usize) {
                    let end = rows.end.min(start + block_rows);
                    machine.run(0..roots.len(), range.start + start..range.start + end, None)?;
                    for result in 0..roots.len() {
                        fill.put(result, start - rows.start, machine.result(result, (end - start) as usize));
                    }
                }
                Ok(())
            })
        })?;
        Ok(Outcome::new(machines.flags()))
    }

    /// Result `root` reduced to one value, whatever the number of threads: without a cut, bit for bit what a stored column
    /// of the same values is reduced to ([`Table::reduce`](colstore_core::Table::reduce)). With one, parts of the base
    /// rows are reduced each by itself and merged.
    ///
    /// # Errors
    ///
    /// As there, and failures of callbacks.
    ///
    /// # Panics
    ///
    /// If there is no such result.
    pub fn reduce(
        &self,
        root: usize,
        reduction: Reduction,
        ddof: f64,
        options: &ReadOptions<'_>,
    ) -> Result<(Scalar, Outcome)> {
        let id = self.graph.roots()[root];
        if let Some(cut) = &self.map.memory {
            return self.reduce_parts(id, cut, reduction, ddof, options);
        }
        if let Some((table, column)) = self.table_column(id) {
            let scalar = table.reduce(column, &self.map.table, reduction, ddof, options)?;
            return Ok((scalar, Outcome::default()));
        }
        let program = Program::new(self.graph, &[id])?;
        let sources = Sources::new(self.graph, &program, &self.map)?;
        let machines = Machines::new(&program, &sources);
        let block_rows = Machine::block_rows(&program).max(REDUCE_BLOCK_ROWS) as u64;
        let dtype = self.graph.node(id).dtype;
        let scalar = reduce_runs::<Error>(dtype, self.n_rows(), reduction, ddof, options, &|rows, f| {
            machines.with(|machine| {
                for start in rows.clone().step_by(block_rows as usize) {
                    let end = rows.end.min(start + block_rows);
                    machine.run(0..1, start..end, None)?;
                    f(machine.result(0, (end - start) as usize));
                }
                Ok(())
            })
        })?;
        Ok((scalar, Outcome::new(machines.flags())))
    }

    /// [`reduce`](Evaluation::reduce) for the rows at positions `cut` of the base rows.
    fn reduce_parts(
        &self,
        id: NodeId,
        cut: &Rows<'_>,
        reduction: Reduction,
        ddof: f64,
        options: &ReadOptions<'_>,
    ) -> Result<(Scalar, Outcome)> {
        let program = Program::new(self.graph, &[id])?;
        let sources = Sources::new(self.graph, &program, &self.map)?;
        let machines = Machines::new(&program, &sources);
        let block_rows = Machine::block_rows(&program) as u64;
        let n_base = cut.n_rows().unwrap_or(0);
        let part_rows = predicate::part_rows(n_base);
        let size = (n_base.div_ceil(part_rows) as usize, bytes(&program, self.n_rows()));
        let dtype = self.graph.node(id).dtype;
        let scalar = reduce_parts::<Error>(dtype, size, reduction, ddof, options, &|part, out| {
            let first = part as u64 * part_rows;
            let rows = cut.rank(first)?..cut.rank(n_base.min(first + part_rows))?;
            machines.with(|machine| {
                for start in rows.clone().step_by(block_rows as usize) {
                    let end = rows.end.min(start + block_rows);
                    machine.run(0..1, start..end, None)?;
                    out.extend_from_slice(machine.result(0, (end - start) as usize));
                }
                Ok(())
            })
        })?;
        Ok((scalar, Outcome::new(machines.flags())))
    }

    /// Writes the results to a new file of one record, as columns of these names.
    ///
    /// The file appears whole or not at all, as by [`store`](colstore_core::store); memory does not grow with the rows.
    ///
    /// # Errors
    ///
    /// [`Value`](crate::ErrorKind::Value) if there are not as many names as results, and failures of reading, writing
    /// and callbacks.
    pub fn write(
        &self,
        path: impl AsRef<Path>,
        names: &[ColumnName],
        options: &StoreOptions<'_>,
    ) -> Result<Outcome> {
        let roots = self.graph.roots();
        if names.len() != roots.len() {
            let message = format!("there are {} names for {} results", names.len(), roots.len());
            return Err(Error::value(message));
        }
        let columns = names.iter().zip(roots);
        let columns =
            columns.map(|(name, &id)| Column::new(name.clone(), self.graph.node(id).dtype)).collect();
        let schema = Schema::new(columns)?;
        let program = Program::new(self.graph, roots)?;
        let sources = Sources::new(self.graph, &program, &self.map)?;
        let machines = Machines::new(&program, &sources);
        let block_rows = Machine::block_rows(&program) as u64;
        store_generated::<Error>(path, &schema, self.n_rows(), options, &|chunk| {
            machines.with(|machine| {
                let rows = chunk.rows();
                for start in rows.clone().step_by(block_rows as usize) {
                    let end = rows.end.min(start + block_rows);
                    machine.run(0..roots.len(), start..end, None)?;
                    for (result, column) in schema.columns().iter().enumerate() {
                        let width = column.dtype().itemsize();
                        let values = machine.result(result, (end - start) as usize);
                        let from = (start - rows.start) as usize * width;
                        let out = &mut chunk.column(result)[from..from + values.len()];
                        out.copy_from_slice(values);
                        if cfg!(target_endian = "big") {
                            out.chunks_mut(column.dtype().word_size().max(1)).for_each(<[u8]>::reverse);
                        }
                    }
                }
                Ok(())
            })
        })?;
        Ok(Outcome::new(machines.flags()))
    }
}

/// Bytes that are moved for so many rows, about.
fn bytes(program: &Program, n_rows: u64) -> u64 {
    let row: u64 = program.steps.iter().map(|step| step.width as u64).sum();
    n_rows.saturating_mul(row)
}
