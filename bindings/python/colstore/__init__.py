"""Columnar `.cstore` files for NumPy: written once, memory-mapped, read back at the speed of memory.

    import colstore

    colstore.store({"x": x, "id": ids}, "events.cstore").close()

    with colstore.open("events.cstore") as events:
        events.array("x")                  # one column, a copy
        events.array("x", copy=False)      # the same without a copy: read-only, straight from the file
        events[mask, ["x", "id"]].dict()   # any rows of any columns: slices, masks, indices in any order
        events[-100:, "x"].mean()          # views are lazy; reductions run in bounded memory
        events.recarray()                  # rows: one structured array
        events.frame()                     # a pandas DataFrame

    with colstore.create("log.cstore") as log:      # or update: record by record, committed at the end
        log.write({"x": x, "id": ids})

    colstore.open("run_*.cstore")          # many files as one table

The work is done by the native library `libcolstore`, with the GIL released.
"""

from __future__ import annotations

import os as _os
from typing import TYPE_CHECKING

from . import config as config
from ._native.errors import FormatError, QueryError
from .column_view import ColumnView
from .config import (
    get_convert_auto_workers,
    get_default_backend,
    get_default_madvise,
    get_gather_thread_cap,
    get_max_workers,
    set_convert_auto_workers,
    set_default_backend,
    set_default_madvise,
    set_gather_thread_cap,
    set_max_workers,
)
from .opening import open
from .reader import ColStoreReader
from .table_view import TableView
from .threads import cpp_available, max_threads, use_passive_openmp_wait

if TYPE_CHECKING:
    from . import profiling, testing
    from .autotune import calibrate, ensure_calibrated
    from .compaction import compact
    from .concatenation import concat
    from .dataset import ColStoreDataset
    from .expressions import col
    from .frame import ColStoreFrame
    from .metadata import ColStoreInfo, info, schema
    from .recovery import recover as recover
    from .verifying import verify as verify
    from .shards import Appender, append, appender
    from .writer import ColStoreWriter, create, recreate, update
    from .writing import store

    __version__: str

__all__ = [
    "Appender",
    "ColStoreDataset",
    "ColStoreFrame",
    "ColStoreInfo",
    "ColStoreReader",
    "ColStoreWriter",
    "ColumnView",
    "FormatError",
    "QueryError",
    "TableView",
    "__version__",
    "append",
    "appender",
    "calibrate",
    "compact",
    "concat",
    "col",
    "cpp_available",
    "create",
    "ensure_calibrated",
    "get_convert_auto_workers",
    "get_default_backend",
    "get_default_madvise",
    "get_gather_thread_cap",
    "get_max_workers",
    "info",
    "max_threads",
    "open",
    "profiling",
    "recreate",
    "schema",
    "set_convert_auto_workers",
    "set_default_backend",
    "set_default_madvise",
    "set_gather_thread_cap",
    "set_max_workers",
    "store",
    "testing",
    "update",
    "use_passive_openmp_wait",
]

# Imported when first asked for, so that `import colstore` stays cheap.
_HOME = {
    "Appender": "shards",
    "ColStoreDataset": "dataset",
    "ColStoreFrame": "frame",
    "ColStoreInfo": "metadata",
    "append": "shards",
    "appender": "shards",
    "ColStoreWriter": "writer",
    "calibrate": "autotune",
    "compact": "compaction",
    "concat": "concatenation",
    "create": "writer",
    "col": "expressions",
    "ensure_calibrated": "autotune",
    "info": "metadata",
    "recover": "recovery",
    "recreate": "writer",
    "schema": "metadata",
    "store": "writing",
    "verify": "verifying",
    "update": "writer",
}
_SUBMODULES = ("autotune", "profiling", "testing")


def __getattr__(name: str) -> object:
    if name == "__version__":
        from .version import distribution_version

        value: object = distribution_version()
    elif name in _HOME or name in _SUBMODULES:
        from importlib import import_module

        module = import_module("." + _HOME.get(name, name), __name__)
        value = getattr(module, name) if name in _HOME else module
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))


def _apply_calibration() -> None:
    from .calibration_cache import THREADS, path_of

    # Mostly there is no such file; the rest costs more.
    if _os.path.exists(path_of(THREADS)):
        from .autotune import apply_cached_cap

        apply_cached_cap()


_apply_calibration()
