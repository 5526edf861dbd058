//! What this machine has to read with.

use colstore_kernels::budget;

use crate::numa;

/// The processors and memory that this process may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Machine {
    /// Cores, threads of one core counted once.
    pub physical_cores: usize,
    /// Threads that the processors run at once.
    pub logical_cores: usize,
    /// Processor packages.
    pub sockets: usize,
    /// Nodes that memory is on.
    pub numa_nodes: usize,
    /// The most threads that work on one call unless it or the setting `max_threads` says otherwise.
    pub default_threads: usize,
}

/// What this machine has, as far as the process's affinity mask goes. Every number is at least 1.
///
/// ```
/// let machine = colstore_core::machine();
/// assert!(machine.default_threads <= machine.physical_cores);
/// ```
pub fn machine() -> Machine {
    Machine {
        physical_cores: budget::physical_cores(),
        logical_cores: std::thread::available_parallelism().map_or(1, usize::from),
        sockets: budget::sockets(),
        numa_nodes: numa::n_nodes(),
        default_threads: budget::default_threads(),
    }
}
