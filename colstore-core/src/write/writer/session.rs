//! What a writer has while it is open, and the steps that change what readers know of the file.

use std::path::Path;
use std::sync::Arc;

use colstore_format::{COUNTERS_OFFSET, Counters, Header, Manifest, Schema};

use super::place::Place;
use super::tail::Tail;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::OutputFile;
use crate::write::extremes::Collected;

/// What a writer has while it is open.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) place: Place,
    pub(super) tail: Tail,
    /// The extremes of all records, if they are wanted and there is a schema.
    pub(super) statistics: Option<Collected>,
    /// What the counters in the file say.
    pub(super) committed: Counters,
    pub(super) committed_end: u64,
    /// Whether anything was written since opening.
    pub(super) begun: bool,
    /// Whether counters may have been written that are not `committed`.
    pub(super) in_doubt: bool,
    pub(super) trouble: Option<Trouble>,
}

/// Why nothing can be written any more.
#[derive(Debug, Clone)]
pub(super) enum Trouble {
    /// Records are missing in the middle; those before can be committed.
    Lost(String),
    /// Nobody knows what is on the disk.
    Doubtful(String),
}

impl Open {
    /// Before the first record: the header of a new file, or the end of what hangs on behind an old one's records.
    pub(super) fn begin(&mut self, schema: &Schema) -> Result<()> {
        if self.begun {
            return Ok(());
        }
        let path = self.place.path();
        let file = &**self.place.file();
        if self.committed_end == 0 {
            let header = Header::encode(&Manifest::new(schema.clone()), Counters::default());
            let written = file.write_all_at(&header, 0);
            self.tail = Tail::new(self.place.file(), path, header.len() as u64, header.len() as u64);
            if let Err(e) = written {
                let error = Error::io("write", path, &e);
                self.unbegin();
                return Err(error);
            }
        } else {
            if self.committed.stats_offset != 0 {
                // Else a crash could leave a file that points at statistics which were written over.
                let counters = Counters { stats_offset: 0, ..self.committed };
                self.in_doubt = true;
                let written = write_counters(file, path, counters)
                    .and_then(|()| file.flush_data().map_err(|e| Error::io("flush", path, &e)));
                if let Err(e) = written {
                    self.trouble = Some(Trouble::Doubtful(e.message().to_owned()));
                    return Err(e);
                }
                self.in_doubt = false;
                self.committed = counters;
            }
            self.tail.restart().map_err(|e| Error::io("cut", path, &e))?;
        }
        self.begun = true;
        Ok(())
    }

    /// Makes a new file empty again, of which no record could be written.
    pub(super) fn unbegin(&mut self) {
        // What is left, if it fails, is a file without records; it is removed with the writer.
        let _ = self.place.file().set_len(0);
        self.begun = false;
    }

    /// Makes everything up to `end` count: data to the disk, then the counters, then those to the disk.
    pub(super) fn write_counters(&mut self, counters: Counters, end: u64) -> Result<()> {
        let result = self.try_write_counters(counters);
        match &result {
            Ok(()) => {
                self.committed = counters;
                self.committed_end = end;
                self.in_doubt = false;
            }
            Err(e) => self.trouble = Some(Trouble::Doubtful(e.message().to_owned())),
        }
        result
    }

    fn try_write_counters(&mut self, counters: Counters) -> Result<()> {
        let path = self.place.path().to_path_buf();
        let file = Arc::clone(self.place.file());
        // Nobody can look into a file that still has its temporary name.
        if self.place.is_visible() {
            file.flush_data().map_err(|e| Error::io("flush", &path, &e))?;
        }
        self.in_doubt = true;
        if let Err(e) = write_counters(&*file, &path, counters) {
            self.in_doubt = !self.place.is_new();
            return Err(e);
        }
        self.in_doubt = self.place.is_visible();
        self.place.settle()
    }
}

fn write_counters(file: &dyn OutputFile, path: &Path, counters: Counters) -> Result<()> {
    file.write_all_at(&counters.encode(), COUNTERS_OFFSET)
        .map_err(|e| Error::io("write the counters of", path, &e))
}

pub(super) fn doubtful(path: &Path, why: &str) -> Error {
    let message = format!(
        "nothing more can be committed to '{}', since an earlier commit failed: {why}",
        path.display()
    );
    Error::new(ErrorKind::Io, message).with_path(path)
}
