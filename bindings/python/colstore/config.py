"""Settings of the process: how many threads, which hints, how previews look.

A setting never changes a result. Setters raise `ValueError` for what is not allowed, and nothing changes then.
Settings count from the next call on; the ones that are named as defaults of a keyword, for readers opened later.
"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, Literal

from ._native.settings import get_setting, machine, set_setting
from ._native.table import read_options
from .threads import max_threads, use_passive_openmp_wait

__all__ = [
    "GatherBackend",
    "LockPolicy",
    "MadviseOption",
    "NumaPolicy",
    "WriteMethod",
    "get_convert_auto_workers",
    "get_default_backend",
    "get_default_madvise",
    "get_default_memory_budget",
    "get_gather_bind_llc_margin",
    "get_gather_binding",
    "get_gather_thread_cap",
    "get_lock_policy",
    "get_mask_density_gate",
    "get_max_workers",
    "get_multifile_mask_density_gate",
    "get_numa_policy",
    "get_prefetch_distance",
    "get_preview_memory_limit",
    "get_preview_precision",
    "get_preview_rows",
    "get_read_backend",
    "get_write_method",
    "resolve_gather_thread_cap",
    "resolve_mask_density_gate",
    "resolve_prefetch_distance",
    "set_convert_auto_workers",
    "set_default_backend",
    "set_default_madvise",
    "set_default_memory_budget",
    "set_gather_bind_llc_margin",
    "set_gather_binding",
    "set_gather_thread_cap",
    "set_lock_policy",
    "set_mask_density_gate",
    "set_max_workers",
    "set_multifile_mask_density_gate",
    "set_numa_policy",
    "set_prefetch_distance",
    "set_preview_memory_limit",
    "set_preview_precision",
    "set_preview_rows",
    "set_read_backend",
    "set_write_method",
    "use_passive_openmp_wait",
]

GatherBackend = Literal["cpp", "numpy"]
LockPolicy = Literal["auto", "require", "off"]
MadviseOption = Literal["normal", "sequential", "random", "willneed", "dontneed"]
NumaPolicy = Literal["auto", "interleave", "local"]
WriteMethod = Literal["auto", "pwrite", "mmap"]

BACKENDS = ("cpp", "numpy")
MADVISE = ("normal", "sequential", "random", "willneed", "dontneed")
_NUMA_POLICIES = ("auto", "interleave", "local")
_READ_BACKENDS = ("mmap", "pread")
_LOCK_POLICIES = ("auto", "require", "off")
_WRITE_METHODS = ("auto", "pwrite", "mmap")
_LARGEST_PREFETCH = 16384
_PREFETCH_DEFAULT = 8

# `max_threads` of a read is an int32.
_MOST_THREADS = 2**31 - 1

# What has been set and is not the engine's; what is not here has its default.
_values: dict[str, Any] = {}

#: Options of a read whose reader sets none: `None` for the engine's own.
default_options: Any = None


# ------------------------------------------------------------------------------------------ threads


def get_max_workers() -> int:
    """The most threads that a read uses, where the reader does not say. Default: the physical cores."""
    workers: int = _values.get("max_workers") or max_threads()
    return workers


def set_max_workers(workers: int) -> None:
    """Set the most threads that a read uses, where the reader does not say: at least 1."""
    _values["max_workers"] = _at_least(1, "max_workers", workers)
    _refresh_options()


def get_gather_thread_cap() -> int:
    """The most threads of a gather. Default: what was calibrated, else all cores, at most 8 a socket."""
    cap = get_setting("max_threads")
    return machine().default_threads if cap == "auto" else int(cap)


def set_gather_thread_cap(cap: int) -> None:
    """Set the most threads of a gather: at least 1."""
    count = _at_least(1, "the gather thread cap", cap)
    set_setting("max_threads", str(count))
    _refresh_options()


def reset_gather_thread_cap() -> None:
    """Go back to the default cap."""
    set_setting("max_threads", "auto")
    _refresh_options()


def resolve_gather_thread_cap(cap: int | None) -> int:
    """`cap` itself, at least 1; the configured cap for `None`."""
    return get_gather_thread_cap() if cap is None else max(1, int(cap))


def get_convert_auto_workers() -> int:
    """The number of files that a conversion works on at once when it may choose. Default: 8."""
    workers: int = _values.get("convert_auto_workers", 8)
    return workers


def set_convert_auto_workers(workers: int) -> None:
    """Set the number of files that a conversion works on at once when it may choose: at least 1."""
    _values["convert_auto_workers"] = _at_least(1, "convert_auto_workers", workers)


def get_gather_binding() -> bool:
    """Whether threads of a gather should stay on their core. Accepted; the engine leaves it to the system."""
    return bool(_values.get("gather_binding", False))


def set_gather_binding(binding: bool) -> None:
    """Set whether threads of a gather should stay on their core."""
    _values["gather_binding"] = bool(binding)


def get_gather_bind_llc_margin() -> float:
    """From how many times the last-level cache on threads should be bound. Accepted, without effect."""
    margin: float = _values.get("gather_bind_llc_margin", 1.0)
    return margin


def set_gather_bind_llc_margin(margin: float) -> None:
    """Set from how many times the last-level cache on threads should be bound: above 0."""
    value = _real("gather_bind_llc_margin", margin)
    if not value > 0:
        raise ValueError(f"gather_bind_llc_margin must be > 0; got {margin!r}")
    _values["gather_bind_llc_margin"] = value


# ------------------------------------------------------------------------------------------ reading


def get_default_backend() -> GatherBackend:
    """The backend of readers that are opened without one. Default: `"cpp"`."""
    backend: GatherBackend = _values.get("default_backend", "cpp")
    return backend


def set_default_backend(backend: GatherBackend) -> None:
    """Set the backend of readers that are opened without one: `"cpp"` or `"numpy"`."""
    _values["default_backend"] = _one_of(BACKENDS, "the default backend", backend)


def get_default_madvise() -> MadviseOption | None:
    """The hint for readers that are opened without one. Default: `"sequential"`."""
    option: MadviseOption | None = _values.get("default_madvise", "sequential")
    return option


def set_default_madvise(option: MadviseOption | None) -> None:
    """Set the hint for readers that are opened without one; `None` for no hint."""
    _values["default_madvise"] = None if option is None else _one_of(MADVISE, "the default madvise", option)


def has_default_madvise() -> bool:
    """Whether the hint has been set: otherwise the engine advises read by read."""
    return "default_madvise" in _values


def get_read_backend() -> str:
    """How files opened from now on are read: `"mmap"` (the default) or `"pread"`."""
    return get_setting("read_backend")


def set_read_backend(backend: str) -> None:
    """Set how files opened from now on are read. `"pread"` is for file systems where mapping is bad."""
    set_setting("read_backend", _one_of(_READ_BACKENDS, "the read backend", backend))


def get_default_memory_budget() -> int:
    """The bytes that a streaming operation may hold where it is not told. Default: 32 MiB."""
    budget: int = _values.get("default_memory_budget", 32 << 20)
    return budget


def set_default_memory_budget(budget: int) -> None:
    """Set the bytes that a streaming operation may hold where it is not told: at least 1."""
    _values["default_memory_budget"] = _at_least(1, "the default memory budget", budget)


def get_numa_policy() -> NumaPolicy:
    """Where pages of large outputs go on a machine of several memory nodes. Default: `"auto"`."""
    policy: NumaPolicy = get_setting("numa_policy")  # type: ignore[assignment]
    return policy


def set_numa_policy(policy: NumaPolicy) -> None:
    """Set where pages of large outputs go: `"auto"`, `"interleave"` or `"local"`."""
    set_setting("numa_policy", _one_of(_NUMA_POLICIES, "the numa policy", policy))


def get_write_method() -> WriteMethod:
    """How new files are filled whose size is known. Default: `"auto"`."""
    method: WriteMethod = get_setting("write_method")  # type: ignore[assignment]
    return method


def set_write_method(method: WriteMethod) -> None:
    """Set how new files are filled: `"auto"`, `"pwrite"` or `"mmap"`. They hold the same bytes."""
    set_setting("write_method", _one_of(_WRITE_METHODS, "the write method", method))


def get_lock_policy() -> LockPolicy:
    """What a writer does about the lock on its file. Default: `"auto"`."""
    policy: LockPolicy = get_setting("lock_policy")  # type: ignore[assignment]
    return policy


def set_lock_policy(policy: LockPolicy) -> None:
    """Set what writers do about locks: `"auto"` (a warning where the file system has none), `"require"` or `"off"`."""
    set_setting("lock_policy", _one_of(_LOCK_POLICIES, "the lock policy", policy))


# ------------------------------------------------------------------------------------------ tuning


def get_prefetch_distance() -> int | Literal["auto"]:
    """How many values ahead a gather prefetches. Default: `"auto"`."""
    distance = get_setting("prefetch_distance")
    return "auto" if distance == "auto" else int(distance)


def set_prefetch_distance(distance: int | Literal["auto"]) -> None:
    """Set how many values ahead a gather prefetches: `"auto"` or 0 to 16384."""
    is_count = isinstance(distance, Integral) and not isinstance(distance, bool)
    if not (_is_auto(distance) or (is_count and 0 <= int(distance) <= _LARGEST_PREFETCH)):
        raise ValueError(
            f"the prefetch distance must be 'auto' or an int from 0 to {_LARGEST_PREFETCH}; got {distance!r}"
        )
    value: int | Literal["auto"] = "auto" if distance == "auto" else int(distance)
    set_setting("prefetch_distance", str(value))


def resolve_prefetch_distance(source_nbytes: int, indices_sorted: bool) -> int:
    """The distance that is set, else what was calibrated for such a gather, else 8."""
    distance = get_prefetch_distance()
    if distance != "auto":
        return distance
    from .autotune import cached_prefetch_distance

    cached = cached_prefetch_distance(source_nbytes, indices_sorted)
    return _PREFETCH_DEFAULT if cached is None else cached


def get_mask_density_gate() -> float | Literal["auto"]:
    """Below which share of set values the rows of a mask are read by their positions. Default: `"auto"`."""
    gate = get_setting("mask_density_gate")
    return "auto" if gate == "auto" else float(gate)


def set_mask_density_gate(gate: float | Literal["auto"]) -> None:
    """Set below which share of set values the rows of a mask are read by their positions: `"auto"`, or at least 0."""
    value: float | Literal["auto"] = "auto"
    if not _is_auto(gate):
        value = _real("the mask density gate", gate, "'auto' or a number >= 0")
        if not value >= 0:
            raise ValueError(f"the mask density gate must be 'auto' or a number >= 0; got {gate!r}")
    set_setting("mask_density_gate", str(value))


def resolve_mask_density_gate() -> float:
    """The gate that is set, else what was calibrated, else 0."""
    gate = get_mask_density_gate()
    if gate != "auto":
        return gate
    from .autotune import cached_mask_density_gate

    cached = cached_mask_density_gate()
    return 0.0 if cached is None else cached


def get_multifile_mask_density_gate() -> float:
    """The mask density gate of tables of many files. Default: 0. Accepted; the engine has one gate."""
    gate: float = _values.get("multifile_mask_density_gate", 0.0)
    return gate


def set_multifile_mask_density_gate(gate: float) -> None:
    """Set the mask density gate of tables of many files: at least 0."""
    value = _real("the multifile mask density gate", gate)
    if not value >= 0:
        raise ValueError(f"the multifile mask density gate must be >= 0; got {gate!r}")
    _values["multifile_mask_density_gate"] = value


# ------------------------------------------------------------------------------------------ previews


def get_preview_rows() -> int:
    """The most rows that a preview shows. Default: 10."""
    rows: int = _values.get("preview_rows", 10)
    return rows


def set_preview_rows(rows: int) -> None:
    """Set the most rows that a preview shows: at least 0."""
    _values["preview_rows"] = _at_least(0, "preview_rows", rows)


def get_preview_memory_limit() -> int:
    """The bytes from which on a preview warns before it reads them. Default: 256 MiB; 0 for never."""
    limit: int = _values.get("preview_memory_limit", 256 << 20)
    return limit


def set_preview_memory_limit(limit: int) -> None:
    """Set the bytes from which on a preview warns: at least 0; 0 for never."""
    _values["preview_memory_limit"] = _at_least(0, "preview_memory_limit", limit)


def get_preview_precision() -> int:
    """The most decimals of a float in a preview. Default: 6."""
    precision: int = _values.get("preview_precision", 6)
    return precision


def set_preview_precision(precision: int) -> None:
    """Set the most decimals of a float in a preview: at least 0."""
    _values["preview_precision"] = _at_least(0, "preview_precision", precision)


# ------------------------------------------------------------------------------------------ inside


def _refresh_options() -> None:
    global default_options
    workers = _values.get("max_workers")
    if workers is None:
        default_options = None
    else:
        # The cap is known to the engine; it is repeated here only because an option overrides it.
        cap = get_setting("max_threads")
        default_options = read_options(min(workers, _MOST_THREADS if cap == "auto" else int(cap)))


def _at_least(least: int, what: str, value: object) -> int:
    try:
        count = int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} must be an int >= {least}; got {value!r}") from None
    if not least <= count < 2**63:
        raise ValueError(f"{what} must be an int >= {least}; got {value!r}")
    return int(count)


def _real(what: str, value: object, expected: str = "a number") -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or math.isnan(value):
        raise ValueError(f"{what} must be {expected}; got {value!r}")
    return float(value)


def _one_of(allowed: tuple[str, ...], what: str, value: object) -> Any:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{what} must be one of {', '.join(map(repr, allowed))}; got {value!r}")
    return value


def _is_auto(value: object) -> bool:
    return isinstance(value, str) and value == "auto"
