//! Where the values of inputs come from.
//!
//! A selection is at most two steps away from rows of a table: base rows, and of these the rows that cuts left. Columns
//! in memory have a value for every base row.

use std::ops::Range;
use std::sync::Arc;

use colstore_core::{BlockCursor, BlockReader, Form, Rows};

use super::program::Program;
use crate::error::{Error, Result};
use crate::expr::{Graph, InputSource, MemoryColumn};

/// Which rows an evaluation is over.
#[derive(Debug, Clone)]
pub(crate) struct RowMap<'a> {
    /// Rows of tables.
    pub(crate) table: Rows<'a>,
    /// Rows of columns in memory; `None` for all of them, in order.
    pub(crate) memory: Option<Rows<'a>>,
}

impl<'a> RowMap<'a> {
    /// All base rows.
    pub(crate) fn base(rows: Rows<'a>) -> RowMap<'a> {
        RowMap { table: rows, memory: None }
    }

    /// Of base rows, those at positions `cut`.
    pub(crate) fn cut(base: &Rows<'a>, cut: Rows<'a>) -> Result<RowMap<'a>> {
        if cut.form() == (Form::Range { first: 0, step: 1 }) && cut.len() == base.len() {
            return Ok(RowMap { table: base.clone(), memory: None });
        }
        let all = base.form() == (Form::Range { first: 0, step: 1 }) && base.n_rows() == Some(base.len());
        let table = if all { cut.clone() } else { base.select(&cut)? };
        Ok(RowMap { table, memory: Some(cut) })
    }

    pub(crate) fn len(&self) -> u64 {
        self.table.len()
    }
}

/// The inputs of a program, shared by all threads.
pub(crate) struct Sources<'a> {
    slots: Vec<Slot<'a>>,
}

enum Slot<'a> {
    Table(BlockReader<'a>),
    Memory { values: Arc<dyn MemoryColumn>, width: usize, rows: Option<&'a Rows<'a>> },
}

/// One thread's places in [`Sources`].
pub(crate) struct Cursors<'a> {
    slots: Vec<Place<'a>>,
}

enum Place<'a> {
    Table(BlockCursor<'a>),
    Memory { values: &'a dyn MemoryColumn, width: usize, rows: Option<&'a Rows<'a>> },
}

impl<'a> Sources<'a> {
    pub(crate) fn new(graph: &'a Graph, program: &Program, map: &'a RowMap<'a>) -> Result<Sources<'a>> {
        let mut slots = Vec::with_capacity(program.slots.len());
        for &index in &program.slots {
            let input = &graph.inputs()[index];
            slots.push(match input.source() {
                InputSource::Table { table, column } => Slot::Table(table.block_reader(&[*column], &map.table)?),
                InputSource::Memory(values) => {
                    let base = map.memory.as_ref().map_or(map.len(), |rows| rows.n_rows().unwrap_or(rows.len()));
                    if values.n_rows() != base {
                        return Err(Error::value(format!(
                            "a column in memory has {} rows, which does not match the {base} rows it is used with",
                            values.n_rows()
                        )));
                    }
                    let width = input.dtype().itemsize();
                    Slot::Memory { values: values.clone(), width, rows: map.memory.as_ref() }
                }
            });
        }
        Ok(Sources { slots })
    }

    /// What reads the only column of a slot, if that is a table's.
    pub(super) fn reader(&self, slot: usize) -> Option<&BlockReader<'a>> {
        match &self.slots[slot] {
            Slot::Table(reader) => Some(reader),
            Slot::Memory { .. } => None,
        }
    }

    pub(crate) fn cursors(&'a self) -> Cursors<'a> {
        let slots = self.slots.iter().map(|slot| match slot {
            Slot::Table(reader) => Place::Table(reader.cursor()),
            Slot::Memory { values, width, rows } => {
                Place::Memory { values: &**values, width: *width, rows: *rows }
            }
        });
        Cursors { slots: slots.collect() }
    }
}

impl Cursors<'_> {
    /// Values of rows `range`, or of those of them that `picks` counts from its start.
    pub(super) fn read(
        &mut self,
        slot: usize,
        range: Range<u64>,
        picks: Option<&[u32]>,
        out: &mut [u8],
    ) -> Result<()> {
        match (&mut self.slots[slot], picks) {
            (Place::Table(cursor), None) => Ok(cursor.read(0, range, out)?),
            (Place::Table(cursor), Some(picks)) => Ok(cursor.read_picks(0, range.start, picks, out)?),
            (Place::Memory { values, width, rows }, picks) => {
                let rows: Vec<u64> = match (rows, picks) {
                    (None, None) => {
                        values.read(range.start, out);
                        return Ok(());
                    }
                    (None, Some(picks)) => picks.iter().map(|&pick| range.start + u64::from(pick)).collect(),
                    (Some(rows), picks) => {
                        let mut found = vec![0; (range.end - range.start) as usize];
                        rows.positions(range.start, &mut found)?;
                        match picks {
                            None => found,
                            Some(picks) => picks.iter().map(|&pick| found[pick as usize]).collect(),
                        }
                    }
                };
                // Rows that follow each other are read at once.
                let mut from = 0;
                for run in rows.chunk_by(|a, b| a + 1 == *b) {
                    let to = from + run.len() * *width;
                    values.read(run[0], &mut out[from..to]);
                    from = to;
                }
                Ok(())
            }
        }
    }
}
