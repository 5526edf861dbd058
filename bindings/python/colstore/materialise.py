"""Reads of the selected rows of columns into new arrays: one column, several, or records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import config
from .dtypes import address, empty_column, output_pointer
from .plan import plan_of
from .selection import fold, fresh_numbers, span

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .base import ColumnStore
    from .selection import ViewRows


def read_array(store: ColumnStore, name: str, rows: ViewRows) -> NDArray[Any]:
    """The selected rows of one column, in memory of their own."""
    table = store._table or store._open_table()
    column = store._positions.get(name)
    if column is None:
        column = store._position(name)
    options = store._options or config.default_options
    if rows is None:
        count, start, handle = table.n_rows, 0, None
    else:
        numbers = fresh_numbers(rows, table.n_rows)
        if numbers is not None:
            out = empty_column(numbers[2], store._dtypes[column])
            table.gather_column(column, numbers, options, output_pointer(out), out.nbytes)
            return out
        count, start, handle = span(rows, table.n_rows)
    out = empty_column(count, store._dtypes[column])
    table.read_column(column, start, start + count, handle, options, output_pointer(out), out.nbytes)
    return out


def read_row(store: ColumnStore, name: str, row: int) -> NDArray[Any]:
    """One row of one column, as :func:`read_array` has it."""
    table = store._table or store._open_table()
    column = store._positions.get(name)
    if column is None:
        column = store._position(name)
    if not 0 <= row < table.n_rows:
        row = fold(row, table.n_rows)
    # So short that to make an array, and to ask for its address, counts: one that is there already is filled, and
    # copied. Whoever takes it from the list has it alone.
    try:
        spares = store._spares[column]
        spare = spares.pop()
    except (KeyError, IndexError):
        spares = store._spares.setdefault(column, [])
        array = empty_column(1, store._dtypes[column])
        spare = (array, output_pointer(array), array.nbytes)
    array, pointer, size = spare
    table.read_column(column, row, row + 1, None, store._options or config.default_options, pointer, size)
    # NumPy would widen a copy of zero-width text.
    out = array.copy() if size else empty_column(1, array.dtype)
    spares.append(spare)
    return out


def read_dict(store: ColumnStore, names: tuple[str, ...] | None, rows: ViewRows) -> dict[str, NDArray[Any]]:
    """The selected rows of several columns (`None`: of all) by name, in one pass."""
    table = store._table or store._open_table()
    plan = plan_of(store, names)
    options = store._options or config.default_options
    numbers = None if rows is None else fresh_numbers(rows, table.n_rows)
    if numbers is not None:
        outs, addresses, sizes = plan.outputs(numbers[2])
        table.gather_columns(plan.columns, numbers, options, addresses, sizes)
        return outs
    count, start, handle = span(rows, table.n_rows)
    outs, addresses, sizes = plan.outputs(count)
    if outs:
        table.read_columns(plan.columns, start, start + count, handle, options, addresses, sizes)
    return outs


def read_records(store: ColumnStore, names: tuple[str, ...] | None, rows: ViewRows) -> NDArray[Any]:
    """The selected rows as a structured array, one packed field for each column (`None`: for every)."""
    table = store._table or store._open_table()
    plan = plan_of(store, names)
    options = store._options or config.default_options
    numbers = None if rows is None else fresh_numbers(rows, table.n_rows)
    if numbers is not None:
        out = plan.records(numbers[2])
        table.gather_records(plan.columns, numbers, options, address(out), out.nbytes)
        return out
    count, start, handle = span(rows, table.n_rows)
    out = plan.records(count)
    if len(plan.columns):
        table.read_records(plan.columns, start, start + count, handle, options, address(out), out.nbytes)
    return out
