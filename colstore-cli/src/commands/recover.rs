//! `colstore recover`: records that a writer did not get to commit.

use std::path::Path;

use colstore_core::{
    CountersState, Counts, FoundRecord, RecoverOptions, Recoverable, Recovery, RecoveryAction, TailKind,
};

use crate::args::RecoverArguments;
use crate::failure::Failure;
use crate::output::{Output, json_string};
use crate::progress::Watch;
use crate::value::text::printable;

/// Records that are shown one by one.
const MOST_SHOWN: usize = 20;

pub(crate) fn run(arguments: &RecoverArguments, output: &mut Output) -> Result<(), Failure> {
    let watch = arguments.out.is_some().then(|| Watch::start("recover"));
    let progress = watch.as_ref().map(Watch::progress);
    let options = RecoverOptions { commit: arguments.commit, progress, ..RecoverOptions::default() };
    let recovery = colstore_core::recover(&arguments.file, arguments.out.as_deref(), &options)?;
    drop(watch);
    if arguments.json {
        return output.line(&to_json(&recovery));
    }
    describe(&recovery.found, output)?;
    output.line(&format!("{:<10} {}", "result", result(&recovery, arguments.out.as_deref())))
}

fn describe(found: &Recoverable, output: &mut Output) -> Result<(), Failure> {
    let (counters, committed) = match (&found.counters, &found.committed) {
        (_, Some(committed)) => ("intact".to_owned(), counts(committed)),
        (CountersState::Wrong(why) | CountersState::Damaged(why), None) => {
            (printable(why), "readers refuse the file".to_owned())
        }
        (CountersState::Intact, None) => ("intact".to_owned(), String::new()),
    };
    let beyond = match found.n_recoverable_records() {
        0 => "nothing".to_owned(),
        n => format!("{n} records, {} rows", found.n_recoverable_rows()),
    };
    for (key, value) in [
        ("file", shown(&found.path)),
        ("counters", counters),
        ("committed", committed),
        ("whole", counts(&found.whole)),
        ("to recover", beyond),
    ] {
        output.line(&format!("{key:<10} {value}"))?;
    }
    for FoundRecord { index, offset, n_rows } in found.records.iter().take(MOST_SHOWN) {
        output.line(&format!("           record {index} at byte {offset}: {n_rows} rows"))?;
    }
    if found.n_recoverable_records() > MOST_SHOWN as u64 {
        output.line("           ...")?;
    }
    if let Some(tail) = &found.tail {
        let what = match tail.kind {
            TailKind::Statistics => "statistics".to_owned(),
            TailKind::TornRecord => format!("a record not written to its end: {}", printable(&tail.reason)),
            TailKind::Unknown => format!("unknown: {}", printable(&tail.reason)),
        };
        output.line(&format!("{:<10} {} bytes from byte {} on, {what}", "behind", tail.len, tail.offset))?;
    }
    Ok(())
}

fn result(recovery: &Recovery, out: Option<&Path>) -> String {
    let found = &recovery.found;
    let whole = format!("{} records with {} rows", found.whole.n_records, found.whole.n_rows);
    match recovery.action {
        RecoveryAction::Committed => format!("{whole} are committed now"),
        RecoveryAction::Copied => {
            format!("{whole} are in {}", out.map_or_else(String::new, shown))
        }
        RecoveryAction::Unchanged => "nothing to commit".to_owned(),
        RecoveryAction::Listed if found.is_complete() => "nothing to recover".to_owned(),
        RecoveryAction::Listed if found.may_lose_committed() => {
            "nothing was changed; --out NEW writes what is whole to a new file".to_owned()
        }
        RecoveryAction::Listed => {
            "nothing was changed; --commit commits these records, --out NEW writes them to a new file"
                .to_owned()
        }
    }
}

fn counts(counts: &Counts) -> String {
    format!("{} records, {} rows, up to byte {}", counts.n_records, counts.n_rows, counts.end)
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

fn to_json(recovery: &Recovery) -> String {
    let found = &recovery.found;
    let action = match recovery.action {
        RecoveryAction::Listed => "listed",
        RecoveryAction::Unchanged => "unchanged",
        RecoveryAction::Committed => "committed",
        RecoveryAction::Copied => "copied",
    };
    let (counters, reason) = match &found.counters {
        CountersState::Intact => ("intact", None),
        CountersState::Wrong(why) => ("wrong", Some(why)),
        CountersState::Damaged(why) => ("damaged", Some(why)),
    };
    let object = |counts: &Counts| {
        format!(
            "{{\"n_records\": {}, \"n_rows\": {}, \"end\": {}}}",
            counts.n_records, counts.n_rows, counts.end
        )
    };
    let records: Vec<String> = found
        .records
        .iter()
        .map(|record| {
            format!(
                "{{\"index\": {}, \"offset\": {}, \"n_rows\": {}}}",
                record.index, record.offset, record.n_rows
            )
        })
        .collect();
    let tail = found.tail.as_ref().map_or("null".to_owned(), |tail| {
        let kind = match tail.kind {
            TailKind::Statistics => "statistics",
            TailKind::TornRecord => "torn-record",
            TailKind::Unknown => "unknown",
        };
        format!("{{\"kind\": \"{kind}\", \"offset\": {}, \"len\": {}}}", tail.offset, tail.len)
    });
    format!(
        "{{\"path\": {}, \"action\": \"{action}\", \"counters\": \"{counters}\", \"reason\": {}, \"committed\": {}, \
         \"whole\": {},\n \"records\": [{}],\n \"may_lose\": {}, \"tail\": {tail}, \"file_size\": {}}}",
        json_string(&found.path.to_string_lossy()),
        reason.map_or("null".to_owned(), |why| json_string(why)),
        found.committed.as_ref().map_or("null".to_owned(), object),
        object(&found.whole),
        records.join(",\n  "),
        found.may_lose_committed(),
        found.file_size,
    )
}
