//! `colstore append`: tables become shards of a directory, one each.

use std::fs;
use std::path::Path;

use colstore_core::{
    AppendOptions, OnMismatch, OpenOptions, ShardTemplate, Table, append_table, concat, expand_paths,
};

use crate::args::AppendArguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Watch;
use crate::value::text::printable;

/// The paths of the new shards, one a line, each when it is there.
pub(crate) fn run(arguments: &AppendArguments, output: &mut Output) -> Result<(), Failure> {
    let name = arguments.name.as_deref().unwrap_or(ShardTemplate::DEFAULT);
    let template = ShardTemplate::parse(name).map_err(|e| Failure::Request(e.to_string()))?;
    let n = arguments.sources.len();
    if template.literal().is_some() && n > 1 {
        let message =
            format!("--name {name} is the name of one shard, but there are {n}; write {{index}} into it");
        return Err(Failure::Request(message));
    }
    for source in &arguments.sources {
        check_is_another(&arguments.directory, source)?;
        let table = open(source)?;
        let watch = Watch::start("append");
        let options = AppendOptions {
            name,
            statistics: arguments.statistics,
            progress: Some(watch.progress()),
            ..AppendOptions::default()
        };
        let path = append_table(&arguments.directory, &table, &options)?;
        drop(watch);
        output.line(&printable(&path.to_string_lossy()))?;
        output.flush()?;
    }
    Ok(())
}

/// What a file, a directory or a pattern stands for, as one table.
fn open(source: &Path) -> Result<Table, Failure> {
    let options = OpenOptions::default();
    let tables: Vec<Table> = expand_paths(source)?
        .iter()
        .map(|path| Table::open_with(path, &options))
        .collect::<Result<_, _>>()?;
    Ok(concat(&tables, OnMismatch::Strict)?.0)
}

/// Says that a directory is not to be appended to itself where its shards, if it has none, would not tell.
fn check_is_another(directory: &Path, source: &Path) -> Result<(), Failure> {
    match (fs::canonicalize(directory), fs::canonicalize(source)) {
        (Ok(a), Ok(b)) if a == b => {
            Err(Failure::Request(format!("cannot append '{}' to itself", directory.display())))
        }
        // What is not there is nothing else either.
        _ => Ok(()),
    }
}
