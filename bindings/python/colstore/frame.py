"""`ColStoreFrame`: columns computed from those of a reader or dataset, and cuts on its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._native.frame import Frame
from ._native.schema import describe_columns
from .expressions import ColumnExpression, Expression, FrameExpression
from .expressions.nodes import Apply, Cast, lower
from .expressions.scopes import ExpressionScope, FrameScope
from .frame_column import FrameColumn, FrameReductions
from .frame_reading import FrameReading
from .frame_values import column_value
from .names import check_known
from .predicate import Predicate, QueryTypeError, parse
from .selection import locate, parse_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import DTypeLike

    from .base import ColumnStore
    from .cutflow import CutflowReport
    from .selection import ViewRows


class ColStoreFrame(FrameReading):
    """Columns by name, each a column of the source or computed from others, for rows that cuts leave.

    Made by `edit()` of a reader, a dataset or a view, whose rows it starts from ("base rows"). Nothing is computed
    before it is asked for, and the source never changes. Edits give a new frame, or change this one with
    `inplace=True`; they check everything first.

        muons = ds.edit()
        muons["pt"] = np.hypot(muons["px"], muons["py"])
        muons = muons.where("pt > 30", label="trigger", weight="w").where(col("pt") < 500)
        muons.report()
        muons.write("muons.cstore")
    """

    def __init__(
        self,
        store: ColumnStore,
        columns: Sequence[str] | None = None,
        rows: Any = None,
        predicate: str | ColumnExpression | None = None,
    ) -> None:
        table = store._open_table()
        parsed: ViewRows = parse_rows(rows, store)
        # A condition that has not been looked at is a cut: its columns are read with the others.
        cut = parsed if isinstance(parsed, Predicate) else None
        base = None
        outer = cut._outer if cut is not None else parsed
        if outer is not None:
            located = locate(outer, table.n_rows)
            if (located.start, located.step, located.count) != (0, 1, table.n_rows):
                base = located.handle(table.n_rows)
        self._store = store
        self._options = store._options
        self._native = Frame.new(table, base)
        self._whole = self._native if base is None else Frame.new(table, None)
        self._selected = base is not None or cut is not None or predicate is not None
        self._sources = {name: name for name in store.columns}
        self._constants: frozenset[str] = frozenset()
        self._base = outer
        # Those of the store, which is described by now. Never changed, but replaced.
        self._schema: tuple[dict[str, int], list[np.dtype[Any]]] | None = (store._positions, store._dtypes)
        if cut is not None:
            self._native.filter(cut.condition, None, None)
        if predicate is not None:
            self._native.filter(self._condition(predicate, None), None, None)
        if columns is not None:
            names = list(dict.fromkeys([columns] if isinstance(columns, str) else columns))
            check_known(names, store.columns, store._name())
            self._native.select(names)
            self._sources = {name: name for name in names}
            self._schema = None

    # -------------------------------------------------------------------------------------- description

    @property
    def columns(self) -> list[str]:
        """The names of the columns in order."""
        return list(self._describe()[0])

    def __len__(self) -> int:
        return len(self._describe()[0])

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._describe()[0]

    def __repr__(self) -> str:
        names = self.columns
        more = "..." if len(names) > _REPR_NAMES else ""
        return f"ColStoreFrame(columns={names[:_REPR_NAMES]}{more} of {self._store!r})"

    def __getitem__(self, name: str) -> FrameColumn:
        if not isinstance(name, str):
            raise TypeError(
                "a frame does not slice or index rows or columns: frame['name'] is one column; use select() for more, "
                f"where() for rows; got {type(name).__name__}"
            )
        return FrameColumn(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        if not isinstance(name, str):
            raise TypeError(
                f"a frame is assigned whole columns, frame['name'] = values; got {type(name).__name__} for the name"
            )
        self._assign({name: value}, False, True)

    def __delitem__(self, name: str) -> None:
        self.drop(name, inplace=True)

    # -------------------------------------------------------------------------------------- editing

    def copy(self) -> ColStoreFrame:
        """Another frame that is as this one is now."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._native = self._native.clone()
        other._sources = dict(self._sources)
        return other

    def assign(self, *, copy: bool = False, inplace: bool = False, **columns: Any) -> ColStoreFrame:
        """Add columns, or replace them in their places.

        A value is an expression over columns of a frame, a :func:`col` expression, a scalar for all rows, or a 1-D
        array of one value for each base row, which is not copied unless `copy` says so. All are over the columns before
        this call. `KeyError` for a name that is no column of this frame; `ValueError` for another number of rows.
        """
        return self._assign(columns, copy, inplace)

    with_columns = assign

    def drop(self, *names: str, inplace: bool = False) -> ColStoreFrame:
        """Without these columns. Cuts and columns computed of them stay what they are."""
        self._check_names(names, "drop")
        frame = self._edited(inplace)
        frame._native.drop(list(dict.fromkeys(names)))
        for name in names:
            frame._sources.pop(name, None)
        return frame

    def rename(self, names: Mapping[str, str], inplace: bool = False) -> ColStoreFrame:
        """With other names in the same places: `{old: new}`. `ValueError` if two columns had one name."""
        self._check_names(names, "rename")
        for new in names.values():
            if not isinstance(new, str):
                raise TypeError(f"the new name of a column must be a string; got {type(new).__name__}")
        frame = self._edited(inplace)
        frame._native.rename(list(names), list(names.values()))
        frame._sources = {names.get(name, name): source for name, source in frame._sources.items()}
        frame._constants = frozenset(names.get(name, name) for name in frame._constants)
        return frame

    def select(self, *names: str, inplace: bool = False) -> ColStoreFrame:
        """These columns, in this order. `ValueError` for a name that occurs twice."""
        self._check_names(names, "select")
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"duplicate column in select(): {', '.join(map(repr, twice))}; name each once")
        frame = self._edited(inplace)
        frame._native.select(names)
        frame._sources = {name: frame._sources[name] for name in names if name in frame._sources}
        return frame

    def astype(self, dtypes: Mapping[str, DTypeLike], inplace: bool = False) -> ColStoreFrame:
        """Columns as other dtypes, cast as NumPy's `astype` does: `{name: dtype}`."""
        self._check_names(dtypes, "astype")
        casts = {name: FrameExpression(Cast(np.dtype(dtype)), (self[name],)) for name, dtype in dtypes.items()}
        return self._assign(casts, False, inplace)

    def where(
        self,
        predicate: str | ColumnExpression,
        label: str | None = None,
        *,
        weight: str | Expression | None = None,
        params: Mapping[str, Any] | None = None,
        inplace: bool = False,
    ) -> ColStoreFrame:
        """Only the rows for which a condition holds, too: a cut.

        `predicate`: as for :meth:`ColStoreReader.query`, over the columns that the frame has now. `label` is what
        :meth:`report` calls it. `weight`, a column or an expression, is what rows count for in the report from this cut
        on.
        """
        if label is not None and not isinstance(label, str):
            raise TypeError(f"the label of a cut must be a string; got {type(label).__name__}")
        condition = self._condition(predicate, params)
        weighted = None if weight is None else self._weight(weight)
        frame = self if inplace else self.copy()
        try:
            frame._native.filter(condition, label, weighted)
        except TypeError as error:
            if weighted is not None and "weight" in str(error):
                raise
            raise QueryTypeError(*error.args) from None
        frame._selected = True
        return frame

    filter = where

    def apply(self, func: Callable[..., Any], *columns: Any, out_dtype: DTypeLike | None = None) -> FrameExpression:
        """What a Python function computes, as an expression.

        `func` gets a 1-D array for each of `columns`, names or expressions, for some rows at a time, from any thread
        and maybe from several at once, and must return an array of as many values. Its dtype is learnt by calling it
        with empty arrays, unless `out_dtype` says to what the results are cast.
        """
        if not columns:
            raise TypeError("apply() needs at least one column")
        args = tuple(self._applied(column) for column in columns)
        node = Apply(func, None if out_dtype is None else np.dtype(out_dtype))
        made = lower(FrameExpression(node, args), ExpressionScope(self._native))
        return FrameExpression(node, args, self._whole, made)

    # -------------------------------------------------------------------------------------- reductions

    def sum(self, column: Any) -> Any:
        """The sum of a column or expression in the rows that the cuts leave; dtypes as for :meth:`ColumnView.sum`."""
        return self._reductions(column).sum()

    def mean(self, column: Any) -> Any:
        """The mean as `float64`; a plain NaN of no rows."""
        return self._reductions(column).mean()

    def min(self, column: Any) -> Any:
        """The least value; a plain NaN of no rows."""
        return self._reductions(column).min()

    def max(self, column: Any) -> Any:
        """The greatest value; a plain NaN of no rows."""
        return self._reductions(column).max()

    def std(self, column: Any, ddof: float = 0) -> float:
        """The standard deviation; NaN if there are not more than `ddof` rows."""
        return self._reductions(column).std(ddof=ddof)

    def var(self, column: Any, ddof: float = 0) -> float:
        """The variance; NaN if there are not more than `ddof` rows."""
        return self._reductions(column).var(ddof=ddof)

    def report(self, show: str | None = None) -> CutflowReport:
        """How many rows, and how much weight, each cut leaves.

        `show`: `"raw"`, `"weighted"` or `"both"`; `None` is both where there is a weight, else raw.
        """
        from .cutflow import read_report

        return read_report(self, show)

    # -------------------------------------------------------------------------------------- inside

    def _describe(self) -> tuple[dict[str, int], list[np.dtype[Any]]]:
        schema = self._schema
        if schema is None:
            columns = describe_columns(self._native.schema())
            schema = self._schema = (
                {column.name: position for position, column in enumerate(columns)},
                [np.dtype(column.native_text) for column in columns],
            )
        return schema

    def _edited(self, inplace: bool) -> ColStoreFrame:
        frame = self if inplace else self.copy()
        frame._schema = None
        return frame

    def _check_names(self, names: Any, what: str) -> None:
        known = self._describe()[0]
        missing = [name for name in names if name not in known]
        if missing:
            raise KeyError(
                f"{what}(): {', '.join(map(repr, missing))} not in the frame; it has {list(known)[:_LISTED]}"
            )

    def _assign(self, columns: Mapping[str, Any], copy: bool, inplace: bool) -> ColStoreFrame:
        names = list(columns)
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"the name of a column must be a string; got {type(name).__name__}")
        values = [column_value(self, name, value, copy) for name, value in columns.items()]
        frame = self._edited(inplace)
        frame._native.assign(names, [value for value, _ in values])
        frame._constants = frame._constants.difference(names).union(
            name for name, (_, is_constant) in zip(names, values) if is_constant
        )
        for name in names:
            frame._sources.pop(name, None)
        return frame

    def _lowered(self, expression: Expression, condition: bool = False) -> Any:
        return lower(expression, FrameScope(self._native, self._describe()[0], condition))

    def _condition(self, predicate: Any, params: Mapping[str, Any] | None) -> Any:
        if isinstance(predicate, str):
            return parse(predicate, params)
        if isinstance(predicate, ColumnExpression):
            return self._lowered(predicate, True)
        raise TypeError(
            f"a cut is text or a col() expression over the frame's columns; got {type(predicate).__name__}. "
            "Assign other conditions to a column, and use its name"
        )

    def _weight(self, weight: Any) -> Any:
        if isinstance(weight, str):
            self._check_names([weight], "weight")
            return self._native.column(weight)
        if isinstance(weight, Expression):
            return self._lowered(weight)
        raise TypeError(f"a weight must be a numeric column or expression; got {type(weight).__name__}")

    def _applied(self, column: Any) -> FrameExpression:
        if isinstance(column, str):
            if column not in self:
                raise KeyError(f"{column!r} is not a column of this frame; it has {self.columns[:_LISTED]}")
            return self[column]
        if isinstance(column, ColumnExpression):
            return FrameExpression(column._node, column._args, self._whole, self._lowered(column))
        if isinstance(column, FrameExpression):
            return column
        raise TypeError(
            f"columns of apply() are names and expressions; got {type(column).__name__}; constants go into the function"
        )

    def _reductions(self, column: Any) -> FrameReductions:
        if isinstance(column, str):
            self._check_names([column], "a reduction")
            return FrameReductions(self, self[column], column)
        if isinstance(column, ColumnExpression):
            column = FrameExpression(column._node, column._args, self._whole, self._lowered(column))
        if isinstance(column, FrameExpression):
            return FrameReductions(self, column, str(lower(column, ExpressionScope(self._native))))
        raise TypeError(f"a frame reduces a column, by name, or an expression; got {type(column).__name__}")


_REPR_NAMES = 5
_LISTED = 20
