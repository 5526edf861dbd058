"""`FrameColumn`: one column of a frame, as an expression and as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import config
from .dtypes import address, empty_column
from .expressions import FrameExpression
from .expressions.nodes import Column, lower
from .expressions.scopes import ExpressionScope
from .reductions import ColumnReductions
from .warn_numbers import warn_met

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from ._native.structs import Scalar
    from .expressions import Expression
    from .frame import ColStoreFrame

_REDUCTIONS = {np.sum, np.mean, np.min, np.max, np.amin, np.amax, np.std, np.var}


class FrameReductions(ColumnReductions):
    """One number from the values of an expression, in the rows that a frame's cuts leave."""

    __slots__ = ("_column", "_frame", "_value")

    def __init__(self, frame: ColStoreFrame, value: Expression, text: str) -> None:
        self._frame = frame
        self._value = value
        self._column = text

    def _column_dtype(self) -> np.dtype[Any]:
        native = self._frame._open()
        return np.dtype(native.dtype(lower(self._value, ExpressionScope(native))))

    def _reduce(self, reduction: int, ddof: float = 0.0) -> Scalar:
        native = self._frame._open()
        value = lower(self._value, ExpressionScope(native))
        scalar, flags = native.reduce(value, reduction, ddof, self._frame._options or config.default_options)
        warn_met(flags)
        return scalar


class FrameColumn(FrameExpression):
    """A column of a frame, made by `frame[name]`: a part of expressions, or values.

    It stays this column whatever its name stands for later. `array` and the reductions see the rows that the cuts of
    the frame leave at that time.
    """

    __slots__ = ("_constant", "_frame", "_name", "_source")

    def __init__(self, frame: ColStoreFrame, name: str) -> None:
        super().__init__(Column(name), (), frame._whole, frame._native.column(name))
        self._frame = frame
        self._name = name
        # Whether it has one value for all rows.
        self._constant = name in frame._constants
        self._source = frame._lent(name)

    def __repr__(self) -> str:
        return f"<FrameColumn {self._name!r} of {self._frame!r}>"

    def count(self) -> int:
        """The number of rows that the cuts leave."""
        return self._frame.count()

    def array(self) -> NDArray[Any]:
        """The values in the rows that the cuts leave, in memory of their own."""
        frame = self._frame
        if self._source is not None and not frame._selected:
            return self._source
        native, options = frame._open(), frame._options or config.default_options
        assert self._made is not None  # it was when this was made
        count, flags = native.count(options)
        out = empty_column(count, np.dtype(native.dtype(self._made)))
        warn_met(flags | native.evaluate(self._made, False, options, address(out), out.nbytes))
        return out

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a column of a frame is computed, and cannot be had without copying; leave out copy=False")
        values = self.array()
        return values if dtype is None else values.astype(dtype, copy=False)

    def _call_function(self, function: Any, args: Any, kwargs: Any) -> Any:
        if function in _REDUCTIONS and args and args[0] is self:
            return getattr(self, function.__name__.removeprefix("a"))(*args[1:], **kwargs)
        return super()._call_function(function, args, kwargs)

    def _reductions(self) -> FrameReductions:
        return FrameReductions(self._frame, self, self._name)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """The sum: `int64` (wrapping) for bool and int, `uint64` for uint, `float64` for any float; 0 of no rows."""
        return self._reductions().sum(axis, dtype, out, **kwargs)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """The mean as `float64`; a plain NaN of no rows."""
        return self._reductions().mean(axis, dtype, out, **kwargs)

    def min(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """The least value, of the column's dtype; a plain NaN of no rows."""
        return self._reductions().min(axis, dtype, out, **kwargs)

    def max(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """The greatest value, of the column's dtype; a plain NaN of no rows."""
        return self._reductions().max(axis, dtype, out, **kwargs)

    def std(self, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, **kwargs: Any) -> float:
        """The standard deviation, as a plain float; NaN if there are not more than `ddof` rows."""
        return self._reductions().std(axis, dtype, out, ddof, **kwargs)

    def var(self, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, **kwargs: Any) -> float:
        """The variance, as a plain float; NaN if there are not more than `ddof` rows."""
        return self._reductions().var(axis, dtype, out, ddof, **kwargs)
