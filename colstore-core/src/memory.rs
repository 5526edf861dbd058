//! Where large outputs lie: pages and how to ask for better ones.

use colstore_kernels::pages;

use crate::config;

/// Asks for huge pages for `len` bytes at `address` that nobody has touched, if they are many.
pub(crate) fn ask_for_huge_pages(address: *const u8, len: usize) {
    if config::huge_pages() {
        pages::prepare_output(address, len);
    }
}

/// The pages that lie in `len` bytes at `address` as a whole: their address and bytes.
#[cfg(target_os = "linux")]
pub(crate) fn whole_pages(address: *mut u8, len: usize) -> Option<(*mut u8, usize)> {
    let page = page_size();
    let before = address.addr().next_multiple_of(page) - address.addr();
    let len = len.checked_sub(before)? / page * page;
    (len > 0).then(|| (address.wrapping_add(before), len))
}

/// Bytes of a page of memory.
pub(crate) fn page_size() -> usize {
    // SAFETY: the call takes a number and gives one.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).ok().filter(|size| size.is_power_of_two()).unwrap_or(4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn whole_pages_lie_within() {
        let page = page_size();
        let at = |address: usize, len: usize| {
            whole_pages(std::ptr::without_provenance_mut(address), len)
                .map(|(start, len)| (start.addr(), len))
        };
        assert_eq!(at(page, page), Some((page, page)));
        assert_eq!(at(page, page - 1), None);
        assert_eq!(at(page + 1, page), None);
        assert_eq!(at(page + 1, 2 * page - 1), Some((2 * page, page)));
        assert_eq!(at(page - 1, 3 * page), Some((page, 2 * page)));
        assert_eq!(at(page + 1, 3), None);
    }

    #[test]
    fn advice_changes_nothing_in_memory() {
        let mut memory = vec![3u8; (8 << 20) + 5];
        let len = memory.len();
        ask_for_huge_pages(memory.as_mut_ptr(), len);
        assert!(memory.iter().all(|&byte| byte == 3));
    }
}
