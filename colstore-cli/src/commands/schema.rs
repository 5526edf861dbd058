//! `colstore schema`: name and type of every column, from the header alone.

use colstore_format::{Column, Schema};

use crate::args::SchemaArguments;
use crate::failure::Failure;
use crate::output::{Output, json_string};
use crate::table::{Align, TextColumn, render};
use crate::value::text::printable;
use crate::value::type_name;

/// A table of the columns, or JSON.
pub(crate) fn run(arguments: &SchemaArguments, output: &mut Output) -> Result<(), Failure> {
    let info = colstore_core::info(&arguments.file)?;
    if !arguments.json {
        return output.text(&to_table(&info.schema, output.width()));
    }
    let columns: Vec<String> = info.schema.columns().iter().map(to_json).collect();
    output.line(&format!(
        "{{\"path\": {},\n \"columns\": [{}]}}",
        json_string(&arguments.file.to_string_lossy()),
        columns.join(",\n  ")
    ))
}

/// One line a column: name, dtype, the dtype in words, bytes of a value.
pub(crate) fn to_table(schema: &Schema, width: Option<usize>) -> String {
    let column = |align, heading: &str, cell: &dyn Fn(&Column) -> String| TextColumn {
        align,
        heading: vec![heading.to_owned()],
        cells: schema.columns().iter().map(cell).collect(),
    };
    let columns = vec![
        column(Align::Left, "column", &|column| printable(&column.name().to_string())),
        column(Align::Left, "dtype", &|column| printable(column.dtype_text())),
        column(Align::Left, "type", &|column| type_name(column.dtype())),
        column(Align::Right, "bytes", &|column| column.dtype().itemsize().to_string()),
    ];
    render(columns, width).text
}

/// `{"name": …, "dtype": …}`, the form that `info` and `head` share.
pub(crate) fn name_and_dtype(column: &Column) -> String {
    format!(
        "{{\"name\": {}, \"dtype\": {}}}",
        json_string(&column.name().to_string()),
        json_string(column.dtype_text())
    )
}

fn to_json(column: &Column) -> String {
    format!(
        "{{\"name\": {}, \"dtype\": {}, \"type\": {}, \"itemsize\": {}}}",
        json_string(&column.name().to_string()),
        json_string(column.dtype_text()),
        json_string(&type_name(column.dtype())),
        column.dtype().itemsize()
    )
}
