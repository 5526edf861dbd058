//! How records come to count, and what becomes of those that do not.

use colstore_format::Counters;

use super::session::{Trouble, doubtful};
use super::tail::Loss;
use super::{Writer, WriterMode, closed};
use crate::error::{Error, Result};

impl Writer {
    /// Writes what was gathered.
    pub(super) fn drain(&mut self) -> Result<()> {
        match self.open.as_mut().map_or(Ok(()), |open| open.tail.drain()) {
            Ok(()) => Ok(()),
            Err(loss) => Err(self.lose(&loss)),
        }
    }

    /// Takes lost records off the books.
    pub(super) fn lose(&mut self, loss: &Loss) -> Error {
        let first = self.n_records - loss.n_records;
        let last = self.n_records - 1;
        self.n_records = first;
        self.n_rows -= loss.n_rows;
        let error = Error::io("write", &self.path, &loss.source);
        let error = error.with_hint(&format!(
            "records {first} to {last}, counted from 0, are lost though their writes had succeeded; the {first} before \
             them can be committed"
        ));
        if let Some(open) = &mut self.open {
            if let Some(statistics) = &mut open.statistics {
                statistics.truncate(first);
            }
            open.trouble = Some(Trouble::Lost(error.message().to_owned()));
        }
        error
    }

    /// Commits the records, of which none may be gathered; with the statistics, if these are the `last`.
    pub(super) fn commit_records(&mut self, last: bool) -> Result<()> {
        let Some(open) = &mut self.open else { return Err(closed(&self.path)) };
        let with_statistics = last && self.options.statistics;
        if self.n_records == open.committed.n_records && !(with_statistics && open.begun) {
            return Ok(());
        }
        let end = open.tail.end();
        let mut without = None;
        let mut footer = Vec::new();
        if let Some(statistics) = open.statistics.as_ref().filter(|_| with_statistics) {
            match statistics.footer() {
                Ok(bytes) => footer = bytes,
                Err(e) => without = Some(e),
            }
        }
        if let Err(e) = open.tail.finish(&footer) {
            if footer.is_empty() {
                return Err(e);
            }
            footer.clear();
            without = Some(e);
            open.tail.finish(&[])?;
        }
        let stats_offset = if footer.is_empty() { 0 } else { end as i64 };
        let counters = Counters { n_records: self.n_records, committed_rows: self.n_rows, stats_offset };
        open.write_counters(counters, end)?;
        match without {
            Some(e) => {
                Err(e.with_hint("the records are committed; only their statistics could not be written"))
            }
            None => Ok(()),
        }
    }

    pub(super) fn finish(&mut self) -> Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        if let Some(Trouble::Doubtful(why)) = &open.trouble {
            return Err(doubtful(&self.path, why));
        }
        if !open.begun {
            return match self.mode {
                WriterMode::Update => Ok(()),
                _ if self.has_refused => {
                    open.place.discard();
                    Ok(())
                }
                _ => open.place.remove(),
            };
        }
        let drained = self.drain();
        if self.n_records == 0 && self.mode != WriterMode::Update {
            // All were lost, now or before.
            drained?;
            return self.check_usable();
        }
        let committed = self.commit_records(true);
        self.trim();
        match (drained, committed) {
            (Err(lost), Err(e)) => Err(lost.with_hint(&format!("then, {e}"))),
            (drained, committed) => drained.and(committed),
        }
    }

    /// Takes what was written since the last commit away, as far as that can be.
    pub(super) fn take_back(&mut self) {
        if let Some(open) = &mut self.open {
            open.tail.abandon();
        }
        if let Some(open) = self.open.as_mut().filter(|open| !open.in_doubt) {
            open.place.discard();
        }
        self.trim();
    }

    /// Cuts off what lies behind the committed records, unless it is their statistics.
    pub(super) fn trim(&mut self) {
        if let Some(open) = &mut self.open
            && open.begun
            && !open.in_doubt
            && open.committed.stats_offset == 0
            && open.committed_end > 0
        {
            open.tail.trim(open.committed_end);
        }
    }
}
