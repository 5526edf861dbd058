"""What the user sees of a long call, and how Ctrl-C stops it."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from ._native.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Below this many bytes a store is over before a bar could be read.
LARGE = 256 << 20


def watch_store(n_bytes: int, show: bool) -> AbstractContextManager[Progress | None]:
    """Progress for a store of `n_bytes`: `None` if it is small; else Ctrl-C stops it, and there may be a bar."""
    return _watch(n_bytes, show, "store", LARGE)


def watch_copy(n_bytes: int, show: bool, what: str) -> AbstractContextManager[Progress | None]:
    """As `watch_store`, for a copy that is flushed to the disk, which takes longer. `what` is what the bar says."""
    return _watch(n_bytes, show, what, LARGE >> 4)


@contextmanager
def _watch(n_bytes: int, show: bool, what: str, least: int) -> Iterator[Progress | None]:
    if n_bytes < least:
        yield None
        return
    bar = _bar(n_bytes, what) if show and n_bytes >= LARGE else None

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


def _bar(total: int, what: str) -> Any:
    """A bar on the terminal, or `None` where there is no terminal or no `tqdm`."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    return tqdm(total=total, unit="B", unit_scale=True, desc=what, leave=False)
