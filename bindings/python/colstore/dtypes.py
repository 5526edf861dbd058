"""NumPy dtypes of columns, and arrays to read into."""

from __future__ import annotations

from ctypes import addressof, c_char
from typing import TYPE_CHECKING, Any

import numpy as np

from ._native.memory import LEAST_BYTES, empty

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Kinds of NumPy dtypes that a column can hold.
STORABLE_KINDS = "biufMmSU"
# Kinds whose memory NumPy does not export.
_WITHOUT_BUFFER = "MmV"


def native_dtype(typestr: str) -> np.dtype[Any]:
    """The dtype in which a column is read."""
    try:
        return np.dtype(typestr)
    except TypeError:
        # A `long double` of another kind of machine: 16 bytes that NumPy cannot interpret here.
        return np.dtype("V16")


def empty_column(n_rows: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An uninitialised 1-D array; of exactly this dtype, where NumPy would widen zero-width text to 1."""
    size = dtype.itemsize
    if 0 < n_rows * size < LEAST_BYTES:
        return np.empty(n_rows, dtype)
    if size == 0:
        field: NDArray[Any] = np.zeros(n_rows, [("x", dtype)])["x"]
        return field
    return empty(n_rows, dtype)


def record_dtype(names: list[str], dtypes: list[np.dtype[Any]]) -> np.dtype[Any]:
    """The packed structured dtype with these fields in order."""
    # The dictionary form keeps an empty field name; the list form replaces it by "f0".
    offsets, end = [], 0
    for dtype in dtypes:
        offsets.append(end)
        end += dtype.itemsize
    return np.dtype({"names": names, "formats": dtypes, "offsets": offsets, "itemsize": end})


def address(array: NDArray[Any]) -> int:
    """Where the array's first value is."""
    pointer: int = array.__array_interface__["data"][0]
    return pointer


def has_buffer(dtype: np.dtype[Any]) -> bool:
    """Whether NumPy can export memory of this dtype, which is the fastest way to its address."""
    return dtype.kind not in _WITHOUT_BUFFER and dtype.itemsize > 0


def output_pointer(array: NDArray[Any]) -> Any:
    """The array's memory as an output argument of a native call."""
    if array.dtype.kind in _WITHOUT_BUFFER or array.nbytes == 0:
        return address(array)
    return memory_of(array)


def input_address(array: NDArray[Any]) -> int:
    """As :func:`address`, faster for most."""
    try:
        return addressof(buffer_of(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # read-only, strided or empty
        return address(array)


#: The memory of a contiguous, writable array, as ctypes has it: for `addressof`, and as an argument of a native call.
buffer_of = c_char.from_buffer
memory_of: Any = (c_char * 0).from_buffer
