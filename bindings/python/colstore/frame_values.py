"""From what is assigned to a frame to a column of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import STORABLE_KINDS, address
from .expressions import Expression
from .expressions.operands import is_scalar, strong

if TYPE_CHECKING:
    from ._native.expr import Expr
    from .frame import ColStoreFrame


def column_value(frame: ColStoreFrame, name: str, value: Any, copy: bool) -> tuple[Expr, bool]:
    """The library's form of a value for a column, and whether it is the same constant in all rows."""
    if isinstance(value, Expression):
        return frame._lowered(value), getattr(value, "_constant", False)
    if is_scalar(value) and value is not None:
        return strong(value), True
    return _memory(frame, name, value, copy), False


def _memory(frame: ColStoreFrame, name: str, value: Any, copy: bool) -> Expr:
    if frame._selected:
        raise ValueError(
            f"column {name!r}: an array cannot be assigned to a frame that has a row selection, because it does not "
            "say which rows it is for; assign it before the cut, or use an expression"
        )
    array = np.array(value) if copy else np.asarray(value)
    if array.dtype.kind not in STORABLE_KINDS:
        raise TypeError(
            f"column {name!r}: values of dtype {array.dtype} cannot be in a frame; bool, integers, floats, datetime64, "
            "timedelta64, bytes and text can"
        )
    if array.ndim != 1:
        raise ValueError(f"column {name!r} must be 1D; got an array of shape {array.shape}")
    n_rows = frame._native.base_rows()
    if len(array) != n_rows:
        raise ValueError(f"column {name!r} has {len(array)} values, which does not match the frame's {n_rows} rows")
    return frame._native.memory(array.dtype.str, array, address(array))
