"""Row selections as the library holds them."""

from __future__ import annotations

from ctypes import Array, byref, c_int64, c_void_p

from .errors import raise_error
from .handles import Handle
from .library import lib

_range = lib.colstore_rows_range
_indices = lib.colstore_rows_indices
_mask = lib.colstore_rows_mask
_select = lib.colstore_rows_select
_count = lib.colstore_rows_count
_positions = lib.colstore_rows_positions
_free = lib.colstore_rows_free

#: `colstore_index_type` by kind and item size of a NumPy dtype.
INDEX_TYPES = {
    ("i", 1): 1,
    ("i", 2): 2,
    ("i", 4): 3,
    ("i", 8): 4,
    ("u", 1): 5,
    ("u", 2): 6,
    ("u", 4): 7,
    ("u", 8): 8,
}


class Rows(Handle):
    """A `colstore_rows`: checked positions among `n_rows` rows, in order."""

    __slots__ = ("count", "kept")

    #: The number of rows selected.
    count: int
    #: Memory that the library reads whenever it uses the selection.
    kept: object

    @classmethod
    def range(cls, n_rows: int, start: int, stop: int, step: int) -> Rows:
        """Rows `start`, `start + step`, … before `stop`; a `stop` of -1 with a negative step reaches row 0."""
        error, out = c_void_p(), c_void_p()
        status = _range(n_rows, start, stop, step, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return cls._counted(out, len(range(start, stop, step)))

    @classmethod
    def indices(
        cls, n_rows: int, address: int, index_type: int, count: int, stride: int, kept: object, borrow: bool = True
    ) -> Rows:
        """Rows by position, in memory that `kept` keeps alive; `IndexError` names the first that is not there."""
        out = c_void_p()
        # Asked for the error only if there is one: few indices are checked faster than an argument is made.
        if _indices(n_rows, address, index_type, count, stride, borrow, byref(out), None):
            error = c_void_p()
            status = _indices(n_rows, address, index_type, count, stride, borrow, byref(out), byref(error))
            if status:
                raise_error(status, error)
        rows = cls._counted(out, count)
        rows.kept = kept
        return rows

    @classmethod
    def mask(cls, n_rows: int, address: int, count: int, stride: int) -> Rows:
        """The rows whose byte is not zero, from bytes `stride` apart, which are copied to bits."""
        error, out = c_void_p(), c_void_p()
        status = _mask(n_rows, address, count, stride, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return cls._counted(out)

    @classmethod
    def selected(cls, outer: Rows, inner: Rows) -> Rows:
        """Those rows of `outer` that `inner`, made for as many rows as `outer` selects, says by position."""
        error, out = c_void_p(), c_void_p()
        status = _select(outer.pointer, inner.pointer, byref(out), byref(error))
        if status:
            raise_error(status, error)
        rows = cls._counted(out, inner.count)
        rows.kept = (outer, inner)
        return rows

    @classmethod
    def _counted(cls, out: c_void_p, count: int | None = None) -> Rows:
        rows = cls(out.value or 0, _free)
        if count is None:
            error, number = c_void_p(), c_int64()
            status = _count(rows.pointer, byref(number), byref(error))
            if status:
                raise_error(status, error)
            count = number.value
        rows.count = count
        rows.kept = None
        return rows

    def positions(self) -> Array[c_int64]:
        """The row numbers of the selected rows."""
        error, out = c_void_p(), (c_int64 * self.count)()
        status = _positions(self.pointer, 0, self.count, out, self.count, byref(error))
        if status:
            raise_error(status, error)
        return out
