"""`Expression`: a value for every row, and the operators that make one of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .arrays import call_function, call_ufunc, refuse_function
from .nodes import IsIn, Node, Power, operator, shown
from .operands import membership_values

if TYPE_CHECKING:
    from .._native.expr import Expr
    from .._native.frame import Frame

_ADD = operator(np.add, "+")
_SUBTRACT = operator(np.subtract, "-")
_MULTIPLY = operator(np.multiply, "*")
_DIVIDE = operator(np.true_divide, "/")
_FLOOR_DIVIDE = operator(np.floor_divide, "//")
_REMAINDER = operator(np.remainder, "%")
_POWER = Power()
_AND = operator(np.bitwise_and, "&")
_OR = operator(np.bitwise_or, "|")
_XOR = operator(np.bitwise_xor, "^")
_NEGATIVE = operator(np.negative, "-")
_POSITIVE = operator(np.positive, "+")
_INVERT = operator(np.invert, "~")
_ABSOLUTE = operator(np.absolute, "abs()")
_EQUAL = operator(np.equal, "==", comparison=True)
_NOT_EQUAL = operator(np.not_equal, "!=", comparison=True)
_LESS = operator(np.less, "<", comparison=True)
_LESS_EQUAL = operator(np.less_equal, "<=", comparison=True)
_GREATER = operator(np.greater, ">", comparison=True)
_GREATER_EQUAL = operator(np.greater_equal, ">=", comparison=True)


class Expression:
    """A value for every row. It is immutable, and computes nothing by itself.

    Dtypes are NumPy's: Python's numbers take the dtype beside them, NumPy's scalars have their own.
    """

    __slots__ = ("_args", "_made", "_node", "_origin")

    #: Whether it has no names, so that it is the same wherever it is used.
    _captured = False

    #: What is computed of the operands, which are expressions and constants.
    _node: Node
    _args: tuple[Any, ...]
    #: A frame in which it can be computed; `None` for an expression over names.
    _origin: Frame | None
    #: The library's form, if that does not depend on where names are looked up.
    _made: Expr | None

    # Iteration and `in` would otherwise try what cannot be.
    __iter__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, node: Node, args: tuple[Any, ...], origin: Frame | None = None, made: Expr | None = None
    ) -> None:
        self._node = node
        self._args = args
        self._origin = origin
        self._made = made

    def _combine(self, node: Node, *operands: Any) -> Any:
        """The expression that `node` makes of the operands, this one among them; `TypeError` for what is no operand."""
        raise NotImplementedError

    def _refuse_truth(self) -> NoReturn:
        raise NotImplementedError

    # -------------------------------------------------------------------------------------- operators

    def __add__(self, other: Any) -> Any:
        return self._combine(_ADD, self, other)

    def __radd__(self, other: Any) -> Any:
        return self._combine(_ADD, other, self)

    def __sub__(self, other: Any) -> Any:
        return self._combine(_SUBTRACT, self, other)

    def __rsub__(self, other: Any) -> Any:
        return self._combine(_SUBTRACT, other, self)

    def __mul__(self, other: Any) -> Any:
        return self._combine(_MULTIPLY, self, other)

    def __rmul__(self, other: Any) -> Any:
        return self._combine(_MULTIPLY, other, self)

    def __truediv__(self, other: Any) -> Any:
        return self._combine(_DIVIDE, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._combine(_DIVIDE, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return self._combine(_FLOOR_DIVIDE, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._combine(_FLOOR_DIVIDE, other, self)

    def __mod__(self, other: Any) -> Any:
        return self._combine(_REMAINDER, self, other)

    def __rmod__(self, other: Any) -> Any:
        return self._combine(_REMAINDER, other, self)

    def __pow__(self, other: Any) -> Any:
        return self._combine(_POWER, self, other)

    def __rpow__(self, other: Any) -> Any:
        return self._combine(_POWER, other, self)

    def __and__(self, other: Any) -> Any:
        return self._combine(_AND, self, other)

    def __rand__(self, other: Any) -> Any:
        return self._combine(_AND, other, self)

    def __or__(self, other: Any) -> Any:
        return self._combine(_OR, self, other)

    def __ror__(self, other: Any) -> Any:
        return self._combine(_OR, other, self)

    def __xor__(self, other: Any) -> Any:
        return self._combine(_XOR, self, other)

    def __rxor__(self, other: Any) -> Any:
        return self._combine(_XOR, other, self)

    def __neg__(self) -> Any:
        return self._combine(_NEGATIVE, self)

    def __pos__(self) -> Any:
        return self._combine(_POSITIVE, self)

    def __invert__(self) -> Any:
        return self._combine(_INVERT, self)

    def __abs__(self) -> Any:
        return self._combine(_ABSOLUTE, self)

    def __eq__(self, other: Any) -> Any:
        return self._combine(_EQUAL, self, other)

    def __ne__(self, other: Any) -> Any:
        return self._combine(_NOT_EQUAL, self, other)

    def __lt__(self, other: Any) -> Any:
        return self._combine(_LESS, self, other)

    def __le__(self, other: Any) -> Any:
        return self._combine(_LESS_EQUAL, self, other)

    def __gt__(self, other: Any) -> Any:
        return self._combine(_GREATER, self, other)

    def __ge__(self, other: Any) -> Any:
        return self._combine(_GREATER_EQUAL, self, other)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {shown(self)}>"

    def __bool__(self) -> bool:
        self._refuse_truth()

    def isin(self, values: Any) -> Any:
        """Whether the value is one of `values`: a list, tuple, set or array, or one value. Text finds byte strings."""
        return self._combine(IsIn(membership_values(values)), self)

    # -------------------------------------------------------------------------------------- NumPy

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return call_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return call_function(self, function, args, kwargs)

    def _call_function(self, function: Any, args: Any, kwargs: Any) -> Any:
        refuse_function(function)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise TypeError(
            "an expression cannot be converted to an array: it has no values before it is used; "
            "assign it to a frame, or compute() it"
        )
