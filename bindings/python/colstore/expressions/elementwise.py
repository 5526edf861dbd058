"""NumPy's functions and the user's over blocks of rows, where the library has none or its results differ in a bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._native.callbacks import call_back
from .._native.expr import Expr
from ..dtypes import STORABLE_KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


def probe(function: Callable[..., Any], operands: Sequence[Any]) -> np.dtype[Any]:
    """The dtype that NumPy gives the result; of operands, dtypes stand for columns."""
    with np.errstate(all="ignore"):
        result = function(*[np.empty(0, value) if isinstance(value, np.dtype) else value for value in operands])
    dtype: np.dtype[Any] = np.asarray(result).dtype
    if dtype.kind not in STORABLE_KINDS:
        raise TypeError(f"{_name(function)} gives values of dtype {dtype} here, which a column cannot hold")
    return dtype


class Operation:
    """A function of NumPy's of columns and constants."""

    def __init__(self, function: Callable[..., Any], operands: Sequence[Any], dtype: np.dtype[Any]) -> None:
        self.dtypes = [value for value in operands if isinstance(value, np.dtype)]
        self.dtype = dtype
        self._function = function
        self._fills = isinstance(function, np.ufunc)
        self._operands = operands

    def __call__(self, arrays: list[NDArray[Any]], out: NDArray[Any]) -> None:
        each = iter(arrays)
        operands = [next(each) if isinstance(value, np.dtype) else value for value in self._operands]
        if self._fills:
            self._function(*operands, out=out)
        else:
            out[...] = self._function(*operands)


class UserFunction:
    """A function of the user's, which gets arrays of its own and gives one."""

    def __init__(
        self, function: Callable[..., Any], dtypes: Sequence[np.dtype[Any]], out_dtype: np.dtype[Any] | None
    ) -> None:
        self.dtypes = dtypes
        self._function = function
        self._cast = out_dtype is not None
        self.dtype = out_dtype if out_dtype is not None else _learn(function, dtypes)

    def __call__(self, arrays: list[NDArray[Any]], out: NDArray[Any]) -> None:
        # Copies: what the function keeps of them must not be memory of the library's.
        result = np.asarray(self._function(*[array.copy() for array in arrays]))
        if result.ndim != 1 or len(result) != len(out):
            raise ValueError(
                f"the function of apply() must return a 1-D array of as many values as it gets, {len(out)}; "
                f"got shape {result.shape}"
            )
        if not self._cast and result.dtype != self.dtype:
            raise ValueError(
                f"the function of apply() returned dtype {result.dtype}, but {self.dtype} for no rows; "
                "give out_dtype to have its results cast"
            )
        out[...] = result.astype(self.dtype, copy=False)


def _learn(function: Callable[..., Any], dtypes: Sequence[np.dtype[Any]]) -> np.dtype[Any]:
    try:
        with np.errstate(all="ignore"):
            result = np.asarray(function(*[np.empty(0, dtype) for dtype in dtypes]))
    except Exception as error:
        raise TypeError(
            f"the function of apply() failed for arrays without values, by which its dtype is learnt: "
            f"{type(error).__name__}: {error}; give out_dtype"
        ) from error
    if result.ndim != 1 or result.dtype.kind not in STORABLE_KINDS:
        raise TypeError(
            f"the function of apply() must return a 1-D array of a dtype that a column can hold; got {result.dtype} in "
            f"{result.ndim} dimensions; return such an array, or give out_dtype"
        )
    return result.dtype


def through_numpy(function: Operation | UserFunction, args: Sequence[Any]) -> Expr:
    """The expression that the function computes of those of `args` that are expressions."""
    return call_back(function, [arg for arg in args if isinstance(arg, Expr)])


def _name(function: Any) -> str:
    return getattr(function, "__name__", str(function))
