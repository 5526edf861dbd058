"""`copy=False`: rows where they lie in the mapped file, or an error that says why not."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import numpy as np

from .selection import locate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._native.table import Table
    from .base import ColumnStore
    from .selection import Located, ViewRows


def lend_array(store: ColumnStore, name: str, rows: ViewRows) -> NDArray[Any]:
    """The selected rows of one column as a read-only array over the mapped file."""
    table = store._table or store._open_table()
    column = store._positions.get(name)
    if column is None:
        column = store._position(name)
    if rows is None:
        return _lend_whole(store, table, column).view()
    located = locate(rows, table.n_rows)
    if len(store._file_ends) > 1:
        _check_rows(store._file_ends, located)
        return _lend(store, table, column, located)
    whole = _lend_whole(store, table, column)
    if located.gathered:
        raise ValueError(_GATHERED)
    stop = located.start + located.count * located.step
    return whole[located.start : stop if stop >= 0 else None : located.step]


def lend_dict(store: ColumnStore, names: tuple[str, ...] | None, rows: ViewRows) -> dict[str, NDArray[Any]]:
    """All of these columns (`None`: every one), or none."""
    store._open_table()
    return {name: lend_array(store, name, rows) for name in (store.columns if names is None else names)}


def _lend_whole(store: ColumnStore, table: Table, column: int) -> NDArray[Any]:
    # What has been lent already is kept: making a view of it again costs next to nothing.
    lent = store._lent.get(column)
    if lent is None:
        if len(store._file_ends) > 1:
            raise ValueError(
                f"column {store._describe()[column].name!r} of {store._name()} is not contiguous in memory: its rows "
                f"lie in {len(store._file_ends)} files; use copy=True"
            )
        lent = _lend(store, table, column, None)
        store._lent[column] = lent
        if store._table is None:  # closed meanwhile
            store._lent.clear()
    return lent


def _check_rows(ends: list[int], located: Located) -> None:
    """`ValueError` unless the rows may lie side by side in one of several files."""
    if located.gathered:
        raise ValueError(_GATHERED)
    if located.count == 0:
        return
    if located.step < 0:
        raise ValueError("reversed rows of several files cannot be had without a copy; use copy=True")
    last = located.start + (located.count - 1) * located.step
    if bisect_right(ends, located.start) != bisect_right(ends, last):
        raise ValueError(
            f"the selection spans multiple files (rows {located.start} to {last} of {len(ends)} files) and cannot be "
            "had without a copy; use copy=True"
        )


def _lend(store: ColumnStore, table: Table, column: int, located: Located | None) -> NDArray[Any]:
    typestr = store._dtypes[column].str
    if located is None:
        view = table.view_column(column, 0, table.n_rows, None, typestr)
    elif located.step == 1:
        view = table.view_column(column, located.start, located.start + located.count, None, typestr)
    else:
        view = table.view_column(column, 0, 0, located.handle(table.n_rows), typestr)
    array: NDArray[Any] = np.asarray(view)
    if array.size == 0:
        array.flags.writeable = False  # NumPy forgets it where there is no address
    return array


_GATHERED = "fancy and boolean selections of rows are gathered and cannot be had without a copy; use copy=True"
