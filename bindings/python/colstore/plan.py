"""What a read of several columns needs to know of them, worked out once and kept."""

from __future__ import annotations

from ctypes import Array, addressof, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any

import numpy as np

from ._native.memory import empty
from .dtypes import address, buffer_of, empty_column, has_buffer, record_dtype

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from .base import ColumnStore

# Below so many rows, NumPy's own allocator is asked without a detour.
_FEW_ROWS = 4096
# So many different sets of columns are kept for a store.
_KEPT = 64


class ColumnsPlan:
    """Columns by name, in order, each once.

    - `columns`: their positions, as an argument of the library's functions
    - `outputs(n)`: new arrays of `n` rows by name, with their addresses and sizes as arguments
    - `records(n)`: a new structured array of `n` rows
    """

    __slots__ = ("_addresses", "_dtypes", "_has_buffers", "_last_sizes", "_names", "_record", "_sizes", "columns")

    def __init__(self, store: ColumnStore, names: Sequence[str]) -> None:
        distinct = list(dict.fromkeys(names))
        positions = [store._position(name) for name in distinct]
        dtypes = [store._dtypes[position] for position in positions]
        n = len(distinct)
        self._names = list(names)
        self._dtypes = dict(zip(distinct, dtypes))
        self._has_buffers = all(has_buffer(dtype) for dtype in dtypes)
        self._record: np.dtype[Any] | None = None
        self._addresses = c_void_p * n
        self._sizes = c_size_t * n
        # Of outputs of so many rows.
        self._last_sizes: tuple[int, Array[c_size_t]] = (0, self._sizes())
        self.columns: Array[c_size_t] = (c_size_t * n)(*positions)

    def outputs(self, n_rows: int) -> tuple[dict[str, NDArray[Any]], Array[c_void_p], Array[c_size_t]]:
        """New arrays by name, and the arguments that make the library fill them."""
        last = self._last_sizes
        if last[0] != n_rows:
            last = (n_rows, self._sizes(*[n_rows * dtype.itemsize for dtype in self._dtypes.values()]))
            self._last_sizes = last
        if not self._has_buffers or not n_rows:
            outs = {name: empty_column(n_rows, dtype) for name, dtype in self._dtypes.items()}
            return outs, self._addresses(*map(address, outs.values())), last[1]
        allocate = np.empty if n_rows < _FEW_ROWS else empty
        outs = {name: allocate(n_rows, dtype) for name, dtype in self._dtypes.items()}
        return outs, self._addresses(*map(addressof, map(buffer_of, outs.values()))), last[1]

    def records(self, n_rows: int) -> NDArray[Any]:
        """A new structured array with a field for each column; `ValueError` if one was named twice."""
        record = self._record
        if record is None:
            dtypes = [self._dtypes[name] for name in self._names]
            record = self._record = record_dtype(self._names, dtypes)
        return empty(n_rows, record)


def plan_of(store: ColumnStore, names: tuple[str, ...] | None) -> ColumnsPlan:
    """The plan for these columns, or for all."""
    plans = store._plans
    plan = plans.get(names)
    if plan is None:
        if len(plans) >= _KEPT:
            plans.clear()
        plan = plans[names] = ColumnsPlan(store, store.columns if names is None else names)
    return plan
