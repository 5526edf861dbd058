"""`Preview`: the first or last rows of something, as NumPy data that shows itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import config
from ..materialise import read_array, read_records
from ..selection import Located, Selection, locate
from ..user_warning import warn_user
from .cells import format_cells
from .html import LISTED, html_table, lazy_html
from .text import text_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike, NDArray

    from ..base import ColumnStore
    from ..column_view import ColumnView
    from ..selection import ViewRows
    from ..table_view import TableView


class Preview:
    """Some rows, in memory. It behaves like its NumPy data, `values`, and shows itself as a table.

    `values` is a 1-D array for one column, otherwise a structured array with a field for each.
    """

    def __init__(
        self,
        values: NDArray[Any],
        names: Sequence[str],
        labels: NDArray[np.int64],
        owner: str,
        total_rows: int | None = None,
    ) -> None:
        self.values = values
        self._names = list(names)
        # The numbers of the rows in their source.
        self._labels = labels
        self._owner = owner
        self._total_rows = total_rows

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "values":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.values, name)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            return np.asarray(self.values, dtype)
        return np.array(self.values, dtype) if copy else np.asarray(self.values, dtype)

    def __eq__(self, other: object) -> Any:
        return self.values == (other.values if isinstance(other, Preview) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        n_rows, n_columns = len(self.values), len(self._names)
        if n_rows == 0:
            return f"[{self._owner}: empty, {n_columns} columns]"
        footer = f"[{self._owner}: showing {n_rows} rows x {n_columns} columns]"
        return text_table(self._label_cells(), self._names, self._cells(), footer)

    def _repr_html_(self) -> str:
        facts = [f"{len(self._names)} columns", f"showing {len(self.values)}"]
        if self._total_rows is not None:
            facts[0] = f"{self._total_rows} rows \N{MULTIPLICATION SIGN} {facts[0]}"
        return html_table(self._owner, facts, self._label_cells(), self._names, self._cells())

    def _label_cells(self) -> list[str]:
        return [str(label) for label in self._labels.tolist()]

    def _cells(self) -> list[list[str]]:
        precision = config.get_preview_precision()
        fields = [self.values] if self.values.dtype.names is None else map(self.values.__getitem__, self._names)
        return [format_cells(field, precision) for field in fields]


def preview_store(store: ColumnStore, n: int | None, tail: bool = False) -> Preview:
    """Rows of a whole reader or dataset."""
    return _preview(store, type(store).__name__, None, store.columns, n, tail)


def preview_table(view: TableView, n: int | None, tail: bool = False) -> Preview:
    """Rows of a view of several columns."""
    return _preview(view._store, type(view).__name__, view._rows, view.columns, n, tail)


def preview_column(view: ColumnView, n: int | None, tail: bool = False) -> Preview:
    """Rows of a view of one column."""
    return _preview(view._store, type(view).__name__, view._rows, view._column, n, tail)


def store_html(store: ColumnStore) -> str | None:
    """The table that a notebook shows for a reader or dataset; `None` if it cannot be had."""
    try:
        preview = preview_store(store, None)
        preview._total_rows = store.n_rows
        return preview._repr_html_()
    except Exception:
        return None


def view_html(view: object, head: Callable[[], Preview], names: Sequence[str], pending: bool) -> str | None:
    """The table that a notebook shows for a view; `None` if it cannot be had."""
    try:
        if pending:
            return lazy_html(type(view).__name__, names)
        return head()._repr_html_()
    except Exception:
        return None


def view_text(view: object, head: Callable[[], Preview], names: Sequence[str], pending: bool) -> str:
    """What a view shows at a prompt; its kind and number of columns if its rows cannot be had."""
    n = len(names)
    columns = f"{n} column{'' if n == 1 else 's'}"
    if pending:
        listed = ", ".join(names[:LISTED]) + (", ..." if n > LISTED else "")
        text = f"{type(view).__name__}: lazy selection, {columns} [{listed}]\n.head() or .evaluate() looks for the rows"
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    try:
        return repr(head())
    except Exception:
        return f"<{type(view).__name__}: {columns}>"


def _preview(
    store: ColumnStore, owner: str, rows: ViewRows, names: Sequence[str] | str, n: int | None, tail: bool
) -> Preview:
    table = store._open_table()
    n_rows = table.n_rows
    located = Located(n_rows, 0, 1) if rows is None else locate(rows, n_rows)
    wanted = min(max(0, config.get_preview_rows() if n is None else n), located.count)
    start = located.count - wanted if tail else 0
    part = Located(wanted, start, 1).among(located, n_rows)
    columns = [names] if isinstance(names, str) else list(names)
    _guard(store, columns, wanted)
    shown = Selection.of(part, n_rows)
    values = read_array(store, names, shown) if isinstance(names, str) else read_records(store, tuple(columns), shown)
    return Preview(values, columns, part.numbers(n_rows), owner)


def _guard(store: ColumnStore, columns: Sequence[str], n_rows: int) -> None:
    limit = config.get_preview_memory_limit()
    n_bytes = n_rows * sum(store._dtypes[store._position(name)].itemsize for name in columns)
    if 0 < limit < n_bytes:
        warn_user(
            f"this preview will materialize {n_bytes:,} bytes; ask for fewer rows, or raise "
            "colstore.config.set_preview_memory_limit()",
            UserWarning,
        )
