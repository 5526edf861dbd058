"""`col()`: expressions over columns by name."""

from __future__ import annotations

from typing import Any, NoReturn

from .._native.errors import QueryError
from .base import Expression
from .nodes import Column, Node
from .operands import is_array, is_scalar, refuse_operand


class ColumnExpression(Expression):
    """An expression over columns by name: a condition on rows, or the values of a new column of a frame.

    Names are looked up where it is used, so that it fits any table that has them. Made by :func:`col`.
    """

    __slots__ = ()

    def _combine(self, node: Node, *operands: Any) -> ColumnExpression:
        origin = None
        for operand in operands:
            if isinstance(operand, Expression):
                origin = origin or operand._origin
            elif is_array(operand):
                raise TypeError(
                    f"a raw array cannot stand in a col() expression, {node}: a column expression has no rows yet; "
                    "use a scalar, another col(), or isin() for membership"
                )
            elif not is_scalar(operand):
                refuse_operand(node, operand)
        return ColumnExpression(node, operands, origin)

    def _refuse_truth(self) -> NoReturn:
        raise QueryError(
            "a col() expression has no truth value: it stands for a value in every row; combine conditions with & | ~ "
            "in place of and, or, not, and use .isin() in place of in"
        )


def col(name: str) -> ColumnExpression:
    """The column called `name`, for conditions such as `ds[(col("pt") > 30) & (abs(col("eta")) < 2.5)]`.

    It is looked up where the expression is used.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a column must be a string; got {type(name).__name__}")
    return ColumnExpression(Column(name), ())
