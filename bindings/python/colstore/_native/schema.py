"""Columns of a file, as the library describes them."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p, string_at
from typing import NamedTuple

from .errors import raise_error
from .handles import Handle
from .library import lib
from .structs import COLUMN_SIZE, Column


class ColumnDescription(NamedTuple):
    """One column: its name, its dtype as the file spells it, and the dtype that reads return."""

    name: str
    dtype_text: str
    native_text: str


def wrap_schema(pointer: c_void_p) -> Handle:
    """Own a `colstore_schema`."""
    return Handle(pointer.value or 0, lib.colstore_schema_free)


def describe_columns(schema: Handle) -> list[ColumnDescription]:
    """Every column in stored order."""
    error, count, column = c_void_p(), c_size_t(), Column()
    column.size = COLUMN_SIZE
    status = lib.colstore_schema_n_columns(schema.pointer, byref(count), byref(error))
    if status:
        raise_error(status, error)
    fetch, pointer, out, out_error = lib.colstore_schema_column, schema.pointer, byref(column), byref(error)
    columns = []
    for index in range(count.value):
        status = fetch(pointer, index, out, out_error)
        if status:
            raise_error(status, error)
        columns.append(
            ColumnDescription(
                # A lone surrogate of a name crosses as the three bytes it would have in UTF-8.
                string_at(column.name, column.name_len).decode("utf-8", "surrogatepass"),
                string_at(column.dtype_text, column.dtype_text_len).decode("utf-8", "replace"),
                string_at(column.native_text, column.native_text_len).decode("ascii"),
            )
        )
    return columns
