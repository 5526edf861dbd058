"""Rows for which a condition holds: found when they are first needed, and then kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from . import config
from ._native import expr as native
from ._native.errors import QueryError
from ._native.frame import filter_rows
from ._native.values import Params
from .expressions import ColumnExpression
from .expressions.nodes import lower
from .expressions.operands import is_array, is_scalar, literal, membership_values
from .expressions.scopes import TableScope
from .selection import Located, Selection, locate
from .warn_numbers import warn_met

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from ._native.expr import Expr
    from .base import ColumnStore

    #: What says which rows are wanted.
    Condition: TypeAlias = "str | ColumnExpression"


class QueryTypeError(QueryError, TypeError):
    """A condition with an operation that its operands do not have."""


QueryTypeError.__module__ = "colstore"


class Predicate(Selection):
    """The rows of a store, among those of a view if `outer` is given, for which a condition holds.

    The condition is checked at once: `QueryError` if it is none. Columns are read when the rows are first needed, and
    only those that are in it.
    """

    __slots__ = ("condition", "source", "store")

    def __init__(
        self,
        store: ColumnStore,
        source: Condition,
        params: Mapping[str, Any] | None = None,
        outer: Selection | int | None = None,
    ) -> None:
        super().__init__(None, outer)
        self.store = store
        #: As it was given.
        self.source = source
        table = store._open_table()
        if isinstance(source, str):
            self.condition = parse(source, params)
        else:
            self.condition = lower(source, TableScope(table, store._positions or store.columns))
        try:
            native.check(self.condition, table, True)
        except TypeError as error:
            raise QueryTypeError(*error.args) from None

    @classmethod
    def of_condition(cls, store: ColumnStore, condition: Any, params: Mapping[str, Any] | None) -> Predicate:
        """The rows for which a condition holds that is text or a :func:`col` expression; `TypeError` for others."""
        if not isinstance(condition, (str, ColumnExpression)):
            raise TypeError(f"a condition is text or a col() expression; got {type(condition).__name__}")
        return cls(store, condition, params)

    @property
    def pending(self) -> bool:  # type: ignore[override]
        """Whether the rows have not been looked for yet."""
        return self._located is None

    def resolve(self, n_rows: int) -> Located:
        """The rows of a table of `n_rows` rows."""
        located = self._located
        if located is None or self._n_rows != n_rows:
            store, outer = self.store, self._outer
            table = store._table or store._open_table()
            base = None if outer is None else locate(outer, n_rows).handle(n_rows)
            rows, flags = filter_rows(table, base, self.condition, store._options or config.default_options)
            warn_met(flags)
            located = self._located = Located(rows.count, 0, 0, rows, True)
            self._n_rows = n_rows
        return located


def parse(text: str, params: Mapping[str, Any] | None) -> Expr:
    """The condition that a text is, with values for its `@name`."""
    given = None
    if params:
        # Values that no `@name` asks for may be anything.
        asked = set(_PARAMETER.findall(text))
        given = Params.new()
        for name, value in params.items():
            if name in asked:
                given.set(name, parameter(name, value))
    return native.parse(text, given)


_PARAMETER = re.compile(r"@\s*(\w+)")


def parameter(name: str, value: Any) -> Any:
    """A parameter of a query: a constant, or a set of values."""
    if is_scalar(value):
        return literal(value)
    if isinstance(value, (list, tuple, set, frozenset, range)) or is_array(value):
        return membership_values(value)
    raise TypeError(f"parameter @{name} must be a scalar, or a list, set or array; got {type(value).__name__}")
