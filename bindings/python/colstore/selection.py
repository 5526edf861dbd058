"""Row selectors: from what stands between the brackets to rows of a table.

key ──parse_rows──► None      all rows
                    int       one row, not yet folded or checked
                    Selection anything else: checked when rows are first needed, then kept
                    Predicate a Selection by a condition on the values of columns

Selection ──resolve──► Located ─┬─ a progression: start, step, count; no handle until one is asked for
                                └─ step 0: a handle of the library's (indices, mask, or a selection of those)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._native.rows import INDEX_TYPES, Rows
from .dtypes import input_address

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from .base import ColumnStore

    #: What a view keeps of its rows.
    ViewRows: TypeAlias = "Selection | int | None"
    #: Where row numbers are, their `colstore_index_type`, how many, their stride; and what keeps them there.
    Numbers: TypeAlias = tuple[int, int, int, int, object]


_TYPES_OF_INDICES = {np.dtype(char): INDEX_TYPES[np.dtype(char).kind, np.dtype(char).itemsize] for char in "bhilqBHILQ"}
_INTP = _TYPES_OF_INDICES[np.dtype(np.intp)]

# Of so few, to say which takes less time than to make and to free a handle.
_FEW_ROWS = 4096


class Located:
    """Rows that are known to be there."""

    __slots__ = ("_rows", "count", "gathered", "start", "step")

    def __init__(self, count: int, start: int, step: int, rows: Rows | None = None, gathered: bool = False) -> None:
        self.count = count
        self.start = start
        #: Of a progression; 0 for rows that are given one by one.
        self.step = step
        #: Whether they came from an array, and so are never lent, even if they lie side by side.
        self.gathered = gathered
        self._rows = rows

    def handle(self, n_rows: int) -> Rows:
        """The library's form, for a table of `n_rows` rows."""
        rows = self._rows
        if rows is None:
            stop = self.start + self.count * self.step
            rows = self._rows = Rows.range(n_rows, self.start, stop, self.step)
        return rows

    def among(self, outer: Located, n_rows: int) -> Located:
        """These rows, which are positions among those of `outer`, as rows of the table."""
        if self.step == 0 or outer.step == 0:
            if self.step == 1 and self.count == outer.count:
                return outer
            rows = Rows.selected(outer.handle(n_rows), self.handle(outer.count))
            return Located(rows.count, 0, 0, rows, True)
        start, step = outer.start + self.start * outer.step, self.step * outer.step
        return _progression(start, step, self.count, self.gathered or outer.gathered)

    def numbers(self, n_rows: int) -> NDArray[np.int64]:
        """The row numbers."""
        if self.step:
            return np.arange(self.count, dtype=np.int64) * self.step + self.start
        return np.array(self.handle(n_rows).positions(), np.int64)


class Selection:
    """Rows by a key: among the rows of a table or, if there is an `outer`, among the rows that that one selects.

    The key is looked at when rows are first needed. An index array is not copied, but kept and read again.
    """

    __slots__ = ("_is_read", "_key", "_located", "_n_rows", "_outer")

    #: Whether a condition on values says which rows they are, and has not been looked at yet.
    pending = False

    def __init__(self, key: object, outer: Selection | int | None = None) -> None:
        self._key = key
        self._outer = outer
        self._n_rows = -1
        self._located: Located | None = None
        self._is_read = False

    @classmethod
    def of(cls, located: Located, n_rows: int) -> Selection:
        """Rows that have been found already."""
        selection = cls(None)
        selection._located = located
        selection._n_rows = n_rows
        return selection

    def resolve(self, n_rows: int) -> Located:
        """The rows of a table of `n_rows` rows; `IndexError` if they are not there or the key is none."""
        located = self._located
        # A dataset may have grown.
        if located is None or self._n_rows != n_rows:
            if self._outer is None:
                located = _locate(self._key, n_rows)
            else:
                outer = locate(self._outer, n_rows)
                try:
                    located = _locate(self._key, outer.count).among(outer, n_rows)
                except IndexError as error:
                    raise IndexError(_for_the_view(str(error))) from None
            self._located = located
            self._n_rows = n_rows
        return located


#: Types of what `parse_rows` returns.
PARSED = (type(None), int, Selection)


def parse_rows(key: object, store: ColumnStore) -> ViewRows:
    """What a view keeps of a selector among all rows of a store. Nothing is checked yet, but for conditions."""
    if key is None:
        return None
    if isinstance(key, slice):
        return None if key.start is None and key.stop is None and key.step is None else Selection(key)
    if isinstance(key, (int, np.integer)):
        return int(key)
    if isinstance(key, Selection):
        return key
    return _condition(key, store, None) if hasattr(key, "_combine") else Selection(key)


def _condition(key: Any, store: ColumnStore, outer: ViewRows) -> Selection:
    from .expressions import ColumnExpression
    from .predicate import Predicate

    if not isinstance(key, ColumnExpression):
        raise IndexError(
            f"rows are selected by integer or boolean values, or a col() expression; got a {type(key).__name__}, which "
            "belongs to a frame"
        )
    return Predicate(store, key, None, outer)


def rows_among(store: ColumnStore, outer: ViewRows, key: object) -> ViewRows:
    """The rows of a view that `key` selects among its rows `outer`.

    If the view has a selection already, the key is checked here and now; a condition is in any case.
    """
    if outer is not None and hasattr(key, "_combine"):
        return _condition(key, store, outer)
    inner = parse_rows(key, store)
    if outer is None or inner is None:
        return inner if outer is None else outer
    selection = Selection(inner if isinstance(inner, int) else key, outer)
    selection.resolve(store._n_rows)
    return selection


