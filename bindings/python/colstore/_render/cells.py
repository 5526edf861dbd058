"""From the values of a column to the text of its cells."""

from __future__ import annotations

from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# From here on the fixed form of a double has digits that mean nothing.
_LARGEST_FIXED = 1e16


def format_cells(values: NDArray[Any], precision: int) -> list[str]:
    """One text for each value; floats with at most `precision` decimals."""
    kind = values.dtype.kind
    if kind == "f":
        return _floats(values, precision)
    if kind == "M":
        return _datetimes(values)
    if kind == "m":
        return _timedeltas(values)
    if kind == "S":
        return [_decoded(value) for value in values.tolist()]
    return [str(value) for value in values.tolist()]


def _floats(values: NDArray[Any], precision: int) -> list[str]:
    numbers = [float(value) for value in values]
    cells = [_float(number, precision) for number in numbers]
    fixed = [i for i, number in enumerate(numbers) if isfinite(number) and abs(number) < _LARGEST_FIXED]
    if precision == 0 or not fixed:
        return cells
    # Zeros at the end that all have, but one decimal stays.
    zeros = min(len(cells[i]) - len(cells[i].rstrip("0")) for i in fixed)
    excess = min(zeros, precision - 1)
    if excess:
        for i in fixed:
            cells[i] = cells[i][:-excess]
    return cells


def _float(number: float, precision: int) -> str:
    if isnan(number):
        return "NaN"
    if not isfinite(number):
        return "inf" if number > 0 else "-inf"
    return f"{number:.{precision}f}" if abs(number) < _LARGEST_FIXED else repr(number)


def _datetimes(values: NDArray[Any]) -> list[str]:
    unit, _ = np.datetime_data(values.dtype)
    if unit == "generic":
        return ["NaT" if value is None else str(value) for value in _counts(values)]
    cells = [str(value).replace("T", " ") for value in np.datetime_as_string(values)]
    for i in np.flatnonzero(np.isnat(values)):
        cells[i] = "NaT"
    # Where all are midnight, only the days.
    if all(set(cell.partition(" ")[2]) <= set("0:.") for cell in cells):
        cells = [cell.partition(" ")[0] for cell in cells]
    return cells


def _timedeltas(values: NDArray[Any]) -> list[str]:
    # A `datetime.timedelta` where Python has one for it, otherwise a count.
    return ["NaT" if np.isnat(value) else str(value.item()) for value in values]


def _counts(values: NDArray[Any]) -> list[int | None]:
    missing = np.iinfo(np.int64).min
    return [None if count == missing else count for count in values.view(np.int64).tolist()]


def _decoded(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return repr(value)
