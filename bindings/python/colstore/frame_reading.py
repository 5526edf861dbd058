"""The reading side of a frame: values in the rows that its cuts leave, whole, in batches, or to a file."""

from __future__ import annotations

from ctypes import c_size_t, c_void_p
from typing import TYPE_CHECKING, Any

import numpy as np

from . import config
from ._native.memory import empty
from .dtypes import address, empty_column, record_dtype
from .paths import path_text
from .reader import ColStoreReader
from .warn_numbers import warn_met

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    import pandas as pd
    from numpy.typing import DTypeLike, NDArray

    from ._native.frame import Frame
    from .base import ColumnStore
    from .frame import ColStoreFrame
    from .paths import StrPath
    from .selection import ViewRows

    Columns: TypeAlias = dict[str, NDArray[Any]]


class FrameReading:
    """What :class:`ColStoreFrame` computes."""

    _native: Frame
    #: A frame of all rows, by which expressions are computed on their own.
    _whole: Frame
    _store: ColumnStore
    #: Options of every read; `None` for those of `config`.
    _options: Any
    #: The rows of the store that the frame starts from.
    _base: ViewRows
    #: Whether they are not all, or there is a cut.
    _selected: bool
    #: Columns that are as they were: of the store's own their names there, of a batch that may be lent their arrays.
    _sources: dict[str, str | NDArray[Any]]
    #: Columns that have one value for all rows.
    _constants: frozenset[str]

    def _describe(self) -> tuple[dict[str, int], list[np.dtype[Any]]]:
        """The positions of the columns by name, in order, and their dtypes."""
        raise NotImplementedError

    @property
    def n_rows(self) -> int:
        """The number of rows that the cuts leave."""
        count, flags = self._open().count(self._options or config.default_options)
        warn_met(flags)
        return count

    def count(self) -> int:
        """The number of rows that the cuts leave."""
        return self.n_rows

    def array(self, name: str) -> NDArray[Any]:
        """The values of one column, in memory of their own."""
        return self._read([name])[name]

    def dict(self) -> Columns:
        """Every column by name, in order."""
        return self._read(list(self._describe()[0]))

    def recarray(self) -> NDArray[Any]:
        """The rows as a structured array: one packed field for each column."""
        native = self._open()
        known, dtypes = self._describe()
        names = list(known)
        options = self._options or config.default_options
        count, flags = native.count(options)
        out = empty(count, record_dtype(names, dtypes))
        if names:
            columns = (c_size_t * len(names))(*range(len(names)))
            flags |= native.read_records(columns, 0, count, options, address(out), out.nbytes)
        warn_met(flags)
        return out

    def frame(self) -> pd.DataFrame:
        """Every column in a pandas `DataFrame` with a `RangeIndex`, one internal block for each column."""
        from .pandas_frame import build_frame

        return build_frame(self.dict(), self.n_rows)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        from .base import as_records

        return as_records(self.recarray, dtype, copy)

    def iter_batches(self, batch_size: int | str | None = None, *, copy: bool = True) -> Iterator[ColStoreFrame]:
        """The rows that the cuts leave, in order, as frames in memory of some rows each, which can be edited further.

        `batch_size`: rows, or bytes as text (`"64 MiB"`); `None` for as many as `config` allows memory for. With
        `copy=False`, columns that lie in one piece in the file are lent from it, and others are read into the memory of
        the batch before.
        """
        from .batches import batches

        return batches(self, batch_size, copy)  # type: ignore[arg-type]

    def write(self, path: StrPath, *, memory_budget: int | None = None) -> ColStoreReader:
        """Write all columns to a new file at `path`, and open it. One that is there is replaced, when all is written.

        Memory does not grow with the number of rows, whatever `memory_budget`, in bytes, says. A frame of one file in
        which nothing was changed is copied byte for byte.
        """
        if memory_budget is not None:
            if isinstance(memory_budget, bool) or not isinstance(memory_budget, (int, np.integer)):
                raise TypeError(f"memory_budget must be None or an int; got {type(memory_budget).__name__}")
            if memory_budget < 1:
                raise ValueError(f"memory_budget must be at least 1 byte; got {memory_budget}")
        native, text = self._open(), path_text(path)
        if not self._describe()[0]:
            raise ValueError("an empty column mapping cannot be stored; the frame has no columns")
        warn_met(native.write(text, 1 if self._store.backend == "numpy" else self._store._max_workers or 0))
        return ColStoreReader(text)

    # -------------------------------------------------------------------------------------- inside

    def _open(self) -> Frame:
        if self._store._table is None:
            self._store._open_table()
        return self._native

    def _lent(self, name: str) -> NDArray[Any] | None:
        """The array behind a column of a batch without a copy, if it is all there is to it."""
        source = None if self._selected else self._sources.get(name)
        return source if isinstance(source, np.ndarray) else None

    def _read(self, names: list[str], start: int = 0, stop: int | None = None, outs: Columns | None = None) -> Columns:
        """Columns in some of the rows that the cuts leave: in `outs`, or in new arrays."""
        native = self._open()
        known, dtypes = self._describe()
        options = self._options or config.default_options
        flags = 0
        if stop is None:
            stop, flags = native.count(options)
        positions = []
        for name in names:
            if name not in known:
                raise KeyError(f"{name!r} is not in the frame; it has {list(known)[:20]}")
            positions.append(known[name])
        lent = {} if outs is not None else {name: self._lent(name) for name in names}
        if any(array is not None for array in lent.values()):
            rest = [name for name in names if lent[name] is None]
            lent.update(self._read(rest, start, stop, {}) if rest else {})
            return lent  # type: ignore[return-value]
        if not outs:
            outs = {name: empty_column(stop - start, dtypes[at]) for name, at in zip(names, positions)}
        n = len(names)
        if n:
            flags |= native.read_columns(
                (c_size_t * n)(*positions),
                start,
                stop,
                options,
                (c_void_p * n)(*map(address, outs.values())),
                (c_size_t * n)(*[out.nbytes for out in outs.values()]),
            )
        warn_met(flags)
        return outs
