"""What `autotune` measures through the package itself: reads of a temporary file under different settings."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

import numpy as np

from ._native.settings import get_setting, set_setting
from .reader import ColStoreReader
from .writing import store

_DISTANCES = (0, 4, 8, 16, 32, 64)
_DENSITIES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
_PICKS = 500_000
_MASKED_ROWS = 2_000_000
_LARGEST_SOURCE = 256 << 20
_CACHE_IF_UNKNOWN = 32 << 20
# What is better by less is taken for equal.
_NOTICEABLE = 0.03


def best_prefetch_distances(rounds: int, verbose: bool) -> dict[str, int]:
    """By source (`resident`, `dram`) and order of the indices (`unsorted`, `sorted`)."""
    cache = last_level_cache_bytes()
    rng = np.random.default_rng(0)
    best = {}
    for place, n_bytes in (("resident", cache // 4), ("dram", min(4 * cache, _LARGEST_SOURCE))):
        rows = n_bytes // 8
        with _table({"x": np.arange(rows, dtype=np.float64)}) as table, _restored("prefetch_distance"):
            unsorted = rng.integers(0, rows, _PICKS)
            for order, picks in (("unsorted", unsorted), ("sorted", np.sort(unsorted))):
                view = table[picks, "x"]
                view.array()
                times = _times("prefetch_distance", list(map(str, _DISTANCES)), view.array, rounds)
                # The first, that is the smallest, that is as good as any.
                good = [d for d, t in zip(_DISTANCES, times) if t <= min(times) * (1 + _NOTICEABLE)]
                best[f"{place}_{order}"] = good[0]
                if verbose:
                    print(f"prefetch distance, {place}, {order}: {good[0]}")
    return best


def best_mask_density_gate(rounds: int, verbose: bool) -> float:
    """The highest density up to which masks are read faster by position; 0 if they never are."""
    rng = np.random.default_rng(0)
    gate = 0.0
    with _table({"x": np.arange(_MASKED_ROWS, dtype=np.float64)}) as table, _restored("mask_density_gate"):
        for density in _DENSITIES:
            view = table[rng.random(_MASKED_ROWS) < density, "x"]
            view.array()
            as_mask, by_position = _times("mask_density_gate", ["0", "1"], view.array, rounds)
            if verbose:
                print(f"mask of density {density}: {as_mask * 1e3:.2f} ms, by position {by_position * 1e3:.2f} ms")
            if by_position > as_mask * (1 - _NOTICEABLE):
                break
            gate = density
    return gate


def last_level_cache_bytes() -> int:
    """The size of the largest cache of the first core."""
    folder = "/sys/devices/system/cpu/cpu0/cache"
    sizes = []
    try:
        for entry in os.listdir(folder):
            if entry.startswith("index"):
                with open(os.path.join(folder, entry, "size"), encoding="ascii") as file:
                    text = file.read().strip()
                sizes.append(int(text[:-1]) << {"K": 10, "M": 20}[text[-1]])
    except (OSError, ValueError, KeyError, IndexError):
        pass
    return max(sizes, default=_CACHE_IF_UNKNOWN)


def _times(setting: str, values: Sequence[str], run: Callable[[], object], rounds: int) -> list[float]:
    """The median seconds of `run` under each value; in turns, so that disturbances hit all alike."""
    seconds: list[list[float]] = [[] for _ in values]
    for _ in range(rounds):
        for value, measured in zip(values, seconds):
            set_setting(setting, value)
            start = time.perf_counter()
            run()
            measured.append(time.perf_counter() - start)
    return list(map(median, seconds))


@contextmanager
def _table(columns: dict[str, Any]) -> Iterator[ColStoreReader]:
    with (
        tempfile.TemporaryDirectory(prefix="colstore-calibration-") as folder,
        store(columns, os.path.join(folder, "table.cstore"), show_progress=False) as reader,
    ):
        yield reader


@contextmanager
def _restored(setting: str) -> Iterator[None]:
    before = get_setting(setting)
    try:
        yield
    finally:
        set_setting(setting, before)
