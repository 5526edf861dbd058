//! What the kernel has done about a range of memory, and what it is asked to do.
//!
//! All of this is advice and questions about addresses. Nothing here reads or writes the memory, so any address may
//! be passed, and where the system does not know the question the answer is the harmless one.

/// The huge pages of x86-64, and of most others with base pages of 4 KiB.
pub const HUGE_BYTES: usize = 2 << 20;

/// Outputs below this are not worth the advice. NumPy has the same limit.
const LEAST_BYTES: usize = 4 << 20;

/// Asks for huge pages for an output of `len` bytes that is large and has no pages yet.
///
/// The kernel provides memory at the first write to each page, and for an output of many base pages that takes
/// several times as long as filling it. NumPy gives this advice for its own arrays; other callers' allocators do
/// not.
pub fn prepare_output(start: *const u8, len: usize) {
    if len < LEAST_BYTES {
        return;
    }
    // The huge pages that lie wholly inside.
    let first = (start as usize).saturating_add(HUGE_BYTES - 1) & !(HUGE_BYTES - 1);
    let last = (start as usize).saturating_add(len) & !(HUGE_BYTES - 1);
    if first < last && !is_resident(first as *const u8) {
        advise_huge(first, last - first);
    }
}

/// Advises huge pages for a range that begins at a page.
pub(crate) fn advise_huge(start: usize, len: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: the advice changes no content, whatever the addresses belong to. An error, for there may be no huge pages,
    // leaves things as they were.
    unsafe {
        libc::madvise(start as *mut libc::c_void, len, libc::MADV_HUGEPAGE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, len);
}

/// Whether the page of `address` is in memory; true where that cannot be asked.
pub(crate) fn is_resident(address: *const u8) -> bool {
    #[cfg(target_os = "linux")]
    {
        let page = page_size();
        let start = (address as usize) & !(page - 1);
        let mut state = 1_u8;
        // SAFETY: mincore only looks at the page tables for an address, valid or not, and writes one byte a page.
        let failed = unsafe { libc::mincore(start as *mut libc::c_void, page, (&raw mut state).cast()) } != 0;
        failed || state & 1 != 0
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = address;
        true
    }
}

/// Bytes of a base page of memory.
#[must_use]
pub fn page_size() -> usize {
    // SAFETY: sysconf has no preconditions.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).ok().filter(|size| size.is_power_of_two()).unwrap_or(4096)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::fs;

    /// A mapping that nobody has touched; never unmapped.
    fn fresh(len: usize) -> *mut u8 {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a mapping of its own, wherever the kernel likes.
        let map = unsafe { libc::mmap(std::ptr::null_mut(), len, access, flags, -1, 0) };
        assert_ne!(map, libc::MAP_FAILED);
        map.cast()
    }

    /// Whether huge pages are advised for the mapping that holds `address`; `None` if the system does not say.
    fn is_advised(address: usize) -> Option<bool> {
        let maps = fs::read_to_string("/proc/self/smaps").ok()?;
        let mut inside = false;
        for line in maps.lines() {
            let range = line.split_once(' ').and_then(|(range, _)| range.split_once('-'));
            if let Some((from, to)) = range
                && let (Ok(from), Ok(to)) = (usize::from_str_radix(from, 16), usize::from_str_radix(to, 16))
            {
                inside = (from..to).contains(&address);
            } else if inside && let Some(flags) = line.strip_prefix("VmFlags:") {
                return Some(flags.split_whitespace().any(|flag| flag == "hg"));
            }
        }
        None
    }

    #[test]
    fn a_page_is_resident_once_it_is_written_to() {
        let map = fresh(HUGE_BYTES);
        assert!(!is_resident(map.wrapping_add(5)));
        // SAFETY: inside the mapping.
        unsafe { map.add(7).write_volatile(1) };
        assert!(is_resident(map.wrapping_add(5)));
    }

    #[test]
    fn addresses_of_nothing_are_answered() {
        assert!(is_resident(std::ptr::without_provenance(8)));
        prepare_output(std::ptr::without_provenance(8), 100 << 20);
        prepare_output(std::ptr::without_provenance(usize::MAX - 5), usize::MAX);
    }

    #[test]
    fn only_large_fresh_outputs_are_advised() {
        if !fs::exists("/sys/kernel/mm/transparent_hugepage/enabled").unwrap() {
            return;
        }
        let len = 16 << 20;
        let output = fresh(len);
        let middle = output as usize + len / 2;
        prepare_output(output, LEAST_BYTES - 1);
        assert_ne!(is_advised(middle), Some(true), "too small");
        prepare_output(output.wrapping_add(16), len - 16);
        assert_ne!(is_advised(middle), Some(false), "large and fresh");
        let used = fresh(len);
        // SAFETY: the mapping has `len` bytes.
        unsafe { used.write_bytes(1, len) };
        prepare_output(used, len);
        assert_ne!(is_advised(used as usize + len / 2), Some(true), "there already");
    }
}
