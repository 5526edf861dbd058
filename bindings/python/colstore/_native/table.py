"""A table, of one file or many: reads into the caller's arrays, and views of the mapped bytes."""

from __future__ import annotations

import os
from ctypes import Array, byref, c_int64, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any

from .errors import raise_error
from .handles import Handle
from .library import lib
from .names import take_names
from .schema import wrap_schema
from .structs import (
    INFO_SIZE,
    OPEN_OPTIONS_SIZE,
    READ_OPTIONS_SIZE,
    SCALAR_SIZE,
    VIEW_INFO_SIZE,
    Info,
    OpenOptions,
    ReadOptions,
    Scalar,
    ViewInfo,
)

if TYPE_CHECKING:
    from ..selection import Numbers
    from .rows import Rows

_open = lib.colstore_table_open
_free = lib.colstore_table_free
_n_rows = lib.colstore_table_n_rows
_read_column = lib.colstore_table_read_column
_read_column_at = lib.colstore_table_read_column_at
_read_columns = lib.colstore_table_read_columns
_read_columns_at = lib.colstore_table_read_columns_at
_read_records = lib.colstore_table_read_records
_read_records_at = lib.colstore_table_read_records_at
_gather_column = lib.colstore_table_gather_column
_gather_columns = lib.colstore_table_gather_columns
_gather_records = lib.colstore_table_gather_records
_view_column = lib.colstore_table_view_column
_view_column_at = lib.colstore_table_view_column_at
_reduce = lib.colstore_table_reduce
_view_describe = lib.colstore_view_describe
_view_free = lib.colstore_view_free


