"""Reductions of a column view: one number from its rows, computed by the engine in bounded memory."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from . import config
from ._native import reductions as native
from .selection import locate

if TYPE_CHECKING:
    from ._native.structs import Scalar
    from .base import ColumnStore
    from .selection import ViewRows

_NUMERIC = "biuf"
_ORDERED = "biufMm"


class ColumnReductions:
    """`sum`, `mean`, `min`, `max`, `std` and `var` over the rows of a view.

    They take the parameters of NumPy's functions of that name, so that `np.sum(view)` works, but only the whole can
    be reduced (`axis` 0 or `None`), and `dtype`, `out`, `keepdims`, `where` and `initial` are `TypeError`.
    NaN and NaT propagate. Results do not depend on the number of threads.
    """

    __slots__ = ()

    _store: ColumnStore
    _rows: ViewRows
    _column: str

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """The sum: `int64` (wrapping) for bool and int, `uint64` for uint, `float64` for any float; 0 of no rows."""
        _refuse(axis, dtype, out, kwargs)
        kind = self._check_kind("sum", _NUMERIC)
        scalar = self._reduce(native.SUM)
        if kind == "f":
            return np.float64(scalar.float_value)
        return np.uint64(scalar.uint_value) if kind == "u" else np.int64(scalar.int_value)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """The mean as `float64`; a plain NaN of no rows."""
        _refuse(axis, dtype, out, kwargs)
        self._check_kind("mean", _NUMERIC)
        scalar = self._reduce(native.MEAN)
        return np.float64(scalar.float_value) if scalar.kind else nan

    def min(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """The least value, of the column's dtype; a plain NaN of no rows."""
        return self._extreme("min", native.MIN, axis, dtype, out, kwargs)

    def max(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """The greatest value, of the column's dtype; a plain NaN of no rows."""
        return self._extreme("max", native.MAX, axis, dtype, out, kwargs)

    def std(self, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, **kwargs: Any) -> float:
        """The standard deviation, as a plain float; NaN if there are not more than `ddof` rows."""
        return self._spread("std", native.STD, axis, dtype, out, ddof, kwargs)

    def var(self, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, **kwargs: Any) -> float:
        """The variance, as a plain float; NaN if there are not more than `ddof` rows."""
        return self._spread("var", native.VAR, axis, dtype, out, ddof, kwargs)

    def _extreme(self, name: str, reduction: int, axis: Any, dtype: Any, out: Any, kwargs: dict[str, Any]) -> Any:
        _refuse(axis, dtype, out, kwargs)
        self._check_kind(name, _ORDERED)
        scalar = self._reduce(reduction)
        return _as_column_value(scalar, self._column_dtype()) if scalar.kind else nan

    def _spread(
        self, name: str, reduction: int, axis: Any, dtype: Any, out: Any, ddof: float, kwargs: dict[str, Any]
    ) -> float:
        _refuse(axis, dtype, out, kwargs)
        self._check_kind(name, _NUMERIC)
        scalar = self._reduce(reduction, float(ddof))
        return float(scalar.float_value) if scalar.kind else nan

    def _column_dtype(self) -> np.dtype[Any]:
        store = self._store
        return store._dtypes[store._position(self._column)]

    def _check_kind(self, name: str, kinds: str) -> str:
        dtype = self._column_dtype()
        if dtype.kind not in kinds:
            needed = "numeric or datetime" if kinds == _ORDERED else "numeric"
            raise TypeError(f"{name}() needs a {needed} column; column {self._column!r} has dtype {dtype}")
        return dtype.kind

    def _reduce(self, reduction: int, ddof: float = 0.0) -> Scalar:
        store = self._store
        table = store._table or store._open_table()
        column, n_rows = store._position(self._column), table.n_rows
        rows = None if self._rows is None else locate(self._rows, n_rows).handle(n_rows)
        return table.reduce(column, rows, reduction, ddof, store._options or config.default_options)


def _refuse(axis: Any, dtype: Any, out: Any, kwargs: dict[str, Any]) -> None:
    refused = list(kwargs)
    if axis is not None and axis != 0:
        refused.insert(0, "axis (other than 0)")
    refused += [name for name, value in (("dtype", dtype), ("out", out)) if value is not None]
    if refused:
        raise TypeError(
            f"a column is reduced over all its rows to one number, without {', '.join(refused)}; "
            "reduce the values, .array(), with NumPy for that"
        )


def _as_column_value(scalar: Scalar, dtype: np.dtype[Any]) -> Any:
    kind = dtype.kind
    if kind in "Mm":
        return np.int64(scalar.int_value).view(dtype)
    if kind == "f":
        return dtype.type(scalar.float_value)
    if kind == "i":
        return dtype.type(scalar.int_value)
    return dtype.type(scalar.uint_value)
