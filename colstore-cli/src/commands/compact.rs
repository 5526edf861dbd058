//! `colstore compact`: the records of a file into one.

use std::path::Path;

use colstore_core::{CompactOptions, compact, info};

use crate::args::CompactArguments;
use crate::failure::Failure;
use crate::output::{Output, json_string};
use crate::progress::Watch;
use crate::value::text::printable;

/// Compacts, and says what the file is then.
pub(crate) fn run(arguments: &CompactArguments, output: &mut Output) -> Result<(), Failure> {
    let watch = Watch::start("compact");
    let options = CompactOptions {
        statistics: arguments.statistics,
        progress: Some(watch.progress()),
        ..CompactOptions::default()
    };
    compact(&arguments.file, arguments.out.as_deref(), &options)?;
    drop(watch);
    let written = arguments.out.as_ref().unwrap_or(&arguments.file);
    describe(written, arguments.json, output)
}

/// What a file is that has just been written.
pub(super) fn describe(path: &Path, json: bool, output: &mut Output) -> Result<(), Failure> {
    let info = info(path)?;
    if json {
        return output.line(&format!(
            "{{\"path\": {}, \"n_rows\": {}, \"n_records\": {}, \"file_size\": {}}}",
            json_string(&path.to_string_lossy()),
            info.n_rows,
            info.n_records,
            info.file_size
        ));
    }
    output.line(&format!(
        "{}: {} row{} in {} record{}, {} bytes",
        printable(&path.to_string_lossy()),
        info.n_rows,
        if info.n_rows == 1 { "" } else { "s" },
        info.n_records,
        if info.n_records == 1 { "" } else { "s" },
        info.file_size
    ))
}
