"""What the user sees of a long call, and how Ctrl-C stops it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ._native.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Below this many bytes a store is over before a bar could be read.
LARGE = 256 << 20


@contextmanager
def watch_store(n_bytes: int, show: bool) -> Iterator[Progress | None]:
    """Progress for a store of `n_bytes`: `None` if it is small; else Ctrl-C stops it, and there may be a bar."""
    if n_bytes < LARGE:
        yield None
        return
    bar = _bar(n_bytes) if show else None

    def report(done: int, total: int) -> None:
        # Being called is enough for Python to run its signal handlers.
        if bar is not None:
            bar.total = total
            bar.update(done - bar.n)

    try:
        yield Progress(report)
    finally:
        if bar is not None:
            bar.close()


def _bar(total: int) -> Any:
    """A bar on the terminal, or `None` where there is no terminal or no `tqdm`."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    return tqdm(total=total, unit="B", unit_scale=True, desc="store", leave=False)
