"""Columns of random numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def make_columns(
    rows: int,
    cols: int,
    *,
    dtype: str | Sequence[str] = "float64",
    seed: int = 0,
    names: Sequence[str] | None = None,
    rng: np.random.Generator | None = None,
) -> dict[str, NDArray[Any]]:
    """`cols` columns of `rows` random numbers, called `c0`, `c1`, … unless there are `names`.

    Floats are drawn from the standard normal distribution, integers evenly from the middle half of what the dtype
    holds. A sequence of dtypes is used in turn. All is drawn column by column from one generator: `rng`, or a new one
    from `seed`.

    Raises `ValueError` for a dtype that is neither float nor integer, an empty sequence of dtypes, a negative number
    of rows, less than one column, or names that are too few, too many or not distinct.
    """
    if rows < 0:
        raise ValueError(f"rows must be >= 0; got {rows}")
    if cols < 1:
        raise ValueError(f"cols must be >= 1; got {cols}")
    dtypes = [np.dtype(name) for name in ([dtype] if isinstance(dtype, (str, type, np.dtype)) else dtype)]
    if not dtypes:
        raise ValueError("dtype must name at least one dtype; got an empty sequence")
    for each in dtypes:
        if each.kind not in "fiu":
            raise ValueError(f"only float and integer columns can be made; got dtype {each}")
    labels = [f"c{i}" for i in range(cols)] if names is None else list(names)
    if len(labels) != cols:
        raise ValueError(f"names must be as many as columns, {cols}; got {len(labels)}")
    if len(set(labels)) < cols:
        raise ValueError(f"names must be distinct; got {labels}")
    generator = np.random.default_rng(seed) if rng is None else rng
    return {name: _values(generator, rows, dtypes[i % len(dtypes)]) for i, name in enumerate(labels)}


def _values(rng: np.random.Generator, rows: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    if dtype.kind == "f":
        drawn = np.float32 if dtype == np.float32 else np.float64
        return rng.standard_normal(rows, drawn).astype(dtype, copy=False)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min // 2, limits.max // 2, rows, dtype=dtype.newbyteorder("=")).astype(dtype, copy=False)
