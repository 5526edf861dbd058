"""Files of made-up columns, in one record or in several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from ..columns import columns_of
from ..reader import ColStoreReader
from ..writer import ColStoreWriter
from .columns import make_columns

if TYPE_CHECKING:
    from ..paths import StrPath


def uniform_record_rows(total: int, records: int) -> list[int]:
    """`total` rows cut into `records` equal parts; the last also has what remains."""
    if records < 1:
        raise ValueError(f"records must be >= 1; got {records}")
    if total < 0:
        raise ValueError(f"total must be >= 0; got {total}")
    part = total // records
    return [part] * (records - 1) + [total - part * (records - 1)]


def write_columns(path: StrPath, columns: Mapping[str, Any], *, records: int | Sequence[int] = 1) -> ColStoreReader:
    """Write `columns` to a new file at `path`, and open it.

    `records`: into how many records the rows are cut, or the number of rows of each. Raises `ValueError`, before
    anything is written, for no columns, columns of unequal length, or numbers of rows that do not add up to theirs; and
    `FileExistsError` if there is something at `path`.
    """
    arrays = columns_of(columns)
    total = len(arrays[0][1])
    counts = _record_rows(total, records)
    writer = ColStoreWriter(path, "create")
    try:
        start = 0
        for count in counts:
            writer.write({name: array[start : start + count] for name, array in arrays})
            start += count
    except BaseException:
        writer._abandon()
        raise
    writer.close()
    return ColStoreReader(path)


def make_store(
    path: StrPath,
    *,
    rows: int,
    cols: int = 1,
    records: int | Sequence[int] = 1,
    dtype: str | Sequence[str] = "float64",
    seed: int = 0,
) -> ColStoreReader:
    """Columns by :func:`make_columns` in a file by :func:`write_columns`."""
    return write_columns(path, make_columns(rows, cols, dtype=dtype, seed=seed), records=records)


def _record_rows(total: int, records: int | Sequence[int]) -> list[int]:
    if isinstance(records, (int, np.integer)):
        return uniform_record_rows(total, int(records))
    counts = [index(count) for count in records]
    if any(count < 0 for count in counts):
        raise ValueError(f"records must not have negative numbers of rows; got {counts}")
    if not counts or sum(counts) != total:
        raise ValueError(f"records must add up to the {total} rows of the columns; got {sum(counts)}")
    return counts
