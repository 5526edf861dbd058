"""`concat`: many files end to end, as a dataset or in one new file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from ._native.copying import write_table
from ._native.store import RECREATE
from .dataset import ColStoreDataset
from .options import ReaderOptions
from .paths import path_text
from .progress import watch_copy
from .reader import ColStoreReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .base import ColumnStore
    from .paths import StrPath

    Sources = StrPath | ColumnStore | Sequence[StrPath | ColumnStore] | None


@overload
def concat(
    sources: Sources,
    *,
    out: None = None,
    memory_budget: int | None = None,
    on_mismatch: str = "strict",
    statistics: bool = False,
    **reader_kwargs: Any,
) -> ColStoreDataset: ...


@overload
def concat(
    sources: Sources,
    *,
    out: StrPath,
    memory_budget: int | None = None,
    on_mismatch: str = "strict",
    statistics: bool = False,
    **reader_kwargs: Any,
) -> ColStoreReader: ...


def concat(
    sources: Sources,
    *,
    out: StrPath | None = None,
    memory_budget: int | None = None,
    on_mismatch: str = "strict",
    statistics: bool = False,
    **reader_kwargs: Any,
) -> ColStoreReader | ColStoreDataset:
    """Put the rows of many files end to end: as a dataset, or in a new file of one record at `out`.

    `sources` and `on_mismatch` are those of :class:`ColStoreDataset`; readers and datasets that are handed in stay
    open. Without `out`, this is that dataset. With it, all rows are written to `out`, which replaces any file that is there
    when it is complete and on the disk, and the reader of it is returned.

    `memory_budget`: accepted and checked; copying takes a few MiB a thread in any case.
    `statistics`: also record the smallest and largest value of each column in `out`.
    The other keywords are those of :class:`ColStoreReader`, for the sources that are opened here and for `out`.

    Raises `ValueError` if the columns do not agree, if there is no source with columns to be written, or if `out` is
    one of the sources by whatever path or link. Whatever fails, or Ctrl-C, leaves `out` as it was and nothing beside it.
    """
    if memory_budget is not None and int(memory_budget) < 1:
        raise ValueError(f"memory_budget must be at least 1 byte; got {memory_budget}")
    if out is None:
        return ColStoreDataset(sources, on_mismatch=on_mismatch, **reader_kwargs)
    text = path_text(out)
    max_threads = ReaderOptions(**reader_kwargs).max_workers or 0
    with ColStoreDataset(sources, on_mismatch=on_mismatch, **reader_kwargs) as dataset:
        n_bytes = dataset.n_rows * sum(dtype.itemsize for dtype in dataset.dtypes.values())
        with watch_copy(n_bytes, True, "concat") as progress:
            write_table(
                dataset._open_table(),
                text,
                mode=RECREATE,
                statistics=bool(statistics),
                max_threads=max_threads,
                progress=progress,
            )
    return ColStoreReader(text, **reader_kwargs)
