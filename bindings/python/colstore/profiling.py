"""Small measurements: the time, processor time, threads and page faults of a call.

result = colstore.profiling.profile(lambda: reader.array("x"), label="x")
print(result.report())
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf, nan
from statistics import median

__all__ = ["ProfileResult", "peak_thread_watcher", "profile", "profile_interleaved"]


@dataclass(frozen=True)
class ProfileResult:
    """What was measured: medians over the timed calls, and the most threads that were seen in any."""

    label: str
    wall_ms: float
    #: Of all threads together.
    cpu_ms: float
    peak_threads: int
    #: Page faults that had to wait for a device, and those that did not; `None` where they are not counted.
    major_pf: int | None
    minor_pf: int | None
    repeat: int

    @property
    def cpu_wall_ratio(self) -> float:
        """How many cores were busy on average; NaN if no time passed."""
        return self.cpu_ms / self.wall_ms if self.wall_ms else nan

    def throughput(self, n_rows: int) -> float:
        """Rows per second."""
        return n_rows / (self.wall_ms / 1000) if self.wall_ms else inf

    def report(self) -> str:
        """All of it in one line."""
        faults = "n/a" if self.major_pf is None or self.minor_pf is None else f"{self.major_pf}/{self.minor_pf}"
        return (
            f"{self.label} wall={self.wall_ms:.2f}ms cpu={self.cpu_ms:.1f}ms ratio={self.cpu_wall_ratio:.2f}x "
            f"threads={self.peak_threads} pf={faults}"
        )


def profile(
    fn: Callable[[], object],
    *,
    repeat: int = 5,
    warmup: int = 2,
    setup: Callable[[], object] | None = None,
    label: str = "",
) -> ProfileResult:
    """Call `fn` `warmup` times, then `repeat` times with the clock running. `setup` comes before each, untimed."""
    return profile_interleaved([label], [fn], repeat=repeat, warmup=warmup, setups=[setup])[0]


def profile_interleaved(
    labels: Sequence[str],
    fns: Sequence[Callable[[], object]],
    *,
    repeat: int = 5,
    warmup: int = 2,
    setups: Sequence[Callable[[], object] | None] | None = None,
) -> list[ProfileResult]:
    """Measure several functions in turns, so that what disturbs the machine disturbs them alike."""
    if setups is None:
        setups = [None] * len(fns)
    if not len(labels) == len(fns) == len(setups):
        raise ValueError(
            f"labels, fns and setups must be equally many; got {len(labels)}, {len(fns)} and {len(setups)}"
        )
    if repeat < 1:
        raise ValueError(f"repeat must be >= 1; got {repeat}")
    if warmup < 0:
        raise ValueError(f"warmup must be >= 0; got {warmup}")
    calls: list[list[_Call]] = [[] for _ in fns]
    for turn in range(warmup + repeat):
        for fn, setup, measured in zip(fns, setups, calls):
            if setup is not None:
                setup()
            if turn < warmup:
                fn()
            else:
                measured.append(_measure(fn))
    return [_summary(label, measured) for label, measured in zip(labels, calls)]


@contextmanager
def peak_thread_watcher(interval_s: float = 0.001) -> Iterator[Callable[[], int]]:
    """Count the threads of the process every `interval_s` seconds; gives a function: the most there have been."""
    peak = _count_threads()
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(interval_s):
            # The watcher does not count itself.
            peak = max(peak, _count_threads() - 1)

    watcher = threading.Thread(target=watch, name="colstore-thread-watcher", daemon=True)
    watcher.start()

    def so_far() -> int:
        nonlocal peak
        peak = max(peak, _count_threads() - watcher.is_alive())
        return peak

    try:
        yield so_far
    finally:
        done.set()
        watcher.join()


@dataclass(frozen=True)
class _Call:
    wall_ms: float
    cpu_ms: float
    threads: int
    major: int | None
    minor: int | None


def _measure(fn: Callable[[], object]) -> _Call:
    with peak_thread_watcher() as peak:
        major, minor = _faults()
        cpu, wall = time.process_time(), time.perf_counter()
        fn()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        major_after, minor_after = _faults()
        threads = peak()
    if major is None or minor is None or major_after is None or minor_after is None:
        return _Call(wall * 1000, cpu * 1000, threads, None, None)
    return _Call(wall * 1000, cpu * 1000, threads, major_after - major, minor_after - minor)


def _summary(label: str, calls: Sequence[_Call]) -> ProfileResult:
    majors = [call.major for call in calls if call.major is not None]
    minors = [call.minor for call in calls if call.minor is not None]
    return ProfileResult(
        label=label,
        wall_ms=median(call.wall_ms for call in calls),
        cpu_ms=median(call.cpu_ms for call in calls),
        peak_threads=max(call.threads for call in calls),
        major_pf=int(median(majors)) if majors else None,
        minor_pf=int(median(minors)) if minors else None,
        repeat=len(calls),
    )


def _count_threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:  # not on this operating system
        return threading.active_count()


def _faults() -> tuple[int | None, int | None]:
    try:
        import resource
    except ImportError:
        return None, None
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_majflt, usage.ru_minflt
