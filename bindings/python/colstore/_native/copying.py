"""Tables into files of one record."""

from __future__ import annotations

import os
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING

from .errors import raise_error
from .library import lib
from .structs import COMPACT_OPTIONS_SIZE, COPY_OPTIONS_SIZE, CompactOptions, CopyOptions

if TYPE_CHECKING:
    from .progress import Progress
    from .table import Table


def write_table(
    table: Table, path: str, *, mode: int, statistics: bool, max_threads: int, progress: Progress | None
) -> None:
    """Write all rows of `table` as one record to a new file at `path`; `mode` is one of `_native.store`."""
    encoded = os.fsencode(path)
    pointer = None if progress is None else progress.pointer
    options = CopyOptions(COPY_OPTIONS_SIZE, mode, statistics, max_threads, 0, pointer)
    error = c_void_p()
    status = lib.colstore_table_write(table.pointer, encoded, len(encoded), byref(options), byref(error))
    _check(status, error, progress)


def compact_file(path: str, out: str | None, *, statistics: bool, progress: Progress | None) -> None:
    """Put the records of the file at `path` together to one, in place or at `out`."""
    encoded = os.fsencode(path)
    target = None if out is None else os.fsencode(out)
    pointer = None if progress is None else progress.pointer
    options = CompactOptions(COMPACT_OPTIONS_SIZE, statistics, 0, pointer)
    error = c_void_p()
    status = lib.colstore_compact(encoded, len(encoded), target, len(target or b""), byref(options), byref(error))
    _check(status, error, progress)


def _check(status: int, error: c_void_p, progress: Progress | None) -> None:
    if progress is not None and progress.exception is not None:
        lib.colstore_error_free(error)
        raise progress.exception
    if status:
        raise_error(status, error)