class Table(Handle):
    """A `colstore_table`.

    Rows are either a range `start <= row < stop` or, where `rows` is given, a selection, and `start` and `stop`
    then do not count. `options` is what `read_options` makes.
    """

    __slots__ = ("n_rows",)

    #: The number of rows.
    n_rows: int

    def __init__(self, pointer: int) -> None:
        super().__init__(pointer, _free)
        error, out = c_void_p(), c_int64()
        status = _n_rows(pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        self.n_rows = out.value

    @classmethod
    def open(cls, path: str, options: Any = None) -> Table:
        """Open the file at `path`; `options` is what `open_options` makes."""
        error, out, encoded = c_void_p(), c_void_p(), os.fsencode(path)
        status = _open(encoded, len(encoded), options, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return cls(out.value or 0)

    @classmethod
    def concat(cls, tables: list[Table], drop: bool) -> tuple[Table, list[str]]:
        """The tables end to end, and the names of the columns that were left out because not all have them."""
        error, out, dropped = c_void_p(), c_void_p(), c_void_p()
        pointers = (c_void_p * len(tables))(*[table.pointer for table in tables])
        status = lib.colstore_table_concat(pointers, len(tables), drop, byref(out), byref(dropped), byref(error))
        if status:
            raise_error(status, error)
        names = [name.decode("utf-8", "surrogatepass") for name in take_names(dropped)] if dropped else []
        return cls(out.value or 0), names

    def n_records(self) -> int:
        """The number of records of all files."""
        error, out = c_void_p(), c_int64()
        status = lib.colstore_table_n_records(self.pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return out.value

    def schema(self) -> Handle:
        """The table's `colstore_schema`, which outlives the table."""
        error, out = c_void_p(), c_void_p()
        status = lib.colstore_table_schema(self.pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return wrap_schema(out)

    def read_column(
        self, column: int, start: int, stop: int, rows: Rows | None, options: Any, out: Any, out_size: int
    ) -> None:
        """Fill `out_size` bytes at `out`, a pointer or an address, with the rows of one column."""
        # Reads of a few rows are so short that asking for an error counts: it is asked for when there is one.
        if rows is None and not _read_column(self.pointer, column, start, stop, options, out, out_size, None):
            return
        error = c_void_p()
        if rows is None:
            status = _read_column(self.pointer, column, start, stop, options, out, out_size, byref(error))
        else:
            status = _read_column_at(self.pointer, column, rows.pointer, options, out, out_size, byref(error))
        if status:
            raise_error(status, error)

    def read_columns(
        self,
        columns: Array[c_size_t],
        start: int,
        stop: int,
        rows: Rows | None,
        options: Any,
        outs: Array[c_void_p],
        out_sizes: Array[c_size_t],
    ) -> None:
        """Fill one buffer for each of `columns`, in one pass."""
        error, count = c_void_p(), len(columns)
        if rows is None:
            status = _read_columns(self.pointer, columns, count, start, stop, options, outs, out_sizes, byref(error))
        else:
            status = _read_columns_at(
                self.pointer, columns, count, rows.pointer, options, outs, out_sizes, byref(error)
            )
        if status:
            raise_error(status, error)

    def read_records(
        self,
        columns: Array[c_size_t],
        start: int,
        stop: int,
        rows: Rows | None,
        options: Any,
        out: Any,
        out_size: int,
    ) -> None:
        """Fill `out_size` bytes at `out`, a pointer or an address, with packed rows of `columns`."""
        error, count = c_void_p(), len(columns)
        if rows is None:
            status = _read_records(self.pointer, columns, count, start, stop, options, out, out_size, byref(error))
        else:
            status = _read_records_at(self.pointer, columns, count, rows.pointer, options, out, out_size, byref(error))
        if status:
            raise_error(status, error)

    def gather_column(self, column: int, numbers: Numbers, options: Any, out: Any, out_size: int) -> None:
        """Fill `out_size` bytes at `out`, a pointer or an address, with rows of one column by number."""
        at, index_type, n, stride, _ = numbers
        if _gather_column(self.pointer, column, at, index_type, n, stride, options, out, out_size, None):
            error = c_void_p()
            status = _gather_column(
                self.pointer, column, at, index_type, n, stride, options, out, out_size, byref(error)
            )
            if status:
                raise_error(status, error)

    def gather_columns(
        self,
        columns: Array[c_size_t],
        numbers: Numbers,
        options: Any,
        outs: Array[c_void_p],
        out_sizes: Array[c_size_t],
    ) -> None:
        """Fill one buffer for each of `columns`, in one pass."""
        at, index_type, n, stride, _ = numbers
        count = len(columns)
        if _gather_columns(self.pointer, columns, count, at, index_type, n, stride, options, outs, out_sizes, None):
            error = c_void_p()
            status = _gather_columns(
                self.pointer, columns, count, at, index_type, n, stride, options, outs, out_sizes, byref(error)
            )
            if status:
                raise_error(status, error)

    def gather_records(self, columns: Array[c_size_t], numbers: Numbers, options: Any, out: Any, out_size: int) -> None:
        """Fill `out_size` bytes at `out`, a pointer or an address, with packed rows of `columns`."""
        at, index_type, n, stride, _ = numbers
        count = len(columns)
        if _gather_records(self.pointer, columns, count, at, index_type, n, stride, options, out, out_size, None):
            error = c_void_p()
            status = _gather_records(
                self.pointer, columns, count, at, index_type, n, stride, options, out, out_size, byref(error)
            )
            if status:
                raise_error(status, error)

    def view_column(self, column: int, start: int, stop: int, rows: Rows | None, typestr: str) -> View:
        """Borrow the rows of one column; `ValueError` if they cannot be lent."""
        error, out, info = c_void_p(), c_void_p(), ViewInfo()
        if rows is None:
            status = _view_column(self.pointer, column, start, stop, byref(out), byref(error))
        else:
            status = _view_column_at(self.pointer, column, rows.pointer, byref(out), byref(error))
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

    def reduce(self, column: int, rows: Rows | None, reduction: int, ddof: float, options: Any) -> Scalar:
        """One number from the rows of one column, all of them if `rows` is `None`."""
        error, out = c_void_p(), Scalar()
        out.size = SCALAR_SIZE
        pointer = None if rows is None else rows.pointer
        status = _reduce(self.pointer, column, pointer, reduction, ddof, options, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return out


class View(Handle):
    """A `colstore_view`, which keeps the file mapped: the base of every zero-copy array."""

    __slots__ = ("__array_interface__",)

    __array_interface__: dict[str, Any]


def read_options(max_threads: int) -> Any:
    """Options of a read on at most `max_threads` threads, as an argument of the library's functions."""
    return byref(ReadOptions(READ_OPTIONS_SIZE, max_threads, 0, None))


def open_options(advice: int, lock: bool, backend: int = 0) -> Any:
    """Options of opening a file, as an argument of the library's functions."""
    return byref(OpenOptions(OPEN_OPTIONS_SIZE, advice, lock, backend, 0))


def read_info(path: str) -> tuple[Info, Handle]:
    """The figures and the schema in the header of the file at `path`."""
    error, out, info, encoded = c_void_p(), c_void_p(), Info(), os.fsencode(path)
    info.size = INFO_SIZE
    status = lib.colstore_info_read(encoded, len(encoded), byref(info), byref(out), byref(error))
    if status:
        raise_error(status, error)
    return info, wrap_schema(out)
