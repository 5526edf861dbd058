"""`open`: from paths to a reader or a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .paths import is_pattern, path_text
from .reader import ColStoreReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .base import ColumnStore
    from .dataset import ColStoreDataset
    from .paths import StrPath


def open(
    path: StrPath | ColumnStore | Sequence[StrPath | ColumnStore] | None,
    *,
    on_mismatch: str = "strict",
    **reader_kwargs: Any,
) -> ColStoreReader | ColStoreDataset:
    """Open one `.cstore` file (any extension will do), or many as one table.

    A path of a file gives a :class:`ColStoreReader`. These give a :class:`ColStoreDataset`: a `str` with one of
    `* ? [` in it, for the files that match; a directory, for the `*.cstore` in it; a list or tuple of any of these;
    an open reader or dataset, which stays its owner's; `None`, for no files. Files are taken in natural order:
    `run_2` before `run_10`.

    `on_mismatch` says what to do when several files disagree on their columns: `"strict"` raises, `"drop"` leaves
    such columns out. The other keywords are those of :class:`ColStoreReader`.

    Raises `FileNotFoundError` if there is no such file, or no file matches; `FormatError` if the bytes of a file are
    no valid `.cstore`; `TypeError` for a `path` of another type, or an unknown keyword.
    """
    if not isinstance(path, (list, tuple)) and path is not None:
        try:
            text = path_text(path)
        except TypeError:
            pass  # a reader or a dataset, or nothing that can be opened
        else:
            if not (isinstance(path, str) and is_pattern(path)):
                try:
                    return ColStoreReader(text, **reader_kwargs)
                except OSError:
                    from os.path import isdir

                    if not isdir(text):
                        raise
    from .dataset import ColStoreDataset

    return ColStoreDataset(path, on_mismatch=on_mismatch, **reader_kwargs)
