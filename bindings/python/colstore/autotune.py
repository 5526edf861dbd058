"""Calibration: settings of the engine that are measured on this machine, applied, and kept for later processes."""

from __future__ import annotations

from typing import Any

from . import calibration_cache as cache
from . import config
from ._native.settings import measure_threads

_LARGEST_CAP = 4096

# Whether the files have been looked at, and what they held.
_loaded: dict[str, Any] = {}


def calibrate(*, persist: bool = True, verbose: bool = False, rounds: int = 10) -> int:
    """Measure gathers by the number of threads, and cap gathers at the number that was best, which is returned.

    `rounds`: how often everything is measured. `persist`: keep the result for later processes. `verbose`: print it.
    """
    cap, throughput = measure_threads(_checked_rounds(rounds))
    config.set_gather_thread_cap(cap)
    if persist:
        cache.write(cache.THREADS, {"thread_cap": cap, "throughput_gbps": {str(cap): throughput}})
    if verbose:
        print(f"gather thread cap: {cap} ({throughput:.2f} GB/s)")
    return cap


def ensure_calibrated(*, verbose: bool = False) -> int:
    """Apply the cap that was measured on this machine before; measure it if there is none."""
    cap = apply_cached_cap()
    if cap is None:
        return calibrate(verbose=verbose)
    if verbose:
        print(f"gather thread cap: {cap} (from {cache.path_of(cache.THREADS)})")
    return cap


def apply_cached_cap() -> int | None:
    """Apply the cap that was measured on this machine before, if there is one, and return it."""
    cap = load_cached_cap()
    if cap is not None:
        config.set_gather_thread_cap(cap)
    return cap


def calibrate_prefetch(*, persist: bool = True, verbose: bool = False, rounds: int = 10) -> dict[str, int]:
    """Measure the best prefetch distance for sources in cache and in memory, by sorted and unsorted indices.

    The result is what `config.resolve_prefetch_distance` gives; `config.set_prefetch_distance` applies one.
    """
    from .autotune_measure import best_prefetch_distances

    distances = best_prefetch_distances(_checked_rounds(rounds), verbose)
    if persist:
        cache.write(cache.PREFETCH, {"prefetch_distances": distances})
    _loaded[cache.PREFETCH] = distances
    return distances


def calibrate_mask_density(*, persist: bool = True, verbose: bool = False, rounds: int = 10) -> float:
    """Measure below which density masks are better read by position.

    The result is what `config.resolve_mask_density_gate` gives; `config.set_mask_density_gate` applies one.
    """
    from .autotune_measure import best_mask_density_gate

    gate = best_mask_density_gate(_checked_rounds(rounds), verbose)
    if persist:
        cache.write(cache.MASK_DENSITY, {"gate": gate})
    _loaded[cache.MASK_DENSITY] = gate
    return gate


def load_cached_cap() -> int | None:
    """The thread cap that was measured on this machine before."""
    cap = (cache.read(cache.THREADS) or {}).get("thread_cap")
    return cap if type(cap) is int and 1 <= cap <= _LARGEST_CAP else None


def load_cached_prefetch() -> dict[str, int] | None:
    """The prefetch distances that were measured on this machine before."""
    distances = (cache.read(cache.PREFETCH) or {}).get("prefetch_distances")
    if not isinstance(distances, dict):
        return None
    good = all(isinstance(name, str) and type(distance) is int for name, distance in distances.items())
    return distances if good else None


def load_cached_mask_density() -> float | None:
    """The mask density gate that was measured on this machine before."""
    gate = (cache.read(cache.MASK_DENSITY) or {}).get("gate")
    return float(gate) if isinstance(gate, (int, float)) and gate >= 0 else None


def cached_prefetch_distance(source_nbytes: int, indices_sorted: bool) -> int | None:
    """What was measured for a gather from a source of this size."""
    from .autotune_measure import last_level_cache_bytes

    if cache.PREFETCH not in _loaded:
        _loaded[cache.PREFETCH] = load_cached_prefetch()
    place = "resident" if source_nbytes <= last_level_cache_bytes() else "dram"
    distance: int | None = (_loaded[cache.PREFETCH] or {}).get(f"{place}_{'' if indices_sorted else 'un'}sorted")
    return distance


def cached_mask_density_gate() -> float | None:
    """What was measured for masks."""
    if cache.MASK_DENSITY not in _loaded:
        _loaded[cache.MASK_DENSITY] = load_cached_mask_density()
    gate: float | None = _loaded[cache.MASK_DENSITY]
    return gate


def clear_cached_cap(*, reset_in_process: bool = True) -> bool:
    """Forget the thread cap; whether there was a file."""
    if reset_in_process:
        config.reset_gather_thread_cap()
    return cache.remove(cache.THREADS)


def clear_cached_prefetch(*, reset_in_process: bool = True) -> bool:
    """Forget the prefetch distances; whether there was a file."""
    if reset_in_process:
        _loaded.pop(cache.PREFETCH, None)
    return cache.remove(cache.PREFETCH)


def clear_cached_mask_density(*, reset_in_process: bool = True) -> bool:
    """Forget the mask density gate; whether there was a file."""
    if reset_in_process:
        _loaded.pop(cache.MASK_DENSITY, None)
    return cache.remove(cache.MASK_DENSITY)


def clear_calibration(*, reset_in_process: bool = True) -> dict[str, bool]:
    """Forget all; whether there was a file, for each."""
    return {
        "threads": clear_cached_cap(reset_in_process=reset_in_process),
        "prefetch": clear_cached_prefetch(reset_in_process=reset_in_process),
        "mask-density": clear_cached_mask_density(reset_in_process=reset_in_process),
    }


def _checked_rounds(rounds: int) -> int:
    if isinstance(rounds, bool) or not isinstance(rounds, int):
        raise TypeError(f"rounds must be an int; got {type(rounds).__name__}")
    if not 1 <= rounds < 2**31:
        raise ValueError(f"rounds must be >= 1; got {rounds}")
    return rounds