def is_pending(rows: ViewRows) -> bool:
    """Whether they are the rows of a condition that has not been looked at yet."""
    return isinstance(rows, Selection) and rows.pending


def evaluated(rows: ViewRows, n_rows: int) -> ViewRows:
    """The same rows, found and fixed."""
    if rows is None:
        return None
    located = locate(rows, n_rows)
    return Selection.of(located, n_rows) if hasattr(rows, "condition") else rows


def locate(rows: Selection | int, n_rows: int) -> Located:
    """The rows of a table of `n_rows` rows."""
    if isinstance(rows, Selection):
        return rows.resolve(n_rows)
    return Located(1, fold(rows, n_rows), 1)


def span(rows: ViewRows, n_rows: int) -> tuple[int, int, Rows | None]:
    """Number and first of rows that lie side by side; otherwise their number, 0, and a handle."""
    if rows is None:
        return n_rows, 0, None
    if isinstance(rows, int):
        return 1, fold(rows, n_rows), None
    if type(rows) is Selection and rows._located is None and rows._outer is None and type(rows._key) is slice:
        start, stop, step = rows._key.indices(n_rows)
        if step == 1:  # as quickly done as remembered
            return max(stop - start, 0), start, None
    located = rows.resolve(n_rows)
    if located.step == 1:
        return located.count, located.start, None
    return located.count, 0, located.handle(n_rows)


def fresh_numbers(rows: Selection | int, n_rows: int) -> Numbers | None:
    """The numbers of rows that nobody has asked for yet, if they are given by number, or are few.

    Their first read needs no handle and looks at each number once. The next one makes a handle, which keeps what is
    found out about them.
    """
    if type(rows) is not Selection or rows._is_read or rows._located is not None or rows._outer is not None:
        return None
    key = rows._key
    if type(key) is np.ndarray:
        if key.ndim != 1 or key.size < 2:
            return None
        index_type = _TYPES_OF_INDICES.get(key.dtype)
        if index_type is None:
            if key.dtype.kind != "b" or not key.size == n_rows <= _FEW_ROWS:
                return None
            key, index_type = np.flatnonzero(key), _INTP
    elif type(key) is slice and n_rows <= _FEW_ROWS and type(key.step) is int and key.step not in (0, 1):
        key, index_type = np.arange(*key.indices(n_rows), dtype=np.intp), _INTP
    else:
        return None
    rows._is_read = True
    return input_address(key), index_type, key.size, key.strides[0], key


def count_rows(rows: ViewRows, n_rows: int) -> int:
    """How many rows are selected."""
    return n_rows if rows is None else locate(rows, n_rows).count


def fold(row: int, n_rows: int) -> int:
    """`row`, where a negative one counts from the end; `IndexError` if it is not there."""
    folded = row + n_rows if row < 0 else row
    if 0 <= folded < n_rows:
        return folded
    raise IndexError(f"row {row} is out of bounds: there are {n_rows} rows")


def _locate(key: Any, n_rows: int) -> Located:
    if isinstance(key, slice):
        start, stop, step = key.indices(n_rows)
        return _progression(start, step, len(range(start, stop, step)))
    if isinstance(key, int):
        return Located(1, fold(key, n_rows), 1)
    if isinstance(key, range):
        inside = _folded_range(key, n_rows)
        if inside is not None:
            return inside
    array = _index_array(key)
    if array.ndim == 0:
        return Located(1, fold(int(array), n_rows), 1)
    kind, stride, n = array.dtype.kind, array.strides[0], len(array)
    if kind == "b":
        rows = Rows.mask(n_rows, input_address(array), n, stride)
    elif n <= 1:  # needs no handle
        return Located(1, fold(int(array[0]), n_rows), 1, None, True) if n else Located(0, 0, 1, None, True)
    else:
        rows = Rows.indices(n_rows, input_address(array), INDEX_TYPES[kind, array.itemsize], n, stride, array)
    return Located(rows.count, 0, 0, rows, True)


def _progression(start: int, step: int, count: int, gathered: bool = False) -> Located:
    if count == 0:
        return Located(0, 0, 1, None, gathered)
    return Located(count, start, 1 if count == 1 else step, None, gathered)


def _folded_range(key: range, n_rows: int) -> Located | None:
    """`key` as a progression, unless it mixes signs or leaves the table."""
    if len(key) == 0:
        return Located(0, 0, 1)
    low, high = min(key[0], key[-1]), max(key[0], key[-1])
    if low >= 0 and high < n_rows:
        return _progression(key[0], key.step, len(key))
    if -n_rows <= low and high < 0:
        return _progression(key[0] + n_rows, key.step, len(key))
    return None


def _index_array(key: Any) -> NDArray[Any]:
    """`key` as a mask, as integers in native byte order, or as any empty array."""
    try:
        array: NDArray[Any] = key if type(key) is np.ndarray else np.asarray(key)
    except ValueError as error:
        if not isinstance(key, (list, tuple)):
            raise  # what it consists of cannot be read
        raise IndexError(f"rows are selected by integer or boolean values in one dimension: {error}") from None
    kind = array.dtype.kind
    if array.ndim > 1:
        raise IndexError(f"rows are selected by values in one dimension; got an array of shape {array.shape}")
    if array.ndim == 0 and kind == "b":
        raise IndexError("a single boolean selects no row; give an int, or a mask of as many values as there are rows")
    if kind not in "biu" and (array.ndim == 0 or len(array)):
        raise IndexError(
            f"rows are selected by integer or boolean values; got {type(key).__name__} of dtype {array.dtype}"
        )
    if not array.dtype.isnative and kind in "iu":
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def _for_the_view(message: str) -> str:
    return message.replace("out of bounds", "out of bounds for the view").replace("there are", "it has")
