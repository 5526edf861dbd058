"""`ColStoreReader`: one open `.cstore` file."""

from __future__ import annotations

import os
from ctypes import c_size_t, c_void_p
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from ._native.errors import NotContiguousError
from ._native.memory import empty
from ._native.schema import describe_columns
from ._native.table import Table, read_options
from .dtypes import address, empty_column, native_dtype, output_pointer, record_dtype
from .paths import path_text
from .threads import max_threads

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

    import pandas as pd
    from numpy.typing import DTypeLike, NDArray

    from ._native.handles import Handle
    from ._native.schema import ColumnDescription
    from .paths import StrPath

_DEFAULT_MADVISE = "__default__"
_MADVISE = (_DEFAULT_MADVISE, None, "normal", "sequential", "random", "willneed", "dontneed")
_BACKENDS = (None, "cpp", "numpy")
# How many names an error message or a repr lists.
_LISTED_NAMES = 100
_REPR_NAMES = 5


class ColStoreReader:
    """One open `.cstore` file: its columns as NumPy arrays, its rows as records, or the whole as a DataFrame.

    Opening reads the headers only; what describes the columns is made when first asked for. Methods may be called
    from many threads at once. After `close`, reading raises `ValueError`, while the names, dtypes and counts stay
    available, and so do arrays that were lent without a copy.

    `backend`: `"cpp"` (what `None` means) reads with several threads, `"numpy"` with one; the results are equal.
    `max_workers`: the most threads that a read uses; `None` leaves it to the engine.
    `madvise`, `mlock`: hints for the operating system, checked and otherwise free to be ignored.
    """

    def __init__(
        self,
        path: StrPath,
        *,
        madvise: str | None = _DEFAULT_MADVISE,
        mlock: bool = False,
        backend: str | None = None,
        max_workers: int | None = None,
    ) -> None:
        max_workers = check_options(madvise, mlock, backend, max_workers)
        text = path_text(path)
        table = Table.open(text)
        self._path = text
        self._backend = backend or "cpp"
        self._max_workers = max_workers
        # None: the engine's defaults.
        self._options: Any = None
        if backend == "numpy" or max_workers is not None:
            self._options = read_options(1 if backend == "numpy" else max_workers or 0)
        self._n_rows = table.n_rows()
        self._table: Table | None = table
        # Made when first needed, by `_describe`; the handle is kept by `close` for that.
        self._schema_handle: Handle | None = None
        self._columns: list[ColumnDescription] | None = None
        self._dtypes: list[np.dtype[Any]] = []
        self._positions: dict[str, int] = {}
        # What has been lent already: making a view of it again costs next to nothing.
        self._lent: dict[int, NDArray[Any]] = {}

    # -------------------------------------------------------------------------------------- description

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
    def columns(self) -> list[str]:
        """The names of the columns in stored order."""
        self._describe()
        return list(self._positions)

    @property
    def dtypes(self) -> dict[str, np.dtype[Any]]:
        """The dtype of each column as it is read: native in byte order, whatever the file's."""
        self._describe()
        return dict(zip(self._positions, self._dtypes))

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self._n_rows

    @property
    def shape(self) -> tuple[int, int]:
        """`(rows, columns)`"""
        return (self._n_rows, len(self._describe()))

    @property
    def backend(self) -> str:
        """`"cpp"` or `"numpy"`."""
        return self._backend

    @property
    def max_workers(self) -> int:
        """The most threads that a read uses."""
        return max_threads() if self._max_workers is None else self._max_workers

    def count(self) -> int:
        """The number of rows."""
        return self._n_rows

    def __len__(self) -> int:
        return self._n_rows

    def __contains__(self, name: object) -> bool:
        self._describe()
        return isinstance(name, str) and name in self._positions

    def __iter__(self) -> Iterator[str]:
        self._describe()
        return iter(list(self._positions))

    def __repr__(self) -> str:
        names = self.columns
        more = "..." if len(names) > _REPR_NAMES else ""
        return (
            f"{type(self).__name__}(path={os.path.basename(self._path)!r}, shape={self.shape}, "
            f"columns={names[:_REPR_NAMES]}{more})"
        )

    # -------------------------------------------------------------------------------------- reading

    def array(self, name: str, copy: bool = True) -> NDArray[Any]:
        """One column as a 1-D array.

        With `copy=False` the array is read-only and aliases the mapped file, also after `close`; `ValueError` if
        the column does not lie in one piece, native in byte order.
        """
        table = self._table or self._open_table()
        column = self._position(name)
        if not copy:
            return self._view(table, column)
        out = empty_column(self._n_rows, self._dtypes[column])
        table.read_column(column, 0, self._n_rows, self._options, output_pointer(out), out.nbytes)
        return out

    def dict(self, copy: bool = True) -> dict[str, NDArray[Any]]:
        """Every column by name, in stored order; `copy` as in :meth:`array`."""
        table = self._open_table()
        count = len(self._describe())
        if not copy:
            return {name: self._view(table, column) for name, column in self._positions.items()}
        outs = {name: empty_column(self._n_rows, self._dtypes[column]) for name, column in self._positions.items()}
        if outs:
            arrays = outs.values()
            table.read_columns(
                (c_size_t * count)(*range(count)),
                0,
                self._n_rows,
                self._options,
                (c_void_p * count)(*map(address, arrays)),
                (c_size_t * count)(*[array.nbytes for array in arrays]),
            )
        return outs

    def recarray(self) -> NDArray[Any]:
        """The rows as a structured array: one packed field for each column."""
        table = self._open_table()
        count = len(self._describe())
        out = empty(self._n_rows, record_dtype(list(self._positions), self._dtypes))
        if count:
            table.read_records(
                (c_size_t * count)(*range(count)), 0, self._n_rows, self._options, address(out), out.nbytes
            )
        return out

    def frame(self, copy: bool = True) -> pd.DataFrame:
        """Every column in a pandas `DataFrame` with a `RangeIndex`, one internal block for each column.

        Byte strings stay byte strings; text becomes what pandas makes of it. With `copy=False` the blocks are
        read-only and alias the mapped file, and `ValueError` is raised if that is impossible for one of them.
        """
        from .pandas_frame import build_frame, refuse_conversion

        if not copy:
            refuse_conversion(self.dtypes)
        return build_frame(self.dict(copy), self._n_rows)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError(
                "the rows of a columnar file cannot be had as records without copying; "
                "use np.asarray(...), or array(name, copy=False) for one column"
            )
        records = self.recarray()
        return records if dtype is None else records.astype(dtype, copy=False)

    # -------------------------------------------------------------------------------------- closing

    def close(self) -> None:
        """Let go of the file. Closing twice is fine."""
        table = self._table
        if table is not None:
            if self._columns is None:
                self._schema_handle = table.schema()
            # A read in another thread holds its own reference: the last one unmaps.
            self._table = None
            self._lent.clear()

    def __enter__(self) -> ColStoreReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        backend = None if self._backend == "cpp" else self._backend
        return (partial(type(self), backend=backend, max_workers=self._max_workers), (self._path,))

    # -------------------------------------------------------------------------------------- inside

    def _open_table(self) -> Table:
        table = self._table
        if table is None:
            raise ValueError(f"the reader of {self._path!r} is closed; open the file again to read it")
        return table

    def _describe(self) -> list[ColumnDescription]:
        columns = self._columns
        if columns is None:
            table, handle = self._table, self._schema_handle
            if handle is None:
                handle = self._schema_handle if table is None else table.schema()
            assert handle is not None  # `close` keeps it before it gives up the table
            columns = describe_columns(handle)
            self._dtypes = [native_dtype(column.native_text) for column in columns]
            self._positions = {column.name: position for position, column in enumerate(columns)}
            # Last: what other threads look at to see that the rest is there.
            self._columns = columns
            self._schema_handle = None
        return columns

    def _position(self, name: str) -> int:
        if self._columns is None:
            self._describe()
        position = self._positions.get(name)
        if position is None:
            known = list(self._positions)
            more = f", and {len(known) - _LISTED_NAMES} more" if len(known) > _LISTED_NAMES else ""
            raise KeyError(f"Unknown column {name!r} in {self._path!r}; it has {known[:_LISTED_NAMES]}{more}")
        return position

    def _view(self, table: Table, column: int) -> NDArray[Any]:
        lent = self._lent.get(column)
        if lent is None:
            lent = self._lend(table, column)
            self._lent[column] = lent
            if self._table is None:  # closed meanwhile
                self._lent.clear()
        return lent.view()

    def _lend(self, table: Table, column: int) -> NDArray[Any]:
        try:
            view = table.view_column(column, 0, self._n_rows, self._dtypes[column].str)
        except NotContiguousError:
            description = self._describe()[column]
            where = f"column {description.name!r} of {self._path!r}"
            if description.big_endian:
                why = f"is {description.dtype_text}, not in native byte order, and must be converted; use copy=True"
            else:
                why = "is spread over several records; use copy=True, or compact the file first"
            raise ValueError(f"{where} cannot be lent without a copy: it {why}") from None
        array: NDArray[Any] = np.asarray(view)
        if array.size == 0:
            array.flags.writeable = False  # NumPy forgets it where there is no address
        return array


def check_options(
    madvise: str | None = _DEFAULT_MADVISE,
    mlock: bool = False,
    backend: str | None = None,
    max_workers: int | None = None,
) -> int | None:
    """Check the keywords of :class:`ColStoreReader`; `max_workers` as a plain int."""
    if madvise not in _MADVISE:
        expected = ", ".join(map(repr, _MADVISE[2:]))
        raise ValueError(f"madvise must be None or one of {expected}; got {madvise!r}")
    if backend not in _BACKENDS:
        raise ValueError(f"backend must be None, 'cpp' or 'numpy'; got {backend!r}")
    return None if max_workers is None else _checked_workers(max_workers)


def _checked_workers(max_workers: object) -> int:
    if isinstance(max_workers, bool):
        raise TypeError("max_workers must be None or an int; got bool")
    try:
        count = index(max_workers)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"max_workers must be None or an int; got {type(max_workers).__name__}") from None
    if not 1 <= count < 2**31:
        raise ValueError(f"max_workers must be at least 1; got {count}")
    return count
