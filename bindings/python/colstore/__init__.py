"""Columnar `.cstore` files for NumPy: written once, memory-mapped, read back at the speed of memory.

    import colstore

    colstore.store({"x": x, "id": ids}, "events.cstore").close()

    with colstore.open("events.cstore") as events:
        events.array("x")                # one column, a copy
        events.array("x", copy=False)    # the same without a copy: read-only, straight from the file
        events.dict()                    # every column, in one parallel read
        events.recarray()                # rows: one structured array
        events.frame()                   # a pandas DataFrame

The work is done by the native library `libcolstore`, with the GIL released.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._native.errors import FormatError
from .opening import open
from .reader import ColStoreReader
from .threads import cpp_available, max_threads, use_passive_openmp_wait

if TYPE_CHECKING:
    from .metadata import ColStoreInfo, info, schema
    from .writing import store

    __version__: str

__all__ = [
    "ColStoreInfo",
    "ColStoreReader",
    "FormatError",
    "__version__",
    "cpp_available",
    "info",
    "max_threads",
    "open",
    "schema",
    "store",
    "use_passive_openmp_wait",
]

# Imported when first asked for, so that `import colstore` stays cheap.
_HOME = {
    "ColStoreInfo": "metadata",
    "info": "metadata",
    "schema": "metadata",
    "store": "writing",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from .version import distribution_version

        value: object = distribution_version()
    elif name in _HOME:
        from importlib import import_module

        value = getattr(import_module("." + _HOME[name], __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
