//! `colstore head`: the first rows of some columns. Only those rows are read, block by block.

use std::ops::Range;

use colstore_core::{ReadOptions, Table};
use colstore_format::DType;

use crate::args::HeadArguments;
use crate::commands::schema::name_and_dtype;
use crate::failure::Failure;
use crate::output::{Output, json_string};
use crate::table::{TextColumn, render};
use crate::value;
use crate::value::text::printable;

/// About how many bytes of values are held at a time.
const BLOCK_BYTES: u64 = 4 << 20;
/// And how many rows at most, for columns that take no bytes.
const BLOCK_ROWS: u64 = 1 << 16;

/// A table of the first rows, or JSON.
pub(crate) fn run(arguments: &HeadArguments, output: &mut Output) -> Result<(), Failure> {
    let table = Table::open(&arguments.file)?;
    let columns = choose_columns(&table, &arguments.columns)?;
    let n_rows = arguments.rows.min(table.n_rows());
    if arguments.json {
        write_json(arguments, &table, &columns, n_rows, output)
    } else {
        write_table(&table, &columns, n_rows, output)
    }
}

/// Positions of the columns asked for: all of them if none was named.
fn choose_columns(table: &Table, asked: &[String]) -> Result<Vec<usize>, Failure> {
    if asked.is_empty() {
        return Ok((0..table.schema().len()).collect());
    }
    let mut chosen = Vec::new();
    for text in asked {
        let whole = table.schema().index_of(text.as_bytes());
        let names = if whole.is_some() { vec![text.as_str()] } else { text.split(',').collect() };
        for name in names {
            let column = table.column_index(name.as_bytes())?;
            if chosen.contains(&column) {
                return Err(Failure::Request(format!(
                    "column {name:?} is asked for twice; name each column once"
                )));
            }
            chosen.push(column);
        }
    }
    Ok(chosen)
}

fn write_table(table: &Table, columns: &[usize], n_rows: u64, output: &mut Output) -> Result<(), Failure> {
    let mut text_columns: Vec<TextColumn> = columns
        .iter()
        .map(|&column| {
            let column = &table.schema().columns()[column];
            TextColumn {
                align: value::align(column.dtype()),
                heading: vec![printable(&column.name().to_string()), printable(column.dtype_text())],
                cells: Vec::new(),
            }
        })
        .collect();
    for rows in blocks(table, columns, n_rows) {
        for (&column, text_column) in columns.iter().zip(&mut text_columns) {
            let values = Values::read(table, column, rows.clone())?;
            text_column.cells.extend(values.iter().map(|bytes| value::to_text(values.dtype, bytes)));
        }
    }
    let rendered = render(text_columns, output.width());
    output.text(&rendered.text)?;
    if rendered.shown < columns.len() || n_rows < table.n_rows() || columns.is_empty() {
        output.line(&format!(
            "{n_rows} of {} rows, {} of {} columns",
            table.n_rows(),
            rendered.shown,
            table.schema().len()
        ))?;
    }
    Ok(())
}

fn write_json(
    arguments: &HeadArguments,
    table: &Table,
    columns: &[usize],
    n_rows: u64,
    output: &mut Output,
) -> Result<(), Failure> {
    let schema = table.schema().columns();
    output.text(&format!(
        "{{\"path\": {}, \"n_rows\": {},\n \"columns\": [{}],\n \"rows\": [",
        json_string(&arguments.file.to_string_lossy()),
        table.n_rows(),
        columns.iter().map(|&column| name_and_dtype(&schema[column])).collect::<Vec<_>>().join(", ")
    ))?;
    let mut first = true;
    for rows in blocks(table, columns, n_rows) {
        let block: Vec<Values> = columns
            .iter()
            .map(|&column| Values::read(table, column, rows.clone()))
            .collect::<Result<_, _>>()?;
        for row in 0..block_len(&rows) {
            let values: Vec<String> =
                block.iter().map(|values| value::to_json(values.dtype, values.get(row))).collect();
            let separator = if first { "\n  " } else { ",\n  " };
            output.text(&format!("{separator}[{}]", values.join(", ")))?;
            first = false;
        }
    }
    output.line("]}")
}

/// The rows 0..n_rows in pieces of bounded size.
fn blocks(table: &Table, columns: &[usize], n_rows: u64) -> impl Iterator<Item = Range<u64>> + use<> {
    let schema = table.schema().columns();
    let row_size: u64 = columns.iter().map(|&column| schema[column].dtype().itemsize() as u64).sum();
    let step = (BLOCK_BYTES / row_size.max(1)).clamp(1, BLOCK_ROWS);
    let mut start = 0u64;
    std::iter::from_fn(move || {
        let rows = start..n_rows.min(start.saturating_add(step));
        start = rows.end;
        (!rows.is_empty()).then_some(rows)
    })
}

/// Rows of one block, which [`BLOCK_ROWS`] bounds.
fn block_len(rows: &Range<u64>) -> usize {
    usize::try_from(rows.end - rows.start).unwrap_or(usize::MAX)
}

/// Some rows of one column.
struct Values {
    dtype: DType,
    bytes: Vec<u8>,
    rows: usize,
}

impl Values {
    fn read(table: &Table, column: usize, rows: Range<u64>) -> Result<Values, Failure> {
        let dtype = table.schema().columns()[column].dtype();
        let n_rows = block_len(&rows);
        let bytes = table.column_bytes(column, rows, &ReadOptions::default())?;
        Ok(Values { dtype, bytes, rows: n_rows })
    }

    fn get(&self, row: usize) -> &[u8] {
        let itemsize = self.dtype.itemsize();
        &self.bytes[row * itemsize..(row + 1) * itemsize]
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.rows).map(|row| self.get(row))
    }
}
