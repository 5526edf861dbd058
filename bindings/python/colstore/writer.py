"""`ColStoreWriter`: a file written record by record."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ._native import writer as native
from ._native.settings import get_setting
from ._native.store import column_data
from .columns import check_column
from .dtypes import address, has_buffer
from .paths import path_text
from .user_warning import warn_user

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import TypeVar

    from numpy.typing import NDArray

    from .paths import StrPath

    Self = TypeVar("Self", bound="ColStoreWriter")

_MODES = {"create": native.CREATE, "recreate": native.RECREATE, "update": native.UPDATE}
#: Records of up to so many bytes are put together here: a copy costs less than to describe every column.
_PACKED = 64 << 10
#: What decides how an array is written.
_FORM = attrgetter("__class__", "dtype", "shape")


class ColStoreWriter:
    """A `.cstore` file that is written record by record, by :func:`create`, :func:`recreate` or :func:`update`.

    Records count once they are committed, by `close`, by the end of a `with` block (also of one that an exception ends)
    or by `commit`: who opens the file sees all of a commit or nothing of it, even after a crash. A writer holds a lock
    on its file, so that there is one at a time; readers need none, and keep what they opened.

    `mode`: `"create"` (`FileExistsError` if there is something at `path`), `"recreate"` (an existing file is replaced
    at the first commit) or `"update"` (records are added to the file).
    `statistics`: when closing, also record the smallest and largest value of each column in each record.
    """

    def __init__(self, path: StrPath, mode: str, *, statistics: bool = False) -> None:
        self._native: native.Writer | None = None
        self._closed = True
        if mode not in _MODES:
            raise ValueError(f"mode must be 'create', 'recreate' or 'update'; got {mode!r}")
        self._path = path_text(path)
        self._mode = mode
        # Names, dtypes and the size of a row of records that can be put together here; `None` while unknown.
        self._names: list[str] | None = None
        self._dtypes: list[np.dtype[Any]] = []
        self._row_size = 0
        self._join: Callable[[Any], bytes] = _copies
        # What it takes to write one more record like the last, if that was put together here: names, forms of the
        # arrays, how they are joined, the function of the library and its first two arguments.
        self._again: tuple[Any, ...] | None = None
        self._process = os.getpid()
        writer = native.Writer.open(self._path, _MODES[mode], bool(statistics))
        self._native = writer
        self._closed = False
        if mode == "update":
            columns = writer.columns()
            if all(column.dtype_text == column.native_text for column in columns):
                self._learn([column.name for column in columns], [np.dtype(c.native_text) for c in columns])
        if not writer.describe().is_locked and get_setting("lock_policy") != "off":
            warn_user(
                f"locks are not supported by the file system of {self._path!r}; "
                "make sure that nobody else writes to it at the same time",
                RuntimeWarning,
            )

    @property
    def path(self) -> Path:
        """The path as it was given."""
        from pathlib import Path

        return Path(self._path)

    @property
    def mode(self) -> str:
        """`"create"`, `"recreate"` or `"update"`."""
        return self._mode

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    @property
    def n_records(self) -> int:
        """The number of records in the file, those that are not committed yet included."""
        return 0 if self._native is None else self._native.describe().n_records

    @property
    def committed_rows(self) -> int:
        """The number of rows in the file, those that are not committed yet included."""
        return 0 if self._native is None else self._native.describe().n_rows

    def __len__(self) -> int:
        return self.committed_rows

    def write(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Write one record of `columns`: names to 1-D arrays of one length, which may be 0.

        The first record, or the file, decides on names, their order and the dtypes (but for the byte order). Arrays may
        be strided. An empty mapping does nothing. Everything is checked before anything is written.

        Raises `ValueError` for columns that do not fit or a writer that is closed, `TypeError` for what cannot be
        stored, and `OSError` if the operating system refuses; then the file is as it was before the call.
        """
        again = self._again
        if again is not None and type(columns) is dict:
            # Mostly, records have the length of the one before: a few passes in C, and one call.
            names, forms, join, write_packed, pointer, n_rows = again
            try:
                if list(columns) == names and list(map(_FORM, columns.values())) == forms:
                    body = join(columns.values())
                    if not write_packed(pointer, n_rows, body, len(body), None):
                        return
                    # Nothing was written. Once more below, for the error.
            except (AttributeError, BufferError, TypeError):  # no arrays, or strided ones
                pass
        self._write_any(columns)

    def _write_any(self, columns: Mapping[str, NDArray[Any]]) -> None:
        writer = self._native
        if self._closed or writer is None:
            raise ValueError(f"the writer of {self._path!r} is closed")
        if type(columns) is dict and self._names is not None and list(columns) == self._names:
            arrays = columns.values()
            try:
                forms = list(map(_FORM, arrays))
            except AttributeError:
                forms = []
            if forms and self._expect(writer, forms):
                try:
                    body = self._join(arrays)
                except (BufferError, TypeError):  # strided
                    body = _copies(arrays)
                writer.write_packed(forms[0][2][0], body)
                return
        self._write(writer, columns)

    def _expect(self, writer: native.Writer, forms: list[tuple[Any, ...]]) -> bool:
        """Whether these are the forms of arrays that can be put together here: plain ones of the expected dtypes, and
        of one length. Keeps them, if so."""
        shape = forms[0][2]
        wanted = [(np.ndarray, dtype, shape) for dtype in self._dtypes]
        if forms != wanted or len(shape) != 1 or shape[0] * self._row_size > _PACKED:
            return False
        self._again = (self._names, wanted, self._join, native.write_packed, writer.pointer, shape[0])
        return True

    def _write(self, writer: native.Writer, columns: Mapping[str, NDArray[Any]]) -> None:
        if not isinstance(columns, Mapping):
            raise TypeError(f"write() takes a mapping of names to 1-D arrays; got {type(columns).__name__}")
        if not columns:
            return
        described = []
        for key, array in columns.items():
            name = key if type(key) is str else str(key)
            if not isinstance(array, np.ndarray):
                raise TypeError(f"column {name!r} must be a NumPy array; got {type(array).__name__}")
            check_column(name, array)
            described.append(column_data(name, array.dtype.str, address(array), len(array), array.strides[0]))
        writer.write(described)
        if self._names is None and self._mode != "update":
            names = [key if type(key) is str else str(key) for key in columns]
            self._learn(names, [array.dtype.newbyteorder("<") for array in columns.values()])

    def _learn(self, names: list[str], dtypes: list[np.dtype[Any]]) -> None:
        self._names, self._dtypes = names, dtypes
        self._row_size = sum(dtype.itemsize for dtype in dtypes)
        self._join = b"".join if all(has_buffer(dtype) for dtype in dtypes) else _copies

    def commit(self) -> None:
        """Publish the records so far, and go on: once it returns they survive a power cut.

        Raises `ValueError` for a writer that is closed, and `OSError` if the operating system refuses; then what was
        committed before still is.
        """
        if self._closed or self._native is None:
            raise ValueError(f"the writer of {self._path!r} is closed")
        self._native.commit()

    def close(self) -> None:
        """Commit what was written, and give up the lock. Does nothing if it is closed.

        If nothing was written, an updated file stays exactly as it is; in the other modes there is no file then.
        But where records were refused, a file that should have been replaced stays.
        """
        if self._closed or self._native is None:
            return
        self._closed, self._again = True, None
        self._native.close()

    def _abandon(self) -> None:
        """Close without committing."""
        if not self._closed and self._native is not None:
            self._closed, self._again = True, None
            self._native.abandon()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None and self._mode == "recreate" and not self._closed and self.n_records == 0:
            # Nothing was written because something failed: what was there is not to be lost.
            self._abandon()
        self.close()

    def __del__(self) -> None:
        # In a process that was forked off the file is not ours.
        if self._closed or self._process != os.getpid():
            return
        warnings.warn(f"unclosed {self!r}", ResourceWarning, stacklevel=2, source=self)
        self.close()

    def __repr__(self) -> str:
        closed = ", closed" if self._closed else ""
        text = (
            f"ColStoreWriter(path={os.path.basename(self._path)!r}, mode={self._mode!r}, "
            f"n_records={self.n_records}, committed_rows={self.committed_rows}{closed})"
        )
        # A name may hold a lone surrogate, which could not be printed.
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _copies(arrays: Iterable[NDArray[Any]]) -> bytes:
    """The values of arrays one after the other."""
    return b"".join([array.tobytes() for array in arrays])


def create(path: StrPath, *, statistics: bool = False) -> ColStoreWriter:
    """A writer of a new file at `path`; `FileExistsError` if there is something, even an empty file."""
    return ColStoreWriter(path, "create", statistics=statistics)


def recreate(path: StrPath, *, statistics: bool = False) -> ColStoreWriter:
    """A writer of a new file at `path`, which takes the place of an existing one at the first commit."""
    return ColStoreWriter(path, "recreate", statistics=statistics)


def update(path: StrPath, *, statistics: bool = False) -> ColStoreWriter:
    """A writer that adds records to the file at `path`.

    Raises `FileNotFoundError` if there is none and `FormatError` if it is no intact `.cstore` file.
    """
    return ColStoreWriter(path, "update", statistics=statistics)
