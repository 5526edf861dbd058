"""Calls of NumPy's functions with expressions: nodes for what works row by row, errors for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .nodes import CLIP, WHERE, operator

if TYPE_CHECKING:
    from .base import Expression


def call_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: Any) -> Any:
    """What `__array_ufunc__` answers."""
    name = ufunc.__name__
    if method != "__call__":
        raise TypeError(
            f"np.{name}.{method} is a reduction or accumulation over rows; expressions are elementwise. "
            "Compute the values first"
        )
    if ufunc.signature is not None:
        raise TypeError(f"{name} is a generalized ufunc, which works on whole arrays; expressions are elementwise")
    if ufunc.nout != 1:
        raise TypeError(f"{name} has multiple outputs; an expression has one value in every row")
    for keyword in kwargs:
        raise TypeError(f"{keyword}= is not supported in an expression; {name} gives a new expression of its own dtype")
    return _first(inputs)._combine(operator(ufunc), *inputs)


def call_function(expression: Expression, function: Any, args: Any, kwargs: Any) -> Any:
    """What `__array_function__` answers."""
    if function is np.where:
        return _where(*args, **kwargs)
    if function is np.clip:
        return _clip(*args, **kwargs)
    return expression._call_function(function, args, kwargs)


def refuse_function(function: Any) -> NoReturn:
    """The error for a function that is not elementwise."""
    name = f"{getattr(function, '__module__', 'numpy')}.{getattr(function, '__name__', function)}"
    raise TypeError(
        f"{name} is not supported in a column expression: it does not work row by row, or there is another way; "
        "build it from elementwise operations, or compute the values first"
    )


def _first(operands: tuple[Any, ...]) -> Any:
    # The first one says what kind of expression it becomes, or refuses the others.
    return next(operand for operand in operands if hasattr(operand, "_combine"))


def _where(condition: Any, *branches: Any) -> Any:
    if len(branches) != 2:
        raise TypeError("np.where requires both branches in an expression: np.where(condition, x, y)")
    return _first((condition, *branches))._combine(WHERE, condition, *branches)


def _clip(
    a: Any,
    a_min: Any = None,
    a_max: Any = None,
    out: Any = None,
    *,
    min: Any = None,
    max: Any = None,
    **kwargs: Any,
) -> Any:
    if out is not None:
        raise TypeError("out= is not supported in an expression; np.clip gives a new one")
    for keyword in kwargs:
        raise TypeError(f"{keyword}= is not supported in an expression")
    low = a_min if min is None or min is np._NoValue else min
    high = a_max if max is None or max is np._NoValue else max
    if low is None and high is None:
        raise ValueError("np.clip needs a limit: a_min, a_max, min or max")
    return _first((a, low, high))._combine(CLIP, a, low, high)
