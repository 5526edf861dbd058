"""Writing a file record by record."""

from __future__ import annotations

import os
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING

from .errors import raise_error
from .handles import Handle
from .library import lib
from .schema import ColumnDescription, describe_columns, wrap_schema
from .structs import WRITER_INFO_SIZE, WRITER_OPTIONS_SIZE, ColumnData, WriterInfo, WriterOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

CREATE, RECREATE, UPDATE = 0, 1, 2

_free = lib.colstore_writer_free
_write = lib.colstore_writer_write
#: For callers in a hurry, who pass no place for an error.
write_packed = lib.colstore_writer_write_packed


class Writer(Handle):
    """A `colstore_writer`. One that is let go of without `close` takes away what it wrote since its last commit."""

    __slots__ = ()

    @classmethod
    def open(cls, path: str, mode: int, statistics: bool) -> Writer:
        """Open and lock the file at `path`."""
        error, out, encoded = c_void_p(), c_void_p(), os.fsencode(path)
        options = WriterOptions(WRITER_OPTIONS_SIZE, mode, statistics)
        status = lib.colstore_writer_open(encoded, len(encoded), byref(options), byref(out), byref(error))
        if status:
            raise_error(status, error)
        return cls(out.value or 0, _free)

    def write(self, columns: Sequence[ColumnData]) -> None:
        """Write a record of columns in the caller's memory."""
        array, error = (ColumnData * len(columns))(*columns), c_void_p()
        status = _write(self.pointer, array, len(columns), byref(error))
        if status:
            raise_error(status, error)

    def write_packed(self, n_rows: int, body: bytes) -> None:
        """Write a record whose values lie in `body` as the file holds them."""
        error = c_void_p()
        status = write_packed(self.pointer, n_rows, body, len(body), byref(error))
        if status:
            raise_error(status, error)

    def commit(self) -> None:
        """Publish the records so far."""
        error = c_void_p()
        status = lib.colstore_writer_commit(self.pointer, byref(error))
        if status:
            raise_error(status, error)

    def close(self) -> None:
        """Commit, and give up the lock."""
        error = c_void_p()
        status = lib.colstore_writer_close(self.pointer, byref(error))
        if status:
            raise_error(status, error)

    def abandon(self) -> None:
        """Take away what was written since the last commit, and give up the lock."""
        error = c_void_p()
        status = lib.colstore_writer_abandon(self.pointer, byref(error))
        if status:
            raise_error(status, error)

    def describe(self) -> WriterInfo:
        """How far it is."""
        error, info = c_void_p(), WriterInfo()
        info.size = WRITER_INFO_SIZE
        status = lib.colstore_writer_describe(self.pointer, byref(info), byref(error))
        if status:
            raise_error(status, error)
        return info

    def columns(self) -> list[ColumnDescription]:
        """The columns of the file, which must have some already."""
        error, out = c_void_p(), c_void_p()
        status = lib.colstore_writer_schema(self.pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return describe_columns(wrap_schema(out))
