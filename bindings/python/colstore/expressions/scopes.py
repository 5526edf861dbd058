"""Where the names of an expression are looked up, and dtypes asked for: in a table, a frame, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from .._native import expr as native
from .._native.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from .._native.expr import Expr
    from .._native.frame import Frame
    from .._native.table import Table


class Scope(Protocol):
    """What an expression is over."""

    def column(self, name: str) -> Expr:
        """The column of a name."""

    def dtype(self, value: Expr) -> np.dtype[Any]:
        """The dtype of the values of an expression."""


class TableScope:
    """The columns of a reader or dataset, for conditions."""

    def __init__(self, table: Table, known: Collection[str]) -> None:
        self._table = table
        self._known = known

    def column(self, name: str) -> Expr:
        """The column by its name."""
        if name not in self._known:
            raise QueryError(f"unknown column {name!r}; there are: {', '.join(list(self._known)[:20])}")
        return native.column(name)

    def dtype(self, value: Expr) -> np.dtype[Any]:
        """The dtype of the values of an expression."""
        return np.dtype(native.check(value, self._table, False))


class ExpressionScope:
    """No names: what an expression holds itself."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def column(self, name: str) -> Expr:
        """Not met: only `col()` has names."""
        raise QueryError(f"unknown column {name!r}")

    def dtype(self, value: Expr) -> np.dtype[Any]:
        """The dtype of the values of an expression."""
        return np.dtype(self._frame.dtype(value))


class FrameScope(ExpressionScope):
    """The columns that a frame has now: for values of new columns, or with `condition` for cuts."""

    def __init__(self, frame: Frame, known: Collection[str], condition: bool) -> None:
        super().__init__(frame)
        self._known = known
        self._condition = condition

    def column(self, name: str) -> Expr:
        """The column itself."""
        if name in self._known:
            return self._frame.column(name)
        there = f"there are: {', '.join(list(self._known)[:20])}"
        if self._condition:
            raise QueryError(f"unknown column {name!r} in a condition on this frame; {there}")
        raise KeyError(f"{name!r} is not a column of this frame; {there}")
