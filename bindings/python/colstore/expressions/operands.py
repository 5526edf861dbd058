"""What may stand beside an expression, and how constants and sets of values cross to the library."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .._native import expr as native
from .._native.values import Values
from ..dtypes import STORABLE_KINDS, address

if TYPE_CHECKING:
    from .._native.expr import Expr
    from .nodes import Node

_PLAIN = frozenset((bool, int, float, str, bytes, type(None)))
_TIMES = (datetime.date, datetime.timedelta)
# Longer lists of one type go through an array.
_FEW_VALUES = 32


def is_array(value: Any) -> bool:
    """Whether it has values for rows of its own, which an expression cannot have beside it."""
    kind = type(value)
    if kind in _PLAIN:
        return False
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, (list, tuple)) or (hasattr(kind, "__array__") and not isinstance(value, np.generic))


def is_scalar(value: Any) -> bool:
    """Whether it is a constant that the library can hold."""
    if type(value) in _PLAIN or isinstance(value, _TIMES):
        return True
    if isinstance(value, (np.generic, np.ndarray)):
        return value.ndim == 0 and value.dtype.kind in STORABLE_KINDS
    return isinstance(value, (bool, int, float, str, bytes))


def refuse_operand(node: Node | str, value: Any) -> NoReturn:
    """The error for what is neither."""
    raise TypeError(f"unsupported operand type for {node} of an expression: {type(value).__name__}")


def literal(value: Any) -> Expr:
    """A constant: Python's without a dtype of its own, NumPy's with it."""
    kind = type(value)
    if kind is float:
        return native.floating(value)
    if kind is int:
        return native.integer(value)
    if kind is bool:
        return native.boolean(value)
    if value is None:
        return native.none()
    if isinstance(value, (np.generic, np.ndarray)):
        return strong(value)
    if isinstance(value, str):
        return native.text(value)
    if isinstance(value, bytes):
        return native.byte_string(value)
    if isinstance(value, datetime.timedelta):
        return strong(np.timedelta64(value))
    if isinstance(value, datetime.date):
        return strong(np.datetime64(value))
    if isinstance(value, int):
        return native.integer(int(value))
    if isinstance(value, float):
        return native.floating(float(value))
    raise TypeError(f"a {kind.__name__} cannot be a constant of an expression: {value!r}")


def strong(value: Any) -> Expr:
    """A constant with the dtype that NumPy gives it."""
    array = np.asarray(value)
    dtype = array.dtype.newbyteorder("<")
    if dtype.kind not in STORABLE_KINDS:
        raise TypeError(f"a constant of dtype {array.dtype} cannot be in an expression: {value!r}")
    return native.constant(dtype.str, array.astype(dtype, copy=False).tobytes())


def membership_values(values: Any) -> Values:
    """The right side of `isin` or `in`; `TypeError` for what cannot be there."""
    if isinstance(values, (set, frozenset)):
        values = list(values)
    if isinstance(values, (list, tuple, range)) and all(is_scalar(value) for value in values):
        types = set(map(type, values))
        if len(values) <= _FEW_VALUES or len(types) > 1 or not types <= {int, float, str, bytes}:
            return Values.literals([literal(value) for value in values])
        array = np.asarray(values)
        if array.dtype.kind not in "iufSU":
            return Values.literals([literal(value) for value in values])
    elif is_scalar(values):
        return Values.literals([literal(values)])
    else:
        if isinstance(values, Iterable) and not hasattr(values, "__array__"):
            values = list(values)
        array = np.asarray(values)
    if array.ndim != 1:
        array = array.reshape(-1)
    if array.dtype.kind not in STORABLE_KINDS:
        raise TypeError(f"isin() needs values that a column can hold; got dtype {array.dtype}")
    return Values.array(array.dtype.str, address(array), len(array), array.strides[0])
