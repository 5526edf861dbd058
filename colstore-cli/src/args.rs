//! The command line: what may be asked, and the help that says so.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Everything given on the command line.
#[derive(Debug, Parser)]
#[command(
    name = "colstore",
    version,
    about = "Look into .cstore files: memory-mapped tables stored column by column.",
    after_help = "Exit codes: 0 success, 1 a file could not be read or written, 2 wrong usage, 130 interrupted.",
    arg_required_else_help = true,
    max_term_width = 110
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands, one module of `commands` each.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Info(InfoArguments),
    Schema(SchemaArguments),
    Head(HeadArguments),
    Verify(VerifyArguments),
    Recover(RecoverArguments),
    Compact(CompactArguments),
    Concat(ConcatArguments),
    Append(AppendArguments),
    Calibration(CalibrationArguments),
    /// The same as `calibration run`
    Calibrate(RunArguments),
}

const INFO_JSON: &str = "\
JSON (--json): one array, one object a file, in the order given.
  path            text
  format_version  number, 1
  n_rows          number, rows in the file
  n_records       number, pieces in which they were written
  n_columns       number
  row_size        number, bytes of one row over all columns
  file_size       number, bytes
  columns         array of {\"name\": text, \"dtype\": text}, in file order
A file that cannot be read gives {\"path\": text, \"error\": {\"kind\": text, \"message\": text}}.
Keys may be added later; those above keep their name and meaning.";

const SCHEMA_JSON: &str = "\
JSON (--json): one object.
  path            text
  columns         array, in file order, of objects with
    name            text (a lone surrogate, which JSON text cannot hold, as \\u{d800})
    dtype           text, NumPy's type string as the file spells it, such as \"<f8\" or \"<M8[ns]\"
    type            text, the same in words, such as \"float64\" or \"datetime64[ns]\"
    itemsize        number, bytes of one value
Keys may be added later; those above keep their name and meaning.";

const HEAD_JSON: &str = "\
Values, as text and as JSON:
  bool              false, true (every byte but 0 is true)
  integers          exact, 64 bits included
  floats            the shortest digits that read back as the same value;
                    in JSON the strings \"NaN\", \"Infinity\", \"-Infinity\" for these
  long double       the stored bytes, 0x and 32 hex digits
  datetime64        ISO 8601 to the column's unit, such as 2013-01-01T05:15; NaT
  timedelta64       count and unit, such as 75 s; NaT;
                    in JSON the number that is stored, whose unit the dtype names
  bytes             the text if it is UTF-8, else with \\xNN for each byte that is not
  str               the text, with \\u{NNNN} for what is no Unicode character
  In a table, control characters are escaped (\\n, \\x1b) and long values are cut.

JSON (--json): one object.
  path            text
  n_rows          number, rows in the file
  columns         array of {\"name\": text, \"dtype\": text}, in the order asked for
  rows            array of arrays: the values of one row, in the order of columns
Keys may be added later; those above keep their name and meaning.

On a terminal the table is cut to its width: columns that do not fit are dropped from the
right, and ... stands for them. Written to a file or a pipe, nothing is cut.
COLUMNS=80 in the environment sets a width.";

/// Print size, rows and columns of files (reads headers only)
#[derive(Debug, Args)]
#[command(after_long_help = INFO_JSON, after_help = "--help says more: the keys of --json.")]
pub(crate) struct InfoArguments {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print name and type of every column (reads the header only)
#[derive(Debug, Args)]
#[command(after_long_help = SCHEMA_JSON, after_help = "--help says more: the keys of --json.")]
pub(crate) struct SchemaArguments {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print the first rows
#[derive(Debug, Args)]
#[command(after_long_help = HEAD_JSON, after_help = "--help says more: how values are written, the keys of --json.")]
pub(crate) struct HeadArguments {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How many rows
    #[arg(short = 'n', long = "rows", value_name = "N", default_value_t = 10)]
    pub(crate) rows: u64,
    /// Only these columns, in this order: names with commas between them. May be given several times;
    /// a value that is the name of a column is taken whole, commas included
    #[arg(long, value_name = "A,B")]
    pub(crate) columns: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const VERIFY_JSON: &str = "\
What is found: any changed bit of headers, manifest, fillers and statistics. Values have no checksum:
--deep compares them with the file's statistics, if it has any, and finds a value that leaves their
range, and bytes that no bool or text holds. Other changes of values cannot be found.

Findings are errors (damage), warnings (not as writers leave a file, but readers get the right values)
and notes (nothing is wrong: records not yet committed, files that are not part of a directory's table).
Exit code: 0 no errors, 1 errors were found or a file cannot be read, 2 wrong usage.

JSON (--json): one object.
  sound           true, false: whether there are no errors
  deep            true, false: whether values were read
  n_errors, n_warnings, n_notes      numbers, of all findings, listed or not
  n_files, n_records, n_rows, n_bytes, n_value_bytes      numbers, what was checked
  findings        array of objects with
    severity      \"error\", \"warning\" or \"note\"
    code          text, a word for programs, such as \"record\"
    message       text
    path          text
    offset        number, bytes from the start of the file, or null
    record        number, counted from 0, or null
    column        text or null
  failures        array of {\"path\": text, \"error\": {\"kind\": text, \"message\": text}}: what cannot be read
Keys may be added later; those above keep their name and meaning.";

/// Check files for damage and say where it is
#[derive(Debug, Args)]
#[command(after_long_help = VERIFY_JSON, after_help = "--help says more: what can be found, exit codes, the keys of --json.")]
pub(crate) struct VerifyArguments {
    /// Files, directories or patterns
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Read all values too
    #[arg(long)]
    pub(crate) deep: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const RECOVER_JSON: &str = "\
A record is whole if its header is intact and its body lies inside the file. Bodies have no checksum:
after a power cut (not after the end of a process) a whole record may hold values that never reached
the disk.

JSON (--json): one object.
  path            text
  action          \"listed\", \"unchanged\", \"committed\" or \"copied\"
  counters        \"intact\", \"wrong\" or \"damaged\"
  reason          text, what is wrong with the counters, or null
  committed       {\"n_records\": number, \"n_rows\": number, \"end\": number}, what readers saw, or null if the
                  counters were not intact
  whole           the same for all whole records
  records         array of {\"index\": number, \"offset\": number, \"n_rows\": number}: those that were not
                  committed, a thousand at most
  may_lose        true, false: whether records may have been committed that are not whole (then --out only)
  tail            {\"kind\": \"statistics\", \"torn-record\" or \"unknown\", \"offset\": number, \"len\": number}, what
                  lies behind the whole records, or null
  file_size       number, bytes
Keys may be added later; those above keep their name and meaning.";

/// Show or recover records that a writer did not get to commit
///
/// Without --out and --commit it only shows what there is.
#[derive(Debug, Args)]
#[command(after_long_help = RECOVER_JSON, after_help = "--help says more: what counts as whole, the keys of --json.")]
pub(crate) struct RecoverArguments {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write what is whole to a new file, and leave the old one as it is
    #[arg(long, value_name = "NEW", conflicts_with = "commit")]
    pub(crate) out: Option<PathBuf>,
    /// Commit what is whole in the file itself; nothing is cut off
    #[arg(long)]
    pub(crate) commit: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const WRITTEN_JSON: &str = "\
JSON (--json): one object, what the file is now.
  path            text
  n_rows          number, rows in the file
  n_records       number, pieces in which they lie
  file_size       number, bytes
Keys may be added later; those above keep their name and meaning.";

const COMPACT: &str = "\
The file keeps its rows; those that were written in several pieces (records) come to lie in one, which is
what makes columns fastest to read. A file of one record is left alone, and copied as it is with --out.
Ctrl-C leaves everything as it was. Programs that have the file open keep what they opened.
--help says more: the keys of --json.";

/// Put the records of a file together to one
#[derive(Debug, Args)]
#[command(after_help = COMPACT, after_long_help = format!("{COMPACT}\n\n{WRITTEN_JSON}"))]
pub(crate) struct CompactArguments {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write to this file, which is replaced if it exists, and leave FILE as it is
    #[arg(short, long, value_name = "NEW")]
    pub(crate) out: Option<PathBuf>,
    /// Record the least and the greatest value of every column
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write the rows of many files, end to end, to a new one
#[derive(Debug, Args)]
#[command(after_help = "--help says more: the keys of --json.", after_long_help = WRITTEN_JSON)]
pub(crate) struct ConcatArguments {
    /// The files in order; a directory stands for the .cstore files in it
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The new file, which is replaced if it exists; none of the others
    #[arg(short, long, value_name = "NEW")]
    pub(crate) out: PathBuf,
    /// What to do with columns that not all files have with the same dtype
    #[arg(long, value_enum, default_value_t = Mismatch::Strict)]
    pub(crate) on_mismatch: Mismatch,
    /// Record the least and the greatest value of every column
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to do if files differ in their columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mismatch {
    /// Fail
    Strict,
    /// Leave such columns out
    Drop,
}

const APPEND: &str = "\
Prints the path of every new shard. A file is copied byte for byte; the files of a directory or a
pattern become one. Columns must have the names and types of the directory's first shard, in its order.
A shard appears whole, and is on the disk when its path is printed. One writer at a time: a lock on
DIRECTORY/.colstore.lock keeps others out.";

/// Add files to a directory of shards, each as one more shard
#[derive(Debug, Args)]
#[command(after_help = APPEND)]
pub(crate) struct AppendArguments {
    /// The directory; it is created if it is missing
    #[arg(value_name = "DIRECTORY")]
    pub(crate) directory: PathBuf,
    /// Files, directories or patterns
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<PathBuf>,
    /// What the shards are called; {index} or {index:05d} stands for a number, one more than the largest that is
    /// there [default: shard_{index:05d}.cstore]
    #[arg(long, value_name = "TEMPLATE")]
    pub(crate) name: Option<String>,
    /// Record the least and the greatest value of every column; a shard is one record then
    #[arg(long)]
    pub(crate) statistics: bool,
}

const CALIBRATION: &str = "\
Results are kept in $XDG_CACHE_HOME/colstore, else ~/.cache/colstore, with a fingerprint of the
machine. The Python package shares these files and applies them when it is imported; for other
programs set COLSTORE_MAX_THREADS to the number that was found.

`run` measures threads. The targets prefetch and mask-density are measured by the Python package
(colstore.autotune); `show` and `clear` know them too.";

/// Measure which settings suit this machine, show or forget what was measured
#[derive(Debug, Args)]
#[command(after_help = CALIBRATION, arg_required_else_help = true)]
pub(crate) struct CalibrationArguments {
    #[command(subcommand)]
    pub(crate) action: CalibrationAction,
}

/// What to do about calibrations.
#[derive(Debug, Subcommand)]
pub(crate) enum CalibrationAction {
    Run(RunArguments),
    /// Print where results are kept, whether they were measured on this machine, and the values
    Show(TargetsArguments),
    /// Remove results
    Clear(TargetsArguments),
}

/// Measure how many threads reads of scattered rows are fastest with, and keep it
#[derive(Debug, Args)]
#[command(after_help = CALIBRATION)]
pub(crate) struct RunArguments {
    /// What to measure; all if nothing is named
    #[arg(value_name = "TARGET", value_parser = ["threads"])]
    pub(crate) targets: Vec<String>,
    /// How often everything is measured; the best counts
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
    /// The same for threads, instead of --rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads_rounds: Option<u32>,
    /// Print the result without keeping it
    #[arg(long)]
    pub(crate) no_persist: bool,
}

/// Some of what can be measured.
#[derive(Debug, Args)]
pub(crate) struct TargetsArguments {
    /// Which; all if nothing is named
    #[arg(value_name = "TARGET", value_enum)]
    pub(crate) targets: Vec<Target>,
}

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// How many threads read scattered rows
    Threads,
    /// How many rows ahead memory is asked for
    Prefetch,
    /// From which share of rows on a mask is read as a whole
    MaskDensity,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn head_takes_rows_and_columns() {
        let parsed = Arguments::try_parse_from(["colstore", "head", "t", "-n", "3", "--columns", "a,b"]);
        let Ok(Arguments { command: Command::Head(head) }) = parsed else { panic!("{parsed:?}") };
        assert_eq!((head.rows, head.columns), (3, vec!["a,b".to_owned()]));
        assert!(Arguments::try_parse_from(["colstore", "head", "t", "-n", "-3"]).is_err());
        assert!(Arguments::try_parse_from(["colstore", "info"]).is_err());
    }
}
