//! What is read of a file that is not in memory, and what opening options do not change.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "for tests")]

mod common;

use std::fs::File;
use std::num::NonZeroUsize;
use std::os::fd::AsRawFd;
use std::path::Path;

use colstore_core::{Advice, Backend, OpenOptions, ReadOptions, Reduction, Rows, Table};
use common::Model;

const PAGE: u64 = 4096;

/// Bytes that this process has had read from storage so far; `None` where the system does not count them.
fn bytes_read() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("read_bytes: "))?.parse().ok()
}

/// Writes the file back and drops it from memory.
fn drop_from_memory(path: &Path) {
    let file = File::open(path).unwrap();
    file.sync_all().unwrap();
    // SAFETY: the call takes numbers; the descriptor is open.
    unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
}

/// Pages of the file that are in memory, as seen through a mapping of it.
fn resident_pages(path: &Path) -> u64 {
    let file = File::open(path).unwrap();
    let len = file.metadata().unwrap().len() as usize;
    let mut pages = vec![0u8; len.div_ceil(PAGE as usize)];
    // SAFETY: the file is mapped for the length it has, asked about, and unmapped; the vector has a byte a page.
    unsafe {
        let map =
            libc::mmap(std::ptr::null_mut(), len, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0);
        assert!(map != libc::MAP_FAILED);
        assert_eq!(libc::mincore(map, len, pages.as_mut_ptr().cast()), 0);
        libc::munmap(map, len);
    }
    pages.iter().filter(|&&page| page & 1 != 0).count() as u64
}

/// A file of `n` float64, and whether it can be dropped from memory, as not every file system lets one.
fn cold_file(dir: &Path, n: u64) -> Option<std::path::PathBuf> {
    let path = dir.join("cold.cstore");
    std::fs::write(&path, Model::new(&["<f8"], &[n], 3).to_bytes()).unwrap();
    drop_from_memory(&path);
    if resident_pages(&path) * 20 > n * 8 / PAGE {
        println!("skipped: the file system of {} keeps files in memory", dir.display());
        return None;
    }
    Some(path)
}

fn threads(n: usize) -> ReadOptions<'static> {
    ReadOptions { max_threads: NonZeroUsize::new(n), progress: None }
}

/// Rows without a pattern, each on a page of its own, as good as.
fn scattered(n: u64, count: u64) -> Vec<u64> {
    (0..count).map(|i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) % n).collect()
}

#[test]
fn a_sparse_gather_reads_few_more_pages_than_it_wants() {
    let dir = tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let n = 16 << 20;
    let Some(path) = cold_file(dir.path(), n) else { return };
    let rows = scattered(n, 10_000);
    let mut mask = vec![0u8; n as usize];
    rows.iter().for_each(|&row| mask[row as usize] = 1);
    let selections = [Rows::indices(n, &rows).unwrap(), Rows::mask(n, &mask).unwrap()];
    for (s, selection) in selections.iter().enumerate() {
        for reduce in [false, true] {
            drop_from_memory(&path);
            let table = Table::open(&path).unwrap();
            let before = bytes_read();
            if reduce {
                table.reduce(0, selection, Reduction::Max, 0.0, &threads(2)).unwrap();
            } else {
                table.column_bytes(0, selection, &threads(2)).unwrap();
            }
            let resident = resident_pages(&path);
            assert!(resident <= 2 * rows.len() as u64, "{resident} pages are in memory, selection {s}");
            if let (Some(before), Some(after)) = (before, bytes_read()) {
                let pages = (after - before) / PAGE;
                assert!(pages <= 2 * rows.len() as u64, "{pages} pages were read, selection {s}");
            }
        }
    }
}

/// The flags of the mappings of a file: "rr" for random, "sr" for sequential reading.
#[cfg(target_os = "linux")]
fn flags(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let name = path.to_str().unwrap();
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.split_ascii_whitespace().next().is_some_and(|first| !first.ends_with(':')) {
            inside = line.ends_with(name);
        } else if inside && let Some(flags) = line.strip_prefix("VmFlags:") {
            found.push(flags.to_owned());
        }
    }
    found
}

#[test]
#[cfg(target_os = "linux")]
fn advice_is_taken_back_and_what_was_asked_for_at_opening_stays() {
    let dir = tempfile::tempdir().unwrap();
    let n = 4 << 20;
    let path = dir.path().join("a.cstore");
    std::fs::write(&path, Model::new(&["<f8"], &[n], 3).to_bytes()).unwrap();
    if flags(&path).is_empty() && !Path::new("/proc/self/smaps").exists() {
        println!("skipped: there is no /proc/self/smaps");
        return;
    }
    for (advice, flag) in [
        (Advice::Normal, None),
        (Advice::Sequential, Some(" sr")),
        (Advice::Random, Some(" rr")),
        (Advice::WillNeed, None),
        (Advice::DontNeed, None),
    ] {
        let mut options = OpenOptions::default();
        options.advice = advice;
        options.lock = true;
        let table = Table::open_with(&path, &options).unwrap();
        let check = || {
            for flags in flags(&path) {
                assert_eq!(flags.contains(" rr"), flag == Some(" rr"), "{advice:?} {flags}");
                assert_eq!(flags.contains(" sr"), flag == Some(" sr"), "{advice:?} {flags}");
            }
        };
        check();
        let rows = scattered(n, 1000);
        let bytes = table.column_bytes(0, Rows::indices(n, &rows).unwrap(), &threads(2)).unwrap();
        check();
        let mut plain = OpenOptions::default();
        plain.backend = Some(Backend::Mmap);
        drop(table);
        let again = Table::open_with(&path, &plain).unwrap();
        assert_eq!(again.column_bytes(0, Rows::indices(n, &rows).unwrap(), &threads(1)).unwrap(), bytes);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_can_be_kept_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.cstore");
    std::fs::write(&path, Model::new(&["<f8"], &[100], 3).to_bytes()).unwrap();
    let mut options = OpenOptions::default();
    options.lock = true;
    let page = vec![0u8; 2 * PAGE as usize];
    // SAFETY: the page may be locked; it is unlocked when it is freed at the latest.
    if unsafe { libc::mlock(page.as_ptr().cast(), PAGE as usize) } != 0 {
        println!("skipped: this process may lock no memory");
        return;
    }
    let _table = Table::open_with(&path, &options).unwrap();
    assert!(flags(&path).iter().any(|flags| flags.contains(" lo")), "{:?}", flags(&path));
}
