"""An open file: reads into the caller's arrays, and views of the mapped bytes."""

from __future__ import annotations

import os
from ctypes import Array, byref, c_int64, c_size_t, c_void_p
from typing import Any

from .errors import raise_error
from .handles import Handle
from .library import lib
from .schema import wrap_schema
from .structs import INFO_SIZE, READ_OPTIONS_SIZE, VIEW_INFO_SIZE, Info, ReadOptions, ViewInfo

_open = lib.colstore_table_open
_free = lib.colstore_table_free
_n_rows = lib.colstore_table_n_rows
_read_column = lib.colstore_table_read_column
_view_column = lib.colstore_table_view_column
_view_describe = lib.colstore_view_describe
_view_free = lib.colstore_view_free


class Table(Handle):
    """A `colstore_table`. Row ranges are `start <= row < stop`; `options` is what `read_options` makes."""

    __slots__ = ()

    @classmethod
    def open(cls, path: str) -> Table:
        """Open the file at `path`."""
        error, out, encoded = c_void_p(), c_void_p(), os.fsencode(path)
        status = _open(encoded, len(encoded), None, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return cls(out.value or 0, _free)

    def n_rows(self) -> int:
        """The number of rows."""
        error, out = c_void_p(), c_int64()
        status = _n_rows(self.pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return out.value

    def schema(self) -> Handle:
        """The file's `colstore_schema`, which outlives the table."""
        error, out = c_void_p(), c_void_p()
        status = lib.colstore_table_schema(self.pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return wrap_schema(out)

    def read_column(self, column: int, start: int, stop: int, options: Any, out: Any, out_size: int) -> None:
        """Fill `out_size` bytes at `out`, a pointer or an address, with the rows of one column."""
        error = c_void_p()
        status = _read_column(self.pointer, column, start, stop, options, out, out_size, byref(error))
        if status:
            raise_error(status, error)

    def read_columns(
        self,
        columns: Array[c_size_t],
        start: int,
        stop: int,
        options: Any,
        outs: Array[c_void_p],
        out_sizes: Array[c_size_t],
    ) -> None:
        """Fill one buffer for each of `columns`, in one pass."""
        error = c_void_p()
        status = lib.colstore_table_read_columns(
            self.pointer, columns, len(columns), start, stop, options, outs, out_sizes, byref(error)
        )
        if status:
            raise_error(status, error)

    def read_records(
        self, columns: Array[c_size_t], start: int, stop: int, options: Any, out: Any, out_size: int
    ) -> None:
        """Fill `out_size` bytes at `out`, a pointer or an address, with packed rows of `columns`."""
        error = c_void_p()
        status = lib.colstore_table_read_records(
            self.pointer, columns, len(columns), start, stop, options, out, out_size, byref(error)
        )
        if status:
            raise_error(status, error)

    def view_column(self, column: int, start: int, stop: int, typestr: str) -> View:
        """Borrow the rows of one column; `NotContiguousError` if they cannot be lent."""
        error, out, info = c_void_p(), c_void_p(), ViewInfo()
        status = _view_column(self.pointer, column, start, stop, byref(out), byref(error))
        if status:
            raise_error(status, error)
        view = View(out.value or 0, _view_free)
        info.size = VIEW_INFO_SIZE
        status = _view_describe(view.pointer, byref(info), byref(error))
        if status:
            raise_error(status, error)
        view.__array_interface__ = {
            "version": 3,
            "shape": (info.n_rows,),
            "strides": (info.stride,),
            "typestr": typestr,
            "data": (info.data or 0, True),
        }
        return view


class View(Handle):
    """A `colstore_view`, which keeps the file mapped: the base of every zero-copy array."""

    __slots__ = ("__array_interface__",)

    __array_interface__: dict[str, Any]


def read_options(max_threads: int) -> Any:
    """Options of a read on at most `max_threads` threads, as an argument of the library's functions."""
    return byref(ReadOptions(READ_OPTIONS_SIZE, max_threads, 0, None))


def read_info(path: str) -> tuple[Info, Handle]:
    """The figures and the schema in the header of the file at `path`."""
    error, out, info, encoded = c_void_p(), c_void_p(), Info(), os.fsencode(path)
    info.size = INFO_SIZE
    status = lib.colstore_info_read(encoded, len(encoded), byref(info), byref(out), byref(error))
    if status:
        raise_error(status, error)
    return info, wrap_schema(out)
