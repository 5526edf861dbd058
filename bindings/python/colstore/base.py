"""`ColumnStore`: what can be read from a table, of one file or of many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._native.schema import describe_columns
from .column_view import ColumnView
from .dtypes import native_dtype
from .lending import lend_array, lend_dict
from .materialise import read_array, read_dict, read_records
from .names import check_known, is_names, remaining_names, selected_names, split_key, unknown_columns
from .selection import Selection
from .table_view import TableView

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import TypeAlias, TypeVar

    import pandas as pd
    from numpy.typing import DTypeLike, NDArray

    from ._native.handles import Handle
    from ._native.schema import ColumnDescription
    from ._native.table import Table
    from ._render import Preview
    from .dataset import ColStoreDataset
    from .expressions import ColumnExpression
    from .frame import ColStoreFrame
    from .plan import ColumnsPlan

    Columns: TypeAlias = dict[str, NDArray[Any]]
    Self = TypeVar("Self", bound="ColumnStore")

_REPR_NAMES = 5


class ColumnStore:
    """The reading side of :class:`ColStoreReader` and :class:`ColStoreDataset`.

    `store[rows]`, `store["a"]`, `store[rows, "a"]` and `store[rows, ["a", "b"]]` are views: they read nothing
    until they are asked for values.
    """

    _table: Table | None
    _n_rows: int
    _max_workers: int | None
    #: Options of every read; `None` for those of `config`.
    _options: Any
    #: The row after the last of each file.
    _file_ends: list[int]

    def __init__(self) -> None:
        # Made when first needed, by `_describe`; the handle is kept by `close` for that.
        self._schema_handle: Handle | None = None
        self._columns: list[ColumnDescription] | None = None
        self._dtypes: list[np.dtype[Any]] = []
        self._positions: dict[str, int] = {}
        # What reads of several columns need, by their names; `None` for all.
        self._plans: dict[tuple[str, ...] | None, ColumnsPlan] = {}
        # Columns that have been lent whole.
        self._lent: dict[int, NDArray[Any]] = {}
        # Arrays of one value, with their address and size, to read single rows into.
        self._spares: dict[int, list[tuple[NDArray[Any], Any, int]]] = {}

    # -------------------------------------------------------------------------------------- description

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
    def backend(self) -> str:
        """`"cpp"` or `"numpy"`."""
        raise NotImplementedError

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self._n_rows

    @property
    def shape(self) -> tuple[int, int]:
        """`(rows, columns)`"""
        return (self._n_rows, len(self._describe()))

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

    def _repr(self, what: str) -> str:
        names = self.columns
        more = "..." if len(names) > _REPR_NAMES else ""
        return f"{type(self).__name__}({what}, shape={self.shape}, columns={names[:_REPR_NAMES]}{more})"

    def _repr_html_(self) -> str | None:
        from ._render import store_html

        return store_html(self)

    # -------------------------------------------------------------------------------------- selecting

    def __getitem__(self, key: Any) -> Any:
        columns: str | tuple[str, ...] | None
        if type(key) is str:
            rows, columns = None, key
        elif type(key) is tuple and len(key) == 2 and type(key[1]) is str:
            rows, columns = key
        elif type(key) is np.ndarray:
            return TableView(self, Selection(key))
        elif isinstance(key, tuple):
            rows, columns = split_key(key)
        elif isinstance(key, str):
            rows, columns = None, key
        elif is_names(key):
            rows, columns = None, tuple(key)
        else:
            rows, columns = key, None
        if isinstance(columns, str):
            if columns not in self._positions:
                self._position(columns)
            return ColumnView(self, rows, columns)
        for name in columns or ():
            self._position(name)
        return TableView(self, rows, columns)

    def select(self, *names: str) -> TableView:
        """All rows of these columns, in the order given. `KeyError` for an unknown, `ValueError` for a double one."""
        self._describe()
        return TableView(self, None, selected_names(names, self._positions, self._name()))

    def drop(self, *names: str) -> TableView:
        """All rows of the other columns."""
        self._describe()
        return TableView(self, None, remaining_names(names, self._positions, self._name()))

    def query(
        self,
        expression: str | ColumnExpression,
        *,
        columns: Sequence[str] | None = None,
        params: Mapping[str, Any] | None = None,
        lazy: bool = True,
    ) -> TableView:
        """The rows for which a condition holds, in stored order.

        `expression`: text in Python's syntax over the names of columns, such as `"pt > 30 and region in @regions"`, or
        a :func:`col` expression. In text, `and`, `or`, `not` and chains of comparisons work row by row; `@name` stands
        for the value in `params`, a scalar or, right of `in`, a list, set or array. Nothing is ever executed.
        `columns`: the names of those to have, all by default; the condition may use others.

        The condition is checked at once, without reading: `QueryError` says what is wrong and where. Rows are looked
        for when they are first needed, or at once with `lazy=False`.
        """
        from .predicate import Predicate

        names: tuple[str, ...] | None = None
        if columns is not None:
            names = (columns,) if isinstance(columns, str) else tuple(columns)
            check_known(names, self.columns, self._name())
        view = TableView(self, Predicate.of_condition(self, expression, params), names)
        return view if lazy else view.evaluate()

    def where(self, condition: ColumnExpression) -> TableView:
        """The rows for which a :func:`col` expression holds, in stored order; as indexing with it."""
        if isinstance(condition, str):
            raise KeyError(f"where() takes a col() expression, not text; use query({condition!r})")
        return TableView(self, condition)

    def edit(self) -> ColStoreFrame:
        """A frame of all rows and columns, to compute others from, cut, and write. The files are never changed."""
        from .frame import ColStoreFrame

        return ColStoreFrame(self)

    def head(self, n: int | None = None) -> Preview:
        """The first `n` rows, ready to be shown; `None` for as many as `config` says."""
        from ._render import preview_store

        return preview_store(self, n)

    def tail(self, n: int | None = None) -> Preview:
        """The last `n` rows, ready to be shown; `None` for as many as `config` says."""
        from ._render import preview_store

        return preview_store(self, n, tail=True)

    def __or__(self, other: object) -> ColStoreDataset:
        from .dataset import joined

        return joined(self, other)

    def __ror__(self, other: object) -> ColStoreDataset:
        from .dataset import joined

        return joined(other, self)

    # -------------------------------------------------------------------------------------- reading

    def array(self, name: str, copy: bool = True) -> NDArray[Any]:
        """One column as a 1-D array.

        With `copy=False` the array is read-only and aliases the mapped file, also after `close`; `ValueError` if
        the column does not lie in one piece, native in byte order.
        """
        return read_array(self, name, None) if copy else lend_array(self, name, None)

    def dict(self, copy: bool = True) -> Columns:
        """Every column by name, in stored order; `copy` as in :meth:`array`."""
        return (read_dict if copy else lend_dict)(self, None, None)

    def recarray(self) -> NDArray[Any]:
        """The rows as a structured array: one packed field for each column."""
        return read_records(self, None, None)

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
        return as_records(self.recarray, dtype, copy)

    # -------------------------------------------------------------------------------------- closing

    def close(self) -> None:
        """Let go of the files. Closing twice is fine."""
        table = self._table
        if table is not None:
            if self._columns is None:
                self._schema_handle = table.schema()
            # A read in another thread holds its own reference: the last one unmaps.
            self._table = None
            self._lent.clear()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # -------------------------------------------------------------------------------------- inside

    def _name(self) -> str:
        """What an error message calls it."""
        raise NotImplementedError

    def _open_table(self) -> Table:
        table = self._table
        if table is None:
            raise ValueError(f"{self._name()} is closed; open it again to read it")
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
            raise unknown_columns([name], self._positions, self._name())
        return position


def as_records(read: Any, dtype: DTypeLike | None, copy: bool | None) -> NDArray[Any]:
    """The answer to NumPy's `__array__` of what consists of rows; `read` makes a structured array."""
    if copy is False:
        raise ValueError(
            "the rows of a columnar file cannot be had as records without copying; "
            "use np.asarray(...), or array(name, copy=False) for one column"
        )
    records: NDArray[Any] = read()
    return records if dtype is None else records.astype(dtype, copy=False)
