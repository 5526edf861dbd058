//! What a crash leaves: after every step of an operation, every state that its steps may have on the disk.
//!
//! ```text
//! operation ──► Recording: steps ──► after step k:  killed     ──► all steps up to k
//!                                                   power cut  ──► what was flushed, and any part of the rest
//!                                                                     │
//!                                          put into a fresh directory ┘──► opened: the old contents or the new
//! ```
//!
//! The contents that may be found are those that the operation shows without a crash: before it, whenever it says that
//! something is committed, and at its end. For an operation of one commit a test is one line:
//!
//! ```text
//! CrashTest::new(|dir| setup(dir), |storage, dir, _| operation_in(storage, dir)).check();
//! ```

#![allow(clippy::unwrap_used, reason = "for tests")]

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use colstore_format::Statistics;

use super::Storage;
use super::crash_states::{after_kill, after_power_cut};
use super::recording::{Contents, Fault, Recording, Step, files_below};
use crate::error::Result;
use crate::{ReadOptions, Table};

/// What is promised of a file that there was none of before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Newborn {
    /// It is there as a whole or not at all.
    Whole,
    /// Until its first commit has returned it may be missing, damaged, or a table without rows.
    UntilCommitted,
    /// As [`Whole`](Newborn::Whole) if the process is killed; a power cut may leave anything of it at any time.
    Unflushed,
}

/// What the files of a directory are, as readers see them.
type Observed = BTreeMap<PathBuf, Seen>;

#[derive(Debug, Clone)]
enum Seen {
    Table { columns: Vec<(String, Vec<u8>)>, statistics: Option<Statistics> },
    Broken,
}

impl PartialEq for Seen {
    fn eq(&self, other: &Seen) -> bool {
        match (self, other) {
            (Seen::Table { columns, .. }, Seen::Table { columns: others, .. }) => columns == others,
            (Seen::Broken, Seen::Broken) => true,
            _ => false,
        }
    }
}

/// An operation, and what it is done to.
pub(crate) struct CrashTest<S, O> {
    setup: S,
    operation: O,
    newborn: Newborn,
}

/// Tells the test that a commit has returned.
pub(crate) type Committed<'a> = &'a mut dyn FnMut();

