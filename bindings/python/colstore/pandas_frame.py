"""Columns to a pandas `DataFrame` with one block each."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

# Units of datetime64 and timedelta64 that pandas holds as they are.
_PANDAS_UNITS = ("[s]", "[ms]", "[us]", "[ns]")


def build_frame(columns: dict[str, NDArray[Any]], n_rows: int) -> pd.DataFrame:
    """A `DataFrame` over these arrays, not copied where pandas can hold them as they are."""
    import pandas as pd

    names = _column_index(list(columns))
    rows = pd.RangeIndex(n_rows)
    if not columns:
        return pd.DataFrame(index=rows, columns=names)
    try:
        # Looked up at every call: it is private, and may move or change with any release of pandas.
        from pandas.core.internals.managers import create_block_manager_from_column_arrays

        arrays: list[Any] = [_text_as_pandas_has_it(array) for array in columns.values()]
        manager = create_block_manager_from_column_arrays(
            arrays, [names, rows], consolidate=False, refs=[None] * len(arrays)
        )
        return pd.DataFrame._from_mgr(manager, axes=manager.axes)
    except Exception as error:
        warnings.warn(
            f"frame() optimized for this pandas ({pd.__version__}) is not possible, and the ordinary constructor is "
            f"used instead, with the same result: {type(error).__name__}: {error}",
            UserWarning,
            stacklevel=3,
        )
    return pd.DataFrame(columns, index=rows, columns=names, copy=False)


def refuse_conversion(dtypes: dict[str, np.dtype[Any]]) -> None:
    """`ValueError` if pandas would have to convert a column: it then cannot be lent."""
    for name, dtype in dtypes.items():
        if dtype.kind == "U" or (dtype.kind in "Mm" and not dtype.str.endswith(_PANDAS_UNITS)):
            raise ValueError(
                f"pandas cannot hold column {name!r} ({dtype.str}) as it is, and must convert it; use frame(copy=True)"
            )


def _column_index(names: list[str]) -> pd.Index[Any]:
    import pandas as pd

    try:
        return pd.Index(names)
    except UnicodeEncodeError:  # a lone surrogate, which Arrow's text cannot hold
        return pd.Index(names, dtype=object)


def _text_as_pandas_has_it(array: NDArray[Any]) -> Any:
    if array.dtype.kind != "U":
        return array
    import pandas as pd

    series = pd.Series(array, copy=False)
    # `str` of pandas 3 is an extension array, `object` of pandas 2 an ordinary one.
    return series.array if isinstance(series.dtype, pd.api.extensions.ExtensionDtype) else series.to_numpy()
