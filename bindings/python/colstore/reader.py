"""`ColStoreReader`: one open `.cstore` file."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from ._native.table import Table
from .base import ColumnStore
from .options import DEFAULT_MADVISE, ReaderOptions
from .paths import path_text

if TYPE_CHECKING:
    from pathlib import Path

    from .paths import StrPath


class ColStoreReader(ColumnStore):
    """One open `.cstore` file: its columns as NumPy arrays, its rows as records, or the whole as a DataFrame.

    Opening reads the headers only; what describes the columns is made when first asked for. Methods may be called
    from many threads at once. After `close`, reading raises `ValueError`, while the names, dtypes and counts stay
    available, and so do arrays that were lent without a copy.

    `backend`: `"cpp"` reads with several threads, `"numpy"` with one; the results are equal.
    `max_workers`: the most threads that a read uses. `madvise`, `mlock`: hints for the operating system; `mlock`
    asks it to keep the file in memory. What is not given comes from `colstore.config`.
    """

    def __init__(
        self,
        path: StrPath,
        *,
        madvise: str | None = DEFAULT_MADVISE,
        mlock: bool = False,
        backend: str | None = None,
        max_workers: int | None = None,
    ) -> None:
        options = ReaderOptions(madvise, mlock, backend, max_workers)
        text = path_text(path)
        super().__init__()
        table = Table.open(text, options.opening)
        self._path = text
        self._backend = options.backend
        self._max_workers = options.max_workers
        self._options = options.reading
        self._n_rows = table.n_rows
        self._file_ends = [table.n_rows]
        self._table = table

    @property
    def path(self) -> Path:
        """The path as it was given."""
        from pathlib import Path

        return Path(self._path)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths of all files: one."""
        return (self.path,)

    @property
    def backend(self) -> str:
        """`"cpp"` or `"numpy"`."""
        return self._backend

    @property
    def max_workers(self) -> int:
        """The most threads that a read uses."""
        if self._max_workers is not None:
            return self._max_workers
        from .config import get_max_workers

        return get_max_workers()

    def __repr__(self) -> str:
        return self._repr(f"path={os.path.basename(self._path)!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        backend = None if self._backend == "cpp" else self._backend
        return (partial(type(self), backend=backend, max_workers=self._max_workers), (self._path,))

    def _name(self) -> str:
        return repr(self._path)
