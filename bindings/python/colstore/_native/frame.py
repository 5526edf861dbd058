"""Frames as the library holds them: columns of one's own over the rows of a table, and cuts."""

from __future__ import annotations

import os
from ctypes import byref, c_char_p, c_int64, c_size_t, c_uint32, c_void_p, create_string_buffer
from typing import TYPE_CHECKING, Any

from . import expr
from .callbacks import hold, take_met
from .errors import raise_error
from .expr import Expr, pointers
from .handles import Handle
from .library import lib
from .rows import Rows
from .schema import wrap_schema
from .store import PROCESS, RECREATE
from .structs import SCALAR_SIZE, STORE_OPTIONS_SIZE, Scalar, StoreOptions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from ctypes import Array

    from numpy.typing import NDArray

    from .table import Table

_free = lib.colstore_frame_free
_column = lib.colstore_frame_column
_DTYPE_TEXT = 64


def _texts(texts: Sequence[str]) -> tuple[Any, Any]:
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    n = len(encoded)
    return (c_char_p * n)(*encoded), (c_size_t * n)(*map(len, encoded))


class Frame(Handle):
    """A `colstore_frame`. Edits change it, or leave it as it was if they fail.

    What reads returns flags, the sum of the conditions of floating-point numbers that were met. `options` is what
    `table.read_options` makes.
    """

    __slots__ = ()

    @classmethod
    def new(cls, table: Table, base: Rows | None) -> Frame:
        """All columns of a table for these rows."""
        error, out = c_void_p(), c_void_p()
        pointer = None if base is None else base.pointer
        status = lib.colstore_frame_new(table.pointer, pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return cls(out.value or 0, _free)

    def clone(self) -> Frame:
        """Another frame that is as this one is now."""
        error, out = c_void_p(), c_void_p()
        status = lib.colstore_frame_clone(self.pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return Frame(out.value or 0, _free)

    # -------------------------------------------------------------------------------------- description

    def schema(self) -> Handle:
        """Names and dtypes as they are now."""
        error, out = c_void_p(), c_void_p()
        status = lib.colstore_frame_schema(self.pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return wrap_schema(out)

    def column(self, name: str) -> Expr:
        """The column itself, which stays what it is when the name is given another."""
        encoded = name.encode("utf-8", "surrogatepass")
        return expr._made(_column, self.pointer, encoded, len(encoded))

    def memory(self, typestr: str, array: NDArray[Any], address: int) -> Expr:
        """The values of an array, which is kept and not copied, as a column."""
        return hold(self.pointer, typestr, array, address)

    def base_rows(self) -> int:
        """The number of rows before any cut."""
        error, out = c_void_p(), c_int64()
        status = lib.colstore_frame_base_rows(self.pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return out.value

    def dtype(self, value: Expr) -> str:
        """The dtype of an expression over the columns."""
        error, length, out = c_void_p(), c_size_t(), create_string_buffer(_DTYPE_TEXT)
        status = lib.colstore_frame_expr_dtype(
            self.pointer, value.pointer, out, _DTYPE_TEXT, byref(length), byref(error)
        )
        if status:
            raise_error(status, error)
        return out.raw[: length.value].decode()

    # -------------------------------------------------------------------------------------- editing

    def _edit(self, function: Any, *arguments: Any) -> None:
        error = c_void_p()
        status = function(self.pointer, *arguments, byref(error))
        if status:
            raise_error(status, error)

    def assign(self, names: Sequence[str], values: Sequence[Expr]) -> None:
        """Replace columns in their place, or add them; all are over the columns that there are before."""
        self._edit(lib.colstore_frame_assign, *_texts(names), pointers(values), len(names))

    def drop(self, names: Sequence[str]) -> None:
        """Take columns away."""
        self._edit(lib.colstore_frame_drop, *_texts(names), len(names))

    def select(self, names: Sequence[str]) -> None:
        """Keep these columns, in this order."""
        self._edit(lib.colstore_frame_select, *_texts(names), len(names))

    def rename(self, names: Sequence[str], new_names: Sequence[str]) -> None:
        """Give columns other names, in their places."""
        self._edit(lib.colstore_frame_rename, *_texts(names), *_texts(new_names), len(names))

    def filter(self, condition: Expr, label: str | None, weight: Expr | None) -> None:
        """Add a cut."""
        encoded = None if label is None else label.encode("utf-8", "replace")
        pointer = None if weight is None else weight.pointer
        self._edit(lib.colstore_frame_filter, condition.pointer, encoded, len(encoded or b""), pointer)

    # -------------------------------------------------------------------------------------- reading

    def _read(self, function: Any, *arguments: Any) -> int:
        error, flags = c_void_p(), c_uint32()
        status = function(self.pointer, *arguments, byref(flags), byref(error))
        if status:
            take_met()
            raise_error(status, error)
        return flags.value | take_met()

    def count(self, options: Any) -> tuple[int, int]:
        """The number of rows that the cuts leave; flags."""
        out = c_int64()
        flags = self._read(lib.colstore_frame_count, options, byref(out))
        return out.value, flags

    def rows(self, options: Any) -> tuple[Rows, int]:
        """The rows that the cuts leave, as rows of the table; flags."""
        out = c_void_p()
        flags = self._read(lib.colstore_frame_rows, options, byref(out))
        return Rows._counted(out), flags

    def read_columns(
        self,
        columns: Array[c_size_t],
        start: int,
        stop: int,
        options: Any,
        outs: Array[c_void_p],
        out_sizes: Array[c_size_t],
    ) -> int:
        """Fill one buffer for each of `columns`, with these of the rows that the cuts leave; flags."""
        return self._read(lib.colstore_frame_read_columns, columns, len(columns), start, stop, options, outs, out_sizes)

    def read_records(
        self, columns: Array[c_size_t], start: int, stop: int, options: Any, out: int, out_size: int
    ) -> int:
        """Fill `out_size` bytes at `out` with packed rows of `columns`; flags."""
        return self._read(lib.colstore_frame_read_records, columns, len(columns), start, stop, options, out, out_size)

    def evaluate(self, value: Expr, ignore_cuts: bool, options: Any, out: int, out_size: int) -> int:
        """Fill `out_size` bytes at `out` with the values of an expression; flags."""
        return self._read(lib.colstore_frame_evaluate, value.pointer, ignore_cuts, options, out, out_size)

    def reduce(self, value: Expr, reduction: int, ddof: float, options: Any) -> tuple[Scalar, int]:
        """One number from the values of an expression in the rows that the cuts leave; flags."""
        out = Scalar()
        out.size = SCALAR_SIZE
        flags = self._read(lib.colstore_frame_reduce, value.pointer, reduction, ddof, options, byref(out))
        return out, flags

    def write(self, path: str, max_threads: int) -> int:
        """Write the columns to a new file, in the place of one that is there; flags."""
        encoded = os.fsencode(path)
        options = StoreOptions(STORE_OPTIONS_SIZE, RECREATE, False, PROCESS, max_threads, None)
        return self._read(lib.colstore_frame_write, encoded, len(encoded), byref(options))


def filter_rows(table: Table, base: Rows | None, condition: Expr, options: Any) -> tuple[Rows, int]:
    """The rows of a table, among those of `base`, for which a condition holds; flags."""
    error, out, flags = c_void_p(), c_void_p(), c_uint32()
    pointer = None if base is None else base.pointer
    status = lib.colstore_rows_filter(
        table.pointer, pointer, condition.pointer, options, byref(out), byref(flags), byref(error)
    )
    if status:
        take_met()
        raise_error(status, error)
    return Rows._counted(out), flags.value | take_met()
