"""`TableView`: rows of several columns, read when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .column_view import ColumnView
from .lending import lend_array, lend_dict
from .materialise import read_array, read_dict, read_records
from .names import check_known, is_names, remaining_names, selected_names, split_key
from .selection import PARSED, count_rows, evaluated, is_pending, parse_rows, rows_among

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    import numpy as np
    import pandas as pd
    from numpy.typing import DTypeLike, NDArray

    from ._render import Preview
    from .base import ColumnStore
    from .frame import ColStoreFrame
    from .selection import ViewRows

    Columns: TypeAlias = dict[str, NDArray[Any]]


class TableView:
    """Rows and columns of an open reader or dataset, made by indexing it. Nothing is read until it is asked for."""

    __slots__ = ("_names", "_rows", "_store")

    # Otherwise Python would iterate by indexing with row numbers.
    __iter__ = None

    def __init__(self, store: ColumnStore, rows: Any, columns: Sequence[str] | None = None) -> None:
        self._store = store
        self._rows: ViewRows = rows if type(rows) in PARSED else parse_rows(rows, store)
        # `None`: all that the store has.
        self._names = None if columns is None else tuple(columns)

    @property
    def columns(self) -> list[str]:
        """The names of the columns in the order of the view."""
        return self._store.columns if self._names is None else list(self._names)

    @property
    def dtypes(self) -> dict[str, np.dtype[Any]]:
        """The dtype of each column."""
        store = self._store
        return {name: store._dtypes[store._position(name)] for name in self.columns}

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.columns)

    def count(self) -> int:
        """The number of rows."""
        return count_rows(self._rows, self._store._n_rows)

    # -------------------------------------------------------------------------------------- selecting

    def select(self, *names: str) -> TableView:
        """These columns, in the order given. `KeyError` for an unknown, `ValueError` for a double one."""
        return TableView(self._store, self._rows, selected_names(names, dict.fromkeys(self.columns), _WHERE))

    def drop(self, *names: str) -> TableView:
        """The other columns."""
        return TableView(self._store, self._rows, remaining_names(names, dict.fromkeys(self.columns), _WHERE))

    def __getitem__(self, key: Any) -> Any:
        columns: str | tuple[str, ...] | None
        if isinstance(key, str) or is_names(key):
            rows, columns = self._rows, key if isinstance(key, str) else tuple(key)
        else:
            selector, columns = split_key(key) if isinstance(key, tuple) else (key, None)
            rows = rows_among(self._store, self._rows, selector)
        if columns is None:
            return TableView(self._store, rows, self._names)
        if isinstance(columns, str):
            check_known([columns], self.columns, _WHERE)
            return ColumnView(self._store, rows, columns)
        check_known(columns, self.columns, _WHERE)
        return TableView(self._store, rows, columns)

    def evaluate(self) -> TableView:
        """The same rows, found and fixed: a condition is not looked at again."""
        store = self._store
        rows = evaluated(self._rows, store._n_rows)
        return self if rows is self._rows else TableView(store, rows, self._names)

    def edit(self) -> ColStoreFrame:
        """A frame of these rows and columns, to compute others from."""
        from .frame import ColStoreFrame

        return ColStoreFrame(self._store, self._names, self._rows)

    def head(self, n: int | None = None) -> Preview:
        """The first `n` rows, ready to be shown; `None` for as many as `config` says."""
        from ._render import preview_table

        return preview_table(self, n)

    def tail(self, n: int | None = None) -> Preview:
        """The last `n` rows, ready to be shown; `None` for as many as `config` says."""
        from ._render import preview_table

        return preview_table(self, n, tail=True)

    # -------------------------------------------------------------------------------------- reading

    def array(self, name: str, copy: bool = True) -> NDArray[Any]:
        """The values of one column; `copy` as in :meth:`ColumnView.array`."""
        if self._names is not None:
            check_known([name], self._names, _WHERE)
        return (read_array if copy else lend_array)(self._store, name, self._rows)

    def dict(self, copy: bool = True) -> Columns:
        """Every column by name, in the order of the view; with `copy=False` all are lent, or none."""
        return (read_dict if copy else lend_dict)(self._store, self._names, self._rows)

    def recarray(self) -> NDArray[Any]:
        """The rows as a structured array: one packed field for each column."""
        return read_records(self._store, self._names, self._rows)

    def frame(self, copy: bool = True) -> pd.DataFrame:
        """Every column in a pandas `DataFrame` with a `RangeIndex`, one internal block for each column."""
        from .pandas_frame import build_frame, refuse_conversion

        if not copy:
            refuse_conversion(self.dtypes)
        return build_frame(self.dict(copy), self.count())

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        from .base import as_records

        return as_records(self.recarray, dtype, copy)

    def __repr__(self) -> str:
        from ._render import view_text

        return view_text(self, self.head, self.columns, is_pending(self._rows))

    def _repr_html_(self) -> str | None:
        from ._render import view_html

        return view_html(self, self.head, self.columns, is_pending(self._rows))


_WHERE = "this view"
