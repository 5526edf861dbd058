"""`ColumnView`: rows of one column, read when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .lending import lend_array
from .materialise import read_array, read_row
from .operators import ArrayOperators
from .reductions import ColumnReductions
from .selection import PARSED, count_rows, evaluated, is_pending, parse_rows, rows_among

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from ._render import Preview
    from .base import ColumnStore
    from .frame import ColStoreFrame
    from .selection import ViewRows


class ColumnView(ArrayOperators, ColumnReductions):
    """Rows of one column of an open reader or dataset, made by indexing it.

    Nothing is read until values are asked for: by `array`, a reduction, a preview, or any use as an array.
    Operators and NumPy functions read the selected rows and give ordinary arrays.
    """

    __slots__ = ("_column", "_rows", "_store")

    # Otherwise Python would iterate by indexing, and never come to an end.
    __iter__ = None

    def __init__(self, store: ColumnStore, rows: Any, column: str) -> None:
        self._store = store
        self._rows: ViewRows = rows if type(rows) in PARSED else parse_rows(rows, store)
        self._column = column

    @property
    def column(self) -> str:
        """The name of the column."""
        return self._column

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the values."""
        store = self._store
        return store._dtypes[store._position(self._column)]

    def count(self) -> int:
        """The number of rows."""
        return count_rows(self._rows, self._store._n_rows)

    def array(self, copy: bool = True) -> NDArray[Any]:
        """The values as a 1-D array.

        With `copy=False` it is read-only and aliases the mapped file; `ValueError` if that is impossible, because
        the rows were selected one by one, or are not all in one file and record, or need conversion.
        """
        rows = self._rows
        if copy and type(rows) is int:
            return read_row(self._store, self._column, rows)
        return (read_array if copy else lend_array)(self._store, self._column, rows)

    def isin(self, values: object) -> NDArray[np.bool_]:
        """Which of the values occur in `values`: a scalar, list, tuple, set, array or another view."""
        if isinstance(values, (set, frozenset)):
            values = list(values)
        return np.isin(self.array(), np.asarray(values))

    def evaluate(self) -> ColumnView:
        """The same rows, found and fixed: a condition is not looked at again."""
        store = self._store
        rows = evaluated(self._rows, store._n_rows)
        return self if rows is self._rows else ColumnView(store, rows, self._column)

    def edit(self) -> ColStoreFrame:
        """A frame of these rows and this column, to compute others from."""
        from .frame import ColStoreFrame

        return ColStoreFrame(self._store, [self._column], self._rows)

    def head(self, n: int | None = None) -> Preview:
        """The first `n` rows, ready to be shown; `None` for as many as `config` says."""
        from ._render import preview_column

        return preview_column(self, n)

    def tail(self, n: int | None = None) -> Preview:
        """The last `n` rows, ready to be shown; `None` for as many as `config` says."""
        from ._render import preview_column

        return preview_column(self, n, tail=True)

    def __getitem__(self, key: Any) -> ColumnView:
        store = self._store
        return ColumnView(store, rows_among(store, self._rows, key), self._column)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        wanted = None if dtype is None else np.dtype(dtype)
        if copy is False:
            if wanted is not None and wanted != self.dtype:
                raise ValueError(
                    f"column {self._column!r} of dtype {self.dtype} as {wanted} requires a copy; "
                    "leave out dtype or copy=False"
                )
            return self.array(copy=False)
        values = self.array()
        return values if wanted is None else values.astype(wanted, copy=False)

    def __repr__(self) -> str:
        from ._render import view_text

        return view_text(self, self.head, [self._column], is_pending(self._rows))

    def _repr_html_(self) -> str | None:
        from ._render import view_html

        return view_html(self, self.head, [self._column], is_pending(self._rows))
