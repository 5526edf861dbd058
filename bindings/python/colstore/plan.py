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

    __slots__ = ("_addresses", "_entries", "_names", "_record", "_sizes", "columns")

    def __init__(self, store: ColumnStore, names: Sequence[str]) -> None:
        distinct = list(dict.fromkeys(names))
        positions = [store._position(name) for name in distinct]
        dtypes = [store._dtypes[position] for position in positions]
        n = len(distinct)
        self._names = list(names)
        self._entries = [(name, dtype, has_buffer(dtype)) for name, dtype in zip(distinct, dtypes)]
        self._record: np.dtype[Any] | None = None
        self._addresses = c_void_p * n
        self._sizes = c_size_t * n
        self.columns: Array[c_size_t] = (c_size_t * n)(*positions)

    def outputs(self, n_rows: int) -> tuple[dict[str, NDArray[Any]], Array[c_void_p], Array[c_size_t]]:
        """New arrays by name, and the arguments that make the library fill them."""
        outs, addresses, sizes = {}, [], []
        allocate = np.empty if n_rows < _FEW_ROWS else empty
        for name, dtype, buffer in self._entries:
            if buffer and n_rows:
                out: NDArray[Any] = allocate(n_rows, dtype)
                addresses.append(addressof(buffer_of(out)))  # type: ignore[arg-type]
            else:
                out = empty_column(n_rows, dtype)
                addresses.append(address(out))
            sizes.append(n_rows * dtype.itemsize)
            outs[name] = out
        return outs, self._addresses(*addresses), self._sizes(*sizes)

    def records(self, n_rows: int) -> NDArray[Any]:
        """A new structured array with a field for each column; `ValueError` if one was named twice."""
        record = self._record
        if record is None:
            dtypes = {name: dtype for name, dtype, _ in self._entries}
            record = self._record = record_dtype(self._names, [dtypes[name] for name in self._names])
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
