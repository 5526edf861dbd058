"""Adding shards to a directory."""

from __future__ import annotations

import os
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any

from .errors import raise_error
from .handles import Handle
from .library import lib
from .names import take_names
from .store import column_data
from .structs import (
    APPEND_OPTIONS_SIZE,
    APPENDER_INFO_SIZE,
    APPENDER_OPTIONS_SIZE,
    AppenderInfo,
    AppenderOptions,
    AppendOptions,
    ColumnData,
)

if TYPE_CHECKING:
    from typing import TypeAlias

    from .progress import Progress
    from .table import Table

    #: A column in the caller's memory: name, dtype, address of the first value, number of rows, bytes to the next.
    Rows: TypeAlias = tuple[str, str, int, int, int]


def append(
    directory: str,
    data: list[Rows] | Table,
    *,
    name: str,
    statistics: bool,
    progress: Progress | None,
) -> str:
    """Add `data` as a shard; its path."""
    encoded, text = os.fsencode(directory), name.encode("utf-8", "surrogatepass")
    options = byref(AppendOptions(APPEND_OPTIONS_SIZE, text, len(text), statistics, 0, _pointer(progress)))
    error, out = c_void_p(), c_void_p()
    if isinstance(data, list):
        status = lib.colstore_append(
            encoded, len(encoded), describe(data), len(data), options, byref(out), byref(error)
        )
    else:
        status = lib.colstore_append_table(encoded, len(encoded), data.pointer, options, byref(out), byref(error))
    _check(status, error, progress)
    return os.fsdecode(take_names(out)[0])


def describe(columns: list[Rows]) -> Any:
    """An array of structs for these columns, whose memory must stay as it is until it has been used."""
    structs = [column_data(*column) for column in columns]
    return (ColumnData * len(structs))(*structs)


class Appender(Handle):
    """A `colstore_appender`."""

    __slots__ = ("_described",)

    def __init__(self, pointer: int) -> None:
        super().__init__(pointer, lib.colstore_appender_free)
        #: Names and dtypes of the last batch, and the structs that describe it, unless a call is using them.
        self._described: list[tuple[list[tuple[str, str]], Any]] = []

    @classmethod
    def open(cls, directory: str, *, name: str, shard_rows: int, shard_bytes: int, statistics: bool) -> Appender:
        """Lock `directory`, and check what is there."""
        encoded, text = os.fsencode(directory), name.encode("utf-8", "surrogatepass")
        options = AppenderOptions(APPENDER_OPTIONS_SIZE, text, len(text), shard_rows, shard_bytes, statistics, 0)
        error, out = c_void_p(), c_void_p()
        status = lib.colstore_appender_open(encoded, len(encoded), byref(options), byref(out), byref(error))
        if status:
            raise_error(status, error)
        return cls(out.value or 0)

    def write(self, columns: list[Rows], progress: Progress | None) -> None:
        """Add rows; they make a shard if that is enough."""
        error = c_void_p()
        # Batches are mostly like the one before, and can be small: of their structs only what differs is made anew.
        try:
            layout, structs = self._described.pop()
        except IndexError:
            layout, structs = [], None
        if [column[:2] for column in columns] == layout:
            for struct, (_, _, address, n_rows, stride) in zip(structs, columns):
                struct.data, struct.n_rows, struct.stride = address, n_rows, stride
        else:
            layout = [column[:2] for column in columns]
            structs = describe(columns)
        status = lib.colstore_appender_write(self.pointer, structs, len(columns), _pointer(progress), byref(error))
        self._described.append((layout, structs))
        _check(status, error, progress)

    def write_table(self, table: Table, progress: Progress | None) -> None:
        """Add the rows of a table, as `write` does."""
        error = c_void_p()
        status = lib.colstore_appender_write_table(self.pointer, table.pointer, _pointer(progress), byref(error))
        _check(status, error, progress)

    def flush(self, progress: Progress | None) -> str | None:
        """Make a shard of what is held; its path."""
        return self._finish(lib.colstore_appender_flush, progress)

    def close(self, progress: Progress | None) -> str | None:
        """Flush, and unlock the directory."""
        return self._finish(lib.colstore_appender_close, progress)

    def abandon(self) -> None:
        """Unlock the directory, and forget the rows that are held."""
        error = c_void_p()
        status = lib.colstore_appender_abandon(self.pointer, byref(error))
        if status:
            raise_error(status, error)

    def describe(self) -> AppenderInfo:
        """What it has done so far."""
        error, info = c_void_p(), AppenderInfo(APPENDER_INFO_SIZE)
        status = lib.colstore_appender_describe(self.pointer, byref(info), byref(error))
        if status:
            raise_error(status, error)
        return info

    def _finish(self, function: Any, progress: Progress | None) -> str | None:
        error, out = c_void_p(), c_void_p()
        _check(function(self.pointer, _pointer(progress), byref(out), byref(error)), error, progress)
        paths = take_names(out)
        return os.fsdecode(paths[0]) if paths else None


def _pointer(progress: Progress | None) -> int | None:
    return None if progress is None else progress.pointer


def _check(status: int, error: c_void_p, progress: Progress | None) -> None:
    if progress is not None and progress.exception is not None:
        lib.colstore_error_free(error)
        raise progress.exception
    if status:
        raise_error(status, error)
