//! How many threads a piece of work deserves, and how it is cut.
//!
//! What is moved here moves at the speed of memory. Threads that share a core share its path to memory too, and
//! some eight cores use up what a socket has; more threads only add to the waiting.

use crate::pages;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much of the output one chunk fills, in bytes: a huge page.
///
/// Cut where the addresses of the output are multiples of it, chunks keep two threads from wanting the same huge page
/// of a fresh output at once, when one would wait for the other to have it zeroed. Chunks of half the size lost a
/// tenth to that; much larger ones leave one thread waiting for the other at the end.
pub const CHUNK_BYTES: usize = pages::HUGE_BYTES;

/// What a thread must have to do before it is worth waking: a tenth of a millisecond's work, twice of what waking
/// it takes.
const BYTES_A_THREAD: u64 = 1 << 20;

/// Cores of a socket that use up its memory's bandwidth.
const CORES_A_SOCKET: usize = 8;

/// The physical cores this process may run on, at least 1.
///
/// Follows the affinity mask of the first call; threads of one core count once.
#[must_use]
pub fn physical_cores() -> usize {
    cores().physical
}

/// How many threads a large piece of work gets unless its caller says otherwise: one a physical core, at most 8 a
/// socket, and no more than a quota of processor time (a container's) has room for.
#[must_use]
pub fn default_threads() -> usize {
    cores().default
}

/// How many threads `bytes` bytes of work deserve: at least 1, at most `cap` and [`default_threads`].
#[must_use]
pub fn threads_for(bytes: u64, cap: usize) -> usize {
    let deserved = usize::try_from(bytes / BYTES_A_THREAD).unwrap_or(usize::MAX);
    deserved.min(cap).min(default_threads()).max(1)
}

#[derive(Clone, Copy)]
struct Cores {
    physical: usize,
    default: usize,
}

fn cores() -> Cores {
    // Two atomics rather than a lock around one value: threads that come at once find out the same twice, and a
    // child of fork() cannot inherit a lock that nobody will open.
    static PHYSICAL: AtomicUsize = AtomicUsize::new(0);
    static DEFAULT: AtomicUsize = AtomicUsize::new(0);
    let known =
        Cores { physical: PHYSICAL.load(Ordering::Relaxed), default: DEFAULT.load(Ordering::Relaxed) };
    if known.physical > 0 && known.default > 0 {
        return known;
    }
    let found = find_cores();
    PHYSICAL.store(found.physical, Ordering::Relaxed);
    DEFAULT.store(found.default, Ordering::Relaxed);
    found
}

fn find_cores() -> Cores {
    // Knows the affinity mask and quotas, and nothing of cores and sockets.
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let places = topology::places();
    if places.is_empty() {
        return Cores { physical: available, default: available.min(CORES_A_SOCKET) };
    }
    Cores { physical: places.len(), default: useful(&places).min(available).max(1) }
}

/// Where a core is: its socket, and its number there.
type Place = (u64, u64);

/// How many of the cores are of use to work that waits for memory. Expects the cores of a socket side by side.
fn useful(places: &[Place]) -> usize {
    places.chunk_by(|a, b| a.0 == b.0).map(|socket| socket.len().min(CORES_A_SOCKET)).sum()
}

#[cfg(target_os = "linux")]
mod topology {
    use super::Place;
    use std::fs;

    /// The cores this process may run on, each once and in order; empty if that cannot be found out.
    pub(super) fn places() -> Vec<Place> {
        let mut places: Vec<Place> = allowed().into_iter().filter_map(place).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    fn allowed() -> Vec<usize> {
        // SAFETY: all zeros is a valid set, the empty one.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: `set` is writable for the size passed; 0 is this thread. Fails where there are more processors
        // than the set has room for.
        if unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) } != 0 {
            return Vec::new();
        }
        // SAFETY: every number asked for is below the capacity of the set.
        (0..libc::CPU_SETSIZE as usize).filter(|&cpu| unsafe { libc::CPU_ISSET(cpu, &set) }).collect()
    }

    fn place(cpu: usize) -> Option<Place> {
        let number = |name: &str| -> Option<u64> {
            let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/{name}");
            fs::read_to_string(path).ok()?.trim().parse().ok()
        };
        Some((number("physical_package_id")?, number("core_id")?))
    }
}

#[cfg(not(target_os = "linux"))]
mod topology {
    pub(super) fn places() -> Vec<super::Place> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_sane() {
        assert!(physical_cores() >= 1);
        assert!((1..=physical_cores()).contains(&default_threads()));
        assert!(
            physical_cores() <= std::thread::available_parallelism().unwrap().get().max(physical_cores())
        );
    }

    #[test]
    fn small_work_stays_on_one_thread() {
        assert_eq!(threads_for(0, usize::MAX), 1);
        assert_eq!(threads_for(BYTES_A_THREAD, usize::MAX), 1);
        assert_eq!(threads_for(u64::MAX, usize::MAX), default_threads());
        assert_eq!(threads_for(u64::MAX, 1), 1);
        assert_eq!(threads_for(u64::MAX, 0), 1);
    }

    #[test]
    fn eight_cores_a_socket_are_useful() {
        let socket = |number: u64, cores: u64| (0..cores).map(move |core| (number, core));
        assert_eq!(useful(&socket(0, 3).collect::<Vec<_>>()), 3);
        assert_eq!(useful(&socket(0, 64).collect::<Vec<_>>()), 8);
        assert_eq!(useful(&socket(0, 64).chain(socket(1, 5)).collect::<Vec<_>>()), 13);
    }
}
