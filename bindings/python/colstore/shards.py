"""Shards of a directory: `append` adds one, an `Appender` one after another."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ._native import shards as native
from .base import ColumnStore
from .columns import columns_of
from .dtypes import input_address
from .paths import path_text
from .progress import LARGE, watch_store
from .sizes import check_batch_size, parse_byte_size
from .user_warning import warn_user

if TYPE_CHECKING:
    from types import TracebackType

    from ._native.structs import AppenderInfo
    from ._native.table import Table
    from .paths import StrPath

_NAME = "shard_{index:05d}.cstore"


def append(
    directory: StrPath,
    data: object,
    *,
    name: str = _NAME,
    statistics: bool = False,
    batch_size: int | str | None = "auto",
    show_progress: bool = False,
) -> Path:
    """Add `data` to a directory of shards as one more file; its path.

    The directory is created if need be. `colstore.open(directory)` reads all its shards as one table; a shard is
    there for readers once it is whole and on the disk.

    `data`: all that :func:`colstore.store` takes, or a reader, a dataset, or a path that :func:`colstore.open` takes.
    One file is copied byte for byte; several become one record, and so does one file with `statistics`. Columns must
    have the names and dtypes of the shards that are there, in their order.
    `name`: in it `{index}` or `{index:05d}` stands for a number, one more than the largest that is there. Without it,
    the name must be a new one.
    `statistics`: also record the smallest and largest value of each column.
    `show_progress`: a bar on the terminal for large data, if `tqdm` is installed.
    `batch_size`: accepted and checked; any value gives the same file.

    Raises `OSError` while another process or an :class:`Appender` adds shards; `ValueError` for other columns, a wrong
    name, or the directory's own shards as `data`; `FileExistsError` for a name that is taken; `TypeError` for data
    that cannot be stored.
    """
    check_batch_size(batch_size)
    text, name = path_text(directory), _checked_name(name)
    source, n_bytes, _owner = _source(text, data)
    with watch_store(n_bytes, show_progress) as progress:
        path = native.append(text, source, name=name, statistics=bool(statistics), progress=progress)
    return Path(path)


def appender(
    directory: StrPath, *, name: str = _NAME, shard_size: int | str | None = None, statistics: bool = False
) -> Appender:
    """An :class:`Appender` for `directory`, which is created if need be."""
    return Appender(directory, name=name, shard_size=shard_size, statistics=statistics)


class Appender:
    """Adds shards to a directory, each of one record, from rows that come in batches.

        with colstore.appender("events", shard_size="256 MiB") as shards:
            for batch in batches:
                shards.write(batch)

    Rows are copied and held until there are enough for a shard. All rows that are held become one shard: a batch is
    never split. No other process can add shards until this is closed; readers see every shard once it is whole.

    `shard_size`: rows (`int`) or bytes (`"64 MiB"`) that make a shard; `None` for one at every `flush` and at `close`.
    `name`, `statistics`: as in :func:`append`; a name without `{index}` is for a single shard.

    Raises `OSError` if another writer has the directory, `FormatError` if its first shard is damaged.
    """

    def __init__(
        self,
        directory: StrPath,
        *,
        name: str = _NAME,
        shard_size: int | str | None = None,
        statistics: bool = False,
    ) -> None:
        self._handle: native.Appender | None = None
        self._text = path_text(directory)
        self._process = os.getpid()
        #: At most so many bytes are held, in rows of this size.
        self._held = self._row_bytes = 0
        rows, size = _limits(shard_size)
        handle = native.Appender.open(
            self._text, name=_checked_name(name), shard_rows=rows, shard_bytes=size, statistics=bool(statistics)
        )
        self._last = handle.describe()
        self._handle = handle
        if not self._last.locked:
            warn_user(
                f"locks are not supported where {self._text!r} is; make sure that nobody else adds shards to it",
                RuntimeWarning,
            )

    @property
    def directory(self) -> Path:
        """The directory, as it was given."""
        return Path(self._text)

    @property
    def n_shards(self) -> int:
        """The number of shards that this appender has made."""
        return self._info().n_shards

    @property
    def pending_rows(self) -> int:
        """The number of rows that are in no shard yet."""
        return self._info().pending_rows

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._handle is None or bool(self._info().closed)

    def write(self, data: object) -> None:
        """Add rows: whatever :func:`append` takes. If it fails, none of them is held, and earlier ones still are."""
        handle = self._open()
        source, n_bytes, _owner = _source(self._text, data)
        held = self._held + n_bytes
        if held >= LARGE:
            # Shards may have been made meanwhile.
            held = n_bytes + self.pending_rows * self._row_bytes
        with watch_store(held, False) as progress:
            if isinstance(source, list):
                handle.write(source, progress)
                n_rows = source[0][3]
            else:
                handle.write_table(source, progress)
                n_rows = source.n_rows
        self._held = held
        if n_rows:
            self._row_bytes = n_bytes // n_rows

    def flush(self) -> Path | None:
        """Make a shard of the rows that are held; its path, or `None` if nothing was written since the last one.

        If it fails, the rows are still held.
        """
        handle = self._open()
        with watch_store(self.pending_rows * self._row_bytes, False) as progress:
            path = handle.flush(progress)
        return None if path is None else Path(path)

    def close(self) -> None:
        """Flush, and let others add shards. Closing twice is fine."""
        handle = self._handle
        if handle is None:
            return
        with watch_store(self.pending_rows * self._row_bytes, False) as progress:
            handle.close(progress)
        self._last = handle.describe()
        self._handle = None

    def __enter__(self) -> Appender:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self.close()
        finally:
            handle = self._handle
            if handle is not None:
                # Nobody will try again. The traceback may keep the handle alive, but the directory is for others now.
                self._last = handle.describe()
                self._handle = None
                handle.abandon()

    def __del__(self) -> None:
        # A child of fork() has a copy of the rows, but they are its parent's to write.
        if getattr(self, "_handle", None) is None or self._process != os.getpid():
            return
        warnings.warn(
            f"the appender for {self._text!r} was not closed; what it holds is written now. "
            "Use 'with', or call close()",
            ResourceWarning,
            stacklevel=2,
            source=self,
        )
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an Appender cannot be pickled: it holds the lock of its directory")

    def __repr__(self) -> str:
        closed = ", closed" if self.closed else ""
        name = self.directory.name
        return f"Appender(directory={name!r}, n_shards={self.n_shards}, pending_rows={self.pending_rows}{closed})"

    def _open(self) -> native.Appender:
        if self._handle is None:
            raise ValueError(f"the appender for {self._text!r} is closed")
        return self._handle

    def _info(self) -> AppenderInfo:
        handle = self._handle
        return self._last if handle is None or self._process != os.getpid() else handle.describe()


def _checked_name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"the name of shards must be str; got {type(name).__name__}")
    return name


def _limits(shard_size: object) -> tuple[int, int]:
    """Rows and bytes that make a shard, 0 for no limit."""
    if shard_size is None:
        return 0, 0
    if isinstance(shard_size, str):
        return 0, min(parse_byte_size(shard_size), 2**63 - 1)
    if isinstance(shard_size, bool) or not hasattr(shard_size, "__index__"):
        raise TypeError(f"shard_size must be None, int or str; got {type(shard_size).__name__}")
    rows = shard_size.__index__()
    if rows < 1:
        raise ValueError(f"shard_size must be positive; got {rows}")
    return min(rows, 2**63 - 1), 0


def _source(directory: str, data: object) -> tuple[list[native.Rows] | Table, int, Any]:
    """What to write, its size in bytes, and what has to live until it is written."""
    if isinstance(data, (str, os.PathLike)):
        text = path_text(data)
        if os.path.isdir(text) and os.path.isdir(directory) and os.path.samefile(text, directory):
            raise ValueError(f"cannot append {directory!r} to itself")
        from .opening import open

        # As it is given: only text is taken for a pattern.
        data = open(data if isinstance(data, str) else Path(text))
    if isinstance(data, ColumnStore):
        n_bytes = data.n_rows * sum(dtype.itemsize for dtype in data.dtypes.values())
        return data._open_table(), n_bytes, data
    arrays = columns_of(data)
    columns = [(name, array.dtype.str, input_address(array), len(array), array.strides[0]) for name, array in arrays]
    return columns, sum(array.nbytes for _, array in arrays), arrays
