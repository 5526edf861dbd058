//! Telling the system how mapped files will be read.
//!
//! Left to itself, the system reads some 32 pages around the one that a jump lands on. Where few pages of a file
//! are wanted, most of that is for nothing; so it is told before such a read, and told otherwise after it. Reads
//! that touch a good part of the pages anyway are better served by reading ahead.

use colstore_kernels::pages::page_size;
use memmap2::{Advice as Kind, UncheckedAdvice};

use crate::file::DataFile;
use crate::mapping::Mapping;
use crate::table::Table;

/// How the pages of a file will be asked for, as `madvise` knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Advice {
    /// No particular way.
    #[default]
    Normal,
    /// From the first to the last.
    Sequential,
    /// In no order: nothing is read ahead.
    Random,
    /// All, and soon: reading begins at once.
    WillNeed,
    /// None for a while: what is in memory may go. It is read again when asked for.
    DontNeed,
}

impl Advice {
    /// Passes the advice on. It is nothing but advice: a system that does not take it changes no result.
    pub(crate) fn give(self, mapping: &Mapping) {
        let Some(map) = mapping.map() else { return };
        let _ = match self {
            Advice::Normal => map.advise(Kind::Normal),
            Advice::Sequential => map.advise(Kind::Sequential),
            Advice::Random => map.advise(Kind::Random),
            Advice::WillNeed => map.advise(Kind::WillNeed),
            // SAFETY: the mapping is of a file, shared and never written to, so that its pages can be had again.
            Advice::DontNeed => unsafe { map.unchecked_advise(UncheckedAdvice::DontNeed) },
        };
    }
}

/// Pages are jumped to if at most one in this many is wanted: reading all is then at least twice the work.
const SPARSE: u64 = 2;
/// Rows that a file's part of a read must have, on average, for its advice to be worth two system calls:
/// a microsecond, as much as it takes to gather some hundred.
const ROWS_A_FILE: u64 = 256;

/// As long as it lives, the files of a table are read page by page.
#[derive(Debug)]
pub(crate) struct Sparse<'a>(&'a [crate::part::Part]);

impl<'a> Sparse<'a> {
    /// Announces a read of `n_rows` rows at places of their own, of columns of these item sizes, if it touches few
    /// of the pages there are.
    pub(crate) fn announce(
        table: &'a Table,
        n_rows: u64,
        itemsizes: impl Iterator<Item = usize>,
    ) -> Option<Sparse<'a>> {
        let parts = table.parts();
        if n_rows < ROWS_A_FILE.saturating_mul(parts.len() as u64) {
            return None;
        }
        let page = page_size() as u64;
        let (mut wanted, mut all) = (0u64, 0u64);
        for itemsize in itemsizes {
            let itemsize = itemsize as u64;
            wanted = wanted.saturating_add(n_rows.saturating_mul(itemsize.div_ceil(page)));
            all = all.saturating_add(table.n_rows().saturating_mul(itemsize) / page);
        }
        if wanted.saturating_mul(SPARSE) > all {
            return None;
        }
        parts.iter().for_each(|part| part.file.begin_sparse());
        Some(Sparse(parts))
    }
}

impl Drop for Sparse<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|part| part.file.end_sparse());
    }
}

impl DataFile {
    fn begin_sparse(&self) {
        if self.sparse_reads.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            Advice::Random.give(self.mapping());
        }
    }

    fn end_sparse(&self) {
        if self.sparse_reads.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 1 {
            // What was advised once, at opening, has been done.
            match self.advice() {
                Advice::WillNeed | Advice::DontNeed => Advice::Normal.give(self.mapping()),
                lasting => lasting.give(self.mapping()),
            }
        }
    }
}
