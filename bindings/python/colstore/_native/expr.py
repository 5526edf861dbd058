"""Expressions as the library holds them: a value for every row, from columns and constants."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p, create_string_buffer
from typing import TYPE_CHECKING, Any

from .errors import raise_error
from .handles import Handle
from .library import lib

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .table import Table

_call = lib.colstore_expr_call
_column = lib.colstore_expr_column
_bool = lib.colstore_expr_bool
_int = lib.colstore_expr_int
_float = lib.colstore_expr_float
_free = lib.colstore_expr_free

# No text of a dtype is longer.
_DTYPE_TEXT = 64
_INT64 = range(-(2**63), 2**63)


class Expr(Handle):
    """A `colstore_expr`. It never changes, and keeps what it was made of."""

    __slots__ = ()

    def __str__(self) -> str:
        error, length = c_void_p(), c_size_t()
        status = lib.colstore_expr_print(self.pointer, None, 0, byref(length), byref(error))
        if not status:
            out = create_string_buffer(max(1, length.value))
            status = lib.colstore_expr_print(self.pointer, out, length.value, byref(length), byref(error))
        if status:
            raise_error(status, error)
        return out.raw[: length.value].decode("utf-8", "replace")


def _made(function: Callable[..., int], *arguments: Any) -> Expr:
    out = c_void_p()
    # Asking for an error counts among so short calls: it is asked for when there is one.
    if function(*arguments, byref(out), None):
        error = c_void_p()
        status = function(*arguments, byref(out), byref(error))
        if status:
            raise_error(status, error)
    return Expr(out.value or 0, _free)


def made(function: Callable[..., int], *arguments: Any) -> Expr:
    """What a function of the library makes that may be called only once with its arguments."""
    out, error = c_void_p(), c_void_p()
    status = function(*arguments, byref(out), byref(error))
    if status:
        raise_error(status, error)
    return Expr(out.value or 0, _free)


def pointers(exprs: Sequence[Handle]) -> Any:
    """An array of handles as an argument."""
    return (c_void_p * len(exprs))(*[expr.pointer for expr in exprs])


def column(name: str) -> Expr:
    """The column of a name, looked up where the expression is used."""
    encoded = name.encode("utf-8", "surrogatepass")
    return _made(_column, encoded, len(encoded))


def none() -> Expr:
    """`None`"""
    return _made(lib.colstore_expr_none)


def boolean(value: bool) -> Expr:
    """A Python `bool`, without a dtype of its own."""
    return _made(_bool, value)


def integer(value: int) -> Expr:
    """A Python `int` of any size, without a dtype of its own."""
    if value in _INT64:
        return _made(_int, value)
    # Hexadecimal: Python refuses to write long numbers in decimal.
    text = hex(value).encode()
    return _made(lib.colstore_expr_integer, text, len(text))


def floating(value: float) -> Expr:
    """A Python `float`, without a dtype of its own."""
    return _made(_float, value)


def constant(typestr: str, data: bytes) -> Expr:
    """One little-endian value with a dtype of its own."""
    dtype = typestr.encode()
    return _made(lib.colstore_expr_constant, dtype, len(dtype), data, len(data))


def text(value: str) -> Expr:
    """A Python `str`"""
    encoded = value.encode("utf-8", "surrogatepass")
    return _made(lib.colstore_expr_text, encoded, len(encoded))


def byte_string(value: bytes) -> Expr:
    """A Python `bytes`"""
    return _made(lib.colstore_expr_bytes, value, len(value))


def call(name: bytes, args: Sequence[Handle]) -> Expr:
    """The function that NumPy calls `name`, of these operands."""
    return _made(_call, name, len(name), pointers(args), len(args))


def isin(value: Expr, values: Handle) -> Expr:
    """Whether a value is in a set."""
    return _made(lib.colstore_expr_isin, value.pointer, values.pointer, False)


def cast(value: Expr, typestr: str) -> Expr:
    """NumPy's `astype`"""
    dtype = typestr.encode()
    return _made(lib.colstore_expr_cast, value.pointer, dtype, len(dtype))


def rounded(value: Expr, decimals: int) -> Expr:
    """NumPy's `round`"""
    return _made(lib.colstore_expr_round, value.pointer, decimals)


def parse(source: str, params: Handle | None) -> Expr:
    """The expression that a text is; `QueryError` shows the place where it cannot be understood."""
    encoded = source.encode("utf-8", "surrogatepass")
    return _made(lib.colstore_expr_parse, encoded, len(encoded), None if params is None else params.pointer)


def check(expr: Expr, table: Table, condition: bool) -> str:
    """The dtype of the values over the columns of a table; with `condition`, rows can be selected by it."""
    error, length, out = c_void_p(), c_size_t(), create_string_buffer(_DTYPE_TEXT)
    status = lib.colstore_expr_check(
        expr.pointer, table.pointer, condition, out, _DTYPE_TEXT, byref(length), byref(error)
    )
    if status:
        raise_error(status, error)
    return out.raw[: length.value].decode()


def is_exact(name: bytes, typestr: str) -> bool:
    """Whether the library has the function, and its results for operands of this dtype are NumPy's to the bit."""
    dtype = typestr.encode()
    return bool(lib.colstore_function_exact(name, len(name), dtype, len(dtype)))
