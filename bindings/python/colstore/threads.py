"""How many threads there are to work with, and what the package says about its engine."""

from __future__ import annotations

import os

_physical: int | None = None


def cpp_available() -> bool:
    """Whether the native engine is there. Always true: without it the package cannot be imported."""
    return True


def max_threads() -> int:
    """The number of physical cores that this process may run on, at least 1."""
    global _physical
    if _physical is None:
        _physical = _count_physical_cores()
    return _physical


def use_passive_openmp_wait() -> bool:
    """Ask OpenMP runtimes loaded later to sleep while they wait, by `OMP_WAIT_POLICY=passive`.

    Returns whether the variable was set; false, changing nothing, if it has a value already. The engine
    itself does not use OpenMP: this is for the libraries beside it.
    """
    if "OMP_WAIT_POLICY" in os.environ:
        return False
    os.environ["OMP_WAIT_POLICY"] = "passive"
    return True


def _count_physical_cores() -> int:
    try:
        allowed = os.sched_getaffinity(0)
    except AttributeError:  # not on this operating system
        return os.cpu_count() or 1
    cores = set()
    for cpu in allowed:
        try:
            with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", encoding="ascii") as f:
                cores.add(f.read())
        except OSError:
            return len(allowed)
    return max(1, len(cores))
