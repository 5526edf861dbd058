"""A table of cells as text, fitted to the terminal."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

_GAP = "  "
_MORE = "..."


def text_table(labels: Sequence[str], names: Sequence[str], columns: Sequence[Sequence[str]], footer: str) -> str:
    """Lines of right-aligned cells: a header, a line for each label, and the footer.

    Columns that do not fit are left out from the right, and `...` stands for them.
    """
    widths = [max(map(len, [name, *cells])) for name, cells in zip(names, columns)]
    margin = max(map(len, labels), default=0)
    shown = _fitting(margin, widths)
    lines = []
    for row, label in enumerate(["", *labels]):
        cells = [label.rjust(margin)]
        for name, column, width in zip(names[:shown], columns, widths):
            cells.append((column[row - 1] if row else name).rjust(width))
        if shown < len(names):
            cells.append(_MORE)
        lines.append(_GAP.join(cells))
    # A lone surrogate of a name or value could not be printed.
    return "\n".join([*lines, footer]).encode("utf-8", "backslashreplace").decode("utf-8")


def _fitting(margin: int, widths: Sequence[int]) -> int:
    """How many columns fit, at least one."""
    available = shutil.get_terminal_size().columns - margin
    needed = [width + len(_GAP) for width in widths]
    if sum(needed) <= available:
        return len(widths)
    available -= len(_GAP) + len(_MORE)
    shown = used = 0
    for width in needed:
        used += width
        if used > available:
            break
        shown += 1
    return max(shown, min(1, len(widths)))
