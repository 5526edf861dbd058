"""From what the caller has (a mapping, a structured array, a DataFrame) to checked 1-D arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import STORABLE_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray


def columns_of(data: object) -> list[tuple[str, NDArray[Any]]]:
    """Names and arrays of `data`, in order, none copied that is an array already.

    `TypeError` for data of another kind or a dtype that cannot be stored; `ValueError` for no columns at all,
    columns of unequal length or more than one dimension, or a name that occurs twice.
    """
    columns: list[tuple[str, NDArray[Any]]] = []
    names: set[str] = set()
    for key, values in _entries(data):
        name = key if type(key) is str else str(key)
        if name in names:
            raise ValueError(f"two columns are called {name!r}; every name may occur once")
        names.add(name)
        array = np.asarray(values)
        if array.ndim == 0:
            array = array.reshape(1)
        check_column(name, array)
        if columns and len(array) != len(columns[0][1]):
            first, expected = columns[0][0], len(columns[0][1])
            raise ValueError(f"column {name!r} has {len(array)} rows; expected {expected}, as in column {first!r}")
        columns.append((name, array))
    if not columns:
        raise ValueError("an empty column mapping cannot be stored; give at least one column")
    return columns


def _entries(data: object) -> Iterable[tuple[Any, Any]]:
    if isinstance(data, Mapping):
        return data.items()
    if isinstance(data, np.ndarray):
        if data.dtype.names is None:
            raise TypeError(
                f"a plain ndarray (dtype {data.dtype}) has no column names; "
                "store {'name': array}, or a structured array"
            )
        return [(name, data[name]) for name in data.dtype.names]
    if all(hasattr(data, part) for part in ("columns", "dtypes", "iloc")):
        return _frame_entries(data)
    raise TypeError(
        f"store() does not know how to handle {type(data).__name__}; "
        "give a mapping of names to 1-D arrays, a structured array or a pandas DataFrame"
    )


def _frame_entries(frame: Any) -> Iterable[tuple[Any, Any]]:
    # By position: names may repeat, which is reported with the other errors.
    for position, name in enumerate(frame.columns):
        series = frame.iloc[:, position]
        array = np.asarray(series)
        if array.dtype.kind == "O":
            raise TypeError(
                f"column {str(name)!r} (pandas dtype {series.dtype}) becomes an object array, which cannot be stored; "
                "convert it first, for example with .astype('float64'), or to fixed-width text by np.array(..., 'U16')"
            )
        yield name, array


def check_column(name: str, array: NDArray[Any]) -> None:
    """`TypeError` for a dtype that cannot be stored, `ValueError` for more or less than one dimension."""
    kind = array.dtype.kind
    if kind == "O":
        raise TypeError(
            f"column {name!r} has object dtype, which cannot be stored; "
            "convert it to a fixed-size dtype first, such as 'float64', 'S16' or 'U16'"
        )
    if kind not in STORABLE_KINDS:
        raise TypeError(
            f"column {name!r} has dtype {array.dtype}, which cannot be stored; "
            "bool, integers, floats, datetime64, timedelta64, bytes and text can"
        )
    if array.ndim != 1:
        raise ValueError(f"column {name!r} must be 1D; it has {array.ndim} dimensions, shape {array.shape}")
