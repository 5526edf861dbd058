"""Writing a set of columns."""

from __future__ import annotations

import os
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING

from .errors import raise_error
from .library import lib
from .structs import COLUMN_DATA_SIZE, STORE_OPTIONS_SIZE, ColumnData, StoreOptions

if TYPE_CHECKING:
    from .progress import Progress

CREATE, RECREATE = 0, 1
PROCESS, DISK = 0, 1


def column_data(name: str, typestr: str, address: int, n_rows: int, stride: int) -> ColumnData:
    """A column in the caller's memory, which must stay as it is until it has been stored."""
    encoded, dtype = name.encode("utf-8", "surrogatepass"), typestr.encode("ascii")
    return ColumnData(COLUMN_DATA_SIZE, encoded, len(encoded), dtype, len(dtype), address, n_rows, stride)


def store_columns(
    path: str, columns: list[ColumnData], *, mode: int, statistics: bool, durability: int, progress: Progress | None
) -> None:
    """Write `columns` as one record to a new file at `path`."""
    encoded = os.fsencode(path)
    pointer = None if progress is None else progress.pointer
    options = StoreOptions(STORE_OPTIONS_SIZE, mode, statistics, durability, 0, pointer)
    array = (ColumnData * len(columns))(*columns)
    error = c_void_p()
    status = lib.colstore_store(encoded, len(encoded), array, len(columns), byref(options), byref(error))
    if progress is not None and progress.exception is not None:
        lib.colstore_error_free(error)
        raise progress.exception
    if status:
        raise_error(status, error)
