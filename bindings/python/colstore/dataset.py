"""`ColStoreDataset`: many files as one table."""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from os.path import isdir
from typing import TYPE_CHECKING, Any

from ._native.names import expand_path
from ._native.table import Table
from .base import ColumnStore
from .options import ReaderOptions
from .paths import is_pattern, path_text
from .reader import ColStoreReader
from .user_warning import warn_user

if TYPE_CHECKING:
    from pathlib import Path

_ON_MISMATCH = ("strict", "drop")


class _Files:
    """Tables to be joined, and of each of their files the path and the number of rows."""

    def __init__(self, options: ReaderOptions) -> None:
        self.options = options
        self.tables: list[Table] = []
        self.paths: list[str] = []
        self.rows: list[int] = []
        #: Backend, most threads and options of reads of the first file: a dataset is read like it.
        self.reading: tuple[str, int | None, Any] = (options.backend, options.max_workers, options.reading)

    def add(self, source: object) -> None:
        """Add what a source stands for; paths are opened."""
        if isinstance(source, (list, tuple)):
            for part in source:
                self.add(part)
        elif isinstance(source, ColumnStore):
            self._borrow(source)
        else:
            try:
                text = path_text(source)
            except TypeError:
                raise TypeError(
                    "a dataset accepts a path, a pattern, a directory, an open reader or dataset, or a list of these; "
                    f"got {type(source).__name__}"
                ) from None
            for path in _expand(text, isinstance(source, str)):
                table = Table.open(path, self.options.opening)
                self.tables.append(table)
                self.paths.append(path)
                self.rows.append(table.n_rows)

    def _borrow(self, store: ColumnStore) -> None:
        table = store._open_table()
        if store._file_ends:
            if not self.tables:
                self.reading = (store.backend, store._max_workers, store._options)
            # Shared, not taken over: the owner may close it, and so may we.
            self.tables.append(table)
            self.paths += _paths_of(store)
            ends = store._file_ends
            self.rows += [end - start for start, end in zip([0, *ends], ends)]


class ColStoreDataset(ColumnStore):
    """Many files as one table: their rows end to end, read like those of a single one.

    `sources`: a path, a pattern (`str` with one of `* ? [`), a directory, an open reader or dataset, a list or tuple
    of these, or `None` for no files. What is opened here is closed with the dataset; readers and datasets that are
    handed in stay open.

    All files must have the same columns, in any order; that of the first counts. With `on_mismatch="drop"`, columns
    that are not in every file with the same dtype are left out, with a warning. The other keywords are those of
    :class:`ColStoreReader`.
    """

    def __init__(self, sources: object = None, *, on_mismatch: str = "strict", **reader_kwargs: Any) -> None:
        if on_mismatch not in _ON_MISMATCH:
            raise ValueError(f"on_mismatch must be 'strict' or 'drop'; got {on_mismatch!r}")
        options = ReaderOptions(**reader_kwargs)
        super().__init__()
        self._drop = on_mismatch == "drop"
        self._keywords = reader_kwargs
        self._backend: str | None = None
        self._max_workers: int | None = None
        self._options = None
        self._paths: list[str] = []
        self._file_ends = []
        self._n_rows = 0
        files = _Files(options)
        if sources is not None:
            files.add(sources)
        self._table, dropped = Table.concat(files.tables, self._drop)
        self._adopt(files)
        self._warn(dropped)

    # -------------------------------------------------------------------------------------- description

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths of all files in order."""
        from pathlib import Path

        return tuple(map(Path, self._paths))

    @property
    def backend(self) -> str:
        """`"cpp"` or `"numpy"`."""
        from .config import get_default_backend

        return self._backend or get_default_backend()

    @property
    def max_workers(self) -> int:
        """The most threads that a read uses."""
        from .config import get_max_workers

        return get_max_workers() if self._max_workers is None else self._max_workers

    @property
    def needs_compaction(self) -> bool:
        """Whether the rows are spread over more than one file or record."""
        return len(self._file_ends) > 1 or self._n_records > 1

    def __repr__(self) -> str:
        return self._repr(f"files={len(self._file_ends)}")

    def __reduce__(self) -> tuple[Any, ...]:
        # As literal paths: a file's name may look like a pattern.
        mismatch = "drop" if self._drop else "strict"
        return (partial(type(self), on_mismatch=mismatch, **self._keywords), (list(self.paths),))

    # -------------------------------------------------------------------------------------- growing

    def append(self, source: object, **reader_kwargs: Any) -> ColStoreDataset:
        """Add files at the end, and return the dataset itself.

        `source` and the keywords are those of the constructor. If it fails, nothing has changed. Views made before
        see the longer table; do not append while another thread reads.
        """
        table = self._open_table()
        files = _Files(ReaderOptions(**{**self._keywords, **reader_kwargs}))
        files.add(source)
        if files.tables:
            tables = [table, *files.tables] if self._file_ends else files.tables
            self._table, dropped = Table.concat(tables, self._drop)
            self._columns = self._schema_handle = None
            self._positions = {}
            self._lent.clear()
            self._spares = {}
            self._plans = {}
            self._adopt(files)
            self._warn(dropped)
        return self

    def __ior__(self, other: object) -> ColStoreDataset:
        if not isinstance(other, ColumnStore):
            raise TypeError(
                f"Unsupported operand for |=: a dataset takes a reader or a dataset, not {type(other).__name__}; "
                "use append() for paths"
            )
        return self.append(other)

    # -------------------------------------------------------------------------------------- inside

    def _adopt(self, files: _Files) -> None:
        table = self._open_table()
        if not self._file_ends and files.tables:
            self._backend, self._max_workers, self._options = files.reading
        total = self._file_ends[-1] if self._file_ends else 0
        self._paths += files.paths
        self._file_ends += [total + end for end in accumulate(files.rows)]
        self._n_records = table.n_records()
        self._n_rows = table.n_rows

    def _warn(self, dropped: list[str]) -> None:
        if dropped:
            warn_user(
                f"dropped column{'s' if len(dropped) > 1 else ''} that not all files have with the same dtype: "
                f"{', '.join(map(repr, dropped))}",
                RuntimeWarning,
            )

    def _name(self) -> str:
        if len(self._paths) == 1:
            return repr(self._paths[0])
        return f"the dataset of {len(self._paths)} files"


def joined(left: object, right: object) -> ColStoreDataset:
    """`left | right`: a dataset that borrows both."""
    for side in (left, right):
        if not isinstance(side, ColumnStore):
            raise TypeError(f"Unsupported operand for |: readers and datasets can be joined, not {type(side).__name__}")
    return ColStoreDataset([left, right])


def _expand(path: str, may_be_pattern: bool) -> list[str]:
    if (may_be_pattern and is_pattern(path)) or isdir(path):
        return expand_path(path)
    return [path]


def _paths_of(store: ColumnStore) -> list[str]:
    if isinstance(store, ColStoreDataset):
        return store._paths
    assert isinstance(store, ColStoreReader)
    return [store._path]
