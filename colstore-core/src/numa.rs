//! Memory nodes: which there are, and spreading an output over them.
//!
//! A page lies on the node of the thread that touches it first, so that an output filled by few threads ends up
//! behind one node's memory channels. Where there are several nodes, pages of large outputs are dealt out in turn
//! instead. All of it is by system call and sysfs; whatever fails means that there is nothing to spread.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::config::{self, NumaPolicy};

/// Outputs of fewer bytes are left where they come to lie.
const LARGE: usize = 8 << 20;

/// Has the pages of `len` bytes at `address`, as far as none has been touched yet, dealt out over all memory nodes,
/// if there are several and the policy says so.
pub(crate) fn spread(address: *mut u8, len: usize) {
    if len < LARGE || nodes().count_ones() < 2 {
        return;
    }
    match config::numa_policy() {
        NumaPolicy::Local => {}
        NumaPolicy::Auto if sys::has_own_policy() => {}
        NumaPolicy::Auto | NumaPolicy::Interleave => sys::interleave(address, len, nodes()),
    }
}

/// The number of memory nodes, at least 1.
pub(crate) fn n_nodes() -> usize {
    nodes().count_ones().max(1) as usize
}

/// The nodes that have memory, a bit each. Nodes beyond the 63rd are left out, and so have no part in this.
fn nodes() -> u64 {
    // The highest bit says that the others are known.
    const KNOWN: u64 = 1 << 63;
    static NODES: AtomicU64 = AtomicU64::new(0);
    let known = NODES.load(Ordering::Relaxed);
    if known & KNOWN != 0 {
        return known & !KNOWN;
    }
    let found = ["has_memory", "online"].into_iter().find_map(|name| {
        let text = std::fs::read_to_string(format!("/sys/devices/system/node/{name}")).ok()?;
        parse_nodes(&text)
    });
    let nodes = found.unwrap_or(1);
    NODES.store(nodes | KNOWN, Ordering::Relaxed);
    nodes
}

/// Numbers and ranges of numbers as sysfs lists them (`0-3,5`), as bits; `None` for anything else or nothing.
fn parse_nodes(text: &str) -> Option<u64> {
    let mut nodes = 0;
    for item in text.trim().split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first > last {
            return None;
        }
        for node in first..=last.min(62) {
            nodes |= 1 << node;
        }
    }
    Some(nodes)
}

#[cfg(target_os = "linux")]
mod sys {
    use std::ptr;

    const MPOL_DEFAULT: libc::c_int = 0;
    const MPOL_INTERLEAVE: libc::c_int = 3;

    /// Whether this thread's memory is placed by another policy than the system's own, or that cannot be found out.
    pub(super) fn has_own_policy() -> bool {
        let mut mode: libc::c_int = MPOL_DEFAULT;
        let none = ptr::null_mut::<libc::c_void>();
        // SAFETY: the call writes one int to `mode`, and neither a mask nor an address is asked for.
        let result =
            unsafe { libc::syscall(libc::SYS_get_mempolicy, &raw mut mode, none, 0usize, none, 0usize) };
        result != 0 || mode != MPOL_DEFAULT
    }

    pub(super) fn interleave(address: *mut u8, len: usize, nodes: u64) {
        let Some((start, len)) = crate::memory::whole_pages(address, len) else { return };
        let mask: libc::c_ulong = nodes as libc::c_ulong;
        // One more than the bits that are read, as the system counts.
        let bits = libc::c_ulong::BITS as usize + 1;
        // SAFETY: the mask has `bits - 1` bits. The policy decides where pages of this range will lie, never what
        // is in them; the range lies in memory that the caller may write. A refusal changes nothing.
        unsafe {
            libc::syscall(libc::SYS_mbind, start, len, MPOL_INTERLEAVE, &raw const mask, bits, 0usize);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod sys {
    pub(super) fn has_own_policy() -> bool {
        true
    }

    pub(super) fn interleave(_: *mut u8, _: usize, _: u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_nodes() {
        for (text, nodes) in [
            ("0\n", Some(0b1)),
            ("0-1\n", Some(0b11)),
            ("0-3,5", Some(0b10_1111)),
            ("1,3", Some(0b1010)),
            ("0,70", Some(1)),
            ("60-200", Some(0b111 << 60)),
            ("", None),
            ("\n", None),
            ("x", None),
            ("3-1", None),
            ("0-", None),
            ("-1", None),
        ] {
            assert_eq!(parse_nodes(text), nodes, "{text:?}");
        }
    }

    #[test]
    fn there_is_a_node() {
        assert!(n_nodes() >= 1);
    }

    #[test]
    fn spreading_never_changes_what_is_in_memory() {
        let mut memory = vec![7u8; 3 * LARGE];
        // Both what the machine has and, if the system lets it, a policy over node 0 alone.
        spread(memory.as_mut_ptr(), memory.len());
        sys::interleave(memory.as_mut_ptr().wrapping_add(5), 2 * LARGE, 1);
        memory[LARGE] = 8;
        assert!(memory[..LARGE].iter().chain(&memory[LARGE + 1..]).all(|&byte| byte == 7));
    }

    #[test]
    fn with_one_node_nothing_is_asked_of_the_system() {
        if n_nodes() == 1 {
            // An address that nothing lies at: a system call would be refused, a write would be a crash.
            spread(std::ptr::without_provenance_mut(0x1000), usize::MAX / 2);
        }
    }
}
