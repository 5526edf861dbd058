"""`CutflowReport`: how many rows, and how much weight, each cut of a frame leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from . import config
from ._native.cutflow import read_cutflow
from ._render.html import html_rows
from .warn_numbers import warn_met

if TYPE_CHECKING:
    from ._native.cutflow import Cut
    from .frame import ColStoreFrame

_SHOW = (None, "raw", "weighted", "both")
_RAW = ("entering", "passing", "eff")
_WEIGHTED = ("wt_entering", "wt_passing", "wt_eff")


class CutInfo(NamedTuple):
    """What one cut does to the rows that all cuts before it leave."""

    #: As it was given, or `#i`.
    label: str
    #: The number of rows before.
    entering: int
    #: The number of rows after.
    passing: int
    #: The sum of the weights before; `None` without a weight.
    weighted_entering: float | None
    #: The sum of the weights after.
    weighted_passing: float | None

    @property
    def efficiency(self) -> float:
        """The share of the rows that pass; 0 if none enter."""
        return self.passing / self.entering if self.entering else 0.0

    @property
    def weighted_efficiency(self) -> float | None:
        """The share of the weight that passes; 0 if there is none."""
        if self.weighted_entering is None or self.weighted_passing is None:
            return None
        return self.weighted_passing / self.weighted_entering if self.weighted_entering else 0.0


class CutflowReport(Sequence[CutInfo]):
    """The cuts of a frame in order, as a sequence of :class:`CutInfo` that shows itself as a table.

    `report["label"]` is the first cut with that label.
    """

    def __init__(self, cuts: Sequence[Cut], show: str | None = None) -> None:
        self._cuts = [CutInfo(f"#{at}" if cut.label is None else cut.label, *cut[1:5]) for at, cut in enumerate(cuts)]
        self._variances = [cut.weighted_variance for cut in cuts]
        weighted = any(cut.weighted_entering is not None for cut in self._cuts)
        self._columns = [*(_RAW if show != "weighted" or not weighted else ())]
        self._columns += _WEIGHTED if weighted and show != "raw" else ()

    def __len__(self) -> int:
        return len(self._cuts)

    def __iter__(self) -> Iterator[CutInfo]:
        return iter(self._cuts)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return self._cuts[key]
        for cut in self._cuts:
            if cut.label == key:
                return cut
        raise KeyError(f"no cut labeled {key!r}; there are: {', '.join(cut.label for cut in self._cuts) or 'none'}")

    @property
    def weighted_variances(self) -> list[float | None]:
        """For each cut the sum of the squares of the weights that pass, whose root is the error of their sum."""
        return list(self._variances)

    def records(self) -> list[dict[str, Any]]:
        """One plain dictionary for each cut."""
        return [
            {
                "label": cut.label,
                "entering": cut.entering,
                "passing": cut.passing,
                "efficiency": cut.efficiency,
                "weighted_entering": cut.weighted_entering,
                "weighted_passing": cut.weighted_passing,
                "weighted_efficiency": cut.weighted_efficiency,
            }
            for cut in self._cuts
        ]

    def _cells(self) -> list[list[str]]:
        return [[cells[name] for name in self._columns] for cells in map(_cells, self._cuts)]

    def __repr__(self) -> str:
        if not self._cuts:
            return "CutflowReport(no cuts)"
        rows = [["cut", *self._columns], *([cut.label, *cells] for cut, cells in zip(self._cuts, self._cells()))]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = []
        for first, *rest in rows:
            cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:]))]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines).encode("utf-8", "backslashreplace").decode("utf-8")

    def _repr_html_(self) -> str:
        n = len(self._cuts)
        facts = "no cuts" if n == 0 else f"{n} cut{'' if n == 1 else 's'}"
        return html_rows(
            f"<b>Cutflow</b> &middot; {escape(facts)}",
            "cut",
            [cut.label for cut in self._cuts],
            self._columns,
            self._cells(),
        )


def _cells(cut: CutInfo) -> dict[str, str]:
    share = cut.weighted_efficiency
    return {
        "entering": str(cut.entering),
        "passing": str(cut.passing),
        "eff": f"{cut.efficiency:.2%}",
        "wt_entering": "-" if cut.weighted_entering is None else f"{cut.weighted_entering:g}",
        "wt_passing": "-" if cut.weighted_passing is None else f"{cut.weighted_passing:g}",
        "wt_eff": "-" if share is None else f"{share:.2%}",
    }


def read_report(frame: ColStoreFrame, show: str | None) -> CutflowReport:
    """The report on the cuts of a frame."""
    if show not in _SHOW:
        raise ValueError(f"show must be 'raw', 'weighted', 'both' or None; got {show!r}")
    cuts, flags = read_cutflow(frame._open(), frame._options or config.default_options)
    warn_met(flags)
    return CutflowReport(cuts, show)
