"""Batches: the rows of a frame as a sequence of frames in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import config
from ._native.frame import Frame
from ._native.rows import INDEX_TYPES, Rows
from .dtypes import address, empty_column
from .lending import lend_array
from .selection import Located, Selection, locate
from .sizes import parse_byte_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from .frame import ColStoreFrame


def batches(frame: ColStoreFrame, batch_size: int | str | None, copy: bool) -> Iterator[ColStoreFrame]:
    """Frames over the rows that the cuts of `frame` leave, in order."""
    # What it is now: edits meanwhile do not show.
    frame = frame.copy()
    known, dtypes = frame._describe()
    names = list(known)
    rows = rows_of_batch(batch_size, sum(dtype.itemsize for dtype in dtypes))
    count = frame.n_rows
    if not names or not count:
        return
    lent = {} if copy else _lent(frame)
    read = [(name, dtype) for name, dtype in zip(names, dtypes) if name not in lent]
    buffers: dict[str, NDArray[Any]] = {}
    if not copy:
        buffers = {name: empty_column(min(rows, count), dtype) for name, dtype in read}
    for start in range(0, count, rows):
        stop = min(start + rows, count)
        if copy:
            outs = {name: empty_column(stop - start, dtype) for name, dtype in read}
        else:
            outs = {name: buffer[: stop - start] for name, buffer in buffers.items()}
        frame._read(list(outs), start, stop, outs)
        columns = {name: lent[name][start:stop] if name in lent else outs[name] for name in names}
        yield in_memory(frame, columns, stop - start, not copy)


def rows_of_batch(batch_size: Any, row_bytes: int) -> int:
    """The number of rows in a batch; `TypeError` or `ValueError` for what is no size."""
    if batch_size is None:
        return max(1, config.get_default_memory_budget() // max(1, row_bytes))
    if isinstance(batch_size, str):
        return max(1, parse_byte_size(batch_size) // max(1, row_bytes))
    if isinstance(batch_size, bool) or not isinstance(batch_size, int):
        raise TypeError(f"batch_size must be None, int or str; got {type(batch_size).__name__}")
    if batch_size < 1:
        raise ValueError(f"batch_size must be positive; got {batch_size}")
    return batch_size


def in_memory(frame: ColStoreFrame, columns: dict[str, NDArray[Any]], n_rows: int, lend: bool) -> ColStoreFrame:
    """A frame of these columns that has no selection of rows; with `lend`, it gives them out as they are."""
    table = frame._store._open_table()
    # Rows of the table are needed for their number only.
    if n_rows <= table.n_rows:
        base = Rows.range(table.n_rows, 0, n_rows, 1)
    else:
        zero = np.zeros(1, np.int64)
        base = Rows.indices(table.n_rows, address(zero), INDEX_TYPES["i", 8], n_rows, 0, zero)
    other = object.__new__(type(frame))
    other.__dict__.update(frame.__dict__)
    native = Frame.new(table, base)
    names = list(columns)
    values = [native.memory(column.dtype.str, column, address(column)) for column in columns.values()]
    native.assign(names, values)
    native.select(names)
    other._native = other._whole = native
    other._schema = None
    other._selected = False
    other._sources = dict(columns) if lend else {}
    other._constants = frozenset()
    return other


def _lent(frame: ColStoreFrame) -> dict[str, NDArray[Any]]:
    """The columns of a frame that lie in one piece in its file, in its rows."""
    arrays = {name: frame._lent(name) for name in frame._sources}
    if any(array is not None for array in arrays.values()):
        return {name: array for name, array in arrays.items() if array is not None}
    store, base = frame._store, frame._base
    n_rows = store._open_table().n_rows
    located = Located(n_rows, 0, 1) if base is None else locate(base, n_rows)
    if not frame._sources or located.gathered or located.step != 1 or located.count != frame.n_rows:
        return {}
    lent = {}
    for name, source in frame._sources.items():
        try:
            if isinstance(source, str):
                lent[name] = lend_array(store, source, Selection.of(located, n_rows))
        except ValueError:
            pass
    return lent
