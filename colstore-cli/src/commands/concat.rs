//! `colstore concat`: many files end to end, in a new one.

use std::path::PathBuf;

use colstore_core::{CopyOptions, OnMismatch, StoreMode, Table, concat, copy_table, expand_paths};

use crate::args::{ConcatArguments, Mismatch};
use crate::commands::compact::describe;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Watch;

/// Writes the new file, and says what it is.
pub(crate) fn run(arguments: &ConcatArguments, output: &mut Output) -> Result<(), Failure> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in &arguments.files {
        // Patterns are the shell's: a file may be called anything.
        if path.is_dir() { paths.extend(expand_paths(path)?) } else { paths.push(path.clone()) }
    }
    let tables = paths.iter().map(Table::open).collect::<Result<Vec<_>, _>>()?;
    let on_mismatch = match arguments.on_mismatch {
        Mismatch::Strict => OnMismatch::Strict,
        Mismatch::Drop => OnMismatch::Drop,
    };
    let (table, dropped) = concat(&tables, on_mismatch)?;
    if !dropped.is_empty() {
        let message =
            format!("left out columns that not all files have with the same dtype: {}", dropped.join(", "));
        crate::report(&Failure::Request(message));
    }
    let watch = Watch::start("concat");
    let options = CopyOptions {
        mode: StoreMode::Recreate,
        statistics: arguments.statistics,
        progress: Some(watch.progress()),
        ..CopyOptions::default()
    };
    copy_table(&table, &arguments.out, &options)?;
    drop(watch);
    describe(&arguments.out, arguments.json, output)
}