impl<S, O> CrashTest<S, O>
where
    S: Fn(&Path),
    O: Fn(&Arc<dyn Storage>, &Path, Committed<'_>) -> Result<()>,
{
    /// `setup` fills a directory, `operation` changes it through the storage, and calls its last argument after each
    /// commit but the one that its end is.
    pub(crate) fn new(setup: S, operation: O) -> CrashTest<S, O> {
        CrashTest { setup, operation, newborn: Newborn::Whole }
    }

    /// Sets what is promised of files that there were none of.
    pub(crate) fn newborn(self, newborn: Newborn) -> CrashTest<S, O> {
        CrashTest { newborn, ..self }
    }

    /// Checks every state after a crash, and every failure.
    pub(crate) fn check(&self) {
        let (recording, before, states) = self.record();
        self.check_crashes(&recording.steps(), &before, &states);
        self.check_failures(&states);
    }

    /// Carries the operation out; gives the record, what was there before, and the contents after each commit.
    fn record(&self) -> (Recording, Contents, Vec<Observed>) {
        let dir = tempfile::tempdir().unwrap();
        (self.setup)(dir.path());
        let mut states = vec![observe(dir.path())];
        let (recording, before) = Recording::new(dir.path(), None);
        (self.operation)(&recording.storage(), dir.path(), &mut || {
            recording.committed();
            states.push(observe(dir.path()));
        })
        .unwrap();
        recording.committed();
        states.push(observe(dir.path()));
        assert!(states.iter().flatten().all(|(_, seen)| *seen != Seen::Broken), "{states:?}");
        assert!(temporary_files(dir.path()).is_empty());
        (recording, before, states)
    }

    fn check_crashes(&self, steps: &[Step], before: &Contents, states: &[Observed]) {
        let mut seen = HashSet::new();
        let mut n_checked = 0;
        for k in 0..=steps.len() {
            let done = &steps[..k];
            let n_committed = done.iter().filter(|step| **step == Step::Committed).count();
            let killed = after_kill(before, done, steps.get(k));
            let cut = after_power_cut(before, done);
            let crashed = killed.into_iter().map(|c| (false, c)).chain(cut.into_iter().map(|c| (true, c)));
            for (is_power_cut, contents) in crashed {
                let mut hasher = DefaultHasher::new();
                (is_power_cut, n_committed, named(&contents)).hash(&mut hasher);
                if !seen.insert(hasher.finish()) {
                    continue;
                }
                n_checked += 1;
                let dir = tempfile::tempdir().unwrap();
                put(&contents, dir.path());
                let found = observe(dir.path());
                let allowed = &states[n_committed..(n_committed + 2).min(states.len())];
                assert!(
                    allowed.iter().any(|state| self.fits(&found, state, &states[n_committed], is_power_cut)),
                    "after step {k} of {steps:#?}\n{}: found {found:?}\ninstead of one of {allowed:?}",
                    if is_power_cut { "power cut" } else { "killed" },
                );
            }
        }
        assert!(n_checked > steps.len(), "{n_checked} states after {} steps", steps.len());
    }

    /// Whether `found` may be taken for `wanted`, where `last` was committed before.
    fn fits(&self, found: &Observed, wanted: &Observed, last: &Observed, is_power_cut: bool) -> bool {
        found.keys().chain(wanted.keys()).all(|path| match (found.get(path), wanted.get(path)) {
            (Some(found), Some(wanted)) if found == wanted => statistics_fit(found, wanted),
            (None, None) => true,
            // Without flushes, it may be gone even after its commit.
            _ if self.newborn == Newborn::Unflushed && is_power_cut => !self.existed(path),
            (found, _) if self.newborn == Newborn::UntilCommitted => {
                !last.contains_key(path) && found.is_none_or(is_without_rows)
            }
            _ => false,
        })
    }

    fn existed(&self, path: &Path) -> bool {
        let dir = tempfile::tempdir().unwrap();
        (self.setup)(dir.path());
        dir.path().join(path).exists()
    }

    /// Lets every step fail, once and from then on: the failure is reported, and what was committed is still there.
    fn check_failures(&self, states: &[Observed]) {
        for code in [libc::ENOSPC, libc::EIO] {
            for lasting in [false, true] {
                for at in 0.. {
                    let dir = tempfile::tempdir().unwrap();
                    (self.setup)(dir.path());
                    let fault = Fault { at, lasting, code };
                    let (recording, _) = Recording::new(dir.path(), Some(fault));
                    let mut n_committed = 0;
                    let result = (self.operation)(&recording.storage(), dir.path(), &mut || n_committed += 1);
                    let Some(failed) = recording.failed() else {
                        result.unwrap();
                        break;
                    };
                    let context = format!("{fault:?} at {failed:?}: {result:?}");
                    // Nothing can be removed then.
                    let stuck = lasting && code == libc::EIO || matches!(failed, Step::Remove { .. });
                    let found = observe(dir.path());
                    let allowed = match &result {
                        // What failed was something that could be done without.
                        Ok(()) => &states[states.len() - 1..],
                        Err(e) => {
                            assert!(e.os_code() == Some(code) || e.message().contains("failed"), "{context}");
                            &states[n_committed..n_committed + 2]
                        }
                    };
                    assert!(
                        allowed
                            .iter()
                            .any(|state| stuck && self.fits(&found, state, &states[n_committed], false)
                                || found == *state),
                        "{context}\nfound {found:?}\ninstead of one of {allowed:?}"
                    );
                    if !stuck {
                        assert!(temporary_files(dir.path()).is_empty(), "{context}");
                    }
                }
            }
        }
    }
}

/// Statistics may be missing; if they are there, they are those of the contents.
fn statistics_fit(found: &Seen, wanted: &Seen) -> bool {
    match (found, wanted) {
        (Seen::Table { statistics: Some(found), .. }, Seen::Table { statistics: Some(wanted), .. }) => {
            found == wanted
        }
        _ => true,
    }
}

fn is_without_rows(seen: &Seen) -> bool {
    match seen {
        Seen::Table { columns, .. } => columns.iter().all(|(_, values)| values.is_empty()),
        Seen::Broken => true,
    }
}

/// All that readers look at below a directory.
fn observe(root: &Path) -> Observed {
    let is_table = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.ends_with(".cstore") && !name.starts_with('.')
    };
    let look = |path: &PathBuf| {
        let Ok(table) = Table::open(path) else { return Seen::Broken };
        let values = |j| table.column_bytes(j, 0..table.n_rows(), &ReadOptions::default()).unwrap();
        let columns = table.schema().columns().iter().enumerate();
        let columns = columns.map(|(j, c)| (format!("{} {}", c.name(), c.dtype_text()), values(j))).collect();
        Seen::Table { columns, statistics: table.statistics().cloned() }
    };
    let tables = files_below(root).into_iter().filter(is_table);
    tables.map(|path| (path.strip_prefix(root).unwrap().to_path_buf(), look(&path))).collect()
}

fn temporary_files(root: &Path) -> Vec<PathBuf> {
    files_below(root).into_iter().filter(|path| path.extension().is_some_and(|e| e == "tmp")).collect()
}

fn named(contents: &Contents) -> BTreeMap<&PathBuf, &Vec<u8>> {
    contents.names.iter().map(|(path, file)| (path, &contents.files[file])).collect()
}

fn put(contents: &Contents, root: &Path) {
    for (path, bytes) in named(contents) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}
