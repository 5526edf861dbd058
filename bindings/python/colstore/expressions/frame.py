"""Expressions over columns of a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .. import config
from ..dtypes import address, empty_column
from ..warn_numbers import warn_met
from .arrays import refuse_function
from .base import Expression
from .column import ColumnExpression
from .nodes import CLIP, WHERE, Cast, Node, Round, has_rows, lower
from .operands import is_array, is_scalar, refuse_operand
from .scopes import ExpressionScope

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


class FrameExpression(Expression):
    """An expression over columns of a frame. It holds the columns themselves: what their names stand for may change.

    Made by `frame[name]`, operators, NumPy's elementwise functions, and the methods here.
    """

    __slots__ = ()

    _captured = True

    def _combine(self, node: Node, *operands: Any) -> FrameExpression:
        origin = None
        for operand in operands:
            if isinstance(operand, FrameExpression):
                origin = origin or operand._origin
            elif isinstance(operand, ColumnExpression):
                raise TypeError(
                    "a col() expression cannot follow a column of a frame; write the expression entirely with col(), "
                    "or entirely with columns of the frame"
                )
            elif is_array(operand):
                raise TypeError(
                    f"a raw ndarray cannot stand in an expression, {node}: assign it to the frame, and use that column"
                )
            elif operand is None:
                if node is not CLIP:
                    refuse_operand(node, operand)
            elif not is_scalar(operand) or (isinstance(operand, _TEXTS) and not node.takes_text):
                refuse_operand(node, operand)
        return FrameExpression(node, operands, origin)

    def _refuse_truth(self) -> NoReturn:
        raise TypeError(
            "the truth value of an expression is undefined: it stands for a value in every row; combine conditions "
            "with & | ~ in place of and, or, not"
        )

    def _call_function(self, function: Any, args: Any, kwargs: Any) -> Any:
        if function in _REDUCTIONS:
            raise TypeError(
                f"np.{function.__name__} reduces over rows, and an expression has none of its own; assign it to the "
                "frame and reduce the column, or give it to the frame's method of that name"
            )
        refuse_function(function)

    def astype(self, dtype: DTypeLike) -> FrameExpression:
        """The values as another dtype, as NumPy's `astype` gives them."""
        return self._combine(Cast(np.dtype(dtype)), self)

    def clip(self, low: Any = None, high: Any = None) -> FrameExpression:
        """The values, but none below `low` or above `high`."""
        if low is None and high is None:
            return self
        return self._combine(CLIP, self, low, high)

    def round(self, decimals: int = 0) -> FrameExpression:
        """The values rounded as `numpy.round` does."""
        return self._combine(Round(decimals), self)

    def where(self, condition: Any, other: Any = np.nan) -> FrameExpression:
        """The values where `condition` holds, and `other` elsewhere."""
        return self._combine(WHERE, condition, self, other)

    def compute(self) -> NDArray[Any]:
        """The values for all rows of the source, also those that the frame leaves out."""
        if not has_rows(self):
            raise ValueError(
                "an all-constant expression has no rows of its own; assign it to a frame, and read that column"
            )
        frame = self._origin
        assert frame is not None  # there is a column in it
        scope = ExpressionScope(frame)
        value = lower(self, scope)
        out = empty_column(frame.base_rows(), np.dtype(frame.dtype(value)))
        warn_met(frame.evaluate(value, True, config.default_options, address(out), out.nbytes))
        return out


_TEXTS = (str, bytes)
_REDUCTIONS = (np.sum, np.mean, np.min, np.max, np.std, np.var, np.amin, np.amax, np.prod, np.any, np.all)
