"""What an expression is made of: each node makes one of the library's expressions from those of its operands."""

from __future__ import annotations

import operator as python_operators
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .._native import expr as native
from .elementwise import Operation, UserFunction, probe, through_numpy
from .operands import literal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .._native.expr import Expr
    from .._native.values import Values
    from .base import Expression
    from .scopes import Scope


class Node:
    """An operation on values of rows; its text is what messages call it."""

    __slots__ = ("text",)

    #: Whether text and byte strings may be operands beside columns of a frame.
    takes_text = False

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def lower(self, args: Sequence[Any], scope: Scope) -> Expr:
        """The library's form. `args`: of expressions theirs, otherwise constants."""
        raise NotImplementedError


class Column(Node):
    """A column by name."""

    __slots__ = ()

    def lower(self, args: Sequence[Any], scope: Scope) -> Expr:
        return scope.column(self.text)


class Engine(Node):
    """A function of the library's whose results are NumPy's to the bit."""

    __slots__ = ("_name", "takes_text")

    def __init__(self, name: str, text: str, takes_text: bool = False) -> None:
        super().__init__(text)
        self._name = name.encode()
        self.takes_text = takes_text

    def lower(self, args: Sequence[Any], scope: Scope) -> Expr:
        return native.call(self._name, as_exprs(args))


class Elementwise(Node):
    """A function of NumPy's, or any ufunc: the library's own where results are the same to the bit."""

    __slots__ = ("_function", "_name")

    def __init__(self, function: Callable[..., Any], text: str, name: bytes | None) -> None:
        super().__init__(text)
        self._function = function
        self._name = name

    def lower(self, args: Sequence[Any], scope: Scope) -> Expr:
        operands = [scope.dtype(arg) if isinstance(arg, native.Expr) else arg for arg in args]
        result = probe(self._function, operands)
        # The library's results differ in floats only.
        if self._name is not None and result.kind != "f":
            return native.call(self._name, as_exprs(args))
        return through_numpy(Operation(self._function, operands, result), args)


class Power(Node):
    """`x ** y`, where NumPy has short cuts for some exponents."""

    __slots__ = ()

    takes_text = False

    def __init__(self) -> None:
        super().__init__("**")

    def lower(self, args: Sequence[Any], scope: Scope) -> Expr:
        base, exponent = args
        plain = type(exponent) in (int, float) and isinstance(base, native.Expr)
        kind = scope.dtype(base).kind if plain else ""
        if kind == "f" and exponent in _SHORT_CUTS:
            return native.call(_SHORT_CUTS[exponent], [base])
        # Of booleans, NumPy's operator makes what its function does not.
        return (_POWER_OF_BOOLEAN if kind == "b" else _POWER).lower(args, scope)


_POWER = Elementwise(python_operators.pow, "**", b"power")
_POWER_OF_BOOLEAN = Elementwise(python_operators.pow, "**", None)
_SHORT_CUTS = {2: b"square", 1: b"positive", 0.5: b"sqrt", -1: b"reciprocal"}


class IsIn(Node):
    """Membership in a set."""

    __slots__ = ("_values",)

    def __init__(self, values: Values) -> None:
        super().__init__("isin()")
        self._values = values

    def lower(self, args: Sequence[Any], scope: Scope) -> Expr:
        return native.isin(args[0], self._values)


class Cast(Node):
    """`astype`"""

    __slots__ = ("_dtype",)

    def __init__(self, dtype: np.dtype[Any]) -> None:
        super().__init__("astype()")
        if dtype.kind not in "biufMmSU":
            raise TypeError(f"values cannot be cast to {dtype}: a column cannot hold it")
        self._dtype = dtype.newbyteorder("=")

    def lower(self, args: Sequence[Any], scope: Scope) -> Expr:
        source = scope.dtype(args[0])
        if source.kind in _NUMBERS and self._dtype.kind in _NUMBERS:
            return native.cast(args[0], self._dtype.str)
        cast = python_operators.methodcaller("astype", self._dtype)
        return through_numpy(Operation(cast, [source], probe(cast, [source])), args)


_NUMBERS = "biuf"


class Round(Node):
    """`round`"""

    __slots__ = ("_decimals",)

    def __init__(self, decimals: int) -> None:
        super().__init__("round()")
        self._decimals = python_operators.index(decimals)

    def lower(self, args: Sequence[Any], scope: Scope) -> Expr:
        return native.rounded(args[0], self._decimals)


class Apply(Node):
    """A function of the user's."""

    __slots__ = ("_function", "_out_dtype")

    def __init__(self, function: Callable[..., Any], out_dtype: np.dtype[Any] | None) -> None:
        super().__init__("apply()")
        self._function = function
        self._out_dtype = out_dtype

    def lower(self, args: Sequence[Any], scope: Scope) -> Expr:
        return through_numpy(UserFunction(self._function, [scope.dtype(arg) for arg in args], self._out_dtype), args)


CLIP = Engine("clip", "clip()")
WHERE = Engine("where", "where()")


@lru_cache(maxsize=256)
def operator(ufunc: np.ufunc, text: str | None = None, comparison: bool = False) -> Node:
    """The node of a ufunc."""
    name = ufunc.__name__.encode()
    known = getattr(np, ufunc.__name__, None) is ufunc
    shown = text or f"{ufunc.__name__}()"
    if known and native.is_exact(name, "<f8"):
        return Engine(ufunc.__name__, shown, comparison or ufunc.__name__ in _COMPARISONS)
    return Elementwise(ufunc, shown, name if known and native.is_exact(name, "<i8") else None)


_COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


def as_exprs(args: Sequence[Any]) -> list[Expr]:
    """Operands as expressions of the library's."""
    return [arg if isinstance(arg, native.Expr) else literal(arg) for arg in args]


def lower(root: Expression, scope: Scope) -> Expr:
    """The library's form of an expression whose names are looked up in `scope`."""
    if root._made is not None:
        return root._made
    done: dict[int, Expr] = {}
    stack = [root]
    while stack:  # no recursion: an expression may be deeper than Python's stack
        top = stack[-1]
        args: list[Any] = []
        waiting = False
        for arg in top._args:
            if hasattr(arg, "_node"):
                made = arg._made or done.get(id(arg))
                if made is None:
                    stack.append(arg)
                    waiting = True
                arg = made
            args.append(arg)
        if not waiting:
            stack.pop()
            if id(top) not in done:
                made = done[id(top)] = top._node.lower(args, scope)
                if top._captured:
                    top._made = made  # a part of two columns is one part
    return done[id(root)]


def has_rows(root: Expression) -> bool:
    """Whether a column is in it that is not the same constant in all rows."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        top = stack.pop()
        parts = [arg for arg in top._args if hasattr(arg, "_node")]
        if not parts and not getattr(top, "_constant", False):
            return True
        stack += [part for part in parts if id(part) not in seen]
        seen.update(map(id, parts))
    return False


def shown(expression: Any, depth: int = 8) -> str:
    """What an expression looks like in Python, or nearly so; deep ones are cut short."""
    if not hasattr(expression, "_node"):
        return repr(expression)
    text, args = expression._node.text, expression._args
    if not args:
        return f"col({text!r})"
    if depth == 0:
        return "..."
    parts = [shown(arg, depth - 1) for arg in args]
    if text.endswith("()"):
        return f"{text[:-2]}({', '.join(parts)})"
    return f"({parts[0]} {text} {parts[1]})" if len(parts) == 2 else f"{text}{parts[0]}"
