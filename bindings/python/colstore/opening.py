"""`open`: from a path to a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .reader import ColStoreReader

if TYPE_CHECKING:
    from .paths import StrPath


def open(path: StrPath, *, on_mismatch: str = "strict", **reader_kwargs: Any) -> ColStoreReader:
    """Open the `.cstore` file at `path` (any extension will do).

    `on_mismatch` says what to do when several files disagree on their columns; one file cannot.
    The other keywords are those of :class:`ColStoreReader`.

    Raises `FileNotFoundError` if there is no such file, `FormatError` if its bytes are no valid `.cstore`,
    `TypeError` if `path` is neither `str` nor `os.PathLike[str]`, or for an unknown keyword.
    """
    return ColStoreReader(path, **reader_kwargs)
