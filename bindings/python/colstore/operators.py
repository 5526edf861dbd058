"""Operators and universal functions of a column view: they read it, and give ordinary arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin


class ArrayOperators(NDArrayOperatorsMixin):
    """Lets a view stand where an array could: in arithmetic, comparisons, and calls of ufuncs."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        # Reductions that the engine does are methods; the others, and writing into a view, are errors.
        if method != "__call__" or any(out is not None for out in kwargs.pop("out", ())):
            return NotImplemented
        # A view that occurs twice is read once.
        arrays: dict[int, Any] = {}
        operands = [_read(value, arrays) for value in inputs]
        if "where" in kwargs:
            kwargs["where"] = _read(kwargs["where"], arrays)
        return ufunc(*operands, **kwargs)


def _read(value: Any, arrays: dict[int, Any]) -> Any:
    if not isinstance(value, ArrayOperators):
        return value
    array = arrays.get(id(value))
    if array is None:
        array = arrays[id(value)] = value.array()  # type: ignore[attr-defined]
    return array
